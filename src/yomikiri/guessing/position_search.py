"""Exact search of one position of a game: the best guess, its cost, and how far it is proven.

>>> from yomikiri.guessing.game import Game
>>> search = PositionSearch(Game(["aaa", "bbb", "ccc", "ddd"]).start)
>>> search.best()
Best(guess='aaa', cost=10, bound=10)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from threading import Event
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.guessing.codes import CodeList, ListedCodes
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.first_guesses import (
    NO_STORE,
    FirstGuesses,
    FirstGuessStore,
    Tried,
    try_guesses,
    try_in_threads,
)
from yomikiri.guessing.game import Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.indivisible import cost_in_order, sequential_cost
from yomikiri.guessing.kernels.limits import NO_LIMIT
from yomikiri.guessing.plain_search import PlainTableSearch
from yomikiri.guessing.position_table import MOST_ANSWERS, PositionTable
from yomikiri.guessing.search import Members, TableSearch
from yomikiri.guessing.strategy import DecisionNode
from yomikiri.machine.library import available

# The size of a table is its number of (secret, guess) pairs.
_SMALL = 1 << 22  # smaller tables are searched by one call of a kernel
# In smaller tables, it costs more time than it saves to compute the savings at *classes*: sets of secrets such as all
# secrets with a certain symbol (see `_classes`).
_CLASSES_FROM = 1 << 24
_SMALLEST_CLASS = 3
_SECONDS_BETWEEN_REPORTS = 0.1
# number of first guesses that are tried before the savings at classes are computed and threads start
_BEFORE_CLASSES = 60


@dataclass(frozen=True, slots=True)
class Best:
    """The best guess found, the least cost with it, and a lower bound of the cost of every guess.

    `cost` is None if the search stopped before it had evaluated a guess, and IMPOSSIBLE if no strategy finds every
    secret within the guesses that are left.
    """

    guess: str
    cost: int | None
    bound: int

    @property
    def is_proven(self) -> bool:
        """True if it is proven that no guess costs less."""
        return self.cost == self.bound


class PositionSearch(PositionTable):
    """Exact search of a position with the guesses that the guess rule of the game allows.

    Every secret must be found within the guesses that are left, unless `limited` is False. In a large game, `workers`
    threads try first guesses, and `store` keeps the proven bounds of first guesses.

    If there are too many pairs of a candidate and a guess, the search uses a selection of the guesses, which includes
    `needed`. Then it proves no guess optimal. Raises a `ContradictionError` if there is no candidate, and an
    `InputError` if there are too many.
    """

    def __init__(
        self,
        position: Position,
        budget: Budget = UNLIMITED,
        *,
        needed: str | None = None,
        limited: bool = True,
        workers: int = 1,
        store: FirstGuessStore = NO_STORE,
        most_answers: int = MOST_ANSWERS,
    ) -> None:
        super().__init__(position, needed, most_answers)
        self._position, self._budget = position, budget
        self._due = 0.0  # time of the next progress report
        self._workers, self._store, self._others = workers, store, list[TableSearch]()
        self._consistent = position.game.guess_rule is GuessRule.CONSISTENT
        left = position.guesses_left if limited else None
        self._guess_limit = NO_LIMIT if left is None else left
        search = TableSearch if available() else PlainTableSearch
        self._search = search(self.table, budget, candidates_only=self._consistent, guess_limit=self._guess_limit)
        self._all: Members = np.arange(len(self.secrets), dtype=np.int32)

    @property
    def nodes(self) -> int:
        """The number of candidate sets searched so far."""
        return self._search.nodes + sum(other.nodes for other in self._others)

    @cached_property
    def _bounds(self) -> NDArray[np.int64]:
        """Lower bounds of the costs of all guesses; IMPOSSIBLE for those that are not allowed."""
        bounds = 3 * self.total_weight - self._search.start_savings
        own = np.array(self.own)
        bounds[own] -= self.weights
        if self._consistent:
            kept = np.full(len(bounds), IMPOSSIBLE, dtype=np.int64)
            kept[own] = bounds[own]
            return kept
        return bounds

    def improvements(self) -> Iterator[Best]:
        """Yield the best guess each time the search finds a better one, and at last with the proven bound.

        The search tries guesses in order of their bounds; if bounds are equal, candidates come first. It ends early if
        the budget is spent.
        """
        if (cost := self._sequential_cost(self._all, 0)) is not None:
            yield Best(self.guesses[self.own[0]], cost, self.bound_of(cost))
            return
        if len(self.secrets) * len(self.guesses) < _SMALL and self._store is NO_STORE:
            yield self._whole()
            return
        firsts = self._first_guesses()
        if firsts.cost < IMPOSSIBLE:
            yield Best(self.guesses[firsts.best], firsts.cost, self.bound_of(firsts.bound))
        try:
            for tried in self._tried(firsts):
                self._store.learn(self.guesses[tried.guess], tried.bounds)
                if tried.is_best:
                    yield Best(self.guesses[firsts.best], firsts.cost, self.bound_of(firsts.bound))
                self._report(firsts)
        except Stopped:
            cost = None if firsts.cost == IMPOSSIBLE else firsts.cost
            yield Best(self.guesses[firsts.best], cost, self.bound_of(firsts.bound))
            return
        finally:
            self._store.save()
        yield Best(self.guesses[firsts.best], firsts.cost, self.bound_of(firsts.cost))

    def _first_guesses(self) -> FirstGuesses:
        """Return the first guesses in the order in which they are tried, with their lower bounds."""
        own, bounds = set(self.own), self._bounds.tolist()
        order = sorted(range(len(self.guesses)), key=lambda k: (bounds[k], k not in own, k))
        known = {self.index[guess]: known for guess, known in self._store.bounds.items() if guess in self.index}
        return FirstGuesses({k: bounds[k] for k in order if bounds[k] < IMPOSSIBLE}, known)

    def _tried(self, firsts: FirstGuesses) -> Iterator[Tried]:
        """Try first guesses and yield each result.

        The calling thread tries the first _BEFORE_CLASSES guesses. Then `workers` threads try the others.
        """
        yield from try_guesses(firsts, partial(self._search.cost_after, self._all), _BEFORE_CLASSES)
        if not firsts.is_open:
            return
        search = self._search
        if self._is_large and isinstance(search, TableSearch):
            search.add_classes(_classes(ListedCodes.of(self.secrets, self._position.game.symbols)))
        if self._workers == 1 or isinstance(search, PlainTableSearch):
            yield from try_guesses(firsts, partial(search.cost_after, self._all))
            return
        ended = Event()
        budget = self._budget.part(lambda: Progress(states=self.nodes))
        budget = replace(budget, cancelled=lambda: ended.is_set() or self._budget.cancelled(), progress=_no_report)
        self._others = [search.another(budget) for _ in range(self._workers)]
        searches = [partial(other.cost_after, self._all) for other in self._others]
        yield from try_in_threads(firsts, searches, ended.set, partial(self._report, firsts))

    def _report(self, firsts: FirstGuesses) -> None:
        """Report the progress if the last report is old enough.

        Reports are rare, because each needs a pass over all guesses.
        """
        if monotonic() < self._due:
            return
        self._due = monotonic() + _SECONDS_BETWEEN_REPORTS
        cost = None if firsts.cost == IMPOSSIBLE else firsts.cost
        self._budget.report(Progress(firsts.bound, cost, self.nodes, done=firsts.tried, of=len(firsts)))

    def bound_of(self, cost: int) -> int:
        """Return a lower bound of the cost of every strategy, whatever guess of the game it begins with.

        `cost` is a lower bound for the strategies that begin with a guess of the table of the search. If the table
        contains all guesses, the result is `cost`. In a large game, the table contains only a selection of the guesses.
        Then the result is the cost of finding the heaviest secret at the first guess and all others at the second.
        """
        return cost if self.is_complete else 2 * self.total_weight - self.weights[0]

    def _whole(self) -> Best:
        """Return the best guess, found by one call of a kernel.

        If the search is stopped, the field `cost` of the result is None.
        """
        try:
            cost, guess = self._search.best(self._all)
        except Stopped:
            first = int(self._bounds.argmin())
            return Best(self.guesses[first], None, self.bound_of(int(self._bounds[first])))
        if guess < 0:
            guess, cost = self.own[0], IMPOSSIBLE
        return Best(self.guesses[guess], cost, self.bound_of(cost))

    def best(self) -> Best:
        """Return the best guess that the search finds within the budget."""
        *_, best = self.improvements()
        return best

    def cost_after(self, guess: str, budget: Budget) -> int:
        """Return the least cost of the strategies that begin with `guess`.

        The result is IMPOSSIBLE if none of them finds every secret within the limit of guesses. If the search considers
        only a selection of the guesses, these strategies contain only selected guesses after `guess`. Raises `Stopped`
        if `budget` is spent.
        """
        self._search.budget = budget
        first = self.index[guess]
        if self._sequential_cost(self._all, 0) is not None:
            others = self.table.weight[self.table.own != first]
            return min(self.total_weight + cost_in_order(others, self._guess_limit - 1), IMPOSSIBLE)
        if len(self._position.parts(guess)) == 1 and first not in self.own:
            cost = self.total_weight + self._search.best(self._all, first, 1)[0]
        else:
            cost = self._search.cost_after(self._all, first)
        return min(cost, IMPOSSIBLE)

    def cost_of(self, members: Members, below: int) -> int:
        """Return the least cost of a set of candidates if it is below `below`, otherwise a lower bound.

        The bound is `below` or more. The candidates are indices in `secrets`, in ascending order. Raises `Stopped` if
        the budget is spent.
        """
        return self._search.cost(np.sort(members), below)

    def bound_of_set(self, members: Members) -> int:
        """Return a lower bound of the cost of a set of candidates, by one scan of all guesses."""
        return self._search.bound(np.sort(members))

    def strategy(self, guess: str) -> DecisionNode:
        """Return an optimal strategy that begins with `guess`.

        This needs no search if the cost of `guess` has been computed.
        """
        self._search.budget = UNLIMITED
        return self._grown(self._all, self.index[guess], 1)

    def _grown(self, members: Members, guess: int, depth: int) -> DecisionNode:
        """Return a strategy for a candidate set: the best one that begins with `guess`.

        `depth` is the number of guesses from the start of the search, including this one.
        """
        name, kind = self.guesses[guess], self._position.game.answers
        cells: dict[str, list[int]] = {}
        for member in members.tolist():
            if self.own[member] != guess:
                cells.setdefault(kind.answer(name, self.secrets[member]), []).append(member)
        branches = []
        for answer, cell in sorted(cells.items()):
            left = np.array(cell, dtype=np.int32)
            best = self.own[cell[0]]
            if len(cell) > 2 and self._sequential_cost(left, depth) is None:
                best = self._search.best(left, guess, depth)[1]
            branches.append((answer, self._grown(left, best, depth + 1)))
        return DecisionNode(name, tuple(branches))

    def _sequential_cost(self, members: Members, depth: int) -> int | None:
        """Return the cost of a candidate set that no guess divides. Returns None if some guess divides it.

        `depth` is the number of guesses made before. See `indivisible`.
        """
        limit = self._guess_limit - depth
        return sequential_cost(self.table, members, candidates_only=self._consistent, guess_limit=limit)

    @property
    def _is_large(self) -> bool:
        return len(self.secrets) * len(self.guesses) >= _CLASSES_FROM


def _no_report(_progress: Progress) -> None:
    """Ignore the progress of one thread, because the calling thread reports that of all threads."""


def _classes(secrets: CodeList) -> NDArray[np.bool_]:
    """Return sets of secrets that share a property, shape (classes, n), True for members.

    The properties of each symbol are: the secret contains it, does not contain it, or has it in a certain place.
    """
    found = []
    for symbol in range(len(secrets.symbols)):
        at = secrets.columns == symbol
        found += [at.any(axis=0), ~at.any(axis=0), *at]
    large = [inside for inside in found if _SMALLEST_CLASS <= inside.sum() < len(secrets)]
    return np.array(large, dtype=bool).reshape(-1, len(secrets))
