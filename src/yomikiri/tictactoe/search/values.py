"""Exact values of positions, and best play.

A value is what a position is worth to its side to move, larger being better: (1, minus the ply at which its line is
complete), (0, margin), or (-1, the ply at which the other side's line is complete). Plies count from the empty board.
The other side's value is the same with both signs changed.
"""

from __future__ import annotations

from collections.abc import Callable

from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Position, Reason
from yomikiri.tictactoe.search.forced import Forced
from yomikiri.tictactoe.search.questions import Bounds, MarginSearch, Progress

Value = tuple[int, int]


class SearchInterrupted(KeyboardInterrupt):
    """Ctrl-C during a search; `bounds` is what is certain by then of the position asked about."""

    def __init__(self, bounds: Bounds) -> None:
        super().__init__(bounds)
        self.bounds = bounds


def opposed(value: Value) -> Value:
    """The same value, seen by the other side."""
    return (-value[0], -value[1])


def final_value(position: Position) -> Value | None:
    """The value of a position in which the game is over."""
    outcome = position.outcome
    if outcome is None:
        return None
    if outcome.reason is Reason.LINE:
        return (-1, _played(position))
    return (0, position.to_move * (outcome.sums[0] - outcome.sums[1]))


class Values:
    """The values of one board's positions. Raises `SearchInterrupted` at Ctrl-C."""

    def __init__(self, board: Board, progress: Callable[[Progress], None] | None = None) -> None:
        self._reader = MarginSearch(board, progress=progress)
        self._forced = Forced(self._reader.solver.layout)

    @property
    def unknown(self) -> Bounds:
        """What is known of any position."""
        return self._reader.unknown

    @property
    def nodes(self) -> int:
        """How many states the search for margins has looked at."""
        return self._reader.solver.nodes

    def value(self, position: Position, at_least: Value | None = None) -> Value:
        """The value of `position`, which is known to be `at_least` that much."""
        over = final_value(position)
        if over is not None:
            return over
        unknown = self._reader.unknown
        known = Bounds(at_least[1], unknown.upper, unknown.line) if at_least and at_least[0] == 0 else unknown
        bounds = self._reader.margin(position, known)
        if not bounds.exact:
            raise SearchInterrupted(bounds)
        state = self._reader.solver.layout.state(position)
        if not bounds.by_line:
            return (0, bounds.lower)
        try:
            if bounds.lower > 0:
                return (1, -_played(position) - self._forced.soonest(state))
            return (-1, _played(position) + self._forced.latest(state))
        except KeyboardInterrupt:
            # Who completes a line is certain, how soon is not.
            raise SearchInterrupted(bounds) from None

    def best_move(self, position: Position, value: Value) -> int:
        """A best move in `position`, which is worth `value`: among equally good ones the first cell."""
        return next(move for move in position.moves if self._at_most(position.play(move), opposed(value)))

    def best_play(self, position: Position, value: Value) -> tuple[tuple[int, ...], Position]:
        """Best moves of both sides to the end from `position`, which is worth `value`, and the position they end in."""
        moves = []
        while position.moves:
            move = self.best_move(position, value)
            moves.append(move)
            position, value = position.play(move), opposed(value)
        return tuple(moves), position

    def _at_most(self, position: Position, value: Value) -> bool:
        """Whether `position`, which is worth `value` at least, is worth no more."""
        over = final_value(position)
        if over is not None:
            return over == value
        kind, number = value
        if kind == 0:
            return not self._reader.reaches(position, number + 1)
        state = self._reader.solver.layout.state(position)
        if kind < 0:
            return self._forced.loses_within(state, number - _played(position))
        return not self._forced.wins_within(state, -number - _played(position) - 2)


def _played(position: Position) -> int:
    return (position.first | position.second).bit_count()
