"""`yomikiri guess simulate`, `export` and `verify`: policies and strategies against every secret."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from yomikiri.api.guessing_game import CODE_CONFLICTS, CODES, codes_of
from yomikiri.api.queries_guessing import GuessSimulateQuery, GuessSolveQuery
from yomikiri.cli.asking import with_query, with_settings
from yomikiri.cli.base import (
    INTERRUPTED,
    Decorator,
    command,
    echo_json,
    force_option,
    json_option,
    new_file,
    option,
    store_to_write,
    write_output,
)
from yomikiri.cli.files import read_compressed
from yomikiri.cli.tables import histogram_chart
from yomikiri.cli.terminal import interruptible, progress, searching
from yomikiri.cli.text import columns_of, say
from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import N_, CheckError, StrategyFault
from yomikiri.common.file_errors import named
from yomikiri.guessing.results import SimulatedGame
from yomikiri.settings import Conflict, HelpHeading
from yomikiri.wording import _, sentence
from yomikiri.wording import guessing as wording

NO_STORE_WITH_FIRST = Conflict(("store",), beside="first")
store_option: Decorator = option(
    "--store", metavar="FILE",
    help="Save the progress of a long proof in FILE; the same command continues from it. Not with --first.",
)  # fmt: skip


@command(conflicts=GuessSimulateQuery.CONFLICTS)
@with_query(GuessSimulateQuery, takes_turns=True)
@json_option
def simulate(question: GuessSimulateQuery, as_json: bool) -> int:
    """Play a policy against every secret and show how many guesses it needs.

    With TURNS, each GUESS:ANSWER such as crane:01002, only the secrets that fit them count. Ctrl-C shows the secrets
    played so far.
    """
    question.position.require_candidates()
    games: dict[str, SimulatedGame] = {}
    status, notice = 0, ""
    for name in question.policies:
        games[name], finished = _played(question, name)
        if not finished:
            notice = wording.interrupted(name, games[name].secrets, len(question.secrets))
            status = INTERRUPTED
            break
    # If True, the notice about Ctrl-C is printed with the results, otherwise on standard error. JSON contains no
    # notice, and a policy that has played no secret has no results.
    notice_in_results = bool(games[name].secrets) and not as_json
    if as_json:
        echo_json(question.document(games))
    else:
        _print(
            {name: game for name, game in games.items() if game.secrets}, question, notice if notice_in_results else ""
        )
    if notice and not notice_in_results:
        click.echo(notice, err=True)
    return status


def _played(question: GuessSimulateQuery, policy: str) -> tuple[SimulatedGame, bool]:
    """Play one policy with a progress bar. Returns the result, and False if Ctrl-C ended it early."""
    with interruptible() as cancelled, progress(policy, len(question.secrets)) as bar:
        try:
            return question.result_of(policy, Budget(cancelled=cancelled, progress=lambda at: bar(at.done))), True
        except Stopped as stopped:
            return stopped.best or SimulatedGame(0, ()), False


def _print(games: Mapping[str, SimulatedGame], question: GuessSimulateQuery, notice: str) -> None:
    """Print the results of the policies that have played a secret.

    `notice` is the message that the last policy was interrupted, or "".
    """
    if question.policy != "all":
        for game in games.values():
            say(notice or wording.played(game, question.position), *wording.simulation(game, question.position))
            histogram_chart(game.histogram)
    elif games:
        _compare(games, limited=question.position.guesses_left is not None)
        say(*filter(None, [notice]))


def _compare(games: Mapping[str, SimulatedGame], *, limited: bool) -> None:
    """Print a table of all policies, with the distribution of guesses in the last column.

    The number of secrets not found is shown if the number of guesses is `limited`.
    """
    rows = [(_("policy"), _("total"), _("mean"), _("max"), _("not found"), _("found at guess 1, 2, 3, ..."))]
    for name, game in games.items():
        mean = "" if game.average is None else wording.decimal(game.average, 4)
        counts = " ".join(map(str, game.histogram))
        rows.append((name, str(game.total), mean, str(game.most), str(game.missed), counts))
    for row in rows:
        cells = list(zip(row, (14, 9, 9, 6, 11, 0), strict=True))
        click.echo(columns_of(cells if limited else cells[:4] + cells[5:]))


@command(conflicts=(*GuessSolveQuery.CONFLICTS, NO_STORE_WITH_FIRST))
@with_query(GuessSolveQuery, takes_turns=True)
@store_option
@option("--output", group=HelpHeading.OUTPUT, help="File to write to instead of standard output.")
@force_option
def export(question: GuessSolveQuery, store: str | None, output: str | None, force: bool) -> int:
    """Write an optimal strategy to a file that 'verify' checks.

    With TURNS, each GUESS:ANSWER such as crane:01002, the rest of the game is solved. After Ctrl-C or --seconds, the
    file has the best strategy so far.
    """
    from yomikiri.api.list_strategies import write_list_strategy

    path, progress_file = None if output is None else new_file(output, force), store_to_write(store)
    with searching(wording.starting(), wording.progress) as budget:
        solved = question.answer(budget, store=progress_file)
    write_output(write_list_strategy(question.position, solved), path)
    return INTERRUPTED if budget.spent() and not solved.is_proven else 0


@command(conflicts=CODE_CONFLICTS)
@click.argument("file")
@with_settings(*CODES)
@option("--certificate", metavar="FILE",
        help="A certificate to check as well; it proves that no strategy takes fewer guesses.")  # fmt: skip
@json_option
def verify(file: str, certificate: str | None, as_json: bool, **given: Any) -> None:
    """Replay every secret with the strategy in FILE (- for standard input) and count the guesses again.

    Give the lists or the codes for which the strategy was made; FILE states the other rules. This proves that the
    strategy finds every secret with these guesses, not that no other strategy needs fewer. A certificate shows that.
    """
    from yomikiri.api.list_strategies import verified_strategy
    from yomikiri.api.results_guessing import VerifiedListStrategy
    from yomikiri.api.results_strategy import Unverified

    codes = codes_of(given)
    try:
        position, solved = verified_strategy(read_compressed(file), *codes)
        if certificate is not None:
            from yomikiri.cli.guess_check import check_bound

            check_bound(position, solved, certificate)
    except CheckError as fault:
        if as_json:
            echo_json(Unverified(False, sentence(fault)))
        if not isinstance(fault, StrategyFault):
            raise
        raise StrategyFault(N_("{file}: {reason}"), file=named(file), reason=fault) from None
    if as_json:
        echo_json(VerifiedListStrategy.of(solved, checked=certificate is not None))
    else:
        say(*wording.verified(position, solved, checked=certificate is not None))
