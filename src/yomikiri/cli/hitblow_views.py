"""What several Hit & Blow commands show: the table of likelihood, the cells of a guess."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import Any

import click

from yomikiri.budget import Budget, Progress
from yomikiri.cli.base import Idle, Option, Seconds
from yomikiri.cli.terminal import window
from yomikiri.hitblow.advice import Figures
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import write_hint
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, Policy, exact, policy_named
from yomikiri.hitblow.policies.exact import SECONDS, Exact
from yomikiri.hitblow.rules import Words
from yomikiri.wording import _
from yomikiri.wording.hitblow import percent

# Options that only some policies use.
SECONDS_IDLE = Idle(("seconds",), unless={"policy": (exact.NAME,)})
SEED_IDLE = Idle(("seed",), unless={"policy": ("random",)})

policy_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--policy", cls=Option, type=click.Choice(POLICIES), default=DEFAULT_POLICY, show_default=True,
    help="The policy that chooses the guess.",
)  # fmt: skip

seconds_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--seconds", cls=Option, type=Seconds(min=0), default=SECONDS, show_default=True,
    help="Time limit in seconds for proving a guess, in games other than the presets.",
)  # fmt: skip


def policy_at_hand(name: str, seed: int = 0, seconds: float = SECONDS, *, waits: bool = True) -> Policy:
    """The policy of that name. A command that answers once `waits` for kernels that are not compiled yet, so that its
    answer is always the same; a person in the middle of a game does not."""
    return Exact(seconds, waits=waits) if name == exact.NAME else policy_named(name, seed)


def reading() -> Budget:
    """The budget of a person who waits: they are told that a search goes on when it takes long."""
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


def probability_table(known: Knowledge) -> None:
    """Show how likely each symbol stands at each place: shaded for a person, plain columns for a program."""
    shares = known.table()
    heads = [_("place {number}").format(number=place + 1) for place in range(known.rules.digits)]
    rows = [(symbol, [float(share) for share in row]) for symbol, row in zip(known.rules.symbols, shares, strict=True)]
    if not sys.stdout.isatty():
        click.echo("\t".join(["", *heads]))
        for symbol, row in rows:
            click.echo("\t".join([symbol, *(f"{share:.4f}" for share in row)]))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # Besides its bar a place takes ten columns (its number, blanks and a frame), the symbols six.
    width = min(10, max(0, (window() - 6) // known.rules.digits - 10))
    table = Table()
    table.add_column("")
    for head in heads:
        table.add_column(head)
    for symbol, row in rows:
        table.add_row(symbol, *(Text(_bar(share, width), style=_shade(share)) for share in row))
    Console().print(table)


def cells_chart(shown: Figures, words: Words) -> None:
    """Show the cells of a guess as bars, for a person; a program reads them with `suggest --json`."""
    if not sys.stdout.isatty():
        return
    widest, room = shown.largest[1], min(40, max(1, window() - 26))
    for hint, size in shown.cells:
        bar = "█" * max(1, round(size / widest * room))
        click.echo(f"  {write_hint(hint, words)} {bar} {size:,} ({percent(size / shown.count)})")


def _bar(share: float, width: int) -> str:
    """The number with a bar beside it, so that nothing is told by colour alone; no bar where there is no room."""
    filled = round(share * width)
    return f"{percent(share) if share else '-':>6} {'█' * filled}{'·' * (width - filled)}".rstrip()


def _shade(share: float) -> str:
    if not share:
        return "dim"
    return "bold green" if share >= 0.5 else "green" if share >= 0.15 else ""
