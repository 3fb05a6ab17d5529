"""A position of tic-tac-toe, read to its end within the budget of a page; what was read lately is remembered."""

from __future__ import annotations

from functools import lru_cache

from yomikiri.budget import Budget, Stopped
from yomikiri.tictactoe.advice import Advice, PartialAdvice, analyze
from yomikiri.tictactoe.position import Position

_REMEMBERED = 512


def read(position: Position, budget: Budget) -> Advice | PartialAdvice:
    """The advice on a position, or what has been read of it when the budget is spent; raises `GameOver`."""
    try:
        return _read(position, budget)
    except Stopped as stopped:
        found: PartialAdvice = stopped.best
        return found


# Only what is whole is remembered: what was cut short has raised.
@lru_cache(_REMEMBERED)
def _read(position: Position, budget: Budget) -> Advice:
    return analyze(position, budget)
