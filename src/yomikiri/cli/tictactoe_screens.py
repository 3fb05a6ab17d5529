"""What a board of tic-tac-toe looks like on a screen: weights, marks, what moves are worth, and why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from yomikiri.cli.text import beside, styled, width, window, window_lines, wrapped
from yomikiri.tictactoe.advice import Advice, PartialAdvice
from yomikiri.tictactoe.position import Player, Position
from yomikiri.wording import tictactoe_screens as words_of_screens
from yomikiri.wording.tictactoe import MARKS

_COLOURS = {Player.FIRST: "green", Player.SECOND: "red"}
_NARROWEST = 34  # columns in which reasons are still read with ease


def board(position: Position, notes: Mapping[int, str], best: Collection[int] = ()) -> Iterator[str]:
    """Of each row the weights, and below them what stands in the cells: in free ones the `notes`, in brackets those of
    the `best`."""
    shape = position.board
    below = [_mark(position, cell) or notes.get(cell, ".") for cell in range(shape.size)]
    end = " " if best else ""
    columns = 1 + max(map(width, [*map(str, shape.flat), *below]))
    if 2 * shape.columns * (columns + 1 + len(end)) <= window():
        columns += 1

    def shown(text: str, **style: Any) -> str:
        return " " * (columns - width(text)) + styled(text, **style) + end

    def cell_below(cell: int) -> str:
        if cell in best:
            return " " * (columns - width(below[cell]) - 1) + styled(f"[{below[cell]}]", bold=True, reverse=True)
        owner = position.owner(cell)
        return shown(below[cell], **({"fg": _COLOURS[owner], "bold": True} if owner else {}))

    yield "  " + "".join(map(shown, "abcdefgh"[: shape.columns])).rstrip()
    for row in range(shape.rows):
        cells = range(row * shape.columns, (row + 1) * shape.columns)
        yield f"{row + 1} " + "".join(shown(str(shape.flat[cell]), dim=True) for cell in cells).rstrip()
        yield "  " + "".join(map(cell_below, cells)).rstrip()


def so_far(advice: PartialAdvice) -> Iterator[str]:
    """What the moves read by then are worth."""
    yield from board(advice.position, words_of_screens.cells(advice))
    yield styled(words_of_screens.legend(advice), dim=True)


def _mark(position: Position, cell: int) -> str:
    owner = position.owner(cell)
    return MARKS[owner] if owner else ""


def screenful(advice: Advice, why: Callable[[int, bool], Sequence[str]]) -> Sequence[str]:
    """What each move is worth, and beside it `why`, in so many columns; below it where that is too narrow.

    `why` are sentences with pictures, or sentences alone where the window is too low for both.
    """
    lines = [*_laid(advice, lambda columns: why(columns, True))]
    tall = sum(len(wrapped(line, window()).split("\n")) for line in lines) >= window_lines()
    return [*_laid(advice, lambda columns: why(columns, False))] if tall else lines


def _laid(advice: Advice, why: Callable[[int], Sequence[str]]) -> Iterator[str]:
    yield styled(words_of_screens.headline(advice), bold=True)
    shown = [*board(advice.position, words_of_screens.cells(advice), advice.best_moves)]
    left = max(map(width, shown)) + 4
    room = window() - left
    if room >= _NARROWEST:
        yield from beside(shown, [part for line in why(room) for part in wrapped(line, room).split("\n")])
    else:
        yield from shown
        yield from why(window())
    yield styled(words_of_screens.legend(advice), dim=True)
