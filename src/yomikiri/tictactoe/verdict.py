"""Who wins a position of any size, by search."""

from __future__ import annotations

from collections.abc import Callable

from yomikiri.tictactoe.position import Player, Position, Tie
from yomikiri.tictactoe.search.questions import MarginSearch, Progress
from yomikiri.tictactoe.search.values import SearchInterrupted


def winner(
    position: Position, tie: Tie = Tie.DRAW, progress: Callable[[Progress], None] | None = None
) -> Player | None:
    """Who wins with best play on both sides; None for a draw, which only `Tie.DRAW` can give.

    The position may be over. `progress` hears a few times a second what is certain so far. Ctrl-C raises
    `SearchInterrupted` with that.
    """
    if outcome := position.outcome:
        if outcome.winner or tie is Tie.DRAW:
            return outcome.winner
        return Player.FIRST if tie is Tie.FIRST else Player.SECOND
    mover = position.to_move
    bounds = MarginSearch(position.board, progress=progress).winner(position, tie)
    if not bounds.settled(mover, tie):
        raise SearchInterrupted(bounds)
    return bounds.winner(mover, tie)
