"""Strategies of greatest payoff, where finding the secret sooner pays more.

If the secret is found with guess k, the strategy gets `weights[k - 1]`. The *payoff* of a strategy is the sum of these
numbers over all candidates. If the candidates have different probabilities, each number is multiplied by the
*candidate's weight*, which is proportional to its probability.

Such strategies are needed in a race, in which two players look for each other's secret. Suppose that a player knows,
for each k, the probability that the opponent is unfinished before guess k. With payoffs proportional to these
probabilities (`finish.win_payoffs`), a strategy of greatest payoff wins most often. With payoffs 10, 9, 8, ... it is a
strategy with the fewest guesses in total. Reason: if all n candidates have weight 1 and none needs more than ten
guesses, the payoff is 11 n minus the total number of guesses.

The base class `WeightedSearch` minimises a cost. So this module defines the cost of a strategy as the greatest
conceivable payoff minus the payoff of the strategy. The greatest conceivable payoff is that of finding every secret
with the first guess. All numbers are whole, so that no rounding affects a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.search import Members
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.search.position import least_of
from yomikiri.hitblow.search.symmetry.equivalent import distinct_guesses
from yomikiri.hitblow.search.weighted import WeightedSearch
from yomikiri.hitblow.strategy.strategy import Node

# Limit on the bits of the greatest conceivable payoff of a strategy. Every payoff and cost is then less than
# IMPOSSIBLE, the cost of a candidate set if no strategy finds all its secrets.
MOST_BITS = IMPOSSIBLE.bit_length() - 1


@dataclass(frozen=True, slots=True)
class GuessPayoff:
    """A guess, and the greatest payoff of a strategy that begins with this guess.

    The payoff of a strategy is a sum over the candidates, in which a secret that is found sooner pays more.
    """

    guess: str
    payoff: int


class DepthWeightedSearch(WeightedSearch):
    """Payoffs of the guesses at one set of candidates, and the strategy of greatest payoff.

    `weights[k - 1]` is the payoff of finding the secret with guess k from now. Guesses k > len(weights) pay 0. The
    payoffs are whole numbers, at least 0, and non-increasing. The greatest conceivable payoff of a strategy has at most
    MOST_BITS bits: it is weights[0] times the sum of the candidates' weights (1 each without a prior). Raises
    ValueError for other payoffs, and if there are no candidates.

    `budget` limits the work of the constructor and all methods together. If it limits the number of states, each
    searched candidate set counts as one. When the budget is exhausted, the methods and the constructor raise `Stopped`
    without a result.
    """

    def __init__(self, known: Knowledge, weights: Sequence[int], budget: Budget = UNLIMITED) -> None:
        falls = [a - b for a, b in pairwise((*weights, 0))]
        if not weights or min(falls) < 0 or weights[0] * known.total >= IMPOSSIBLE:
            raise ValueError(f"not weights: {weights}")
        if not known.count:
            raise ValueError("no candidates")
        while len(falls) > 1 and not falls[-1]:
            falls.pop()
        super().__init__(known, [0, *falls, 0], budget, distinct=True)
        self._most = weights[0] * known.total
        self._found: GuessPayoff | None = None

    def best(self) -> GuessPayoff:
        """Return the guess of greatest payoff, with this payoff.

        The sooner a strategy finds the secrets, the greater its payoff. If several guesses have the greatest payoff,
        the tie is broken by these rules in order:

        - Prefer the greatest upper bound of the payoff, computed only from the sizes of the guess's cells. A *cell*
          contains the candidates with one answer to the guess.
        - Prefer a guess that can be the secret.
        - Prefer the first guess in code order.
        """
        if self._found is None:
            cost = self._least(self._all, self._start)
            self._found = GuessPayoff(self._code(self._best(self._all, self._start)), self._most - cost)
        return self._found

    def _prefer(self, members: Members) -> None:
        """Make possible secrets come first among the guesses with equal lower bounds of the cost.

        The search tries guesses in this order. The cost of a strategy is the greatest conceivable payoff minus the
        payoff of the strategy. `members` contains the candidates of the set that is searched, as indices in the list of
        all candidates.
        """
        order = self._search.start_savings
        order[:] = self._known.total
        order[self._table.own[members]] += 1

    def ranked(self, most: int, *, candidates: bool = False) -> list[GuessPayoff]:
        """Return the guesses of greatest payoff, at most `most` of them, in order of decreasing payoff.

        If `candidates` is True, returns only guesses that can be the secret. Of several guesses that are equivalent by
        symmetry, only one is returned.
        """
        known, bounded = self._known, self._by_bound(self._all, self._start, IMPOSSIBLE)
        if candidates:
            bounded = [(bound, guess) for bound, guess in bounded if known.is_candidate(self._code(guess))]
        kept = {*distinct_guesses(known, [self._code(guess) for _bound, guess in bounded])}
        distinct = [(bound, guess) for bound, guess in bounded if self._code(guess) in kept]
        found = least_of(distinct, most, IMPOSSIBLE, partial(self._after, self._all, self._start))
        return [GuessPayoff(self._code(guess), self._most - cost) for cost, guess in found]

    def of(self, guess: str) -> GuessPayoff:
        """Return the greatest payoff of a strategy that begins with `guess`.

        The payoff of a strategy is a sum over the candidates, in which a secret that is found sooner pays more.
        """
        return GuessPayoff(guess, self._most - self._after(self._all, self._start, self._number(guess), IMPOSSIBLE))

    def tree(self, guess: str = "") -> Node:
        """Return a strategy of greatest payoff, as a tree of guesses.

        The sooner a strategy finds the secrets, the greater its payoff. The tree contains every candidate, even one
        that it finds so late that the payoff is 0. If `guess` is not empty, the strategy begins with `guess`.
        """
        return self._grown(self._all, self._start, self._best, self._number(guess or self.best().guess))
