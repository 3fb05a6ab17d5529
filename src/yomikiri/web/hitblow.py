"""The pages of Hit & Blow: a game, from the answer they gave to the next guess; and a match, with both boards, the
guess that wins most often, and what to answer. What each shows is one value for its template."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.enums import choice
from yomikiri.common.errors import CodeError, YomikiriError
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.review import expected
from yomikiri.hitblow.advice.suggestion import Advice, Figures, figures
from yomikiri.hitblow.match.advice import Advisor, MatchAdvice, Motive, Prospect, Unsolved
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import LABELS, SIDES
from yomikiri.hitblow.match.opponents import DEFAULT_OPPONENT, opponent_named
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.notation import parse_line
from yomikiri.hitblow.model.rules import Answered, Turn
from yomikiri.hitblow.policies.base import Unproven
from yomikiri.hitblow.policies.book import on_book
from yomikiri.hitblow.practice.lessons import Report, match_report, report
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_address import Address, read, read_match
from yomikiri.web.hitblow_page import AssistPage
from yomikiri.web.limits import MATCH_SECONDS, POLICY, REPORT_SECONDS
from yomikiri.web.pages import begin, page, see_other
from yomikiri.web.practise import of_game
from yomikiri.wording import match as match_wording
from yomikiri.wording import review, sentence

_SOON = 4  # guesses of theirs that are looked ahead


def hitblow(request: Request) -> Response:
    """The game in the address."""
    budget = begin(request)
    address = read(request.query_params.multi_items())
    if asked := address.opened.puzzle:
        reported = report(address.board(), POLICY, budget)
        if answer := of_game(request, address, asked, reported, budget):
            return answer
    game = Assistant(address.board(), POLICY, budget, address.items)
    told = learned(request, address, game)
    if isinstance(told, Address):
        return see_other(told)
    guess, wrong = typed(address)
    shown = GamePage(address, wrong, budget, game, guess, request.query_params.get("say", ""), told)
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
        return see_other(told)
    if (asked := address.opened.puzzle) and played.outcome:
        reported = match_report(played, replace(advisor, seconds=REPORT_SECONDS), budget)
        if answer := of_game(request, address, asked, reported, budget, advisor):
            return answer
    if guess and (answered := heard(address, played, guess)):
        return see_other(answered)
    secret = request.query_params["secret"] if refused else played.secret
    shown = MatchPage(address, wrong, budget, game, guess, request.query_params.get("say", ""), told, secret, refused)
    return page(request, shown, status=400 if shown.refused else 200)


# --- what is read -----------------------------------------------------------------------------------------------------


def typed(address: Address) -> tuple[str, CodeError | None]:
    """The guess in hand once it is all there, else nothing; and what is wrong with it."""
    rules = address.guessed_rules
    guess = address.opened.guess
    if len(guess) < rules.digits:
        return "", None
    try:
        return rules.check_guess(guess), None
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
    line = address.opened.edit
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
    edit = address.opened.edit
    line = edit or len(played.facts) + 1
    if not played.secret or played.mover(line - 1) is Side.ME or (played.outcome and not edit):
        return None
    return address.with_turns({line: Turn(guess, played.answer(guess))})


# --- what the pages show ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GamePage(AssistPage):
    """A game: what was answered so far, and the next guess."""

    game: Assistant

    @property
    def advice(self) -> Advice:
        """The proposed guess."""
        return self.game.advice

    @property
    def hurried(self) -> bool:
        """Whether more would have been found in more time."""
        return self.advice.unproven == Unproven.TIME

    @property
    def _compared(self) -> Sequence[Figures]:
        proposed = self.advice.proposed
        if self.other:
            return [self.game.compare(self.in_hand), proposed]
        return [proposed, self.advice.gain.rival] if self.advice.gain else [proposed]

    def _report(self) -> Report:
        return report(self.known, POLICY, self.budget)

    @property
    def others(self) -> Sequence[Figures]:
        """The next best guesses, where they were asked for."""
        return self.game.compared.alternatives if self.address.opened.compare else ()

    @cached_property
    def attempted(self) -> str | None:
        """What there is to say of another guess for the one that was played."""
        return attempted(self.game, self.address.opened.attempt, self.guess)

    @property
    def pad(self) -> view.Pad:
        """The keys for a guess, empty again once one was tried."""
        tried = self.state == "try" and self.attempted
        return view.pad(self.address.guessed_rules, "" if tried else self.address.opened.guess)


def attempted(game: Assistant, attempt: str, guess: str) -> str | None:
    """What there is to say of another guess for the one that was played, without naming the best; None before it."""
    if not guess:
        return None
    before, now, best = game.compare(attempt), game.compare(guess), game.advice.proposed
    needed = [expected(each) for each in (before, now, best)]
    if None in needed:
        return review.tried(guess, now.bits < before.bits, best=now.bits <= best.bits, saved=None)
    played, tried, least = (each for each in needed if each is not None)
    return review.tried(guess, tried < played, best=tried == least, saved=played - tried)


@dataclass(frozen=True)
class MatchPage(AssistPage):
    """A match: both boards, my next guess or theirs, and the terms, with my secret as it was typed."""

    game: MatchAssistant
    secret: str
    secret_error: YomikiriError | None

    @property
    def match(self) -> Match:  # type: ignore[override]
        """The match."""
        return self.game.match

    @property
    def refused(self) -> bool:
        """Whether something that was typed cannot be."""
        return super().refused or self.secret_error is not None

    @property
    def secret_wrong(self) -> str:
        """What is wrong with my secret."""
        return sentence(self.secret_error) if self.secret_error else ""

    @property
    def state(self) -> str:
        """What there is to do."""
        state = super().state
        return "theirs" if state == "mine" and self.match.to_move is Side.OPPONENT else state

    @property
    def advice(self) -> MatchAdvice:
        """The proposed guess."""
        return self.game.advice

    def _report(self) -> Report:
        return match_report(self.match, replace(self.game.advisor, seconds=REPORT_SECONDS), self.budget)

    @property
    def agreed(self) -> str:
        """What was agreed on, in a line."""
        return match_wording.agreed(self.match, masked=True)

    @cached_property
    def theirs(self) -> list[view.Row]:
        """Their guesses."""
        return view.rows(self.address, self.game, Side.OPPONENT)

    @property
    def their_count(self) -> int:
        """How many codes are left to them."""
        return self.match.known(Side.OPPONENT).count

    @property
    def last(self) -> view.Row | None:
        """The line that was told last."""
        rows = self.rows if self.last_is_mine else self.theirs
        return rows[-1] if rows else None

    @property
    def last_is_mine(self) -> bool:
        """Whether it is mine."""
        return bool(self.match.facts) and self.match.mover(len(self.match.facts) - 1) is Side.ME

    @property
    def asked(self) -> view.HintChoices | None:
        """What I can answer to the guess of theirs that is in hand."""
        return view.hints(self.address, self.guess) if self.guess else None

    @property
    def answer(self) -> Turn | None:
        """What to answer them, where they have just guessed and the program knows my secret."""
        last = self.match.facts[-1] if self.match.facts else None
        told = last is not None and self.match.secret and not self.last_is_mine
        return last if told and isinstance(last, Turn) else None

    @property
    def wasted(self) -> str:
        """What of their guess they knew not to be used, and may have misheard."""
        return self.game.wasted(self.answer.guess) if self.answer else ""

    @cached_property
    def win(self) -> float:
        """My chance of winning, with the guess in hand on my turn."""
        if self.state == "theirs":
            return float(self.game.standing.win)
        return float(self._held.win)

    @property
    def estimated(self) -> bool:
        """Whether that chance is not the one of best play by both."""
        return not self.game.standing.exact

    @property
    def hurried(self) -> bool:
        """Whether more would have been found in more time."""
        return self.game.standing.unsolved is Unsolved.TIME

    @property
    def hit(self) -> float:
        """The chance that the guess in hand is right."""
        return float(self._held.hit)

    @property
    def rival_win(self) -> float | None:
        """The chance of winning with what the guess in hand is compared with."""
        return float(self._rival.win) if self._rival else None

    @property
    def _held(self) -> Prospect:
        return self.game.compare(self.in_hand) if self.other else self.advice.proposed

    @property
    def _rival(self) -> Prospect | None:
        return self.advice.proposed if self.other else self.advice.reason.rival

    @property
    def last_chance(self) -> bool:
        """Whether they have found my number, so that only a right guess still draws."""
        return self.match.last_chance or self.advice.reason.motive is Motive.LAST_CHANCE

    @property
    def unsolved(self) -> str | None:
        """Why the race was not solved; None where it was."""
        return match_wording.unsolved(self.advice)

    @property
    def _compared(self) -> Sequence[Figures]:
        guesses = [self.in_hand, self._rival.guess] if self._rival else [self.in_hand]
        return [figures(self.known, guess) for guess in guesses]

    @cached_property
    def soon(self) -> list[tuple[int, str]]:
        """The chances that they find my secret within 1, 2, ... guesses from now; empty once they have."""
        found = self.match.last_chance and self.match.to_move is Side.ME
        if found or self.state not in ("mine", "theirs"):
            return []
        return list(enumerate(match_wording.chances_to_find(self.game.pace, _SOON), start=1))

    @property
    def revealed(self) -> list[tuple[str, tuple[tuple[str, str], ...], str]]:
        """What the sides can reveal: the term, every symbol that can be with the match in which it was or no longer
        was, and what was; first what whoever begins did, who usually has to."""
        played, opened = self.match, self.address.opening(terms=True)
        mine = ("shown", view.absent(opened, "shown", played.own_rules, played.shown, played.secret), played.shown)
        theirs = ("absent", view.absent(opened, "absent", played.rules, played.absent), played.absent)
        return [mine, theirs] if played.first is Side.ME else [theirs, mine]
