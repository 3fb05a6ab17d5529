"""The search engine: solves subproblems of one game in one thread, and reuses its results for later subproblems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from threading import Lock
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.growing_table import GrowingTable, new_table
from yomikiri.guessing.kernels.transposition_table import find
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Fact, Hint, Rules, Turn
from yomikiri.hitblow.search.code_space import build_planes
from yomikiri.hitblow.search.kernels.bounds import FREE, table_key
from yomikiri.hitblow.search.kernels.recursion import (
    bound_guess_cells,
    list_guesses,
    list_optimal,
    search_given,
    search_set,
)
from yomikiri.hitblow.search.kernels.workspace import (
    WORKSPACE_FULL,
    CurrentSet,
    Goal,
    GuessBatch,
    Search,
    TurnHistory,
    Workspace,
)
from yomikiri.hitblow.search.sets import CandidateSets, Numbers
from yomikiri.hitblow.search.subproblem import Count, Subproblem, no_other_guess
from yomikiri.hitblow.search.workspaces import new_workspace
from yomikiri.machine.running import Runner
from yomikiri.machine.shared_words import BEST, TRYING

MEMORY = 1 << 28  # bytes of a transposition table, by default
_DEPTHS = 20
_SCAN_ENTRIES = 1 << 16  # entries of the table for bounds by one scan
_MOST_SETS = 1 << 15  # sets kept by their turns: tens of MiB
# A search of up to _FEW codes begins in the calling thread, which is cheapest, and may take _SHORT polls: a few
# milliseconds. Most searches end by then. The others are started again in a thread, and find their results in the
# table.
_FEW, _SHORT = 200, 300

_Kernel: TypeAlias = Callable[[Search, CurrentSet, TurnHistory, int], int]


@dataclass(frozen=True, slots=True)
class FirstGuessResult:
    """The result of a search of some given first guesses.

    Each guess that is done costs `cost` or more. If `guess` is not empty, it attains `cost`, which is below the bound
    that was requested. The guesses in `left` are not done; the search ended at the first of them.
    """

    cost: int
    guess: str = ""
    left: tuple[str, ...] = ()


class SearchEngine:
    """Solves subproblems that have these rules, absent symbols, facts before the first turn, and kind of guesses.

    `memory` limits the transposition table, in bytes. With less memory the search takes longer and finds the same. It
    can also be a table that several engines of one game share, each in its own thread. The states of a budget are the
    nodes of this engine since it was created. When a budget is exhausted, a method raises `Stopped`, and the results so
    far stay in the table.
    """

    def __init__(
        self,
        rules: Rules,
        absent: str,
        facts: tuple[Fact, ...] = (),
        *,
        consistent: bool,
        memory: int | GrowingTable,
    ) -> None:
        self.about = (rules, absent, facts, consistent)
        self.rules = rules
        self.consistent = consistent
        self._game = build_planes(rules)
        self._sets = CandidateSets(self._game, Knowledge(rules, absent, facts))
        self.transpositions = GrowingTable(memory) if isinstance(memory, int) else memory
        self._runner = Runner()
        self.transpositions.read_by(self._runner.words)
        self._work = self._new_workspace(4 * len(self.codes(())) + 4096, _DEPTHS)
        self._polls = new_table(_SCAN_ENTRIES)
        self._searching = Lock()  # held by the search that uses the workspace

    def twin(self) -> SearchEngine:
        """Return an engine of the same game for another thread, with the same transposition table."""
        rules, absent, facts, consistent = self.about
        return SearchEngine(rules, absent, facts, consistent=consistent, memory=self.transpositions)

    @property
    def nodes(self) -> int:
        """The number of nodes entered so far."""
        return self._runner.nodes

    @property
    def trying(self) -> int:
        """1 plus the number of the first guess in progress, or 0 when idle."""
        return int(self._runner.words[0, TRYING])

    def codes(self, turns: tuple[Turn, ...]) -> Numbers:
        """Return the candidates after some turns, in ascending order."""
        return self._sets.codes(turns)

    def cells(self, turns: tuple[Turn, ...], guess: str) -> dict[Hint, Numbers]:
        """Return the candidates after some turns by their answer to a guess, in the order of hints."""
        return self._sets.cells(turns, guess)

    def divided(self, subproblem: Subproblem, guess: str) -> list[Subproblem]:
        """Return the subproblems after a guess, small ones first."""
        cells = self.cells(subproblem.turns, guess)
        cells.pop(self.rules.win, None)
        return [subproblem.after(Turn(guess, answer)) for answer in sorted(cells, key=lambda each: len(cells[each]))]

    def sizes(self, subproblem: Subproblem, guess: str) -> NDArray[np.intp]:
        """Return the sizes of the cells of a guess by answer index; the win is the last."""
        return np.bincount(self._sets.answer_indices(subproblem.turns, guess), minlength=len(self._sets.hints))

    @property
    def hints(self) -> list[Hint]:
        """The hints by answer index: one never occurs, and the last one is the win."""
        return self._sets.hints

    @property
    def answer_count(self) -> int:
        """The number of different answers that a guess can get."""
        return len(self._sets.hints) - 1

    def count(self, subproblem: Subproblem) -> int:
        """Return the number of codes of a subproblem."""
        return len(self.codes(subproblem.turns))

    def code(self, number: int) -> str:
        """Return the text of a code."""
        return self._sets.code(number)

    def ideal(self, count: int) -> int:
        """Return the least total that any `count` codes can cost."""
        return int(self._game.ideal[count])

    def run(self, subproblem: Subproblem, budget: Budget = UNLIMITED) -> int:
        """Return the least cost of a subproblem if it is below `upper`, otherwise a lower bound of at least that."""
        if subproblem.limit is not None and subproblem.limit < 1:
            return IMPOSSIBLE
        with self._held(budget):
            if len(self._sets) > _MOST_SETS:
                self._sets.forget()
            cost, done = self._search(subproblem, subproblem.upper, budget)
        if not done:
            raise Stopped
        return cost

    def least_of(
        self,
        subproblem: Subproblem,
        guesses: Sequence[str],
        budget: Budget = UNLIMITED,
        attained: Callable[[], int] = no_other_guess,
    ) -> FirstGuessResult:
        """Search a subproblem of two codes or more, with one of these guesses first.

        If the budget is exhausted, returns the results so far and raises no error. `attained` returns the least cost
        found for other first guesses. For totals, only lower costs are searched from then on.
        """
        numbers = np.array([self._sets.number(guess) for guess in guesses], dtype=np.intp)
        given = np.zeros(len(self._work.given_guesses), dtype=np.uint64)
        np.bitwise_or.at(given, numbers >> 6, np.uint64(1) << (numbers & 63).astype(np.uint64))
        falls = attained if subproblem.count is Count.TOTAL else no_other_guess
        try:
            with self._held(budget):
                self._work.given_guesses[:] = given
                cost, done = self._search(subproblem, subproblem.upper, budget, search_given, falls)
                guess, own = self.attained(subproblem)
                left = () if done else self._left(guesses, numbers)
        except Stopped:  # another thread used the workspace until the budget was exhausted
            return FirstGuessResult(subproblem.upper, "", tuple(guesses))
        return FirstGuessResult(own if guess else cost, guess, left)

    def _left(self, guesses: Sequence[str], numbers: NDArray[np.intp]) -> tuple[str, ...]:
        """Return the given guesses that are not done, with the one that was being searched first."""
        waiting = self._work.given_guesses[numbers >> 6] >> (numbers & 63).astype(np.uint64) & np.uint64(1)
        left = [guess for guess, waits in zip(guesses, waiting, strict=True) if waits]
        return tuple(sorted(left, key=lambda guess: self._sets.number(guess) + 1 != self.trying))

    def attained(self, subproblem: Subproblem) -> tuple[str, int]:
        """Return the guess by which the last `run` or `least_of` found its cost, and that cost.

        The subproblem must be the same. Returns ("", IMPOSSIBLE) if the table contained the cost before.
        """
        if not self._work.state[0].listed:
            return "", IMPOSSIBLE
        guess, cost = self._work.listed_guesses[0].tolist()
        free = _limit(subproblem) > self.count(subproblem)  # then the kernel searched for a total
        return self.code(guess), cost * (subproblem.count.guess if free else 1)

    def best_guess(self, subproblem: Subproblem, cost: int, budget: Budget = UNLIMITED) -> str:
        """Return the first of `best_guesses`."""
        return self.best_guesses(subproblem, cost, 1, budget)[0]

    def best_guesses(self, subproblem: Subproblem, cost: int, most: int, budget: Budget = UNLIMITED) -> list[str]:
        """Return the first `most` guesses, by bound and in code order, of strategies of least cost for a subproblem."""
        codes = self.codes(subproblem.turns)
        if len(codes) <= 2:
            return [self.code(codes[0])]
        with self._held(budget):
            self._work.state[0].list_limit = most
            _, done = self._search(subproblem, cost + 1, budget, list_optimal)
            if not done:
                raise Stopped
            return [self.code(guess) for guess in self._work.listed_guesses[: self._work.state[0].listed, 0]]

    def guesses(
        self, subproblem: Subproblem, most: int | None = None, budget: Budget = UNLIMITED
    ) -> list[tuple[int, str]]:
        """Return the guesses that have to be tried for a subproblem, with lower bounds of their totals.

        Of guesses that a symmetry maps to each other, one is returned. Their bounds are below `upper`, which is a total
        here. They are sorted by bound, then in code order, and cut off after `most`.
        """
        wanted = replace(subproblem, count=Count.TOTAL, limit=None)
        with self._held(budget):
            _, done = self._search(wanted, subproblem.upper, budget, list_guesses)
            if not done:
                raise Stopped
            return [
                (int(total), self.code(guess))
                for guess, total in self._work.listed_guesses[: self._work.state[0].listed][:most]
            ]

    def cell_bounds(
        self, subproblem: Subproblem, guesses: NDArray[np.int32], upper: int, within: int, budget: Budget = UNLIMITED
    ) -> NDArray[np.int64]:
        """Return lower bounds of the cells of guesses by one scan, as totals, by answer index: shape (m, answers).

        The bounds of a guess end when together they reach `upper`. Cells whose cost has a closed form have the bound 0.
        No guess has a score above `within` (see `workspace`). Results of searches are not used.
        """
        lowers = np.zeros((len(guesses), len(self._sets.hints)), dtype=np.int64)
        done = 0

        def bound(search: Search, current: CurrentSet, history: TurnHistory, upper: int) -> int:
            batch = GuessBatch(within, guesses[done:], lowers[done:])
            count = bound_guess_cells(search._replace(table=self._polls), current, history, upper, batch)
            search.work.state[0].table_used = 0  # the table of scans does not grow
            return int(count)

        while done < len(guesses):
            with self._held(budget):
                count, whole = self._search(subproblem, upper, budget, bound)
            if not whole:
                raise Stopped
            done += count
        return lowers

    def known(self, subproblem: Subproblem) -> tuple[int, int]:
        """Return the bounds of the least cost of a subproblem in the transposition table, or (0, IMPOSSIBLE)."""
        key, check = self._sets.name(subproblem.turns, self.codes(subproblem.turns))
        lower, upper = find(
            self.transpositions.table, np.uint64(table_key(key, _limit(subproblem), self._goal(subproblem))), check
        )
        return int(lower), int(upper)

    def _goal(self, subproblem: Subproblem) -> Goal:
        return Goal(subproblem.count.guess, subproblem.count.last, self.consistent)

    def _held(self, budget: Budget) -> AbstractContextManager[None]:
        """Acquire the workspace, waiting until it is free or the budget is exhausted."""
        return budget.having(self._searching, lambda: self.nodes)

    def _search(
        self,
        subproblem: Subproblem,
        upper: int,
        budget: Budget,
        kernel: _Kernel = search_set,
        attained: Callable[[], int] = no_other_guess,
    ) -> tuple[int, bool]:
        """Run a kernel on a subproblem: return (its result, whether it ended before the budget was spent).

        The kernel stops if the workspace or the transposition table is full, or if another thread replaced the table.
        It is then run again. Its bounds are in the table, its list stays, and given guesses that are done are not
        tried again.
        """
        words, polls = self._runner.words, _SHORT if self.count(subproblem) <= _FEW else 0
        goal, limit, turns = self._goal(subproblem), _limit(subproblem), self._sets.turns_named(subproblem.turns)

        def on_poll() -> None:
            words[0, BEST] = min(int(words[0, BEST]), attained())

        def run() -> int:
            nonlocal upper
            # Read the table after STOP is 0, because a thread that replaces it sets the word again.
            search = Search(self._game, self.transpositions.table, self._work, goal)
            cost = int(kernel(search, current, history, upper))
            if kernel is search_given:
                upper = cost
            return cost

        words[0, TRYING] = 0
        self._work.state[0].listed = 0
        while True:
            n, used, key, check = self._enter(subproblem.turns)
            current, history = CurrentSet(0, 0, n, n, limit, key, check), TurnHistory(turns, used, self._sets.absent)
            state = self._work.state[0]
            state.table_limit = self.transpositions.spare
            words[0, BEST] = IMPOSSIBLE
            on_poll()
            try:
                cost, why = self._runner.run(run, budget, polls, on_poll)
            except Stopped:
                return upper, False
            finally:
                self.transpositions.took(int(state.table_used), budget)
                state.table_used = 0
            if not why:
                return cost, True
            if why == WORKSPACE_FULL:
                self._widen_work()
            polls = 0

    def _enter(self, turns: tuple[Turn, ...]) -> tuple[int, int, np.uint64, np.uint64]:
        """Load the candidates at depth 0: return (their number, symbols used, and the two words of the hash)."""
        codes, elements = self.codes(turns), self._sets.elements(turns)
        self._work.members[: len(codes)] = codes
        self._sets.lay_turns(self._work, turns)
        elements.lay(self._work)
        return len(codes), elements.used, *self._sets.name(turns, codes)

    def _new_workspace(self, room: int, depths: int) -> Workspace:
        """Create a workspace that shares the words of this engine."""
        return new_workspace(self._game, room, depths)._replace(shared=self._runner.words)

    def _widen_work(self) -> None:
        before = self._work
        self._work = self._new_workspace(2 * len(before.members), 2 * len(before.size))
        self._work.state[:], self._work.given_guesses[:], self._work.listed_guesses[:] = (
            before.state,
            before.given_guesses,
            before.listed_guesses,
        )


def _limit(subproblem: Subproblem) -> int:
    return FREE if subproblem.limit is None else subproblem.limit
