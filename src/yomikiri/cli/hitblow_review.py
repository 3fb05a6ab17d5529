"""`yomikiri hitblow review`: a game judged turn by turn."""

from __future__ import annotations

import sys

import click

from yomikiri.cli.base import Command, echo_json, json_option, language_option
from yomikiri.cli.hitblow_options import game_options, known_from
from yomikiri.cli.hitblow_views import reading, seconds_option
from yomikiri.cli.terminal import say
from yomikiri.hitblow.notation import Game
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.review import Review
from yomikiri.hitblow.review import review as judge
from yomikiri.wording import review as wording


@click.command(
    cls=Command,
    help="Review a game: for each of TURNS, each GUESS:HINT such as 012:0H1B, the best guess, how many guesses your "
    "choice cost, and how lucky the hint was.",
)
@click.argument("turns", nargs=-1, required=True)
@game_options
@seconds_option
@json_option
@language_option
def review(game: Game, seconds: float, as_json: bool) -> None:
    """A game judged."""
    judged = judge(known_from(game), Exact(seconds), reading())
    if as_json:
        from yomikiri.documents import hitblow as documents

        echo_json(documents.review(judged))
        return
    _table(judged, game)
    for line in wording.summary(judged):
        say(line)


def _table(judged: Review, game: Game) -> None:
    """A line for each turn: a table for a person, columns parted by tabs for a program."""
    heads = wording.heads()
    rows = [wording.row(turn, number, game.words) for number, turn in enumerate(judged.turns, start=1)]
    if not sys.stdout.isatty():
        for cells in (heads, *rows):
            click.echo("\t".join(cells))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table()
    for head in heads:
        table.add_column(head)
    for cells in rows:
        table.add_row(*cells)
    Console().print(table)
    say(wording.legend())
