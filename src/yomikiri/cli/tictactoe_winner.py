"""`yomikiri tictactoe winner`: the contest's answer, a line a board."""

from __future__ import annotations

import sys

import click

from yomikiri.cli.base import Command, Option, language_option
from yomikiri.cli.tictactoe_input import blocks_of, file_argument
from yomikiri.tictactoe.errors import EmptyBoard
from yomikiri.tictactoe.notation import CONTEST_NAMES
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.text import winners_of_text


@click.command(
    cls=Command,
    help="Who wins with best play: Takahashi (first), Aoki (second) or Draw, a line for every board.\n\n"
    "FILE, or standard input, holds 3x3 boards: three rows of three integers each, blank lines between them allowed.",
)
@file_argument
@click.option("--tie", cls=Option, type=click.Choice(["draw", "first", "second"]), default="draw", show_default=True,
              help="Who wins a full board with equal sums.")  # fmt: skip
@language_option
def winner(file: str, tie: str) -> None:
    """Answer each board as soon as it is complete."""
    empty = True
    lines = [f"{name}\n" for name in CONTEST_NAMES]
    for found in winners_of_text(blocks_of(file), Tie(tie)):
        sys.stdout.write("".join([lines[sign] for sign in found]))
        empty = False
    if empty:
        raise EmptyBoard
