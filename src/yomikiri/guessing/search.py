"""Exact search on an answer table: least costs of sets of secrets, and guesses that attain them.

`kernels.table_recursion` searches one set. `TableSearch` calls it from Python within a budget, and enlarges the
transposition table. Later searches use the bounds that earlier ones have stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.guessing.branch_and_bound import least_cost
from yomikiri.guessing.costs import IMPOSSIBLE, RISES
from yomikiri.guessing.growing_table import GrowingTable
from yomikiri.guessing.indivisible import sequential_cost
from yomikiri.guessing.kernels.answer_table import (
    WORKSPACE_FULL,
    AnswerTable,
    TableProblem,
    TableSet,
    TableWorkspace,
)
from yomikiri.guessing.kernels.limits import NO_LIMIT, disallow, hash_guess_limit, hash_requirements
from yomikiri.guessing.kernels.steps import hash_depth
from yomikiri.guessing.kernels.table_recursion import (
    best_guess,
    choose,
    cost_after,
    list_guesses,
    open_guess,
    scan_set,
    search,
)
from yomikiri.machine.arrays import allocated
from yomikiri.machine.bits import mix
from yomikiri.machine.running import Runner

R = TypeVar("R")
Members = NDArray[np.int32]  # a set of secrets: their indices, ascending

_MEMORY = 1 << 28  # size limit of the transposition table, in bytes
_DEEPEST = 64  # greatest number of guesses of a strategy
# `cost_after` searches a cell of at most this many secrets with the limit at which the cell refutes the guess. It
# searches a larger cell first with a lower limit.
_SMALL = 60
_SHORT = 1 << 24  # work of up to about this many answers, some ten milliseconds, is done in the calling thread


class SearchStage(NamedTuple):
    """The stage of a game: the number of guesses made, and the symbols that are still interchangeable (a bit mask).

    The number of guesses matters only for a table in which the first, second, third guess and so on cost differently.
    """

    depth: int = 0
    interchangeable: int = 0


_START = SearchStage()


class TableSearch:
    """Least costs of sets of secrets with one answer table.

    - `guess_limit`: a strategy must find every secret within this many guesses. If no strategy for a set does, the
      methods return IMPOSSIBLE or a greater number as the cost of the set.
    - `by_savings`: True to try guesses with equal bounds in the order of their savings at the set of all secrets,
      otherwise in the order of the table. The *saving* of a guess is the sum, over its cells, of the weight of the
      heaviest secret.
    - `unused`: a bit mask of symbols that no secret contains. Guesses that differ only by an exchange of such
      symbols are equivalent, and one of them is tried. This has an effect only if the array `AnswerTable.codes` is
      not empty.

    Each set that is searched counts as one state of the budget. Methods raise `Stopped` if the `budget` is spent; the
    attribute may be replaced between calls.
    """

    def __init__(
        self,
        table: AnswerTable,
        budget: Budget,
        *,
        candidates_only: bool = False,
        guess_limit: int = NO_LIMIT,
        by_savings: bool = True,
        unused: int = 0,
    ) -> None:
        self._table, self.budget = table, UNLIMITED
        self._candidates_only, self._guess_limit = candidates_only, guess_limit
        self._unused, self._by_savings = unused, by_savings
        self._transpositions = GrowingTable(_MEMORY)
        hashes = [hash_depth(table, depth) for depth in range(len(table.step))]
        self._hashes = np.array([(word, mix(word)) for word in hashes], dtype=np.uint64)
        self._all: Members = np.arange(len(table.own), dtype=np.int32)
        self._begin()
        self._work.saving[0] = int(table.weight.sum())
        if by_savings:
            self._work.saving[0] = self.savings(self._all)
        self.budget = budget

    def _begin(self) -> None:
        """Allocate what each thread needs for itself: the workspace, and a `Runner`, which runs and stops kernels."""
        table, secrets = self._table, len(self._table.own)
        depths = min(secrets, _DEEPEST) + len(table.step)
        self._runner = Runner()
        self._work = allocated(
            TableWorkspace,
            n=secrets,
            g=table.class_saving.shape[1],
            depths=depths,
            members=secrets * (depths + 1),
            answer_count=table.answer_count,
        )._replace(shared=self._runner.words)
        self._work.state[0].candidates_only = int(self._candidates_only)
        self._work.state[0].guess_limit = self._guess_limit
        self._work.state[0].unused = self._unused
        self._work.state[0].by_cells = int(not self._by_savings)
        self._transpositions.join()
        self._transpositions.read_by(self._runner.words)

    @property
    def transpositions(self) -> GrowingTable:
        """The transposition table."""
        return self._transpositions

    def another(self, budget: Budget) -> TableSearch:
        """Return a search for another thread. It shares the answer table and the transposition table with this one."""
        other = copy(self)
        other._begin()
        other._work.saving[0] = self._work.saving[0]
        other.budget = budget
        return other

    def add_classes(self, classes: NDArray[np.bool_]) -> None:
        """Add classes to the table: sets of secrets, shape (classes, n), such as all secrets with the letter e.

        The saving of a guess at a class limits its saving at each subset of the class. Cells of first guesses are often
        subsets of classes, so most guesses at them are refuted without a scan.
        """
        guesses = self._table.class_saving.shape[1]
        savings = [self.savings(np.flatnonzero(inside).astype(np.int32)) for inside in classes]
        padded = np.pad(classes, ((0, 0), (0, -classes.shape[1] % 64)))
        members = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
        saving = np.array(savings, dtype=np.int64).reshape(-1, guesses)
        self._table = self._table._replace(class_members=members, class_saving=saving)

    @property
    def nodes(self) -> int:
        """The number of candidate sets searched so far."""
        return self._runner.nodes

    @property
    def start_savings(self) -> NDArray[np.int64]:
        """The saving of each guess at the set of all secrets, shape (g,).

        The *saving* is the sum, over the cells of the guess, of the weight of the heaviest secret.
        """
        savings: NDArray[np.int64] = self._work.saving[0]
        return savings

    def savings(self, members: Members) -> NDArray[np.int64]:
        """Return the saving of each guess at a candidate set: shape (g,).

        The *saving* is the sum, over the cells of the guess, of the weight of the heaviest secret. A guess that is a
        member of the set may win, which saves its own weight once more. This is not included. So a guess costs at least
        3 * (weight of the set) - saving, less its own weight if it is a member.
        """
        current = self._write_set(members)
        self.run(current.n, lambda problem: scan_set(problem, current))
        savings: NDArray[np.int64] = self._work.saving[1].copy()
        return savings

    def best(self, members: Members, last: int = -1, depth: int = 0) -> tuple[int, int]:
        """Return (cost, guess): the least cost of a candidate set, and a first guess that attains it.

        If several guesses attain the cost, the result has the one with the least lower bound of its cost, as computed
        before any cell is searched. If these bounds are equal, too, the result has the guess with the largest saving at
        the set of all secrets, and then the first of the list.

        `depth` is the number of guesses made before. `last` is the last of them, or -1 if there is none; in hard mode,
        it limits the allowed guesses. The guess is -1 if no strategy finds every secret within the limit.
        """
        with self._limited(members, last, depth):
            current = self._write_set(members, last)
            cost = least_cost(
                current.whole,
                lambda limit: self.run(current.n, partial(self._search_cell, current, current.n, limit)),
            )
            if cost >= IMPOSSIBLE:
                return cost, -1
            found, guess = self.run(current.n, lambda problem: choose(problem, current, current.n, cost + 1))
        assert found == cost
        return cost, int(guess)

    def bound(self, members: Members) -> int:
        """Return a lower bound of the cost of a candidate set, by one scan of all guesses."""
        savings, weights = self.savings(members), self._table.weight[members]
        savings[self._table.own[members]] += weights
        return 3 * int(weights.sum()) - int(savings.max())

    def cost(self, members: Members, below: int, at: SearchStage = _START) -> int:
        """Return the least cost of a candidate set if it is below `below`, otherwise a lower bound.

        The lower bound is at least `below`.
        """
        current = self._write_set(members, at=at)
        return self.run(current.n, partial(self._search_cell, current, current.n, below))

    def best_guess(self, members: Members, at: SearchStage = _START) -> int:
        """Return the first guess, in the order of `ordered`, that attains the least cost of a candidate set."""
        current = self._write_set(members, at=at)
        return int(self.run(current.n, lambda problem: best_guess(problem, current, current.n)))

    def run_on(self, members: Members, kernel: Callable[..., R], *given: object) -> R:
        """Run a kernel on a candidate set. The arguments of the kernel are the search problem, the set, and `given`."""
        current = self._write_set(members)
        return self.run(current.n, lambda problem: kernel(problem, current, *given))

    def divided_bound(self, members: Members, guess: int) -> tuple[int, int]:
        """Divide a candidate set by a guess, without searching its cells.

        Returns (lower bound of the cost with this guess first, number of cells whose cost is unknown).
        """
        _current, total, cells = self._divided(members, guess, IMPOSSIBLE)
        return total, cells

    def cost_by_windows(self, members: Members, guess: int, below: int, at: SearchStage = _START) -> int:
        """Return the least cost of a candidate set if its first guess is `guess`, or a lower bound of it.

        The number is the cost if it is below `below`. Otherwise, it is a lower bound of at least `below`. Unlike
        `cost_after`, this method calls one kernel, which searches the cells one after another. At a large set, each
        cell is first searched with a small *window*: up to a limit slightly above the lower bound of its cost.
        """
        current = self._write_set(members, at=at)
        self._work.saving[current.depth + 1] = self._work.saving[0]
        n = current.n
        return self.run(n, lambda problem: int(cost_after(problem, current, n, guess, below, self._next_node())))

    def _next_node(self) -> np.uint64:
        """Return a new node id: the id of the candidate set that is divided next.

        The workspace keeps the partitions by earlier guesses, each with the node id of the set (`TableWorkspace.seen`).
        A new id is needed for each call, because otherwise a repeated call would find its own partition there.
        """
        self._work.state[0].node_id += 1
        return np.uint64(self._work.state[0].node_id)

    def ordered(self, members: Members, below: int, at: SearchStage = _START) -> list[tuple[int, int]]:
        """Return (bound, guess) for the guesses at a candidate set whose bounds are below `below`, in ascending order.

        If bounds are equal, the guess of greater `start_savings` is first, then the one of the smaller number.
        """
        current = self._write_set(members, at=at)
        listed = self.run(current.n, lambda problem: list_guesses(problem, current, below))
        bounds = self._work.bound[current.depth, :listed]
        guesses = self._work.guess[current.depth, :listed]
        order = np.lexsort((guesses, -self.start_savings[guesses], bounds))
        return list(zip(bounds[order].tolist(), guesses[order].tolist(), strict=True))

    @contextmanager
    def _limited(self, members: Members, last: int, depth: int) -> Iterator[None]:
        """Limit the search in a `with` block to the guesses left, and in hard mode to those that are allowed.

        `depth` guesses have been made, and `last` is the last one, or -1 if there is none.
        """
        work, symbols = self._work, self._table.symbols
        savings = work.saving[0].copy() if last >= 0 and len(symbols) else None
        work.state[0].guess_limit = self._guess_limit - depth
        if savings is not None:
            disallow(symbols, last, int(self._table.own[members[0]]), work.saving[0])
        try:
            yield
        finally:
            work.state[0].guess_limit = self._guess_limit
            if savings is not None:
                work.saving[0] = savings

    def cost_after(self, members: Members, guess: int, below: int = IMPOSSIBLE) -> int:
        """Return the least cost of a candidate set if its first guess is `guess`, or a lower bound of it.

        The number is the cost if it is below `below`. Otherwise, it is a lower bound of at least `below`. The bounds of
        the cells rise in rounds: the cell on which the least work was spent is searched next, with a window slightly
        above its bound. So most guesses are refuted by the cells that are cheap to search.
        """
        current, total, cells = self._divided(members, guess, below)
        work = self._work
        rows = work.order[0, :cells].tolist()
        lower = {r: int(work.lower[0, r]) for r in rows}
        spent = dict.fromkeys(rows, 0)
        sets = {r: self._cell(r) for r in rows}
        if total < below:
            total += self._solve_indivisible(sets, lower, spent)
        rises = {r: max(1, cell.whole // RISES) for r, cell in sets.items()}
        while total < below and spent:
            r = min(spent, key=lambda row: (spent[row], sets[row].n, row))
            cell, before = sets[r], self.nodes
            spare = below - total
            rise = rises[r] if spent[r] or cell.n > _SMALL or below >= IMPOSSIBLE else spare
            rises[r], window = 2 * rises[r], lower[r] + min(rise, spare)
            cost = self.run(cell.n, partial(self._search_cell, cell, 2 * current.n, window))
            spent[r] += 1 + (self.nodes - before) * 64 + cell.n
            if cost < window:
                del spent[r]
            if cost > lower[r]:
                total += cost - lower[r]
                lower[r] = cost
        return total

    def _solve_indivisible(self, sets: dict[int, TableSet], lower: dict[int, int], spent: dict[int, int]) -> int:
        """Compute the costs of the cells that no guess divides, and write these costs to `lower`.

        `lower` contains a lower bound of the cost of each cell. `spent` contains the work on each cell that is still to
        be searched, so the computed cells are removed from it. Returns the sum by which the lower bounds rise.
        """
        risen = 0
        for r, cell in sets.items():
            members = self._work.members[cell.start : cell.start + cell.n]
            cost = sequential_cost(
                self._table, members, candidates_only=self._candidates_only, guess_limit=self._guess_limit - 1
            )
            if cost is not None:
                risen += max(0, cost - lower[r])
                lower[r] = max(cost, lower[r])
                del spent[r]
        return risen

    @staticmethod
    def _search_cell(cell: TableSet, top: int, below: int, problem: TableProblem) -> int:
        return int(search(problem, cell, top, below))

    def _divided(self, members: Members, guess: int, below: int) -> tuple[TableSet, int, int]:
        """Divide a candidate set by a guess, without searching its cells.

        Returns (the set, lower bound of the cost with this guess first, number of cells whose cost is unknown).
        """
        current = self._write_set(members)
        self._work.saving[1] = self._work.saving[0]
        n = current.n
        total, cells = self.run(n, lambda problem: open_guess(problem, current, n, guess, below, self._next_node()))
        return current, int(total), int(cells)

    def _cell(self, r: int) -> TableSet:
        work = self._work
        start, n, whole = int(work.start[0, r]), int(work.size[0, r]), int(work.weight[0, r])
        return TableSet(1, start, n, whole, work.key[0, 0, r], work.key[0, 1, r])

    def _write_set(self, members: Members, last: int = -1, at: SearchStage = _START) -> TableSet:
        """Copy a set of secrets to the workspace, and return it as the set at the root.

        `last` is the guess that led to the set, or -1.
        """
        n, table = len(members), self._table
        depth = min(at.depth, len(table.step) - 1)
        self._work.members[:n] = members
        self._work.interchangeable[depth] = at.interchangeable
        if depth:
            self._work.saving[depth] = self._work.saving[0]
        words = table.keys[members].sum(axis=0, dtype=np.uint64)
        if (left := int(self._work.state[0].guess_limit)) < n:
            limit = hash_guess_limit(left, n)
            words += np.array([limit, mix(limit)], dtype=np.uint64)
        if depth:
            words += self._hashes[depth]
        if last >= 0 and len(table.symbols):
            requirements = hash_requirements(table.symbols, last, int(table.own[members[0]]))
            words += np.array(requirements, dtype=np.uint64)
        key, check = words
        return TableSet(depth, 0, n, int(self._table.weight[members].sum()), key, check)

    def _poll_limit(self, n: int) -> int:
        """Return how often a kernel on n secrets may poll (check for a request to stop) in the calling thread.

        When these polls are used up, the kernel stops, and is run again in another thread.
        """
        guesses: int = self._table.class_saving.shape[1]
        return _SHORT // (n * guesses + 1)

    def run(self, n: int, call: Callable[[TableProblem], R]) -> R:
        """Run a kernel on a set of n secrets.

        Whenever the transposition table is too full, enlarge it and run the kernel again.
        """
        state = self._work.state[0]
        polls = self._poll_limit(n)
        while True:
            state.table_limit = self._transpositions.spare
            problem = TableProblem(self._table, self._transpositions.table, self._work)
            try:
                found, why = self._runner.run(partial(call, problem), self.budget, polls)
            finally:
                self._transpositions.took(int(state.table_used), self.budget)
                state.table_used = 0
            if not why:
                return found
            if why == WORKSPACE_FULL:
                raise Stopped
            polls = 0
