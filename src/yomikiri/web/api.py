"""The same answers as JSON, for programs: the documents that the commands write with `--json`, and their description.

A question is read strictly: what the page would pass over is refused here, in one line, as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from yomikiri import __version__
from yomikiri.api.queries_hitblow import COMPARE, SECONDS, ReviewQuery, SuggestQuery
from yomikiri.api.queries_tictactoe import SECONDS as TIME
from yomikiri.api.queries_tictactoe import AnalyzeQuery
from yomikiri.api.query import Query
from yomikiri.api.results import ProblemJson, versioned
from yomikiri.api.results_hitblow import ReviewJson, SuggestionJson
from yomikiri.api.results_match import PlayJson
from yomikiri.api.results_tictactoe import Analysis
from yomikiri.api.schema import components
from yomikiri.common.budget import Budget
from yomikiri.common.enums import choice
from yomikiri.common.errors import N_, BoardError, Choices, InputError
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.model.game import RULES, WEIGHTS, WORDS
from yomikiri.hitblow.practice.play import Level
from yomikiri.settings import Kind, Setting
from yomikiri.tictactoe.advice import PartialAdvice
from yomikiri.tictactoe.notation import BOARD, board_of
from yomikiri.web import limits
from yomikiri.web import play_address as page
from yomikiri.web.limits import (
    MATCH_SECONDS,
    MOST_CELLS,
    MOST_GUESSES,
    MOST_PLAYED,
    MOST_TURNS,
    POLICY,
    check_board,
    check_rules,
    check_turns,
)
from yomikiri.web.pages import begin, refusal
from yomikiri.web.tictactoe import read_in_time
from yomikiri.wording import LANGUAGES
from yomikiri.wording.tictactoe import so_far

_SECONDS = limits.SECONDS  # as the description says

SEARCHED: dict[type[Query[Any]], tuple[Setting, ...]] = {
    SuggestQuery: (SECONDS, COMPARE, WEIGHTS),
    ReviewQuery: (SECONDS, WEIGHTS),
    AnalyzeQuery: (TIME,),
}
"""What is asked here, and of its settings those that it has not: how long a search takes is for the server to say, how
much is compared as well, and weights are longer than an address."""


def suggest(request: Request) -> Response:
    """The next guess of Hit & Blow, as `yomikiri hitblow suggest --json`."""
    budget = begin(request)
    question = replace(_asked_of_game(request, SuggestQuery), compare=True, seconds=limits.SECONDS)
    return _answered(question, budget)


def review(request: Request) -> Response:
    """A game of Hit & Blow judged turn by turn, as `yomikiri hitblow review --json`."""
    budget = begin(request)
    return _answered(replace(_asked_of_game(request, ReviewQuery), seconds=limits.SECONDS), budget)


def play(request: Request) -> Response:
    """A game of Hit & Blow against the program, after the guess of the program where it is to move."""
    budget = begin(request, MATCH_SECONDS)
    asked = dict(_told(request, [each["name"] for each in _play_parameters()], "me", "they"))
    if address := page.read(request.query_params.multi_items()):
        return JSONResponse(versioned(PlayJson.of(address.play.answered(POLICY, budget))))
    raise _missing("day" if "day" in asked else "seed")


def analyze(request: Request) -> Response:
    """Where every move of a position of tic-tac-toe leads, as `yomikiri tictactoe analyze --json`."""
    budget = begin(request)
    pairs = _told(request, [setting.name for setting in _settings(AnalyzeQuery)])
    told = dict(pairs)
    if BOARD.name not in told:
        raise _missing(BOARD.name)
    check_board(board_of(told)[0])
    question = AnalyzeQuery.of(pairs)
    advice = read_in_time(question.position, budget)
    if isinstance(advice, PartialAdvice):
        error = BoardError(
            N_("not solved within {seconds} s: try a smaller board or more moves; the command line has no time limit"),
            seconds=int(_SECONDS),
        )
        error.hint = so_far(advice)
        return refusal(request, 422, error)
    return JSONResponse(versioned(question.document(advice)))


def openapi(_request: Request) -> Response:
    """What can be asked here and what is answered, in the form of OpenAPI."""
    return JSONResponse(description())


def _missing(name: str) -> InputError:
    return InputError(N_("{given}= is missing in the address: add it"), given=name)


def _settings(kind: type[Query[Any]]) -> list[Setting]:
    """The settings that a question has here."""
    return [setting for setting in kind.settings() if setting not in SEARCHED[kind]]


Q = TypeVar("Q", SuggestQuery, ReviewQuery)


def _asked_of_game(request: Request, kind: type[Q]) -> Q:
    """The question that an address asks about one board, within what is served."""
    names = [setting.name for setting in _settings(kind)]
    question: Q = kind.of(_told(request, names, *kind.TURNS))
    check_rules(question.game.rules)
    check_turns(question.game.facts)
    return question


def _answered(question: Query[Any], budget: Budget) -> Response:
    return JSONResponse(versioned(question.document(question.answer(budget))))


def _told(request: Request, names: Sequence[str], *repeated: str) -> list[tuple[str, str]]:
    """The parameters; all of `names` may stand once, `repeated` ones any number of times. `lang` is not among them."""
    known = (*names, *repeated, "lang")
    pairs = request.query_params.multi_items()
    told: dict[str, str] = {}
    for name, value in pairs:
        if name not in known:
            raise InputError(
                N_("unknown parameter {given!r}: expected one of {known}"), given=name, known=Choices(", ".join(known))
            )
        if name in told and name not in repeated:
            raise InputError(N_("{given}= appears twice in the address: give it once"), given=name)
        told[name] = value
    choice(told, "lang", LANGUAGES, LANGUAGES[0])
    return [(name, value) for name, value in pairs if name != "lang"]


Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}


def description() -> Schema:
    """What can be asked as JSON and what is answered, as an OpenAPI 3.1 description."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "yomikiri",
            "version": __version__,
            "description": "Solves two games: the best move, the reason, and whether it is proven. Answers are the "
            "documents that the program writes with --json.",
        },
        "paths": {f"/api/v1/{path}": {"get": described} for path, described in _described().items()},
        "components": {"schemas": _schemas()},
    }


def _described() -> dict[str, Schema]:
    """The description of each question, by its path."""
    guesses = {"type": "array", "items": _TEXT, "maxItems": MOST_PLAYED}
    contradiction = {"409": "The answers contradict each other; the hint names the most likely mistake"}
    return {
        "hitblow/suggest": _question(
            "suggest",
            "The next guess in Hit & Blow",
            f"Games with up to {MOST_GUESSES:,} possible guesses are served. A search stops after {_SECONDS:g} s; the "
            "guess is then a good one, and `proof` is `heuristic`.",
            _game_parameters(SuggestQuery),
            _answer("The guess, what it does, and the next best ones", "Suggestion"),
            contradiction,
        ),
        "hitblow/review": _question(
            "review",
            "A game of Hit & Blow judged turn by turn",
            "What was played, what was best, what it cost and how lucky the answer was, in guesses.",
            _game_parameters(ReviewQuery),
            _answer("Every turn judged", "Review"),
            contradiction,
        ),
        "hitblow/play": _question(
            "play",
            "A game of Hit & Blow against the program",
            "Nothing is kept: the secret follows from the rules and the seed, and every question tells the whole game. "
            "The answer has all turns, with the program's next guess where it is to move; repeat its guesses.",
            [
                *_play_parameters(),
                _parameter("me", guesses, "My guesses, in order"),
                _parameter("they", guesses, "The program's guesses, in order"),
            ],
            _answer("The game so far", "Play"),
            {},
        ),
        "tictactoe/analyze": _question(
            "analyze",
            "The value of every move in a position of weighted tic-tac-toe",
            f"Boards of up to {MOST_CELLS} cells are served, with {_SECONDS:g} s for each.",
            list(map(_of_setting, _settings(AnalyzeQuery))),
            _answer("Every move, the line of best play, and why", "Analysis"),
            {"422": "The position was not solved in time; the hint says what is certain"},
        ),
    }


def _question(
    name: str, summary: str, description: str, parameters: list[Schema], answer: Schema, problems: dict[str, str]
) -> Schema:
    """The description of a question, with the `problems` by status that it has beside those of all."""
    problems = {"400": "A parameter cannot be read or used", "414": "The address is too long", **problems}
    refused = {status: _answer(what, "Problem") for status, what in sorted(problems.items())}
    return {
        "operationId": name,
        "summary": summary,
        "description": description,
        "parameters": [*parameters, _LANG],
        "responses": {"200": answer, **refused},
    }


def _schemas() -> Schema:
    """The documents by name. A suggestion is served by itself, with its version, and within a review, without."""
    found = components((SuggestionJson, ReviewJson, PlayJson, Analysis, ProblemJson), "#/components/schemas/{name}")
    found["Suggestion"]["required"].remove("schema_version")
    return found


def _game_parameters(kind: type[Query[Any]]) -> list[Schema]:
    turns = {"type": "array", "items": _TEXT, "maxItems": MOST_TURNS}
    return [
        _parameter("turn", turns, "A guess and its answer, in order: 012:0H1B"),
        _parameter("fact", turns, "Something else that is known, at its place among the turns: has=3"),
        *map(_of_setting, _settings(kind)),
    ]


def _of_setting(setting: Setting) -> Schema:
    """A setting as a parameter."""
    match setting.kind:
        case Kind.INTEGER | Kind.NUMBER:
            schema: Schema = {"type": "integer" if setting.kind is Kind.INTEGER else "number"}
            schema["minimum"] = setting.least or 0
            if setting.most is not None:
                schema["maximum"] = setting.most
        case Kind.FLAG:
            schema = _one_of("01")
        case Kind.WORD:
            schema = _one_of(setting.words)
        case _:
            schema = _TEXT
    return _parameter(setting.name, schema, setting.help, None if setting.default == "" else setting.default,
                      required=setting is BOARD)  # fmt: skip


def _play_parameters() -> list[Schema]:
    """The terms of a game against the program, which the page reads: see `web.play`."""
    return [
        _parameter("seed", {"type": "string", "pattern": "^[0-9A-Za-z-]{1,40}$"}, "Of what the secret is made"),
        _parameter("day", {"type": "string", "format": "date"}, "Instead of a seed: the number of that day (UTC)"),
        *map(_of_setting, (*RULES, WORDS)),
        _parameter("absent", _TEXT, "Symbols that the program's secret does not use"),
        _parameter("race", _one_of("01"), "Whether the program guesses, too", "0"),
        _parameter("level", _one_of(Level), "How well it guesses", str(Level.CONSISTENT)),
        _parameter("first", _one_of(Side), "Who goes first in a race", str(Side.ME)),
        _parameter("handicap", _one_of("01"), "Whether who goes first reveals a symbol", "1"),
        _parameter("secret", _TEXT, "The secret that the program seeks"),
        _parameter("shown", _TEXT, "The symbol that I revealed"),
    ]


def _parameter(name: str, schema: Schema, what: str, default: Any = None, *, required: bool = False) -> Schema:
    schema = schema if default is None else {**schema, "default": default}
    return {"name": name, "in": "query", "description": what, "required": required, "schema": schema}


def _answer(what: str, name: str) -> Schema:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
    return {"description": what, "content": content}


def _one_of(values: Iterable[str]) -> Schema:
    return {"type": "string", "enum": [str(value) for value in values]}


_LANG = _parameter("lang", _one_of(LANGUAGES), "The language of errors; by default what the browser prefers")
