"""`yomikiri hitblow race`: the first player's chance of winning a race under best play.

A race is a match before its first guess: two players each look for the other's secret.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from yomikiri.api.queries_match import Raced, RaceQuery
from yomikiri.cli.base import INTERRUPTED, command, echo_json, json_option, option, store_to_write
from yomikiri.cli.hitblow_shared import with_game_query
from yomikiri.cli.terminal import live_line, searching
from yomikiri.cli.text import columns_of, width, window
from yomikiri.common.budget import Budget
from yomikiri.hitblow.race.value import Information
from yomikiri.settings import Conflict
from yomikiri.wording import _
from yomikiri.wording import match as wording
from yomikiri.wording.strategy import starting

if TYPE_CHECKING:
    # These modules import NumPy, which is slow to load.
    from yomikiri.hitblow.race.public.race import PublicValue
    from yomikiri.hitblow.race.unseen import Equilibrium


@command(conflicts=(*RaceQuery.CONFLICTS, Conflict(("store",), unless={"information": ("public",)})))
@with_game_query(RaceQuery)
@option("--store", metavar="FILE",
        help="Save the progress of a long public race in FILE; the same command continues from it.")  # fmt: skip
@json_option
def race(question: RaceQuery, store: str | None, as_json: bool) -> int:
    """Compute the first player's chance of winning a match, before its first guess, under best play by both sides.

    public: both see all guesses and answers. unseen: neither sees the other's board. private: both see all, and
    each also uses their own secret; small games only.

    The two secrets may have different rules. You are then the first player, and the second player seeks your own
    secret.
    """
    raced, status = _raced(question, store_to_write(store))
    terms, information, found = question.terms, question.information, raced.value
    if as_json:
        echo_json(question.document(raced))
        return status
    for line in wording.terms_lines(terms):
        click.echo(line)
    click.echo(wording.information_text(information))
    for line in wording.value_lines(found.lower, found.upper, found.draw):
        click.echo(line)
    if found.draw is not None:
        _bar((found.lower + found.upper) / 2, found.draw)
    match Information(information):
        case Information.UNSEEN:
            _show_strategies(cast("Equilibrium", found))
        case Information.PUBLIC:
            work = cast("PublicValue", found).effort
            click.echo(wording.public_work(work.sets, work.pairs))
    return status


def _raced(question: RaceQuery, store: Path | None) -> tuple[Raced, int]:
    """Return the solved race (the first player's chance of winning) and the exit status.

    After Ctrl-C, the result contains the bounds of this chance that are proven so far.
    """
    if question.information == Information.PRIVATE:
        # No bounds are known before the end, so an interrupt ends the program.
        with live_line(starting(), wording.progress) as show:
            return question.answer(Budget(progress=show)), 0
    with searching(starting(), wording.progress) as budget:
        raced = question.answer(budget, store=store)
        return raced, INTERRUPTED if raced.was_stopped and budget.spent() else 0


def _show_strategies(found: Equilibrium) -> None:
    """Print a table with the chance of each player to find the secret within 1, 2, 3, ... guesses.

    Above it is the number of pure strategies that each player mixes.
    """
    from yomikiri.hitblow.race.unseen import finish_of

    click.echo(wording.mixing_note(len(found.first), len(found.second)))
    first, second = finish_of(found.first), finish_of(found.second)
    heads = (_("found by guess"), _("first"), _("second"))
    widths = [max(12, width(head) + 2) for head in heads]
    guesses = range(1, max(len(first.counts), len(second.counts)) + 1)
    rows = [
        (str(guess), wording.chance(first.within(guess)), wording.chance(second.within(guess))) for guess in guesses
    ]
    for row in (heads, *rows):
        click.echo(columns_of([*zip(row, widths, strict=True)]))


def _bar(value: Fraction, draw: Fraction) -> None:
    """Print the first player's chances of a win, a draw and a loss as a bar, at a terminal only.

    `value` is the chance of a win, with a draw counted half.
    """
    if not sys.stdout.isatty():
        return
    length = min(60, max(10, window() - 4))
    won, drawn = round(length * (value - draw / 2)), round(length * draw)
    click.echo(f"  {'█' * won}{'▒' * drawn}{'░' * (length - won - drawn)}")
