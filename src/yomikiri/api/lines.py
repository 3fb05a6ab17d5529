"""The requests of the engine, each one line of JSON: queries, sessions, and the check of a strategy.

The keys of a query are the names of its settings, with `_` for `-`. Results are the documents that commands write with
`--json`. A line describes its game by rules and turns, by the name of a session, or by both. In the last case, the
line's turns follow those of the session.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, Raw, UnsetType, defstruct, field

from yomikiri import __version__
from yomikiri.api.guessing_game import GUESSES, SECRETS
from yomikiri.api.queries_guessing import (
    DuelQuery,
    GuessQuery,
    GuessReviewQuery,
    GuessSimulateQuery,
    GuessSolveQuery,
    OpenGuessQuery,
    SecretsQuery,
)
from yomikiri.api.queries_hitblow import (
    CandidatesQuery,
    OpenQuery,
    ReviewQuery,
    SimulateQuery,
    SolveQuery,
    SuggestQuery,
    game_from,
)
from yomikiri.api.queries_match import MatchQuery, OpenMatchQuery, RaceQuery
from yomikiri.api.queries_tictactoe import AnalyzeQuery, OpenBoardQuery, WinnerQuery
from yomikiri.api.query import Query
from yomikiri.api.results import SCHEMA_VERSION, Document, OpenedJson
from yomikiri.api.results_strategy import Unverified, Verified
from yomikiri.api.schema import schema_of_setting
from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.errors import N_, InputError, StrategyFault
from yomikiri.hitblow.model.game import UNCERTAIN
from yomikiri.hitblow.strategy.file import read_strategy
from yomikiri.hitblow.strategy.verify import verify
from yomikiri.settings import Kind, Setting, missing
from yomikiri.tictactoe.notation import BOARD
from yomikiri.wording import sentence

Id = int | str | None


@dataclass(frozen=True, slots=True)
class Session:
    """A game that the engine stores under a name.

    `query` is the query that opened the session. `terms` are the settings of the game as (name, value) pairs, and
    `turns` its turns so far.
    """

    query: type[Query[Any]]
    terms: tuple[tuple[str, str], ...]
    turns: tuple[tuple[str, str], ...]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The (name, value) pairs that describe the game."""
        return (*self.terms, *self.turns)

    def opened(self, name: str) -> OpenedJson:
        """Return the state of this session, whose name is `name`.

        Raises a `YomikiriError` if the pairs of the session describe no game.
        """
        state = self.query.of(self.pairs).respond(UNLIMITED)
        assert isinstance(state, OpenedJson)
        state.session = name
        return state


Sessions = dict[str, Session]


def session_named(name: str, sessions: Sessions) -> Session:
    """Return the session with this name. Raises an `InputError` if it does not exist."""
    if name not in sessions:
        raise InputError(N_("there is no session {given!r}: open it first"), given=name)
    return sessions[name]


class Line(Document, kw_only=True, tag_field="request"):
    """A request. Its `id` is returned with the answer. With `progress`, the engine reports the progress of a search."""

    id: Id = None
    progress: bool = False

    def answer(self, sessions: Sessions, budget: Budget) -> Document:
        """Return the answer. Raises a `YomikiriError`, and `Stopped` if the budget is spent before there is one."""
        raise NotImplementedError


class EngineJson(Document):
    """Identity of the engine: program version, schema version, and supported requests."""

    name: Literal["yomikiri"]
    version: str
    schema_version: int
    requests: list[str]


class Hello(Line, tag="hello"):
    """A request for the identity of the engine."""

    def answer(self, sessions: Sessions, budget: Budget) -> Document:
        return EngineJson("yomikiri", __version__, SCHEMA_VERSION, list(REQUESTS))


# --- queries ----------------------------------------------------------------------------------------------------------


class QueryLine(Line, kw_only=True):
    """A query about the game that the line describes, or about a session's game with the turns of the line added."""

    session: str | UnsetType = UNSET
    query: ClassVar[type[Query[Any]]]

    def answer(self, sessions: Sessions, budget: Budget) -> Document:
        return self.query.of(self._pairs(sessions)).respond(budget)

    def _pairs(self, sessions: Sessions) -> list[tuple[str, str]]:
        """Return the settings in the line as (name, value) pairs.

        If the line names a session, the pairs of the session come first. A setting that does not describe the game,
        such as the time limit, is left out if it has its default value. Some queries require that all answers are
        right. For these, the settings for wrong answers are left out, too; an `InputError` is raised if their values
        allow a wrong answer.
        """
        kept: tuple[tuple[str, str], ...] = ()
        if isinstance(self.session, str):
            session = session_named(self.session, sessions)
            if self.query.GAME_NAME != session.query.GAME_NAME:
                raise InputError(
                    N_("session {given!r} has another kind of game: use another session"),
                    given=self.session,
                )
            kept = session.pairs
        own = [setting for setting in self.query.own_settings() if getattr(self, setting.key) != setting.default]
        pairs = [*kept, *self.given(*self.query.GAME_SETTINGS, *own), *self.own_turns()]
        unsupported = {setting.name for setting in UNCERTAIN if setting not in self.query.GAME_SETTINGS}
        # The settings of the session may allow wrong answers, which this query does not support.
        if any(name in unsupported for name, _value in pairs):
            game_from(pairs).known.require_certain()
        return [pair for pair in pairs if pair[0] not in unsupported]

    def given(self, *settings: Setting) -> Iterator[tuple[str, str]]:
        """Yield a (name, value) pair for each of these settings that the line gives."""
        for setting in settings:
            value = getattr(self, setting.key)
            if value is not UNSET and setting.name not in self.query.TURNS:
                yield setting.name, _text(value)

    def own_turns(self) -> list[tuple[str, str]]:
        """Return the turns or moves of this line as pairs."""
        return self.query.turns(getattr(self, _turns_key(self.query)))


class OpenLine(QueryLine, kw_only=True):
    """A request that opens a session. The new session replaces a session of the same name."""

    def answer(self, sessions: Sessions, budget: Budget) -> Document:
        if not isinstance(self.session, str):
            raise missing("session")
        terms = self.given(*self.query.GAME_SETTINGS)
        return _store(self.session, Session(self.query, tuple(terms), tuple(self.own_turns())), sessions)


def line_of(query: type[Query[Any]], base: type[QueryLine] = QueryLine) -> type[Line]:
    """Create the class of request lines for a query: a key for each setting, and a key for the turns or moves."""
    settings = [setting for setting in query.settings() if setting.name not in query.TURNS]
    turns = Annotated[list[str], Meta(examples=[_EXAMPLES[query.GAME_NAME]])]
    keys = [*((setting.key, _type_of(setting), UNSET) for setting in settings),
            (_turns_key(query), turns, field(default_factory=list))]  # fmt: skip
    title = "".join(part.capitalize() for part in query.NAME.split("-"))
    namespace = {"query": query, "__doc__": query.__doc__}
    made = defstruct(title, keys, bases=(base,), namespace=namespace, module=__name__, kw_only=True, tag=query.NAME)
    assert issubclass(made, Line)
    return made


_EXAMPLES = {
    "guessing": ["crane:01002"],
    "hitblow": ["012:0H1B"],
    "match": ["me=012:0H1B", "they=345:0H0B"],
    "tictactoe": ["b2", "a1"],
}


def _turns_key(query: type[Query[Any]]) -> str:
    return "moves" if query.GAME_NAME == "tictactoe" else "turns"


_TYPES: dict[Kind, Any] = {
    Kind.TEXT: str, Kind.WORD: str, Kind.INTEGER: int, Kind.NUMBER: float, Kind.FLAG: bool, Kind.LINES: dict[str, int],
}  # fmt: skip

_CODES = str | list[str] | dict[str, int]
# The settings whose value in JSON may have one of several types.
_FORMS: dict[str, Any] = {BOARD.name: list[list[int]] | str, SECRETS.name: _CODES, GUESSES.name: _CODES}


def _type_of(setting: Setting) -> Any:
    kind = _FORMS.get(setting.name, _TYPES[setting.kind])
    examples = None if setting.example is None else [setting.example]
    schema = schema_of_setting(setting)
    return Annotated[kind, Meta(description=setting.help, examples=examples, extra_json_schema=schema)] | UnsetType


def _text(value: object) -> str:
    """Return the value of a JSON key as text, in the form that a setting accepts."""
    match value:
        case bool():
            return str(int(value))
        case dict():
            return "\n".join(f"{code},{weight}" for code, weight in value.items())
        case [str(), *_]:
            return "\n".join(map(str, value))
        case list():
            return "/".join(",".join(map(str, row)) for row in value)
    return str(value)


# --- sessions ---------------------------------------------------------------------------------------------------------


def _store(name: str, session: Session, sessions: Sessions) -> OpenedJson:
    """Store a session under its name, and return its state.

    Raises a `YomikiriError`, and stores nothing, if the pairs of the session describe no game.
    """
    opened = session.opened(name)
    sessions[name] = session
    return opened


class PlayLine(Line, kw_only=True, tag="play"):
    """A request that adds turns, or moves of tic-tac-toe, to a session. If one of them is invalid, none is added."""

    session: str
    turns: list[str]

    def answer(self, sessions: Sessions, budget: Budget) -> Document:
        kept = session_named(self.session, sessions)
        return _store(self.session, replace(kept, turns=(*kept.turns, *kept.query.turns(self.turns))), sessions)


class Undo(Line, kw_only=True, tag="undo"):
    """A request that takes back the last `turns` turns, or moves of tic-tac-toe, of a session."""

    session: str
    turns: Annotated[int, Meta(ge=1)] = 1

    def answer(self, sessions: Sessions, budget: Budget) -> Document:
        kept = session_named(self.session, sessions)
        left = len(kept.turns) - self.turns
        if left < 0:
            raise InputError(
                N_("{given:turn|turns} cannot be undone: there are {count}"), given=self.turns, count=len(kept.turns)
            )
        return _store(self.session, replace(kept, turns=kept.turns[:left]), sessions)


class Close(Line, kw_only=True, tag="close"):
    """A request that closes a session. Its answer is the last state of the session."""

    session: str

    def answer(self, sessions: Sessions, budget: Budget) -> Document:
        opened = session_named(self.session, sessions).opened(self.session)
        del sessions[self.session]
        return opened


# --- strategies -------------------------------------------------------------------------------------------------------


class Verify(Line, kw_only=True, tag="verify"):
    """A request to verify a strategy by playing it against every secret.

    `strategy` is the JSON object that a strategy file contains.
    """

    strategy: Raw

    def answer(self, sessions: Sessions, budget: Budget) -> Document:
        try:
            strategy = read_strategy(bytes(self.strategy))
            verify(strategy)
            return Verified.of(strategy)
        except StrategyFault as fault:
            return Unverified(False, sentence(fault))


QUERIES: tuple[type[Query[Any]], ...] = (
    SuggestQuery, CandidatesQuery, ReviewQuery, SimulateQuery, SolveQuery, RaceQuery, MatchQuery, AnalyzeQuery,
    WinnerQuery, GuessQuery, SecretsQuery, GuessReviewQuery, GuessSimulateQuery, GuessSolveQuery,
    DuelQuery,
)  # fmt: skip
"""The queries that the engine answers."""

_LINES: tuple[type[Line], ...] = (
    Hello, *map(line_of, QUERIES),
    *(line_of(query, OpenLine) for query in (OpenQuery, OpenMatchQuery, OpenBoardQuery, OpenGuessQuery)),
    PlayLine, Undo, Close, Verify,
)  # fmt: skip

REQUESTS: dict[str, type[Line]] = {str(kind.__struct_config__.tag): kind for kind in _LINES}
"""The class of request lines for each value of the key `request`."""

AnyLine: Any = reduce(or_, REQUESTS.values())
"""The type of any request line. Its key `request` decides on the class."""
