"""Text on a terminal: its width, line wrapping and styles, a notice, and a screen that is redrawn in place.

A drawn screen has three parts:

    frame    the name of the game and the turns so far           from `SessionGame.frame`
    body     the state: the suggestion, or an error in the turns  printed by `SessionGame.show`
    notes    the reply to the last line                           everything else that is printed

Earlier content of the terminal scrolls up and stays. On a terminal that cannot redraw (TERM=dumb), and in a pipe, each
text is printed once, below the earlier ones.
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

_ERASE_LINE = "\r\x1b[K"
_TOP = "\x1b[H\x1b[J"  # move the cursor to the upper left corner and erase everything below


def width(text: str) -> int:
    """Return the number of columns of `text` on a terminal.

    A wide character, such as a Japanese one, has two columns. Styles have none.
    """
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in click.unstyle(text))


def padded(text: str, columns: int) -> str:
    """Return `text` with spaces appended up to a width of `columns`, but at least one space."""
    return text + " " * max(1, columns - width(text))


def cut(text: str, columns: int) -> str:
    """Return `text` cut to a width of at most `columns`, with an ellipsis if something is missing."""
    if width(text) <= columns:
        return text
    kept = ""
    for letter in text:
        if width(kept + letter) >= columns:
            break
        kept += letter
    return kept + "…"


# A piece that is never broken: a word or one wide character, with the brackets and punctuation around it.
_PIECE = re.compile(r"\s+|[「『（]*(?:[!-~\x1b]+|\S)[、。：；）」』！？…]*")

# The start of a line: its indentation, or the first column of a list.
_BEGIN = re.compile(r" +\S.{,14}? {2,}| *")


def wrapped(text: str, columns: int) -> str:
    """Break `text` into lines of at most `columns` columns, between words or Japanese characters.

    Continued lines have the indentation of the first line, or of the second column of a list. A word longer than the
    line is not broken.
    """
    return "\n".join(_wrapped(line, columns) for line in text.split("\n"))


def _wrapped(text: str, columns: int) -> str:
    if width(text) <= columns:
        return text
    begin = _BEGIN.match(text)
    assert begin, "it matches nothing, too"
    return hung(begin[0], text[begin.end() :], columns)


def hung(begin: str, text: str, columns: int) -> str:
    """Return `begin` followed by `text`, wrapped to `columns` columns.

    Later lines are indented by the width of `begin`.
    """
    margin = " " * width(begin)
    lines = [begin]
    for piece in _PIECE.findall(text):
        if lines[-1] not in (begin, margin) and width(lines[-1] + piece.rstrip()) > columns:
            lines.append(margin + piece.lstrip())
        else:
            lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def styled(text: str, **style: Any) -> str:
    """Return `text` in a style of `click.style`, or plain for pipes, NO_COLOR and simple terminals."""
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or not can_draw()
    return text if plain else click.style(text, **style)


def beside(left: Sequence[str], right: Sequence[str]) -> Iterator[str]:
    """Yield the lines of two blocks side by side."""
    indent = max(map(width, left), default=0) + 4
    for one, other in zip_longest(left, right, fillvalue=""):
        yield (padded(one, indent) + other).rstrip()


def heading(title: str, detail: str, *hints: str) -> list[str]:
    """Return the head of a screen: a line with the name of the game, and below it a horizontal line.

    The first line also has as many of the `hints` as fit.
    """
    left = f"{styled(title, bold=True)}  {detail}"
    used, columns = width(f"{title}  {detail}"), window()
    for shown in range(len(hints), 0, -1):
        right = "  ".join(hints[:shown])
        if used + 2 + width(right) <= columns:
            left += " " * (columns - used - width(right)) + styled(right, dim=True)
            break
    return [left, "─" * columns]


def columns_of(cells: Sequence[tuple[str, int]]) -> str:
    """Join pairs of a text and a width, each text padded to its width."""
    return "".join(padded(text, columns) for text, columns in cells).rstrip()


def window() -> int:
    """Return the number of columns of the terminal window."""
    return shutil.get_terminal_size().columns


def window_lines() -> int:
    """Return the number of lines of the terminal window."""
    return shutil.get_terminal_size().lines


def say(*texts: str) -> None:
    """Erase the notice on standard error, if there is one, and print texts on standard output.

    At a terminal, the texts are wrapped to the window.
    """
    erase_notice()
    for text in texts:
        click.echo(wrapped(text, window()) if sys.stdout.isatty() else text)


def can_draw() -> bool:
    """Return True if the terminal can move its cursor."""
    return os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")


def erase_sequence() -> str:
    """Return the escape sequence that erases the current line; "" if the terminal cannot erase lines."""
    return _ERASE_LINE if can_draw() else ""


class _Notice:
    """The notice on standard error that the next output replaces, "" if there is none."""

    text = ""


_notice = _Notice()


def show_notice(text: str) -> None:
    """Show a notice on standard error until `erase_notice`, at a terminal only."""
    text = cut(text, window() - 1)
    if sys.stderr.isatty() and text != _notice.text:
        _notice.text = text  # Store the text before printing it, because Ctrl-C may come as soon as it is printed.
        click.echo(f"{erase_sequence()}{text}\r", nl=False, err=True)


def erase_notice() -> bool:
    """Erase the notice on standard error. Return False if there is no notice."""
    text, _notice.text = _notice.text, ""
    if text:
        click.echo(erase_sequence() or f"\r{' ' * width(text)}\r", nl=False, err=True)
    return bool(text)


class _CapturedOutput(io.StringIO):
    """A buffer that replaces standard output. It claims to be a terminal so that the text in it has colours."""

    def isatty(self) -> bool:
        return True


class Screen:
    """The content of a screen that is redrawn in place, in three parts.

    - `frame`: the name of the game and the turns so far.
    - `body`: the state of the game.
    - `notes`: the reply to the user's last line.
    """

    def __init__(self) -> None:
        # The frame is a function, because the width of the window may differ at each drawing.
        self.frame: Callable[[], Sequence[str]] = tuple
        self.body: Sequence[str] = ()
        self.notes: list[str] = []
        self._shown: list[str] = []  # the notes of the last drawing
        self._begun = False

    @contextmanager
    def keeping_body(self) -> Iterator[None]:
        """Capture the text printed in the block, and make it the body of the screen: the state of the game."""
        with redirect_stdout(_CapturedOutput()) as kept:
            yield
        self.body = kept.getvalue().splitlines()

    @contextmanager
    def keeping_notes(self) -> Iterator[None]:
        """Capture the text printed in the block, and add it to the notes: the reply to the user's last line."""
        kept = _CapturedOutput()
        try:
            with redirect_stdout(kept):
                yield
        finally:
            self.notes += kept.getvalue().splitlines()

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """Make the screen empty for the duration of the block. The present content is restored after the block."""
        before = self.frame, self.body, self.notes
        self.frame, self.body, self.notes = tuple, (), []
        try:
            yield
        finally:
            self.frame, self.body, self.notes = before

    def draw(self) -> None:
        """Draw the frame, the body and the notes. The notes are drawn once: they are empty after this call.

        The notes are the reply to the user's last line.
        """
        frame = self.frame()
        blank = [""] if self.notes and (frame or self.body) else []
        lines = [*frame, *self.body, *blank, *self.notes]
        above = "" if self._begun else "\n" * (window_lines() - 1)
        self._begun = True
        text = "".join(wrapped(line, window()) + "\n" for line in lines)
        click.echo(above + _TOP + text, nl=False)
        self._shown, self.notes = self.notes, []

    def keep_notes(self) -> None:
        """Show the notes of the last drawing again at the next drawing, before any new notes.

        Notes are replies to the user's input.
        """
        self.notes = [*self._shown, *self.notes]
