"""`yomikiri tictactoe generate`: boards to order."""

from __future__ import annotations

from itertools import islice
from typing import Any

import click

from yomikiri.cli.base import Command, Idle, Option, language_option, seed_option
from yomikiri.tictactoe.notation import write_board

_WINNERS = {"first": 1, "second": -1, "draw": 0}


@click.command(
    cls=Command,
    help="Generate 3x3 boards with the given properties, separated by blank lines.\n\n"
    "The weights have an odd total, so that nothing ties, unless a draw is asked for. The same seed gives the same"
    " boards.",
    idle=(Idle(("count", "seed", "low", "high", "winner", "opening", "unique"), beside="complete"),),
)
@click.option("--count", cls=Option, type=click.IntRange(min=1), default=1, show_default=True, help="Number of boards.")
@seed_option
@click.option("--low", cls=Option, type=int, default=-9, show_default=True, help="Minimum weight.")
@click.option("--high", cls=Option, type=int, default=9, show_default=True, help="Maximum weight.")
@click.option("--winner", cls=Option, type=click.Choice([*_WINNERS]), help="Winner under best play.")
@click.option(
    "--opening",
    cls=Option,
    type=click.Choice(["corner", "edge", "centre"]),
    help="The first player wins only by starting on a cell of this kind.",
)
@click.option("--unique", cls=Option, is_flag=True, help="Exactly one first move wins for the first player.")
@click.option(
    "--complete",
    cls=Option,
    is_flag=True,
    help="All 17,600 boards, one for every way in which the weights can decide a game.",
)
@language_option
def generate(count: int, seed: int, winner: str | None, complete: bool, **wanted: Any) -> None:
    """Write boards."""
    from yomikiri.tictactoe.generate import Opening, Wanted, complete_set
    from yomikiri.tictactoe.generate import generate as boards_wanted

    if complete:
        boards = complete_set()
    else:
        opening = wanted.pop("opening")
        properties = Wanted(winner=_WINNERS[winner] if winner else None, opening=opening and Opening(opening), **wanted)
        boards = islice(boards_wanted(properties, seed), count)
    for number, board in enumerate(boards):
        click.echo(("\n" if number else "") + write_board(board))
