"""Options and output that several Hit & Blow commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import click

from yomikiri.api.queries_hitblow import ITEM_TAKES_TURN, ITEMS, game_from
from yomikiri.api.query import Query
from yomikiri.cli.asking import options_of, with_query
from yomikiri.cli.base import Decorator, all_of, given_values, option
from yomikiri.cli.tables import table
from yomikiri.cli.text import say, window
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.advice.review import Review
from yomikiri.hitblow.advice.suggestion import Figures
from yomikiri.hitblow.model.game import GAME, WEIGHTS, rules_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import write_hint
from yomikiri.hitblow.model.prior import Prior, learned
from yomikiri.hitblow.model.rules import Rules, Words
from yomikiri.saves import Opponents
from yomikiri.settings import HelpHeading, not_both
from yomikiri.wording import _, sentence
from yomikiri.wording import review as review_wording
from yomikiri.wording.hitblow import cell_size, percent


def with_game_query(kind: type[Query[Any]], **more: Any) -> Decorator:
    """Return the decorator of `with_query` for a query about Hit & Blow, with the additional option `--secrets-of`."""
    return all_of(with_query(kind, more=_opponent_weights, **more), _secrets_of)


def with_game(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a game on one board to a command, and pass it the game as `game`."""

    @options_of(*GAME)
    @_secrets_of
    @click.pass_context
    @wraps(command)
    def run_with_game(ctx: click.Context, /, *args: Any, **rest: Any) -> Any:
        return command(*args, game=game_from([*given_values(ctx).items(), *_opponent_weights(ctx)]), **rest)

    return run_with_game


_NAME = "yomikiri.secrets-of"


def _keep_name(ctx: click.Context, _parameter: click.Parameter, name: str | None) -> None:
    ctx.meta[_NAME] = name


_secrets_of: Decorator = option(
    "--secrets-of", metavar="NAME", group=HelpHeading.KNOWN, expose_value=False, callback=_keep_name,
    help="Weights learned from the past secrets of an opponent; see 'yomikiri hitblow opponents'.",
)  # fmt: skip


def _opponent_weights(ctx: click.Context) -> Iterable[tuple[str, str]]:
    """Return the weights learned from the opponent that `--secrets-of` names, as a (name, value) pair of a setting.

    Empty if the option is not given. Raises a `UsageError` if the user also gave weights.
    """
    name = ctx.meta.get(_NAME)
    if name is None:
        return []
    if WEIGHTS.name in given_values(ctx):
        raise click.UsageError(sentence(not_both("--secrets-of", f"--{WEIGHTS.name}")), ctx)
    lines = (f"{code},{weight}" for code, weight in recorded_weights(name, rules_of(given_values(ctx))))
    return [(WEIGHTS.name, "\n".join(lines))]


def recorded_weights(name: str, rules: Rules) -> Prior:
    """Return the weights of the secrets, learned from the past secrets of an opponent.

    Raises an `InputError` if no secret is recorded for these rules.
    """
    past = Opponents().read(name).of(rules)
    if not past:
        raise InputError(
            N_("the record of {name} has no secrets under these rules: add some with 'opponents add'"), name=name
        )
    return learned(rules, past)


def given_names(ctx: click.Context) -> list[str]:
    """Return the names of the options about the game that the user gave."""
    names = [ITEMS.name if name == ITEM_TAKES_TURN.name else name for name in given_values(ctx)]
    return [*dict.fromkeys(names), *(["secrets-of"] if ctx.meta.get(_NAME) else [])]


_SHORTEST_BAR = 4  # columns of the shortest bar in which a third and a tenth differ


def probability_table(known: Knowledge) -> None:
    """Print the chance of each symbol in each place: with bars and colours at a terminal, otherwise plain."""
    places = range(1, known.rules.digits + 1)
    # Besides its bar, each place needs ten columns for its figure, spaces and frame. The symbols need six columns.
    bar_width = min(10, (window() - 6) // known.rules.digits - 10)
    if bar_width < _SHORTEST_BAR:
        bar_width = 0
    narrow = sys.stdout.isatty() and not bar_width
    heads = [str(place) if narrow else _("place {number}").format(number=place) for place in places]

    def cell(share: float) -> str | tuple[str, str]:
        return (_bar(share, bar_width), _shade(share)) if sys.stdout.isatty() else f"{share:.4f}"

    shares = known.table().tolist()
    table(("", *heads), ((symbol, *map(cell, row)) for symbol, row in zip(known.rules.symbols, shares, strict=True)))


def review_table(judged: Review, words: Words) -> None:
    """Print a review in a form for other programs: one line for each turn, and a summary."""
    table(review_wording.heads(), (review_wording.row(turn, words) for turn in judged.turns))
    say(*review_wording.summary(judged, words))


def cells_chart(shown: Figures, words: Words) -> None:
    """Print the partition of a guess as bars, at a terminal only. A program gets it from `suggest --json`."""
    if not sys.stdout.isatty():
        return
    widest, bar_width = shown.largest[1], min(40, max(1, window() - 26))
    for hint, size in shown.cells:
        bar = "█" * max(1, round(size / widest * bar_width))
        share = f" ({percent(size / shown.total)})" if shown.even else ""
        click.echo(f"  {write_hint(hint, words)} {bar} {cell_size(shown, size)}{share}")


def _bar(share: float, width: int) -> str:
    """Return a percentage, followed by a bar of at most `width` columns.

    With the percentage, the table can be read without colours.
    """
    filled = max(1, round(share * width)) if share and width else 0
    return f"{percent(share) if share else '-':>4} {'█' * filled}{'·' * (width - filled)}".rstrip()


def _shade(share: float) -> str:
    if not share:
        return "dim"
    return "bold green" if share >= 0.5 else "green" if share >= 0.15 else ""
