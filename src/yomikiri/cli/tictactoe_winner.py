"""`yomikiri tictactoe winner`: the contest's answer, a line a board."""

from __future__ import annotations

import sys
from functools import partial

import click

from yomikiri.budget import Stopped
from yomikiri.cli.base import INTERRUPTED, Command, Option, language_option
from yomikiri.cli.progress import searching
from yomikiri.cli.tictactoe_input import blocks_of, file_argument, line_option
from yomikiri.tictactoe.board import MAX_SIDE, Board
from yomikiri.tictactoe.notation import CONTEST_NAMES, no_board
from yomikiri.tictactoe.position import Player, Position, Tie
from yomikiri.tictactoe.text import winners_of_text


@click.command(
    cls=Command,
    help="Print the winner under best play, one per board: Takahashi (first), Aoki (second) or Draw.\n\n"
    "FILE, or standard input, holds boards of one shape: rows of integers, with a blank line between boards. Boards"
    " with three columns are 3x3; the blank lines between them may be left out.",
)
@file_argument
@line_option
@click.option(
    "--rows", cls=Option, type=click.IntRange(1, MAX_SIDE), help="Rows of each board, if no blank lines separate them."
)
@click.option("--tie", cls=Option, type=click.Choice(["draw", "first", "second"]), default="draw", show_default=True,
              help="Who wins a full board with equal sums.")  # fmt: skip
@language_option
def winner(file: str, line: int, rows: int | None, tie: str) -> None:
    """Answer each board as soon as it is complete."""
    empty = True
    lines = [f"{name}\n" for name in CONTEST_NAMES]
    rule = Tie(tie)
    for found in winners_of_text(blocks_of(file), rule, line=line, rows=rows, other=partial(_searched, tie=rule)):
        sys.stdout.write("".join([lines[sign] for sign in found]))
        empty = False
    if empty:
        raise no_board()


def _searched(board: Board, tie: Tie) -> Player | None:
    """The winner of a board that needs a search; at an interrupt it says what is certain, and the command ends."""
    # Imported here: 3x3 boards do without, and start faster.
    from yomikiri.tictactoe.search.margins import winner
    from yomikiri.wording import tictactoe as wording

    position = Position(board)
    # What is answered goes out before a search that may take long.
    sys.stdout.flush()
    try:
        with searching("", partial(wording.progress, position.to_move)) as budget:
            return winner(position, tie, budget)
    except Stopped as stopped:
        click.echo(wording.interrupted(wording.certain(position.to_move, stopped.best)), err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
