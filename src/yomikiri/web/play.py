"""The page of a game against the program: nothing about it is kept anywhere but in its address.

    /play?v=1&seed=k3x9&me=012&me=345&hint=2           the program keeps a secret, the person guesses
    /play?v=1&seed=k3x9&race=1&level=fewest&first=opponent&secret=314&they=012&me=345
    /play?v=1&day=2026-11-22                           the number of that day, the same for everyone

The rules are those of `/hitblow`. The address holds the guesses of both; hints are computed, and so is the next guess
of the program, to whose address the page leads on. An address without a seed leads to one with a fresh seed. `help=0`
shows no chances in a race, `review=1` the review of a game that is over.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from yomikiri.budget import Budget
from yomikiri.enums import choice, number
from yomikiri.errors import N_, CodeError, InputError, YomikiriError
from yomikiri.hitblow.advice import suggest
from yomikiri.hitblow.game import rules_of, rules_pairs, words_of
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.learning.daily import day_of, number_of
from yomikiri.hitblow.learning.report import Report, play_report
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import LABELS, SIDES
from yomikiri.hitblow.notation import parse_code, parse_guess, write_hint
from yomikiri.hitblow.play import Level, Play, perfect_plays, rival
from yomikiri.hitblow.rules import Rules, Turn, Words
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_address import typed
from yomikiri.web.judged import Judged, judged
from yomikiri.web.limits import MATCH_SECONDS, MOST_PLAYED, POLICY, REPORT_SECONDS, check_rules, check_turns
from yomikiri.web.link import SEE_OTHER, VERSION, Link, Pairs, check_version, language_in, with_values
from yomikiri.web.pages import begin, page
from yomikiri.web.practise import PuzzlePage, of_report, practise
from yomikiri.wording import learning, sentence

PATH = "/play"
_LISTED = 200  # codes that were still possible


@dataclass(frozen=True)
class Address:
    """The game, what its players call hits and blows, the day whose number it is, in which turns a hint was asked for,
    whether the person gave up, whether chances are shown, what is typed of the next guess, and whether the review
    is open, or the position before a guess as a puzzle."""

    play: Play = Play()
    words: Words = Words.HIT
    day: str = ""
    hints: tuple[int, ...] = ()
    given_up: bool = False
    lang: str | None = None
    guess: str = ""
    helped: bool = True
    review: bool = False
    puzzle: int = 0

    def __str__(self) -> str:
        opened = [("review", "1" if self.review else ""), ("puzzle", str(self.puzzle or ""))]
        return str(Link.of(PATH, [*self.kept, *opened]))

    @property
    def link(self) -> Link:
        """The game with nothing open, as a link."""
        return Link.of(PATH, self.kept)

    @property
    def kept(self) -> Pairs:
        """What a form sends along: all but what is typed."""
        play = self.play
        told = [("me", guess) for guess in play.guesses]
        if play.race:
            told = [(LABELS[side], guess) for side, guess in play.in_order()]
        listed = ",".join(map(str, self.hints))
        return [*self._terms, *told, *with_values([("hint", listed), ("give-up", "1" if self.given_up else "")])]

    @property
    def _terms(self) -> Pairs:
        play = self.play
        opened = [
            ("day", self.day),
            ("seed", "" if self.day else play.seed),
            ("absent", play.barred),
            *([("race", "1"), ("level", str(play.level)), ("first", str(play.first)),
               ("handicap", "1" if play.handicap else "0"), ("help", "1" if self.helped else "0"),
               ("secret", play.secret), ("shown", play.shown)] if play.race else []),
            ("lang", self.lang or ""),
        ]  # fmt: skip
        usual = {("level", str(Level.CONSISTENT)), ("first", str(Side.ME)), ("handicap", "1"), ("help", "1")}
        told = [pair for pair in with_values(opened) if pair not in usual]
        return [("v", VERSION), *rules_pairs(play.rules, self.words), *told]

    @property
    def turn(self) -> int:
        """The number of the person's next guess."""
        return len(self.play.board.played) + 1

    @property
    def hinted(self) -> Address:
        """The page with a hint for the next guess."""
        return replace(self, hints=tuple(sorted({*self.hints, self.turn})))

    def after(self, guess: str) -> Address:
        """The page after a guess of the person."""
        return replace(self, play=self.play.guess(guess), guess="")

    @property
    def up(self) -> Address:
        """The page after the person gave up."""
        return replace(self, given_up=True)

    @property
    def undone(self) -> Address | None:
        """The game before the last guess of the person, with the program's after it; None where there is none."""
        play = self.play
        count = len(play.guesses) - 1
        if count < 0 or self.day:
            return None
        answers = play.answers[: count + (play.first is Side.OPPONENT)] if play.race else ()
        return replace(self, play=replace(play, guesses=play.guesses[:count], answers=answers), given_up=False)

    @property
    def again(self) -> Link:
        """Another game under the same terms; a secret belongs to the game that is over."""
        return Link.of(PATH, self._terms).without("seed", "day", "secret", "shown")

    @property
    def shared(self) -> str:
        """The game for someone else, in the language that they prefer; a race from its start, without my secret."""
        link = Link.of(PATH, self._terms).without("secret", "shown") if self.play.race else Link.of(PATH, self.kept)
        return str(link.without("lang"))

    @property
    def closed(self) -> Address:
        """The page with nothing open."""
        return replace(self, review=False, puzzle=0)

    def opening(self, **opened: Any) -> Address:
        """The page with only this open."""
        return replace(self.closed, **opened)

    def having(self, **changes: Any) -> Address:
        """The page with other terms."""
        return replace(self, play=replace(self.play, **changes))


def read(query: Sequence[tuple[str, str]]) -> Address | None:
    """Read the query of an address, None where it has no seed; raises an `InputError`."""
    told = dict(query)
    check_version(told)
    day = str(day_of(told["day"])) if "day" in told else ""
    if not day and "seed" not in told:
        return None
    if day and "seed" in told:
        raise InputError(N_("seed= and day= each name a secret: give one of them"))
    rules, words = check_rules(rules_of(told)), words_of(told)
    guesses = {side: tuple(parse_guess(value, rules) for name, value in query if SIDES.get(name) is side)
               for side in Side}  # fmt: skip
    for side in Side:
        check_turns(guesses[side], MOST_PLAYED)
    play = Play(
        rules,
        number_of(day_of(day)).seed if day else told["seed"],
        choice(told, "race", ("0", "1"), "0") == "1",
        choice(told, "level", Level, Level.CONSISTENT),
        choice(told, "first", Side, Side.ME),
        choice(told, "handicap", ("0", "1"), "1") == "1",
        parse_code(told.get("secret", ""), rules),
        parse_code(told.get("shown", ""), rules),
        guesses[Side.ME],
        guesses[Side.OPPONENT],
        parse_code(told.get("absent", ""), rules),
    )
    hints = {int(text) for text in told.get("hint", "").split(",") if text.isdecimal() and len(text) < 3}
    return Address(play, words, day, tuple(sorted(hints)), told.get("give-up") == "1", language_in(told),
                   typed(told, rules), told.get("help") != "0", told.get("review") == "1",
                   number(told, "puzzle", 0))  # fmt: skip


def today(lang: str | None = None) -> str:
    """The address of today's number, by the clock of this machine; the page's script corrects the day."""
    day = datetime.now(UTC).astimezone().date()
    return str(Link.of(PATH, [("v", VERSION), ("day", str(day)), ("lang", lang or "")]))


def play(request: Request) -> Response:
    """The game in the address, after the program's guess where it is to move."""
    budget = begin(request, MATCH_SECONDS)
    query = with_values(request.query_params.multi_items())
    address = read(query)
    if address is None:
        return RedirectResponse(str(Link.of(PATH, [*query, ("seed", secrets.token_hex(5))])), SEE_OTHER)
    after, wrong = told(address)
    after = replace(after, play=after.play.answered(POLICY, budget))
    if str(after) != str(address):
        return RedirectResponse(str(after), SEE_OTHER)
    shown = PlayPage(address, wrong, budget)
    if address.puzzle and shown.over and (puzzle := of_report(shown.report(), address.puzzle)):
        advisor = shown.advisor if address.play.race else None
        return practise(request, PuzzlePage.of(request, puzzle, address, address.words, budget, advisor))
    return page(request, shown, status=400 if wrong else 200)


def searches_nothing(request: Request) -> bool:
    """Whether the page of the game in the address needs no search, or is an error."""
    try:
        address = read(with_values(request.query_params.multi_items()))
    except YomikiriError:
        return True
    if address is None:
        return True
    over = address.play.over or address.given_up
    return not (address.play.race or over or address.turn in address.hints)


def told(address: Address) -> tuple[Address, CodeError | None]:
    """The game after what was typed, once it is all there: my secret, or else a guess; and what is wrong with it."""
    play = address.play
    if len(address.guess) < play.rules.digits or play.over or address.given_up:
        return address, None
    try:
        if play.waits_for == "secret":
            return replace(address.having(secret=play.rules.check_secret(address.guess)), guess=""), None
        return address.after(address.guess), None
    except CodeError as error:
        return address, error


@lru_cache(256)
def _chance(match: Match, advisor: Advisor, budget: Budget) -> float:
    """The person's chance of winning a match on their turn, as far as it is found within the budget."""
    return float(advisor.standing(match, budget).win)


@dataclass(frozen=True)
class PlayPage:
    """What the page of a game against the program shows."""

    template: ClassVar[str] = "play.html"

    address: Address
    wrong: CodeError | None
    budget: Budget

    here: ClassVar[str] = PATH

    @property
    def play(self) -> Play:
        """The game."""
        return self.address.play

    @property
    def known(self) -> Knowledge:
        """What the person knows of the program's number."""
        return self.play.board

    @property
    def rules(self) -> Rules:
        """The rules of both numbers."""
        return self.play.rules

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
    def over(self) -> bool:
        """Whether the game is over, or the person gave up."""
        return self.play.over or self.address.given_up

    @property
    def waits_for(self) -> str:
        """What the person still has to tell before the first guess."""
        return self.play.waits_for

    @property
    def typed_wrongly(self) -> str:
        """What is wrong with the guess in hand."""
        return sentence(self.wrong) if self.wrong else ""

    @property
    def pad(self) -> view.Pad:
        """The keys for a guess."""
        return view.pad(self.rules, self.address.guess)

    @cached_property
    def rows(self) -> list[view.Row]:
        """The person's guesses."""
        return _rows(self.known.played, self.words)

    @cached_property
    def theirs(self) -> list[view.Row]:
        """The program's guesses."""
        raced = self.play.race and not self.waits_for
        return _rows(self.play.match.known(Side.OPPONENT).played, self.words) if raced else []

    @property
    def their_count(self) -> int:
        """How many numbers are left to the program."""
        return self.play.match.known(Side.OPPONENT).count

    @property
    def advisor(self) -> Advisor | None:
        """Reckons with the program as it plays; there is none against one that guesses at random."""
        model = rival(self.play.level, POLICY)
        return Advisor(model, POLICY, MATCH_SECONDS) if model else None

    @property
    def helped(self) -> bool:
        """Whether chances are shown: in a race, unless the person wants none."""
        return self.play.race and self.address.helped and not self.waits_for

    @cached_property
    def chances(self) -> list[float]:
        """The person's chance of winning before each of their guesses so far, as far as they were found in time."""
        found, match = [], self.play.match
        if self.advisor is None:
            return []
        if self.play.level is Level.FEWEST:  # by my secret all that it will guess would be known from the start
            match = replace(match, secret="")
        for line in range(len(match.facts) + 1):
            before = replace(match, facts=match.facts[:line])
            if before.to_move is Side.ME:
                found.append(_chance(before, self.advisor, self.budget))
        return found

    @property
    def levels(self) -> list[tuple[Level, str, bool]]:
        """How well the program can guess under these rules, with the page and whether it does."""
        able = [level for level in Level if level is not Level.PERFECT or perfect_plays(self.rules)]
        return [(level, str(self.address.having(level=level)), level is self.play.level) for level in able]

    @property
    def firsts(self) -> list[tuple[Side, str, bool]]:
        """Who can go first, with the page and whether they do."""
        return [(side, str(self.address.having(first=side, shown="")), side is self.play.first) for side in Side]

    @property
    def handicaps(self) -> list[tuple[bool, str, bool]]:
        """Whether the first player reveals a digit, with the page and whether it is so."""
        return [(each, str(self.address.having(handicap=each)), each is self.play.handicap) for each in (True, False)]

    @property
    def helps(self) -> list[tuple[bool, str, bool]]:
        """Whether chances are shown, with the page and whether they are."""
        return [(each, str(replace(self.address, helped=each)), each is self.address.helped) for each in (True, False)]

    @property
    def showable(self) -> list[tuple[str, str]]:
        """The symbols that the person can reveal, each with the page."""
        return [(symbol, str(self.address.having(shown=symbol)))
                for symbol in self.rules.symbols if symbol not in self.play.secret]  # fmt: skip

    @cached_property
    def hinted(self) -> str | None:
        """The hint for the next guess, where it was asked for."""
        if self.play.to_move is not Side.ME or self.address.turn not in self.address.hints:
            return None
        return suggest(self.known, POLICY, compare=False, budget=self.budget).proposed.guess

    @property
    def hints_used(self) -> int:
        """In how many turns a hint was asked for."""
        return len([number for number in self.address.hints if number < self.address.turn])

    def report(self) -> Report:
        """The person's side of the game, weighed."""
        return play_report(self.play, POLICY, self.budget, REPORT_SECONDS)

    @cached_property
    def judged(self) -> Judged | None:
        """The game in review, once it is over."""
        return judged(self.known, self.words, self.report) if self.over and self.rows else None

    @property
    def reviewed(self) -> Address:
        """The page with the review."""
        return self.address.opening(review=True)

    def puzzle(self, number: int) -> Address:
        """The page that has the position before a guess as a puzzle."""
        return self.address.opening(puzzle=number)

    @property
    def left(self) -> list[str]:
        """The numbers that were still possible after a loss."""
        return [] if self.play.won else self.known.codes(_LISTED)

    @property
    def signs(self) -> list[str]:
        """The result without the numbers: a row of signs for each guess."""
        return [learning.signs(row.hint, self.rules.digits) for row in self.rows if row.hint]

    @property
    def picture(self) -> str:
        """Where the picture of the result is."""
        return str(Link.of("/play.svg", self.address.kept))


@dataclass(frozen=True)
class Picture(PlayPage):
    """The result as a picture to keep."""

    template: ClassVar[str] = "result.svg"


def picture(request: Request) -> Response:
    """The result as a picture to keep."""
    budget = begin(request)
    address = read(with_values(request.query_params.multi_items()))
    if address is None or not address.play.over:
        raise InputError(N_("the game is not over yet: finish it first"))
    answer = page(request, Picture(address, None, budget))
    answer.headers["Content-Type"] = "image/svg+xml"
    return answer


def _rows(turns: Sequence[Turn], words: Words) -> list[view.Row]:
    return [view.Row(number, turn.guess, turn.hint, write_hint(turn.hint, words))
            for number, turn in enumerate(turns, start=1)]  # fmt: skip
