"""One question, answered exactly: can the side to move still gain at least so much? Runs the search of `alphabeta`.

A question begins on Python's integers: to load numpy and the machine code takes longer than most boards do. What lasts
goes on in machine code, if the board fits it and there is some for this processor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple

from yomikiri.common.budget import UNLIMITED, Budget, Progress
from yomikiri.machine.library import available, require
from yomikiri.tictactoe.search.kernels import alphabeta, pairing
from yomikiri.tictactoe.search.kernels.alphabeta import (
    ANSWERED,
    FILLED,
    FULL,
    LONG,
    NEED,
    NUMBERS,
    RULES,
    SETS,
    STEP,
    STOPPED,
    TOTALS,
    UNPAIRABLE,
    VALUE,
    WON,
    Stack,
    Tables,
)
from yomikiri.tictactoe.search.kernels.pairing import BLOCK_BITS, BLOCK_SETS, pairing_room
from yomikiri.tictactoe.search.layout import WORD, Layout, State
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule

# States that a table holds in the beginning, and at most: at 48 bytes each some 200 MB in machine code.
_ENTRIES = 1 << 10
MOST_ENTRIES = 1 << 22
# A table that holds fewer states than this grows as soon as it is half full. A larger one that is full grows once so
# many times as many states were looked at: until then what it forgets costs less than memory that was never touched.
_SMALL = 1 << 16
_BEFORE_GROWTH = 8
# A table that may not grow any more is never too full.
_NEVER = 1 << 62
_MOVED = 1 << 12  # entries that are moved to a larger table between two looks at the budget
# So many states take some milliseconds: between two looks at the budget, and in machine code before a question goes to
# a thread of its own.
_PLAIN_LOOK, _SHORT = 256, 1 << 14
_TELLS = 0.1  # seconds between two words on progress
# A question that takes more states than this begins again with the other order of moves, and goes back to the first
# after so many times as many; the table stays.
_TURN, _LONGER = 1 << 15, 1 << 7
# Plain states in this process, some 0.1 s, after which it is worth loading the machine code and numpy. They are counted
# over all boards, because many boards of medium size take as long as one large board.
_PLAIN_STATES = 2_000
# Without machine code a board that it would read may take so many, about a minute.
_MOST_PLAIN = 1 << 20
# Of all weights without their signs together: a line is worth 8 times that, and sums of such numbers fit into 64 bits.
_MOST = 1 << 56


class Code(NamedTuple):
    """The functions of the search, and what makes the arrays that they work on."""

    search: Callable[..., int]
    fill_sums: Callable[..., None]
    move_entries: Callable[..., None]
    sets: Callable[[Sequence[int]], Any]
    numbers: Callable[[Sequence[int]], Any]
    fractions: Callable[[Sequence[float]], Any]
    no_sets: Callable[[int], Any]
    runner: Callable[[], Any]
    looks: int


class PlainRunner:
    """Runs the search on Python's integers in the thread that asks, which looks at the budget from time to time.

    As `running.Runner` does for machine code; what it shares with the search is itself.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self._most, self._budget, self._told = 0, UNLIMITED, monotonic()

    @property
    def words(self) -> PlainRunner:
        """What the search counts its states in."""
        return self

    def run(self, search: Callable[[], int], budget: Budget, looks: int) -> tuple[int, int]:
        """How the search ended, and 0; it is told to stop after so many states. Raises `Stopped`."""
        budget.check(self.nodes)
        left = budget.left(self.nodes)
        self._most = self.nodes + (looks if left is None else min(looks, left))
        self._budget = budget
        found = search()
        if found == STOPPED:
            budget.check(self.nodes)
        return found, 0

    def enter(self) -> bool:
        """Count one more state; False, and it is not counted, where the search must stop. Raises `Stopped`."""
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
    """The number of plain states that this process has looked at before it chose the code of a board."""

    def __init__(self) -> None:
        self.states = 0


_spent = PlainStates()

PLAIN = Code(
    alphabeta.search, pairing.fill_sums, alphabeta.move_entries,
    list, list, list, lambda count: [0] * count, PlainRunner, _NEVER,
)  # fmt: skip
# The machine code that is loaded, by the words that a set takes.
_machines: dict[int | None, Code] = {}


def words(layout: Layout) -> int | None:
    """How many words of 64 bits machine code needs for a set of lines, 1 or 2; None if it does not read the board."""
    count = 1 if len(layout.lines) <= WORD else 2
    return count if len(layout.lines) <= 2 * WORD and layout.most <= _MOST else None


def machine(words: int = 1) -> Code:
    """The machine code for sets of so many words, loaded at the first call."""
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
    """The machine code, if it is loaded and reads this board."""
    return _machines.get(words(layout))


def machine_for(layout: Layout) -> Code | None:
    """The machine code, if it reads this board and there is some for this processor."""
    count = words(layout)
    return machine(count) if count is not None and available() else None


class Run:
    """Questions about one board on one kind of numbers, and the table of what is known."""

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
        pairs = pairing_room(layout.board.line)
        self._stack = Stack(
            code.no_sets(SETS * frames), code.numbers([0] * (NUMBERS * frames)),
            code.numbers([0] * (alphabeta.CELLS * frames)), code.fractions([0.0] * layout.board.size),
            code.no_sets(pairs), code.numbers([0] * pairs),
        )  # fmt: skip
        self._entries, self._most_entries = min(_ENTRIES, most_entries), most_entries
        self._memo = self._new_memo()
        self._totals = code.numbers([0] * TOTALS)
        self._runner = code.runner()
        self._totals[WON], self._totals[STEP], self._totals[RULES] = layout.won, soon, rules.value

    @property
    def states(self) -> int:
        """How many states have been looked at."""
        return int(self._runner.nodes)

    def answer(self, state: State, need: int, budget: Budget, looks: int) -> int | None:
        """The bound that answers a question, see `Solver.reach`; None where the plain search has had so many `looks`.

        Raises `Stopped`.
        """
        state = self._layout.tightest(state) if Rule.REDUNDANCY in self._rules else state
        turn, turn_ends, totals = _TURN, self.states + _TURN, self._totals
        totals[LONG] = 0

        def ask() -> int:
            self._begin(state, need)
            common = self._tables, self._stack, self._memo, totals
            return self._code.search(*common, self._runner.words, min(turn_ends, self._kept_until), self._most_filled)

        while (found := self._runner.run(ask, budget, looks)[0]) != ANSWERED:
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
        """After how many states the table may grow, if it cannot yet however full it is."""
        until = _BEFORE_GROWTH * self._entries if self._entries >= _SMALL else 0
        return until if self.states < until else _NEVER

    @property
    def _most_filled(self) -> int:
        kept = self._kept_until < _NEVER or self._entries == self._most_entries
        return _NEVER if kept else self._entries // 2

    def _grow(self, budget: Budget) -> None:
        before, filled = self._entries, self._totals[FILLED]
        self._entries = min(4 * before, self._most_entries)
        memo = self._new_memo()
        try:
            self._totals[FILLED] = 0
            for begin in range(0, before, _MOVED):
                budget.check(self.states)
                self._code.move_entries(self._memo, memo, self._totals, begin, min(begin + _MOVED, before))
        except BaseException:
            self._entries, self._totals[FILLED] = before, filled
            raise
        self._memo = memo

    def _new_memo(self) -> Any:
        return self._code.no_sets(alphabeta.ENTRY * self._entries)


class Solver:
    """Answers questions about the positions of one board; what it learns serves the next ones.

    With `soon` weights do not count, and a line is worth the more the sooner it comes: one for every empty cell left.
    `most_entries`, a power of two, bounds the table. With `code` it runs on that alone.
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
        self._code = code or machine_at_hand(layout)  # None until it is decided
        self._before = 0
        self._run = Run(layout, self._code or PLAIN, rules, most_entries, soon)

    @property
    def states(self) -> int:
        """How many states have been looked at."""
        return self._before + self._run.states

    def reach(self, state: State, need: int, budget: Budget = UNLIMITED) -> int:
        """Whether the side to move can still gain `need`: a number v that bounds the value of `state`.

        v >= need: the value is at least v. v < need: the value is at most v. Beyond `layout.most` either way `need`
        asks for lines alone. The states of the budget are those of this search; when it is spent, raises `Stopped`, and
        nothing learnt is lost or wrong. Raises a `MachineCodeError` for a board that takes too long without any.
        """
        if Rule.WAIVER in self._rules and not self._soon:
            empty, mine, theirs = state
            ahead = self.layout.greedy(empty) >= need
            value = self._ask(State(empty, 0, theirs) if ahead else State(empty, mine, 0), need, budget)
            if (value >= need) is ahead:
                return value
        return self._ask(state, need, budget)

    def _ask(self, state: State, need: int, budget: Budget) -> int:
        """The answer, by machine code from some time on."""
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
            state, need, budget, max(0, _MOST_PLAIN - self.states) if without else self._code.looks
        )
        if value is None:
            require()
        assert value is not None, "it goes on to its end where nothing is missing"
        return value

    def _answer_plainly(self, state: State, need: int, budget: Budget) -> int | None:
        """Return the answer, or None if it takes more plain states than are left for this process."""
        left = _PLAIN_STATES - _spent.states
        if left <= 0:
            return None
        before = self._run.states
        try:
            return self._run.answer(state, need, budget, left)
        finally:
            _spent.states += self._run.states - before
