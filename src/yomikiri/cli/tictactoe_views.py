"""A board as a picture: the weights in the cells, below them who took the cell or a note.

    a     b     c
  ┌─────┬─────┬─────┐
1 │ -2  │  0  │ -1  │
  │ -1  │ *+1 │  X  │
  ├─────┼─────┼─────┤
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from yomikiri.cli.screen import bold, width
from yomikiri.tictactoe.position import Player, Position
from yomikiri.wording.tictactoe import MARKS


def picture(position: Position, notes: Mapping[int, str] | None = None) -> Iterator[str]:
    """The lines of the picture; `notes` by cell stand in empty cells, one that begins with `*` in bold."""
    board = position.board
    below = [_mark(position, cell) or (notes or {}).get(cell, "") for cell in range(board.size)]
    columns = 2 + max(map(width, [*map(str, board.flat), *below]))
    bar = "─" * columns
    yield "   " + " ".join(_centred("abcdefgh"[column], columns) for column in range(board.columns)).rstrip()
    yield "  ┌" + "┬".join([bar] * board.columns) + "┐"
    for row in range(board.rows):
        if row:
            yield "  ├" + "┼".join([bar] * board.columns) + "┤"
        cells = range(row * board.columns, (row + 1) * board.columns)
        yield f"{row + 1} │" + "│".join(_centred(str(board.flat[cell]), columns) for cell in cells) + "│"
        yield "  │" + "│".join(_strong(_centred(below[cell], columns)) for cell in cells) + "│"
    yield "  └" + "┴".join([bar] * board.columns) + "┘"


def _mark(position: Position, cell: int) -> str:
    for player in Player:
        if position.taken_by(player) >> cell & 1:
            return MARKS[player]
    return ""


def _centred(text: str, columns: int) -> str:
    left = (columns - width(text)) // 2
    return " " * left + text + " " * (columns - width(text) - left)


def _strong(text: str) -> str:
    return bold(text) if "*" in text else text
