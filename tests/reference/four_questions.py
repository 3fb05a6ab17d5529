"""Who wins: the four questions, asked of a position and of every position after it.

    1. Has the one who just moved completed a line?     Then that one wins.
    2. Is the board full?                               Then the larger sum wins.
    3. Does some move win?                              Then the side to move wins.
    4. Otherwise                                        the other one wins.

The answers are yes and no, so a tie must belong to somebody. A draw is what hangs on whom the tie belongs to.
The memo's key is the position's value, so it holds one answer a position, however it was reached.
"""

from __future__ import annotations

from yomikiri.tictactoe.board import cells_of
from yomikiri.tictactoe.position import Player, Position, Tie

TranspositionTable = dict[Position, Player]


def winner(position: Position, tie: Tie = Tie.DRAW) -> Player | None:
    """Who wins with best play on both sides; None for a draw, which only `Tie.DRAW` can give."""
    if tie is not Tie.DRAW:
        return evaluate(position, Player.FIRST if tie is Tie.FIRST else Player.SECOND, {})
    if evaluate(position, Player.SECOND, {}) is Player.FIRST:
        return Player.FIRST
    if evaluate(position, Player.FIRST, {}) is Player.SECOND:
        return Player.SECOND
    return None


def evaluate(position: Position, ties_to: Player, memo: TranspositionTable) -> Player:
    """Who wins `position` with best play when equal sums go to `ties_to`; `memo` serves one board and one rule."""
    if position not in memo:
        memo[position] = (
            by_line(position)
            or by_score(position, ties_to)
            or by_some_move(position, ties_to, memo)
            or position.to_move.other
        )
    return memo[position]


def by_line(position: Position) -> Player | None:
    """The one who just moved, if that completed a line."""
    return position.to_move.other if position.completed_line else None


def by_score(position: Position, ties_to: Player) -> Player | None:
    """The one with the larger sum, if the board is full."""
    if position.empty:
        return None
    first, second = position.sums
    return Player.FIRST if first > second else Player.SECOND if first < second else ties_to


def by_some_move(position: Position, ties_to: Player, memo: TranspositionTable) -> Player | None:
    """The side to move, if some move wins for it."""
    mover = position.to_move
    wins = any(evaluate(position.play(move), ties_to, memo) is mover for move in cells_of(position.empty))
    return mover if wins else None
