"""The winner of a position by four questions, applied recursively.

    1. Has the last move completed a line?     Then its player wins.
    2. Is the board full?                      Then the larger sum wins.
    3. Does some move win?                     Then the side to move wins.
    4. Otherwise                               the other side wins.

The questions have no answer for a draw. So a position is evaluated twice, with equal sums as a win of either player,
and it is drawn if the two winners differ. Positions are the keys of the memo, so that orders of moves that lead to the
same position share one entry.
"""

from __future__ import annotations

from yomikiri.tictactoe.board import cells_of
from yomikiri.tictactoe.position import Player, Position, Tie

TranspositionTable = dict[Position, Player]


def winner(position: Position, tie: Tie = Tie.DRAW) -> Player | None:
    """Return the winner under best play, or None for a draw (with `Tie.DRAW` only)."""
    if tie is not Tie.DRAW:
        return evaluate(position, Player.FIRST if tie is Tie.FIRST else Player.SECOND, {})
    if evaluate(position, Player.SECOND, {}) is Player.FIRST:
        return Player.FIRST
    if evaluate(position, Player.FIRST, {}) is Player.SECOND:
        return Player.SECOND
    return None


def evaluate(position: Position, ties_to: Player, memo: TranspositionTable) -> Player:
    """Return the winner under best play if equal sums count for `ties_to`; `memo` is for one board and tie rule."""
    if position not in memo:
        memo[position] = (
            by_line(position)
            or by_score(position, ties_to)
            or by_some_move(position, ties_to, memo)
            or position.to_move.other
        )
    return memo[position]


def by_line(position: Position) -> Player | None:
    """Return the last player to move if the move completed a line."""
    return position.to_move.other if position.completed_line else None


def by_score(position: Position, ties_to: Player) -> Player | None:
    """Return the player with the larger sum if the board is full."""
    if position.empty:
        return None
    first, second = position.sums
    return Player.FIRST if first > second else Player.SECOND if first < second else ties_to


def by_some_move(position: Position, ties_to: Player, memo: TranspositionTable) -> Player | None:
    """Return the side to move if it has a winning move."""
    mover = position.to_move
    wins = any(evaluate(position.play(move), ties_to, memo) is mover for move in cells_of(position.empty))
    return mover if wins else None
