"""The pages of Hit & Blow: a game, from the answer they gave to the next guess; and a match, with both boards, the
guess that wins most often, and what to answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from yomikiri.enums import choice
from yomikiri.errors import CodeError, YomikiriError
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.learning.report import match_report, report
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import LABELS, SIDES
from yomikiri.hitblow.match.opponents import DEFAULT_OPPONENT, opponent_named
from yomikiri.hitblow.notation import parse_line
from yomikiri.hitblow.policies.book import on_book
from yomikiri.hitblow.rules import Answered, Turn
from yomikiri.web.hitblow_address import Address, read, read_match
from yomikiri.web.hitblow_page import GamePage
from yomikiri.web.limits import MATCH_SECONDS, POLICY, REPORT_SECONDS
from yomikiri.web.link import SEE_OTHER
from yomikiri.web.match_page import MatchPage
from yomikiri.web.pages import begin, page
from yomikiri.web.practise import PuzzlePage, of_report, practise
from yomikiri.wording import sentence


def hitblow(request: Request) -> Response:
    """The game in the address."""
    budget = begin(request)
    address = read(request.query_params.multi_items())
    if (asked := address.opened.puzzle) and (puzzle := of_report(report(address.board(), POLICY, budget), asked)):
        return practise(request, PuzzlePage.of(request, puzzle, address, address.words, budget))
    game = Assistant(address.board(), POLICY, budget, address.items)
    told = learned(request, address, game)
    if isinstance(told, Address):
        return RedirectResponse(str(told), SEE_OTHER)
    shown = GamePage(address, game, budget, *typed(address), request.query_params.get("say", ""), told)
    return page(request, shown, status=400 if shown.refused else 200)


def by_book(request: Request) -> bool:
    """Whether the page of the game in the address needs no search, since the book has the guess, or it is an error."""
    try:
        address = read(request.query_params.multi_items())
    except YomikiriError:
        return True
    opened = address.opened
    return not (opened.guess or opened.compare or opened.attempt or address.items.left) and on_book(address.board())


def match(request: Request) -> Response:
    """The match in the address."""
    budget = begin(request, MATCH_SECONDS)
    address, refused = read_without_wrong_secret(request.query_params.multi_items())
    played = address.game
    assert isinstance(played, Match)
    guess, wrong = typed(address)
    advisor = Advisor(opponent_named(DEFAULT_OPPONENT, POLICY), POLICY, MATCH_SECONDS)
    game = MatchAssistant(played, advisor, budget, address.items)
    told = learned(request, address, game)
    if isinstance(told, Address):
        return RedirectResponse(str(told), SEE_OTHER)
    if address.opened.puzzle and played.outcome:
        reported = match_report(played, replace(advisor, seconds=REPORT_SECONDS), budget)
        if puzzle := of_report(reported, address.opened.puzzle):
            return practise(request, PuzzlePage.of(request, puzzle, address, address.words, budget, advisor))
    if guess and (answered := heard(address, played, guess)):
        return RedirectResponse(answered, SEE_OTHER)
    secret = request.query_params["secret"] if refused else played.secret
    shown = MatchPage(address, game, budget, guess, wrong, request.query_params.get("say", ""), told, secret, refused)
    return page(request, shown, status=400 if shown.refused else 200)


# --- what is read -----------------------------------------------------------------------------------------------------


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
