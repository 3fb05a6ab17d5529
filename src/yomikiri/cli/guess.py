"""`yomikiri guess suggest`, `candidates`, `review` and `solve`: queries about games with lists of codes."""

from __future__ import annotations

from collections.abc import Sequence

import click

from yomikiri.api.guessing_game import CONFLICTS
from yomikiri.api.queries_guessing import GuessQuery, GuessReviewQuery, GuessSolveQuery, SecretsQuery
from yomikiri.cli.asking import with_query
from yomikiri.cli.base import (
    INTERRUPTED,
    command,
    echo_json,
    force_option,
    json_option,
    new_file,
    option,
    store_to_write,
)
from yomikiri.cli.guess_strategy import NO_STORE_WITH_FIRST, store_option
from yomikiri.cli.search_notice import search_budget
from yomikiri.cli.tables import table
from yomikiri.cli.terminal import searching
from yomikiri.cli.text import say
from yomikiri.guessing.game import Position
from yomikiri.guessing.results import JudgedTurn
from yomikiri.settings import HelpHeading
from yomikiri.wording import _
from yomikiri.wording import guessing as wording
from yomikiri.wording.hitblow import percent


@command(conflicts=CONFLICTS)
@with_query(GuessQuery, takes_turns=True)
@json_option
def suggest(question: GuessQuery, as_json: bool) -> None:
    """Suggest the next guess after TURNS, each GUESS:ANSWER such as crane:01002."""
    position = question.position
    if position.is_solved and not as_json:
        say(wording.found(position))
        return
    advice = question.answer(search_budget())
    if as_json:
        echo_json(question.document(advice))
        return
    say(*wording.suggestion(advice, len(position.turns) + 1), wording.candidates(position))


@command(conflicts=CONFLICTS)
@with_query(SecretsQuery, takes_turns=True)
@json_option
def candidates(question: SecretsQuery, as_json: bool) -> None:
    """List the secrets that fit TURNS, each GUESS:ANSWER such as crane:01002."""
    position = question.answer()
    if as_json:
        echo_json(question.document(position))
    else:
        click.echo("\n".join(position.candidates))


@command(conflicts=CONFLICTS)
@with_query(GuessReviewQuery, takes_turns=True, required=True)
@json_option
def review(question: GuessReviewQuery, as_json: bool) -> None:
    """Review a game: the best guess of each turn, and what the played one cost.

    TURNS are the guesses with their answers, each GUESS:ANSWER such as crane:01002.
    """
    judged = question.answer(search_budget())
    if as_json:
        echo_json(question.document(judged))
        return
    print_review(question.position, judged)


def print_review(position: Position, judged: Sequence[JudgedTurn]) -> None:
    """Print a table with a row for each turn of a game: its cost, and the best guess instead."""
    kind = position.game.answers
    is_limited = position.guesses_left is not None
    rows = (
        (
            f"{turn.turn.guess} {kind.shown(turn.turn.answer)}",
            f"{turn.before} → {turn.after}",
            percent(turn.chance),
            turn.best,
            "" if turn.cost is None else wording.decimal(turn.cost),
            _("proven") if turn.is_proven else _("not proven"),
            *([wording.finds_all(turn)] if is_limited else []),
        )
        for turn in judged
    )
    heads = (_("played"), _("candidates"), _("chance"), _("best"), _("cost"), _("proof"))
    table((*heads, _("in time")) if is_limited else heads, rows)


@command(conflicts=(*GuessSolveQuery.CONFLICTS, NO_STORE_WITH_FIRST))
@with_query(GuessSolveQuery, takes_turns=True)
@store_option
@option("--certificate", metavar="FILE", group=HelpHeading.OUTPUT,
        help="Write a certificate to this file: a proof of the smallest total, for 'check'.")  # fmt: skip
@force_option
@json_option
def solve(question: GuessSolveQuery, store: str | None, certificate: str | None, force: bool, as_json: bool) -> int:
    """Find and prove an optimal strategy: the smallest total of guesses over all secrets.

    With TURNS, the rest of the game is solved. Ctrl-C shows the best so far.
    """
    target = None if certificate is None else new_file(certificate, force)
    if target:
        from yomikiri.cli.guess_check import certify, require_claimable

        require_claimable(question.position)
    path = store_to_write(store)
    with searching(wording.starting(), wording.progress) as budget:
        solved = question.answer(budget, store=path)
    status = INTERRUPTED if budget.spent() and not solved.is_proven else 0
    is_checked = False
    if target and solved.is_proven:
        status = certify(question.position, solved, question.first or None, target, question.workers)
        is_checked = not status
    if as_json:
        echo_json(question.document(solved))
    else:
        say(*wording.solution(solved), *([wording.certified()] if is_checked else []))
    return status
