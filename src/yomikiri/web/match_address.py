"""A match as an address: its terms and turns in the notation of `match.notation`, and what is open on its page.

    /match?v=1&first=opponent&absent=5&secret=314&they=012:1H0B&me=345:0H1B&lang=ja

`guess=` is the guess in hand, mine or theirs, perhaps not all of it yet; `edit=2` the line that is being mended;
`terms=1` says that what was agreed on is unfolded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from yomikiri.enums import number
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import LABELS, SIDES, TERMS, match_of, match_pairs, play_pair
from yomikiri.hitblow.notation import words_of
from yomikiri.hitblow.rules import Rules, Turn, Words, turn_in
from yomikiri.web.hitblow_address import VERSION, Pairs, check_version, typed, with_values
from yomikiri.web.limits import check_rules, check_turns
from yomikiri.wording import LANGUAGES

PATH = "/match"


@dataclass(frozen=True)
class MatchAddress:
    """The match and what is open on its page."""

    match: Match = Match()
    words: Words = Words.HIT
    lang: str | None = None
    guess: str = ""
    edit: int | None = None
    terms: bool = False

    def __str__(self) -> str:
        opened = {"guess": self.guess, "edit": str(self.edit or ""), "terms": "1" if self.terms else ""}
        return _address([*self.kept, *((name, value) for name, value in opened.items() if value)])

    @property
    def kept(self) -> Pairs:
        """What a form sends along: all but what is open."""
        return self._told(self.match.turns)

    @property
    def closed(self) -> MatchAddress:
        """The match with nothing open."""
        return replace(self, guess="", edit=None, terms=False)

    @property
    def undone(self) -> MatchAddress:
        """The match without its last line."""
        return replace(self.closed, match=self.match.undo())

    @property
    def restarted(self) -> str:
        """The same match from its first line; secrets and what was shown belong to the match that is over."""
        return str(replace(self.closed, match=replace(self.match, absent="", shown="", secret="", turns=())))

    def editing(self, line: int) -> MatchAddress:
        """The page with a line open to be mended."""
        return replace(self.closed, edit=line)

    def with_guess(self, guess: str) -> MatchAddress:
        """The page with a guess in hand."""
        return replace(self, guess=guess)

    def after(self, turn: Turn) -> str:
        """The match one turn later."""
        return _address(self._told([*self.match.turns, turn]))

    def with_turns(self, changed: dict[int, Turn]) -> str:
        """The match with other turns in some lines, counted from 1."""
        turns = [changed.get(line, turn) for line, turn in enumerate(self.match.turns, start=1)]
        return _address(self._told(turns))

    def with_term(self, name: str, value: str) -> str:
        """The match with another term, the terms unfolded; nothing is checked until it is read."""
        told = [(name, value)] if value else []
        return f"{_address([*self.kept_without(name), *told, ('terms', '1')])}#terms"

    def kept_without(self, name: str) -> Pairs:
        """What a form sends along that asks for this term."""
        return [pair for pair in self.kept if pair[0] != name]

    def _told(self, turns: Iterable[Turn]) -> Pairs:
        terms = [(name, value) for name, value in match_pairs(self.match, self.words) if name not in SIDES]
        played = [(LABELS[self.match.mover(line)], str(turn)) for line, turn in enumerate(turns)]
        lang = [("lang", self.lang)] if self.lang else []
        return [("v", VERSION), *terms, *played, *lang]


def _address(pairs: Pairs) -> str:
    return f"{PATH}?{urlencode(pairs, safe=':')}"


def read(query: Sequence[tuple[str, str]]) -> MatchAddress:
    """Read the query of an address; raises an `InputError` that says what in it cannot be used.

    The rules are bounded before the first turn is played.
    """
    pairs = with_values(query)
    single = dict(pairs)
    check_version(single)
    turns = [(name, value) for name, value in pairs if name in SIDES]
    for name in SIDES:
        check_turns([value for side, value in turns if side == name])
    match, words = match_of(pair for pair in pairs if pair[0] in TERMS), words_of(single)
    check_rules(match.rules)
    check_rules(match.own_rules)
    for name, value in turns:
        match = play_pair(match, name, value, words)
    edit = number(single, "edit", None)
    if edit is not None:
        turn_in(match.turns, edit)
    lang = single.get("lang")
    return MatchAddress(
        match,
        words,
        lang if lang in LANGUAGES else None,
        typed(single, guessed_rules(match, edit)),
        edit,
        single.get("terms") == "1",
    )


def guessed_rules(match: Match, edit: int | None) -> Rules:
    """The rules of the guess that is typed: of the line being mended, else of the side to move."""
    side = match.mover(edit - 1) if edit else match.to_move
    return match.sought(side or Side.ME)
