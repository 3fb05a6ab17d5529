"""`yomikiri hitblow verify`: the answer, the status, and one clear line for every wrong file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.run import run
from tests.hitblow.strategy.made import strategy_of
from tests.hitblow.strategy.test_verify import MUTATIONS, corrupted

from yomikiri.hitblow.strategy.file import write_strategy


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "strategy.json"
    path.write_text(write_strategy(strategy_of()), encoding="utf-8")
    return path


def test_verify_says_what_it_checked_and_what_not(file: Path):
    result = run("hitblow", "verify", str(file))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "Game: 2 digits of 0123, all different",
        "Objective: fewest guesses on average",
        "Correct: every secret was replayed, and the cost is what the file says.",
        "30 guesses for 12 secrets: mean 2.5000, at most 3",
        "Found at guess 1, 2, 3, ...: 1 4 7",
        "Not checked: the file says that the least total is 12 or more.",
    ]


def test_verify_reads_standard_input(file: Path):
    assert run("hitblow", "verify", "-", given=file.read_bytes()).exit_code == 0


def test_verify_writes_a_document(file: Path):
    document = json.loads(run("hitblow", "verify", str(file), "--json").stdout)
    assert document == {
        "schema_version": 1,
        "valid": True,
        "rules": {"digits": 2, "symbols": "0123", "repeats": "none"},
        "start": {"absent": "", "turns": []},
        "objective": {"kind": "expected", "within": None, "consistent": False},
        "secrets": 12,
        "total_guesses": 30,
        "mean": 2.5,
        "max_guesses": 3,
        "histogram": [1, 4, 7],
        "proof": "heuristic",
        "lower_bound": 12,
        "proof_checked": False,
    }


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", MUTATIONS)
def test_every_corruption_ends_in_one_line_and_status_4(name: str, language: str, tmp_path: Path):
    path = tmp_path / "wrong.json"
    path.write_text(corrupted(MUTATIONS[name][0]), encoding="utf-8")
    result = run("hitblow", "verify", str(path), "--lang", language)
    assert (result.exit_code, result.stdout) == (4, "")
    assert len(result.stderr.splitlines()) == 1


def test_a_fault_is_a_document_as_well(file: Path):
    file.write_text(file.read_text(encoding="utf-8").replace("[1, 4, 7]", "[1, 4, 6]"), encoding="utf-8")
    result = run("hitblow", "verify", str(file), "--json")
    complaint = "at cost.secrets: 12: the histogram gives 11"
    assert result.exit_code == 4
    assert json.loads(result.stdout) == {"schema_version": 1, "valid": False, "error": complaint}
    assert result.stderr == f"error: {complaint}\n"


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b"])
def test_a_file_that_cannot_be_opened_is_status_2(name: str, tmp_path: Path):
    result = run("hitblow", "verify", f"{tmp_path}/{name}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: cannot read ")
