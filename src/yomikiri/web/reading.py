"""A position of tic-tac-toe, read to its end within the page's time; what was read lately is remembered."""

from __future__ import annotations

from functools import lru_cache

from yomikiri.hitblow.policies.exact import Overtime
from yomikiri.tictactoe.advice import Advice, Reading, analyze
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.search.questions import Bounds
from yomikiri.tictactoe.search.values import SearchInterrupted
from yomikiri.web.clock import look

_REMEMBERED = 512


class _TimeUp(KeyboardInterrupt):
    """Ends a search in the way in which Ctrl-C does, which is what a search listens to."""


class _Unread(Exception):
    """A position that was not read in time: what is certain of its margin. Raised, so that it is not remembered."""

    def __init__(self, certain: Bounds) -> None:
        super().__init__(certain)
        self.certain = certain


def read(position: Position) -> Advice | Bounds:
    """The advice on a position, or what is certain of its margin when the time is over; raises `GameOver`."""
    try:
        return _read(position)
    except _Unread as unread:
        return unread.certain


@lru_cache(_REMEMBERED)
def _read(position: Position) -> Advice:
    def watch(_reading: Reading) -> None:
        try:
            look()
        except Overtime:
            raise _TimeUp from None

    try:
        return analyze(position, watch)
    except SearchInterrupted as interrupted:
        raise _Unread(interrupted.bounds) from None
