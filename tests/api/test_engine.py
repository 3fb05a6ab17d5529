"""The engine as a program uses it: one line of output for each line of input, valid or not."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from yomikiri.api.engine import MOST_IN_LINE, LineEngine, serve
from yomikiri.wording import use_language

Line = dict[str, Any]


def answered(*lines: Line | bytes) -> list[Line]:
    """Return the answers of the engine to some lines."""
    output = io.BytesIO()
    requests = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    serve(io.BytesIO(requests), output)
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_answer_has_the_id_of_its_request():
    (line,) = answered({"id": 1, "request": "suggest", "turns": ["012:0H1B"]})
    assert line["id"] == 1
    assert line["answer"]["guess"] == "134"


def test_answers_come_in_order_errors_included():
    answers = answered({"id": "a", "request": "hello"}, b"{", {"id": "c", "request": "bogus"}, {"id": "d"})
    assert [line["id"] for line in answers] == ["a", None, "c", "d"]
    assert [line.get("status") for line in answers] == [None, 2, 2, 2]


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ({"request": "suggest", "turns": ["012:0H1B", "012:1H1B"]}, 3, "contradict"),
        (
            {"request": "suggest", "turn": []},
            2,
            "unknown key 'turn': expected one of id, progress, session, preset, digits, symbols, repeats, no_leading",
        ),
        ({"request": "suggest", "digits": "3"}, 2, "expected int"),
        ({"request": "suggest", "turns": ["012:9H9B"]}, 2, "impossible"),
        ({"request": "suggest", "policy": "random", "seed": -1}, 2, "expected a whole number of 0 or more"),
        ({"request": "match", "seed": -5}, 2, "expected a whole number of 0 or more"),
        ({"request": "race", "secret_no_leading": "0"}, 2, "a race cannot be solved with --no-leading 0"),
        ({"request": "suggest", "session": "s"}, 2, "no session 's'"),
        ({"request": "analyze"}, 2, "'board' is missing"),
        ({"request": "match", "opponent": "nobody"}, 2, "opponent=nobody"),
        ({"request": ["suggest"]}, 2, "expected one of hello"),
        ([], 2, "not a request"),
        (b"\xff", 2, "not a request"),
        (b"[" * 100_000, 2, "not a request"),
        (b'"' + b"a" * MOST_IN_LINE + b'"', 2, "more than"),
    ],
)
def test_invalid_line_is_an_error_and_the_next_line_is_answered(line: Any, status: int, message: str):
    first, then = answered(line, {"id": 9, "request": "hello"})
    assert first["status"] == status
    assert message in first["error"]
    assert then["answer"]["name"] == "yomikiri"


def test_id_of_an_open_request_is_rejected_until_it_is_answered():
    slow = {"id": 1, "request": "solve", "digits": 2, "symbols": "0123"}
    assert [line.get("status") for line in answered(slow, slow)] == [None, 2]
    assert [line["id"] for line in answered({"request": "hello"}, {"request": "hello"})] == [None, None]


def test_contradiction_hints_at_the_likeliest_correction():
    (line,) = answered({"request": "suggest", "turns": ["012:0H1B", "012:1H1B"]})
    assert "turn 2 (012 1H1B)" in line["hint"]


class Client:
    """An engine and its output; `send` submits a request, and `next` returns the next line of output."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._more = threading.Semaphore(0)
        self.engine = LineEngine(self._take)

    def _take(self, line: bytes) -> None:
        self._lines.append(json.loads(line))
        self._more.release()

    def send(self, **line: Any) -> None:
        self.engine.submit(json.dumps(line).encode())

    def next(self) -> Line:
        assert self._more.acquire(timeout=120)
        return self._lines.pop(0)


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.engine.close(cancel=True)


HARD = {"request": "solve", "digits": 5, "symbols": "01234567"}


def test_cancelled_search_answers_with_the_best_strategy_so_far(client: Client):
    client.send(id=1, progress=True, **HARD)
    client.send(id=2, **HARD)
    line = client.next()
    assert line["id"] == 1
    assert line["progress"]["seconds"] >= 0
    client.send(cancel=2)
    client.send(cancel=1)
    while "progress" in line:
        line = client.next()
    assert line["id"] == 1
    assert line["answer"]["proof"] == "heuristic"
    assert client.next() == {"id": 2, "error": "cancelled", "hint": None, "status": 130}


def test_search_stops_at_its_time_limit():
    (solved,) = answered({"id": 1, "seconds": 0.2, **HARD})
    assert solved["answer"]["proof"] == "heuristic"
    board = [[1, -1, 2, 0, 1, 2, 1]] * 7
    (line,) = answered({"id": 2, "request": "winner", "board": board, "line": 6, "seconds": 0})
    assert line["status"] == 130
    assert "time" in line["error"]


def test_errors_are_in_the_current_language():
    use_language("ja")
    try:
        (line,) = answered({"request": "suggest", "session": "s"})
    finally:
        use_language("en")
    assert not line["error"].isascii()


# --- as a process -----------------------------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "yomikiri", "engine"]


def test_process_answers_everything_before_it_exits():
    lines = "".join(json.dumps({"id": number, "request": "hello"}) + "\n" for number in range(20))
    done = subprocess.run(COMMAND, input=lines, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == list(range(20))


def test_process_exits_cleanly_if_its_output_is_closed():
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    process.stdin.write(json.dumps({"id": 1, **HARD}).encode() + b"\n" + b'{"request": "hello"}\n' * 10)
    process.stdin.write(b'{"cancel": 1}\n')
    process.stdin.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_interrupt_exits_with_status_130():
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(b'{"request": "hello"}\n' + json.dumps({"id": 1, "progress": True, **HARD}).encode() + b"\n")
    process.stdout.readline()
    process.stdout.readline()
    os.kill(process.pid, signal.SIGINT)
    _output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors


# --- random lines -----------------------------------------------------------------------------------------------------

SMALL: tuple[Line, ...] = (
    {"request": "hello"},
    {"request": "suggest", "digits": 2, "symbols": "0123", "turns": ["01:0H1B"], "seconds": 0},
    {"request": "candidates", "digits": 2, "symbols": "0123", "turns": ["01:0H1B", "20:1H0B"]},
    {"request": "review", "digits": 2, "symbols": "0123", "turns": ["01:0H1B", "12:2H0B"], "seconds": 0},
    {"request": "simulate", "digits": 2, "symbols": "0123", "policy": "entropy"},
    {"request": "match", "digits": 2, "symbols": "0123", "secret": "12", "turns": ["me=01:0H1B"], "seconds": 0},
    {"request": "solve", "digits": 2, "symbols": "0123", "seconds": 0},
    {"request": "winner", "board": [[0, 1], [2, 3]], "line": 2, "moves": ["a1"], "seconds": 0},
    {"request": "analyze", "board": "0,1/2,3", "line": 2, "seconds": 0},
    {"request": "open", "session": "s", "digits": 2, "symbols": "0123"},
    {"request": "open-match", "session": "s", "digits": 2, "symbols": "0123"},
    {"request": "open-board", "session": "s", "board": "0,1/2,3", "line": 2},
    {"request": "play", "session": "s", "turns": ["01:0H1B"]},
    {"request": "undo", "session": "s", "turns": 1},
    {"request": "close", "session": "s"},
    {"request": "verify", "strategy": {"format": "yomikiri-strategy", "version": 1}},
)
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2, 1.5, 10**400, "", "s", "01:0H1B", "me=01:0H1B", "they=12", "a1", "1" * 300, "\x00", "０１",
    [], ["01:2H0B"], ["a1", "b1"], [[1, 2], [3, 4]], [[1], [2, 3]], {}, {"a": []},
)  # fmt: skip


def fuzzed(random_: random.Random) -> bytes:
    """Return a random line: a request with changed keys, values or characters."""
    line = dict(random_.choice(SMALL))
    for _ in range(random_.choice((0, 1, 1, 2))):
        key = random_.choice([*line, "id", "session", "turns", "absent", "bogus", "tie", "progress"])
        line[key] = random_.choice(VALUES)
    text = bytearray(json.dumps(line).encode())
    for _ in range(random_.choice((0, 0, 0, 1, 3))):
        text[random_.randrange(len(text))] = random_.choice(b'{}[]":,\\\x00\xff09a ')
    return bytes(text).replace(b"\n", b" ")


@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.exhaustive)])
def test_every_line_has_one_answer_and_none_is_an_internal_error(count: int):
    random_ = random.Random(count)
    lines = [fuzzed(random_) for _ in range(count)]
    expected = sum(bool(line.strip()) for line in lines)
    answers = [line for line in answered(*lines) if "progress" not in line]
    assert len(answers) == expected
    assert [line for line in answers if line.get("status") == 1] == []
