"""The pages of Hit & Blow: a game, from the answer they gave to the next guess; and a match, with both boards, the
guess that wins most often, and what to answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from yomikiri.budget import Budget
from yomikiri.enums import choice
from yomikiri.errors import CodeError, YomikiriError
from yomikiri.hitblow.advice import Advice, Figures, figures
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.items import ASKING, Item, ItemAdvice, Use
from yomikiri.hitblow.items import answer as item_answer
from yomikiri.hitblow.knowledge import Knowledge, shown_facts
from yomikiri.hitblow.learning.report import Report, match_report, report
from yomikiri.hitblow.match.advice import Advisor, MatchAdvice, Motive
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import LABELS, SIDES
from yomikiri.hitblow.match.opponents import DEFAULT_OPPONENT, opponent_named
from yomikiri.hitblow.notation import parse_line
from yomikiri.hitblow.policies.book import on_book
from yomikiri.hitblow.rules import Answered, Rules, Turn, Words
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_address import Address, read, read_match
from yomikiri.web.judged import Judged, attempted, judged
from yomikiri.web.limits import MATCH_SECONDS, POLICY, REPORT_SECONDS
from yomikiri.web.link import SEE_OTHER
from yomikiri.web.offline import can_keep
from yomikiri.web.pages import begin, page
from yomikiri.web.practise import PuzzlePage, of_report, practise
from yomikiri.wording import hitblow as wording
from yomikiri.wording import match as match_wording
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


# --- what both show ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AssistPage:
    """What the page of a game and that of a match show: the game, what it may still search, a guess in hand with what
    is wrong with it, and what was typed in words with what is wrong with that."""

    template: ClassVar[str] = "assist.html"

    address: Address
    game: Assistant | MatchAssistant
    budget: Budget
    guess: str
    wrong: CodeError | None
    said: str
    said_wrongly: str

    match: ClassVar[Match | None] = None

    @property
    def here(self) -> str:
        """The path that forms ask for."""
        return self.address.path

    @property
    def refused(self) -> bool:
        """Whether something that was typed cannot be."""
        return bool(self.wrong or self.said_wrongly)

    @property
    def known(self) -> Knowledge:
        """What is known of the number that I seek."""
        return self.address.game if isinstance(self.address.game, Knowledge) else self.address.game.known(Side.ME)

    @property
    def rules(self) -> Rules:
        """The rules of the number that I seek."""
        return self.known.rules

    @property
    def words(self) -> Words:
        """What hits and blows are called."""
        return self.address.words

    @property
    def pegs(self) -> str:
        """The symbols that have a colour."""
        return view.pegs(self.rules, self.words)

    @property
    def preset(self) -> str | None:
        """Which of the known games it is."""
        return view.preset_of(self.rules, self.words)

    @property
    def typed_wrongly(self) -> str:
        """What is wrong with the guess in hand."""
        return sentence(self.wrong) if self.wrong else ""

    @cached_property
    def rows(self) -> list[view.Row]:
        """My guesses, and what else I learned."""
        return view.rows(self.address, self.game)

    @property
    def number(self) -> int:
        """The number of my next guess; what else was learned is no guess."""
        return len(self.known.turns) + 1

    @property
    def last(self) -> view.Row | None:
        """The line that was told last."""
        return self.rows[-1] if self.rows else None

    @property
    def state(self) -> str:
        """What there is to do: `edit` a line, mend a `contradiction`, look at the `end`, its `review` or a code that
        does not fit (`unfit`), `try` a position again, answer `theirs`, or make `mine`, the next guess."""
        if self.address.edit:
            return "edit"
        if self.game.contradictory:
            return "contradiction"
        if self.game.finished:
            return "unfit" if self.judged.unfit else "review" if self.address.opened.review else "end"
        return "try" if self.address.opened.attempt else "mine"

    @cached_property
    def editor(self) -> view.Editor | None:
        """The line that is being edited."""
        return view.editor(self.address, self.guess)

    @property
    def pad(self) -> view.Pad:
        """The keys for a guess."""
        return view.pad(self.address.guessed_rules, self.address.guess)

    @cached_property
    def repairs(self) -> list[view.RepairRow]:
        """What mends a contradiction."""
        return view.repairs(self.address, self.game)

    @cached_property
    def keys(self) -> list[view.Key]:
        """What is known of every symbol."""
        return view.keys(self.address, self.known)

    @property
    def forms(self) -> list[tuple[str, str]]:
        """What else can be typed of the number, by example, each with what it means."""
        return [(fact.as_typed(wording.name_typed(fact)), wording.fact_text(fact, self.words))
                for fact in shown_facts(self.rules, self.match is not None)]  # fmt: skip

    @property
    def tolerance(self) -> list[str]:
        """How many answers may be wrong, if any, and what is left then."""
        return [wording.joined(line, wording.left(self.known)) for line in wording.tolerance(self.known)]

    @cached_property
    def doubted(self) -> list[tuple[int, float]]:
        """The turns that are most likely wrong, with how likely that is, the likeliest first."""
        known = self.known
        if not known.slips.most or not known.count:
            return []
        doubts = [
            (number, 1 - known.cells(fact.guess).get(fact.hint, 0) / known.total)
            for number, fact in enumerate(known.facts, start=1)
            if fact in known.played and isinstance(fact, Turn)
        ]
        return sorted((each for each in doubts if each[1] >= _DOUBTED), key=lambda each: (-each[1], each[0]))[:3]

    @property
    def listed(self) -> list[tuple[str, str]]:
        """The codes that are left."""
        return view.listed(self.address, self.known)

    @property
    def table(self) -> list[tuple[str, list[float]]]:
        """The chance of each symbol that is left in each place."""
        return list(view.table(self.known))

    @property
    def file(self) -> str | None:
        """Where the file for my board from here is, if there is one."""
        address = self.address.restarted if self.game.finished else self.address
        known = address.game if isinstance(address.game, Knowledge) else address.game.known(Side.ME)
        return address.offline if can_keep(known) else None

    @cached_property
    def judged(self) -> Judged:
        """The game in review, once it is over."""
        return judged(self.known, self.words, self._report)

    def _report(self) -> Report:
        raise NotImplementedError

    @property
    def reviewed(self) -> Address:
        """The page with the review."""
        return self.address.opening(review=True)

    def puzzle(self, number: int) -> Address:
        """The page that has the position before a guess of mine as a puzzle."""
        return self.address.opening(puzzle=number)

    # --- my guess -----------------------------------------------------------------------------------------------------

    @property
    def advice(self) -> Advice | MatchAdvice:
        """The proposed guess."""
        return self.game.advice

    @property
    def proposed(self) -> str:
        """The proposed guess as a code."""
        return self.advice.proposed.guess

    @property
    def in_hand(self) -> str:
        """The guess that is looked at: the proposed one, or another."""
        return self.guess or self.proposed

    @property
    def other(self) -> bool:
        """Whether it is not the proposed one."""
        return self.in_hand != self.proposed

    @cached_property
    def hand(self) -> view.HintChoices:
        """What it can be answered."""
        return view.hints(self.address, self.in_hand)

    @cached_property
    def splits(self) -> list[view.Split]:
        """What the guess in hand does to what is left, and what the one does that it is compared with."""
        return view.splits(self._compared, self.words)

    @property
    def _compared(self) -> Sequence[Figures]:
        raise NotImplementedError

    # --- items --------------------------------------------------------------------------------------------------------

    @property
    def items(self) -> tuple[Item, ...]:
        """The items that I had at the start."""
        return self.address.items.left

    @property
    def may_have(self) -> tuple[Item, ...]:
        """The items that there are in this game."""
        return () if not self.rules.symbols.isdecimal() else tuple(Item) if self.match is not None else ASKING

    @property
    def items_left(self) -> tuple[Item, ...]:
        """Those that are not used."""
        return self.game.items_now.left

    @cached_property
    def item_advice(self) -> ItemAdvice | None:
        """Which to play before the guess."""
        return self.game.item_advice if self.items_left else None

    def answers(self, item: Item) -> list[tuple[str, str]]:
        """What an item can be answered, each as it is written in an address and in words; TARGET where it is best."""
        use = Use(item)
        if item is Item.TARGET:
            advised = self.item_advice
            uses = [advised.use, *(each for each, _value in advised.others)] if advised else []
            use = next((each for each in uses if each and each.item is item), Use(item, self.rules.symbols[0]))
        facts = dict.fromkeys(item_answer(use, code) for code in self.known.codes(_ASKED)) if item in ASKING else {}
        return sorted((str(fact), wording.fact_text(fact, self.words)) for fact in facts)


_DOUBTED = 0.1  # how likely a turn is wrong that is worth naming
_ASKED = 720  # codes that are looked at for what an item may be answered


# --- a game -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GamePage(AssistPage):
    """A game: what was answered so far, and the next guess."""

    game: Assistant

    @property
    def advice(self) -> Advice:
        """The proposed guess."""
        return self.game.advice

    @property
    def _compared(self) -> Sequence[Figures]:
        proposed = self.advice.proposed
        if self.other:
            return [self.game.compare(self.in_hand), proposed]
        return [proposed, self.advice.gain.rival] if self.advice.gain else [proposed]

    def _report(self) -> Report:
        return report(self.known, POLICY, self.budget)

    @property
    def is_candidate(self) -> bool:
        """Whether the guess in hand can be right."""
        return self.known.is_candidate(self.in_hand)

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
        return view.pad(self.address.guessed_rules, "" if tried else self.address.guess)


# --- a match ----------------------------------------------------------------------------------------------------------

# What is this certain need not be looked beyond.
_SURE = 0.9995


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
        if not self.match.facts:
            return None
        mine = self.match.mover(len(self.match.facts) - 1) is Side.ME
        rows = self.rows if mine else self.theirs
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
        return float(self.game.compare(self.in_hand).win if self.other else self.advice.proposed.win)

    @property
    def hit(self) -> float:
        """The chance that the guess in hand is right."""
        return float(self.game.compare(self.in_hand).hit if self.other else self.advice.proposed.hit)

    @property
    def rival_win(self) -> float | None:
        """The chance of winning with what the guess in hand is compared with."""
        if self.other:
            return float(self.advice.proposed.win)
        return float(self.advice.reason.rival.win) if self.advice.reason.rival else None

    @property
    def last_chance(self) -> bool:
        """Whether they have found my number, so that only a right guess still draws."""
        return self.match.last_chance or self.advice.reason.motive is Motive.LAST_CHANCE

    @property
    def unread(self) -> str | None:
        """Why the race was not solved; None where it was."""
        return match_wording.unread(self.advice)

    @property
    def _compared(self) -> Sequence[Figures]:
        rival = self.proposed if self.other else self.advice.reason.rival.guess if self.advice.reason.rival else None
        return [figures(self.known, guess) for guess in (self.in_hand, rival) if guess]

    @cached_property
    def soon(self) -> list[tuple[int, float]]:
        """How likely they find my secret within 1, 2, ... guesses from now, until it is certain; nothing once they
        have."""
        found = self.match.last_chance and self.match.to_move is Side.ME
        if found or self.state not in ("mine", "theirs"):
            return []
        pace, chances = self.game.pace, list[tuple[int, float]]()
        for guesses in range(1, min(_SOON, len(pace.finish.counts)) + 1):
            chances.append((guesses, pace.within(guesses)))
            if chances[-1][1] >= _SURE:
                break
        return chances

    @property
    def revealed(self) -> list[tuple[str, tuple[tuple[str, str], ...], str]]:
        """What the sides can reveal: the term, every symbol that can be with the match in which it was or no longer
        was, and what was; first what whoever begins did, who usually has to."""
        played, opened = self.match, self.address.opening(terms=True)
        mine = ("shown", view.absent(opened, "shown", played.own_rules, played.shown, played.secret), played.shown)
        theirs = ("absent", view.absent(opened, "absent", played.rules, played.absent), played.absent)
        return [mine, theirs] if played.first is Side.ME else [theirs, mine]


_SOON = 4  # guesses of theirs that are looked ahead
