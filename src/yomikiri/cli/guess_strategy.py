"""`yomikiri guess simulate`: policies against every secret."""

from __future__ import annotations

import click

from yomikiri.api.queries_guessing import GuessSimulateQuery
from yomikiri.cli.asking import asks
from yomikiri.cli.base import INTERRUPTED, command, echo_json, json_option
from yomikiri.cli.hitblow_shared import histogram_chart
from yomikiri.cli.terminal import interruptible, progress
from yomikiri.cli.text import columns_of, say
from yomikiri.common.budget import Budget, Stopped
from yomikiri.guessing.results import SimulatedGame
from yomikiri.wording import _
from yomikiri.wording import guessing as wording


@command(idle=GuessSimulateQuery.CONFLICTS)
@asks(GuessSimulateQuery, takes_turns=True)
@json_option
def simulate(question: GuessSimulateQuery, as_json: bool) -> int:
    """Play a policy against every secret and show how many guesses it needs.

    With TURNS, each GUESS:ANSWER such as crane:01002, only the secrets that fit them count. Ctrl-C shows the secrets
    played so far.
    """
    question.position.require_candidates()
    games: dict[str, SimulatedGame] = {}
    status = 0
    for name in question.policies:
        games[name], finished = _played(question, name)
        if not finished:
            click.echo(wording.interrupted(name), err=True)
            status = INTERRUPTED
            break
    if as_json:
        echo_json(question.document(games))
    elif question.policy == "all":
        _compare(games, limited=question.position.guesses_left is not None)
    else:
        say(*wording.simulation(games[question.policy], question.position))
        histogram_chart(games[question.policy].histogram)
    return status


def _played(question: GuessSimulateQuery, policy: str) -> tuple[SimulatedGame, bool]:
    """Play one policy with a progress bar. Returns the result, and False if Ctrl-C ended it early."""
    with interruptible() as cancelled, progress(policy, len(question.secrets)) as bar:
        try:
            return question.result_of(policy, Budget(cancelled=cancelled, progress=lambda at: bar(at.done))), True
        except Stopped as stopped:
            return stopped.best or SimulatedGame(0, ()), False


def _compare(games: dict[str, SimulatedGame], *, limited: bool) -> None:
    """Print a table of all policies, the distribution in the last column."""
    rows = [(_("policy"), _("total"), _("mean"), _("max"), _("not found"), _("found at guess 1, 2, 3, ..."))]
    for name, game in games.items():
        mean = "" if game.average is None else wording.decimal(game.average, 4)
        counts = " ".join(map(str, game.histogram))
        rows.append((name, str(game.total), mean, str(game.most), str(game.missed), counts))
    for row in rows:
        cells = list(zip(row, (14, 9, 9, 6, 11, 0), strict=True))
        click.echo(columns_of(cells if limited else cells[:4] + cells[5:]))
