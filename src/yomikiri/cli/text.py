"""Text on a terminal: as wide as it is, in lines that fit, and said."""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import click

EMPTIED = "\r\x1b[K"  # takes back the line in which the cursor stands


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


def bold(text: str) -> str:
    """`text` in bold where a person is watching and has not asked for plain text."""
    return styled(text, bold=True)


def styled(text: str, **style: Any) -> str:
    """`text` in a style of `click.style` where a person is watching and has not asked for plain text."""
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR")
    return text if plain else click.style(text, **style)


def beside(left: Sequence[str], right: Sequence[str]) -> Iterator[str]:
    """Lines with others to their right."""
    room = max(map(width, left), default=0) + 4
    for one, other in zip_longest(left, right, fillvalue=""):
        yield (padded(one, room) + other).rstrip()


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
