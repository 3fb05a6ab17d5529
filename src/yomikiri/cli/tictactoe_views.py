"""A board as a picture: the weights in the cells, below them who took the cell or a note.

    a     b     c
  ┌─────┬─────┬─────┐
1 │ -2  │  0  │ -1  │
  │ -1  │ *+1 │  X  │
  ├─────┼─────┼─────┤
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterator, Mapping

import click

from yomikiri.tictactoe.position import Player, Position
from yomikiri.wording.tictactoe import MARKS


def picture(position: Position, notes: Mapping[int, str] | None = None) -> Iterator[str]:
    """The lines of the picture; `notes` by cell stand in empty cells, one that begins with `*` in bold."""
    board = position.board
    below = [_mark(position, cell) or (notes or {}).get(cell, "") for cell in range(board.size)]
    width = 2 + max(map(_width, [*map(str, board.flat), *below]))
    bar = "─" * width
    yield "   " + " ".join(_centred("abcdefgh"[column], width) for column in range(board.columns)).rstrip()
    yield "  ┌" + "┬".join([bar] * board.columns) + "┐"
    for row in range(board.rows):
        if row:
            yield "  ├" + "┼".join([bar] * board.columns) + "┤"
        cells = range(row * board.columns, (row + 1) * board.columns)
        yield f"{row + 1} │" + "│".join(_centred(str(board.flat[cell]), width) for cell in cells) + "│"
        yield "  │" + "│".join(_strong(_centred(below[cell], width)) for cell in cells) + "│"
    yield "  └" + "┴".join([bar] * board.columns) + "┘"


def _mark(position: Position, cell: int) -> str:
    for player in Player:
        if position.taken_by(player) >> cell & 1:
            return MARKS[player]
    return ""


def _width(text: str) -> int:
    """Columns on a terminal, where Japanese characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _centred(text: str, width: int) -> str:
    left = (width - _width(text)) // 2
    return " " * left + text + " " * (width - _width(text) - left)


def _strong(text: str) -> str:
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return click.style(text, bold=True) if coloured and "*" in text else text
