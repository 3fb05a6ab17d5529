"""Who wins a position of any size, by search."""

from __future__ import annotations

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.tictactoe.position import Player, Position, Tie
from yomikiri.tictactoe.search.margins import MarginSearch


def winner(position: Position, tie: Tie = Tie.DRAW, budget: Budget = UNLIMITED) -> Player | None:
    """Who wins with best play on both sides; None for a draw, which only `Tie.DRAW` can give.

    The position may be over. `budget` hears a few times a second between which margins the side to move certainly ends,
    infinite for a line; when it is spent, `Stopped` carries them as `Bounds`.

    >>> from yomikiri.tictactoe.board import Board
    >>> winner(Position(Board.parse("-1,1,0/-4,-2,-5/-4,-1,-5")))
    Player.SECOND
    """
    if outcome := position.outcome:
        if outcome.winner or tie is Tie.DRAW:
            return outcome.winner
        return Player.FIRST if tie is Tie.FIRST else Player.SECOND
    return MarginSearch(position.board).winner(position, tie, budget).winner(position.to_move, tie)
