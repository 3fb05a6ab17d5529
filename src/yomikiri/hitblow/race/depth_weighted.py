"""The strategy that is worth most when finding the secret sooner is worth more: the race's own objective.

A player who knows how likely the opponent is still unfinished before each of their own guesses wins most by the
strategy of greatest worth, where a secret found at guess k counts `weights[k - 1]` (see `finish.weights`). With
weights 10, 9, 8, ... it is the strategy of least total: of n secrets it is worth 11 n less that total. Where some
secrets are likelier than others, each counts as often as its own weight says.

The search is the priced one: what a strategy misses of weights[0] for every secret is what it costs. Whole numbers
only: no float decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.search.kernels.weighted_workspace import PREFERS_HITS
from yomikiri.hitblow.search.position import least_of
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.hitblow.search.symmetry.equivalent import distinct_guesses
from yomikiri.hitblow.search.weighted import WeightedSearch
from yomikiri.hitblow.strategy.strategy import Node

MOST_BITS = IMPOSSIBLE.bit_length() - 1  # of weights[0] times the total of the candidates


@dataclass(frozen=True, slots=True)
class Worth:
    """A guess and the most that any strategy is worth that begins with it, summed over all candidates, each as often as
    it is likely."""

    guess: str
    worth: int


class DepthWeightedSearch(WeightedSearch):
    """One position and one choice of weights: the worth of guesses, and the strategy of greatest worth.

    `weights[k - 1]` is what it is worth to find the secret with guess k from now; after the last it is worth nothing.
    They are whole numbers, none negative, and never rise; weights[0] times the total of the candidates has at most
    MOST_BITS bits. Raises ValueError for others and for a position without candidates. All questions share the budget,
    whose states are sets searched; when it is spent they raise `Stopped` with nothing, and so does the making of the
    tables when its time is over.
    """

    def __init__(self, known: Knowledge, weights: Sequence[int], budget: Budget = UNLIMITED) -> None:
        falls = [a - b for a, b in pairwise((*weights, 0))]
        if not weights or min(falls) < 0 or weights[0] * known.total >= IMPOSSIBLE:
            raise ValueError(f"not weights: {weights}")
        if not known.count:
            raise ValueError("no candidates")
        super().__init__(known, [0, *falls], budget, forever=False)
        self._work.state[PREFERS_HITS] = 1
        self._most = weights[0] * known.total
        self._found: Worth | None = None

    def best(self) -> Worth:
        """The guess of greatest worth; of several the first by its one-step bound, then a candidate, then in order."""
        if self._found is None:
            cost = self._least(self._all, self._start)
            self._found = Worth(self._code(self._best(self._all, self._start)), self._most - cost)
        return self._found

    def ranked(self, most: int, *, candidates: bool = False) -> list[Worth]:
        """Return the `most` guesses of greatest worth, the best first; only candidates if `candidates` is true.

        Of guesses that are equivalent for what is known, one is listed.
        """
        known, bounded = self._known, self._by_bound(self._all, self._start, IMPOSSIBLE)
        if candidates:
            bounded = [(bound, guess) for bound, guess in bounded if known.is_candidate(self._code(guess))]
        kept = {*distinct_guesses(known, [self._code(guess) for _bound, guess in bounded])}
        different = [(bound, guess) for bound, guess in bounded if self._code(guess) in kept]
        found = least_of(different, most, IMPOSSIBLE, partial(self._after, self._all, self._start))
        return [Worth(self._code(guess), self._most - cost) for cost, guess in found]

    def of(self, guess: str) -> Worth:
        """The worth of a guess that the rules allow, followed by the best play."""
        return Worth(guess, self._most - self._after(self._all, self._start, self._number(guess), IMPOSSIBLE))

    def tree(self, guess: str = "") -> Node:
        """A strategy of greatest worth that finds every candidate, those that are worth nothing too.

        Of those that begin with a guess, if one is given, which the rules allow.
        """
        return self._grown(self._all, self._start, self._best, self._number(guess or self.best().guess))
