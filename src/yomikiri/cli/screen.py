"""What a terminal does with text: how many columns it takes, what is bold, how wide the window is."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata

import click


def width(text: str) -> int:
    """Columns of `text` on a terminal, where a Japanese character takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


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


def bold(text: str) -> str:
    """`text` in bold where a person is watching and has not asked for plain text."""
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR")
    return text if plain else click.style(text, bold=True)


def window() -> int:
    """How many columns the terminal has."""
    return shutil.get_terminal_size().columns
