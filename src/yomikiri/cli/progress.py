"""How far something long has come, on standard error, where a person is watching; and Ctrl-C, which ends it."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from yomikiri.budget import Budget, Progress
from yomikiri.cli.terminal import cut, window

_SECONDS_BETWEEN_LINES = 0.2


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error while something long goes on; nothing where no person is watching."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def live_line(starting: str, sentence: Callable[[Progress], str]) -> Iterator[Callable[[Progress], None]]:
    """Progress as a sentence on one line, renewed and in the end removed; nothing where no person is watching.

    What does not fit the window is cut: a line that wraps could not be removed.
    """
    if not sys.stderr.isatty():
        yield lambda _progress: None
        return
    last = 0.0

    def show(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= _SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            click.echo(f"\r\x1b[K{cut(sentence(progress), window() - 1)}", nl=False, err=True)

    click.echo(cut(starting, window() - 1), nl=False, err=True)
    try:
        yield show
    finally:
        click.echo("\r\x1b[K", nl=False, err=True)


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """While a search goes on, Ctrl-C only spends its budget: gives what says whether it came. A second one is as
    usual."""
    before, came = signal.getsignal(signal.SIGINT), False

    def note(_signal: int, _frame: object) -> None:
        nonlocal came
        came = True
        signal.signal(signal.SIGINT, before)

    # Where interrupts are ignored, or are somebody else's, they stay so.
    ours = before is signal.default_int_handler and threading.current_thread() is threading.main_thread()
    if ours:
        signal.signal(signal.SIGINT, note)
    try:
        yield lambda: came
    finally:
        if ours:
            signal.signal(signal.SIGINT, before)


@contextmanager
def searching(starting: str, sentence: Callable[[Progress], str]) -> Iterator[Budget]:
    """A budget that Ctrl-C spends, and whose progress a live line shows."""
    with interruptible() as cancelled, live_line(starting, sentence) as show:
        yield Budget(cancelled=cancelled, progress=show)
