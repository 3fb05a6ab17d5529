"""What can be asked as JSON, and what is answered, as an OpenAPI 3.1 description."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from yomikiri import __version__
from yomikiri.documents import SCHEMA_VERSION
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES
from yomikiri.hitblow.policies.base import Unproven
from yomikiri.hitblow.rules import MAX_DIGITS, PRESETS, Repeats, Words
from yomikiri.tictactoe.board import DEFAULT_LINE, MAX_SIDE
from yomikiri.tictactoe.notation import CONTEST_NAMES
from yomikiri.web.limits import MOST_CELLS, MOST_GUESSES, MOST_TURNS, SECONDS
from yomikiri.wording import LANGUAGES

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_SHARE: Schema = {"type": "number", "minimum": 0}
_FLAG: Schema = {"type": "boolean"}
_VERSION: Schema = {"const": SCHEMA_VERSION}


def description() -> Schema:
    """The whole description."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "yomikiri",
            "version": __version__,
            "description": "Reads two games to the end: the best move, why, and how sure that is. Answers are the "
            "documents that the program writes with --json.",
        },
        "paths": {
            "/api/v1/hitblow/suggest": {"get": _suggest()},
            "/api/v1/tictactoe/analyze": {"get": _analyze()},
        },
        "components": {"schemas": {"Suggestion": _SUGGESTION, "Analysis": _analysis(), "Error": _ERROR}},
    }


def _suggest() -> Schema:
    return {
        "operationId": "suggest",
        "summary": "The next guess of Hit & Blow",
        "description": f"Rules of up to {MOST_GUESSES:,} guesses are served. A search ends after {SECONDS:g} s; the "
        "guess is then a good one, and `proof` is `heuristic`.",
        "parameters": [
            _parameter("turn", {"type": "array", "items": _TEXT, "maxItems": MOST_TURNS},
                       "A guess and its answer, in order: 012:0H1B"),
            _parameter("preset", _one_of(PRESETS), "A game by its name; the others override it", "hitblow"),
            _parameter("digits", {"type": "integer", "minimum": 1, "maximum": MAX_DIGITS}, "Digits of a code"),
            _parameter("symbols", {"type": "string", "minLength": 1, "maxLength": 16}, "What codes are made of"),
            _parameter("repeats", _one_of(Repeats), "Where a symbol may repeat"),
            _parameter("absent", _TEXT, "Symbols known not to be in the secret"),
            _parameter("words", _one_of(Words), "What a lone B is: a bull, a black one, or a blow"),
            _parameter("policy", _one_of(POLICIES), "What chooses the guess", DEFAULT_POLICY),
            _LANG,
        ],
        "responses": {
            "200": _answer("The guess, what it does, and the next best ones", "Suggestion"),
            "400": _answer("Something given cannot be read or used", "Error"),
            "409": _answer("The answers contradict each other; the hint names the likeliest slip", "Error"),
            "414": _answer("The address is too long", "Error"),
        },
    }  # fmt: skip


def _analyze() -> Schema:
    return {
        "operationId": "analyze",
        "summary": "Where every move of a position of weighted tic-tac-toe leads",
        "description": f"Boards of up to {MOST_CELLS} cells are served, and {SECONDS:g} s are given to each.",
        "parameters": [
            _parameter("board", _TEXT, "The weights, row by row: -2,0,-1/-1,-1,0/-1,-1,-2", required=True),
            _parameter("line", {"type": "integer", "minimum": 1, "maximum": MAX_SIDE}, "How many in a row win",
                       DEFAULT_LINE),
            _parameter("moves", _TEXT, "Moves already made, in order: b2,a1"),
            _LANG,
        ],
        "responses": {
            "200": _answer("Every move, the line of best play, and why", "Analysis"),
            "400": _answer("Something given cannot be read or used", "Error"),
            "414": _answer("The address is too long", "Error"),
            "422": _answer("The position was not read in time; the hint says what is certain", "Error"),
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


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _object(required: Schema, **optional: Schema) -> Schema:
    """An object of just these keys."""
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


_LANG = _parameter("lang", _one_of(LANGUAGES), "The language of errors; by default what the browser prefers")

_ERROR = _object({"schema_version": _VERSION, "error": _TEXT, "hint": _or_null(_TEXT)})

_FIGURES: Schema = {
    "guess": _TEXT,
    "is_candidate": _FLAG,
    "cells": {"type": "object", "additionalProperties": _COUNT, "description": "Candidates left after each hint"},
    "expected_remaining": _SHARE,
}
_OUTLOOK: Schema = {
    "expected_guesses": {**_SHARE, "description": "Guesses still needed on average, this one included"},
    "max_guesses": _or_null(_COUNT),
    "proof": _one_of(("optimal", "heuristic")),
}
_SUGGESTION = _object(
    {
        "schema_version": _VERSION,
        **_FIGURES,
        "policy": _one_of(POLICIES),
        "count": {**_COUNT, "description": "Candidates left"},
        "sampled": _FLAG,
        "alternatives": _list(_object(_FIGURES, **_OUTLOOK)),
    },
    **_OUTLOOK,
    unproven=_one_of(Unproven),
)


def _analysis() -> Schema:
    winner, cells = _one_of(CONTEST_NAMES), _list(_TEXT)
    move = {
        "cell": {**_list(_COUNT), "description": "Row and column from 0"},
        "name": _TEXT,
        "winner": winner,
        "reason": _one_of(("line", "score")),
        "margin": {**_or_null({"type": "integer"}), "description": "Lead of the side to move; null for a line"},
    }
    guarantee = {
        "player": winner,
        "after": cells,
        "forced": _FLAG,
        "sums": _or_null(_list({"type": "integer"})),
    }
    grounds: dict[str, Schema] = {
        "finished": {"line": cells},
        "threats": {"lines": _list(cells), "cells": cells},
        "heaviest": {"cells": cells},
        "pairs": {"pairs": _list(cells), "odd": _or_null(_TEXT)},
        "full_boards": {"holdings": _list(cells)},
    }
    answer = {"move": _TEXT, "answer": _TEXT}
    answers = [_object({**answer, "kind": {"const": kind}, **more}) for kind, more in grounds.items()]
    grounds["answers"] = {"answers": _list({"oneOf": answers})}
    guarantees = [_object({**guarantee, "kind": {"const": kind}, **more}) for kind, more in grounds.items()]
    why = _object({"block": cells, "guarantees": _list({"oneOf": guarantees})})
    return _object(
        {
            "schema_version": _VERSION,
            "winner": winner,
            "moves": _list(_object(move)),
            "line_of_play": cells,
            "positions": _COUNT,
            "why": why,
        }
    )
