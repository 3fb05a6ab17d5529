"""The requests for a game of Hit & Blow and for a match: read the address and the typed texts, then show the page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.enums import choice
from yomikiri.common.errors import CodeError, YomikiriError
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import LABELS, SIDES
from yomikiri.hitblow.match.opponents import DEFAULT_OPPONENT, opponent_named
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import parse_line
from yomikiri.hitblow.model.rules import Answered, Turn
from yomikiri.hitblow.policies.book import on_book
from yomikiri.hitblow.practice.lessons import match_report, report
from yomikiri.web import limits
from yomikiri.web.assist_inputs import AssistQuery
from yomikiri.web.cut_links import read_cut
from yomikiri.web.hitblow_address import AssistAddress, read, read_match
from yomikiri.web.hitblow_view import assist_view
from yomikiri.web.limits import POLICY, REPORT_SECONDS
from yomikiri.web.pages import begin, page, see_other, with_notice
from yomikiri.web.practise import game_puzzle
from yomikiri.wording import sentence
from yomikiri.wording.web import code_error

_TURNS = ("turn", "fact")


def hitblow(request: Request) -> Response:
    """Return the page of the game in the address."""
    budget = begin(request)
    address, notice = read_cut(request.query_params.multi_items(), read, _TURNS)
    if number := address.opened.puzzle:
        puzzle = game_puzzle(request, address, number, report(address.board(), POLICY, budget), budget)
        if puzzle:
            return puzzle
    session = Assistant(address.board(), POLICY, budget, address.items)
    learned = learn_typed(request, address, session)
    if isinstance(learned, AssistAddress):
        return see_other(learned)
    guess, guess_error = typed_guess(address)
    query = AssistQuery(address, guess, guess_error, request.query_params.get("say", ""), learned)
    return page(request, with_notice(assist_view(session, query, budget), notice))


def by_book(request: Request) -> bool:
    """Return True if the page of a game needs no search.

    That is so if the book, the collection of proven strategies, contains the suggested guess, or if the address is
    invalid.
    """
    try:
        address = read(request.query_params.multi_items())
    except YomikiriError:
        return True
    opened = address.opened
    return not (opened.guess or opened.compare or opened.attempt or address.items.left) and on_book(address.board())


def match(request: Request) -> Response:
    """Return the page of the match in the address."""
    budget = begin(request, limits.MATCH_SECONDS)
    (address, secret_error), notice = read_cut(
        request.query_params.multi_items(), read_without_wrong_secret, tuple(SIDES)
    )
    game = address.game
    assert isinstance(game, Match)
    guess, guess_error = typed_guess(address)
    if "add" in request.query_params and game.to_move is Side.OPPONENT and not address.opened.edit:
        # A tap on a key, even the last one of a guess, never enters the opponent's guess. The player taps a button to
        # enter it.
        guess = ""
    advisor = Advisor(opponent_named(DEFAULT_OPPONENT, POLICY), POLICY, limits.MATCH_SECONDS)
    session = MatchAssistant(game, advisor, budget, address.items)
    learned = learn_typed(request, address, session)
    if isinstance(learned, AssistAddress):
        return see_other(learned)
    if (number := address.opened.puzzle) and game.outcome:
        reported = match_report(game, replace(advisor, seconds=REPORT_SECONDS), budget)
        if puzzle := game_puzzle(request, address, number, reported, budget, advisor):
            return puzzle
    if guess and (answered := answer_by_secret(address, game, guess)):
        return see_other(answered)
    secret = request.query_params["secret"] if secret_error else game.secret
    typed_fact = request.query_params.get("say", "")
    query = AssistQuery(address, guess, guess_error, typed_fact, learned, secret, secret_error)
    return page(request, with_notice(assist_view(session, query, budget), notice))


def typed_guess(address: AssistAddress) -> tuple[str, str]:
    """Return the guess in the address and an error message.

    The guess is empty if it is incomplete or invalid. The message is empty unless the guess is complete and invalid.
    """
    rules = address.guessed_rules
    guess = address.opened.guess
    if len(guess) < rules.digits:
        return "", ""
    try:
        return rules.check_guess(guess), ""
    except CodeError as error:
        return "", code_error(error)


def learn_typed(request: Request, address: AssistAddress, session: Assistant | MatchAssistant) -> AssistAddress | str:
    """Return the address of the game after a fact about a secret, typed in words, or an error message for the fact.

    A fact is one piece of knowledge, such as a turn or an absent symbol. It is added to the game, or it replaces the
    turn or other fact that is being edited. The message is empty if nothing was typed.
    """
    typed = request.query_params.get("say", "")
    if not typed.strip():
        return ""
    side = SIDES[choice(request.query_params, "side", SIDES, LABELS[Side.ME])]
    try:
        return replace(address.closed, game=_after_typed(address, session, typed, side))
    except YomikiriError as error:
        return sentence(error)


def _after_typed(
    address: AssistAddress, session: Assistant | MatchAssistant, typed: str, side: Side
) -> Knowledge | Match:
    line = address.opened.edit
    match = None if isinstance(session, Assistant) else session.match
    if match and line:
        side = match.mover(line - 1)

    def guess() -> str:
        """Return the guess that a typed answer without a guess, such as `1H1B`, belongs to.

        This is the guess of the edited turn. Without an edited turn, it is the suggested guess if the answer is for the
        player and the player is to guess. Otherwise it is an empty string.
        """
        if line:
            return session.guess_in(line)
        return session.advice.proposed.guess if match is None or match.to_move is side is Side.ME else ""

    fact = parse_line(typed, match.sought(side) if match else address.guessed_rules, address.words, guess)
    if isinstance(session, Assistant):
        return (session.put(line, fact) if line else session.learn(fact)).known
    if line:
        return session.put(line, fact).match
    after = session.take(LABELS[side], str(fact)) if isinstance(fact, Answered) else session.learn(fact, side)
    return after.match


def read_without_wrong_secret(query: Sequence[tuple[str, str]]) -> tuple[AssistAddress, str]:
    """Read the address of a match. If only the player's secret is invalid, read it without the secret.

    Returns the address, and the error message for the secret or an empty string. Raises any other error.
    """
    try:
        return read_match(query), ""
    except YomikiriError as error:
        rest = [pair for pair in query if pair[0] != "secret"]
        with suppress(YomikiriError):
            if len(rest) < len(query):
                return read_match(rest), sentence(error)
        raise


def answer_by_secret(address: AssistAddress, match: Match, guess: str) -> str | None:
    """Return the address of the match after an opponent's guess, answered by the player's secret.

    Returns None if this secret is unknown, if the guess is the player's, or if the match is over. `guess` makes a new
    turn, or replaces the guess in the turn that is being edited.
    """
    edit = address.opened.edit
    line = edit or len(match.facts) + 1
    if not match.secret or match.mover(line - 1) is Side.ME or (match.outcome and not edit):
        return None
    return address.link_with_entries({line: Turn(guess, match.answer(guess))})
