"""Ctrl-C during a search: it spends the search's budget, so that what is certain by then is shown."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from yomikiri.budget import Budget, Progress


@contextmanager
def budget_until_interrupt(progress: Callable[[Progress], None]) -> Iterator[Budget]:
    """A budget that Ctrl-C spends; a second Ctrl-C ends the program as usual. `progress` hears how far a search is."""
    pressed = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            signal.default_int_handler(number, frame)
        pressed = True

    before = signal.getsignal(signal.SIGINT)
    # Where interrupts are ignored, or are somebody else's, they stay so.
    ours = before is signal.default_int_handler and threading.current_thread() is threading.main_thread()
    if ours:
        signal.signal(signal.SIGINT, note)
    try:
        yield Budget(cancelled=lambda: pressed, progress=progress)
    finally:
        if ours:
            signal.signal(signal.SIGINT, before)
