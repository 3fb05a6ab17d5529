"""A game of Hit & Blow, or a match, as an address: nothing about it is kept anywhere else.

    /hitblow?v=1&turn=012:0H1B&turn=345:1H0B&absent=7&lang=ja
             │   └ the turns in order                  └ left out: as the browser likes
             └ the version of this format; left out: 1
    /match?v=1&first=opponent&absent=5&secret=314&they=012:1H0B&me=345:0H1B&lang=ja

The rules are `preset=`, overridden by `digits=`, `symbols=`, `repeats=` and `words=`, as on the command line; a match
has the terms and turns of `match.notation`. What is open on the page is said there too: `guess=` the guess in hand
where it is not the proposed one, perhaps not all of it yet, `edit=2` the line that is being edited, `compare=1` the
next best guesses, `try=345` the position in which 345 was guessed to be tried again, `terms=1` what was agreed on in a
match. Names that mean nothing are passed over, and so are names without a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from yomikiri.enums import number
from yomikiri.errors import N_, InputError
from yomikiri.hitblow.game import Game, fact_pairs, game_of, game_pairs, words_of
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import SIDES, TERMS, line_pairs, match_of, match_pairs
from yomikiri.hitblow.notation import parse_code, parse_guess
from yomikiri.hitblow.rules import Fact, Rules, Words, turn_in
from yomikiri.web.limits import check_rules, check_turns
from yomikiri.wording import LANGUAGES

VERSION = "1"
PATH, MATCH_PATH = "/hitblow", "/match"
Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class Address:
    """A game or a match, and what is open on its page."""

    game: Knowledge | Match = Knowledge()
    words: Words = Words.HIT
    lang: str | None = None
    guess: str = ""
    edit: int | None = None
    compare: bool = False
    terms: bool = False
    attempt: str = ""

    def __str__(self) -> str:
        opened = {"guess": self.guess, "edit": str(self.edit or ""), "compare": "1" if self.compare else "",
                  "terms": "1" if self.terms else "", "try": self.attempt}  # fmt: skip
        return self._written([*self.kept, *((name, value) for name, value in opened.items() if value)])

    @property
    def path(self) -> str:
        """Which page it is."""
        return PATH if isinstance(self.game, Knowledge) else MATCH_PATH

    # --- the boards ---------------------------------------------------------------------------------------------------

    @property
    def turns(self) -> tuple[Fact, ...]:
        """The lines: turns, and what else was learned."""
        return self.game.facts

    @property
    def guessed_rules(self) -> Rules:
        """The rules of the guess that is typed: of the line being edited, else of the next one."""
        return self.game.rules if isinstance(self.game, Knowledge) else self.game.sought(_side(self.game, self.edit))

    def board(self, line: int | None = None) -> Knowledge:
        """What is known of the code at which line `line` is aimed, without that line; by default the next line."""
        if isinstance(self.game, Knowledge):
            known, others = self.game, self.turns if line is None else (*self.turns[: line - 1], *self.turns[line:])
        else:
            side = _side(self.game, line)
            known = self.game.known(side)
            others = self.game.learned_in(other for other in self.game.lines(side) if other + 1 != line)
        return known if line is None else replace(known, facts=others)

    # --- other pages --------------------------------------------------------------------------------------------------

    @property
    def kept(self) -> Pairs:
        """What a form sends along: all but what is open."""
        return self._told(self.turns)

    def kept_without(self, name: str) -> Pairs:
        """What a form sends along that asks for what has this name."""
        return [pair for pair in self.kept if pair[0] != name]

    @property
    def closed(self) -> Address:
        """The game with nothing open."""
        return replace(self, guess="", edit=None, compare=False, terms=False, attempt="")

    @property
    def comparing(self) -> Address:
        """The page with the next best guesses."""
        return replace(self.closed, compare=True)

    def editing(self, line: int) -> Address:
        """The page with a line open to be edited."""
        return replace(self.closed, edit=line)

    def with_guess(self, guess: str) -> Address:
        """The page with a guess in hand."""
        return replace(self, guess=guess, compare=False)

    @property
    def shared(self) -> str:
        """The game for someone else: without my secret, in the language that they prefer."""
        return self._written([pair for pair in self.kept if pair[0] not in ("secret", "lang")])

    @property
    def offline(self) -> str:
        """The file for a phone that goes on from here; of a match it is about my board alone."""
        mine = self if isinstance(self.game, Knowledge) else replace(self, game=self.game.known(Side.ME))
        return f"/offline?{urlencode(mine.kept, safe=':')}"

    @property
    def restarted(self) -> Address:
        """The same game from its first line; secrets and what was shown belong to the game that is over."""
        if isinstance(self.game, Knowledge):
            return replace(self.closed, game=Knowledge(self.game.rules, slips=self.game.slips))
        return replace(self.closed, game=replace(self.game, absent="", shown="", secret="", facts=()))

    def without(self, line: int) -> str:
        """The game without line `line`, counted from 1."""
        return self._written(self._told((*self.turns[: line - 1], *self.turns[line:])))

    def tolerating(self, slips: int) -> str:
        """The game in which so many turns may be wrong."""
        told = [pair for pair in self.kept if pair[0] not in ("slips", "slip-rate")]
        return self._written([*told, *([("slips", str(slips))] if slips else [])])

    def with_turns(self, changed: Mapping[int, Fact]) -> str:
        """The game with other facts in some lines, counted from 1; the one after the last is a further line.

        Nothing is checked until it is read.
        """
        lines = dict(enumerate(self.turns, start=1)) | dict(changed)
        return self._written(self._told(lines.values()))

    def with_term(self, name: str, value: str) -> str:
        """The game with another term, those of a match unfolded; nothing is checked until it is read."""
        told = [*self.kept_without(name), *([(name, value)] if value else [])]
        return (
            f"{self._written([*told, ('terms', '1')])}#terms" if isinstance(self.game, Match) else self._written(told)
        )

    def _told(self, lines: Iterable[Fact]) -> Pairs:
        if isinstance(self.game, Knowledge):
            terms = game_pairs(Game(self.game.rules, self.words, self.game.absent, slips=self.game.slips))
            played = list(fact_pairs(lines))
        else:
            terms = match_pairs(replace(self.game, secret=self.game.secret_at(0), facts=()), self.words)
            played = list(line_pairs(self.game.first, [*lines], self.game.secret))
        return [("v", VERSION), *terms, *played, *([("lang", self.lang)] if self.lang else [])]

    def _written(self, pairs: Pairs) -> str:
        return f"{self.path}?{urlencode(pairs, safe=':')}"


def _side(match: Match, line: int | None) -> Side:
    """Whose guess a line holds; by default whose is next, or was."""
    return match.mover(line - 1) if line else match.to_move or Side.ME


def read(query: Sequence[tuple[str, str]]) -> Address:
    """Read the query of a game's address; raises an `InputError` that says what in it cannot be used."""
    pairs = with_values(query)
    check_version(dict(pairs))
    game = game_of(pairs)
    check_rules(game.rules)
    check_turns(game.facts)
    return _opened(game.known, game.words, dict(pairs))


def read_match(query: Sequence[tuple[str, str]]) -> Address:
    """Read the query of a match's address; raises an `InputError` that says what in it cannot be used.

    The rules are bounded before the first turn is played.
    """
    pairs = with_values(query)
    check_version(dict(pairs))
    for name in SIDES:
        check_turns([value for side, value in pairs if side == name])
    terms = match_of(pair for pair in pairs if pair[0] in TERMS and pair[0] != "secret")
    check_rules(terms.rules)
    check_rules(terms.own_rules)
    match = match_of(pair for pair in pairs if pair[0] in TERMS or pair[0] in SIDES)
    return _opened(match, words_of(dict(pairs)), dict(pairs))


def _opened(game: Knowledge | Match, words: Words, told: Mapping[str, str]) -> Address:
    """The game with what is open on its page."""
    edit = number(told, "edit", None)
    if edit is not None:
        turn_in(game.facts, edit)
    address = Address(
        game,
        words,
        told["lang"] if told.get("lang") in LANGUAGES else None,
        edit=edit,
        compare=isinstance(game, Knowledge) and told.get("compare") == "1",
        terms=isinstance(game, Match) and told.get("terms") == "1",
        attempt=parse_guess(told["try"], game.rules) if isinstance(game, Knowledge) and "try" in told else "",
    )
    return replace(address, guess=typed(told, address.guessed_rules))


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
        raise InputError(N_("unknown version {given!r} of an address: expected {known}"), given=version, known=VERSION)
