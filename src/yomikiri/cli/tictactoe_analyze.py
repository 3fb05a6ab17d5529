"""`yomikiri tictactoe analyze`: the value of each move, best play and the reasons. Also pictures of positions."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any

import click

from yomikiri.api.queries_tictactoe import SECONDS, AnalyzeQuery, position_from
from yomikiri.cli.asking import with_settings
from yomikiri.cli.base import INTERRUPTED, command, echo_json, json_option
from yomikiri.cli.terminal import searching
from yomikiri.cli.text import beside, say, styled, width, window, window_lines, wrapped
from yomikiri.cli.tictactoe_winner import BOARD_CONFLICT, position_options, position_pairs
from yomikiri.common.budget import Stopped
from yomikiri.tictactoe.advice import Advice, PartialAdvice
from yomikiri.tictactoe.explanations import explain
from yomikiri.tictactoe.guarantees import Guarantee
from yomikiri.tictactoe.position import Player, Position
from yomikiri.wording import tictactoe as wording
from yomikiri.wording import tictactoe_screens as screen_wording

_COLOURS = {Player.FIRST: "green", Player.SECOND: "red"}
_NARROWEST = 34  # the narrowest readable column of reasons


def picture(position: Position, notes: Mapping[int, str] | None = None) -> Iterator[str]:
    """Yield the lines of a picture of the position. `notes` maps indices of empty cells to texts in them."""
    if sys.stdout.isatty():
        yield from _drawn(position, notes or {})
        return
    board = position.board
    below = [position.mark(cell) or (notes or {}).get(cell, "") for cell in range(board.size)]
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


def _drawn(position: Position, notes: Mapping[int, str], best: Collection[int] = ()) -> Iterator[str]:
    """Yield two lines for each row of a board: the weights of its cells, then their marks.

    An empty cell shows its text in `notes` instead of a mark, in brackets if it is in `best`.
    """
    shape = position.board
    below = [position.mark(cell) or notes.get(cell, ".") for cell in range(shape.size)]
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


def analysis_lines(advice: Advice) -> Iterator[str]:
    """Yield the full analysis: the values of the moves, the result, best play and the reasons.

    At a terminal, the board is beside best play and the reasons. The pictures of the reasons are left out if the window
    has too few lines.
    """
    if sys.stdout.isatty():
        lines = [*_beside(advice, pictures=True)]
        tall = sum(len(wrapped(line, window()).split("\n")) for line in lines) >= window_lines()
        yield from _beside(advice, pictures=False) if tall else lines
        return
    yield from move_value_lines(advice)
    yield wording.verdict(advice)
    yield from reasons(advice)
    yield wording.line_of_play(advice)


def move_value_lines(advice: Advice | PartialAdvice) -> Iterator[str]:
    """Yield the picture of the position with the known values of its moves."""
    yield wording.to_move(advice.position)
    if sys.stdout.isatty() and isinstance(advice, PartialAdvice):
        yield from _drawn(advice.position, screen_wording.cells(advice))
        yield styled(screen_wording.legend(advice), dim=True)
        return
    yield from picture(advice.position, wording.notes(advice))
    yield wording.legend(advice)


def _centred(text: str, columns: int) -> str:
    left = (columns - width(text)) // 2
    return " " * left + text + " " * (columns - width(text) - left)


def _beside(advice: Advice, *, pictures: bool) -> Iterator[str]:
    """Yield the board with the values of the moves, then the moves of best play with the reasons for the result.

    Best play and the reasons are to the right of the board if they fit there, otherwise below.
    """

    def why(columns: int) -> list[str]:
        return [wording.line_of_play(advice), *reasons(advice, columns if pictures else 0)]

    yield styled(screen_wording.headline(advice), bold=True)
    shown = [*_drawn(advice.position, screen_wording.cells(advice), advice.best_moves)]
    left = max(map(width, shown)) + 4
    free_columns = window() - left
    if free_columns >= _NARROWEST:
        yield from beside(
            shown, [part for line in why(free_columns) for part in wrapped(line, free_columns).split("\n")]
        )
    else:
        yield from shown
        yield from why(window())
    yield styled(screen_wording.legend(advice), dim=True)


def reasons(advice: Advice, columns: float = inf) -> Iterator[str]:
    """Yield the reasons for the result, each with its picture.

    `columns` is the width that is available for the pictures. If it is 0, the pictures are left out.
    """
    why = explain(advice)
    if why.block:
        yield wording.must_stop(advice, why)
    for guarantee in why.guarantees:
        yield wording.because(advice, guarantee)
        if columns:
            yield from _justification_picture(advice.position, guarantee, columns)


def _justification_picture(position: Position, guarantee: Guarantee, columns: float) -> Iterator[str]:
    """Yield small pictures of the reason for a guarantee: a result that a player achieves against every play.

    A picture of pairs is shown below: `X` is a taken cell, and the two cells of a pair have the same letter. If the
    reason is several possible full boards, each has a picture, and the pictures are side by side if they fit.

      a b c
    1 A B B
    2 A X C
    3 D D C
    """
    blocks = [_small(rows) for rows in wording.pictures(position, guarantee)]
    block_width = max((width(line) for block in blocks for line in block), default=0) + 3
    abreast = int(max(1, min(len(blocks), (columns + 3) // block_width))) if blocks else 1
    for first in range(0, len(blocks), abreast):
        for lines in zip(*blocks[first : first + abreast], strict=True):
            yield "   ".join(lines).rstrip()


def _small(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a picture: the letters of the columns, then the rows with their numbers and cells."""
    columns = max(len(cell) for row in rows for cell in row)
    heading = [f"{letter:>{columns}}" for letter in "abcdefgh"[: len(rows[0])]]
    return [
        "   " + " ".join(heading),
        *(f"{number:>2} " + " ".join(f"{cell:>{columns}}" for cell in row) for number, row in enumerate(rows, start=1)),
    ]


@command(conflicts=(BOARD_CONFLICT,))
@position_options
@with_settings(SECONDS)
@json_option
@click.pass_context
def analyze(ctx: click.Context, file: str | None, as_json: bool, seconds: float | None) -> int:
    """Show the value of every move, best play, and the reason.

    FILE, or standard input, contains one board: rows of integers, any shape up to 8x8. Large boards take long;
    Ctrl-C stops the search and shows the results so far.
    """
    question = AnalyzeQuery(position_from(position_pairs(ctx, file)), seconds)
    try:
        with searching(wording.solving(), partial(wording.progress, question.position.to_move)) as budget:
            advice = question.answer(budget)
    except Stopped as stopped:
        found: PartialAdvice = stopped.best
        if found.moves and not as_json:
            say(*move_value_lines(found))
        click.echo(wording.interrupted(wording.so_far(found)), err=True)
        return INTERRUPTED
    if as_json:
        echo_json(question.document(advice))
        return 0
    say(*analysis_lines(advice))
    return 0
