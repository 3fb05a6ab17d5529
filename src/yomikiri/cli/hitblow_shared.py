"""What the commands of Hit & Blow share: the options that choose a game and a policy, and what several of them show."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from time import monotonic
from typing import Any

import click

from yomikiri.api.queries_hitblow import ITEM_TAKES_TURN, ITEMS, game_from
from yomikiri.api.query import Query
from yomikiri.cli.asking import asks, options_of
from yomikiri.cli.base import Decorator, all_of, option, told
from yomikiri.cli.text import say, window
from yomikiri.common.budget import Budget, Progress
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.advice.review import Review
from yomikiri.hitblow.advice.suggestion import Figures
from yomikiri.hitblow.model.game import GAME, WEIGHTS, rules_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import write_hint
from yomikiri.hitblow.model.prior import Prior, learned
from yomikiri.hitblow.model.rules import Rules, Words
from yomikiri.saves import Opponents
from yomikiri.settings import Heading, not_both
from yomikiri.wording import _, sentence
from yomikiri.wording import review as review_wording
from yomikiri.wording.hitblow import cell_size, percent


def asks_of_game(kind: type[Query[Any]], **more: Any) -> Decorator:
    """`asks` for a question about a game of Hit & Blow; the weights of its secrets may be those of an opponent."""
    return all_of(asks(kind, more=_learned, **more), _secrets_of)


def tells_game(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that tell a game on one board; it is called with `game=`."""

    @options_of(*GAME)
    @_secrets_of
    @click.pass_context
    @wraps(command)
    def with_game(ctx: click.Context, /, *args: Any, **rest: Any) -> Any:
        return command(*args, game=game_from([*told(ctx).items(), *_learned(ctx)]), **rest)

    return with_game


_NAME = "yomikiri.secrets-of"


def _keep_name(ctx: click.Context, _parameter: click.Parameter, name: str | None) -> None:
    ctx.meta[_NAME] = name


_secrets_of: Decorator = option(
    "--secrets-of", metavar="NAME", group=Heading.KNOWN, expose_value=False, callback=_keep_name,
    help="The same, learned from an opponent's past secrets; see 'yomikiri hitblow opponents'.",
)  # fmt: skip


def _learned(ctx: click.Context) -> Iterable[tuple[str, str]]:
    """How likely each secret is by the past ones of an opponent who is named."""
    name = ctx.meta.get(_NAME)
    if name is None:
        return []
    if WEIGHTS.name in told(ctx):
        raise click.UsageError(sentence(not_both("--secrets-of", f"--{WEIGHTS.name}")), ctx)
    lines = (f"{code},{weight}" for code, weight in learned_of(name, rules_of(told(ctx))))
    return [(WEIGHTS.name, "\n".join(lines))]


def learned_of(name: str, rules: Rules) -> Prior:
    """How likely each secret of an opponent is, by those that are recorded; raises an `InputError`."""
    past = Opponents().read(name).of(rules)
    if not past:
        raise InputError(
            N_("no secret of {name} in a game with these rules is recorded: add some by 'opponents add'"), name=name
        )
    return learned(rules, past)


def names_told(ctx: click.Context) -> list[str]:
    """The names of the options that tell a game or a match, of those that are given."""
    names = [ITEMS.name if name == ITEM_TAKES_TURN.name else name for name in told(ctx)]
    return [*dict.fromkeys(names), *(["secrets-of"] if ctx.meta.get(_NAME) else [])]


def reading() -> Budget:
    """The budget of a person who waits: they see that a search is running when it takes long."""
    return Budget(progress=_Reading())


class _Reading:
    """Says on standard error, once a second has passed and where a person is watching, that a search goes on."""

    def __init__(self) -> None:
        self._begun = self._last = 0.0

    def __call__(self, _progress: Progress) -> None:
        now = monotonic()
        if now - self._last > 1:  # another search than before
            self._begun = now
        elif now - self._begun >= 1 and sys.stderr.isatty():
            text = _("searching ... {seconds} s").format(seconds=int(now - self._begun))
            click.echo(f"\r{text}\r", nl=False, err=True)
        self._last = now


def table(heads: Iterable[str], rows: Iterable[Iterable[str | tuple[str, str]]]) -> None:
    """Show a table of cells, or cells with their style, to a person; columns parted by tabs to a program."""
    cells = [[(cell, "") if isinstance(cell, str) else cell for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for line in (heads, *([text for text, _style in row] for row in cells)):
            click.echo("\t".join(line))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = Table(*heads)
    for row in cells:
        shown.add_row(*(Text(text, style=style) for text, style in row))
    Console().print(shown)


_SHORTEST = 4  # columns of a bar that still tells a third from a tenth


def probability_table(known: Knowledge) -> None:
    """Show the chance of each symbol in each place: shaded for a person, plain columns for a program."""
    places = range(1, known.rules.digits + 1)
    # Besides its bar a place takes ten columns (its number, blanks and a frame), the symbols six.
    room = min(10, (window() - 6) // known.rules.digits - 10)
    if room < _SHORTEST:
        room = 0
    narrow = sys.stdout.isatty() and not room
    heads = [str(place) if narrow else _("place {number}").format(number=place) for place in places]

    def cell(share: float) -> str | tuple[str, str]:
        return (_bar(share, room), _shade(share)) if sys.stdout.isatty() else f"{share:.4f}"

    shares = known.table().tolist()
    table(("", *heads), ((symbol, *map(cell, row)) for symbol, row in zip(known.rules.symbols, shares, strict=True)))


def review_table(judged: Review, words: Words) -> None:
    """Write a game judged for a program, a line for each turn, and what that comes to."""
    table(review_wording.heads(), (review_wording.row(turn, words) for turn in judged.turns))
    say(*review_wording.summary(judged, words))


def cells_chart(shown: Figures, words: Words) -> None:
    """Show the cells of a guess as bars, for a person; a program reads them with `suggest --json`."""
    if not sys.stdout.isatty():
        return
    widest, room = shown.largest[1], min(40, max(1, window() - 26))
    for hint, size in shown.cells:
        bar = "█" * max(1, round(size / widest * room))
        share = f" ({percent(size / shown.total)})" if shown.even else ""
        click.echo(f"  {write_hint(hint, words)} {bar} {cell_size(shown, size)}{share}")


def _bar(share: float, width: int) -> str:
    """The number with a bar beside it, so that colour alone carries no information; no bar where there is no room."""
    filled = max(1, round(share * width)) if share and width else 0
    return f"{percent(share) if share else '-':>4} {'█' * filled}{'·' * (width - filled)}".rstrip()


def _shade(share: float) -> str:
    if not share:
        return "dim"
    return "bold green" if share >= 0.5 else "green" if share >= 0.15 else ""
