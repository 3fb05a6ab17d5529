"""The page of a game against the program, what it shows as one value for its template, and its result as a picture."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import Response

from yomikiri.common.budget import Budget
from yomikiri.common.errors import N_, CodeError, InputError, YomikiriError
from yomikiri.hitblow.advice.suggestion import suggest
from yomikiri.hitblow.match.advice import Advisor, is_raced
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.practice.lessons import Report, play_report
from yomikiri.hitblow.practice.play import Level, Play, rival
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_page import Played
from yomikiri.web.limits import MATCH_SECONDS, POLICY, REPORT_SECONDS
from yomikiri.web.link import Link
from yomikiri.web.pages import begin, page, query_of, see_other
from yomikiri.web.play_address import PATH, Address, read
from yomikiri.web.practise import Judged, judged, of_game
from yomikiri.wording import learning


def play(request: Request) -> Response:
    """The game in the address, after the program's guess where it is to move."""
    budget = begin(request, MATCH_SECONDS)
    query = query_of(request)
    address = read(query)
    if address is None:
        return see_other(Link.of(PATH, [*query, ("seed", secrets.token_hex(5))]))
    after, wrong = told(address)
    after = replace(after, play=after.play.answered(POLICY, budget))
    if str(after) != str(address):
        return see_other(after)
    shown = PlayPage(address, wrong, budget)
    if address.puzzle and shown.over:
        advisor = shown.advisor if address.play.race else None
        if answer := of_game(request, address, address.puzzle, shown.report(), budget, advisor):
            return answer
    return page(request, shown, status=400 if wrong else 200)


def searches_nothing(request: Request) -> bool:
    """Whether the page of the game in the address needs no search, or is an error."""
    try:
        address = read(query_of(request))
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


def picture(request: Request) -> Response:
    """The result as a picture to keep."""
    budget = begin(request)
    address = read(query_of(request))
    if address is None or not address.play.over:
        raise InputError(N_("the game is not over yet: finish it first"))
    answer = page(request, Picture(address, None, budget))
    answer.headers["Content-Type"] = "image/svg+xml"
    return answer


# --- what the page shows ----------------------------------------------------------------------------------------------

_LISTED = 200  # codes that were still possible


@lru_cache(256)
def _chance(match: Match, advisor: Advisor, budget: Budget) -> float:
    """The person's chance of winning a match on their turn, as far as it is found within the budget."""
    return float(advisor.standing(match, budget).win)


@dataclass(frozen=True)
class PlayPage(Played):
    """What the page of a game against the program shows."""

    template: ClassVar[str] = "play.html"

    address: Address

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
    def over(self) -> bool:
        """Whether the game is over, or the person gave up."""
        return self.play.over or self.address.given_up

    @property
    def waits_for(self) -> str:
        """What the person still has to tell before the first guess."""
        return self.play.waits_for

    @property
    def pad(self) -> view.Pad:
        """The keys for a guess."""
        return view.pad(self.rules, self.address.guess)

    @cached_property
    def rows(self) -> list[view.Row]:
        """The person's guesses."""
        return view.lines(self.known.played, self.words)

    @cached_property
    def theirs(self) -> list[view.Row]:
        """The program's guesses."""
        raced = self.play.race and not self.waits_for
        return view.lines(self.play.match.known(Side.OPPONENT).played, self.words) if raced else []

    @property
    def their_count(self) -> int:
        """How many numbers are left to the program."""
        return self.play.match.known(Side.OPPONENT).count

    @property
    def advisor(self) -> Advisor | None:
        """The advice against the program at its level; None where it guesses at random."""
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
        able = [level for level in Level if level is not Level.PERFECT or is_raced(self.rules)]
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
