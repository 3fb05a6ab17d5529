"""One question, answered exactly: can the side to move still gain at least so much? Runs the search of `alphabeta`.

A question begins on Python's integers: to load numpy and the machine code takes longer than most boards do. What lasts
goes on in machine code, if the board fits it and there is some for this processor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from yomikiri.machine.library import available, require
from yomikiri.tictactoe.search import alphabeta, pairing
from yomikiri.tictactoe.search.alphabeta import (
    DEPTH,
    FILLED,
    LONG,
    NEED,
    NUMBERS,
    RULES,
    SETS,
    STATES,
    STEP,
    TOTALS,
    UNPAIRABLE,
    VALUE,
    WON,
    Stack,
    Tables,
)
from yomikiri.tictactoe.search.layout import WORD, Layout, State
from yomikiri.tictactoe.search.pairing import BLOCK_BITS, BLOCK_SETS, pairing_room
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule

# States that a table holds in the beginning, and at most: at 48 bytes each some 200 MB in machine code.
_ENTRIES = 1 << 8
MOST_ENTRIES = 1 << 22
# A table that holds fewer states than this grows as soon as it is half full. A larger one that is full grows once so
# many times as many states were looked at: until then what it forgets costs less than memory that was never touched.
_SMALL = 1 << 16
_BEFORE_GROWTH = 8
# A table that may not grow any more is never too full.
_NEVER = 1 << 62
# So many states take a few milliseconds; after each such slice others may have a look.
_PLAIN_SLICE, _MACHINE_SLICE = 256, 1 << 14
# A question that takes more states than this begins again with the other order of moves, and goes back to the first
# after so many times as many; the table stays.
_TURN, _LONGER = 1 << 15, 1 << 7
# A board that takes more than so many states, some 0.1 s, is worth loading the machine code and numpy.
_PLAIN_STATES = 2_000
# Without machine code a board that it would read may take so many, about a minute.
_MOST_PLAIN = 1 << 20
# Of all weights without their signs together: a line is worth 8 times that, and sums of such numbers fit into 64 bits.
_MOST = 1 << 56


class Code(NamedTuple):
    """The functions of the search, and what makes the arrays that they work on."""

    search: Callable[..., bool]
    fill_sums: Callable[..., None]
    move_entries: Callable[..., None]
    sets: Callable[[Sequence[int]], Any]
    numbers: Callable[[Sequence[int]], Any]
    fractions: Callable[[Sequence[float]], Any]
    no_sets: Callable[[int], Any]
    no_numbers: Callable[[int], Any]
    slice: int


def _nothing(count: int) -> list[int]:
    return [0] * count


PLAIN = Code(
    alphabeta.search, pairing.fill_sums, alphabeta.move_entries,
    list, list, list, _nothing, _nothing, _PLAIN_SLICE,
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

        from yomikiri.tictactoe.search import machine_code

        one = words == 1
        _machines[words] = Code(
            machine_code.search_words if one else machine_code.search_pairs, machine_code.fill_sums,
            machine_code.move_words if one else machine_code.move_pairs,
            (lambda sets: np.array(sets, np.uint64)) if one else machine_code.words_of,
            lambda numbers: np.array(numbers, np.int64),
            lambda fractions: np.array(fractions, np.float64),
            lambda count: np.zeros(words * count, np.uint64),
            lambda count: np.zeros(count, np.int64),
            _MACHINE_SLICE,
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
            code.sets(layout.through), code.sets(starts), code.sets(ends), code.no_numbers(BLOCK_SETS * blocks),
        )  # fmt: skip
        code.fill_sums(self._tables.weights, self._tables.sums)
        frames = layout.board.size + 1
        pairs = pairing_room(layout.board.line)
        self._stack = Stack(
            code.no_sets(SETS * frames), code.no_numbers(NUMBERS * frames), code.no_numbers(alphabeta.CELLS * frames),
            code.fractions([0.0] * layout.board.size), code.no_sets(pairs), code.no_numbers(pairs),
        )  # fmt: skip
        self._entries, self._most_entries = min(_ENTRIES, most_entries), most_entries
        self._memo = self._new_memo()
        self._totals = code.no_numbers(TOTALS)
        self._question = State(0, 0, 0), 0
        self._turn = self._turn_ends = 0
        self._totals[WON], self._totals[STEP], self._totals[RULES] = layout.won, soon, rules.value

    @property
    def states(self) -> int:
        """How many states have been looked at."""
        return int(self._totals[STATES])

    def ask(self, state: State, need: int) -> None:
        """Begin with a question: see `Solver.reach`."""
        self._question = self._layout.tightest(state) if Rule.REDUNDANCY in self._rules else state, need
        self._totals[LONG], self._turn, self._turn_ends = 0, _TURN, self.states + _TURN
        self._begin()

    def _begin(self) -> None:
        state, need = self._question
        numbers = self._stack.numbers
        first = self._code.sets((*state, *self._layout.counts(state.empty)))
        self._stack.sets[: len(first)] = first
        numbers[NEED], numbers[UNPAIRABLE], self._totals[DEPTH] = need, 0, 0

    def answer(self) -> int | None:
        """Go on with the question for a slice: the bound that answers it, None if that is not found yet."""
        search, totals = self._code.search, self._totals
        while not search(self._tables, self._stack, self._memo, totals, self._code.slice, self._most_filled):
            if totals[FILLED] > self._most_filled:
                self._grow()
                continue
            if self.states > self._turn_ends:
                totals[LONG] = not totals[LONG]
                self._turn *= _LONGER
                self._turn_ends = self.states + self._turn
                self._begin()
            return None
        return int(totals[VALUE])

    @property
    def _most_filled(self) -> int:
        early = self._entries >= _SMALL and self.states < _BEFORE_GROWTH * self._entries
        return _NEVER if early or self._entries == self._most_entries else self._entries // 2

    def _grow(self) -> None:
        self._entries = min(4 * self._entries, self._most_entries)
        memo = self._new_memo()
        self._code.move_entries(self._memo, memo, self._totals)
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
        self._code = code
        self._look_again = _PLAIN_STATES
        self._before = 0
        self._run = Run(layout, code or machine_at_hand(layout) or PLAIN, rules, most_entries, soon)

    @property
    def states(self) -> int:
        """How many states have been looked at."""
        return self._before + self._run.states

    def reach(self, state: State, need: int, pause: Callable[[], None]) -> int:
        """Whether the side to move can still gain `need`: a number v that bounds the value of `state`.

        v >= need: the value is at least v. v < need: the value is at most v. Beyond `layout.most` either way `need`
        asks for lines alone. `pause` is called every few milliseconds; what it raises ends the search, and nothing
        learnt is lost or wrong. Raises a `MachineCodeError` for a board that takes too long without any.
        """
        if Rule.WAIVER in self._rules and not self._soon:
            empty, mine, theirs = state
            ahead = self.layout.greedy(empty) >= need
            value = self._ask(State(empty, 0, theirs) if ahead else State(empty, mine, 0), need, pause)
            if (value >= need) is ahead:
                return value
        return self._ask(state, need, pause)

    def _ask(self, state: State, need: int, pause: Callable[[], None]) -> int:
        """The answer, by machine code from some time on."""
        self._run.ask(state, need)
        while (value := self._run.answer()) is None:
            pause()
            if self._code is None and self.states >= self._look_again:
                self._look_again += _PLAIN_STATES
                code = machine_for(self.layout)
                if code is None and words(self.layout) and self.states >= _MOST_PLAIN:
                    require()
                if code:
                    self._code, self._before = code, self.states
                    self._run = Run(self.layout, code, self._rules, self._most_entries, self._soon)
                    self._run.ask(state, need)
        return value
