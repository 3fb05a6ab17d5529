"""Exact values of positions, and best play.

A value is what a position is worth to its side to move, larger being better: (1, minus the ply at which its line is
complete), (0, margin), or (-1, the ply at which the other side's line is complete). Plies count from the empty board.
The other side's value is the same with both signs changed.
"""

from __future__ import annotations

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Position, Reason
from yomikiri.tictactoe.search.margins import Bounds, MarginSearch

Value = tuple[int, int]


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
    """The values of one board's positions; when a budget is spent, `Stopped` carries the `Bounds` of `MarginSearch`."""

    def __init__(self, board: Board) -> None:
        self._search = MarginSearch(board)

    @property
    def states(self) -> int:
        """How many states have been looked at."""
        return self._search.states

    def value(self, position: Position, budget: Budget = UNLIMITED, at_least: Value | None = None) -> Value:
        """The value of `position`, which is known to be `at_least` that much."""
        over = final_value(position)
        if over is not None:
            return over
        known = Bounds(lower=at_least[1]) if at_least and at_least[0] == 0 else None
        bounds = self._search.margin(position, budget, known)
        if not bounds.by_line:
            return (0, int(bounds.lower))
        ply = _played(position) + self._search.plies_to_line(position, bounds, budget)
        return (1, -ply) if bounds.lower > 0 else (-1, ply)

    def best_move(self, position: Position, value: Value, budget: Budget = UNLIMITED) -> int:
        """A best move in `position`, which is worth `value`: among equally good ones the first cell."""
        return next(move for move in position.moves if self._at_most(position.play(move), opposed(value), budget))

    def best_play(
        self, position: Position, value: Value, budget: Budget = UNLIMITED
    ) -> tuple[tuple[int, ...], Position]:
        """Best moves of both sides to the end from `position`, which is worth `value`, and the position they end in."""
        moves = []
        while position.moves:
            move = self.best_move(position, value, budget)
            moves.append(move)
            position, value = position.play(move), opposed(value)
        return tuple(moves), position

    def _at_most(self, position: Position, value: Value, budget: Budget) -> bool:
        """Whether `position`, which is worth `value` at least, is worth no more."""
        over = final_value(position)
        if over is not None:
            return over == value
        kind, number = value
        if kind == 0:
            return not self._search.reaches(position, number + 1, budget)
        if kind < 0:
            return self._search.line_within(position, number - _played(position), budget)
        return not self._search.line_within(position, -number - _played(position) - 2, budget)


def _played(position: Position) -> int:
    return (position.first | position.second).bit_count()
