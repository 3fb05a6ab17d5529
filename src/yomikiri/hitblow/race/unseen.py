"""The race in which nobody looks at the other's board: its value, by growing two sets of strategies.

Each side picks a strategy tree, possibly at random, and the two finish independently: a zero-sum game whose pure
strategies are all trees. Only when a tree finishes counts. The method is the double oracle of McMahan, Gordon and Blum
(2003): solve the game restricted to a few finishes by a linear program, find each side's best tree against the
other's mixture (`weighted`), add them, and repeat.

The program works in floats, but nothing rests on it: its mixtures are rounded to fractions, and against a mixture of
fractions the best reply is exact. What the best reply makes is a bound that no play of the other side can pass, so the
value lies between two proven fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import too_heavy
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.race.finish import Finish, certain, mixture, race, weights
from yomikiri.hitblow.race.linear import Program, Rows, optimum
from yomikiri.hitblow.race.terms import Value, too_large
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.hitblow.strategy.strategy import Node, cost

TOLERANCE = Fraction(1, 10**6)
MOST_SECRETS = 1296  # Mastermind of 4 pegs and 6 colours, some 20 seconds; 4 of 8 takes more than 5 minutes
_HEAVIEST = 1 << 16  # the most that all secrets may weigh together, so that cases of both sides can be counted
_PARTS = 1 << 22  # chances are whole numbers of so small a part


@dataclass(frozen=True, slots=True)
class Picked:
    """A strategy tree with the chance it is picked, and when it finishes."""

    chance: Fraction
    tree: Node
    finish: Finish


@dataclass(frozen=True, slots=True)
class Equilibrium(Value):
    """The value with a mixture of strategies for each side that attains it.

    That of the first player is sure of `lower`, that of the second holds the first player to `upper`; `draw` is the
    chance of a draw when both are played.
    """

    first: tuple[Picked, ...]
    second: tuple[Picked, ...]

    @property
    def value(self) -> Fraction:
        """The middle of what is proven."""
        return (self.lower + self.upper) / 2


def finish_of(choices: Sequence[Picked]) -> Finish:
    """When a player finishes who picks one of these strategies at random."""
    return mixture((choice.chance, choice.finish) for choice in choices)


def unseen(
    first: Knowledge,
    second: Knowledge,
    *,
    equal_turns: bool = False,
    budget: Budget = UNLIMITED,
) -> Equilibrium:
    """The equilibrium of the race in which nobody looks, to within `TOLERANCE`.

    `first` is what the first player knows of the second player's secret before the first guess, `second` the other way
    round. The states of the budget are sets searched; it is told the bounds of the value. When it is spent, raises
    `Stopped`, and `best` is the Equilibrium of what is proven so far, None before the end of the first round. Raises an
    `InputError`, and ValueError for knowledge without candidates.
    """
    for known in (first, second):
        if known.count > MOST_SECRETS:
            raise too_large(known.count, MOST_SECRETS)
        if known.total >= _HEAVIEST:
            raise too_heavy(_HEAVIEST)
    return _Oracle(first, second, equal_turns, budget).run()


class _Oracle:
    def __init__(self, first: Knowledge, second: Knowledge, equal_turns: bool, budget: Budget) -> None:
        self._known = {True: first, False: second}
        self._equal_turns = equal_turns
        self._begun, self._budget = monotonic(), budget.part(self._progress)
        self._search: DepthWeightedSearch | None = None
        self._states = 0  # of the searches before it
        self._parts = min(_PARTS, (IMPOSSIBLE - 1) // (2 * first.total * second.total))
        self._trees: dict[bool, dict[Finish, Node]] = {True: {}, False: {}}
        # The best bound so far and the mixture that gives it: the first player's from below, the second's from above.
        self._bound = {True: Fraction(-1), False: Fraction(2)}
        self._kept: dict[bool, tuple[Picked, ...]] = {True: (), False: ()}

    def run(self) -> Equilibrium:
        """Grow both sets until the bounds meet."""
        try:
            self._grow()
        except Stopped:
            raise Stopped(self._found() if all(self._kept.values()) else None) from None
        return self._found()

    def _found(self) -> Equilibrium:
        first, second = self._kept[True], self._kept[False]
        draw = race(finish_of(first), finish_of(second), equal_turns=self._equal_turns).draw
        return Equilibrium(self._bound[True], self._bound[False], draw, first, second)

    def _grow(self) -> None:
        for side in (True, False):
            # To begin with, the strategy of the fewest guesses: it needs no more than one for each secret, nor than 30.
            self._add(side, self._weighing(side, range(min(self._known[side].count, 30), 0, -1)))
        while self._bound[False] - self._bound[True] > TOLERANCE:
            mixtures = self._solve()
            new = [self._improve(side, mixtures[side]) for side in (True, False)]
            self._budget.report(Progress())
            if not any(new):
                break  # the restricted game is the whole game, up to rounding

    def _weighing(self, side: bool, weights: Sequence[int]) -> DepthWeightedSearch:
        if self._search:
            self._states += self._search.nodes
        self._search = DepthWeightedSearch(self._known[side], weights, self._budget)
        return self._search

    def _progress(self) -> Progress:
        lower, upper = max(Fraction(0), self._bound[True]), min(Fraction(1), self._bound[False])
        states = self._states + (self._search.nodes if self._search else 0)
        return Progress(lower, upper, states, monotonic() - self._begun)

    def _add(self, side: bool, weighing: DepthWeightedSearch) -> bool:
        """Add the best strategy to a side's set; whether it finishes as none there did."""
        tree = weighing.tree()
        known = self._known[side]
        finish = Finish.of(cost(tree, known.codes(), known.weighted))
        new = finish not in self._trees[side]
        self._trees[side].setdefault(finish, tree)
        return new

    def _improve(self, side: bool, mixed: tuple[Picked, ...]) -> bool:
        """Answer a side's mixture as well as can be: bounds what the mixture is worth, and adds the answer to the other
        side's set; whether it is new there."""
        finish = finish_of(mixed)
        other = not side
        worth = weights(finish, first=other, to_move=other, equal_turns=self._equal_turns)
        answer = self._weighing(other, worth)
        sure = self._known[other].total * certain(finish, equal_turns=self._equal_turns)
        value = Fraction(answer.best().worth, sure)  # of the one who answers
        bound = 1 - value if side else value
        if (bound > self._bound[True]) if side else (bound < self._bound[False]):
            self._bound[side], self._kept[side] = bound, mixed
        return self._add(other, answer)

    def _solve(self) -> dict[bool, tuple[Picked, ...]]:
        """The best mixtures of the strategies so far."""
        odds = [
            [race(first, second, equal_turns=self._equal_turns).value for second in self._trees[False]]
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
    """Optimal mixtures of rows and of columns of a zero-sum game in which rows win `matrix` (r, c): shapes (r,), (c,).

    The rows' program: the most v such that some mixture makes v against every column; its dual is the columns' one.
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
    """Chances as whole numbers that add up to `parts`: rounded down, the largest remainders up."""
    scaled = chances / chances.sum() * parts
    whole = np.floor(scaled).astype(np.int64)
    missing = parts - int(whole.sum())
    for place in np.argsort(whole - scaled, kind="stable")[:missing]:
        whole[place] += 1
    return [int(part) for part in whole]
