"""`yomikiri guess match`: a match of two players for one secret from lists of codes."""

from __future__ import annotations

from yomikiri.api.queries_guessing import DuelQuery
from yomikiri.cli.asking import with_query
from yomikiri.cli.base import command, echo_json, json_option
from yomikiri.cli.duel import run_duel
from yomikiri.cli.search_notice import search_budget


@command(conflicts=DuelQuery.CONFLICTS)
@with_query(DuelQuery, takes_turns=True)
@json_option
def match(question: DuelQuery, as_json: bool) -> None:
    """Help in a match for one secret: both players see all answers, and who finds the secret first wins.

    On your turn the program suggests a guess, and you type its answer. On their turn, type their guess and its answer.
    You can give TURNS already played, those of both players in order, each GUESS:ANSWER such as crane:01002.
    """
    question.duel.position.require_candidates()
    if as_json:
        echo_json(question.document(question.answer(search_budget())))
        return
    run_duel(question.duel, question.rival, question.seconds, question.seed)
