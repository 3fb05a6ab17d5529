"""Value of the race in which neither player sees the other's board, by the double oracle method.

Each player picks a strategy tree at random, with probabilities of their choice. These probabilities are a *mixture* of
trees. The players then find the secrets independently of each other. This is a zero-sum game whose pure strategies are
all trees. Only the *finish distribution* of a tree matters: the number of secrets that it finds with each guess. The
double oracle of McMahan, Gordon and Blum (2003) repeats three steps:

- Solve the game restricted to the trees found so far, by a linear program.
- Find each side's best tree against the other side's mixture (`depth_weighted`).
- Add these trees.

The linear program uses floats, but the bounds hold whatever its accuracy. Mixtures are rounded to fractions, and the
best reply to a rounded mixture is exact. Against this mixture, no strategy has a greater payoff than the best reply. So
each of the two mixtures gives a proven bound of the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import too_heavy
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.race.finish import Finish, certain_payoff, mixture, race_odds, win_payoffs
from yomikiri.hitblow.race.linear import Program, Rows, optimum
from yomikiri.hitblow.race.terms import Value, too_large
from yomikiri.hitblow.strategy.strategy import Node, cost

# The computation ends when the upper bound of the race's value exceeds the lower bound by at most this number.
TOLERANCE = Fraction(1, 10**6)
# Limit on the number of possible secrets of a player, because larger games take minutes to solve.
# A race of Mastermind with 4 pegs and 6 colours is solved in 20 seconds, with 8 colours in over 5 minutes.
MOST_SECRETS = 1296
# The total weight of one player's candidates must be below this. A payoff counts weighted pairs of secrets, multiplied
# by the denominator of a mixture. This product must be less than IMPOSSIBLE. So larger weights would require smaller
# denominators, and the mixtures would be less precise.
_HEAVIEST = 1 << 16
_PARTS = 1 << 22  # greatest denominator of the probabilities in a mixture of strategies


@dataclass(frozen=True, slots=True)
class Picked:
    """A strategy tree that a player picks with some probability, and the distribution of its number of guesses."""

    chance: Fraction
    tree: Node
    finish: Finish


@dataclass(frozen=True, slots=True)
class Equilibrium(Value):
    """The bounds of the value, and each player's mixture (random choice) of strategies that proves one of the bounds.

    With the mixture `first`, the first player gets at least `lower`. Against the mixture `second`, the first player
    gets at most `upper`. `draw` is the probability of a draw if both play their mixtures.
    """

    first: tuple[Picked, ...]
    second: tuple[Picked, ...]

    @property
    def value(self) -> Fraction:
        """The midpoint of the proven lower and upper bound of the value of the race."""
        return (self.lower + self.upper) / 2


def finish_of(choices: Sequence[Picked]) -> Finish:
    """Return the finish distribution of a player who picks one of `choices` at random, with the probability of each."""
    return mixture((choice.chance, choice.finish) for choice in choices)


def unseen(
    first: Knowledge,
    second: Knowledge,
    *,
    equal_turns: bool = False,
    budget: Budget = UNLIMITED,
) -> Equilibrium:
    """Return the equilibrium of the race in which neither player sees the other's board.

    The bounds of its value differ by at most `TOLERANCE`, unless the rounding of the mixtures (random choices of
    strategies) prevents this.

    `first` is the first player's knowledge about the second player's secret before the first guess, and `second` is the
    second player's knowledge about the first player's secret. Raises an `InputError` if a player has more than
    `MOST_SECRETS` possible secrets or too large weights, and ValueError for knowledge without candidates.

    If the budget limits the number of states, each searched candidate set counts as one. Progress reports contain the
    bounds. When the budget is exhausted, raises `Stopped`. Its `best` is the Equilibrium proven so far, or None if the
    lower or the upper bound of the value is not proven yet.
    """
    for known in (first, second):
        if known.count > MOST_SECRETS:
            raise too_large(known.count, MOST_SECRETS)
        if known.total >= _HEAVIEST:
            raise too_heavy(_HEAVIEST)
    return _Oracle(first, second, equal_turns, budget).run()


class _Oracle:
    """State of the double oracle method, which finds an equilibrium by adding best replies step by step.

    The state contains, for each player, the strategy trees found so far. It also contains the best bounds of the value
    of the race, and the mixtures (random choices of trees) that prove these bounds.
    """

    def __init__(self, first: Knowledge, second: Knowledge, equal_turns: bool, budget: Budget) -> None:
        self._known = {True: first, False: second}
        self._equal_turns = equal_turns
        self._begun, self._budget = monotonic(), budget.part(self._progress)
        self._search: DepthWeightedSearch | None = None
        self._states = 0  # number of candidate sets visited by all searches for best replies before the current one
        self._parts = min(_PARTS, (IMPOSSIBLE - 1) // (2 * first.total * second.total))
        self._trees: dict[bool, dict[Finish, Node]] = {True: {}, False: {}}
        # Proven bounds of the value of the race: the lower bound under the key True, the upper bound under False.
        self._bound = {True: Fraction(-1), False: Fraction(2)}
        self._kept: dict[bool, tuple[Picked, ...]] = {True: (), False: ()}

    def run(self) -> Equilibrium:
        """Repeat the steps of the double oracle method until the bounds of the value meet, and return the equilibrium.

        The bounds meet if they differ by at most `TOLERANCE`. The method also ends if no step finds a new strategy.
        Raises `Stopped` whose `best` is the equilibrium so far, or None before both bounds are proven.
        """
        try:
            self._grow()
        except Stopped:
            raise Stopped(self._found() if all(self._kept.values()) else None) from None
        return self._found()

    def _found(self) -> Equilibrium:
        first, second = self._kept[True], self._kept[False]
        draw = race_odds(finish_of(first), finish_of(second), equal_turns=self._equal_turns).draw
        return Equilibrium(self._bound[True], self._bound[False], draw, first, second)

    def _grow(self) -> None:
        for side in (True, False):
            # Begin with the strategy of fewest guesses in total. It is the strategy of greatest payoff for the payoffs
            # m, m - 1, ..., 1 if it needs at most m guesses. For n secrets, it needs at most n guesses, because each
            # guess excludes a secret. With at most MOST_SECRETS secrets, it never needs more than 30 guesses.
            self._add(side, self._new_search(side, range(min(self._known[side].count, 30), 0, -1)))
        while self._bound[False] - self._bound[True] > TOLERANCE:
            mixtures = self._solve()
            new = [self._improve(side, mixtures[side]) for side in (True, False)]
            self._budget.report(Progress())
            if not any(new):
                # Stop if both best replies are equivalent to strategies found before: the bounds then differ by
                # rounding only.
                break

    def _new_search(self, side: bool, weights: Sequence[int]) -> DepthWeightedSearch:
        if self._search:
            self._states += self._search.nodes
        self._search = DepthWeightedSearch(self._known[side], weights, self._budget)
        return self._search

    def _progress(self) -> Progress:
        lower, upper = max(Fraction(0), self._bound[True]), min(Fraction(1), self._bound[False])
        states = self._states + (self._search.nodes if self._search else 0)
        return Progress(lower, upper, states, monotonic() - self._begun)

    def _add(self, side: bool, search: DepthWeightedSearch) -> bool:
        """Compute the best strategy tree of a search, and add it to one player's trees if it is new.

        Returns True if the tree is new. `side` is True for the first player. Trees with equal finish distributions
        (numbers of secrets found with each guess) are equivalent in this race, so only one of them is kept.
        """
        tree = search.tree()
        known = self._known[side]
        finish = Finish.of(cost(tree, known.codes(), known.weighted))
        new = finish not in self._trees[side]
        self._trees[side].setdefault(finish, tree)
        return new

    def _improve(self, side: bool, mixed: tuple[Picked, ...]) -> bool:
        """Find the best reply to one player's mixture, and update the bound of the value that the mixture proves.

        A *mixture* is a random choice of strategies. `side` is True if `mixed` is the first player's mixture. The best
        reply determines the payoff that the mixture guarantees. For the first player's mixture, this payoff is a lower
        bound of the race's value, and for the second player's mixture an upper bound. If the bound is better than the
        one so far, the bound and the mixture are kept.

        The reply is added to the trees of the player who replies. Returns True if these contained no equivalent tree
        before.
        """
        finish = finish_of(mixed)
        other = not side
        payoffs = win_payoffs(finish, first=other, to_move=other, equal_turns=self._equal_turns)
        reply = self._new_search(other, payoffs)
        sure = self._known[other].total * certain_payoff(finish, equal_turns=self._equal_turns)
        value = Fraction(reply.best().payoff, sure)  # value of the race to the player whose best reply was found
        bound = 1 - value if side else value
        if (bound > self._bound[True]) if side else (bound < self._bound[False]):
            self._bound[side], self._kept[side] = bound, mixed
        return self._add(other, reply)

    def _solve(self) -> dict[bool, tuple[Picked, ...]]:
        """Solve the game in which each side chooses only among the trees found so far. Returns the optimal mixtures."""
        odds = [
            [race_odds(first, second, equal_turns=self._equal_turns).value for second in self._trees[False]]
            for first in self._trees[True]
        ]
        chances = dict(zip((True, False), equilibrium(np.array(odds, dtype=np.float64)), strict=True))
        return {side: self._mixed(side, chances[side]) for side in (True, False)}

    def _mixed(self, side: bool, chances: NDArray[np.float64]) -> tuple[Picked, ...]:
        parts = rounded(chances, self._parts)
        return tuple(
            Picked(Fraction(part, self._parts), tree, finish)
            for part, (finish, tree) in zip(parts, self._trees[side].items(), strict=True)
            if part
        )


def equilibrium(matrix: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return optimal mixtures of the rows and of the columns of a zero-sum game: shapes (r,) and (c,).

    `matrix`, shape (r, c), contains the payoffs to the row player. The linear program maximises v such that the mixture
    of rows has a payoff of at least v against every column. Its dual solution is the mixture of columns.
    """
    rows = len(matrix)
    most, equal = Rows(), Rows()
    for column in matrix.T:
        most.add([*enumerate((-column).tolist()), (rows, 1.0)])
    equal.add([(row, 1.0) for row in range(rows)])
    cost, free = np.zeros(rows + 1), np.zeros(rows + 1, dtype=bool)
    cost[rows], free[rows] = -1, True
    found = optimum(Program(cost, free, most, equal, np.ones(1)))
    return np.maximum(found.variables[:rows], 0), np.maximum(found.duals, 0)


def rounded(chances: NDArray[np.float64], parts: int) -> list[int]:
    """Round probabilities to whole numbers with the sum `parts`, by the method of largest remainders."""
    scaled = chances / chances.sum() * parts
    whole = np.floor(scaled).astype(np.int64)
    missing = parts - int(whole.sum())
    for place in np.argsort(whole - scaled, kind="stable")[:missing]:
        whole[place] += 1
    return [int(part) for part in whole]
