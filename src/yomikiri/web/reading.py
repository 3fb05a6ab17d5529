"""A position of tic-tac-toe, read to its end within the page's time; what was read lately is remembered."""

from __future__ import annotations

from functools import lru_cache
from time import monotonic

from yomikiri.tictactoe.advice import Advice, Reading, analyze
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.search.questions import Bounds
from yomikiri.web.limits import SECONDS

_REMEMBERED = 512


class _TimeUp(KeyboardInterrupt):
    """Ends a search in the way in which Ctrl-C does, which is what a search listens to."""


@lru_cache(_REMEMBERED)
def read(position: Position) -> Advice | Bounds:
    """The advice on a position, or what is certain of its margin when the time is over; raises `GameOver`."""
    end = monotonic() + SECONDS
    certain: Bounds | None = None

    def look(reading: Reading) -> None:
        nonlocal certain
        if not reading.moves:
            certain = reading.search.bounds
        if monotonic() > end:
            raise _TimeUp

    try:
        return analyze(position, look)
    except KeyboardInterrupt:
        assert certain is not None, "time is up only where somebody looks at the clock"
        return certain
