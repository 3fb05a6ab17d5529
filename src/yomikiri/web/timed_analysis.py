"""A position of tic-tac-toe, read to its end within the page's time; what was read lately is remembered."""

from __future__ import annotations

from functools import lru_cache

from yomikiri.budget import Stopped
from yomikiri.tictactoe.advice import Advice, PartialAdvice, analyze
from yomikiri.tictactoe.position import Position
from yomikiri.web.deadline import budget

_REMEMBERED = 512


def read(position: Position) -> Advice | PartialAdvice:
    """The advice on a position, or what has been read of it when the time is over; raises `GameOver`."""
    try:
        return _read(position)
    except Stopped as stopped:
        found: PartialAdvice = stopped.best
        return found


# Only what is whole is remembered: what was cut short has raised.
@lru_cache(_REMEMBERED)
def _read(position: Position) -> Advice:
    return analyze(position, budget())
