"""Exact search for weighted secrets: the least weighted total from a position, and a tree that attains it.

This is the weighted search (`weighted`) in which every guess costs 1 per unit of weight. Its bounds also use *uniform
totals*. The uniform total of a cell is the least total that the cell would have if all codes had the same weight. It
gives a bound for any weights (see `kernels.uniform_totals`), which is close if the weights are nearly equal.

Uniform totals are computed for the cells that are left after two guesses. Pairs of guesses form one *class* if
permutations of symbols map them to each other. If nothing but the weights is known (no turn, no absent symbol), the
cells of such pairs have equal totals. So the engine solves the cells of only one pair of each class.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.answer_table import WORD
from yomikiri.guessing.search import Members, SearchStage
from yomikiri.hitblow.model.codes import Codes, all_guesses, decode_all
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn
from yomikiri.hitblow.search.kernels.uniform_totals import Totals, note_cells, note_set
from yomikiri.hitblow.search.position import HEAVIEST, EvaluatedGuess, ExactSearch, kernel_search, least_of, searches
from yomikiri.hitblow.search.symmetry.equivalent import start_symmetry
from yomikiri.hitblow.search.weighted import WeightedSearch
from yomikiri.hitblow.strategy.strategy import Node

# A set of at most this number of codes is solved exactly. A larger one gets a guess that need not be the best.
QUICK = 24
# Uniform totals (least totals of guesses if all codes have the same weight) bound the costs with weights. They are used
# only if the average weight of the codes is at most this many times the least weight, because the bounds are weak
# otherwise.
_NEARLY_UNIFORM = 4
_PAIRS = 1 << 20  # limit on the pairs of guesses of a game for which uniform totals are computed
# limit on the classes of pairs of guesses (see `pair_classes`) for which uniform totals are computed
_CLASSES = 64


class WeightedCodesSearch(WeightedSearch, ExactSearch):
    """Search for the least weighted totals from one position.

    The sum of the weights must be below HEAVIEST. If the budget limits the number of states, each candidate set that is
    searched counts as one. Raises `Stopped` before any search if the time is over while the tables are built.
    """

    def __init__(self, known: Knowledge, budget: Budget = UNLIMITED) -> None:
        assert known.total < HEAVIEST
        super().__init__(known, [1], budget, distinct=False)
        self._uniform_totals: UniformTotals | None = None

    def least(self) -> int:
        """Return the least weighted total of the position."""
        return self._least(self._all, self._start)

    def best_guesses(self, total: int, most: int) -> list[str]:
        return [self._code(guess) for guess in islice(self._attaining(self._all, self._start, total), most)]

    def moves(self, most: int) -> list[EvaluatedGuess]:
        """Return the `most` guesses of least total, including guesses that are equivalent by symmetry."""
        guesses = self._by_bound(self._all, self._start, IMPOSSIBLE)
        found = least_of(guesses, most, IMPOSSIBLE, partial(self._after, self._all, self._start))
        return [EvaluatedGuess(self._code(guess), total) for total, guess in found]

    def guesses(self) -> list[tuple[int, str]]:
        """Return the guesses that divide the candidates, as (lower bound of the total, guess) pairs in ascending order.

        The bounds look two guesses ahead. Equal bounds are in code order. Of the guesses that a symmetry maps to each
        other, the first is returned.
        """
        found, symmetry = [], start_symmetry(self._known)
        n, lightest = len(self._all), int(self._table.weight[-1])
        if n > WORD and _NEARLY_UNIFORM * n * lightest >= self._known.total:
            self._uniform_totals = uniform_totals(self._known, self._hints, self._budget)
        first: dict[tuple[int, ...], int] = {}
        for guess, code in enumerate(all_guesses(self._rules).tolist()):
            self._budget.check(self.nodes)
            if first.setdefault(symmetry.representative(code), guess) != guess:
                continue
            bound, cells = self._search.divided_bound(self._all, guess)
            if cells and self._uniform_totals:
                self._raise(guess)
                bound, _ = self._search.divided_bound(self._all, guess)
            if bound < IMPOSSIBLE:
                found.append((bound, guess))
        return [(bound, self._code(guess)) for bound, guess in sorted(found)]

    def total_after(self, guess: str, below: int = IMPOSSIBLE) -> int:
        first = self._number(guess)
        for cell, totals in self._large_cells(first) if self._uniform_totals else ():
            self._search.run_on(cell, note_cells, totals)
        return self._after(self._all, self._start, first, below)

    def _raise(self, guess: int) -> None:
        """Raise the bounds of the large cells of a first guess in the transposition table.

        The bounds follow from uniform totals: the least totals of their cells if all codes had the same weight.
        """
        for cell, totals in self._large_cells(guess):
            self._search.run_on(cell, note_set, totals)

    def _large_cells(self, guess: int) -> Iterator[tuple[Members, Totals]]:
        """Yield each large cell of a first guess, with the uniform totals of its cells.

        The cells of the large cell are those of each possible second guess. A *uniform total* is the least total of a
        set if all codes had the same weight.
        """
        assert self._uniform_totals is not None
        answers = self._answers[:, guess]
        # The sets searched with equal weights do not count towards the limit on states.
        budget = Budget(until=self._budget.until, cancelled=lambda: self._budget.spent(self.nodes))
        for answer in range(self._table.answer_count - 1):
            cell = self._all[answers == answer]
            if len(cell) > self._table.answer_count:
                yield cell, self._uniform_totals.after(guess, self._hints[answer], budget)

    def max_guesses(self, guess: str) -> int:
        return _depth(self.tree(guess))

    def quick_tree(self) -> Node:
        """Return a good tree, even if the budget is exhausted already.

        While the budget lasts, small candidate sets are solved exactly. At other sets, the tree has the guess of the
        least one-step bound, or the first candidate if the time is over.
        """
        time = Budget(until=self._budget.until, cancelled=self._budget.cancelled)

        def choose(members: Members, at: SearchStage) -> int:
            if len(members) <= QUICK:
                with suppress(Stopped):
                    return self._best(members, at)
            own, self._budget = self._budget, time
            try:
                return self._by_bound(members, at, IMPOSSIBLE)[0][1]
            except Stopped:
                return int(self._table.own[members[0]])
            finally:
                self._budget = own

        return self._grown(self._all, self._start, choose)

    def tree(self, first: str = "") -> Node:
        """Return a strategy of the least weighted total.

        If `first` is not empty, the strategy begins with that guess.
        """
        return self._grown(self._all, self._start, self._best, self._number(first) if first else -1)


def _depth(tree: Node) -> int:
    return 1 + max((_depth(below) for _answer, below in tree.branches), default=0)


weighted_search = searches(WeightedCodesSearch)
"""Provides the search from a position: see `searches`."""


class UniformTotals:
    """The uniform totals of the cells after two guesses: the least totals if all codes had the same weight."""

    def __init__(self, rules: Rules, hints: tuple[Hint, ...], classes: NDArray[np.int64]) -> None:
        self._rules, self._hints = rules, hints
        self._classes = classes  # class of each pair of guesses (see `pair_classes`): shape (guesses, guesses)
        # uniform totals by the answer to the first guess, then by the class of the pair of guesses
        self._solved: dict[Hint, Totals] = {}

    def after(self, first: int, hint: Hint, budget: Budget) -> Totals:
        """Return the uniform totals of the cells of each possible second guess, after a first guess and its answer.

        A *uniform total* is the least total of a set if all codes had the same weight. `first` is the index of the
        first guess in code order. Raises `Stopped` if the budget is exhausted.
        """
        if hint not in self._solved:
            self._solved[hint] = self._after(hint, budget)
        totals: Totals = self._solved[hint][self._classes[first]]
        return totals

    def _after(self, hint: Hint, budget: Budget) -> Totals:
        _each, pairs = np.unique(self._classes, return_index=True)
        codes = decode_all(self._rules, all_guesses(self._rules))
        turns = [(Turn(codes[pair // len(codes)], hint), codes[pair % len(codes)]) for pair in pairs.tolist()]
        rows = [[self._total(budget, turn, Turn(guess, answer)) for answer in self._hints] for turn, guess in turns]
        return np.array(rows, dtype=np.int64)

    def _total(self, budget: Budget, *turns: Turn) -> int:
        known = Knowledge(self._rules, facts=turns)
        if not known.count:
            return 0
        with kernel_search(known, budget) as search:
            return search.least()


def uniform_totals(known: Knowledge, hints: tuple[Hint, ...], budget: Budget = UNLIMITED) -> UniformTotals | None:
    """Return the uniform totals of a game: the least totals of cells after two guesses if all weights were equal.

    Returns None in four cases: there is knowledge besides the weights (a turn, an absent symbol, another fact), the
    rules let a symbol occur twice in a guess or forbid a symbol at the first place, some secret of the rules is not a
    candidate, or there are too many guesses or classes. Raises `Stopped` if the time of the budget is over.
    """
    rules, guesses = known.rules, all_guesses(known.rules)
    plain = rules.repeats is Repeats.NONE and not (known.absent or known.facts or rules.no_leading)
    if not plain or known.count < rules.secret_count or len(guesses) ** 2 > _PAIRS:
        return None
    each, classes = np.unique(pair_classes(guesses, budget), return_inverse=True)
    return UniformTotals(rules, hints, classes.reshape(len(guesses), -1)) if len(each) <= _CLASSES else None


def pair_classes(guesses: Codes, budget: Budget = UNLIMITED) -> NDArray[np.int64]:
    """Return, for each pair of guesses, the number of its class: shape (guesses, guesses).

    Two pairs are in the same class if and only if a permutation of symbols maps one to the other. The number encodes,
    for each place of the first and then of the second guess, the first place that has the same symbol.
    """
    places = [*guesses.T[:, :, None], *guesses.T[:, None, :]]
    names = np.zeros((len(guesses), len(guesses)), dtype=np.int64)
    for place, symbols in enumerate(places):
        budget.check()
        met = np.full(names.shape, place, dtype=np.int64)
        for before in reversed(range(place)):
            met[np.broadcast_to(places[before] == symbols, names.shape)] = before
        names = names * len(places) + met
    return names
