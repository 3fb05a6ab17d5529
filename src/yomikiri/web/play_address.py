"""The address of a game against the program. It contains the whole game: the server stores nothing.

    /play?v=1&seed=k3x9&me=012&me=345&hint=2           the person guesses the program's secret
    /play?v=1&seed=k3x9&race=1&level=fewest&first=opponent&secret=314&they=012&me=345
    /play?v=1&day=2026-11-22                           the person guesses the secret of that day

On each day, everyone gets the same secret, the *number of the day*. The rules are those of `/hitblow`. The address
contains the guesses of both sides. Their answers are computed. When the program has made its next guess, the page
redirects to the address with that guess. An address without a seed redirects to an address with a new seed. `hint=2` is
a hint for the second guess. `help=0` hides the chances in a race, and `review=1` shows the review of a finished game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from yomikiri.common.enums import number
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import LABELS
from yomikiri.hitblow.model.game import rules_of, rules_pairs, words_of
from yomikiri.hitblow.model.labels import Level
from yomikiri.hitblow.model.rules import Words
from yomikiri.hitblow.practice.play import Play, day_of, play_of
from yomikiri.web.hitblow_address import typed_text
from yomikiri.web.limits import MOST_PLAYED, check_rules, check_turns
from yomikiri.web.link import VERSION, Link, Pairs, check_version, language_in, with_values

PATH = "/play"


@dataclass(frozen=True)
class PlayAddress:
    """The address of a game against the program, with the open parts of its page.

    `day` is the date if the secret is the number of the day (the same secret for everyone), otherwise empty.
    `hinted_guesses` contains the number of a guess (from 1) once for each hint for that guess. `guess` is the typed
    part of the next guess. If `is_typing`, the request comes from a key, so that even a complete guess is not made yet.
    `helped` is True if the page of a race shows the chances. `beat` is the number of guesses in which a friend found
    the same secret, or 0. `puzzle` is the number (from 1) of a guess whose position is shown as a puzzle, or 0.
    """

    play: Play = Play()
    words: Words = Words.HIT
    day: str = ""
    hinted_guesses: tuple[int, ...] = ()
    given_up: bool = False
    lang: str | None = None
    guess: str = ""
    helped: bool = True
    review: bool = False
    puzzle: int = 0
    is_typing: bool = False
    beat: int = 0

    def __str__(self) -> str:
        opened = [("review", "1" if self.review else ""), ("puzzle", str(self.puzzle or ""))]
        return str(Link.of(PATH, [*self.game_parameters, *opened]))

    @property
    def link(self) -> Link:
        """The link to the game on a page without review and puzzle."""
        return Link.of(PATH, self.game_parameters)

    @property
    def game_parameters(self) -> Pairs:
        """The (name, value) pairs that each form on the page also sends: the game, but not the typed guess.

        A field of the form contains the typed guess.
        """
        play = self.play
        turns = [("me", guess) for guess in play.guesses]
        if play.race:
            turns = [(LABELS[side], guess) for side, guess in play.in_order()]
        listed = ",".join(map(str, self.hinted_guesses))
        return [*self._terms, *turns, *with_values([("hint", listed), ("give-up", "1" if self.given_up else "")])]

    @property
    def _terms(self) -> Pairs:
        play = self.play
        opened = [
            ("day", self.day),
            ("seed", "" if self.day else play.seed),
            ("absent", play.barred),
            ("beat", str(self.beat or "")),
            *([("race", "1"), ("level", str(play.level)), ("first", str(play.first)),
               ("handicap", "1" if play.handicap else "0"), ("help", "1" if self.helped else "0"),
               ("secret", play.secret), ("shown", play.shown)] if play.race else []),
            ("lang", self.lang or ""),
        ]  # fmt: skip
        usual = {("level", str(Level.CONSISTENT)), ("first", str(Side.ME)), ("handicap", "1"), ("help", "1")}
        changed = [pair for pair in with_values(opened) if pair not in usual]
        return [("v", VERSION), *rules_pairs(play.rules, self.words), *changed]

    @property
    def turn(self) -> int:
        """The number of the person's next guess, from 1."""
        return len(self.play.board.played) + 1

    @property
    def clues(self) -> int:
        """The number of hints that are shown for the next guess.

        The first three hints are clues: the idea, the method and the digits. The fourth hint is the guess itself.
        """
        return self.hinted_guesses.count(self.turn)

    @property
    def hinted(self) -> PlayAddress:
        """The address with one more hint for the next guess."""
        return replace(self, hinted_guesses=tuple(sorted((*self.hinted_guesses, self.turn))))

    def after(self, guess: str) -> PlayAddress:
        """Return the address after a guess of the person. Raises a `CodeError` if the guess is not allowed."""
        return replace(self, play=self.play.guess(guess), guess="")

    @property
    def surrendered(self) -> PlayAddress:
        """The address after the person has given up."""
        return replace(self, given_up=True)

    @property
    def undone(self) -> PlayAddress | None:
        """The address of the game before the person's last guess and the program's reply.

        It is None if there is no guess to undo, or if the secret is the number of the day.
        """
        play = self.play
        count = len(play.guesses) - 1
        if count < 0 or self.day:
            return None
        answers = play.answers[: count + (play.first is Side.OPPONENT)] if play.race else ()
        return replace(self, play=replace(play, guesses=play.guesses[:count], answers=answers), given_up=False)

    @property
    def again(self) -> Link:
        """The link to another game with the same terms, such as the rules and the level.

        The secrets and the revealed symbols of this game are left out.
        """
        return Link.of(PATH, self._terms).without("seed", "day", "secret", "shown", "beat")

    @property
    def rematch(self) -> Link:
        """The link to another race with the same terms, such as the rules and the level. The other side goes first."""
        return replace(self, play=replace(self.play, first=self.play.first.other)).again

    @property
    def challenge(self) -> str:
        """The link to the same secret for a friend, with the person's number of guesses if the person found it."""
        beat = str(len(self.play.board.played)) if self.play.won else ""
        return str(Link.of(PATH, self._terms).without("lang", "secret", "shown").but(beat=beat))

    @property
    def today(self) -> Link:
        """The link to the game with the number of the day, the same secret for everyone, for today's date.

        The date comes from the server's clock. In the browser, the script of the page replaces it by the date in the
        user's time zone.
        """
        return Link.of(PATH, [("v", VERSION), ("day", str(datetime.now(UTC).astimezone().date())),
                              ("lang", self.lang or "")])  # fmt: skip

    @property
    def shared(self) -> str:
        """The link to share. It names no language, so the other person sees the one that their browser prefers.

        The link to a race leads to its start, without the person's secret. If the secret is the number of the day, the
        link leads to the start, too, because the guesses would reveal the secret. Otherwise the link contains the
        guesses.
        """
        link = Link.of(PATH, self._terms).without("secret", "shown") if self.play.race or self.day else self.link
        return str(link.without("lang"))

    @property
    def closed(self) -> PlayAddress:
        """The address of the same game on a page that shows neither the review nor a puzzle."""
        return replace(self, review=False, puzzle=0)

    def with_parts(self, **opened: Any) -> PlayAddress:
        """Return the address of the page with only this part open: `review=True`, or `puzzle` with a guess number."""
        return replace(self.closed, **opened)

    def with_play(self, **changes: Any) -> PlayAddress:
        """Return the address of the game with other values for some fields of its `Play`, the state of the game."""
        return replace(self, play=replace(self.play, **changes))


def newest_day() -> date:
    """Return the latest date on Earth, which is the date at UTC+14."""
    return (datetime.now(UTC) + timedelta(hours=14)).date()


def _check_day(text: str) -> str:
    """Return the date if its day has begun somewhere on Earth. Raises an `InputError` otherwise."""
    day = day_of(text)
    if day > newest_day():
        raise InputError(N_("the number of {given} is not available yet: play today's number"), given=str(day))
    return str(day)


def read(query: Sequence[tuple[str, str]]) -> PlayAddress | None:
    """Read the query of an address. Returns None if it has neither a seed nor a day. Raises an `InputError`."""
    parameters = dict(query)
    check_version(parameters)
    day = _check_day(parameters["day"]) if "day" in parameters else ""
    if not day and "seed" not in parameters:
        return None
    check_rules(rules_of(parameters))
    play, words = play_of(query), words_of(parameters)
    for guesses in (play.guesses, play.answers):
        check_turns(guesses, MOST_PLAYED)
    hints = [int(text) for text in parameters.get("hint", "").split(",") if text.isdecimal() and len(text) < 3]
    return PlayAddress(
        play,
        words,
        day,
        tuple(sorted(hints)),
        parameters.get("give-up") == "1",
        language_in(parameters),
        typed_text(parameters, play.rules),
        parameters.get("help") != "0",
        parameters.get("review") == "1",
        number(parameters, "puzzle", 0),
        "add" in parameters or "erase" in parameters,
        min(number(parameters, "beat", 0), MOST_PLAYED),
    )
