"""A position of tic-tac-toe, read to its end within the page's time; what was read lately is remembered."""

from __future__ import annotations

from functools import lru_cache

from yomikiri.hitblow.policies.exact import Overtime
from yomikiri.tictactoe.advice import Advice, AnalysisInterrupted, PartialAdvice, Reading, analyze
from yomikiri.tictactoe.position import Position
from yomikiri.web.deadline import look

_REMEMBERED = 512


class _TimeUp(KeyboardInterrupt):
    """Ends a search in the way in which Ctrl-C does, which is what a search listens to."""


def read(position: Position) -> Advice | PartialAdvice:
    """The advice on a position, or what has been read of it when the time is over; raises `GameOver`."""
    try:
        return _read(position)
    except AnalysisInterrupted as interrupted:
        return interrupted.partial


# Only what is whole is remembered: what was cut short has raised.
@lru_cache(_REMEMBERED)
def _read(position: Position) -> Advice:
    def watch(_reading: Reading) -> None:
        try:
            look()
        except Overtime:
            raise _TimeUp from None

    return analyze(position, watch)
