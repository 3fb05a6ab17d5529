"""Solver of one question: can the side to move still gain at least `need`? It runs the search in `alphabeta`.

A search starts as Python, because loading NumPy and the compiled library takes longer than the search of most boards. A
long search continues with the compiled library, if the board is not too large and the processor is supported. The
*code* of a search is one of these two implementations. A *state* is a position as the search visits it. To *poll* is to
interrupt the search for a moment to check the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple

from yomikiri.common.budget import UNLIMITED, Budget, Progress
from yomikiri.machine.library import available, require
from yomikiri.tictactoe.search.kernels import alphabeta, pairing, transposition_table
from yomikiri.tictactoe.search.kernels.alphabeta import ANSWERED, FULL, STOPPED
from yomikiri.tictactoe.search.kernels.arrays import (
    CELLS,
    FILLED,
    LONG,
    NEED,
    NUMBERS,
    RULES,
    SETS,
    STEP,
    TOTALS,
    UNPAIRABLE,
    VALUE,
    WON,
    Stack,
    Tables,
)
from yomikiri.tictactoe.search.kernels.pairing import BLOCK_BITS, BLOCK_SETS, pairing_space
from yomikiri.tictactoe.search.kernels.sets import State
from yomikiri.tictactoe.search.kernels.transposition_table import ENTRY
from yomikiri.tictactoe.search.layout import WORD, Layout
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule

# Number of entries of a new transposition table, and limit on the number of entries of any table.
# In the compiled search, a table of the largest size takes 200 MB, or 400 MB if a set of lines needs two words.
_ENTRIES = 1 << 10
MOST_ENTRIES = 1 << 22
# A transposition table with fewer than _SMALL entries is enlarged as soon as it is half full.
# A table with at least _SMALL entries is not enlarged before the search has visited _BEFORE_GROWTH states per entry.
# A large transposition table is not enlarged in a short search, because new memory would take more time than it saves.
_SMALL = 1 << 16
_BEFORE_GROWTH = 8
# Number of states that means "no limit", because no search visits 2**62 states.
_NEVER = 1 << 62
# Number of entries copied from a full transposition table to a larger one between two checks of the budget.
_MOVED = 1 << 12
# _STATES_BETWEEN_POLLS: number of states between two checks of the budget (a few milliseconds) if the search runs as
# Python.
# _SHORT: number of states that a compiled search visits in the caller's thread before it moves to a separate thread.
_STATES_BETWEEN_POLLS, _SHORT = 256, 1 << 14
_SECONDS_BETWEEN_REPORTS = 0.1  # seconds between two progress reports of a search
# _TURN: number of states after which a search without a result starts again, with the other of two orders of moves.
# _LONGER: factor by which the number of states until the next change of the order of moves grows with each change.
# A search that starts again keeps its transposition table, so that little work is lost.
_TURN, _LONGER = 1 << 15, 1 << 7
# Limit on the states that a process visits in uncompiled searches (0.1 s) before it loads the compiled library.
# _PLAIN_STATES limits the states of all boards together, because many medium boards take as long as one large board.
_PLAIN_STATES = 2_000
# Limit on the number of states that a solver visits if there is no compiled library for this processor. A search
# reaches the limit after about a minute, and then raises an error. The limit does not apply to boards that are too
# large for the compiled search, because only Python can search them.
_MOST_PLAIN = 1 << 20
# Limit on the sum of a board's absolute weights in the compiled search, where a position's value must fit into 64 bits.
# If s is the sum of absolute weights, a line is worth 7 s + 8, and the cells at most s, so a value is at most 8 s + 8.
_MOST = 1 << 56


class Code(NamedTuple):
    """An implementation of the search, either as Python or compiled: its functions and the constructors of its arrays.

    `search`, `fill_sums` and `move_entries` are the functions of this name in `alphabeta`, `pairing` and
    `transposition_table`. `sets`, `numbers` and `fractions` convert a sequence to an array, and `no_sets` makes an
    array of empty sets (bit masks) of the given length. `runner` is the class that runs a search and checks the budget.
    `polls` is the number of states that a compiled search visits in the caller's thread before it continues in a thread
    of its own. A search as Python always runs in the caller's thread, so its `polls` means "no limit".
    """

    search: Callable[..., int]
    fill_sums: Callable[..., None]
    move_entries: Callable[..., None]
    sets: Callable[[Sequence[int]], Any]
    numbers: Callable[[Sequence[int]], Any]
    fractions: Callable[[Sequence[float]], Any]
    no_sets: Callable[[int], Any]
    runner: Callable[[], Any]
    polls: int


class PlainRunner:
    """Runner of searches that run as Python, not compiled: it counts the visited states and checks the budget.

    A search calls `enter` for every state, in the caller's thread. `running.Runner` runs the compiled searches.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self._most, self._budget, self._reported = 0, UNLIMITED, monotonic()

    @property
    def words(self) -> PlainRunner:
        """The counter of visited states, which is passed to the search as an argument: this runner itself.

        The property has the name of the attribute `running.Runner.words`. For a compiled search, the counter is in that
        attribute, an array of 64-bit words.
        """
        return self

    def run(self, search: Callable[[], int], budget: Budget, polls: int) -> tuple[int, int]:
        """Run a search until it ends, or until it has visited `polls` states. Return the reason why it ended, and 0.

        The 0 has no meaning. It is there because `running.Runner.run`, which runs compiled searches, returns two
        values, and the callers use both kinds of runner. Raises `Stopped` if the budget ends.
        """
        budget.check(self.nodes)
        remaining = budget.left(self.nodes)
        self._most = self.nodes + (polls if remaining is None else min(polls, remaining))
        self._budget = budget
        found = search()
        if found == STOPPED:
            budget.check(self.nodes)
        return found, 0

    def enter(self) -> bool:
        """Count one more state and return True, or return False if the limit on states is reached.

        Raises `Stopped` if the budget ends.
        """
        if self.nodes >= self._most:
            return False
        self.nodes += 1
        if self.nodes % _STATES_BETWEEN_POLLS == 0:
            self._budget.check(self.nodes)
            if monotonic() - self._reported > _SECONDS_BETWEEN_REPORTS:
                self._reported = monotonic()
                self._budget.report(Progress(states=self.nodes))
        return True


class PlainStates:
    """The number of states that uncompiled searches of this process have visited, for the limit `_PLAIN_STATES`."""

    def __init__(self) -> None:
        self.states = 0


_spent = PlainStates()

PLAIN = Code(
    alphabeta.search, pairing.fill_sums, transposition_table.move_entries,
    list, list, list, lambda count: [0] * count, PlainRunner, _NEVER,
)  # fmt: skip
# The compiled searches that this process has loaded, by the number of 64-bit words of a set of lines: one or two.
_machines: dict[int | None, Code] = {}


def word_count(layout: Layout) -> int | None:
    """Return the number of 64-bit words that a set of a board's lines needs in the compiled search: 1 or 2.

    A set of lines is a bit mask with one bit per line. Returns None if the board has too many lines or too large
    weights for the compiled search.
    """
    count = 1 if len(layout.lines) <= WORD else 2
    return count if len(layout.lines) <= 2 * WORD and layout.most <= _MOST else None


def machine(words: int = 1) -> Code:
    """Return the compiled search for boards whose set of lines fits into `words` 64-bit words: one or two.

    There is one compiled version for each number of words. The first call with this number loads it.
    """
    if words not in _machines:
        import numpy as np

        from yomikiri.machine.running import Runner
        from yomikiri.tictactoe.search.kernels import machine_code

        one = words == 1
        _machines[words] = Code(
            machine_code.search_words if one else machine_code.search_pairs, machine_code.fill_sums,
            machine_code.move_words if one else machine_code.move_pairs,
            (lambda sets: np.array(sets, np.uint64)) if one else machine_code.words_of,
            lambda numbers: np.array(numbers, np.int64),
            lambda fractions: np.array(fractions, np.float64),
            lambda count: np.zeros(words * count, np.uint64),
            Runner, _SHORT,
        )  # fmt: skip
    return _machines[words]


def loaded_machine(layout: Layout) -> Code | None:
    """Return the compiled search for a board if this process has already loaded it, otherwise None."""
    return _machines.get(word_count(layout))


def machine_for(layout: Layout) -> Code | None:
    """Return the compiled search for a board. Returns None for a too large board or an unsupported processor."""
    count = word_count(layout)
    return machine(count) if count is not None and available() else None


class Run:
    """The searches of one board by one implementation (as Python or compiled), with their transposition table."""

    def __init__(self, layout: Layout, code: Code, rules: Rule, most_entries: int, soon: bool) -> None:
        self._layout, self._code, self._rules = layout, code, rules
        blocks = -(-layout.board.size // BLOCK_BITS)
        nothing = [0] * layout.board.size
        starts, ends = (layout.starts, layout.ends) if Rule.REDUNDANCY in rules else (nothing, nothing)
        self._tables = Tables(
            code.numbers(layout.weights), code.fractions(layout.lightness), code.sets(layout.lines),
            code.sets(layout.through), code.sets(starts), code.sets(ends), code.numbers([0] * (BLOCK_SETS * blocks)),
        )  # fmt: skip
        code.fill_sums(self._tables.weights, self._tables.sums)
        frames = layout.board.size + 1
        pairs = pairing_space(layout.board.line)
        self._stack = Stack(
            code.no_sets(SETS * frames), code.numbers([0] * (NUMBERS * frames)),
            code.numbers([0] * (CELLS * frames)), code.fractions([0.0] * layout.board.size),
            code.no_sets(pairs), code.numbers([0] * pairs),
        )  # fmt: skip
        self._entries, self._most_entries = min(_ENTRIES, most_entries), most_entries
        self._table = self._new_table()
        self._totals = code.numbers([0] * TOTALS)
        self._runner = code.runner()
        self._totals[WON], self._totals[STEP], self._totals[RULES] = layout.won, soon, rules.value

    @property
    def states(self) -> int:
        """The number of states visited by all searches of this object."""
        return int(self._runner.nodes)

    def answer(self, state: State, need: int, budget: Budget, polls: int) -> int | None:
        """Return a bound that shows whether the side to move can gain at least `need` in `state` (see `Solver.reach`).

        Returns None if an uncompiled search has visited `polls` states without a result. Raises `Stopped` if the budget
        ends.
        """
        state = self._layout.tightest(state) if Rule.REDUNDANCY in self._rules else state
        turn, turn_ends, totals = _TURN, self.states + _TURN, self._totals
        totals[LONG] = 0

        def search() -> int:
            self._begin(state, need)
            common = self._tables, self._stack, self._table, totals
            return self._code.search(*common, self._runner.words, min(turn_ends, self._kept_until), self._most_filled)

        while (found := self._runner.run(search, budget, polls)[0]) != ANSWERED:
            if found == FULL:
                self._grow(budget)
            elif found == STOPPED:
                return None
            elif self.states >= turn_ends:
                totals[LONG] = not totals[LONG]
                turn *= _LONGER
                turn_ends = self.states + turn
        return int(totals[VALUE])

    def _begin(self, state: State, need: int) -> None:
        numbers = self._stack.numbers
        first = self._code.sets((*state, *self._layout.counts(state.empty)))
        self._stack.sets[: len(first)] = first
        numbers[NEED], numbers[UNPAIRABLE] = need, 0

    @property
    def _kept_until(self) -> int:
        """The number of visited states at which a running search pauses so that its transposition table can grow.

        Until then, the table keeps its size, even if it is full. The property is `_NEVER` if no pause is needed,
        because the table may grow at any time: it is small, or the search has already visited enough states.
        """
        until = _BEFORE_GROWTH * self._entries if self._entries >= _SMALL else 0
        return until if self.states < until else _NEVER

    @property
    def _most_filled(self) -> int:
        kept = self._kept_until < _NEVER or self._entries == self._most_entries
        return _NEVER if kept else self._entries // 2

    def _grow(self, budget: Budget) -> None:
        before, filled = self._entries, self._totals[FILLED]
        self._entries = min(4 * before, self._most_entries)
        table = self._new_table()
        try:
            self._totals[FILLED] = 0
            for begin in range(0, before, _MOVED):
                budget.check(self.states)
                self._code.move_entries(self._table, table, self._totals, begin, min(begin + _MOVED, before))
        except BaseException:
            self._entries, self._totals[FILLED] = before, filled
            raise
        self._table = table

    def _new_table(self) -> Any:
        return self._code.no_sets(ENTRY * self._entries)


class Solver:
    """Solver of the question whether the side to move can gain at least some number, for the positions of one board.

    The gain of a side is the sum of the weights that it will take, minus those of the opponent. A line counts more than
    any sum. Results are reused for later questions. With `soon`, which requires a layout with all weights 0, a line
    counts one more for each empty cell left, so that an earlier line is worth more. `most_entries`, a power of two,
    limits the transposition table. `code` is the implementation of the search: as Python, or compiled. If it is given,
    the solver does not change to the other one.
    """

    def __init__(
        self,
        layout: Layout,
        rules: Rule = EVERY_RULE,
        most_entries: int = MOST_ENTRIES,
        *,
        soon: bool = False,
        code: Code | None = None,
    ) -> None:
        self.layout = layout
        self._rules, self._most_entries, self._soon = rules, most_entries, soon
        # The search: compiled code or Python functions. None until the first long search loads one.
        self._code = code or loaded_machine(layout)
        self._plain_states = 0  # states visited as Python before the compiled code took over
        self._run = Run(layout, self._code or PLAIN, rules, most_entries, soon)

    @property
    def states(self) -> int:
        """The number of states visited by this solver."""
        return self._plain_states + self._run.states

    def reach(self, state: State, need: int, budget: Budget = UNLIMITED) -> int:
        """Return a bound v that shows whether the side to move can gain at least `need` from now on.

        If v >= need, the value of `state` is at least v. If v < need, the value is at most v. If `need` is beyond
        `layout.most` (the sum of all absolute weights) in absolute value, the answer depends on lines only. The budget
        limits the states of this solver. If the budget ends, raises `Stopped`. All results so far remain valid. Raises
        a `MachineCodeError` if there is no compiled library for this processor, and the board takes too long without
        it.
        """
        if Rule.WAIVER in self._rules and not self._soon:
            empty, mine, theirs = state
            ahead = self.layout.greedy(empty) >= need
            value = self._solve(State(empty, 0, theirs) if ahead else State(empty, mine, 0), need, budget)
            if (value >= need) is ahead:
                return value
        return self._solve(state, need, budget)

    def _solve(self, state: State, need: int, budget: Budget) -> int:
        """Return a bound that shows whether the side to move can gain `need` in `state`.

        The search runs as Python at first, because loading the compiled library takes time. If the search takes long,
        it continues with the compiled library.
        """
        if self._code is None:
            value = self._solve_plainly(state, need, budget)
            if value is not None:
                return value
            self._code = machine_for(self.layout) or PLAIN
            if self._code is not PLAIN:
                self._plain_states = self.states
                self._run = Run(self.layout, self._code, self._rules, self._most_entries, self._soon)
        without = self._code is PLAIN and word_count(self.layout) is not None
        value = self._run.answer(
            state, need, budget, max(0, _MOST_PLAIN - self.states) if without else self._code.polls
        )
        if value is None:
            require()
        assert value is not None, "a search in the compiled library always has a result"
        return value

    def _solve_plainly(self, state: State, need: int, budget: Budget) -> int | None:
        """Return a bound that shows whether the side to move can gain `need` in `state`, by an uncompiled search.

        Returns None if this takes too many states: all uncompiled searches of a process may visit `_PLAIN_STATES`
        (2,000) states together. The caller then continues with the compiled library.
        """
        remaining = _PLAIN_STATES - _spent.states
        if remaining <= 0:
            return None
        before = self._run.states
        try:
            return self._run.answer(state, need, budget, remaining)
        finally:
            _spent.states += self._run.states - before
