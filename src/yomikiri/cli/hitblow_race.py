"""`yomikiri hitblow race`: the value of the race before its first guess."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from yomikiri.budget import Budget, Stopped
from yomikiri.cli.base import INTERRUPTED, Idle, command, echo_json, file_to_write, json_option, option, told
from yomikiri.cli.hitblow_shared import game_options, secret_rule_options, weights_option
from yomikiri.cli.terminal import live_line, searching
from yomikiri.cli.text import padded, width, window
from yomikiri.hitblow.game import Game, rules_of
from yomikiri.hitblow.race.finish import Finish
from yomikiri.hitblow.race.terms import Reveals, Terms, Value
from yomikiri.hitblow.race.value import Information, race_value
from yomikiri.wording import _
from yomikiri.wording import match as wording
from yomikiri.wording.strategy import starting

if TYPE_CHECKING:
    # numpy comes with them.
    from yomikiri.hitblow.race.public.race import PublicValue
    from yomikiri.hitblow.race.unseen import Equilibrium


@command(
    help="The race before its first guess: the first player's chance of winning under best play by both sides.\n\n"
    "public: both see all guesses and hints. unseen: neither sees the other's board. private: both see all, and "
    "use what they know of their own secret; for small games only.\n\n"
    "The two secrets may have different rules. You are then the first player, and your own secret is the one "
    "that the second player seeks.",
    idle=(
        Idle(("revealed",), unless={"reveals": ("first", "second")}),
        Idle(("store",), unless={"information": ("public",)}),
    ),
)
@game_options
@weights_option
@secret_rule_options
@option("--information", type=click.Choice([str(seen) for seen in Information]), default="public",
        show_default=True, help="What the players see of each other.")  # fmt: skip
@option("--reveals", type=click.Choice([who.value for who in Reveals]), default=Reveals.NONE.value,
        show_default=True, help="Who reveals symbols that are not in their own secret.")  # fmt: skip
@option("--revealed", type=click.IntRange(1, 15),
        help="How many symbols are revealed; 1 by default.")  # fmt: skip
@option("--equal-turns", is_flag=True,
        help="Both players get the same number of guesses; finding both secrets in one round "
             "is a draw.")  # fmt: skip
@option("--store", metavar="FILE",
        help="Save the progress of a long public race in FILE; the same command continues from it.")  # fmt: skip
@json_option
@click.pass_context
def race(
    ctx: click.Context,
    game: Game,
    information: str,
    reveals: str,
    revealed: int | None,
    equal_turns: bool,
    store: str | None,
    as_json: bool,
) -> int:
    """Compute the value and show it."""
    own_rules = rules_of(told(ctx), "secret-", game.rules)
    terms = Terms(game.rules, game.absent, Reveals(reveals), revealed or 1, equal_turns, own_rules, game.prior)
    found, status = _found(terms, Information(information), None if store is None else file_to_write(store))
    if as_json:
        from yomikiri.documents import match as documents

        echo_json(documents.race(terms, information, found))
        return status
    for line in wording.terms_lines(terms):
        click.echo(line)
    click.echo(wording.seen(information))
    for line in wording.value_lines(found.lower, found.upper, found.draw):
        click.echo(line)
    if found.draw is not None:
        _bar((found.lower + found.upper) / 2, found.draw)
    match Information(information):
        case Information.UNSEEN:
            _show_strategies(cast("Equilibrium", found))
        case Information.PUBLIC:
            work = cast("PublicValue", found).effort
            click.echo(wording.public_work(work.sets, work.forms, work.pairs))
    return status


def _found(terms: Terms, information: Information, store: Path | None) -> tuple[Value, int]:
    """The value, or what is known of it at an interrupt; and the exit status."""
    if information is Information.PRIVATE:
        # Nothing is known before the end, so an interrupt ends the program.
        with live_line(starting(), wording.progress) as show:
            return race_value(terms, information, budget=Budget(progress=show)), 0
    try:
        with searching(starting(), wording.progress) as budget:
            return race_value(terms, information, budget=budget, store=store), 0
    except Stopped as stopped:
        if stopped.best is None:
            raise
        return stopped.best, INTERRUPTED


def _show_strategies(found: Equilibrium) -> None:
    from yomikiri.hitblow.race.unseen import finish_of

    click.echo(wording.mixed(len(found.first), len(found.second)))
    _finishes(finish_of(found.first), finish_of(found.second))


def _bar(value: Fraction, draw: Fraction) -> None:
    """The chances of the two players as one bar, for a person."""
    if not sys.stdout.isatty():
        return
    room = min(60, max(10, window() - 4))
    won, drawn = round(room * (value - draw / 2)), round(room * draw)
    click.echo(f"  {'█' * won}{'▒' * drawn}{'░' * (room - won - drawn)}")


def _finishes(first: Finish, second: Finish) -> None:
    """How likely each player has found the secret by each guess."""
    heads = (_("found by guess"), _("first"), _("second"))
    rooms = [max(12, width(head) + 2) for head in heads]
    guesses = range(1, max(len(first.counts), len(second.counts)) + 1)
    rows = [
        (str(guess), wording.chance(first.within(guess)), wording.chance(second.within(guess))) for guess in guesses
    ]
    for row in (heads, *rows):
        click.echo("".join(padded(cell, room) for cell, room in zip(row, rooms, strict=True)).rstrip())
