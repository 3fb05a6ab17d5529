"""A game against the program as an address: nothing about it is kept anywhere else.

    /play?v=1&seed=k3x9&me=012&me=345&hint=2           the program keeps a secret, the person guesses
    /play?v=1&seed=k3x9&race=1&level=fewest&first=opponent&secret=314&they=012&me=345
    /play?v=1&day=2026-11-22                           the number of that day, the same for everyone

The rules are those of `/hitblow`. The address holds the guesses of both; hints are computed, and so is the next guess
of the program, to whose address the page leads on. An address without a seed leads to one with a fresh seed. `help=0`
shows no chances in a race, `review=1` the review of a game that is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from yomikiri.common.enums import number
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import LABELS
from yomikiri.hitblow.model.game import rules_of, rules_pairs, words_of
from yomikiri.hitblow.model.rules import Words
from yomikiri.hitblow.practice.play import Level, Play, day_of, play_of
from yomikiri.web.hitblow_address import typed
from yomikiri.web.limits import MOST_PLAYED, check_rules, check_turns
from yomikiri.web.link import VERSION, Link, Pairs, check_version, language_in, with_values

PATH = "/play"


@dataclass(frozen=True)
class PlayAddress:
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
    def hinted(self) -> PlayAddress:
        """The page with a hint for the next guess."""
        return replace(self, hints=tuple(sorted({*self.hints, self.turn})))

    def after(self, guess: str) -> PlayAddress:
        """The page after a guess of the person."""
        return replace(self, play=self.play.guess(guess), guess="")

    @property
    def up(self) -> PlayAddress:
        """The page after the person gave up."""
        return replace(self, given_up=True)

    @property
    def undone(self) -> PlayAddress | None:
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
        link = Link.of(PATH, self._terms).without("secret", "shown") if self.play.race else self.link
        return str(link.without("lang"))

    @property
    def closed(self) -> PlayAddress:
        """The page with nothing open."""
        return replace(self, review=False, puzzle=0)

    def opening(self, **opened: Any) -> PlayAddress:
        """The page with only this open."""
        return replace(self.closed, **opened)

    def having(self, **changes: Any) -> PlayAddress:
        """The page with other terms."""
        return replace(self, play=replace(self.play, **changes))


def read(query: Sequence[tuple[str, str]]) -> PlayAddress | None:
    """Read the query of an address, None where it has no seed; raises an `InputError`."""
    told = dict(query)
    check_version(told)
    day = str(day_of(told["day"])) if "day" in told else ""
    if not day and "seed" not in told:
        return None
    check_rules(rules_of(told))
    play, words = play_of(query), words_of(told)
    for guesses in (play.guesses, play.answers):
        check_turns(guesses, MOST_PLAYED)
    hints = {int(text) for text in told.get("hint", "").split(",") if text.isdecimal() and len(text) < 3}
    return PlayAddress(play, words, day, tuple(sorted(hints)), told.get("give-up") == "1", language_in(told),
                   typed(told, play.rules), told.get("help") != "0", told.get("review") == "1",
                   number(told, "puzzle", 0))  # fmt: skip
