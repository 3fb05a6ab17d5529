"""`yomikiri tictactoe analyze`: where every move leads, the best line of play, and why."""

from __future__ import annotations

from functools import partial

import click

from yomikiri.budget import Stopped
from yomikiri.cli.base import INTERRUPTED, Command, echo_json, json_option, language_option
from yomikiri.cli.progress import searching
from yomikiri.cli.terminal import say
from yomikiri.cli.tictactoe_input import BOARD_IDLE, position_options, read_position
from yomikiri.cli.tictactoe_views import reasons, valued
from yomikiri.tictactoe.advice import PartialAdvice, analyze
from yomikiri.wording import tictactoe as wording


@click.command(
    "analyze",
    cls=Command,
    help="Show the value of every move, best play, and the reason.\n\n"
    "FILE, or standard input, holds one board: rows of integers, any shape up to 8x8. "
    "Large boards take long; Ctrl-C stops the search and shows what is certain by then.",
    idle=(BOARD_IDLE,),
)
@position_options
@json_option
@language_option
def analyze_command(file: str | None, board: str | None, line: int, moves: str, as_json: bool) -> int:
    """Show the advice on one position."""
    position, _played = read_position(file, board, line, moves)
    try:
        with searching(wording.reading(), partial(wording.progress, position.to_move)) as budget:
            advice = analyze(position, budget)
    except Stopped as stopped:
        found: PartialAdvice = stopped.best
        if found.moves and not as_json:
            for text in valued(found):
                say(text)
        click.echo(wording.interrupted(wording.so_far(found)), err=True)
        return INTERRUPTED
    if as_json:
        from yomikiri.documents import tictactoe as documents

        echo_json(documents.analysis(advice))
        return 0
    for text in valued(advice):
        say(text)
    say(wording.verdict(advice))
    for text in reasons(advice):
        say(text)
    say(wording.line_of_play(advice))
    return 0
