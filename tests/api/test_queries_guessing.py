"""Queries about games with lists: the same document from commands, engine, sessions and HTTP for every setting.

Also tests `api/guessing_game.py`: the games that the settings describe.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlencode

import jsonschema_rs
import pytest
from tests.api.test_engine import answered
from tests.cli.run import run
from tests.web.client import get

from yomikiri.api.guessing_game import SECRETS
from yomikiri.api.http import services
from yomikiri.api.lines import QUERIES, REQUESTS
from yomikiri.api.queries_guessing import GuessingQuery, GuessSolveQuery
from yomikiri.api.query import Query
from yomikiri.api.results import versioned
from yomikiri.api.schema import schema
from yomikiri.common.errors import InputError
from yomikiri.settings import Kind, values
from yomikiri.web import limits

Pairs = list[tuple[str, str]]

KINDS: dict[str, type[Query[Any]]] = {query.NAME: query for query in QUERIES if query.GAME_NAME == "guessing"}
SERVED = {service.query: service for service in services(limits)}
WORDS = ["brake", "crane", "crate", "drake", "flake", "grade", "grape", "grate", "spice", "trace"]
GAME = [("secrets", "\n".join(WORDS))]
TURNS = [("turn", "spice:00002")]
RHYMES = [("secrets", "batch\ncatch\nhatch\nlatch\nmatch\npatch"), ("guesses", "blimp\nchamp"), ("turn", "batch:02222")]
SPACE = [("digits", "2"), ("symbols", "0123")]

# Names of queries with settings and values. The last setting changes the result of the first query.
CASES: list[tuple[tuple[str, ...], Pairs]] = [
    (("guess-suggest", "guess-candidates", "guess-solve"), [("secrets", "brake,5\ncrane\ndrake\nspice\ntrace")]),
    (("guess-solve", "guess-suggest", "guess-simulate"), [*RHYMES[:1], ("guesses", "blimp\nchamp")]),
    (("guess-suggest", "guess-solve", "guess-simulate"), [*GAME, ("answers", "hits")]),
    (("guess-suggest", "guess-simulate", "guess-review"), [*RHYMES, ("hard", "1")]),
    (("guess-solve", "guess-suggest", "guess-candidates"), [*RHYMES, ("consistent", "1")]),
    (("guess-simulate", "guess-suggest", "guess-review"), [*RHYMES, ("within", "3")]),
    (("guess-suggest", "guess-candidates", "guess-match"), [("digits", "1")]),
    (("guess-solve", "guess-suggest", "guess-simulate", "guess-match"), [("digits", "2"), ("symbols", "0123")]),
    (("guess-solve", "guess-suggest"), [*SPACE, ("repeats", "all")]),
    (("guess-suggest", "guess-solve", "guess-candidates"), [*SPACE, ("no-leading", "01")]),
    (("guess-suggest", "guess-solve"), [*SPACE, ("answers", "sum")]),
    (("guess-simulate",), [*GAME, ("policy", "consistent")]),
    (("guess-simulate",), [*GAME, ("policy", "all")]),
    (("guess-simulate",), [*GAME, ("sample", "3")]),
    (("guess-simulate",), [*GAME, ("sample", "3"), ("seed", "5")]),
    (("guess-solve",), [*GAME, ("first", "trace")]),
    (("guess-solve", "guess-suggest"), [*GAME, ("seconds", "9")]),
    (("guess-solve",), [*GAME, ("workers", "1")]),
    (("guess-suggest", "guess-candidates", "guess-solve", "guess-simulate", "guess-review"), [*GAME, *TURNS]),
    (("guess-match",), [*GAME, *TURNS]),
    (("guess-match",), [*RHYMES, ("consistent", "1"), ("first", "opponent")]),
    (("guess-match",), [*RHYMES, ("within", "2")]),
    (("guess-match",), [*RHYMES, ("opponent", "entropy"), ("hard", "1")]),
    (("guess-match",), [*GAME, ("answers", "sum")]),
    (("guess-match",), [*GAME, ("opponent", "entropy")]),
    (("guess-match",), [*GAME, ("opponent", "optimal")]),
    (("guess-match",), [*GAME, ("seed", "3"), ("seconds", "9")]),
]
EACH = [(name, pairs) for names, pairs in CASES for name in names]


def path_of(name: str) -> str:
    return name.replace("-", "/", 1)


def line_of(name: str, pairs: Pairs, form: type = str) -> dict[str, Any]:
    """Return a query as a line of the engine, with its lists as text, as an array, or as an object with weights."""
    settings = {setting.name: setting for setting in KINDS[name].settings()}
    line: dict[str, Any] = {"request": name, "turns": [text for key, text in pairs if key == "turn"]}
    for key, text in pairs:
        if key == "turn":
            continue
        value = settings[key].read(text)
        if settings[key].kind is Kind.LINES and form is list:
            value = text.split("\n")
        elif settings[key].kind is Kind.LINES and form is dict:
            value = {
                code: int(weight or 1) for code, _comma, weight in (row.partition(",") for row in text.split("\n"))
            }
        line[settings[key].key] = value
    return line


def command_of(name: str, pairs: Pairs, folder: Path) -> list[str]:
    words = [*path_of(name).split("/"), "--json"]
    for key, text in pairs:
        if key == "turn":
            words.append(text)
        elif key in ("secrets", "guesses"):
            (folder / key).write_text(text, encoding="utf-8")
            words += [f"--{key}", str(folder / key)]
        else:
            words += [f"--{key}"] if key in ("hard", "consistent") else [f"--{key}={text}"]
    return words


def document_of(name: str, pairs: Pairs) -> dict[str, Any]:
    """Return the document of a query that is called directly in Python."""
    query = KINDS[name].of(pairs)
    return versioned(query.document(query.answer()))


@pytest.mark.parametrize(("name", "pairs"), EACH, ids=[f"{name}-{pairs[-1][0]}" for name, pairs in EACH])
def test_document_is_the_same_at_every_interface(name: str, pairs: Pairs, tmp_path: Path):
    document = document_of(name, pairs)
    lines = [line_of(name, pairs, form) for form in (str, list, dict)]
    check = jsonschema_rs.validator_for(schema("request", REQUESTS.values(), versioned=False))
    for line in lines:
        check.validate(line)
    assert [answer["answer"] for answer in answered(*lines)] == [document] * 3
    result = run(*command_of(name, pairs, tmp_path))
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout) == document
    is_bounded = bool({"seconds", "workers"} & dict(pairs).keys())
    if KINDS[name] in SERVED and not is_bounded and "secrets" in dict(pairs):
        response = get(f"/api/v1/{path_of(name)}?{urlencode(pairs)}")
        assert (response.status, json.loads(response.body)) == (200, document)


@pytest.mark.parametrize(("names", "pairs"), CASES, ids=[pairs[-1][0] for _names, pairs in CASES])
def test_setting_changes_an_answer(names: tuple[str, ...], pairs: Pairs):
    if pairs[-1][0] in ("seconds", "workers"):  # limits of time and threads, which do not change the document
        return
    assert document_of(names[0], pairs) != document_of(names[0], pairs[:-1] or GAME)


def test_every_setting_is_in_a_case():
    used = {key for _names, pairs in CASES for key, _value in pairs} - {"turn"}
    assert used == {setting.name for kind in KINDS.values() for setting in kind.settings()}


def test_session_keeps_the_lists_and_the_turns():
    answers = answered(
        {"request": "open-guess", "session": "w", "secrets": WORDS, "guesses": ["night"], "within": 3},
        {"request": "play", "session": "w", "turns": ["spice:00002"]},
        {"request": "guess-suggest", "session": "w"},
        {"request": "guess-candidates", "session": "w", "turns": ["grape:02202"]},
        {"request": "play", "session": "w", "turns": ["brake:22222"]},
        {"request": "undo", "session": "w", "turns": 2},
        {"request": "suggest", "session": "w"},
        {"request": "close", "session": "w"},
    )
    game = [*GAME, ("guesses", "night"), ("within", "3")]
    assert answers[0]["answer"] == {
        "schema_version": 1, "session": "w", "game": "guessing", "turns": [], "count": 10, "finished": False,
    }  # fmt: skip
    assert (answers[1]["answer"]["turns"], answers[1]["answer"]["count"]) == (["spice:00002"], 5)
    assert answers[2]["answer"] == document_of("guess-suggest", [*game, *TURNS])
    assert answers[3]["answer"] == document_of("guess-candidates", [*game, *TURNS, ("turn", "grape:02202")])
    assert answers[4]["answer"]["finished"] is True
    assert answers[5]["answer"]["count"] == 10
    assert answers[6]["error"] == "session 'w' has another kind of game: use another session"
    assert answers[7]["answer"]["session"] == "w"


@pytest.mark.parametrize(
    ("keys", "error"),
    [
        ({}, "no secrets: needs a list, --secrets FILE, or all codes of some symbols, such as --digits 4"),
        ({"secrets": []}, "secrets: the list is empty: expected one code on each line"),
        (
            {"secrets": ["crane", "cra"]},
            "secrets, line 2: 'cra' has 3 symbols: expected 5, as most codes of the list have",
        ),
        ({"secrets": ["crane", "crane"]}, "secrets, line 2: 'crane' is in line 1 too: remove one of the two"),
        ({"secrets": 3}, "not a request: at secrets: expected str | object | array, not int"),
        ({"secrets": WORDS, "answers": "colours"}, "answers=colours: expected one of hits-blows, marks, hits, sum"),
        (
            {"secrets": WORDS, "hard": True, "consistent": True},
            "hard has no effect with consistent: give only",
        ),
        ({"secrets": WORDS, "turns": ["crane"]}, "turn 'crane': expected GUESS:ANSWER such as brake:20001"),
        ({"secrets": WORDS, "digits": 3}, "'brake' has 5 symbols: expected 3, such as 012"),
        ({"secrets": WORDS, "guesses": WORDS, "digits": 5}, "guesses has no effect with digits: give only one"),
        ({"secrets": WORDS, "symbols": "abc"}, "symbols has no effect without digits: leave it out"),
        ({"digits": 9, "repeats": "all"}, "1000000000 codes: expected at most 16777216"),
        ({"secrets": WORDS, "colours": 3}, "unknown key 'colours': expected one of id, progress, session"),
        ({"session": "none"}, "there is no session 'none': open it first"),
    ],
)
def test_wrong_line_is_one_error(keys: dict[str, Any], error: str):
    (answer,) = answered({"request": "guess-suggest", **keys})
    assert answer["error"].startswith(error)
    assert answer["status"] == 2


@pytest.mark.parametrize(
    ("path", "pairs", "status", "error"),
    [
        ("guess/suggest", [], 400, "secrets= is missing in the address"),
        ("guess/suggest", [*GAME, ("turn", "night:00000")], 400, "guess 'night': expected a code from the list"),
        ("guess/suggest", [*GAME, ("turn", "crane:20202"), ("turn", "crane:00000")], 409, "no secret fits"),
        ("guess/suggest", [*GAME, ("seconds", "9")], 400, "unknown parameter 'seconds'"),
        ("guess/review", [*GAME, *[("turn", "spice:00002")] * 15], 400, "15 turns are too many"),
        ("guess/verify", GAME, 404, "Page not found"),
        ("guess/solve", [*GAME, ("workers", "2")], 400, "unknown parameter 'workers'"),
        ("guess/solve", [*GAME, ("within", "1")], 400, "limit of 1 guess: no strategy finds every secret"),
        ("guess/simulate", [*GAME, ("policy", "best")], 400, "policy=best: expected one of exact"),
        ("guess/match", [*GAME, ("opponent", "custom")], 400, "opponent=custom: expected one of perfect"),
        ("guess/match", [*GAME, ("turn", "crane:22222")], 400, "the duel is over"),
        ("guess/match", [*GAME, *[("turn", "spice:00002")] * 15], 400, "15 turns are too many"),
        (
            "guess/match",
            [*RHYMES, ("hard", "1"), ("turn", "champ:01000")],
            400,
            "guess 'champ': hard mode needs 'a' at place 2",
        ),
        ("guess/candidates", [("secrets", "crane\n" * 400)], 414, "The address is too long"),
    ],
)
def test_wrong_address_is_one_error(path: str, pairs: Pairs, status: int, error: str):
    response = get(f"/api/v1/{path}?{urlencode(pairs)}")
    assert response.status == status
    assert json.loads(response.body)["error"].startswith(error)


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        ("solve", []), ("solve", [("first", "crane"), *TURNS]), ("simulate", [("policy", "all"), ("within", "3")]),
        ("simulate", [("policy", "entropy"), ("sample", "3"), ("seed", "2")]), ("match", [("opponent", "entropy")]),
        ("match", [("within", "5"), ("first", "opponent"), *TURNS]),
    ],
)  # fmt: skip
def test_address_has_the_document_of_the_command(name: str, pairs: Pairs):
    response = get(f"/api/v1/guess/{name}?{urlencode([*GAME, *pairs])}")
    assert (response.status, json.loads(response.body)) == (200, document_of(f"guess-{name}", [*GAME, *pairs]))


@pytest.mark.slow
def test_long_requests_end_in_time(monkeypatch: pytest.MonkeyPatch):
    chance = random.Random(5)
    codes = sorted({"".join(chance.choices("abcdefgh", k=3)) for _code in range(260)})
    query = urlencode([("secrets", "\n".join(codes)), ("answers", "sum")])
    for name, more, statuses in (("solve", "", [200]), ("simulate", "&policy=exact", [200, 422]), ("match", "", [200])):
        begun = monotonic()
        response = get(f"/api/v1/guess/{name}?{query}{more}")
        assert monotonic() - begun < 3 * limits.SECONDS
        assert response.status in statuses, response.body
    monkeypatch.setattr(limits, "SECONDS", 0)
    refused = get(f"/api/v1/guess/simulate?{query}&policy=exact")
    assert refused.status == 422
    assert json.loads(refused.body)["error"].startswith("not finished within 2 s: give a shorter list or a sample")


def test_query_refuses_settings_without_effect():
    for kind in KINDS.values():
        if not issubclass(kind, GuessingQuery):  # a match has no hard mode
            continue
        with pytest.raises(InputError, match="hard has no effect with consistent"):
            kind.of([*GAME, ("hard", "1"), ("consistent", "1")])
    with pytest.raises(InputError, match="unknown setting 'seed'"):
        KINDS["guess-suggest"].of([*GAME, ("seed", "1")])
    assert values((SECRETS,), {"secrets": "ab"}) == {"secrets": "ab"}


def test_solve_refuses_a_first_guess_with_a_store(tmp_path: Path):
    query = GuessSolveQuery.of([*GAME, ("first", "crane")])
    with pytest.raises(InputError, match="store has no effect with first"):
        query.answer(store=tmp_path / "proof")
    assert not list(tmp_path.iterdir())
