"""How far something long has come, on standard error, where a person is watching."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

from yomikiri.cli.terminal import cut, window

T = TypeVar("T")
_SECONDS_BETWEEN_LINES = 0.2


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error while something long goes on; nothing where no person is watching."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def live_line(starting: str, sentence: Callable[[T], str]) -> Iterator[Callable[[T], None]]:
    """Progress as a sentence on one line, renewed and in the end removed; nothing where no person is watching.

    What does not fit the window is cut: a line that wraps could not be removed.
    """
    if not sys.stderr.isatty():
        yield lambda _progress: None
        return
    last = 0.0

    def show(progress: T) -> None:
        nonlocal last
        if time.monotonic() - last >= _SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            click.echo(f"\r\x1b[K{cut(sentence(progress), window() - 1)}", nl=False, err=True)

    click.echo(cut(starting, window() - 1), nl=False, err=True)
    try:
        yield show
    finally:
        click.echo("\r\x1b[K", nl=False, err=True)
