"""The requests of the engine: its documents equal those of the commands.

A session stores a game in order. `undo` removes its last steps, and a rejected request does not change it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests.api.test_engine import SMALL, answered
from tests.api.test_golden import COMMANDS, GOLDEN

from yomikiri.api.lines import REQUESTS
from yomikiri.api.schema import schema

TRANSCRIPT = Path(__file__).parent / "transcript.jsonl"
Line = dict[str, Any]
SAME: dict[str, Line] = {
    "suggest": {"request": "suggest", "turns": ["012:0H1B"], "compare": True},
    "suggest-minimax": {"request": "suggest", "preset": "bulls", "turns": ["0123:1B"], "policy": "minimax"},
    "candidates": {"request": "candidates", "turns": ["012:1H1B", "134:1H0B"]},
    "review": {"request": "review", "digits": 2, "symbols": "0123", "turns": ["01:0H1B", "20:1H0B", "23:0H1B"]},
    "simulate": {"request": "simulate", "digits": 2, "symbols": "0123", "policy": "entropy"},
    "solve": {"request": "solve", "digits": 2, "symbols": "0123", "absent": "3", "turns": ["01:0H1B"]},
    "solve-impossible": {"request": "solve", "digits": 2, "symbols": "0123", "within": 2, "consistent": True},
    "race-private": {
        "request": "race", "digits": 2, "symbols": "0123", "information": "private", "absent": "3",
    },
    "match-over": {
        "request": "match", "digits": 2, "symbols": "0123", "secret": "12", "turns": ["me=01:0H1B", "they=12:2H0B"],
    },
    "match-now": {
        "request": "match", "symbols": "012345", "secret": "315", "opponent": "custom", "finishes": "2,0,1",
        "turns": ["me=451:0H2B", "they=304:1H0B", "me=510:0H2B", "they=205:1H0B"],
    },
    "analyze-moves": {"request": "analyze", "board": [[-2, 0, -1], [-1, -1, 0], [-1, -1, -2]], "moves": ["b1", "a1"]},
}  # fmt: skip
_EFFORT = ("cpu_seconds", "tie_break_cpu_seconds", "nodes", "positions")


@pytest.mark.parametrize("name", SAME)
def test_answer_equals_the_document_of_the_command(name: str):
    (line,) = answered(SAME[name])
    document = {key: 0 if key in _EFFORT else value for key, value in line["answer"].items()}
    assert document == json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8")), COMMANDS[name]


def test_request_schema_accepts_exactly_the_valid_requests():
    check = jsonschema_rs.validator_for(schema("request", REQUESTS.values(), versioned=False))
    for line in (*SMALL, *SAME.values(), *ASKED):
        check.validate(line)
    for line in ({}, {"request": "suggest", "turn": []}, {"request": "undo"}, {"request": "solve", "within": 0}):
        assert not check.is_valid(line)


def test_no_leading_applies_to_both_secrets():
    game = {"digits": 2, "symbols": "0123", "no_leading": "0"}
    match = {"request": "match", **game, "secret_no_leading": "01", "secret": "23"}
    mine, both = answered({"request": "candidates", **game}, match)
    assert mine["answer"]["count"] == 9
    assert (both["answer"]["count"], both["answer"]["their_count"]) == (9, 6)
    assert "secret-no-leading=01" in both["answer"]["match"]


def test_hello_lists_every_request():
    (line,) = answered({"request": "hello"})
    assert line["answer"]["requests"] == list(REQUESTS)


def test_transcript_is_unchanged():
    """`>` marks requests and `<` answers. `python -m tests.api.test_lines` writes the file again."""
    assert transcript() == TRANSCRIPT.read_text(encoding="utf-8")


ASKED: tuple[Line, ...] = (
    {"id": 1, "request": "suggest", "turns": ["012:0H1B"]},
    {"id": 2, "request": "suggest", "preset": "mastermind", "turns": ["0011:1B"], "policy": "entropy"},
    {"id": 3, "request": "candidates", "turns": ["012:0H1B", "134:1H2B"]},
    {"id": 4, "request": "review", "turns": ["012:1H0B", "034:3H0B"]},
    {"id": 5, "request": "simulate", "digits": 2, "symbols": "0123", "policy": "minimax"},
    {"id": 6, "request": "open-match", "session": "m", "digits": 2, "symbols": "0123", "secret": "12"},
    {"id": 7, "request": "play", "session": "m", "turns": ["me=01:0H1B"]},
    {"id": 8, "request": "analyze", "board": [[0, 0, 0], [0, 0, 0], [0, 0, 0]], "moves": ["b2", "b1"]},
    {"id": 9, "request": "winner", "board": "1,2/3,4", "line": 2},
    {"id": 10, "request": "suggest", "turns": ["012:0H1B", "012:1H1B"]},
    {"id": 11, "request": "undo", "session": "m", "turns": 5},
    {"id": 12, "request": "verify", "strategy": {"format": "yomikiri-strategy"}},
)


def transcript() -> str:
    lines = []
    for question, answer in zip(ASKED, answered(*ASKED), strict=True):
        lines += [f"> {json.dumps(question)}\n", f"< {json.dumps(answer, ensure_ascii=False)}\n"]
    return "".join(lines)


if __name__ == "__main__":
    TRANSCRIPT.write_text(transcript(), encoding="utf-8")


# --- sessions ---------------------------------------------------------------------------------------------------------


def test_session_stores_a_game_and_rejected_turns_change_nothing():
    game = {"request": "suggest", "session": "s"}
    answers = answered(
        {"request": "open", "session": "s", "preset": "bulls"},
        {"request": "play", "session": "s", "turns": ["0123:1B"]},
        {"request": "play", "session": "s", "turns": ["4567:0C", "44"]},
        game,
        {"request": "undo", "session": "s", "turns": 2},
        {"request": "undo", "session": "s"},
        game,
        {"request": "match", "session": "s"},
        {"request": "close", "session": "s"},
        game,
    )
    assert [line.get("status") for line in answers] == [None, None, 2, None, 2, None, None, 2, None, 2]
    assert answers[1]["answer"]["turns"] == ["0123:1H0B"]  # a bull
    assert answers[3]["answer"]["count"] == answers[1]["answer"]["count"] == 4 * 6 * 5 * 4
    assert answers[6]["answer"]["count"] == 5040


def test_undo_removes_facts_as_well_as_turns():
    answers = answered(
        {"request": "open", "session": "s", "turns": ["absent=7", "012:0H1B"]},
        {"request": "undo", "session": "s", "turns": 2},
        {"request": "undo", "session": "s"},
    )
    assert [line.get("status") for line in answers] == [None, None, 2]
    assert answers[1]["answer"]["count"] == 720


def test_race_rejects_turns():
    (line,) = answered({"request": "race", "digits": 2, "symbols": "0123", "turns": ["01:0H1B"]})
    assert line["status"] == 2
    assert "01:0H1B" in line["error"]


def test_sessions_of_a_match_and_of_tic_tac_toe():
    answers = answered(
        {"request": "open-match", "session": "m", "secret": "314", "turns": ["me=012:0H1B"]},
        {"request": "play", "session": "m", "turns": ["they=314"]},
        {"request": "open-board", "session": "t", "board": "0,0,0/0,0,0/0,0,0"},
        {"request": "play", "session": "t", "turns": ["b2", "b1"]},
        {"request": "winner", "session": "t"},
        {"request": "winner", "session": "t", "moves": ["a3", "c1", "c3"]},
        {"request": "undo", "session": "t"},
    )
    assert answers[1]["answer"]["finished"]
    assert answers[4]["answer"]["winner"] == "Takahashi"
    assert answers[5]["answer"]["winner"] == "Aoki"
    assert answers[6]["answer"]["turns"] == ["b2"]


def test_slips_are_part_of_a_game_and_rejected_by_exact_queries():
    turns = ["012:0H1B", "134:0H2B", "345:2H0B", "340:0H0B"]
    answers = answered(
        {"request": "candidates", "turns": turns},
        {"request": "candidates", "turns": turns, "slips": 1, "slip_rate": 0.1},
        {"request": "open", "session": "s", "slips": 1, "turns": turns},
        {"request": "suggest", "session": "s"},
        {"request": "solve", "session": "s"},
        {"request": "simulate", "session": "s"},
        {"request": "race", "slips": 1},
        {"request": "suggest", "slips": 99},
        {"request": "suggest", "slip_rate": 0.1},
    )
    assert [line.get("status") for line in answers] == [3, None, None, None, 2, 2, 2, 2, 2]
    assert answers[1]["answer"]["by_slips"][0] == 0
    assert answers[1]["answer"]["count"] == answers[2]["answer"]["count"] == answers[3]["answer"]["count"] > 0
    assert answers[3]["answer"]["unproven"] == "slips"


def test_weights_and_items_are_part_of_a_game():
    small = {"digits": 2, "symbols": "0678"}
    uneven = {**small, "weights": {"06": 5, "67": 3, "78": 1, "80": 1}}
    answers = answered(
        {"request": "solve", **uneven},
        {"request": "open", "session": "s", **uneven, "turns": ["06:0H0B"]},
        {"request": "candidates", "session": "s"},
        {"request": "open-match", "session": "m", **uneven},
        {"request": "match", "session": "m", "turns": ["me=06:0H1B"]},
        {"request": "suggest", **small, "items": "high,slash"},
        {"request": "suggest", **small, "items": "high", "item_takes_turn": True, "turns": ["high=LH"]},
        {"request": "match", **small, "items": "shuffle,double"},
        {"request": "suggest", **small, "weights": {"066": 1}},
        {"request": "suggest", **small, "weights": {"06": -1}},
        {"request": "suggest", **small, "weights": {"06": 1}, "absent": "6"},
        {"request": "suggest", **small, "items": "double"},
    )
    assert [line.get("status") for line in answers] == [None] * 8 + [2] * 4
    assert (answers[0]["answer"]["secrets"], answers[0]["answer"]["proof"]) == (10, "optimal")
    assert answers[1]["answer"]["count"] == 1
    assert answers[2]["answer"]["candidates"] == [{"code": "78", "probability": 1.0}]
    assert answers[3]["answer"]["count"] == 4
    assert answers[4]["answer"]["count"] == 2
    assert answers[5]["answer"]["item"]["measure"] == "guesses"
    assert answers[6]["answer"]["item"]["takes_turn"]
    assert answers[7]["answer"]["item"]["play"] in ("shuffle", "double", None)
    assert "weights, line 1: " in answers[8]["error"]
