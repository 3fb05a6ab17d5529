"""The search engine: solves subproblems of one game in one thread, and reuses its results for later subproblems.

A *subproblem* (module `subproblem`) is a set of candidates, given by the turns that lead to it. It has a limit on the
number of further guesses, and a number `upper`: only costs below `upper` matter.
"""

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

MEMORY = 1 << 28  # default size of a transposition table, in bytes
_DEPTHS = 20
_SCAN_ENTRIES = 1 << 16  # number of entries of a small separate transposition table that `cell_bounds` uses
_MOST_SETS = 1 << 15  # limit on the candidate sets that are cached by their turns; they take tens of MiB
# A search of at most _FEW codes begins in the calling thread, because starting a thread costs more than most of these
# searches. If the search is not finished after _SHORT checks for a stop (a few milliseconds), it begins again in
# another thread, and uses the results stored so far.
_FEW, _SHORT = 200, 300

_Kernel: TypeAlias = Callable[[Search, CurrentSet, TurnHistory, int], int]


@dataclass(frozen=True, slots=True)
class FirstGuessResult:
    """The result of a search in which the first guess must be one of the guesses given by the caller.

    - `guess`: the given guess with the least cost, or "" if no cost is below the upper bound of the subproblem.
    - `cost`: the cost of `guess`. Without a guess, a lower bound: every finished guess costs at least `cost`.
    - `left`: the given guesses whose search is not finished. The one that was being searched at the end comes first.
    """

    cost: int
    guess: str = ""
    left: tuple[str, ...] = ()


class SearchEngine:
    """An engine for the subproblems of one game, with the same knowledge before the first turn.

    `absent` and `facts` are that knowledge: symbols that the secret does not contain, and other pieces of knowledge. If
    `consistent`, every guess must be a candidate. `memory` limits the transposition table, in bytes. With less memory,
    a search takes longer and finds the same result. `memory` can also be a table that several engines of one game
    share, each in its own thread.

    If the budget limits the number of states, each search node that this engine has entered since it was created counts
    as one. When a budget is exhausted, a method raises `Stopped`, and the results so far stay in the table.
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
        self._scan_table = new_table(_SCAN_ENTRIES)
        self._searching = Lock()  # lock that the thread using the workspace holds

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
        """The guess whose search `least_of` began last: 1 plus its index in code order, or 0 before the first search.

        The property keeps its value until the search of another guess begins.
        """
        return int(self._runner.words[0, TRYING])

    def codes(self, turns: tuple[Turn, ...]) -> Numbers:
        """Return the candidates after some turns, as guess numbers (indices in code order), ascending."""
        return self._sets.codes(turns)

    def cells(self, turns: tuple[Turn, ...], guess: str) -> dict[Hint, Numbers]:
        """Return the cells of a guess after some turns: for each answer, the candidates that give it.

        Candidates are indices in code order. The answers are in ascending order.
        """
        return self._sets.cells(turns, guess)

    def divided(self, subproblem: Subproblem, guess: str) -> list[Subproblem]:
        """Return a subproblem for each cell of a guess except the winning one, the smallest cell first."""
        cells = self.cells(subproblem.turns, guess)
        cells.pop(self.rules.win, None)
        return [subproblem.after(Turn(guess, answer)) for answer in sorted(cells, key=lambda each: len(cells[each]))]

    def sizes(self, subproblem: Subproblem, guess: str) -> NDArray[np.intp]:
        """Return the number of candidates in the cell of each answer index. The last index is the win."""
        return np.bincount(self._sets.answer_indices(subproblem.turns, guess), minlength=len(self._sets.hints))

    @property
    def hints(self) -> list[Hint]:
        """The answers in the order of their indices.

        One of them never occurs: a blow with hits at all other places. The last answer is the win.
        """
        return self._sets.hints

    @property
    def answer_count(self) -> int:
        """The number of different answers that a guess can get."""
        return len(self._sets.hints) - 1

    def count(self, subproblem: Subproblem) -> int:
        """Return the number of candidates of a subproblem."""
        return len(self.codes(subproblem.turns))

    def code(self, number: int) -> str:
        """Return the code with this number, its index in code order, as text."""
        return self._sets.code(number)

    def ideal(self, count: int) -> int:
        """Return a lower bound of the total number of guesses for any set of `count` codes."""
        return int(self._game.ideal[count])

    def run(self, subproblem: Subproblem, budget: Budget = UNLIMITED) -> int:
        """Return the least cost of a subproblem if it is below `subproblem.upper`.

        Otherwise return a lower bound of the cost that is at least `subproblem.upper`.
        """
        if subproblem.limit is not None and subproblem.limit < 1:
            return IMPOSSIBLE
        with self._acquired(budget):
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
        """Find the least cost of a subproblem of at least two codes if it begins with one of the given guesses.

        If the budget is exhausted, the method returns the results so far and raises no error.

        The search calls `attained` repeatedly. `attained` must return the least cost that other threads have found so
        far with other first guesses. A given guess that cannot cost less than that is not searched to the end.
        `attained` is ignored unless the cost is the plain total of guesses.
        """
        numbers = np.array([self._sets.number(guess) for guess in guesses], dtype=np.intp)
        given = np.zeros(len(self._work.given_guesses), dtype=np.uint64)
        np.bitwise_or.at(given, numbers >> 6, np.uint64(1) << (numbers & 63).astype(np.uint64))
        falls = attained if subproblem.count is Count.TOTAL else no_other_guess
        try:
            with self._acquired(budget):
                self._work.given_guesses[:] = given
                cost, done = self._search(subproblem, subproblem.upper, budget, search_given, falls)
                guess, own = self.attained(subproblem)
                left = () if done else self._left(guesses, numbers)
        except Stopped:  # Another thread used the workspace until the budget was exhausted.
            return FirstGuessResult(subproblem.upper, "", tuple(guesses))
        return FirstGuessResult(own if guess else cost, guess, left)

    def _left(self, guesses: Sequence[str], numbers: NDArray[np.intp]) -> tuple[str, ...]:
        """Return the given first guesses whose search is not finished.

        The guess that was being searched at the end comes first.
        """
        waiting = self._work.given_guesses[numbers >> 6] >> (numbers & 63).astype(np.uint64) & np.uint64(1)
        left = [guess for guess, waits in zip(guesses, waiting, strict=True) if waits]
        return tuple(sorted(left, key=lambda guess: self._sets.number(guess) + 1 != self.trying))

    def attained(self, subproblem: Subproblem) -> tuple[str, int]:
        """Return the first guess by which the last `run` or `least_of` attained its cost, and that cost.

        `subproblem` must be that of the last search. Returns ("", IMPOSSIBLE) if that search tried no guess that costs
        less than its upper bound. For example, the cost may follow from a formula or from the transposition table.
        """
        if not self._work.state[0].listed:
            return "", IMPOSSIBLE
        guess, cost = self._work.listed_guesses[0].tolist()
        # If the limit on the guesses is above the number of codes, it has no effect. Then the kernel has minimised the
        # total number of guesses, and the cost of the subproblem is this total times the cost of one guess.
        free = _limit(subproblem) > self.count(subproblem)
        return self.code(guess), cost * (subproblem.count.guess if free else 1)

    def best_guess(self, subproblem: Subproblem, cost: int, budget: Budget = UNLIMITED) -> str:
        """Return a first guess that attains the least cost `cost`.

        Of several such guesses, returns the one with the least one-step lower bound, which follows from the sizes of
        its cells. If these bounds are equal, returns the first guess in code order.
        """
        return self.best_guesses(subproblem, cost, 1, budget)[0]

    def best_guesses(self, subproblem: Subproblem, cost: int, most: int, budget: Budget = UNLIMITED) -> list[str]:
        """Return at most `most` first guesses that attain the least cost `cost`.

        The guesses are sorted by their one-step lower bounds, which follow from the sizes of their cells, then in code
        order. For one or two codes, only the first code is returned.
        """
        codes = self.codes(subproblem.turns)
        if len(codes) <= 2:
            return [self.code(codes[0])]
        with self._acquired(budget):
            self._work.state[0].list_limit = most
            _, done = self._search(subproblem, cost + 1, budget, list_optimal)
            if not done:
                raise Stopped
            return [self.code(guess) for guess in self._work.listed_guesses[: self._work.state[0].listed, 0]]

    def guesses(
        self, subproblem: Subproblem, most: int | None = None, budget: Budget = UNLIMITED
    ) -> list[tuple[int, str]]:
        """Return the guesses to try for a subproblem, as (lower bound of the total, guess) pairs.

        Of the guesses that a symmetry maps to each other, one is returned. Only guesses whose bound is below
        `subproblem.upper` are returned: the method compares total numbers of guesses, even if the subproblem counts
        another kind of cost. The pairs are sorted by bound, then in code order. At most `most` are returned.
        """
        wanted = replace(subproblem, count=Count.TOTAL, limit=None)
        with self._acquired(budget):
            _, done = self._search(wanted, subproblem.upper, budget, list_guesses)
            if not done:
                raise Stopped
            return [
                (int(total), self.code(guess))
                for guess, total in self._work.listed_guesses[: self._work.state[0].listed][:most]
            ]

    def cell_bounds(
        self,
        subproblem: Subproblem,
        guesses: NDArray[np.int32],
        upper: int,
        most_score: int,
        budget: Budget = UNLIMITED,
    ) -> NDArray[np.int64]:
        """Return lower bounds of the totals of the cells of m guesses, without a search: shape (m, answer indices).

        The bound of a guess is the sum of the bounds of its cells, plus the guess itself. When it reaches `upper`, the
        other cells of the guess are not bounded: they get 0. A cell whose cost follows from a formula also gets 0,
        because the caller knows its cost.

        The *score* of a guess at a set is the number of different answers to it, plus 1 if it is in the set. The score
        at a cell never exceeds the score at the whole set. So the bounds of the cells follow from `most_score`, which
        must be at least the score of every allowed guess at the set of the subproblem. The transposition table of the
        search is not read.
        """
        lowers = np.zeros((len(guesses), len(self._sets.hints)), dtype=np.int64)
        done = 0

        def bound(search: Search, current: CurrentSet, history: TurnHistory, upper: int) -> int:
            batch = GuessBatch(most_score, guesses[done:], lowers[done:])
            count = bound_guess_cells(search._replace(table=self._scan_table), current, history, upper, batch)
            # This table of bounds never grows, so the count of its used entries is not needed.
            search.work.state[0].table_used = 0
            return int(count)

        while done < len(guesses):
            with self._acquired(budget):
                count, whole = self._search(subproblem, upper, budget, bound)
            if not whole:
                raise Stopped
            done += count
        return lowers

    def known(self, subproblem: Subproblem) -> tuple[int, int]:
        """Return the bounds of a subproblem in the transposition table; (0, IMPOSSIBLE) if there is no entry."""
        key, check = self._sets.hash(subproblem.turns, self.codes(subproblem.turns))
        lower, upper = find(
            self.transpositions.table, np.uint64(table_key(key, _limit(subproblem), self._goal(subproblem))), check
        )
        return int(lower), int(upper)

    def _goal(self, subproblem: Subproblem) -> Goal:
        return Goal(subproblem.count.guess, subproblem.count.last, self.consistent)

    def _acquired(self, budget: Budget) -> AbstractContextManager[None]:
        """Acquire the workspace. Waits until it is free, or raises `Stopped` when the budget is exhausted."""
        return budget.having(self._searching, lambda: self.nodes)

    def _search(
        self,
        subproblem: Subproblem,
        upper: int,
        budget: Budget,
        kernel: _Kernel = search_set,
        attained: Callable[[], int] = no_other_guess,
    ) -> tuple[int, bool]:
        """Run a kernel on a subproblem. Returns (its result, False if the budget was exhausted, otherwise True).

        If the workspace or the transposition table is full, or another thread replaced the table, the kernel stops, and
        the method runs it again. No work is lost: the table keeps all bounds, `work.listed_guesses` keeps the guesses
        that the kernel has found, and guesses that are finished are not tried again. For `attained`, see `least_of`.
        """
        words, polls = self._runner.words, _SHORT if self.count(subproblem) <= _FEW else 0
        goal, limit, turns = self._goal(subproblem), _limit(subproblem), self._sets.turns_for_hash(subproblem.turns)

        def on_poll() -> None:
            words[0, BEST] = min(int(words[0, BEST]), attained())

        def run() -> int:
            nonlocal upper
            # Read the table only now: `_runner` sets the shared word STOP to 0 before it calls this function. A thread
            # that replaces the table after that sets STOP, and so stops this kernel.
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
        """Write the candidates after some turns to the workspace, as the set at depth 0.

        Returns their number, the bit mask of used symbols, and the two words of their hash (`CandidateSets.hash`).
        """
        codes, elements = self.codes(turns), self._sets.elements(turns)
        self._work.members[: len(codes)] = codes
        self._sets.write_turns(self._work, turns)
        elements.write_to(self._work)
        return len(codes), elements.used, *self._sets.hash(turns, codes)

    def _new_workspace(self, capacity: int, depths: int) -> Workspace:
        """Create a workspace whose `shared` array is that of this engine."""
        return new_workspace(self._game, capacity, depths)._replace(shared=self._runner.words)

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
