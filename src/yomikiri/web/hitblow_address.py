"""A game of Hit & Blow as an address: nothing about it is kept anywhere else.

    /hitblow?v=1&turn=012:0H1B&turn=345:1H0B&absent=7&lang=ja
             │   └ the turns in order                  └ left out: as the browser likes
             └ the version of this format; left out: 1

The rules are `preset=`, overridden by `digits=`, `symbols=`, `repeats=` and `words=`, as on the command line. What is
open on the page is said there too: `guess=` the guess in hand where it is not the proposed one, perhaps not all of it
yet, `edit=2` the line that is being mended, `compare=1` the next best guesses. Names that mean nothing are passed over,
and so are names without a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from yomikiri.enums import number
from yomikiri.errors import N_, InputError
from yomikiri.hitblow.notation import Game, game_of, game_pairs, parse_code
from yomikiri.hitblow.rules import Rules, Turn, Words, turn_in
from yomikiri.web.limits import check_rules, check_turns
from yomikiri.wording import LANGUAGES

VERSION = "1"
PATH = "/hitblow"
Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class Address:
    """The game and what is open on its page."""

    rules: Rules = Rules()
    words: Words = Words.HIT
    absent: str = ""
    turns: tuple[Turn, ...] = ()
    lang: str | None = None
    guess: str = ""
    edit: int | None = None
    compare: bool = False

    def __str__(self) -> str:
        pairs = [("v", VERSION), *self.game, *(("turn", str(turn)) for turn in self.turns), *self._open]
        return f"{PATH}?{urlencode(pairs, safe=':')}"

    @property
    def game(self) -> Pairs:
        """What stays the same during a game."""
        return list(game_pairs(Game(self.rules, self.words, self.absent)))

    @property
    def _open(self) -> Pairs:
        pairs = {"guess": self.guess, "edit": str(self.edit or ""), "compare": "1" if self.compare else "",
                 "lang": self.lang or ""}  # fmt: skip
        return [(name, value) for name, value in pairs.items() if value]

    @property
    def kept(self) -> Pairs:
        """What a form sends along: all but what is open."""
        return [("v", VERSION), *self.game, *(("turn", str(turn)) for turn in self.turns),
                *([("lang", self.lang)] if self.lang else [])]  # fmt: skip

    @property
    def closed(self) -> Address:
        """The game with nothing open."""
        return replace(self, guess="", edit=None, compare=False)

    def after(self, *turns: Turn) -> Address:
        """The game some turns later."""
        return replace(self.closed, turns=(*self.turns, *turns))

    def mended(self, turns: Iterable[Turn]) -> Address:
        """The game with other turns."""
        return replace(self.closed, turns=tuple(turns))

    def without(self, line: int) -> Address:
        """The game without line `line`, counted from 1."""
        return self.mended((*self.turns[: line - 1], *self.turns[line:]))

    def with_guess(self, guess: str) -> Address:
        """The page with another guess in hand."""
        return replace(self, guess=guess, compare=False)

    def editing(self, line: int) -> Address:
        """The page with a line open to be mended."""
        return replace(self.closed, edit=line)

    @property
    def restarted(self) -> Address:
        """The same game from its first line; what an opponent showed belongs to the game that is over."""
        return replace(self.closed, turns=(), absent="")

    @property
    def comparing(self) -> Address:
        """The page with the next best guesses."""
        return replace(self.closed, compare=True)

    def telling_absent(self, absent: str) -> Address:
        """The game with other symbols known to be absent."""
        return replace(self.closed, absent=absent)


def read(query: Sequence[tuple[str, str]]) -> Address:
    """Read the query of an address; raises an `InputError` that says what in it cannot be used."""
    pairs = with_values(query)
    single = dict(pairs)
    check_version(single)
    game = game_of(pairs)
    check_rules(game.rules)
    check_turns(game.turns)
    edit = number(single, "edit", None)
    if edit is not None:
        turn_in(game.turns, edit)
    return Address(
        game.rules,
        game.words,
        game.absent,
        game.turns,
        single["lang"] if single.get("lang") in LANGUAGES else None,
        typed(single, game.rules),
        edit,
        single.get("compare") == "1",
    )


def with_values(query: Sequence[tuple[str, str]]) -> Pairs:
    """What an address says: a name without a value says nothing."""
    return [(name, value) for name, value in query if value]


def typed(query: Mapping[str, str], rules: Rules) -> str:
    """The guess that is typed: what stands in the field, with the key of the pad that was tapped."""
    guess = parse_code(query.get("guess", "") + query.get("add", ""), rules)
    return guess[:-1] if "erase" in query else guess


def check_version(query: Mapping[str, str]) -> None:
    """Raise an `InputError` for an address that a later program wrote."""
    if (version := query.get("v", VERSION)) != VERSION:
        raise InputError(N_("address of version {given!r}: expected {known}"), given=version, known=VERSION)
