"""`yomikiri tictactoe analyze`: where every move leads, the best line of play, and why; and a position as a picture."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import partial, reduce
from math import inf

import click

from yomikiri.ask.cells import SECONDS, Analyze, position_told
from yomikiri.budget import Stopped
from yomikiri.cli import tictactoe_screens as screens
from yomikiri.cli.asking import takes
from yomikiri.cli.base import INTERRUPTED, command, echo_json, json_option
from yomikiri.cli.terminal import searching
from yomikiri.cli.text import say, width
from yomikiri.cli.tictactoe_winner import BOARD_IDLE, position_options, position_pairs
from yomikiri.tictactoe.advice import Advice, PartialAdvice
from yomikiri.tictactoe.board import by_row
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.why import Guarantee, explain
from yomikiri.wording import tictactoe as wording
from yomikiri.wording.tictactoe import MARKS


def picture(position: Position, notes: Mapping[int, str] | None = None) -> Iterator[str]:
    """The lines of the picture; `notes` by cell stand in empty cells."""
    if sys.stdout.isatty():
        yield from screens.board(position, notes or {})
        return
    board = position.board
    below = [_mark(position, cell) or (notes or {}).get(cell, "") for cell in range(board.size)]
    columns = 2 + max(map(width, [*map(str, board.flat), *below]))
    below = [_centred(text, columns) for text in below]
    bar = "─" * columns
    yield "   " + " ".join(_centred("abcdefgh"[column], columns) for column in range(board.columns)).rstrip()
    yield "  ┌" + "┬".join([bar] * board.columns) + "┐"
    for row in range(board.rows):
        if row:
            yield "  ├" + "┼".join([bar] * board.columns) + "┤"
        cells = range(row * board.columns, (row + 1) * board.columns)
        yield f"{row + 1} │" + "│".join(_centred(str(board.flat[cell]), columns) for cell in cells) + "│"
        yield "  │" + "│".join(below[cell] for cell in cells) + "│"
    yield "  └" + "┴".join([bar] * board.columns) + "┘"


def analysis(advice: Advice) -> Iterator[str]:
    """The lines that say all there is to say of a position, at a terminal side by side."""
    if sys.stdout.isatty():
        best = wording.line_of_play(advice)
        yield from screens.screenful(advice, lambda columns, drawn: [best, *reasons(advice, columns if drawn else 0)])
        return
    yield from valued(advice)
    yield wording.verdict(advice)
    yield from reasons(advice)
    yield wording.line_of_play(advice)


def valued(advice: Advice | PartialAdvice) -> Iterator[str]:
    """The lines that show what the moves of a position are worth, as far as they have been read."""
    yield wording.to_move(advice.position)
    if sys.stdout.isatty() and isinstance(advice, PartialAdvice):
        yield from screens.so_far(advice)
        return
    yield from picture(advice.position, wording.notes(advice))
    yield wording.legend(advice)


def _mark(position: Position, cell: int) -> str:
    owner = position.owner(cell)
    return MARKS[owner] if owner else ""


def _centred(text: str, columns: int) -> str:
    left = (columns - width(text)) // 2
    return " " * left + text + " " * (columns - width(text) - left)


def reasons(advice: Advice, columns: float = inf) -> Iterator[str]:
    """The lines that say why a position ends as it does: sentences, and below each its picture, in so many columns;
    no pictures in none."""
    why = explain(advice)
    if why.block:
        yield wording.must_stop(advice, why)
    for guarantee in why.guarantees:
        yield wording.because(advice, guarantee)
        if columns:
            yield from ground_picture(advice.position, guarantee, columns)


def ground_picture(position: Position, guarantee: Guarantee, columns: float = inf) -> Iterator[str]:
    """The lines of a small picture of what a guarantee of `position` rests on, none where there is nothing to see.

    Cells of a pair have the same letter, the cell left over a dot; cells that complete a line `!`; cells to be taken in
    turn their number; a cell that has an answer holds it; full boards stand side by side, as many as have room.

        a b c
      1 A B A
      2 X C B
      3 D D C
    """
    position = reduce(Position.play, guarantee.moves, position)
    blocks = [_small(position, each) for each in wording.marks(position, guarantee)]
    room = max((width(line) for block in blocks for line in block), default=0) + 3
    abreast = int(max(1, min(len(blocks), (columns + 3) // room))) if blocks else 1
    for first in range(0, len(blocks), abreast):
        for lines in zip(*blocks[first : first + abreast], strict=True):
            yield "   ".join(lines).rstrip()


def _small(position: Position, marks: Mapping[int, str]) -> list[str]:
    """The lines of a picture with a mark in each cell and nothing else."""
    board = position.board
    cells = [_mark(position, cell) or marks.get(cell, "·") for cell in range(board.size)]
    columns = max(map(len, cells))
    rows = by_row(board, cells)
    heading = [f"{letter:>{columns}}" for letter in "abcdefgh"[: board.columns]]
    return [
        "   " + " ".join(heading),
        *(f"{number:>2} " + " ".join(f"{cell:>{columns}}" for cell in row) for number, row in enumerate(rows, start=1)),
    ]


@command(
    idle=(BOARD_IDLE,),
)
@position_options
@takes(SECONDS)
@json_option
@click.pass_context
def analyze(ctx: click.Context, file: str | None, as_json: bool, seconds: float | None) -> int:
    """Show the value of every move, best play, and the reason.

    FILE, or standard input, holds one board: rows of integers, any shape up to 8x8. Large boards take long; Ctrl-C
    stops the search and shows what is certain by then.
    """
    question = Analyze(position_told(position_pairs(ctx, file)), seconds)
    try:
        with searching(wording.reading(), partial(wording.progress, question.position.to_move)) as budget:
            advice = question.answer(budget)
    except Stopped as stopped:
        found: PartialAdvice = stopped.best
        if found.moves and not as_json:
            say(*valued(found))
        click.echo(wording.interrupted(wording.so_far(found)), err=True)
        return INTERRUPTED
    if as_json:
        echo_json(question.document(advice))
        return 0
    say(*analysis(advice))
    return 0
