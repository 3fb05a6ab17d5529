"""Runs the proof-number search on one board, in slices, with a memo that grows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.search.layout import Layout, State
from yomikiri.tictactoe.search.proof.descent import answer
from yomikiri.tictactoe.search.proof.kernels_ahead import PROVER
from yomikiri.tictactoe.search.proof.memo import WAYS, move, new_memo
from yomikiri.tictactoe.search.proof.states import OPEN, YES
from yomikiri.tictactoe.search.proof.tables import USED, new_room, tables_of
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule

_SLOTS = 1 << 14
# At 72 bytes each some 600 MB.
_MOST_SLOTS = 1 << 23
_SLICE = 20_000


class Prover:
    """Answers questions about the positions of one board; what it learns serves the next ones.

    `pause` is told after every slice how many states were looked at; what it raises ends the search, and nothing learnt
    is lost or wrong.
    """

    def __init__(
        self, layout: Layout, rules: Rule, pause: Callable[[int], None], most_slots: int = _MOST_SLOTS
    ) -> None:
        self._tables = tables_of(layout, rules)
        self._waiver = Rule.WAIVER in rules
        self._pause = pause
        self._most_slots = most_slots
        self._room = new_room()
        self._memo = new_memo(min(_SLOTS, most_slots))

    def reaches(self, state: State, need: int, ahead: bool) -> bool:
        """Whether the side to move can still gain `need`; `ahead` says whether two greedy players would give it that.

        With WAIVER the side that is ahead tries without lines first. If that fails in the end, or if it lasts, the
        question itself gets as many states, and then either twice as many.
        """
        states = _SLICE
        waived: State | None = None
        if self._waiver:
            waived = state._replace(mine=0) if ahead else state._replace(theirs=0)
        while True:
            if waived is not None:
                found = self._ask(waived, need, states)
                if found != OPEN:
                    if (found == YES) is ahead:
                        return ahead
                    waived = None
            found = self._ask(state, need, states)
            if found != OPEN:
                return found == YES
            states *= 2

    def _ask(self, state: State, need: int, states: int) -> int:
        """The answer after a look at about so many states."""
        found = OPEN
        while states > 0 and found == OPEN:
            part = min(states, _SLICE)
            empty, mine, theirs = map(np.uint64, state)
            found = answer(self._tables, self._room, self._memo, empty, mine, theirs, np.int64(need), np.int64(part))
            states -= part
            self._grow()
            self._pause(part)
        return found

    def _grow(self) -> None:
        slots = len(self._memo.facts)
        if 2 * self._room.numbers[USED] > slots and slots < self._most_slots:
            larger = new_memo(2 * slots)
            move(self._memo, larger, self._room)
            self._memo = larger


def compile_kernels() -> None:
    """Compile the kernels, or load them from their cache, by using each once."""
    layout = Layout(Board([[3, 1, 2], [5, 4, 0], [1, 2, 3]]))
    Prover(layout, EVERY_RULE, lambda _states: None).reaches(layout.state(Position(layout.board)), 0, True)
    move(new_memo(WAYS), new_memo(WAYS), new_room())
    PROVER.note_compiled()
