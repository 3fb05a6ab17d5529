"""`yomikiri guess simulate`: distributions, samples, limits, documents and interrupts."""

import json
from itertools import permutations
from pathlib import Path

import pytest
from tests.cli.run import interrupted, run

WORDS = "brake\ncrane\ncrate\ndrake\nflake\ngrade\ngrape\ngrate\nspice\ntrace\n"


@pytest.fixture
def lists(tmp_path: Path) -> tuple[str, ...]:
    """Options with two lists of words."""
    secrets, guesses = tmp_path / "secrets.txt", tmp_path / "guesses.txt"
    secrets.write_text(WORDS)
    guesses.write_text("NIGHT\nlumpy\n")
    return ("--secrets", str(secrets), "--guesses", str(guesses))


def test_simulate_prints_the_distribution_of_the_suggested_guesses(lists: tuple[str, ...]):
    solved = json.loads(run("guess", "solve", *lists, "--json").stdout)
    shown = run("guess", "simulate", *lists).stdout.splitlines()
    assert shown[0] == "Played 10 of 10 secrets."
    assert shown[1].startswith(f"Total: {solved['total']} guesses, ")
    counts = [line.split() for line in shown[2:]]
    assert [int(number) for number, _count in counts] == list(range(1, len(counts) + 1))
    assert sum(int(count) for _number, count in counts) == 10


def test_simulate_compares_all_policies(lists: tuple[str, ...]):
    rows = [line.split() for line in run("guess", "simulate", *lists, "--policy", "all").stdout.splitlines()]
    assert rows[0][:4] == ["policy", "total", "mean", "max"]
    assert [row[0] for row in rows[1:]] == ["exact", "entropy", "minimax", "consistent"]
    document = json.loads(run("guess", "simulate", *lists, "--policy", "all", "--json").stdout)
    assert {row[0]: row[1] for row in rows[1:]} == {
        name: str(game["total"]) for name, game in document["policies"].items()
    }


def test_simulate_within_a_limit_counts_the_secrets_not_found(lists: tuple[str, ...]):
    command = ("guess", "simulate", *lists, "--within", "1")
    assert run(*command).stdout.splitlines()[2] == "Not found within 1 guess: 9 (90%)."
    assert json.loads(run(*command, "--json").stdout) == {
        "schema_version": 1, "secrets": 10, "total": 1, "average": 1.0, "most": 1, "missed": 9, "histogram": [1],
    }  # fmt: skip
    table = run(*command, "--policy", "all").stdout.splitlines()
    assert "not found" in table[0]
    assert table[1].split() == ["exact", "1", "1.0000", "1", "9", "1"]


def test_simulate_plays_a_sample_that_the_seed_determines(lists: tuple[str, ...]):
    command = ("guess", "simulate", *lists, "--sample", "4", "--json", "--seed")
    assert run(*command, "3").stdout == run(*command, "3").stdout
    found = [json.loads(run(*command, seed).stdout) for seed in ("1", "2", "3", "4", "5", "6")]
    assert {game["secrets"] for game in found} == {4}
    assert len({game["total"] for game in found}) > 1
    assert run("guess", "simulate", *lists, "--sample", "99").stdout.startswith("Played 10 of 10 secrets.")


def test_simulate_after_turns_plays_the_candidates(lists: tuple[str, ...]):
    assert run("guess", "simulate", *lists, "trace:02202").stdout.startswith("Played 4 of 4 secrets.")
    wrong = run("guess", "simulate", *lists, "night:22222")
    assert wrong.exit_code == 3
    assert "no secret fits night:22222" in wrong.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--seed", "3"), "--seed has no effect without --sample"),
        (("--policy", "entropy", "--seconds", "3"), "--seconds has no effect with --policy entropy"),
        (("--policy", "entrop"), "Did you mean 'entropy'?"),
        (("--sample", "0"), "sample=0: expected a whole number from 1 to"),
    ],
)
def test_simulate_refuses_options_without_effect(lists: tuple[str, ...], options: tuple[str, ...], message: str):
    result = run("guess", "simulate", *lists, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_interrupted_simulation_prints_the_secrets_played_so_far(tmp_path: Path):
    secrets = tmp_path / "codes.txt"
    secrets.write_text("\n".join("".join(code) for code in permutations("0123456789", 4)))
    ended = interrupted("guess", "simulate", "--secrets", str(secrets), "--answers", "hits-blows", after=4)
    assert ended.status == 130
    assert ended.shown.startswith("Played ")
    assert "of 5040 secrets." in ended.shown
    assert ended.said.strip().endswith("the figures of exact are those of the secrets played so far.")
    assert "Traceback" not in ended.said
