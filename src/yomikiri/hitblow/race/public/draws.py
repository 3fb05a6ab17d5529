"""How often a race is drawn when both sides play their best: along one best option in every position."""

from __future__ import annotations

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.hitblow.race.public.kernels.pairs import CLOSING, OPENING, next_kind
from yomikiri.hitblow.race.public.pairs import Worths


class Draws:
    """Counts draws under completed turns: of all pairs of secrets, how many both sides find in the same turn.

    In every position the first best option of the mover's form is played. A draw comes about in one way: an opening
    guess hits, and the closing guess that answers it, any candidate, hits as well: one of the other's codes.
    """

    def __init__(self, worths: Worths, budget: Budget = UNLIMITED) -> None:
        self._worths, self._budget = worths, budget
        self._known: dict[tuple[int, int, int], int] = {}

    def drawn(self, kind: int, mine: int, other: int) -> int:
        """How many pairs of secrets are drawn from a position on."""
        place = (kind, mine, other)
        if place not in self._known:
            own, _ = self._worths.sides(kind)
            perfect = mine <= own.tables.perfect
            self._known[place] = self._perfect(kind, mine, other) if perfect else self._played(kind, mine, other)
        return self._known[place]

    def _perfect(self, kind: int, codes: int, other: int) -> int:
        """A perfect form may hit, and if not leaves one code."""
        missed = codes - 1
        if kind == CLOSING:
            # The other side moves with one candidate of mine left: it draws if it hits at once, and loses if not.
            return missed
        return 1 + (missed * self._answered(other) if missed else 0)

    def _answered(self, other: int) -> int:
        """The draws with a closing guess of `other` against one code that is found with the guess after it."""
        their, _ = self._worths.sides(CLOSING)
        if other <= their.tables.perfect:
            return other - 1
        options = their.options_of(other, self._budget)
        return max((2 * option.hit + len(option.cells), len(option.cells)) for option in options)[1]

    def _played(self, kind: int, mine: int, other: int) -> int:
        need = self._worths.worth(kind, mine, other, self._budget)
        own, _ = self._worths.sides(kind)
        options = own.options_of(mine, self._budget)
        best = next(option for option in options if self._worths.attains(kind, option, other, need, self._budget))
        drawn = best.hit if kind == OPENING else 0
        return drawn + sum(self.drawn(next_kind(kind), other, cell) for cell in best.cells.tolist())
