"""The address of a game of Hit & Blow or of a match. It contains the whole game: the server stores nothing.

    /hitblow?v=1&turn=012:0H1B&turn=345:1H0B&absent=7&lang=ja
             │   └ the turns in order                  └ default: the language that the browser prefers
             └ the version of this format; default: 1
    /match?v=1&first=opponent&absent=5&secret=314&they=012:1H0B&me=345:0H1B&lang=ja

The rules are `preset=`, overridden by `digits=`, `symbols=`, `repeats=` and `words=`, as on the command line. A match
also has terms, such as who goes first (`first=`) or the player's own secret (`secret=`). `match.notation` describes
the terms and the turns of a match. `items=` are the player's items at the start. An *entry* is a turn or another fact.
Entries are counted from 1. `misled=3,4` are entries after an answer that was corrected later: guesses in these entries
get no grade.

Other parameters open parts of the page:

- `guess=` selects a guess. It may be incomplete.
- `say=` is a text typed into the field for answers and facts. The page then redirects to the address with this fact.
- `edit=2` edits entry 2.
- `compare=1` shows the next best guesses, `numbers=1` the candidates, `terms=1` the terms of a match, and `review=1`
  the review of a finished game.
- `try=345` asks for a better guess than 345, which was made after the turns in the address.
- `puzzle=3` shows the position before the player's third guess as a puzzle.

Unknown names are ignored, and so are names without a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from yomikiri.common.entries import entry_in
from yomikiri.common.enums import number
from yomikiri.hitblow.advice.items import ASKING, Items
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import SIDES, TERMS, line_pairs, match_of, match_pairs
from yomikiri.hitblow.model.game import HitBlowGame, fact_pairs, game_of, game_pairs, words_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Item
from yomikiri.hitblow.model.notation import parse_code, parse_guess
from yomikiri.hitblow.model.rules import Fact, Rules, Words
from yomikiri.web.limits import check_rules, check_turns
from yomikiri.web.link import VERSION, Link, Pairs, check_version, language_in, with_values

PATH, MATCH_PATH = "/hitblow", "/match"


@dataclass(frozen=True, slots=True)
class OpenParts:
    """The parts of a page that are shown only because its address requests them.

    `guess` is the typed guess, and `edit` the number of the edited entry, from 1. `attempt` is a guess that was played:
    the page asks for a better guess in the same position. `puzzle` is the number of a guess, from 1, whose position is
    shown as a puzzle, or 0.
    """

    guess: str = ""
    edit: int | None = None
    compare: bool = False
    terms: bool = False
    attempt: str = ""
    numbers: bool = False
    review: bool = False
    puzzle: int = 0

    @property
    def pairs(self) -> Pairs:
        """The open parts as (name, value) pairs for an address. The value of a part that is not open is empty."""
        opened = [(field.name, getattr(self, field.name)) for field in fields(self)]
        return [("try" if name == "attempt" else name, "1" if value is True else str(value or ""))
                for name, value in opened]  # fmt: skip


@dataclass(frozen=True)
class AssistAddress:
    """The address of a game or match, with the player's items and the open parts of the page.

    `misled` are the numbers (from 1) of the turns and other facts that came after an answer corrected later.
    """

    game: Knowledge | Match = Knowledge()
    words: Words = Words.HIT
    lang: str | None = None
    items: Items = Items()
    opened: OpenParts = OpenParts()
    misled: tuple[int, ...] = ()

    def __str__(self) -> str:
        return str(Link.of(self.path, [*self.game_parameters, *self.opened.pairs]))

    @property
    def path(self) -> str:
        """The path of the page."""
        return PATH if isinstance(self.game, Knowledge) else MATCH_PATH

    # --- the boards ---------------------------------------------------------------------------------------------------

    @property
    def entries(self) -> tuple[Fact, ...]:
        """The entries of the game: turns and other facts, in order."""
        return self.game.facts

    @property
    def known(self) -> Knowledge:
        """The player's knowledge about the opponent's code."""
        return self.game if isinstance(self.game, Knowledge) else self.game.known(Side.ME)

    @property
    def guessed_rules(self) -> Rules:
        """The rules of the code that the typed guess is meant to find: the opponent's code, or the player's in a match.

        The guess belongs to the edited entry (a turn or another fact), or to the next entry if none is edited.
        """
        if isinstance(self.game, Knowledge):
            return self.game.rules
        return self.game.sought(_mover(self.game, self.opened.edit))

    def board(self, line: int | None = None) -> Knowledge:
        """Return the knowledge about the code that is guessed in turn or other fact `line` (from 1), without this turn.

        If `line` is None, return the knowledge about the code that is guessed next.
        """
        if isinstance(self.game, Knowledge):
            known = self.game
            others = self.entries if line is None else (*self.entries[: line - 1], *self.entries[line:])
        else:
            side = _mover(self.game, line)
            known = self.game.known(side)
            others = self.game.learned_in(other for other in self.game.lines(side) if other + 1 != line)
        return known if line is None else replace(known, facts=others)

    # --- other pages --------------------------------------------------------------------------------------------------

    @property
    def game_parameters(self) -> Pairs:
        """The (name, value) pairs that each form also sends: only the game, not the open parts of the page."""
        return self._game_pairs(self.entries)

    @property
    def closed(self) -> AssistAddress:
        """The address of the same game with all parts of the page closed.

        Such parts are the review and the editor of a turn.
        """
        return replace(self, opened=OpenParts())

    def with_parts(self, **opened: Any) -> AssistAddress:
        """Return the address of the same game with only the given parts of the page open (see `OpenParts`)."""
        return replace(self, opened=OpenParts(**opened))

    def with_guess(self, guess: str) -> AssistAddress:
        """Return the address in which `guess` is selected.

        The lists of candidates and of the next best guesses are closed. All other parts of the page stay as they are.
        """
        return replace(self, opened=replace(self.opened, guess=guess, compare=False, numbers=False))

    @property
    def shared(self) -> str:
        """The link to share, without the player's secret.

        It names no language, so the page opens in the one that the other person's browser prefers.
        """
        return str(self.link.without("secret", "lang"))

    @property
    def offline(self) -> str:
        """The link to download the strategy from this position as one HTML file, which works without a network.

        In a match, the file covers only the player's guesses.
        """
        return str(Link.of("/offline", replace(self, game=self.known, items=Items()).game_parameters))

    @property
    def restarted(self) -> AssistAddress:
        """The address of a new game with the same rules and settings, without secrets, revealed symbols and turns."""
        if isinstance(self.game, Knowledge):
            return replace(self.closed, game=Knowledge(self.game.rules, slips=self.game.slips))
        return replace(self.closed, game=replace(self.game, absent="", shown="", secret="", facts=()))

    def with_items(self, items: Sequence[Item]) -> AssistAddress:
        """Return the address of the game in which the player has exactly these items."""
        return replace(self, items=replace(self.items, left=tuple(item for item in Item if item in items)))

    def link_without_entry(self, line: int) -> str:
        """Return the address of the game without turn or other fact `line`, counted from 1."""
        return self._link_with_facts((*self.entries[: line - 1], *self.entries[line:]))

    def link_with_slips(self, slips: int) -> str:
        """Return the address of the same game in which up to `slips` answers may be wrong.

        The probability that an answer is wrong is the default.
        """
        return str(self.link.without("slip-rate").but(slips=str(slips) if slips else ""))

    def link_with_entries(self, changed: Mapping[int, Fact]) -> str:
        """Return the address of the game with some entries, that is, turns or other facts, replaced.

        `changed` maps the numbers of entries, from 1, to the turns or facts that replace them. The number after the
        last entry adds a new entry. All entries after the first corrected one are added to `misled`: their guesses get
        no grade, because a wrong answer came before them. The facts are checked when the address is read.
        """
        lines = dict(enumerate(self.entries, start=1)) | dict(changed)
        corrected = [line for line in changed if line < len(self.entries) and changed[line] != self.entries[line - 1]]
        later = range(min(corrected) + 1, len(self.entries) + 1) if corrected else ()
        return replace(self, misled=tuple(sorted({*self.misled, *later})))._link_with_facts(lines.values())

    def link_with_term(self, name: str, value: str) -> str:
        """Return the address of the same game with the parameter `name` set to `value`.

        The parameter is a setting of the game, such as who goes first (`first`) or the symbols that the secret does not
        contain (`absent`). If the page of a match shows its settings, they stay open. The value is checked when the
        address is read.
        """
        link = Link.of(self.path, [*self.link.without(name).pairs, (name, value)])
        return f"{link.but(terms='1')}#terms" if isinstance(self.game, Match) and self.opened.terms else str(link)

    @property
    def link(self) -> Link:
        """The link to the game with all parts of the page closed."""
        return Link.of(self.path, self.game_parameters)

    def _game_pairs(self, lines: Iterable[Fact]) -> Pairs:
        if isinstance(self.game, Knowledge):
            terms = game_pairs(HitBlowGame(self.game.rules, self.words, self.game.absent, slips=self.game.slips))
            played = list(fact_pairs(lines))
        else:
            terms = match_pairs(replace(self.game, secret=self.game.secret_at(0), facts=()), self.words)
            played = list(line_pairs(self.game.first, [*lines], self.game.secret))
        items = self.items
        misled = ",".join(str(line) for line in self.misled if line <= len(played))
        more = with_values([("misled", misled), ("lang", self.lang or "")])
        had = [("items", ",".join(items.left)), ("item-takes-turn", "1" if items.takes_turn and items.left else "")]
        return [("v", VERSION), *terms, *with_values(had), *played, *more]

    def _link_with_facts(self, lines: Iterable[Fact]) -> str:
        return str(Link.of(self.path, self._game_pairs(lines)))


def _mover(match: Match, line: int | None) -> Side:
    """Return the side that guesses in turn `line` (from 1), or the side that guesses next if `line` is None.

    If the match is over and `line` is None, return `Side.ME`.
    """
    return match.mover(line - 1) if line else match.to_move or Side.ME


def read(query: Sequence[tuple[str, str]]) -> AssistAddress:
    """Read the address of a game from its query. Raises an `InputError` that says which part of it is invalid."""
    pairs = with_values(query)
    check_version(dict(pairs))
    game = game_of(pairs)
    check_rules(game.rules)
    check_turns(game.facts)
    return _opened(game.known, game.words, dict(pairs))


def read_match(query: Sequence[tuple[str, str]]) -> AssistAddress:
    """Read the address of a match from its query. Raises an `InputError` that says which part of it is invalid.

    The rules are checked before any turn is played, because games that are too large would take long.
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


def _opened(game: Knowledge | Match, words: Words, parameters: Mapping[str, str]) -> AssistAddress:
    """Return the address of a game with the items, open parts and language in `parameters`."""
    edit = number(parameters, "edit", None)
    if edit is not None:
        entry_in(game.facts, edit)
    alone = isinstance(game, Knowledge)
    takes_turn = parameters.get("item-takes-turn") == "1"
    items = Items.from_options(parameters.get("items", ""), takes_turn, game.rules, 0, ASKING if alone else tuple(Item))
    opened = OpenParts(
        edit=edit,
        compare=alone and parameters.get("compare") == "1",
        terms=not alone and parameters.get("terms") == "1",
        attempt=parse_guess(parameters["try"], game.rules) if alone and "try" in parameters else "",
        numbers=parameters.get("numbers") == "1",
        review=parameters.get("review") == "1",
        puzzle=number(parameters, "puzzle", 0),
    )
    misled = tuple(int(text) for text in parameters.get("misled", "").split(",") if re.fullmatch("[1-9][0-9]?", text))
    address = AssistAddress(game, words, language_in(parameters), items, opened, misled)
    return replace(address, opened=replace(opened, guess=typed_text(parameters, address.guessed_rules)))


def typed_text(query: Mapping[str, str], rules: Rules) -> str:
    """Return the guess typed so far, after the last key.

    The query contains the text of the field (`guess`), and a tapped symbol (`add`) or `erase` for the last symbol.
    """
    guess = parse_code(query.get("guess", "") + query.get("add", ""), rules)
    return guess[:-1] if "erase" in query else guess
