"""A screenful that is drawn anew in its place: what a game shows, what was said of the last line, and what is asked.

    frame    which game it is, and the lines so far        from `Game.frame`
    body     how it stands: the guess, or what is wrong    what `Game.show` says
    notes    what the last line had for an answer          all else that is said

What stood on the terminal before is scrolled away, not lost. Where a terminal cannot do that (TERM=dumb), and through
pipes, everything is said line by line.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout

import click

from yomikiri.cli.text import padded, styled, width, window, window_lines, wrapped

_TOP = "\x1b[H\x1b[J"  # the cursor to the upper left corner, and everything from there on erased


def can_draw() -> bool:
    """Whether the terminal moves its cursor where it is told to."""
    return os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")


class _Kept(io.StringIO):
    """Standard output that is kept to be drawn: what is written there may have colours, as on the terminal."""

    def isatty(self) -> bool:
        return True


class Screen:
    """What stands on the terminal."""

    def __init__(self) -> None:
        self.frame: Sequence[str] = ()
        self.body: Sequence[str] = ()
        self.notes: list[str] = []
        self._begun = False

    @contextmanager
    def keeping_body(self) -> Iterator[None]:
        """What is said meanwhile is how the game stands."""
        with redirect_stdout(_Kept()) as kept:
            yield
        self.body = kept.getvalue().splitlines()

    @contextmanager
    def keeping_notes(self) -> Iterator[None]:
        """What is said meanwhile is an answer to the last line."""
        kept = _Kept()
        try:
            with redirect_stdout(kept):
                yield
        finally:
            self.notes += kept.getvalue().splitlines()

    def draw(self) -> None:
        """Draw all of it; what was said of the last line is then done with."""
        apart = [""] if self.notes and (self.frame or self.body) else []
        lines = [*self.frame, *self.body, *apart, *self.notes]
        above = "" if self._begun else "\n" * (window_lines() - 1)
        self._begun = True
        text = "".join(wrapped(line, window()) + "\n" for line in lines)
        click.echo(above + _TOP + text, nl=False)
        self.notes = []


def heading(title: str, detail: str, *hints: str) -> list[str]:
    """The first lines of a screen: which game it is, what can be typed, the first of it at least, and a rule."""
    left = f"{styled(title, bold=True)}  {detail}"
    used, columns = width(f"{title}  {detail}"), window()
    for shown in range(len(hints), 0, -1):
        right = "  ".join(hints[:shown])
        if used + 2 + width(right) <= columns:
            left += " " * (columns - used - width(right)) + styled(right, dim=True)
            break
    return [left, "─" * columns]


def columns_of(cells: Sequence[tuple[str, int]]) -> str:
    """Cells in a row, each filled up to its columns."""
    return "".join(padded(text, room) for text, room in cells).rstrip()
