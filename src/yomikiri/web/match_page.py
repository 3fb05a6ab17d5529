"""What the page of a match of Hit & Blow shows, as one value for its template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from yomikiri.errors import YomikiriError
from yomikiri.hitblow.advice import Figures, figures
from yomikiri.hitblow.learning.report import Report, match_report
from yomikiri.hitblow.match.advice import MatchAdvice, Motive, Unsolved
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.rules import Turn
from yomikiri.web import hitblow_view as view
from yomikiri.web.hitblow_page import AssistPage
from yomikiri.web.limits import REPORT_SECONDS
from yomikiri.wording import match as match_wording
from yomikiri.wording import sentence

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
    def unsolved(self) -> str | None:
        """Why the race was not solved; None where it was."""
        return match_wording.unsolved(self.advice)

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
