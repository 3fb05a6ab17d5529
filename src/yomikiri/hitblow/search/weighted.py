"""Exact search of one position with weighted codes: its least cost, and a tree that attains this cost.

Bounds of sets are kept for later requests. The *step* of a guess is its cost per unit of weight of the codes that were
not found before (`kernels.weighted_workspace`). `kernels.weighted_bounds` contains the bounds, and
`kernels.weighted_recursion` the recursion. `weighted_codes` searches for the least weighted total, and
`race.depth_weighted` for the greatest payoff.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial, reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.growing_table import GrowingTable, new_table
from yomikiri.guessing.kernels.cell_bounds import child_window
from yomikiri.hitblow.model.codes import decode, guess_number
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint
from yomikiri.hitblow.model.space import or_ones
from yomikiri.hitblow.search.kernels.weighted_bounds import list_guesses, rank, write_masks
from yomikiri.hitblow.search.kernels.weighted_recursion import (
    WeightedProblem,
    WeightedTables,
    best_first_guess,
    cell_of,
    open_guess,
    search,
)
from yomikiri.hitblow.search.kernels.weighted_workspace import (
    AHEAD,
    LANES,
    WORKSPACE_FULL,
    CandidateTable,
    Members,
    WeightedPosition,
    WeightedSet,
    in_order,
)
from yomikiri.hitblow.search.symmetry.equivalent import start_symmetry
from yomikiri.hitblow.search.weighted_table import answer_table, blocks, new_workspace
from yomikiri.hitblow.strategy.strategy import Node
from yomikiri.machine.arrays import random_words
from yomikiri.machine.running import Runner
from yomikiri.machine.shared_words import NO_END

_MEMORY = 1 << 28  # limit on the transposition table, in bytes
_SYMBOLS = (1 << 16) - 1
# Limits on the (code, guess) pairs of a computation in the calling thread: for a search, and for one bound per guess.
# Work within these limits takes some ten milliseconds. A search checks for a stop each time it has bounded all guesses.
_SHORT, _ONCE = 1 << 24, 1 << 21


@dataclass(frozen=True, slots=True)
class SearchStage:
    """The stage of a game: the number of guesses made (`depth`), and the symbols used in them (`used`, a bit mask)."""

    depth: int
    used: int


class WeightedSearch:
    """Search for the least cost from one position.

    `steps[k]` is the cost of guess k (from 0) per unit of weight, an integer of at least 0. So a code of weight w that
    guess k finds costs w (steps[0] + ... + steps[k]). If `forever`, the last entry holds for all later guesses too;
    otherwise later guesses cost 0. The largest possible cost must be below IMPOSSIBLE. A limit on the states of the
    budget counts the sets that are searched. Raises `Stopped` if the time of the budget is over before all tables are
    built.
    """

    def __init__(self, known: Knowledge, steps: Sequence[int], budget: Budget, *, forever: bool) -> None:
        self._known, self._rules, self._budget = known, known.rules, budget
        steps = [*steps, *[steps[-1] if forever else 0] * AHEAD]
        position, self._hints, fresh = _packed(known, replace(budget, states=None), forever)
        self._position, self._table = add_steps(position, steps, forever=forever), position.table
        self._runner = Runner()
        self._work = new_workspace(self._position)._replace(shared=self._runner.words)
        self._transpositions = GrowingTable(_MEMORY)
        self._uniform_table = new_table(1)
        self._all: Members = np.arange(known.count, dtype=np.int32)
        turns = (self._number(turn.guess) for turn in known.played)
        used = reduce(or_, (int(position.symbols[turn]) for turn in turns), _SYMBOLS & ~fresh)
        self._start, self._deepest = SearchStage(0, used), 0 if forever else len(steps) - AHEAD - 1

    @property
    def nodes(self) -> int:
        """The number of sets searched so far."""
        return self._runner.nodes

    def _grown(
        self,
        members: Members,
        at: SearchStage,
        choose: Callable[[Members, SearchStage], int],
        guess: int = -1,
    ) -> Node:
        """Build a strategy for a set.

        `choose` selects the guess at each set. If `guess` is not -1, it is the first guess.
        """
        if guess < 0:
            guess = choose(members, at)
        later = self._later(at, guess)
        answers = self._table.answers[guess, members]
        branches = (
            (self._hints[answer], self._grown(members[answers == answer], later, choose))
            for answer in set(answers.tolist())
            if answer != self._table.answer_count - 1
        )
        return Node(self._code(guess), tuple(sorted(branches, key=lambda branch: branch[0])))

    def _best(self, members: Members, at: SearchStage) -> int:
        """Return the first guess of least cost for a set, in ascending order of bounds, then in code order."""
        if len(members) <= 2:
            return int(self._table.own[members[0]])
        current = self._lay(members, at.depth)
        return self._run(current.n, lambda problem: best_first_guess(problem, current, at.used))

    def _attaining(self, members: Members, at: SearchStage, least: int) -> Iterator[int]:
        """Yield the guesses of least cost that divide a set, in ascending order of bounds, then in code order."""
        for _bound, guess in self._by_bound(members, at, least + 1):
            if self._after(members, at, guess, least + 1, nothing=IMPOSSIBLE) == least:
                yield guess

    def _by_bound(
        self, members: Members, at: SearchStage, below: int, budget: Budget | None = None
    ) -> list[tuple[int, int]]:
        """Return (bound, guess) pairs for the guesses whose bounds are below `below`, by bound, then in code order."""
        current, work = self._lay(members, at.depth), self._work
        ask = partial(list_guesses, self._position, work, current, at.used, below)
        listed, _ = self._runner.run(ask, budget or self._budget, self._polls(current.n, once=True))
        rank(self._position, work, current, listed)
        bounds, guesses = work.bound[at.depth, :listed], work.guess[at.depth, :listed]
        order = np.lexsort((guesses, bounds))
        return list(zip((bounds[order] >> 1).tolist(), guesses[order].tolist(), strict=True))

    def _after(self, members: Members, at: SearchStage, guess: int, below: int, nothing: int = 0) -> int:
        """Return the least cost with `guess` first if it is below `below`, otherwise a bound of at least `below`.

        If all codes give the same answer, returns `nothing`, or computes the cost of the guess anyway if `nothing` is
        0.
        """
        current, total, cells = self._opened(members, at, guess, below)
        work, depth, later = self._work, at.depth, self._later(at, guess)
        if total >= IMPOSSIBLE:
            step = int(self._position.step[depth])
            return nothing or current.whole * step + self._least(members, later)
        order = work.order[depth, :cells].tolist()
        spare, heavy = below - total, sum(work.weight[depth, order].tolist())
        for sharing in (
            (True, False) if current.n > work.state[0].windowed_above and cells > 1 and below < IMPOSSIBLE else (False,)
        ):
            for r in order:
                if total >= below:
                    return total
                lower = int(work.lower[depth, r])
                room = below - (total - lower)
                if sharing:
                    room = min(room, lower + int(child_window(work.weight[depth, r], heavy, spare)))
                cost = max(lower, self._search(cell_of(work, depth, r), 2 * current.n, later.used, room))
                total += cost - lower
                work.lower[depth, r] = cost
        return total

    def _later(self, at: SearchStage, guess: int) -> SearchStage:
        """Return the stage of the game after one more guess.

        After the last guess that costs anything, the number of guesses no longer matters and stays the same.
        """
        return SearchStage(min(at.depth + 1, self._deepest), at.used | int(self._position.symbols[guess]))

    def _opened(self, members: Members, at: SearchStage, guess: int, below: int) -> tuple[WeightedSet, int, int]:
        """Divide a set by a guess and bound the cells, without a search.

        Returns (the set, lower bound of the guess, number of cells whose costs are not known yet).
        """
        current, work = self._lay(members, at.depth), self._work
        if current.n <= work.state[0].masked_up_to:
            write_masks(self._position, work, at.depth, current)
        work.state[0].node_id += 1
        node_id = np.uint64(work.state[0].node_id)
        ask = partial(open_guess, self._problem(), current, current.n, guess, at.used, below, node_id)
        try:
            (total, cells), _ = self._runner.run(ask, self._budget, self._polls(current.n, once=True))
        finally:
            self._noted()
        return current, int(total), int(cells)

    def _least(self, members: Members, at: SearchStage) -> int:
        """Return the least cost of a set."""
        current = self._lay(members, at.depth)
        return self._search(current, current.n, at.used, IMPOSSIBLE)

    def _search(self, current: WeightedSet, top: int, used: int, below: int) -> int:
        return self._run(current.n, lambda problem: search(problem, current, top, used, below))

    def _run(self, n: int, ask: Callable[[WeightedProblem], int]) -> int:
        """Run a kernel on n codes, again each time the transposition table has to grow."""
        state, polls = self._work.state[0], self._polls(n)
        while True:
            state.table_limit = self._transpositions.spare
            try:
                found, why = self._runner.run(partial(ask, self._problem()), self._budget, polls)
            finally:
                self._noted()
            if not why:
                return int(found)
            if why == WORKSPACE_FULL:
                raise Stopped
            polls = 0

    def _problem(self) -> WeightedProblem:
        tables = WeightedTables(self._transpositions.table, self._uniform_table)
        return WeightedProblem(self._position, tables, self._work)

    def _polls(self, n: int, *, once: bool = False) -> int:
        """Return the number of polls after which a kernel on n codes moves from the calling thread to another one.

        If `once`, the kernel computes one bound for each guess and does not search, so a short one may stay in its
        thread.
        """
        size = n * len(self._table.codes)
        return (NO_END - 1 if size <= _ONCE else 0) if once else _SHORT // size

    def _noted(self) -> None:
        """Count the table entries that the kernel has used, and enlarge the transposition table if it is full."""
        self._transpositions.took(int(self._work.state[0].table_used), self._budget)
        self._work.state[0].table_used = 0

    def _lay(self, members: Members, depth: int) -> WeightedSet:
        """Write a set to the workspace as the current set of a depth."""
        n = len(members)
        self._work.members[:n] = members
        key, check = self._table.keys[members].sum(axis=0, dtype=np.uint64)
        return WeightedSet(depth, 0, n, int(self._position.weight[members].sum()), key, check)

    def _number(self, guess: str) -> int:
        return guess_number(self._rules, guess)

    def _code(self, guess: int) -> str:
        return decode(self._rules, self._table.codes[guess])


def add_steps(position: WeightedPosition, steps: Sequence[int], *, forever: bool) -> WeightedPosition:
    """Return the position with `steps`, the cost of each guess per unit of weight.

    There are AHEAD more of them than the greatest depth of a search.
    """
    step = np.array(steps, dtype=np.int64)
    salt = np.zeros(len(step), dtype=np.uint64) if forever else random_words("depths", len(step))
    last = max(np.flatnonzero(step).tolist(), default=0)
    return position._replace(step=step, salt=salt, last=NO_END if forever else last)


@lru_cache(maxsize=4)
def _packed(known: Knowledge, budget: Budget, forever: bool) -> tuple[WeightedPosition, tuple[Hint, ...], int]:
    """Build a position whose guesses have no costs yet, with its candidates sorted by weight, the heaviest first.

    Returns (position, answers by their number, bit mask of the symbols interchangeable before the first turn). If costs
    continue `forever`, no guess is marked as redundant.
    """
    weights = or_ones(known.weights, known.count)
    order = np.argsort(-weights, kind="stable")
    # Budgets compare equal, so one cache entry serves all of them.
    table, hints = answer_table(known.rules, known.candidates[order], budget)
    symbols = np.bitwise_or.reduce(np.int64(1) << table.codes.astype(np.int64), axis=1)
    alike = None if forever else start_symmetry(known.start)
    gone, fresh = (alike.gone, alike.fresh) if alike else (0, 0)
    redundant = np.array([not in_order(code, gone) for code in table.codes if gone], dtype=bool)
    none = np.zeros(0, dtype=np.int64)
    position = WeightedPosition(
        table, weights[order], symbols, answer_marks(table, budget), redundant, none, none.astype(np.uint64), 0
    )
    return position, hints, fresh


def answer_marks(table: CandidateTable, budget: Budget = UNLIMITED) -> NDArray[np.uint16]:
    """Return the answers of all candidates to all guesses as bit masks, in the form of `WeightedPosition.marks`.

    Raises `Stopped` if the time of the budget is over.
    """
    firsts = range(0, table.answer_count, LANES)
    # bit that marks each answer in its group of LANES answers
    bits = np.zeros((len(firsts), 256), dtype=np.uint16)
    for lanes, first in enumerate(firsts):
        bits[lanes, first : first + LANES] = np.left_shift(1, np.arange(LANES))
    guesses, candidates = table.answers.shape
    marks = np.empty((len(firsts), candidates, guesses), dtype=np.uint16)
    for rows in blocks(candidates, guesses * len(firsts)):
        budget.check()
        marks[:, rows] = bits[:, np.ascontiguousarray(table.answers[:, rows].T)]
    return marks
