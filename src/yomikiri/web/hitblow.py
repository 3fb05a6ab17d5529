"""The page of Hit & Blow: from the answer they gave to the next guess."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.budget import Budget
from yomikiri.errors import CodeError
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.review import review
from yomikiri.hitblow.rules import Rules, Words
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_address import PATH, Address, read
from yomikiri.web.limits import POLICY
from yomikiri.web.pages import begin, page
from yomikiri.wording import hitblow as wording
from yomikiri.wording import review as review_wording
from yomikiri.wording import sentence
from yomikiri.wording import web as web_wording

MENDS = 12


def hitblow(request: Request) -> Response:
    """The game in the address."""
    budget = begin(request)
    address = read(request.query_params.multi_items())
    game = Assistant(Knowledge(address.rules, address.absent, address.turns), POLICY, budget)
    typed_wrongly = guess_error(address.guess, address.rules)
    shown: dict[str, Any] = {
        "here": PATH,
        "address": address,
        "game": game,
        "words": address.words,
        "wording": wording,
        "lines": view.lines(address, game),
        "pad": view.pad(address.rules, address.guess),
        "typed_wrongly": sentence(typed_wrongly) if typed_wrongly else None,
        "mends": list(view.mends(address, game, MENDS)),
        "absent": view.absent(address),
        "listed": view.listed(address, game.known),
        "table": view.table(game.known),
        "hand": None,
        "mending": None,
        "judged": judged(game.known, address.words, budget) if game.finished else None,
    }
    whole = "" if typed_wrongly or len(address.guess) < address.rules.digits else address.guess
    if address.edit is not None:
        guess = whole or address.turns[address.edit - 1].guess
        shown["mending"] = view.other_answers(address, address.edit, guess)
        whole = ""
    shown |= in_hand(address, game, whole)
    return page(request, "hitblow.html", status=400 if typed_wrongly else 200, **shown)


def in_hand(address: Address, game: Assistant, guess: str) -> dict[str, Any]:
    """What there is to show of the next guess: of `guess` if one is given, else of the proposed one."""
    if game.contradictory:
        return {"headline": web_wording.contradictory()}
    if game.finished:
        return {"headline": wording.found(game.known)}
    proposed = game.advice.proposed
    guess = guess or proposed.guess
    shown = [proposed] if guess == proposed.guess else [game.compare(guess), proposed]
    return {
        "headline": web_wording.headline(game.advice),
        "hand": view.next_answers(address, game.known, guess),
        "cells": view.cells(shown, address.words),
        "versus": web_wording.versus(*shown) if len(shown) == 2 else None,
        "others": game.compared.alternatives if address.compare else (),
    }


def judged(known: Knowledge, words: Words, budget: Budget) -> dict[str, Any]:
    """What a game that is over shows of itself."""
    result = review(known, POLICY, budget)
    rows = [review_wording.row(turn, number, words) for number, turn in enumerate(result.turns, start=1)]
    return {"rows": rows, "summary": list(review_wording.summary(result)), "legend": review_wording.legend()}


def guess_error(guess: str, rules: Rules) -> CodeError | None:
    """What is wrong with a guess; one that is not all there yet is not wrong."""
    try:
        if len(guess) >= rules.digits:
            rules.check_guess(guess)
    except CodeError as error:
        return error
    return None
