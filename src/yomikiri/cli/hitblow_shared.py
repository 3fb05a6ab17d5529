"""What the commands of Hit & Blow share: the options that choose a game and a policy, and what several of them show."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import wraps
from time import monotonic
from typing import Any

import click

from yomikiri.budget import Budget, Progress
from yomikiri.cli.base import (
    Decorator,
    Idle,
    Seconds,
    all_of,
    option,
    refused_beside,
    seed_option,
    told,
    told_option,
    words_option,
)
from yomikiri.cli.files import read_text
from yomikiri.cli.text import say, window
from yomikiri.errors import N_, InputError
from yomikiri.hitblow.advice import Figures
from yomikiri.hitblow.game import Game, game_of, weights_of
from yomikiri.hitblow.habits import learned
from yomikiri.hitblow.items import ASKING, Item, Items
from yomikiri.hitblow.judgement import Review
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import write_hint
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, exact
from yomikiri.hitblow.policies.base import ALTERNATIVES
from yomikiri.hitblow.policies.exact import SECONDS
from yomikiri.hitblow.prior import Prior
from yomikiri.hitblow.rules import PRESETS, Repeats, Rules, Words
from yomikiri.saves import Opponents
from yomikiri.wording import _
from yomikiri.wording import review as review_wording
from yomikiri.wording.hitblow import cell_size, percent

_REPEATS = click.Choice([str(kind) for kind in Repeats])
only_rule_options = all_of(
    told_option("--preset", type=click.Choice(list(PRESETS)), help="A standard game; the options below override it."),
    told_option("--digits", metavar="INTEGER", help="Number of digits in a code, 1 to 6."),
    told_option("--symbols", help="The symbols used in codes, at most 16."),
    told_option("--repeats", type=_REPEATS, help="Where a symbol may repeat: nowhere, in guesses, or in all codes."),
    told_option("--no-leading", help="Symbols that no code begins with."),
)
rule_options = all_of(
    only_rule_options,
    told_option("--absent", help="Symbols known not to be in the secret."),
    words_option,
)
# The rules of the own secret, where they differ.
secret_rule_options = all_of(
    told_option("--secret-digits", metavar="INTEGER", help="Number of digits of your own secret, if different."),
    told_option("--secret-symbols", help="The symbols of your own secret, if different."),
    told_option("--secret-repeats", type=_REPEATS, help="Where a symbol may repeat in your own secret, if different."),
    told_option("--secret-no-leading", help="Symbols that your own secret does not begin with, if different."),
)
slips_options = all_of(
    told_option("--slips", metavar="INTEGER", help="How many of the turns may be wrong, mistyped or misheard."),
    told_option("--slip-rate", metavar="NUMBER", help="How often a turn is wrong; 0.05 if not given."),
)

# Options that only some policies use.
SECONDS_IDLE = Idle(("seconds",), unless={"policy": (exact.NAME,)})
SEED_IDLE = Idle(("seed",), unless={"policy": ("random",)})
ALTERNATIVES_IDLE = Idle(
    ("alternatives",), unless={"policy": tuple(name for name in POLICIES if name not in ("random", "repdigit"))}
)


def game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the rule options; it is called with `game=Game(...)`, in which are its TURNS if it has any."""

    @rule_options
    @click.pass_context
    @wraps(command)
    def with_game(ctx: click.Context, /, *args: Any, turns: tuple[str, ...] = (), **rest: Any) -> Any:
        game = game_of([*told(ctx).items(), *(("fact", text) for text in turns)])
        return command(*args, game=game, **rest)

    return with_game


def names_told(ctx: click.Context) -> list[str]:
    """The names of the options that tell a game or a match, of those that are given."""
    parts = {"weights": "weights", "secrets_of": "secrets-of", "items": "items", "item_takes_turn": "items"}
    return [*told(ctx), *dict.fromkeys(name for part, name in parts.items() if ctx.params.get(part))]


WEIGHTS = ("weights", "secrets-of")


# One of them may be given; see `prior_of`.
weights_options = all_of(
    option(
        "--weights", metavar="FILE",
        help="How likely each secret is: lines CODE,WEIGHT with whole numbers; codes not named are none. "
             "Totals of guesses count each secret by its weight.",
    ),
    option(
        "--secrets-of", metavar="NAME",
        help="The same, learned from an opponent's past secrets; see 'yomikiri hitblow opponents'.",
    ),
)  # fmt: skip


def weights_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command that takes a game these options; they stand below the rule options."""

    @weights_options
    @wraps(command)
    def with_weights(*args: Any, game: Game, weights: str | None, secrets_of: str | None, **rest: Any) -> Any:
        prior = prior_of(weights, secrets_of, game.rules, game.absent)
        return command(*args, game=replace(game, prior=prior), **rest)

    return with_weights


def prior_of(weights: str | None, secrets_of: str | None, rules: Rules, absent: str) -> Prior:
    """How likely each secret is by the file of `--weights`, or by the past secrets of an opponent.

    Raises an `InputError`, and a usage error where both are given.
    """
    if weights is not None and secrets_of is not None:
        raise refused_beside("--secrets-of", "--weights")
    if secrets_of is not None:
        return learned_of(secrets_of, rules)
    return weights_of({} if weights is None else {"weights": read_text(weights)}, rules, absent)


def learned_of(name: str, rules: Rules) -> Prior:
    """How likely each secret of an opponent is, by those that are recorded; raises an `InputError`."""
    past = Opponents().read(name).of(rules)
    if not past:
        raise InputError(
            N_("no secret of {name} in a game with these rules is recorded: add some by 'opponents add'"), name=name
        )
    return learned(rules, past)


policy_option: Decorator = option(
    "--policy", type=click.Choice(POLICIES), default=DEFAULT_POLICY, show_default=True,
    help="The policy that chooses the guess.",
)  # fmt: skip

seconds_option: Decorator = option(
    "--seconds", type=Seconds(min=0), default=SECONDS, show_default=True,
    help="Time limit in seconds for proving a guess, in games other than the presets.",
)  # fmt: skip


alternatives_option: Decorator = option(
    "--alternatives",
    type=click.IntRange(1, 100),
    default=ALTERNATIVES,
    show_default=True,
    help="How many of the next best guesses are told.",
)


# See `items_of`.
item_options = all_of(
    option(
        "--items", default="", metavar="NAMES",
        help="Your items that are not used yet: high,slash,target, and in a match shuffle,change,double.",
    ),
    option("--item-takes-turn", is_flag=True, help="An item takes the place of the guess of its turn."),
)  # fmt: skip
# What advice on one board asks for: the game, the policy and its limits, the items.
advice_options = all_of(
    *(game_options, weights_option, slips_options),
    *(policy_option, seconds_option, seed_option, alternatives_option, item_options),
)


def items_of(names: str, takes_turn: bool, rules: Rules, lines: int, known: Sequence[Item] = tuple(Item)) -> Items:
    """The items that are told by these options beside so many lines, all of them `known`; raises an `InputError`.

    On one board it is mine alone that may take the place of a guess.
    """
    if not names and takes_turn and known == ASKING:
        raise without("--item-takes-turn", "--items")
    return Items.told(names, takes_turn, rules, lines, known)


def without(option: str, other: str) -> InputError:
    """The error for an option that does nothing without something else."""
    return InputError(N_("{option} does nothing without {other}: leave it out"), option=option, other=other)


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


def probability_table(known: Knowledge) -> None:
    """Show the chance of each symbol in each place: shaded for a person, plain columns for a program."""
    heads = [_("place {number}").format(number=place + 1) for place in range(known.rules.digits)]
    # Besides its bar a place takes ten columns (its number, blanks and a frame), the symbols six.
    room = min(10, max(0, (window() - 6) // known.rules.digits - 10))

    def cell(share: float) -> str | tuple[str, str]:
        return (_bar(share, room), _shade(share)) if sys.stdout.isatty() else f"{share:.4f}"

    shares = known.table().tolist()
    table(("", *heads), ((symbol, *map(cell, row)) for symbol, row in zip(known.rules.symbols, shares, strict=True)))


def review_table(judged: Review, words: Words) -> None:
    """Show a game judged, a line for each turn, and what that comes to."""
    rows = [review_wording.row(turn, words) for turn in judged.turns]
    losses = [_loss_style(turn.loss) for turn in judged.turns]
    heads = review_wording.heads()
    table(heads, ([*row[:4], (row[4], style), *row[5:]] for row, style in zip(rows, losses, strict=True)))
    if sys.stdout.isatty():
        say(review_wording.legend())
    say(*review_wording.summary(judged, words))


def _loss_style(loss: Fraction | None) -> str:
    """How a loss is coloured: the text says as much without."""
    return "" if not loss else "yellow" if loss < _HEAVY_LOSS else "bold red"


# In guesses: half of one is a slip that is often felt.
_HEAVY_LOSS = Fraction(1, 2)


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
    filled = round(share * width)
    return f"{percent(share) if share else '-':>6} {'█' * filled}{'·' * (width - filled)}".rstrip()


def _shade(share: float) -> str:
    if not share:
        return "dim"
    return "bold green" if share >= 0.5 else "green" if share >= 0.15 else ""
