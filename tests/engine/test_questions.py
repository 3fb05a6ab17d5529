"""What can be asked of the engine, and that it is answered by the documents that commands write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests.documents.test_golden import COMMANDS, GOLDEN
from tests.engine.test_serve import SMALL, answered

from yomikiri.documents.schema import schema
from yomikiri.engine.questions import QUESTIONS

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
def test_the_engine_answers_with_the_document_of_the_command(name: str):
    (line,) = answered(SAME[name])
    document = {key: 0 if key in _EFFORT else value for key, value in line["answer"].items()}
    assert document == json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8")), COMMANDS[name]


def test_the_schema_of_requests_takes_what_is_answered_and_nothing_else():
    check = jsonschema_rs.validator_for(schema("request", QUESTIONS.values(), versioned=False))
    for line in (*SMALL, *SAME.values(), *ASKED):
        check.validate(line)
    for line in ({}, {"request": "suggest", "turn": []}, {"request": "undo"}, {"request": "solve", "within": 0}):
        assert not check.is_valid(line)


def test_some_symbols_may_not_lead():
    game = {"digits": 2, "symbols": "0123", "no_leading": "0"}
    match = {"request": "match", **game, "secret_no_leading": "01", "secret": "23"}
    mine, both = answered({"request": "candidates", **game}, match)
    assert mine["answer"]["count"] == 9
    assert (both["answer"]["count"], both["answer"]["their_count"]) == (9, 6)
    assert "secret-no-leading=01" in both["answer"]["match"]


def test_hello_names_every_request():
    (line,) = answered({"request": "hello"})
    assert line["answer"]["requests"] == list(QUESTIONS)


def test_the_transcript_is_as_it_was():
    """`>` is heard, `<` is said; `python -m tests.engine.test_questions` writes it anew."""
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
