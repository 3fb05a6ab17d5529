"""How a line tells a game: its rules and turns, a `session` that holds them, or a session and what comes after it.

The settings of a game are keys here, with `_` for `-`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType, defstruct, field

from yomikiri.ask.board import game_told
from yomikiri.ask.cells import position_told
from yomikiri.ask.two_boards import match_told
from yomikiri.budget import Budget
from yomikiri.documents import Count, Part
from yomikiri.errors import N_, InputError
from yomikiri.hitblow.game import GAME, Pairs
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import MATCH, SIDES, match_pairs, split_pair
from yomikiri.settings import Kind, Setting
from yomikiri.tictactoe.notation import BOARD, LINE, MOVES

Id = int | str | None


class Line(Part, kw_only=True, tag_field="request"):
    """A line that is asked. `id` comes back with the answer; with `progress` the engine says how far it has come."""

    id: Id = None
    progress: bool = False

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The document that answers; raises a `YomikiriError`, and `Stopped` where the budget is spent before that."""
        raise NotImplementedError


class Opened(Part):
    """A session: what its game is, and the turns or moves so far; `count` candidates are left, the opponent's board
    included in a match."""

    session: str
    game: Literal["hitblow", "match", "tictactoe"]
    turns: list[str]
    count: Count | UnsetType = UNSET
    their_count: Count | UnsetType = UNSET
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Game:
    """A kind of game: the settings that tell it, the key and the names and values of what is played in it, and the
    session of a name that pairs tell, which raises a `YomikiriError` where they tell none."""

    settings: tuple[Setting, ...]
    played: str
    examples: list[list[str]]
    steps: Callable[[Iterable[str]], list[tuple[str, str]]]
    state: Callable[[str, Pairs], Opened]


def _board_state(name: str, pairs: Pairs) -> Opened:
    known = game_told(pairs).known
    return Opened(name, "hitblow", list(map(str, known.facts)), known.count, finished=known.solved)


def _match_state(name: str, pairs: Pairs) -> Opened:
    assistant = MatchAssistant(match_told(pairs))
    match = assistant.match
    turns = [f"{side}={turn}" for side, turn in match_pairs(match) if side in SIDES]
    mine, theirs = (match.known(side).count for side in Side)
    return Opened(name, "match", turns, mine, theirs, assistant.finished)


def _cells_state(name: str, pairs: Pairs) -> Opened:
    position = position_told(moves_joined(pairs))
    moves = [value for key, value in pairs if key == MOVES.name]
    return Opened(name, "tictactoe", moves, finished=position.outcome is not None)


def moves_joined(pairs: Pairs) -> list[tuple[str, str]]:
    """The pairs of a position, whose moves stand one by one in a session, with the moves in one."""
    pairs = list(pairs)
    moves = " ".join(value for name, value in pairs if name == MOVES.name)
    return [*(pair for pair in pairs if pair[0] != MOVES.name), (MOVES.name, moves)]


ONE_BOARD = Game(GAME, "turns", [["012:0H1B"]], lambda turns: [("fact", turn) for turn in turns], _board_state)
TWO_BOARDS = Game(
    MATCH, "turns", [["me=012:0H1B", "they=345:0H0B"]], lambda turns: [*map(split_pair, turns)], _match_state
)
CELLS = Game((BOARD, LINE), "moves", [["b2", "a1"]], lambda moves: [(MOVES.name, move) for move in moves], _cells_state)


@dataclass(frozen=True, slots=True)
class Session:
    """A game that the engine keeps under a name: of which kind, its terms, and its turns or moves so far."""

    game: Game
    terms: tuple[tuple[str, str], ...]
    steps: tuple[tuple[str, str], ...]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The names and values that tell the game."""
        return (*self.terms, *self.steps)


class GameLine(Line, kw_only=True):
    """A line about a game: one that it tells, or one of a session, or both."""

    session: str | UnsetType = UNSET
    game: ClassVar[Game]

    def told(self, sessions: dict[str, Session], settings: Iterable[Setting]) -> list[tuple[str, str]]:
        """The names and values that tell the game, those of the session first, and the others of some settings."""
        kept: tuple[tuple[str, str], ...] = ()
        if isinstance(self.session, str):
            found = session_named(self.session, sessions)
            if self.game is not found.game:
                raise InputError(
                    N_("the session {given!r} holds another game: ask what its game knows, or open another"),
                    given=self.session,
                )
            kept = found.pairs
        return [*kept, *self.named(settings), *self.own_steps()]

    def own_steps(self) -> list[tuple[str, str]]:
        """The turns or moves of this line."""
        return self.game.steps(getattr(self, self.game.played))

    def named(self, settings: Iterable[Setting]) -> Iterator[tuple[str, str]]:
        """What this line says of some settings."""
        for setting in settings:
            value = getattr(self, setting.key)
            if value is not UNSET and setting is not MOVES:
                yield setting.name, _text(value)


def lines_of(
    name: str, game: Game, settings: Iterable[Setting], base: type[GameLine], told: str, **more: Any
) -> type[GameLine]:
    """The struct of a line about a game, whose keys are some settings and what is played; `told` describes it."""
    turns: Any = (game.played, Annotated[list[str], Meta(examples=game.examples)], field(default_factory=list))
    keys = [(setting.key, type_of(setting), UNSET) for setting in settings if setting is not MOVES]
    namespace = {"game": game, "__doc__": told, **more}
    title = "".join(part.capitalize() for part in name.split("-"))
    made = defstruct(title, [*keys, turns], bases=(base,), namespace=namespace, module=__name__, kw_only=True, tag=name)
    assert issubclass(made, GameLine)
    return made


_TYPES: dict[Kind, Any] = {
    Kind.TEXT: str,
    Kind.WORD: str,
    Kind.INTEGER: int,
    Kind.NUMBER: float,
    Kind.FLAG: bool,
    Kind.LINES: dict[str, int],
}


def type_of(setting: Setting) -> Any:
    """The type of a setting's value in JSON, with what its schema says."""
    words = [str(word) for word in setting.words] or None
    said = {"enum": words, "minimum": setting.least, "maximum": setting.most, "default": setting.default}
    schema = {key: value for key, value in said.items() if value is not None}
    kind = list[list[int]] | str if setting is BOARD else _TYPES[setting.kind]
    examples = None if setting.example is None else [setting.example]
    return Annotated[kind, Meta(description=setting.help, examples=examples, extra_json_schema=schema)] | UnsetType


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, dict):
        return "\n".join(f"{code},{weight}" for code, weight in value.items())
    if isinstance(value, list):
        return "/".join(",".join(map(str, row)) for row in value)
    return str(value)


def session_named(name: str, sessions: dict[str, Session]) -> Session:
    """The session of that name; raises an `InputError`."""
    if name not in sessions:
        raise InputError(N_("there is no session {given!r}: open it first"), given=name)
    return sessions[name]
