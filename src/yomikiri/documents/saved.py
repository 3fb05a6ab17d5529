"""What is kept on disk: a game in progress on one board, a match by its text, and what was recorded of opponents."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, MsgspecError, field
from msgspec.json import decode, encode

from yomikiri.documents import UNSET, Count, Part, UnsetType
from yomikiri.documents.hitblow import GameRules, game_rules
from yomikiri.hitblow.facts import parse as parse_fact
from yomikiri.hitblow.facts import turns_first
from yomikiri.hitblow.habits import PastSecrets
from yomikiri.hitblow.items import NO_ITEMS, Item, Items
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.match.notation import read_match, write_match
from yomikiri.hitblow.rules import Rules, Turn, Words, usual_words
from yomikiri.hitblow.slips import Slips

VERSION: Literal[1] = 1
WITH_FACTS: Literal[2] = 2
NEWEST = WITH_FACTS


class SavedFile(Part, forbid_unknown_fields=False):
    """What every version of a saved game says of itself."""

    format: Literal["yomikiri-game", "yomikiri-match", "yomikiri-opponent"]
    version: int


class SavedGame(Part, forbid_unknown_fields=False):
    """A game on one board."""

    format: Literal["yomikiri-game"]
    version: Literal[1]
    rules: GameRules
    absent: str
    turns: Annotated[list[str], Meta(min_length=1)]


class SavedItems(Part, forbid_unknown_fields=False, omit_defaults=True):
    """The items that were left after so many lines, whether one takes the place of the guess, and those that were used
    before the first line."""

    left: list[Item]
    after: Count = 0
    take_turn: bool = False
    used: list[Item] = field(default_factory=list)


class SavedGameWithFacts(SavedGame, forbid_unknown_fields=False, omit_defaults=True):
    """A game on one board in which other facts were learned: from the first of them on all that is known, in order; or
    whose secrets are not equally likely, or whose turns may be wrong; or in which I have items, or words for hits and
    blows that are not the usual ones."""

    version: Literal[2]  # type: ignore[assignment]
    turns: list[str]
    facts: list[str]
    weights: dict[str, int] = field(default_factory=dict)
    slips: int = 0
    slip_rate: float = Slips().rate
    items: SavedItems | UnsetType = UNSET
    words: Words | UnsetType = UNSET


class SavedMatch(Part, forbid_unknown_fields=False):
    """A match, by its text."""

    format: Literal["yomikiri-match"]
    version: Literal[1]
    match: str


class SavedMatchWithMore(SavedMatch, forbid_unknown_fields=False, omit_defaults=True):
    """A match in which some of the opponent's secrets are likelier than others, or in which I have items or other
    words."""

    version: Literal[2]  # type: ignore[assignment]
    weights: dict[str, int]
    items: SavedItems | UnsetType = UNSET
    words: Words | UnsetType = UNSET


class SavedSecrets(Part, forbid_unknown_fields=False):
    """The secrets that an opponent chose in games of the same rules."""

    rules: GameRules
    codes: list[str]


class SavedOpponent(Part, forbid_unknown_fields=False):
    """What a person recorded of an opponent."""

    format: Literal["yomikiri-opponent"]
    version: Literal[1]
    name: str
    secrets: list[SavedSecrets]


Game = TypeVar("Game", Knowledge, Match)
Saved = TypeVar("Saved", bound=Part)


def write(game: Knowledge | Match, items: Items = NO_ITEMS, words: Words | None = None) -> bytes:
    """The file of a game or a match, of my items, and of the words if they are not the usual ones of the rules."""
    own = UNSET if words in (None, usual_words(game.rules)) else words
    mine = UNSET if items == NO_ITEMS else SavedItems(list(items.left), items.since, items.takes_turn, list(items.used))
    if isinstance(game, Match):
        if game.prior or mine or own:
            more = SavedMatchWithMore("yomikiri-match", WITH_FACTS, write_match(game), dict(game.prior), mine, own)
            return encode(more)
        return encode(SavedMatch("yomikiri-match", VERSION, write_match(game)))
    first, rest = turns_first(game.facts)
    turns, facts = list(map(str, first)), list(map(str, rest))
    start = game_rules(game.rules), game.absent, turns
    if facts or game.rules.no_leading or game.prior or game.slips.most or mine or own:
        weights, slips = dict(game.prior), game.slips
        return encode(
            SavedGameWithFacts("yomikiri-game", WITH_FACTS, *start, facts, weights, slips.most, slips.rate, mine, own)
        )
    return encode(SavedGame("yomikiri-game", VERSION, *start))


def read(data: bytes, kind: type[Game]) -> tuple[Game, Items, Words]:
    """The game or match in a file, my items and the words; raises an `InputError` or `ValueError` for anything else."""
    game: Knowledge | Match
    game, saved = _match(data) if issubclass(kind, Match) else _knowledge(data)
    assert isinstance(game, kind)
    items, words = saved.items, saved.words or usual_words(game.rules)
    mine = Items(tuple(items.left), items.take_turn, items.after, used=tuple(items.used)) if items else NO_ITEMS
    return game, mine, words


def _match(data: bytes) -> tuple[Match, SavedMatchWithMore]:
    shape = SavedMatchWithMore if _decoded(data, SavedFile).version == WITH_FACTS else SavedMatch
    saved: SavedMatch = _decoded(data, shape)
    if not isinstance(saved, SavedMatchWithMore):
        saved = SavedMatchWithMore(saved.format, WITH_FACTS, saved.match, {})
    return replace(read_match(saved.match), prior=tuple(saved.weights.items())), saved


def _knowledge(data: bytes) -> tuple[Knowledge, SavedGameWithFacts]:
    shape = SavedGameWithFacts if _decoded(data, SavedFile).version == WITH_FACTS else SavedGame
    saved: SavedGame = _decoded(data, shape)
    if not isinstance(saved, SavedGameWithFacts):
        saved = SavedGameWithFacts(saved.format, WITH_FACTS, saved.rules, saved.absent, saved.turns, [])
    told = (*map(Turn.parse, saved.turns), *map(parse_fact, saved.facts))
    weights, slips = tuple(saved.weights.items()), Slips(saved.slips, saved.slip_rate)
    return Knowledge(_rules(saved.rules), saved.absent, told, weights, slips), saved


def _rules(told: GameRules) -> Rules:
    return Rules(told.digits, told.symbols, told.repeats, told.no_leading or "")


def write_opponent(past: PastSecrets) -> bytes:
    """The file of an opponent's past secrets."""
    secrets = [SavedSecrets(game_rules(rules), list(codes)) for rules, codes in past.codes]
    return encode(SavedOpponent("yomikiri-opponent", VERSION, past.name, secrets))


def read_opponent(data: bytes) -> PastSecrets:
    """The past secrets in a file; raises an `InputError` or `ValueError` for anything else."""
    saved = _decoded(data, SavedOpponent)
    return PastSecrets(saved.name, tuple((_rules(each.rules), tuple(each.codes)) for each in saved.secrets))


def is_newer(data: bytes) -> bool:
    """Whether a newer version of the program saved this file."""
    try:
        return _decoded(data, SavedFile).version > NEWEST
    except ValueError:
        return False


def _decoded(data: bytes, kind: type[Saved]) -> Saved:
    try:
        return decode(data, type=kind)
    except (MsgspecError, RecursionError) as error:
        raise ValueError("no saved game") from error
