"""JSON files of games in progress, and of the past secrets of opponents."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, TypeVar

from msgspec import MsgspecError, convert, field
from msgspec.json import decode, encode

from yomikiri.api.results import UNSET, Count, Document, UnsetType
from yomikiri.api.results_hitblow import GameRules
from yomikiri.hitblow.advice.items import NO_ITEMS, Items
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.match.notation import match_of, match_pairs, read_match, split_pair
from yomikiri.hitblow.model.game import HitBlowGame, game_of, game_pairs, pairs_text, words_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.labels import Item
from yomikiri.hitblow.model.prior import PastSecrets
from yomikiri.hitblow.model.rules import Rules, Words, usual_words

NEWEST: Literal[3] = 3

G = TypeVar("G", Knowledge, Match)
F = TypeVar("F")


class File(Document, forbid_unknown_fields=False, omit_defaults=True):
    """A file, or a part of one. Unknown keys are ignored, because a newer version may have added them."""


class AnyFile(File):
    """The keys that every version of a file has."""

    format: Literal["yomikiri-game", "yomikiri-match", "yomikiri-opponent"]
    version: int


class SavedItems(File):
    """The user's items, the special actions of Numer0n, in a saved game.

    An *entry* is a turn or another piece of knowledge that the game lists. `left` contains the items that were unused
    after the first `after` entries. `take_turn` is true if an item replaces the guess of its turn. `used` contains
    items that were used but whose answer is not an entry.
    """

    left: list[Item]
    after: Count = 0
    take_turn: bool = False
    used: list[Item] = field(default_factory=list)


class GameFile(File):
    """A saved game with one secret, or a saved match.

    `game` contains the rules and the turns as names and values, as in the address of the web page, such as
    `preset=bulls absent=7 turn=0123:0H1B`. `weights` are the weights of the secrets, and `items` the items of Numer0n
    that the user has. `who` is the player who guesses, and empty if that is the user.
    """

    format: Literal["yomikiri-game", "yomikiri-match"]
    version: Literal[3]
    game: str
    weights: dict[str, int] = field(default_factory=dict)
    items: SavedItems | UnsetType = UNSET
    who: str = ""


class SavedSecrets(File):
    """The secrets that an opponent chose in games of the same rules."""

    rules: GameRules
    codes: list[str]


class OpponentFile(File):
    """The past secrets of an opponent."""

    format: Literal["yomikiri-opponent"]
    version: Literal[1]
    name: str
    secrets: list[SavedSecrets]


def _decoded(data: bytes, kind: type[F]) -> F:
    try:
        return decode(data, type=kind)
    except (MsgspecError, RecursionError) as error:
        raise ValueError("no saved game") from error


def is_newer(data: bytes) -> bool:
    """Return True if a newer version of the program saved this file."""
    try:
        return _decoded(data, AnyFile).version > NEWEST
    except ValueError:
        return False


# --- games ------------------------------------------------------------------------------------------------------------


def write_game(game: Knowledge | Match, items: Items = NO_ITEMS, words: Words | None = None, who: str = "") -> bytes:
    """Return the file of a game or a match.

    `items` are the user's items. `words` are the words for hits and blows, by default the usual ones for the rules.
    `who` is the player who guesses, empty if that is the user.
    """
    words = words or usual_words(game.rules)
    mine = UNSET if items == NO_ITEMS else SavedItems(list(items.left), items.since, items.takes_turn, list(items.used))
    if isinstance(game, Match):
        kind, pairs = "yomikiri-match", match_pairs(game, words)
    else:
        kind = "yomikiri-game"
        pairs = game_pairs(HitBlowGame(game.rules, words, game.absent, game.facts, slips=game.slips))
    return encode(GameFile(kind, NEWEST, pairs_text(pairs), dict(game.prior), mine, who))  # type: ignore[arg-type]


def read_game(data: bytes, kind: type[G], who: str = "") -> tuple[G, Items, Words]:
    """Return the game or match in a file, the user's items, and the words for hits and blows.

    Raises an `InputError` or `ValueError` for any other file, and for a game in which another player than `who`
    guesses.
    """
    version = _decoded(data, AnyFile).version
    saved = _decoded(data, GameFile) if version == NEWEST else _upgraded(_decoded(data, dict[str, Any]))
    if (saved.format == "yomikiri-match") != issubclass(kind, Match):
        raise ValueError("another kind of game")
    if saved.who != who:
        raise ValueError("a game of another command")
    pairs = [split_pair(word) for word in saved.game.split()]
    bare: Knowledge | Match = match_of(pairs) if issubclass(kind, Match) else game_of(pairs).known
    game = replace(bare, prior=tuple(saved.weights.items())) if saved.weights else bare
    assert isinstance(game, kind)
    items = saved.items
    mine = Items(tuple(items.left), items.take_turn, items.after, used=tuple(items.used)) if items else NO_ITEMS
    return game, mine, words_of(dict(pairs))


def _upgraded(old: dict[str, Any]) -> GameFile:
    """Convert a file of version 1 or 2. Such a file has one key per setting, and a key for the words even in a match.

    Raises a `ValueError` or an `InputError`.
    """
    try:
        if old["version"] not in (1, 2):
            raise ValueError("an unknown version")
        if old["format"] == "yomikiri-match":
            text, rules = old["match"], read_match(old["match"]).rules
        else:
            rules = _rules(convert(old["rules"], GameRules))
            slips: dict[str, Any]
            slips = {"slips": old["slips"], "slip-rate": old["slip_rate"]} if old.get("slips") else {}
            text = pairs_text([
                *((name.replace("_", "-"), value) for name, value in old["rules"].items()),
                ("absent", old["absent"]), *slips.items(),
                *(("turn", turn) for turn in old["turns"]), *(("fact", fact) for fact in old.get("facts", ())),
            ])  # fmt: skip
        words = old.get("words") or usual_words(rules)
        known: dict[str, Any] = {key: old[key] for key in ("format", "weights", "items") if key in old}
        return convert(known | {"version": NEWEST, "game": f"{text} words={words}"}, GameFile)
    except (KeyError, TypeError, AttributeError, MsgspecError) as error:
        raise ValueError("no saved game") from error


# --- opponents --------------------------------------------------------------------------------------------------------


def write_opponent(past: PastSecrets) -> bytes:
    """Return the file of an opponent's past secrets."""
    secrets = [SavedSecrets(GameRules.of(rules), list(codes)) for rules, codes in past.codes]
    return encode(OpponentFile("yomikiri-opponent", 1, past.name, secrets))


def read_opponent(data: bytes) -> PastSecrets:
    """Return the past secrets in a file. Raises an `InputError` or `ValueError` for any other file."""
    saved = _decoded(data, OpponentFile)
    return PastSecrets(saved.name, tuple((_rules(each.rules), tuple(each.codes)) for each in saved.secrets))


def _rules(saved: GameRules) -> Rules:
    return Rules(saved.digits, saved.symbols, saved.repeats, saved.no_leading or "")
