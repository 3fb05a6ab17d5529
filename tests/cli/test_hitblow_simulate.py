"""`yomikiri hitblow simulate`: the distribution of guesses of one policy or of all valid ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.run import run
from tests.hitblow.strategy.made import strategy_of

from yomikiri.hitblow.strategy.file import write_strategy


def test_simulate_shows_the_distribution():
    assert run("hitblow", "simulate", "--policy", "entropy").stdout.splitlines() == [
        "3616 guesses for 720 secrets: mean 5.0222, at most 7",
        "  1      1", "  2      6", "  3     28", "  4    105", "  5    383", "  6    195", "  7      2",
    ]  # fmt: skip


def test_simulate_all_compares_every_policy_valid_for_the_rules():
    result = run("hitblow", "simulate", "--policy", "all", "--symbols", "012345")
    names = [line.split()[0] for line in result.stdout.splitlines()]
    assert names == ["policy", "entropy", "most-parts", "expected-size", "minimax", "likely", "random", "exact"]
    assert "repdigit" in result.stderr
    free = run("hitblow", "simulate", "--policy", "all", "--symbols", "012345", "--repeats", "guess", "--json")
    document = json.loads(free.stdout)
    assert set(document["policies"]) == {*names[1:], "repdigit"}
    for cost in document["policies"].values():
        assert sum(cost["histogram"]) == 120
        assert sum(i * n for i, n in enumerate(cost["histogram"], 1)) == cost["total_guesses"]
        assert len(cost["histogram"]) == cost["max_guesses"]


def test_simulate_repdigit_needs_repeats_in_guesses():
    result = run("hitblow", "simulate", "--policy", "repdigit")
    assert result.exit_code == 2
    assert "--repeats guess" in result.stderr


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "strategy.json"
    path.write_text(write_strategy(strategy_of()), encoding="utf-8")
    return path


def test_simulate_plays_a_strategy_file(file: Path):
    played = json.loads(run("hitblow", "simulate", "--strategy", str(file), "--json").stdout)
    assert (played["total_guesses"], played["histogram"]) == (30, [1, 4, 7])
    assert run("hitblow", "simulate", "--strategy", str(file)).stdout.startswith("30 guesses for 12 secrets")
