"""`yomikiri hitblow suggest` and `candidates`: one answer to one question, for people and programs."""

from __future__ import annotations

from typing import Any

import click

from yomikiri.cli.base import Command, Option, echo_json, json_option, language_option, seed_option
from yomikiri.cli.hitblow_options import Game, rule_options
from yomikiri.cli.hitblow_views import policy_at_hand, policy_option, probability_table, seconds_option
from yomikiri.errors import ContradictionError, TooManyCandidates
from yomikiri.hitblow.advice import Figures
from yomikiri.hitblow.advice import suggest as advise
from yomikiri.hitblow.knowledge import Knowledge, knowledge_of
from yomikiri.hitblow.policies.base import require_candidates
from yomikiri.hitblow.repair import repairs
from yomikiri.hitblow.space import decode_all
from yomikiri.wording import hitblow as wording

LIKELIEST = 6
# A document holds an object a candidate in memory, about 300 bytes; text is written piece by piece.
MOST_IN_JSON = 1 << 20
MOST_AT_ONCE = 1 << 16


@click.command(
    cls=Command,
    help="Propose the next guess after TURNS, each GUESS:HINT such as 012:0H1B, and say why.",
)
@click.argument("turns", nargs=-1)
@rule_options
@policy_option
@seconds_option
@seed_option
@json_option
@language_option
def suggest(game: Game, turns: tuple[str, ...], policy: str, seconds: float, seed: int, as_json: bool) -> None:
    """The next guess."""
    known = _known(game, turns)
    advice = advise(known, policy_at_hand(policy, seed, seconds))
    if as_json:
        alternatives = [_document(shown) for shown in advice.alternatives]
        echo_json(
            {
                **_document(advice.proposed),
                "policy": advice.policy,
                "count": advice.count,
                "sampled": advice.sampled,
                **({"proof": "heuristic", "unproven": advice.unproven.value} if advice.unproven else {}),
                "alternatives": alternatives,
            }
        )
        return
    click.echo(wording.proposal(advice, len(known.turns) + 1))
    if advice.sampled:
        click.echo(wording.sampled())
    for line in (wording.outlook(advice), wording.why(advice, game.words), wording.next_best(advice)):
        if line:
            click.echo(line)
    if known.turns and known.count > 1:
        click.echo(wording.likeliest(known, LIKELIEST))


def _known(game: Game, turns: tuple[str, ...]) -> Knowledge:
    """What the arguments tell; a contradiction is raised with the likeliest slip as its note."""
    known = knowledge_of(game.rules, game.absent, game.turns(turns))
    try:
        require_candidates(known)
    except ContradictionError as error:
        error.add_note(wording.likeliest_repair(known, repairs(known), game.words))
        raise
    return known


def _document(shown: Figures) -> dict[str, Any]:
    document = {
        "guess": shown.guess,
        "is_candidate": shown.is_candidate,
        "cells": {str(hint): size for hint, size in shown.cells},
        "expected_remaining": shown.expected_remaining,
    }
    if shown.outlook:
        document["expected_guesses"] = shown.expected_guesses
        document["max_guesses"] = shown.outlook.max_guesses
        document["proof"] = "optimal" if shown.outlook.proven else "heuristic"
    return document


@click.command(
    cls=Command,
    help="List the codes that fit TURNS, each GUESS:HINT such as 012:0H1B.",
)
@click.argument("turns", nargs=-1)
@rule_options
@click.option("--table", cls=Option, is_flag=True, help="Show symbols by place instead of codes.")
@json_option
@language_option
def candidates(game: Game, turns: tuple[str, ...], table: bool, as_json: bool) -> None:
    """What can still be the secret."""
    known = _known(game, turns)
    if as_json:
        if known.count > MOST_IN_JSON:
            raise TooManyCandidates(known.count, MOST_IN_JSON)
        chance = 1 / known.count
        shares = known.table().tolist()
        echo_json(
            {
                "count": known.count,
                "candidates": [{"code": code, "probability": chance} for code in known.codes()],
                "table": dict(zip(known.rules.symbols, shares, strict=True)),
            }
        )
    elif table:
        probability_table(known)
    else:
        for start in range(0, known.count, MOST_AT_ONCE):
            click.echo("\n".join(decode_all(known.rules, known.candidates[start : start + MOST_AT_ONCE])))
