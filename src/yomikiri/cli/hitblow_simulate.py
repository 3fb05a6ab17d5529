"""`yomikiri hitblow simulate`: a policy, or a strategy file, against every secret of the game."""

from __future__ import annotations

import sys

import click

from yomikiri.budget import Budget
from yomikiri.cli.base import Command, Idle, Option, echo_json, json_option, language_option, seed_option
from yomikiri.cli.hitblow_shared import game_options
from yomikiri.cli.hitblow_strategy import replayed
from yomikiri.cli.progress import progress
from yomikiri.cli.terminal import padded
from yomikiri.errors import RulesError
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.notation import Game
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, Policy, exact, policy_named
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.simulate import simulate as play_all
from yomikiri.hitblow.strategy.tree import Cost
from yomikiri.wording import _, sentence
from yomikiri.wording.strategy import total

# Proven play follows the book where there is one.
COMPARED = tuple(name for name in POLICIES if name != "book")


@click.command(
    cls=Command,
    help="Play a policy against every secret: total, mean, maximum and distribution of guesses.",
    idle=(
        Idle(("policy", "seed", "preset", "digits", "symbols", "repeats", "absent"), beside="file"),
        Idle(("seed",), unless={"policy": ("random", "all")}),
    ),
)
@game_options
@click.option(
    "--policy", cls=Option, type=click.Choice([*POLICIES, "all"]), default=DEFAULT_POLICY, show_default=True,
    help="The policy to play, or all of them for comparison.",
)  # fmt: skip
@click.option(
    "--strategy", "file", cls=Option, help="A strategy file to play instead of a policy, with the rules that it names."
)
@seed_option
@json_option
@language_option
def simulate(game: Game, policy: str, file: str | None, seed: int, as_json: bool) -> None:
    """Play every secret."""
    if file is not None:
        _strategy, cost = replayed(file)
        _report(cost, as_json)
        return
    start = Knowledge(game.rules, game.absent)
    names = COMPARED if policy == "all" else (policy,)
    costs: dict[str, Cost] = {}
    for name in names:
        try:
            costs[name] = _played(name, seed, start)
        except RulesError as error:
            if policy != "all":
                raise
            click.echo(sentence(error), err=True)
    if policy != "all":
        _report(costs[policy], as_json)
    elif as_json:
        from yomikiri.documents import hitblow as documents

        echo_json(documents.simulations(costs))
    else:
        _compare(costs)


def _played(name: str, seed: int, start: Knowledge) -> Cost:
    with progress(name, start.count) as bar:
        return play_all(_policy(name, seed), start, Budget(progress=lambda known: bar(known.done)))


def _report(cost: Cost, as_json: bool) -> None:
    if as_json:
        from yomikiri.documents import hitblow as documents

        echo_json(documents.cost(cost))
    else:
        _show(cost)


def _policy(name: str, seed: int) -> Policy:
    """The policy of that name; proven play takes all the time it needs, or its total would prove nothing."""
    return Exact(seconds=None) if name == exact.NAME else policy_named(name, seed)


def _show(cost: Cost) -> None:
    """One policy: the figures, and the distribution as bars."""
    click.echo(total(cost))
    widest = max(cost.histogram)
    for guesses, count in enumerate(cost.histogram, start=1):
        bar = "█" * -(-count * 40 // widest) if sys.stdout.isatty() else ""
        click.echo(f"{guesses:>3} {count:>6} {bar}".rstrip())


def _compare(costs: dict[str, Cost]) -> None:
    """All policies: a line each, columns aligned; the distribution stands last."""
    heads = (_("policy"), _("total"), _("mean"), _("max"), _("found at guess 1, 2, 3, ..."))
    click.echo(_row(heads))
    for name, cost in costs.items():
        distribution = " ".join(map(str, cost.histogram))
        click.echo(_row((name, str(cost.total_guesses), f"{cost.mean:.4f}", str(cost.max_guesses), distribution)))


def _row(cells: tuple[str, ...]) -> str:
    name, total, mean, most, distribution = cells
    return f"{padded(name, 14)}{padded(total, 9)}{padded(mean, 9)}{padded(most, 6)}{distribution}"
