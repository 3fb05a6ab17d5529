"""Queries over HTTP: documents equal those of the commands, errors are one line, responses match the description."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest
import schemathesis
from hypothesis import HealthCheck
from schemathesis import checks
from tests.cli.run import run
from tests.examples import examples
from tests.web.client import get

from yomikiri.web import limits
from yomikiri.web.app import create_app

BOARD = "-2,0,-1/-1,-1,0/-1,-1,-2"


def asked(path: str, *pairs: tuple[str, str], **headers: str) -> tuple[int, dict[str, Any]]:
    answer = get(f"/api/v1/{path}?{urlencode(pairs)}", **headers)
    assert answer.headers["content-type"] == "application/json"
    return answer.status, json.loads(answer.body)


@pytest.mark.parametrize(
    ("pairs", "arguments"),
    [
        ([], []),
        ([("turn", "012:0H1B"), ("turn", "345:1H0B")], ["012:0H1B", "345:1H0B"]),
        ([("turn", "0123:1B"), ("preset", "bulls")], ["0123:1B", "--preset", "bulls"]),
        ([("digits", "2"), ("symbols", "abc"), ("repeats", "all"), ("policy", "minimax")],
         ["--digits", "2", "--symbols", "abc", "--repeats", "all", "--policy", "minimax"]),
        ([("absent", "7"), ("turn", "123:1H1B")], ["--absent", "7", "123:1H1B"]),
    ],
)  # fmt: skip
def test_suggestion_equals_the_document_of_the_command(pairs, arguments):
    status, document = asked("hitblow/suggest", *pairs)
    assert status == 200
    assert document == json.loads(run("hitblow", "suggest", "--json", *arguments).stdout)


@pytest.mark.parametrize(
    ("pairs", "arguments"),
    [
        ([("board", BOARD)], [f"--board={BOARD}"]),
        ([("board", BOARD), ("moves", "b1,a1")], [f"--board={BOARD}", "--moves", "b1 a1"]),
        ([("board", "1,2,3,4/5,6,7,8/9,8,7,6"), ("line", "4")], ["--board=1,2,3,4/5,6,7,8/9,8,7,6", "--line", "4"]),
        ([("board", "0,0,0/0,0,0/0,0,0")], ["--board=0,0,0/0,0,0/0,0,0"]),
    ],
)
def test_analysis_equals_the_document_of_the_command(pairs, arguments):
    status, document = asked("tictactoe/analyze", *pairs)
    assert status == 200
    assert document == json.loads(run("tictactoe", "analyze", "--json", *arguments).stdout)


@pytest.mark.parametrize(
    ("path", "pairs", "status", "error"),
    [
        ("hitblow/suggest", [("turn", "012")], 400, "'012' is not a turn"),
        ("hitblow/suggest", [("turn", "012:2H1B")], 400, "2H1B is impossible for 012"),
        ("hitblow/suggest", [("digits", "5")], 400, "30240 possible guesses are too many for the page"),
        ("hitblow/suggest", [("digits", "")], 400, "digits '': expected a number, such as 1"),
        ("hitblow/suggest", [("repeats", "some")], 400, "repeats=some: expected one of none, guess, all"),
        ("hitblow/suggest", [("policy", "repdigit")], 400, "policy repdigit guesses repeated digits such as 000"),
        ("hitblow/suggest", [("colour", "1")], 400, "unknown parameter 'colour'"),
        ("hitblow/suggest", [("digits", "3"), ("digits", "4")], 400, "digits= appears twice"),
        ("hitblow/suggest", [("turn", "012:0H0B")] * 15, 400, "15 turns are too many: expected at most 14"),
        ("tictactoe/analyze", [], 400, "board= is missing in the address"),
        ("tictactoe/analyze", [("board", "1,x")], 400, "'x' is not a weight"),
        ("tictactoe/analyze", [("board", "1,2,3"), ("moves", "a1,b1,c1")], 400, "the game is over"),
        ("tictactoe/analyze", [("board", "/".join(["1,1,1,1,1,1"] * 5))], 400, "a board of 30 cells is too large"),
        ("nothing", [], 404, "Page not found"),
    ],
)
def test_invalid_parameter_is_an_error_in_one_line(path, pairs, status, error):
    found, document = asked(path, *pairs)
    assert found == status
    assert document["error"].startswith(error)
    assert "\n" not in document["error"]
    assert set(document) == {"schema_version", "error", "hint"}


def test_contradiction_hint_is_in_the_requested_language():
    turns = [("turn", "012:0H0B"), ("turn", "345:0H0B"), ("turn", "678:0H0B")]
    status, document = asked("hitblow/suggest", *turns, accept_language="ja")
    assert status == 409
    assert document["hint"].startswith("もしかして：1 手目（012 0H0B）は 0H2B（13%、候補 9 通り）")
    assert asked("hitblow/suggest", *turns, ("lang", "en"), accept_language="ja")[1]["hint"].startswith("Maybe")


def test_unsolved_position_reports_its_proven_facts(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.0)
    status, document = asked("tictactoe/analyze", ("board", "/".join(["3,1,-4,1,5", "-9,2,6,5,-3"] * 2)), ("line", "4"))
    assert status == 422
    assert document["error"].startswith("not solved within 2 s")
    assert document["hint"].startswith(("Certain so far: ", "No result is certain yet."))


# --- the description --------------------------------------------------------------------------------------------------

# An address that is too long has status 414.
REFUSED = {"checks": {"negative_data_rejection": {"expected-statuses": ["400", "404", "405", "409", "414", "422"]}}}
SCHEMA = schemathesis.openapi.from_asgi(
    "/api/v1/openapi.json",
    create_app(["testserver", "localhost"]),
    config=schemathesis.Config.from_dict(REFUSED),
)
PROMISED = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]


@SCHEMA.parametrize()
@examples(120, derandomize=True, suppress_health_check=list(HealthCheck))
def test_responses_match_the_description(case):
    case.call_and_validate(checks=PROMISED)


BOARDS = [
    BOARD, "1,1,1/1,1,1/1,1,1", "0,0,0/0,0,0/0,0,0", "-1,1,0/-4,-2,-5/-4,-1,-5", "5,-3,2,1/0,4,-4,2/1,1,1,-9/2,2,2,2",
]  # fmt: skip


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("moves", ["", "b2", "b2,a1", "a1,b2,c3,a2,c2"])
def test_analyses_match_the_description(board, moves):
    operation = SCHEMA["/api/v1/tictactoe/analyze"]["GET"]
    operation.Case(query={"board": board, "moves": moves}).call_and_validate(checks=PROMISED)


@pytest.mark.parametrize("turns", [[], ["012:0H1B"], ["345:0H1B", "012:0H1B"], ["012:0H3B"], ["012:0H3B", "120:0H3B"]])
def test_suggestions_match_the_description(turns):
    operation = SCHEMA["/api/v1/hitblow/suggest"]["GET"]
    operation.Case(query={"turn": turns}).call_and_validate(checks=PROMISED)


def test_slips_is_a_parameter():
    turns = [("turn", "012:0H0B"), ("turn", "345:0H0B"), ("turn", "678:0H0B")]
    status, document = asked("hitblow/suggest", *turns, ("slips", "1"), ("slip-rate", "0.1"))
    assert (status, document["unproven"], document["proof"]) == (200, "slips", "heuristic")
    assert document["count"] == 3 * 24  # the digit 9 and two digits of one guess, in any order
    assert asked("hitblow/review", *turns, ("slips", "1"))[0] == 200
    for wrong in (
        [("slips", "99")],
        [("slips", "x")],
        [("slip-rate", "0.1")],
        [("slips", "1"), ("slip-rate", "2")],
        [("slips", "1"), ("slip-rate", "")],
    ):
        assert asked("hitblow/suggest", *turns, *wrong)[0] == 400


@pytest.mark.parametrize("path", ["hitblow/suggest", "hitblow/review", "hitblow/play"])
def test_no_leading_is_a_parameter(path):
    status, found = asked(
        path, *([("seed", "tea")] if path == "hitblow/play" else [("turn", "102:0H1B")]), ("no-leading", "0")
    )
    assert status == 200
    assert path != "hitblow/suggest" or found["count"] == run("hitblow", "candidates", "102:0H1B", "--no-leading", "0",
                                                      "--json").stdout.count("probability")  # fmt: skip


@pytest.mark.parametrize("day", ["", "2026-1-5", "2026-02-30", "today"])
def test_day_accepts_only_iso_dates(day):
    pairs = [("day", day), *([("seed", "a")] if not day else [])]
    status, found = asked("hitblow/play", *pairs)
    assert (status, found["error"]) == (400, f"day={day}: expected a date such as 2026-11-22")


def test_seed_and_absent_symbols_give_the_secret_of_the_command():
    found = asked("hitblow/play", ("seed", "tea"), ("absent", "3"), ("me", "619"))[1]
    output = run("hitblow", "play", "--seed", "tea", "--absent", "3", given="619\n").stdout
    assert found["winner"] == "me"
    assert "3H0B" in output
