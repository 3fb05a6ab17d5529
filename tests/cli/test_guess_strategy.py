"""`yomikiri guess simulate`, `export` and `verify`: distributions, samples, limits, documents, files, interrupts."""

import json
from itertools import permutations
from pathlib import Path

import pytest
from tests.cli.run import interrupted, run


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


@pytest.mark.slow
def test_interrupted_simulation_prints_the_secrets_played_so_far(tmp_path: Path):
    secrets = tmp_path / "codes.txt"
    secrets.write_text("\n".join("".join(code) for code in permutations("0123456789", 4)))
    options = ("--secrets", str(secrets), "--answers", "hits-blows", "--seconds", "0.05")
    ended = interrupted("guess", "simulate", *options, after=4)
    assert ended.status == 130
    head, *figures = ended.shown.splitlines()
    assert head.startswith("Interrupted: exact has played only ")
    assert "of 5040 secrets, drawn at random." in head
    assert figures[0].startswith("Total: ")
    assert ended.said == ""


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["exact", "all"])
def test_simulation_interrupted_before_the_first_secret_shows_no_figures(tmp_path: Path, policy: str):
    secrets = tmp_path / "codes.txt"
    secrets.write_text("\n".join("".join(code) for code in permutations("0123456789", 4)))
    options = ("--secrets", str(secrets), "--answers", "hits-blows", "--policy", policy)
    ended = interrupted("guess", "simulate", *options, after=2)
    assert (ended.status, ended.shown) == (130, "")
    assert ended.said == "Interrupted before exact had finished a secret.\n"


@pytest.mark.parametrize("name", ["strategy.json", "strategy.json.gz"])
@pytest.mark.parametrize("options", [(), ("--hard", "--within", "4"), ("--answers", "sum", "--first", "night")])
def test_exported_strategy_is_verified(lists: tuple[str, ...], tmp_path: Path, name: str, options: tuple[str, ...]):
    file, solved = str(tmp_path / name), json.loads(run("guess", "solve", *lists, *options, "--json").stdout)
    written = run("guess", "export", *lists, *options, "--output", file)
    assert (written.exit_code, written.output) == (0, "")
    shown = run("guess", "verify", file, *lists)
    assert shown.exit_code == 0
    assert "Correct: every secret was replayed, and the cost is as the file states." in shown.stdout
    assert f"Total: {solved['total']} guesses, " in shown.stdout
    assert "Not checked: the file claims that this total is proven optimal." in shown.stdout
    document = json.loads(run("guess", "verify", file, *lists, "--json").stdout)
    assert document["histogram"] == solved["histogram"]
    again = run("guess", "export", *lists, "--output", file)
    assert again.exit_code == 2
    assert "already exists: choose another name, or --force" in again.stderr


def test_export_after_turns_goes_through_a_pipe(lists: tuple[str, ...]):
    written = run("guess", "export", *lists, "trace:02202")
    assert json.loads(written.stdout)["turns"] == ["trace:02202"]
    shown = run("guess", "verify", "-", *lists, given=written.stdout)
    assert "After: trace:02202" in shown.stdout


def test_verify_refuses_a_wrong_file_with_status_4(lists: tuple[str, ...]):
    wrong = run("guess", "export", *lists).stdout.replace('"total": 2', '"total": 3')
    shown = run("guess", "verify", "-", *lists, given=wrong)
    assert (shown.exit_code, shown.stdout) == (4, "")
    assert shown.stderr.startswith("error: <stdin>: at total: 3")
    document = json.loads(run("guess", "verify", "-", *lists, "--json", given=wrong).stdout)
    assert document["valid"] is False
    assert document["error"].startswith("at total: 3")


def test_verify_needs_the_lists_of_the_file(lists: tuple[str, ...]):
    written = run("guess", "export", *lists).stdout
    shown = run("guess", "verify", "-", *lists[:2], given=written)
    assert shown.stderr == "error: <stdin>: at guesses: the file is for a list of 12 codes, and the given list has 10\n"
    assert "no secrets: needs a list, --secrets FILE" in run("guess", "verify", "-", given=written).stderr


@pytest.mark.slow
def test_interrupted_export_writes_the_best_strategy_so_far(tmp_path: Path):
    secrets = tmp_path / "codes.txt"
    secrets.write_text("\n".join("".join(code) for code in permutations("01234567", 4)))
    options = ("--secrets", str(secrets), "--answers", "hits-blows")
    ended = interrupted("guess", "export", *options, after=2.5)
    assert ended.status == 130
    assert "Traceback" not in ended.said
    shown = run("guess", "verify", "-", "--secrets", str(secrets), given=ended.shown)
    assert "Not checked: the file claims that no total is below " in shown.stdout
