"""What can be asked of the engine: the questions of `api`, each a line whose keys are its settings, and sessions.

Answers are the documents that commands write with `--json`. A line tells a game by its rules and turns, by a `session`
that holds them, or by a session and what comes after it. The settings of a game are keys here, with `_` for `-`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, Raw, UnsetType, defstruct, field

from yomikiri import __version__
from yomikiri.api import results_strategy as strategies
from yomikiri.api.queries_hitblow import Candidates, Review, Simulate, Solve, Suggest, game_told
from yomikiri.api.queries_match import Match, Race, match_told
from yomikiri.api.queries_tictactoe import Analyze, Winner, position_told
from yomikiri.api.query import Question
from yomikiri.api.results import SCHEMA_VERSION, Count, Part
from yomikiri.common.budget import Budget, Stopped
from yomikiri.common.errors import N_, InputError, StrategyFault
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.match.notation import MATCH, SIDES, match_pairs, split_pair
from yomikiri.hitblow.model.game import GAME, UNCERTAIN, Pairs
from yomikiri.hitblow.strategy.file import read_strategy
from yomikiri.hitblow.strategy.verify import verify
from yomikiri.settings import Kind, Setting, missing
from yomikiri.tictactoe.notation import BOARD, LINE, MOVES
from yomikiri.wording import sentence

Id = int | str | None


class Line(Part, kw_only=True, tag_field="request"):
    """A line that is asked. `id` comes back with the answer; with `progress` the engine says how far it has come."""

    id: Id = None
    progress: bool = False

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The document that answers; raises a `YomikiriError`, and `Stopped` where the budget is spent before that."""
        raise NotImplementedError


class Engine(Part):
    """Who answers: the version of the program and of its documents, and what can be asked."""

    name: Literal["yomikiri"]
    version: str
    schema_version: int
    requests: list[str]


class Hello(Line, tag="hello"):
    """Who is there, and what can be asked."""

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        return Engine("yomikiri", __version__, SCHEMA_VERSION, list(QUESTIONS))


# --- games ------------------------------------------------------------------------------------------------------------


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


class Asking(GameLine, kw_only=True):
    """A line that asks a question about a game."""

    question: ClassVar[type[Question[Any]]]

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        question = self.question.of(self._pairs(sessions))
        try:
            return question.document(question.answer(budget))
        except Stopped as stopped:
            stopped.hint = question.so_far(stopped.best)
            raise

    def _pairs(self, sessions: dict[str, Session]) -> list[tuple[str, str]]:
        """What the line and its session tell. A value at its default says nothing, as one that is left out."""
        own = [setting for setting in self.question.OWN if getattr(self, setting.key) != setting.default]
        pairs = self.told(sessions, (*self.question.TELLING, *own))
        if self.game is CELLS:
            return moves_joined(pairs)
        if not {*UNCERTAIN} <= {*self.question.TELLING}:  # a session may tell of turns that may be wrong
            game_told(pairs).known.require_certain()
            pairs = [pair for pair in pairs if pair[0] not in {setting.name for setting in UNCERTAIN}]
        return pairs


def _asked(kind: type[Question[Any]], game: Game) -> type[Line]:
    return lines_of(kind.NAME, game, kind.settings(), Asking, kind.__doc__ or "", question=kind)


# --- sessions ---------------------------------------------------------------------------------------------------------


def kept_as(name: str, session: Session, sessions: dict[str, Session]) -> Opened:
    """Keep a game under a name, from now on; raises a `YomikiriError`, and keeps what was, for one that cannot be."""
    opened = session.game.state(name, session.pairs)
    sessions[name] = session
    return opened


class Opening(GameLine, kw_only=True):
    """A line that opens a session."""

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The session; one of the same name is another game from now on."""
        if not isinstance(self.session, str):
            raise missing("session")
        session = Session(self.game, tuple(self.named(self.game.settings)), tuple(self.own_steps()))
        return kept_as(self.session, session, sessions)


class Play(Line, kw_only=True, tag="play"):
    """Turns, or moves of tic-tac-toe, that come next in a session; all of them, or none where one is refused."""

    session: str
    turns: list[str]

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        kept = session_named(self.session, sessions)
        return kept_as(self.session, replace(kept, steps=(*kept.steps, *kept.game.steps(self.turns))), sessions)


class Undo(Line, kw_only=True, tag="undo"):
    """The last turns, or moves, taken back."""

    session: str
    turns: Annotated[int, Meta(ge=1)] = 1

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        kept = session_named(self.session, sessions)
        left = len(kept.steps) - self.turns
        if left < 0:
            raise InputError(
                N_("{given} turns cannot be undone: there are {count}"), given=self.turns, count=len(kept.steps)
            )
        return kept_as(self.session, replace(kept, steps=kept.steps[:left]), sessions)


class Close(Line, kw_only=True, tag="close"):
    """A session that is not needed any more."""

    session: str

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        kept = session_named(self.session, sessions)
        opened = kept.game.state(self.session, kept.pairs)
        del sessions[self.session]
        return opened


# --- strategies -------------------------------------------------------------------------------------------------------


class Verify(Line, kw_only=True, tag="verify"):
    """A strategy, as it stands in its file, replayed against every secret."""

    strategy: Raw

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        try:
            strategy = read_strategy(bytes(self.strategy))
            return strategies.verified(strategy, verify(strategy))
        except StrategyFault as fault:
            return strategies.Unverified(False, sentence(fault))


def _every() -> Iterator[type[Line]]:
    yield Hello
    for kind, game in (
        *((kind, ONE_BOARD) for kind in (Suggest, Candidates, Review, Simulate, Solve, Race)),
        *((Match, TWO_BOARDS), (Analyze, CELLS), (Winner, CELLS)),
    ):
        yield _asked(kind, game)
    for name, game, told in (
        ("open", ONE_BOARD, "A session for a game on one board."),
        ("open-match", TWO_BOARDS, "A session for a match."),
        ("open-board", CELLS, "A session for a game of weighted tic-tac-toe."),
    ):
        yield lines_of(name, game, game.settings, Opening, told)
    yield from (Play, Undo, Close, Verify)


QUESTIONS: dict[str, type[Line]] = {str(kind.__struct_config__.tag): kind for kind in _every()}
"""The lines that can be asked, by their `request`."""

Asked: Any = reduce(or_, QUESTIONS.values())
"""Any of them, told apart by its `request`."""
