"""Commands for other programs: `schema`, `interact`, and the start of `engine`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.cli.run import run
from tests.terminal import Terminal

from yomikiri.api.schema import DOCUMENTS
from yomikiri.hitblow.model.rules import hint


def test_engine_at_a_terminal_explains_its_input():
    with Terminal("engine") as terminal:
        terminal.see(
            'Type one JSON request per line, such as {"id": 1, "request": "hello"}. Ctrl-D ends the input.', seconds=30
        )
        terminal.type('{"id": 1, "request": "hello"}\n')
        terminal.see('"name":"yomikiri"', seconds=30)
    assert run("engine", given="").stderr == ""


def test_schema_lists_and_prints_the_documents():
    assert run("schema").stdout.split() == [*DOCUMENTS, "request"]
    assert json.loads(run("schema", "suggestion").stdout)["title"] == "suggestion"
    assert "suggest" in run("schema", "request").stdout


def test_unknown_document_is_refused_in_one_line():
    result = run("schema", "bogus")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: 'bogus' is not a document: expected one of suggestion")


@pytest.mark.parametrize(
    ("options", "secret"), [([], "345"), (["--preset", "bulls"], "7102"), (["--absent", "7"], "890")]
)
def test_interact_finds_the_secret(options: list[str], secret: str):
    command = [sys.executable, "-m", "yomikiri", "hitblow", "interact", *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin
    assert process.stdout
    for _ in range(9):
        sign, guess = process.stdout.readline().split()
        if sign == "!":
            break
        assert sign == "?"
        answer = hint(guess, secret)
        process.stdin.write(f"{answer.hits} {answer.blows}\n")
        process.stdin.flush()
    assert (sign, guess) == ("!", secret)
    process.stdin.close()
    assert process.wait(60) == 0
    assert process.stdout.read() == ""
    process.stdout.close()


def test_interact_ends_at_invalid_input_with_one_line():
    assert run("hitblow", "interact", given="x\n").exit_code == 2
    ended = run("hitblow", "interact", given="1 1\n")
    assert ended.exit_code == 2
    assert ended.stderr.startswith("error: the input ended: expected the hits and blows of")
    assert run("hitblow", "interact", given="0 0\n" * 6).exit_code == 3
