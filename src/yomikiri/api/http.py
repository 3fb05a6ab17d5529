"""Queries over HTTP: the query parameters of an address, and the OpenAPI description of all served queries.

Unknown and repeated parameters are errors here, although a page may ignore them. The server passes its `Limits` as an
argument, so that this module does not depend on a server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import cleandoc
from typing import Any, ClassVar, Literal, Protocol, Self

from yomikiri import __version__
from yomikiri.api.guessing_game import ALL_CODES
from yomikiri.api.queries_guessing import SECONDS as GUESS_SECONDS
from yomikiri.api.queries_guessing import (
    WORKERS,
    DuelQuery,
    GuessingQuery,
    GuessQuery,
    GuessReviewQuery,
    GuessSimulateQuery,
    GuessSolveQuery,
    SecretsQuery,
)
from yomikiri.api.queries_hitblow import COMPARE, SECONDS, OneBoardQuery, ReviewQuery, SuggestQuery
from yomikiri.api.queries_tictactoe import SECONDS as TIME
from yomikiri.api.queries_tictactoe import AnalyzeQuery, PositionQuery
from yomikiri.api.query import Pairs, Query
from yomikiri.api.results import Document, ProblemJson, versioned
from yomikiri.api.results_guessing import SimulatedGameJson
from yomikiri.api.schema import Schema, components, schema_of_setting
from yomikiri.api.shared_settings import SECONDS_IN_ALL
from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.enums import choice
from yomikiri.common.errors import N_, BoardError, Choices, InputError, YomikiriError
from yomikiri.common.seeds import SEED
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.model.game import RULES, WEIGHTS, WORDS
from yomikiri.hitblow.model.labels import Level
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.policies.base import Policy
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.practice.play import Play, play_of
from yomikiri.settings import Kind, Setting
from yomikiri.tictactoe.board import Board
from yomikiri.wording import LANGUAGES

# In a match of two players, each search gets the time limit of a request divided by this number. A request makes at
# most three searches with this time limit. One short search without a time limit may follow, so the divisor leaves a
# reserve.
_DUEL_TIME_DIVISOR = 5


class Limits(Protocol):
    """Bounds on the games and the search time that a server allows for one request."""

    SECONDS: float
    MATCH_SECONDS: float
    POLICY: Exact
    MOST_TURNS: int
    MOST_PLAYED: int
    MOST_GUESSES: int
    MOST_CELLS: int

    @property
    def check_rules(self) -> Callable[[Rules], Rules]:
        """A function that returns the rules it gets, or raises a `RulesError` if they exceed the limits."""

    @property
    def check_turns(self) -> Callable[[Sequence[object]], None]:
        """A function that gets the turns of a game, and raises an `InputError` if there are too many."""

    @property
    def check_board(self) -> Callable[[Board], Board]:
        """A function that returns the board it gets, or raises a `BoardError` if the board is too large."""


@dataclass(frozen=True, slots=True)
class PlayQuery(Query[Play]):
    """A game of Hit & Blow against the program, including the program's guess if the program is to move."""

    play: Play
    policy: Policy = Exact()

    NAME: ClassVar[str] = "play"
    GAME_NAME: ClassVar[Literal["hitblow"]] = "hitblow"
    GAME_SETTINGS: ClassVar[tuple[Setting, ...]] = (
        Setting("seed", "The text from which the secret is computed", schema={"pattern": f"^{SEED}$"}),
        Setting("day", "The number of that day (UTC), instead of a seed", schema={"format": "date"}),
        *RULES,
        WORDS,
        Setting("absent", "Symbols that the program's secret does not use"),
        Setting("race", "Whether the program guesses, too", Kind.FLAG, default=False),
        Setting("level", "How well it guesses", Kind.WORD, default=str(Level.CONSISTENT), words=tuple(Level)),
        Setting("first", "The player who goes first in a race", Kind.WORD, default=str(Side.ME), words=tuple(Side)),
        Setting("handicap", "Whether the first player reveals a symbol", Kind.FLAG, default=True),
        Setting("secret", "The secret that the program looks for"),
        Setting("shown", "The symbol that I revealed"),
    )
    TURNS: ClassVar[tuple[str, ...]] = ("me", "they")
    RESULT: ClassVar[str] = "results_match:PlayJson"

    @classmethod
    def _about(cls, game: Pairs, **own_values: Any) -> Self:
        return cls(play_of(game), **own_values)

    def answer(self, budget: Budget = UNLIMITED) -> Play:
        return self.play.answered(self.policy, budget)


@dataclass(frozen=True)
class Service:
    """A query that is served under `/api/v1/{path}`.

    - `hidden` settings are not parameters of the address. The server itself sets the values in `fixed`.
    - At least one of the parameters in `required` must be given.
    - `turns` maps the names of repeatable parameters to their descriptions. `most_turns` is the limit for each name.
    - `turns_first` is True if the OpenAPI description lists the repeatable parameters first.
    - `problems` maps error statuses to their descriptions, besides the statuses that all queries have.
    - `more_seconds` is added to the time limit of a request.
    - `other_results` are the classes of documents that some answers have instead of the query's usual one.
    """

    path: str
    query: type[Query[Any]]
    description: str
    hidden: tuple[Setting, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    turns: Mapping[str, str] = field(default_factory=dict)
    most_turns: int = 0
    turns_first: bool = True
    problems: Mapping[str, str] = field(default_factory=dict)
    more_seconds: float = 0
    other_results: tuple[type[Document], ...] = ()

    @property
    def results(self) -> tuple[type[Document], ...]:
        """The classes of documents that an answer may have."""
        return (self.query.result(), *self.other_results)

    @property
    def settings(self) -> list[Setting]:
        """The settings that an address accepts as query parameters."""
        return [setting for setting in self.query.settings() if setting not in self.hidden]

    def pairs(self, parameters: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the parameters of an address as (name, value) pairs, without `lang`.

        Raises an `InputError` for an unknown, repeated or missing parameter, or an unknown language.
        """
        known = (*(setting.name for setting in self.settings), *self.turns, "lang")
        given: dict[str, str] = {}
        for name, value in parameters:
            if name not in known:
                listed = Choices(", ".join(known))
                raise InputError(N_("unknown parameter {given!r}: expected one of {known}"), given=name, known=listed)
            if name in given and name not in self.turns:
                raise InputError(N_("{given}= appears twice in the address: give it once"), given=name)
            given[name] = value
        choice(given, "lang", LANGUAGES, LANGUAGES[0])
        if self.required and not given.keys() & {*self.required}:
            raise InputError(N_("{given}= is missing in the address: add it"), given=self.required[0])
        return [(name, value) for name, value in parameters if name != "lang"]

    def respond(self, parameters: Sequence[tuple[str, str]], limits: Limits, budget: Budget) -> dict[str, Any]:
        """Answer the query in the parameters of an address, and return its document as plain values.

        Raises a `YomikiriError`, and `Stopped` if the budget is spent before there is an answer.
        """
        query = self.query.of(self.pairs(parameters))
        if isinstance(query, OneBoardQuery):
            limits.check_rules(query.game.rules)
            limits.check_turns(query.game.facts)
        elif isinstance(query, PositionQuery):
            limits.check_board(query.position.board)
        elif isinstance(query, PlayQuery):
            limits.check_rules(query.play.rules)
        elif isinstance(query, GuessingQuery):
            limits.check_turns(query.position.turns)
        elif isinstance(query, DuelQuery):
            limits.check_turns(query.duel.position.turns)
        return versioned(replace(query, **self.fixed).respond(budget))


def services(limits: Limits) -> tuple[Service, ...]:
    """Return the services, one for each query that is served."""
    board: dict[str, Any] = {
        "turns": {
            "turn": "A guess and its answer, in order: 012:0H1B",
            "fact": "Something else that is known, at its place among the turns: has=3",
        },
        "most_turns": limits.MOST_TURNS,
        "problems": {"409": "The answers contradict each other; the hint names the most likely mistake"},
    }
    lists: dict[str, Any] = {
        "required": ("secrets",),
        "turns": {"turn": "A guess and its answer, in order: crane:01002"},
        "most_turns": limits.MOST_TURNS,
        "problems": {"409": "No secret fits the answers"},
    }
    return (
        *_guess_services(limits, lists),
        Service(
            "hitblow/suggest",
            SuggestQuery,
            f"Games with up to {limits.MOST_GUESSES:,} possible guesses are served. A search stops after "
            f"{limits.SECONDS:g} s; the guess is then a good one, and `proof` is `heuristic`.",
            hidden=(SECONDS, COMPARE, WEIGHTS),
            fixed={"seconds": limits.SECONDS, "compare": True},
            **board,
        ),
        Service(
            "hitblow/review",
            ReviewQuery,
            "What was played, what was best, what it cost and how lucky the answer was, in guesses.",
            hidden=(SECONDS, WEIGHTS),
            fixed={"seconds": limits.SECONDS},
            **board,
        ),
        Service(
            "hitblow/play",
            PlayQuery,
            "The server stores nothing: the secret follows from the rules and the seed, and every request contains the "
            "whole game. The answer has all turns, with the program's next guess if it is to move; repeat its guesses.",
            fixed={"policy": limits.POLICY},
            required=("seed", "day"),
            turns={"me": "My guesses, in order", "they": "The program's guesses, in order"},
            most_turns=limits.MOST_PLAYED,
            turns_first=False,
            more_seconds=limits.MATCH_SECONDS,
        ),
        Service(
            "tictactoe/analyze",
            AnalyzeQuery,
            f"Boards of up to {limits.MOST_CELLS} cells are served, with {limits.SECONDS:g} s for each.",
            hidden=(TIME,),
            required=("board",),
            problems={"422": "The position was not solved in time; the hint says what is certain"},
        ),
    )


def _guess_services(limits: Limits, common: Mapping[str, Any]) -> Iterator[Service]:
    """Yield the services for games with lists of codes. `common` contains the fields that they all have."""
    text = "The lists are part of the address, with one code on each line, so they are short."
    large = ALL_CODES  # The server does not accept these settings, because millions of codes take too much memory.
    timed = f"{text} A search stops after {limits.SECONDS:g} s; `is_proven` is false then."
    fixed = {"seconds": limits.SECONDS}
    yield Service("guess/suggest", GuessQuery, timed, hidden=(*large, GUESS_SECONDS), fixed=fixed, **common)
    yield Service("guess/candidates", SecretsQuery, text, hidden=large, **common)
    yield Service("guess/review", GuessReviewQuery, timed, hidden=(*large, GUESS_SECONDS), fixed=fixed, **common)
    yield Service(
        "guess/solve", GuessSolveQuery, timed, hidden=(*large, SECONDS_IN_ALL, WORKERS), fixed={**fixed, "workers": 1},
        **common,
    )  # fmt: skip
    unfinished = {"422": f"The answer takes more than {limits.SECONDS:g} s"}
    common = {**common, "problems": {**common["problems"], **unfinished}}
    yield Service(
        "guess/simulate", GuessSimulateQuery, text, hidden=(*large, GUESS_SECONDS), fixed=fixed,
        other_results=(SimulatedGameJson,), **common,
    )  # fmt: skip
    yield Service(
        "guess/match",
        DuelQuery,
        f"{text} If an exact search takes too long, both sides guess candidates only; `is_exact` is false then.",
        hidden=(*large, GUESS_SECONDS),
        fixed={"seconds": limits.SECONDS / _DUEL_TIME_DIVISOR},
        **common,
    )


def not_solved(service: Service, stopped: Stopped, seconds: float) -> YomikiriError:
    """Return the error for a request that was not answered within `seconds`.

    `stopped` ended the search of the request. Its hint is a sentence about the result that the search had proven by
    then, or None. The error gets this hint, except for games with lists of codes.
    """
    if service.query.GAME_NAME == "guessing":
        return InputError(
            N_("not finished within {seconds} s: give a shorter list or a sample; the command line has no time limit"),
            seconds=int(seconds),
        )
    error = BoardError(
        N_("not solved within {seconds} s: try a smaller board or more moves; the command line has no time limit"),
        seconds=int(seconds),
    )
    error.hint = stopped.hint
    return error


# --- the description --------------------------------------------------------------------------------------------------


def openapi(served: Sequence[Service]) -> Schema:
    """Return the OpenAPI 3.1 description of the queries and their documents."""
    results = [result for service in served for result in service.results]
    schemas = components((*results, ProblemJson), "#/components/schemas/{name}")
    # A suggestion alone is a document that begins with the schema version. A suggestion in a review has no such key, so
    # the schema of both must not require it.
    schemas["Suggestion"]["required"].remove("schema_version")
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "yomikiri",
            "version": __version__,
            "description": "Solves two games: the best move, the reason, and whether it is proven. Answers are the "
            "documents that the program writes with --json.",
        },
        "paths": {f"/api/v1/{service.path}": {"get": _operation(service)} for service in served},
        "components": {"schemas": schemas},
    }


def _summary(kind: type) -> str:
    """Return the first paragraph of a class's docstring in one line, without the full stop at its end."""
    return cleandoc(kind.__doc__ or "").partition("\n\n")[0].replace("\n", " ").removesuffix(".")


def _operation(service: Service) -> Schema:
    result = service.query.result()
    problems = {"400": "A parameter cannot be read or used", "414": "The address is too long", **service.problems}
    texts = {"type": "array", "items": {"type": "string"}, "maxItems": service.most_turns}
    parameters = [_parameter_of(setting, service) for setting in service.settings]
    turns = [_parameter(name, texts, what) for name, what in service.turns.items()]
    parameters = [*turns, *parameters] if service.turns_first else [*parameters, *turns]
    lang = {"type": "string", "enum": list(LANGUAGES)}
    parameters.append(_parameter("lang", lang, "The language of errors; by default the one that the browser prefers"))
    return {
        "operationId": service.query.NAME,
        "summary": _summary(service.query),
        "description": service.description,
        "parameters": parameters,
        "responses": {
            "200": _response(_summary(result), *(each.__name__ for each in service.results)),
            **{status: _response(what, "Problem") for status, what in sorted(problems.items())},
        },
    }


def _parameter_of(setting: Setting, service: Service) -> Schema:
    schema = schema_of_setting(setting)
    if setting.kind in (Kind.INTEGER, Kind.NUMBER):
        schema = {"type": "integer" if setting.kind is Kind.INTEGER else "number", "minimum": 0, **schema}
    elif setting.kind is Kind.FLAG:
        schema = {"type": "string", "enum": ["0", "1"], "default": setting.default_text}
    else:
        schema = {"type": "string", **{key: value for key, value in schema.items() if value != ""}}
    return _parameter(setting.name, schema, setting.help, required=service.required == (setting.name,))


def _parameter(name: str, schema: Schema, description: str, *, required: bool = False) -> Schema:
    return {"name": name, "in": "query", "description": description, "required": required, "schema": schema}


def _response(description: str, *names: str) -> Schema:
    """Return the description of a response whose content is one of the documents with these names."""
    kinds: list[Schema] = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    schema = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return {"description": description, "content": {"application/json": {"schema": schema}}}
