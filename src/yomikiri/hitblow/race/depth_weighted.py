"""Strategies of greatest payoff, where finding the secret sooner pays more: the objective of a race.

A player who knows the probability that the opponent is unfinished before each of their own guesses wins most often by
the strategy of greatest payoff. A secret found with guess k pays `weights[k - 1]` (see `finish.weights`). With payoffs
10, 9, 8, ... this is the strategy with the least total: for n secrets its payoff is 11 n minus the total. If some
secrets are likelier than others, each counts its weight.

The weighted search minimises cost: the cost of a strategy is the sum of weights[0] over all secrets minus its payoff.
All numbers are whole, so that no rounding affects a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.search.position import least_of
from yomikiri.hitblow.search.symmetry.equivalent import distinct_guesses
from yomikiri.hitblow.search.weighted import WeightedSearch
from yomikiri.hitblow.strategy.strategy import Node

MOST_BITS = IMPOSSIBLE.bit_length() - 1  # most bits of weights[0] times the number of candidates, so that sums fit


@dataclass(frozen=True, slots=True)
class Worth:
    """A guess and the greatest payoff of a strategy that begins with it, summed over the candidates by weight."""

    guess: str
    worth: int


class DepthWeightedSearch(WeightedSearch):
    """Payoffs of guesses in one position, and the strategy of greatest payoff.

    `weights[k - 1]` is the payoff of finding the secret with guess k from now, and 0 after the last. They are whole
    numbers, at least 0, and non-increasing. weights[0] times the total of the candidates has at most MOST_BITS bits.
    Raises ValueError for other weights, and without candidates.

    All methods share the budget, whose states are searched sets. If it ends, they raise `Stopped` without a result, and
    so does building the tables.
    """

    def __init__(self, known: Knowledge, weights: Sequence[int], budget: Budget = UNLIMITED) -> None:
        falls = [a - b for a, b in pairwise((*weights, 0))]
        if not weights or min(falls) < 0 or weights[0] * known.total >= IMPOSSIBLE:
            raise ValueError(f"not weights: {weights}")
        if not known.count:
            raise ValueError("no candidates")
        super().__init__(known, [0, *falls], budget, forever=False)
        self._work.state[0].prefers_hits = 1
        self._most = weights[0] * known.total
        self._found: Worth | None = None

    def best(self) -> Worth:
        """Return the guess of greatest payoff: among equal ones by one-step bound, then a candidate, then by order."""
        if self._found is None:
            cost = self._least(self._all, self._start)
            self._found = Worth(self._code(self._best(self._all, self._start)), self._most - cost)
        return self._found

    def ranked(self, most: int, *, candidates: bool = False) -> list[Worth]:
        """Return the `most` guesses of greatest payoff, the best first; only candidates if `candidates` is true.

        Only one of several equivalent guesses is listed.
        """
        known, bounded = self._known, self._by_bound(self._all, self._start, IMPOSSIBLE)
        if candidates:
            bounded = [(bound, guess) for bound, guess in bounded if known.is_candidate(self._code(guess))]
        kept = {*distinct_guesses(known, [self._code(guess) for _bound, guess in bounded])}
        distinct = [(bound, guess) for bound, guess in bounded if self._code(guess) in kept]
        found = least_of(distinct, most, IMPOSSIBLE, partial(self._after, self._all, self._start))
        return [Worth(self._code(guess), self._most - cost) for cost, guess in found]

    def of(self, guess: str) -> Worth:
        """Return the payoff of an allowed guess followed by best play."""
        return Worth(guess, self._most - self._after(self._all, self._start, self._number(guess), IMPOSSIBLE))

    def tree(self, guess: str = "") -> Node:
        """Return a strategy of greatest payoff that finds every candidate, including those that pay nothing.

        If a guess is given, the strategy begins with it.
        """
        return self._grown(self._all, self._start, self._best, self._number(guess or self.best().guess))
