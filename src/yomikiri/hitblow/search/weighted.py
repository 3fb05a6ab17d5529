"""Exact search of one position with weighted codes: its least cost, and a tree that attains this cost.

The search is `guessing.search`, which reads the answers of all codes to all guesses from a table. Each guess costs its
*step* times the weight of all codes that no earlier guess has found (`guessing.kernels.steps`). `weighted_codes`
searches for the least weighted total. `race.depth_weighted` searches for the greatest payoff, where the payoff of a
code depends on the number of the guess that finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from operator import or_

import numpy as np

from yomikiri.common.budget import Budget
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.answer_table import AnswerTable
from yomikiri.guessing.search import Members, SearchStage, TableSearch
from yomikiri.hitblow.model.codes import all_guesses, decode, encode, guess_number
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint
from yomikiri.hitblow.model.space import or_ones
from yomikiri.hitblow.search.symmetry.equivalent import mask, start_symmetry
from yomikiri.hitblow.search.weighted_table import position_table
from yomikiri.hitblow.strategy.strategy import Node


class WeightedSearch:
    """Search for the least cost from one position.

    `steps[k]` is the cost of guess k (from 0) per unit of weight, an integer of at least 0. So a code of weight w that
    guess k finds costs w (steps[0] + ... + steps[k]). The last entry holds for all later guesses. The largest possible
    cost must be below IMPOSSIBLE.

    If the budget limits the number of states, each candidate set that is searched counts as one. Raises `Stopped` if
    the time of the budget is over before all tables are built. If `distinct`, of the guesses that a permutation of
    unused symbols maps to each other, only the first is tried.
    """

    def __init__(self, known: Knowledge, steps: Sequence[int], budget: Budget, *, distinct: bool) -> None:
        self._known, self._rules = known, known.rules
        table, self._hints = _packed(known, replace(budget, states=None))
        table = table._replace(step=np.array(steps, dtype=np.int64))
        interchangeable = unused = 0
        if distinct:
            symmetry = start_symmetry(known.start)
            used = reduce(or_, (mask(encode(self._rules, turn.guess)) for turn in known.played), 0)
            interchangeable, unused = symmetry.interchangeable & ~used, symmetry.absent
            table = table._replace(codes=all_guesses(self._rules).copy())
        self._symbols = [mask(code) for code in table.codes.tolist()]
        self._table, self._all = table, np.arange(known.count, dtype=np.int32)
        self._answers = table.answers.reshape(known.count, -1)
        self._search = TableSearch(table, budget, by_savings=False, unused=unused)
        self._start = SearchStage(0, interchangeable)

    @property
    def _budget(self) -> Budget:
        return self._search.budget

    @_budget.setter
    def _budget(self, budget: Budget) -> None:
        self._search.budget = budget

    @property
    def nodes(self) -> int:
        """The number of candidate sets searched so far."""
        return self._search.nodes

    def _grown(
        self,
        members: Members,
        at: SearchStage,
        choose: Callable[[Members, SearchStage], int],
        guess: int = -1,
    ) -> Node:
        """Build a strategy for a candidate set.

        `choose` selects the guess at each set. If `guess` is not -1, it is the first guess.
        """
        if guess < 0:
            guess = choose(members, at)
        later = self._later(at, guess)
        answers = self._answers[members, guess]
        branches = (
            (self._hints[answer], self._grown(members[answers == answer], later, choose))
            for answer in set(answers.tolist())
            if answer != self._table.answer_count - 1
        )
        return Node(self._code(guess), tuple(sorted(branches, key=lambda branch: branch[0])))

    def _best(self, members: Members, at: SearchStage) -> int:
        """Return the guess of least cost for a candidate set; of several, the first by `_by_bound`."""
        if len(members) <= 2:
            return int(self._table.own[members[0]])
        self._prefer(members)
        return self._search.best_guess(members, at)

    def _attaining(self, members: Members, at: SearchStage, least: int) -> Iterator[int]:
        """Yield the guesses of least cost that divide a candidate set, in the order of `_by_bound`."""
        for _bound, guess in self._by_bound(members, at, least + 1):
            if self._after(members, at, guess, least + 1, only_dividing=True) == least:
                yield guess

    def _by_bound(self, members: Members, at: SearchStage, below: int) -> list[tuple[int, int]]:
        """Return (bound, guess) pairs for the guesses whose bounds are below `below`, sorted by bound.

        Of equal bounds, the guesses that `_prefer` selects come first, then code order decides.
        """
        self._prefer(members)
        return self._search.ordered(members, below, at)

    def _prefer(self, members: Members) -> None:
        """Set which guesses come first among those of equal bounds.

        Subclasses can do this. Here, the method does nothing, so code order decides.
        """

    def _after(self, members: Members, at: SearchStage, guess: int, below: int, *, only_dividing: bool = False) -> int:
        """Return the least cost with `guess` first if it is below `below`, otherwise a bound of at least `below`.

        A guess is useless if all codes give the same answer to it. If `only_dividing`, the result for a useless guess
        is IMPOSSIBLE, otherwise its cost.
        """
        cost = self._search.cost_by_windows(members, guess, below, at)
        if cost < IMPOSSIBLE or only_dividing:
            return cost
        step = int(self._table.step[min(at.depth, len(self._table.step) - 1)])
        return int(self._table.weight[members].sum()) * step + self._least(members, self._later(at, guess))

    def _later(self, at: SearchStage, guess: int) -> SearchStage:
        """Return the stage of the game after one more guess: the number of guesses, and the interchangeable symbols."""
        return SearchStage(at.depth + 1, at.interchangeable & ~self._symbols[guess] if self._symbols else 0)

    def _least(self, members: Members, at: SearchStage) -> int:
        """Return the least cost of a candidate set."""
        return self._search.cost(members, IMPOSSIBLE, at)

    def _number(self, guess: str) -> int:
        return guess_number(self._rules, guess)

    def _code(self, guess: int) -> str:
        return decode(self._rules, all_guesses(self._rules)[guess])


@lru_cache(maxsize=4)
def _packed(known: Knowledge, budget: Budget) -> tuple[AnswerTable, tuple[Hint, ...]]:
    """Return the answer table of a position and the answers by their numbers. The heaviest candidates come first."""
    weights = or_ones(known.weights, known.count)
    order = np.argsort(-weights, kind="stable")
    # Budgets compare equal, so one cache entry serves all of them.
    return position_table(known.rules, known.candidates[order], weights[order], budget)
