"""The page of a match: both boards, the guess that wins most often, and what to answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from yomikiri.errors import YomikiriError
from yomikiri.hitblow.match.advice import Advisor, Motive
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.opponents import DEFAULT_OPPONENT, opponent_named
from yomikiri.hitblow.notation import write_hint
from yomikiri.hitblow.rules import Turn
from yomikiri.web import hitblow_view, match_view
from yomikiri.web.hitblow import MENDS, guess_error, judged
from yomikiri.web.limits import MATCH_SECONDS, POLICY
from yomikiri.web.match_address import PATH, MatchAddress, guessed_rules, read
from yomikiri.web.pages import begin, page
from yomikiri.wording import hitblow as board_wording
from yomikiri.wording import match as wording
from yomikiri.wording import sentence
from yomikiri.wording import web as web_wording


def match(request: Request) -> Response:
    """The match in the address."""
    budget = begin(request, MATCH_SECONDS)
    address, refused = read_without_wrong_secret(request.query_params.multi_items())
    rules = guessed_rules(address.match, address.edit)
    typed_wrongly = guess_error(address.guess, rules)
    whole = "" if typed_wrongly or len(address.guess) < rules.digits else address.guess
    if whole and (answered := heard(address, whole)):
        return RedirectResponse(answered, 303)
    advisor = Advisor(opponent_named(DEFAULT_OPPONENT, POLICY), POLICY, MATCH_SECONDS)
    game = MatchAssistant(address.match, advisor, budget)
    known = address.match.known(Side.ME)
    shown: dict[str, Any] = {
        "here": PATH,
        "address": address,
        "game": game,
        "match": address.match,
        "words": address.words,
        "wording": board_wording,
        "match_wording": wording,
        "rounds": match_view.rounds(address, game),
        "pad": hitblow_view.pad(rules, address.guess),
        "typed_wrongly": sentence(typed_wrongly) if typed_wrongly else None,
        "mends": list(match_view.mends(address, game, MENDS)),
        "showed": match_view.showed(address),
        "secret": request.query_params["secret"] if refused else address.match.secret,
        "secret_wrong": sentence(refused) if refused else None,
        "known": known,
        "their_count": address.match.known(Side.OPPONENT).count,
        "listed": hitblow_view.listed(address, known),
        "table": hitblow_view.table(known),
        "mine": address.match.to_move is Side.ME,
        "hand": None,
        "soon": (),
        "mending": None,
        "judged": judged(known, address.words, budget) if game.outcome else None,
        "told": told(address, game),
    }
    if address.edit is not None:
        guess = whole or address.match.turns[address.edit - 1].guess
        shown["mending"] = match_view.other_answers(address, address.edit, guess)
        whole = ""
    shown |= state(address, game, whole)
    return page(request, "match.html", status=400 if typed_wrongly or refused else 200, **shown)


def read_without_wrong_secret(query: Sequence[tuple[str, str]]) -> tuple[MatchAddress, YomikiriError | None]:
    """The match of an address; where only my secret cannot be, the match without it, and what is wrong with it."""
    try:
        return read(query), None
    except YomikiriError as error:
        rest = [pair for pair in query if pair[0] != "secret"]
        with suppress(YomikiriError):
            if len(rest) < len(query):
                return read(rest), error
        raise


def heard(address: MatchAddress, guess: str) -> str | None:
    """The match after a guess of theirs that my secret answers by itself; None where nobody need be asked."""
    game = address.match
    side = game.mover(address.edit - 1) if address.edit else game.to_move
    if side is not Side.OPPONENT or not game.secret:
        return None
    turn = Turn(guess, game.answer(guess))
    return address.with_turns({address.edit: turn}) if address.edit else address.after(turn)


def told(address: MatchAddress, game: MatchAssistant) -> dict[str, Any] | None:
    """What to answer them, where they have just guessed and the program knows my secret."""
    turns = address.match.turns
    if not turns or not address.match.secret or address.match.mover(len(turns) - 1) is Side.ME:
        return None
    last = turns[-1]
    wasted = game.wasted(last.guess)
    return {
        "guess": last.guess,
        "hint": last.hint,
        "text": write_hint(last.hint, address.words),
        "spoken": web_wording.hint_spoken(last.hint, address.words),
        "wasted": wording.wasted(last.guess, wasted) if wasted else None,
    }


def state(address: MatchAddress, game: MatchAssistant, guess: str) -> dict[str, Any]:
    """What there is to show of the match as it stands; `guess` is the guess in hand, if there is one."""
    if game.contradictory:
        return {"headline": web_wording.contradictory()}
    if game.outcome:
        return {"headline": wording.result(address.match, game.outcome)}
    soon = match_view.soon(game.pace)
    if address.match.to_move is Side.ME:
        return {"soon": soon, **proposal(address, game, guess)}
    return {
        "headline": web_wording.their_turn(),
        "soon": soon,
        "win": float(game.standing.win),
        "standing": wording.standing(game.standing),
        "hand": match_view.next_answers(address, guess) if guess else None,
    }


def proposal(address: MatchAddress, game: MatchAssistant, guess: str) -> dict[str, Any]:
    """My turn: the proposed guess, or another one in hand beside it."""
    advice = game.advice
    guess = guess or advice.proposed.guess
    other = game.compare(guess) if guess != advice.proposed.guess else None
    reasoned = advice.reason.rival is not None or advice.reason.motive is Motive.LAST_CHANCE
    return {
        "headline": web_wording.match_headline(advice),
        "advice": advice,
        "hand": match_view.next_answers(address, guess),
        "other": wording.prospect(other) if other else None,
        "win": float(other.win if other else advice.proposed.win),
        "promise": wording.promise(advice),
        "why": wording.why(advice) if reasoned else None,
        "unread": wording.unread(advice),
    }
