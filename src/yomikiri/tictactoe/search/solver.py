"""Solver of one question, exactly: can the side to move still gain at least `need`? It runs the search in `alphabeta`.

A search starts with Python integers, because loading NumPy and the machine code takes longer than most boards. A long
search continues in machine code, if the board fits and the processor is supported.
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

# Initial and largest number of table entries; with 48 bytes each, some 200 MB in machine code.
_ENTRIES = 1 << 10
MOST_ENTRIES = 1 << 22
# A smaller table grows as soon as it is half full. A larger one grows after the search has visited this many times as
# many states as it has entries, because until then losing entries costs less than touching new memory.
_SMALL = 1 << 16
_BEFORE_GROWTH = 8
# The limit for a table that cannot grow any more.
_NEVER = 1 << 62
_MOVED = 1 << 12  # entries moved to a larger table between two checks of the budget
# States between two checks of the budget in Python, and states in machine code before the search moves to a thread of
# its own; some milliseconds each.
_PLAIN_LOOK, _SHORT = 256, 1 << 14
_TELLS = 0.1  # seconds between two progress reports
# A search with more states than this is restarted with the other order of moves, and then again with the first one
# after this many times as many states. The table is kept.
_TURN, _LONGER = 1 << 15, 1 << 7
# States visited by Python in this process, some 0.1 s, after which it pays to load the machine code and NumPy. They are
# counted over all boards, because many boards of medium size take as long as one large board.
_PLAIN_STATES = 2_000
# Limit on states for a board that would fit machine code if it were available, about a minute.
_MOST_PLAIN = 1 << 20
# Limit on the sum of absolute weights. The value of a line is 8 times that, and sums of such numbers fit into 64 bits.
_MOST = 1 << 56


class Code(NamedTuple):
    """The functions of the search, and the constructors of the arrays that they use."""

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
    """Runner of the search on Python integers in the calling thread, like `running.Runner` for machine code.

    It is itself the object that the search shares with its caller.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self._most, self._budget, self._told = 0, UNLIMITED, monotonic()

    @property
    def words(self) -> PlainRunner:
        """The object in which the search counts its states."""
        return self

    def run(self, search: Callable[[], int], budget: Budget, polls: int) -> tuple[int, int]:
        """Return the reason why the search ended, and 0; it has to stop after `polls` states. Raises `Stopped`."""
        budget.check(self.nodes)
        left = budget.left(self.nodes)
        self._most = self.nodes + (polls if left is None else min(polls, left))
        self._budget = budget
        found = search()
        if found == STOPPED:
            budget.check(self.nodes)
        return found, 0

    def enter(self) -> bool:
        """Count one more state. Returns False without counting it if the search must stop. Raises `Stopped`."""
        if self.nodes >= self._most:
            return False
        self.nodes += 1
        if self.nodes % _PLAIN_LOOK == 0:
            self._budget.check(self.nodes)
            if monotonic() - self._told > _TELLS:
                self._told = monotonic()
                self._budget.report(Progress(states=self.nodes))
        return True


class PlainStates:
    """The number of states visited by Python in this process before a board's code was chosen."""

    def __init__(self) -> None:
        self.states = 0


_spent = PlainStates()

PLAIN = Code(
    alphabeta.search, pairing.fill_sums, transposition_table.move_entries,
    list, list, list, lambda count: [0] * count, PlainRunner, _NEVER,
)  # fmt: skip
# The loaded machine code, by the number of words of a set.
_machines: dict[int | None, Code] = {}


def words(layout: Layout) -> int | None:
    """Return the number of 64-bit words that machine code needs for a set of lines, 1 or 2.

    None if the board does not fit.
    """
    count = 1 if len(layout.lines) <= WORD else 2
    return count if len(layout.lines) <= 2 * WORD and layout.most <= _MOST else None


def machine(words: int = 1) -> Code:
    """Return the machine code for sets with this number of words, loaded on the first call."""
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


def machine_at_hand(layout: Layout) -> Code | None:
    """Return the machine code if it is loaded and the board fits it, or None."""
    return _machines.get(words(layout))


def machine_for(layout: Layout) -> Code | None:
    """Return the machine code if the board fits it and the processor is supported, or None."""
    count = words(layout)
    return machine(count) if count is not None and available() else None


class Run:
    """Searches on one board with one kind of numbers, and their transposition table."""

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
        """The number of states visited."""
        return int(self._runner.nodes)

    def answer(self, state: State, need: int, budget: Budget, polls: int) -> int | None:
        """Return the bound that answers a question, see `Solver.reach`.

        None if the search in Python used up its `polls`. Raises `Stopped`.
        """
        state = self._layout.tightest(state) if Rule.REDUNDANCY in self._rules else state
        turn, turn_ends, totals = _TURN, self.states + _TURN, self._totals
        totals[LONG] = 0

        def ask() -> int:
            self._begin(state, need)
            common = self._tables, self._stack, self._table, totals
            return self._code.search(*common, self._runner.words, min(turn_ends, self._kept_until), self._most_filled)

        while (found := self._runner.run(ask, budget, polls)[0]) != ANSWERED:
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
        """The number of states from which the table may grow, if it may not yet, however full it is."""
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
    """Solver of questions about the positions of one board. Results are reused for later questions.

    With `soon`, weights do not count, and a line is worth more the sooner it comes: one per empty cell left.
    `most_entries`, a power of two, limits the table. With `code`, only that code is used.
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
        self._code = code or machine_at_hand(layout)  # None until a kind of code is chosen
        self._before = 0
        self._run = Run(layout, self._code or PLAIN, rules, most_entries, soon)

    @property
    def states(self) -> int:
        """The number of states visited."""
        return self._before + self._run.states

    def reach(self, state: State, need: int, budget: Budget = UNLIMITED) -> int:
        """Return a number v that shows whether the side to move can still gain `need`.

        If v >= need, the value of `state` is at least v. If v < need, it is at most v. A `need` beyond `layout.most` in
        absolute value asks about lines only. The states of the budget are those of this search. If it ends, raises
        `Stopped`; all results so far remain valid. Raises a `MachineCodeError` for a board that takes too long without
        machine code.
        """
        if Rule.WAIVER in self._rules and not self._soon:
            empty, mine, theirs = state
            ahead = self.layout.greedy(empty) >= need
            value = self._ask(State(empty, 0, theirs) if ahead else State(empty, mine, 0), need, budget)
            if (value >= need) is ahead:
                return value
        return self._ask(state, need, budget)

    def _ask(self, state: State, need: int, budget: Budget) -> int:
        """Return the result, computed by machine code after some time."""
        if self._code is None:
            value = self._answer_plainly(state, need, budget)
            if value is not None:
                return value
            self._code = machine_for(self.layout) or PLAIN
            if self._code is not PLAIN:
                self._before = self.states
                self._run = Run(self.layout, self._code, self._rules, self._most_entries, self._soon)
        without = self._code is PLAIN and words(self.layout) is not None
        value = self._run.answer(
            state, need, budget, max(0, _MOST_PLAIN - self.states) if without else self._code.polls
        )
        if value is None:
            require()
        assert value is not None, "it goes on to its end where nothing is missing"
        return value

    def _answer_plainly(self, state: State, need: int, budget: Budget) -> int | None:
        """Return the result, or None if it takes more Python states than are left for this process."""
        left = _PLAIN_STATES - _spent.states
        if left <= 0:
            return None
        before = self._run.states
        try:
            return self._run.answer(state, need, budget, left)
        finally:
            _spent.states += self._run.states - before
