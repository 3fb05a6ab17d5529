"""The same answers as JSON, for programs: the documents that the commands write with `--json`, and their description.

A question is read strictly: what the page would pass over is refused here, in one line, as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from yomikiri import __version__
from yomikiri.documents import Problem, versioned
from yomikiri.documents.hitblow import Review, Suggestion, suggestion
from yomikiri.documents.hitblow import review as review_document
from yomikiri.documents.match import Play
from yomikiri.documents.match import play as play_document
from yomikiri.documents.schema import components
from yomikiri.documents.tictactoe import Analysis, analysis
from yomikiri.enums import choice
from yomikiri.errors import N_, BoardError, InputError
from yomikiri.hitblow.advice import suggest as advise
from yomikiri.hitblow.game import Pairs, game_of
from yomikiri.hitblow.judgement import review as judge
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.match import Side
from yomikiri.hitblow.play import Level
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, policy_named
from yomikiri.hitblow.rules import MAX_DIGITS, PRESETS, Repeats, Words
from yomikiri.hitblow.slips import MOST as MOST_SLIPS
from yomikiri.tictactoe.advice import PartialAdvice
from yomikiri.tictactoe.board import DEFAULT_LINE, MAX_SIDE
from yomikiri.tictactoe.notation import board_of
from yomikiri.tictactoe.position import Position
from yomikiri.web import play_address as page
from yomikiri.web.limits import (
    MATCH_SECONDS,
    MOST_CELLS,
    MOST_GUESSES,
    MOST_PLAYED,
    MOST_TURNS,
    POLICY,
    SECONDS,
    check_board,
    check_rules,
    check_turns,
)
from yomikiri.web.pages import begin, refusal
from yomikiri.web.tictactoe import read_in_time
from yomikiri.wording import LANGUAGES
from yomikiri.wording.contradictions import consistent
from yomikiri.wording.tictactoe import so_far


def suggest(request: Request) -> Response:
    """The next guess of Hit & Blow, as `yomikiri hitblow suggest --json`."""
    budget = begin(request)
    asked = _asked(request, (*_RULES, *_GAME, "policy", "lang"), "turn", "fact")
    chooser = choice(asked, "policy", POLICIES, DEFAULT_POLICY)
    known = _known(request.query_params.multi_items())
    advice = advise(known, policy_named(chooser, seconds=SECONDS), compare=True, budget=budget)
    return JSONResponse(versioned(suggestion(advice)))


def review(request: Request) -> Response:
    """A game of Hit & Blow judged turn by turn, as `yomikiri hitblow review --json`."""
    budget = begin(request)
    _asked(request, (*_RULES, *_GAME, "lang"), "turn", "fact")
    return JSONResponse(versioned(review_document(judge(_known(request.query_params.multi_items()), POLICY, budget))))


def play(request: Request) -> Response:
    """A game of Hit & Blow against the program, after the guess of the program where it is to move."""
    budget = begin(request, MATCH_SECONDS)
    terms = ("absent", "race", "level", "first", "handicap", "secret", "shown")
    asked = _asked(request, (*_RULES, "seed", "day", *terms, "lang"), "me", "they")
    if address := page.read(request.query_params.multi_items()):
        return JSONResponse(versioned(play_document(address.play.answered(POLICY, budget))))
    raise _missing("day" if "day" in asked else "seed")


def analyze(request: Request) -> Response:
    """Where every move of a position of tic-tac-toe leads, as `yomikiri tictactoe analyze --json`."""
    budget = begin(request)
    asked = _asked(request, ("board", "line", "moves", "lang"))
    if "board" not in asked:
        raise _missing("board")
    board, moves = board_of(asked)
    position = Position.after(check_board(board), moves)
    advice = read_in_time(position, budget)
    if isinstance(advice, PartialAdvice):
        error = BoardError(
            N_("not solved within {seconds} s: try a smaller board or more moves; the command line has no time limit"),
            seconds=int(SECONDS),
        )
        error.add_note(so_far(advice))
        return refusal(request, 422, error)
    return JSONResponse(versioned(analysis(advice)))


def openapi(_request: Request) -> Response:
    """What can be asked here and what is answered, in the form of OpenAPI."""
    return JSONResponse(description())


def _missing(name: str) -> InputError:
    return InputError(N_("{given}= is missing in the address: add it"), given=name)


_GAME = ("absent", "slips", "slip-rate")
_RULES = ("preset", "digits", "symbols", "repeats", "no-leading", "words")


def _asked(request: Request, names: tuple[str, ...], *repeated: str) -> dict[str, str]:
    """The parameters by name; all of `names` may stand once, and `repeated` ones any number of times."""
    known = (*names, *repeated)
    found: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in known:
            raise InputError(
                N_("unknown parameter {given!r}: expected one of {known}"), given=name, known=", ".join(known)
            )
        if name in found and name not in repeated:
            raise InputError(N_("{given}= appears twice in the address: give it once"), given=name)
        found[name] = value
    choice(found, "lang", LANGUAGES, LANGUAGES[0])
    return found


def _known(pairs: Pairs) -> Knowledge:
    """What the rules, the absent symbols and the turns tell; a contradiction comes with the likeliest slip."""
    game = game_of(pairs)
    check_rules(game.rules)
    check_turns(game.facts)
    return consistent(game)


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
        "paths": {
            "/api/v1/hitblow/suggest": {"get": _suggest_described()},
            "/api/v1/hitblow/review": {"get": _review_described()},
            "/api/v1/hitblow/play": {"get": _play_described()},
            "/api/v1/tictactoe/analyze": {"get": _analyze_described()},
        },
        "components": {"schemas": _schemas()},
    }


def _suggest_described() -> Schema:
    return {
        "operationId": "suggest",
        "summary": "The next guess in Hit & Blow",
        "description": f"Games with up to {MOST_GUESSES:,} possible guesses are served. A search stops after "
        f"{SECONDS:g} s; the guess is then a good one, and `proof` is `heuristic`.",
        "parameters": [
            *_game_parameters(),
            _parameter("policy", _one_of(POLICIES), "How the guess is chosen", DEFAULT_POLICY),
            _LANG,
        ],
        "responses": {
            "200": _answer("The guess, what it does, and the next best ones", "Suggestion"),
            "400": _answer("A parameter cannot be read or used", "Problem"),
            "409": _answer("The answers contradict each other; the hint names the most likely mistake", "Problem"),
            "414": _answer("The address is too long", "Problem"),
        },
    }  # fmt: skip


def _schemas() -> Schema:
    """The documents by name. A suggestion is served by itself, with its version, and within a review, without."""
    found = components((Suggestion, Review, Play, Analysis, Problem), "#/components/schemas/{name}")
    found["Suggestion"]["required"].remove("schema_version")
    return found


def _game_parameters() -> list[Schema]:
    turns = {"type": "array", "items": _TEXT, "maxItems": MOST_TURNS}
    return [
        _parameter("turn", turns, "A guess and its answer, in order: 012:0H1B"),
        _parameter("fact", turns, "Something else that is known, at its place among the turns: has=3"),
        *_rule_parameters(),
        _parameter("absent", _TEXT, "Symbols known not to be in the secret"),
        _parameter("slips", {"type": "integer", "minimum": 0, "maximum": MOST_SLIPS}, "How many turns may be wrong", 0),
        _parameter(
            "slip-rate",
            {"type": "number", "minimum": 0.001, "maximum": 0.5},
            "How often a turn is wrong, where any may be",
        ),
    ]


def _rule_parameters() -> list[Schema]:
    return [
        _parameter("preset", _one_of(PRESETS), "A game by its name; the other parameters override it", "hitblow"),
        _parameter("digits", {"type": "integer", "minimum": 1, "maximum": MAX_DIGITS}, "Digits of a code"),
        _parameter("symbols", {"type": "string", "minLength": 1, "maxLength": 16}, "What codes are made of"),
        _parameter("repeats", _one_of(Repeats), "Where a symbol may repeat"),
        _parameter("no-leading", _TEXT, "Symbols that no code begins with"),
        _parameter("words", _one_of(Words), "What a lone B is: a bull, a black one, or a blow"),
    ]


def _review_described() -> Schema:
    return {
        "operationId": "review",
        "summary": "A game of Hit & Blow judged turn by turn",
        "description": "What was played, what was best, what it cost and how lucky the answer was, in guesses.",
        "parameters": [*_game_parameters(), _LANG],
        "responses": {
            "200": _answer("Every turn judged", "Review"),
            "400": _answer("A parameter cannot be read or used", "Problem"),
            "409": _answer("The answers contradict each other; the hint names the most likely mistake", "Problem"),
            "414": _answer("The address is too long", "Problem"),
        },
    }


def _play_described() -> Schema:
    guesses = {"type": "array", "items": _TEXT, "maxItems": MOST_PLAYED}
    return {
        "operationId": "play",
        "summary": "A game of Hit & Blow against the program",
        "description": "Nothing is kept: the secret follows from the rules and the seed, and every question tells the "
        "whole game. The answer has all turns, with the program's next guess where it is to move; repeat its guesses.",
        "parameters": [
            _parameter("seed", {"type": "string", "pattern": "^[0-9A-Za-z-]{1,40}$"}, "Of what the secret is made"),
            _parameter("day", {"type": "string", "format": "date"}, "Instead of a seed: the number of that day (UTC)"),
            *_rule_parameters(),
            _parameter("absent", _TEXT, "Symbols that the program's secret does not use"),
            _parameter("race", _one_of("01"), "Whether the program guesses, too", "0"),
            _parameter("level", _one_of(Level), "How well it guesses", str(Level.CONSISTENT)),
            _parameter("first", _one_of(Side), "Who goes first in a race", str(Side.ME)),
            _parameter("handicap", _one_of("01"), "Whether who goes first reveals a symbol", "1"),
            _parameter("secret", _TEXT, "The secret that the program seeks"),
            _parameter("shown", _TEXT, "The symbol that I revealed"),
            _parameter("me", guesses, "My guesses, in order"),
            _parameter("they", guesses, "The program's guesses, in order"),
            _LANG,
        ],
        "responses": {
            "200": _answer("The game so far", "Play"),
            "400": _answer("A parameter cannot be read or used", "Problem"),
            "414": _answer("The address is too long", "Problem"),
        },
    }


def _analyze_described() -> Schema:
    return {
        "operationId": "analyze",
        "summary": "The value of every move in a position of weighted tic-tac-toe",
        "description": f"Boards of up to {MOST_CELLS} cells are served, with {SECONDS:g} s for each.",
        "parameters": [
            _parameter("board", _TEXT, "The weights, row by row: -2,0,-1/-1,-1,0/-1,-1,-2", required=True),
            _parameter("line", {"type": "integer", "minimum": 1, "maximum": MAX_SIDE}, "How many in a row to win",
                       DEFAULT_LINE),
            _parameter("moves", _TEXT, "Moves already made, in order: b2,a1"),
            _LANG,
        ],
        "responses": {
            "200": _answer("Every move, the line of best play, and why", "Analysis"),
            "400": _answer("A parameter cannot be read or used", "Problem"),
            "414": _answer("The address is too long", "Problem"),
            "422": _answer("The position was not solved in time; the hint says what is certain", "Problem"),
        },
    }  # fmt: skip


def _parameter(name: str, schema: Schema, what: str, default: Any = None, *, required: bool = False) -> Schema:
    schema = schema if default is None else {**schema, "default": default}
    return {"name": name, "in": "query", "description": what, "required": required, "schema": schema}


def _answer(what: str, name: str) -> Schema:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
    return {"description": what, "content": content}


def _one_of(values: Iterable[str]) -> Schema:
    return {"type": "string", "enum": [str(value) for value in values]}


_LANG = _parameter("lang", _one_of(LANGUAGES), "The language of errors; by default what the browser prefers")
