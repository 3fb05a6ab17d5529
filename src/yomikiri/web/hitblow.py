"""The pages of Hit & Blow: a game, from the answer they gave to the next guess; and a match, with both boards, the
guess that wins most often, and what to answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from yomikiri.budget import Budget
from yomikiri.enums import choice
from yomikiri.errors import CodeError, YomikiriError
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.knowledge import Knowledge, shown_facts
from yomikiri.hitblow.match.advice import Advisor, Motive
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import LABELS, SIDES
from yomikiri.hitblow.match.opponents import DEFAULT_OPPONENT, opponent_named
from yomikiri.hitblow.notation import parse_line, write_hint
from yomikiri.hitblow.policies.book import on_book
from yomikiri.hitblow.rules import Answered, Turn
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_address import Address, read, read_match
from yomikiri.web.judged import attempted, judged
from yomikiri.web.limits import MATCH_SECONDS, POLICY
from yomikiri.web.offline import can_keep
from yomikiri.web.pages import begin, page
from yomikiri.wording import _, sentence
from yomikiri.wording import hitblow as wording
from yomikiri.wording import match as match_wording
from yomikiri.wording import web as web_wording
from yomikiri.wording.contradictions import go_on


def hitblow(request: Request) -> Response:
    """The game in the address."""
    budget = begin(request)
    address = read(request.query_params.multi_items())
    known = address.board()
    game = Assistant(known, POLICY, budget)
    told = learned(request, address, game)
    if isinstance(told, Address):
        return RedirectResponse(str(told), 303)
    guess, wrong = typed(address)
    shown = {
        **common(address, game, known, guess, wrong, budget),
        "said": request.query_params.get("say", ""),
        "said_wrongly": told,
        "name": view.title(known.rules, address.words),
        "contradicted": web_wording.contradictory(),
        "absent": view.absent(address, "absent", known.rules, known.absent),
        "doubted": None if game.finished else web_wording.doubted(known),
    }
    if not address.edit:
        shown |= next_guess(address, game, guess)
    return page(request, "hitblow.html", status=400 if wrong or told else 200, **shown)


def by_book(request: Request) -> bool:
    """Whether the page of the game in the address needs no search, since the book has the guess, or it is an error."""
    try:
        address = read(request.query_params.multi_items())
    except YomikiriError:
        return True
    return not (address.guess or address.compare or address.attempt) and on_book(address.board())


def match(request: Request) -> Response:
    """The match in the address."""
    budget = begin(request, MATCH_SECONDS)
    address, refused = read_without_wrong_secret(request.query_params.multi_items())
    played = address.game
    assert isinstance(played, Match)
    guess, wrong = typed(address)
    game = MatchAssistant(played, Advisor(opponent_named(DEFAULT_OPPONENT, POLICY), POLICY, MATCH_SECONDS), budget)
    told = learned(request, address, game)
    if isinstance(told, Address):
        return RedirectResponse(str(told), 303)
    if guess and (answered := heard(address, played, guess)):
        return RedirectResponse(answered, 303)
    shown = {
        **common(address, game, played.known(Side.ME), guess, wrong, budget),
        "said": request.query_params.get("say", ""),
        "said_wrongly": told,
        "name": _("Hit & Blow match"),
        "contradicted": match_wording.contradicted(game.contradictory) if game.contradictory else None,
        "match": played,
        "match_wording": match_wording,
        "their_count": played.known(Side.OPPONENT).count,
        "showed": view.showed(address, played),
        "secret": request.query_params["secret"] if refused else played.secret,
        "secret_wrong": sentence(refused) if refused else None,
    }
    if not address.edit:
        shown |= state(address, game, guess)
        shown["answer"] = answer(address, game)
        shown["last"] = None if shown["answer"] else shown["last"]
    return page(request, "match.html", status=400 if wrong or refused or told else 200, **shown)


# --- what both show ---------------------------------------------------------------------------------------------------


def typed(address: Address) -> tuple[str, CodeError | None]:
    """The guess in hand once it is all there, else nothing; and what is wrong with it."""
    rules = address.guessed_rules
    if len(address.guess) < rules.digits:
        return "", None
    try:
        return rules.check_guess(address.guess), None
    except CodeError as error:
        return "", error


def learned(request: Request, address: Address, game: Assistant | MatchAssistant) -> Address | str:
    """The game after what was typed in words, as at the terminal, a new line or another one for the line being edited;
    else what is wrong with it, nothing where nothing was typed."""
    typed = request.query_params.get("say", "")
    if not typed.strip():
        return ""
    side = SIDES[choice(request.query_params, "side", SIDES, LABELS[Side.ME])]
    try:
        return replace(address.closed, game=_with_learned(address, game, typed, side))
    except YomikiriError as error:
        return sentence(error)


def _with_learned(address: Address, game: Assistant | MatchAssistant, typed: str, side: Side) -> Knowledge | Match:
    line = address.edit
    match = None if isinstance(game, Assistant) else game.match
    if match and line:
        side = match.mover(line - 1)

    def guess() -> str:
        """The guess that a hint alone answers, if any does."""
        if line:
            return game.guess_in(line)
        return game.advice.proposed.guess if match is None or match.to_move is side is Side.ME else ""

    fact = parse_line(typed, match.sought(side) if match else address.guessed_rules, address.words, guess)
    if isinstance(game, Assistant):
        return (game.put(line, fact) if line else game.learn(fact)).known
    if line:
        return game.put(line, fact).match
    return (game.take(LABELS[side], str(fact)) if isinstance(fact, Answered) else game.learn(fact, side)).match


def common(
    address: Address,
    game: Assistant | MatchAssistant,
    known: Knowledge,
    guess: str,
    wrong: CodeError | None,
    budget: Budget,
) -> dict[str, Any]:
    """What every page of a game shows; `known` is my board."""
    lines = view.lines(address, game)
    line_of = partial(game.match.line_of, Side.ME) if isinstance(game, MatchAssistant) else int
    over = game.contradictory or game.finished
    return {
        "headline": _("Edit turn {number}").format(number=address.edit),
        "here": address.path,
        "address": address,
        "game": game,
        "known": known,
        "words": address.words,
        "pegs": view.pegs(known.rules, address.words),
        "wording": wording,
        "go_on": go_on,
        "lines": lines,
        "strips": view.strips(address, lines),
        "last": last(address),
        "pad": view.pad(address.guessed_rules, address.guess),
        "typed_wrongly": sentence(wrong) if wrong else None,
        "repairs": view.repairs(address, game),
        "editor": view.editor(address, guess),
        "forms": web_wording.facts_typed(shown_facts(known.rules)),
        "listed": view.listed(address, known),
        # Before anything is known the table says the same of every digit.
        "table": view.table(address, known) if not over and (known.facts or known.absent) else None,
        "judged": judged(known, address.words, address.lang, budget, line_of)
        if game.finished and not address.edit
        else None,
        "missed": game.finished and not known.solved,
        "hand": None,
        "file": keepable(address.restarted if game.finished else address),
        "doubted": None,
    }


def keepable(address: Address) -> str | None:
    """Where the file for my board from here is, if there is one."""
    known = address.game if isinstance(address.game, Knowledge) else address.game.known(Side.ME)
    return address.offline if can_keep(known) else None


def last(address: Address) -> str | None:
    """The last turn in a sentence, None before the first."""
    if not address.turns:
        return None
    number = len(address.turns)
    mine = isinstance(address.game, Knowledge) or address.game.mover(number - 1) is Side.ME
    return web_wording.last(address.turns[-1], address.words, mine=mine)


# --- a game -----------------------------------------------------------------------------------------------------------


def next_guess(address: Address, game: Assistant, guess: str) -> dict[str, Any]:
    """What there is to show of the next guess: of `guess` if one is given, else of the proposed one."""
    if game.contradictory:
        return {"headline": web_wording.contradictory()}
    if game.finished:
        return {"headline": wording.found(game.known.turns)}
    proposed = game.advice.proposed
    if address.attempt:
        said = attempted(game, address.attempt, guess)
        keys = view.pad(address.guessed_rules, "" if said else address.guess)
        return {
            "headline": _("Find a better guess than {guess}").format(guess=address.attempt),
            "said": said,
            "pad": keys,
        }
    guess = guess or proposed.guess
    shown = [proposed] if guess == proposed.guess else [game.compare(guess), proposed]
    return {
        "headline": web_wording.headline(game.advice),
        "hand": view.hints(address, guess),
        "cells": view.cells(shown, address.words),
        "versus": web_wording.versus(*shown) if len(shown) == 2 else None,
        "others": game.compared.alternatives if address.compare else (),
    }


# --- a match ----------------------------------------------------------------------------------------------------------


def read_without_wrong_secret(query: Sequence[tuple[str, str]]) -> tuple[Address, YomikiriError | None]:
    """The match of an address; where only my secret cannot be, the match without it, and what is wrong with it."""
    try:
        return read_match(query), None
    except YomikiriError as error:
        rest = [pair for pair in query if pair[0] != "secret"]
        with suppress(YomikiriError):
            if len(rest) < len(query):
                return read_match(rest), error
        raise


def heard(address: Address, played: Match, guess: str) -> str | None:
    """The match after a guess of theirs that my secret answers by itself; None where nobody need be asked."""
    line = address.edit or len(played.facts) + 1
    if not played.secret or played.mover(line - 1) is Side.ME or (played.outcome and not address.edit):
        return None
    return address.with_turns({line: Turn(guess, played.answer(guess))})


def answer(address: Address, game: MatchAssistant) -> dict[str, Any] | None:
    """What to answer them, where they have just guessed and the program knows my secret."""
    played = game.match
    if not played.facts or not played.secret or played.mover(len(played.facts) - 1) is Side.ME:
        return None
    last = played.facts[-1]
    if not isinstance(last, Turn):
        return None
    wasted = game.wasted(last.guess)
    return {
        "guess": last.guess,
        "hint": last.hint,
        "text": write_hint(last.hint, address.words),
        "spoken": web_wording.hint_spoken(last.hint, address.words),
        "wasted": match_wording.wasted(last.guess, wasted) if wasted else None,
    }


def state(address: Address, game: MatchAssistant, guess: str) -> dict[str, Any]:
    """What there is to show of the match as it stands; `guess` is the guess in hand, if there is one."""
    if game.contradictory:
        return {"headline": web_wording.contradictory(), "soon": ()}
    if game.outcome:
        return {"headline": match_wording.result(game.match, game.outcome), "soon": ()}
    if game.match.to_move is Side.ME:
        found = game.match.last_chance  # then they have my secret
        return {"soon": () if found else view.soon(game.pace), **proposal(address, game, guess)}
    return {
        "headline": _("Their turn"),
        "soon": view.soon(game.pace),
        "win": float(game.standing.win),
        "standing": match_wording.standing(game.standing),
        "hand": view.hints(address, guess) if guess else None,
    }


def proposal(address: Address, game: MatchAssistant, guess: str) -> dict[str, Any]:
    """My turn: the proposed guess, or another one in hand beside it."""
    advice = game.advice
    guess = guess or advice.proposed.guess
    other = game.compare(guess) if guess != advice.proposed.guess else None
    reasoned = advice.reason.rival is not None or advice.reason.motive is Motive.LAST_CHANCE
    return {
        "headline": web_wording.match_headline(advice),
        "advice": advice,
        "hand": view.hints(address, guess),
        "other": match_wording.prospect(other) if other else None,
        "win": float(other.win if other else advice.proposed.win),
        "promise": match_wording.promise(advice),
        "why": match_wording.why(advice) if reasoned else None,
        "unread": match_wording.unread(advice),
    }
