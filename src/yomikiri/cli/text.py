"""Text on a terminal: as wide as it is, in lines that fit, and said; or a screenful that is drawn anew in its place.

A screenful is what a game shows, what was said of the last line, and what is asked:

    frame    which game it is, and the lines so far        from `Game.frame`
    body     how it stands: the guess, or what is wrong    what `Game.show` says
    notes    what the last line had for an answer          all else that is said

What stood on the terminal before is scrolled away, not lost. Where a terminal cannot do that (TERM=dumb), and through
pipes, everything is said line by line.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from itertools import zip_longest
from typing import Any

import click

_EMPTIED = "\r\x1b[K"
_TOP = "\x1b[H\x1b[J"  # the cursor to the upper left corner, and everything from there on erased


def width(text: str) -> int:
    """Columns of `text` on a terminal, where a Japanese character takes two and a style none."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in click.unstyle(text))


def padded(text: str, columns: int) -> str:
    """`text` with blanks after it to that many columns, at least one."""
    return text + " " * max(1, columns - width(text))


def cut(text: str, columns: int) -> str:
    """`text` in that many columns at most, an ellipsis in place of what is left out."""
    if width(text) <= columns:
        return text
    kept = ""
    for letter in text:
        if width(kept + letter) >= columns:
            break
        kept += letter
    return kept + "…"


# What stays together on a line: a word of narrow letters or one wide letter, with the brackets and stops around it.
_PIECE = re.compile(r"\s+|[「『（]*(?:[!-~\x1b]+|\S)[、。：；）」』！？…]*")

# Blanks, and the first column of a list.
_BEGIN = re.compile(r" +\S.{,14}? {2,}| *")


def wrapped(text: str, columns: int) -> str:
    """`text` in lines of that many columns, broken between words or Japanese letters.

    They begin as far in as the first, or as the second column of a list. What fits stays as it is, a longer word has a
    line of its own.
    """
    return "\n".join(_wrapped(line, columns) for line in text.split("\n"))


def _wrapped(text: str, columns: int) -> str:
    if width(text) <= columns:
        return text
    begin = _BEGIN.match(text)
    assert begin, "it matches nothing, too"
    return hung(begin[0], text[begin.end() :], columns)


def hung(begin: str, text: str, columns: int) -> str:
    """`begin`, and `text` beside it in lines of that many columns in all, each as far in as the first."""
    margin = " " * width(begin)
    lines = [begin]
    for piece in _PIECE.findall(text):
        if lines[-1] not in (begin, margin) and width(lines[-1] + piece.rstrip()) > columns:
            lines.append(margin + piece.lstrip())
        else:
            lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def styled(text: str, **style: Any) -> str:
    """`text` in a style of `click.style` where a person is watching and has not asked for plain text."""
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or not can_draw()
    return text if plain else click.style(text, **style)


def beside(left: Sequence[str], right: Sequence[str]) -> Iterator[str]:
    """Lines with others to their right."""
    room = max(map(width, left), default=0) + 4
    for one, other in zip_longest(left, right, fillvalue=""):
        yield (padded(one, room) + other).rstrip()


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


def window() -> int:
    """How many columns the terminal has."""
    return shutil.get_terminal_size().columns


def window_lines() -> int:
    """How many lines the terminal has."""
    return shutil.get_terminal_size().lines


def say(*texts: str) -> None:
    """Say each of `texts` on standard output, to a person in lines that fit the window."""
    for text in texts:
        click.echo(wrapped(text, window()) if sys.stdout.isatty() else text)


def can_draw() -> bool:
    """Whether the terminal moves its cursor where it is told to."""
    return os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")


def emptied() -> str:
    """Return what takes back the line of the cursor; nothing on a terminal that cannot do that."""
    return _EMPTIED if can_draw() else ""


class _Kept(io.StringIO):
    """Standard output that is kept to be drawn: what is written there may have colours, as on the terminal."""

    def isatty(self) -> bool:
        return True


class Screen:
    """What stands on the terminal."""

    def __init__(self) -> None:
        self.frame: Callable[[], Sequence[str]] = tuple  # made for each drawing, as wide as the window is then
        self.body: Sequence[str] = ()
        self.notes: list[str] = []
        self._shown: list[str] = []  # the notes that were drawn last
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

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """Use an empty screen meanwhile, and then this one as it was."""
        before = self.frame, self.body, self.notes
        self.frame, self.body, self.notes = tuple, (), []
        try:
            yield
        finally:
            self.frame, self.body, self.notes = before

    def draw(self) -> None:
        """Draw all of it; what was said of the last line is then done with."""
        frame = self.frame()
        apart = [""] if self.notes and (frame or self.body) else []
        lines = [*frame, *self.body, *apart, *self.notes]
        above = "" if self._begun else "\n" * (window_lines() - 1)
        self._begun = True
        text = "".join(wrapped(line, window()) + "\n" for line in lines)
        click.echo(above + _TOP + text, nl=False)
        self._shown, self.notes = self.notes, []

    def keep_notes(self) -> None:
        """Show the last notes once more, when the screen is drawn again."""
        self.notes = [*self._shown, *self.notes]
