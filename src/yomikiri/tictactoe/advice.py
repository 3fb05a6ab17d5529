"""Advice: what every move of a position leads to, the best one, and how play then goes.

Values are seen by the side to move of the position asked about. Its order of results, best first: a line of its own,
the sooner the better; else the score, the larger margin the better, since a line counts as more than any margin; else
a line of the other's, the later the better.
"""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.tictactoe.errors import GameOver, TooManyCells
from yomikiri.tictactoe.position import Outcome, Player, Position, Reason

# Plain recursion visits every position there is: 5,478 on 3x3.
MAX_EMPTY = 9


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """What a move leads to with best play on both sides.

    `margin` is the side to move's sum less the other's at the end, None where a line decides; `plies` is how many moves
    are still played, this one included.
    """

    move: int
    winner: Player | None
    reason: Reason
    margin: int | None
    plies: int


@dataclass(frozen=True, slots=True)
class Advice:
    """The moves of a position in the order of its cells, the best one, the line of best play and how it ends."""

    position: Position
    moves: tuple[MoveAdvice, ...]
    best: MoveAdvice
    line_of_play: tuple[int, ...]
    outcome: Outcome

    @property
    def winner(self) -> Player | None:
        """Who wins with best play; None for a draw."""
        return self.best.winner

    @property
    def winning(self) -> tuple[int, ...]:
        """The moves that win for the side to move."""
        return tuple(each.move for each in self.moves if each.winner is self.position.to_move)


# (1, minus the ply at which the own line is complete), (0, margin), or (-1, the ply of the other's line): larger is
# better for the side to move, and the other side's value is the same with both signs changed.
_Value = tuple[int, int]


def analyze(position: Position) -> Advice:
    """What every move leads to, and best play; raises `GameOver` where there is no move, `TooManyCells` above nine."""
    if position.outcome:
        raise GameOver
    if position.empty.bit_count() > MAX_EMPTY:
        raise TooManyCells(position.empty.bit_count(), MAX_EMPTY)
    memo: dict[Position, _Value] = {}
    moves = tuple(_move_advice(position, move, memo) for move in position.moves)
    line_of_play, end = _best_play(position, memo)
    outcome = end.outcome
    assert outcome is not None
    return Advice(position, moves, next(m for m in moves if m.move == line_of_play[0]), line_of_play, outcome)


def _move_advice(position: Position, move: int, memo: dict[Position, _Value]) -> MoveAdvice:
    line, rest = _opposed(_value(position.play(move), memo))
    mover = position.to_move
    played = (position.first | position.second).bit_count()
    sign = line or (rest > 0) - (rest < 0)
    return MoveAdvice(
        move,
        winner=Player(sign * mover) if sign else None,
        reason=Reason.LINE if line else Reason.SCORE,
        margin=None if line else rest,
        plies=(-line * rest if line else position.board.size) - played,
    )


def _value(position: Position, memo: dict[Position, _Value]) -> _Value:
    """The value of `position` for its side to move, every position after it looked at."""
    if position not in memo:
        outcome = position.outcome
        if outcome is None:
            memo[position] = max(_opposed(_value(position.play(move), memo)) for move in position.moves)
        elif outcome.reason is Reason.LINE:
            memo[position] = (-1, (position.first | position.second).bit_count())
        else:
            memo[position] = (0, position.to_move * (outcome.sums[0] - outcome.sums[1]))
    return memo[position]


def _opposed(value: _Value) -> _Value:
    return (-value[0], -value[1])


def _best_play(position: Position, memo: dict[Position, _Value]) -> tuple[tuple[int, ...], Position]:
    """Best moves of both sides to the end, the first cell among equals, and the position they end in."""
    played = []
    while position.moves:
        move = max(position.moves, key=lambda move: _opposed(_value(position.play(move), memo)))
        played.append(move)
        position = position.play(move)
    return tuple(played), position
