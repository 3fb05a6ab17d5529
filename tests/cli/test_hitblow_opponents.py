"""`yomikiri hitblow opponents` and `--secrets-of`: records of past secrets and the weights learned from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.run import run

from yomikiri.hitblow.model.prior import learned
from yomikiri.hitblow.model.rules import Rules


def said(*arguments: str) -> list[str]:
    done = run("hitblow", "opponents", *arguments)
    assert done.exit_code == 0, done.stderr
    return done.stdout.splitlines()


def test_empty_list_explains_how_to_add_records():
    result = run("hitblow", "opponents", "list")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "There are no records yet. Add secrets with 'opponents add NAME CODE'.\n"


def test_secrets_are_recorded_listed_and_deleted():
    assert said("list") == []
    assert said("add", "Ann", "012", "３４５") == ["Ann: 2 secrets (3 digits of 0123456789, all different)"]
    assert said("add", "ann", "0123", "--digits", "4") == ["Ann: 1 secret (4 digits of 0123456789, all different)"]
    assert said("list", "ANN") == [
        "3 digits of 0123456789, all different: 012 345",
        "4 digits of 0123456789, all different: 0123",
    ]
    assert said("delete", "ann", "012") == ["Ann: 1 secret (3 digits of 0123456789, all different)"]
    assert len(said("list")) == 2
    assert said("delete", "ann") == ["The record of ann is now empty."]
    assert said("list") == []


def test_learned_weights_equal_the_exported_weights(tmp_path: Path):
    said("add", "ann", "201", "210", "214", "--symbols", "01234")
    written = said("export", "ann", "--symbols", "01234")
    prior = learned(Rules(3, "01234"), ["201", "210", "214"])
    assert written == [f"{code},{weight}" for code, weight in prior]
    file = tmp_path / "weights.csv"
    file.write_text("\n".join(written))
    for command in ("suggest", "candidates", "solve", "simulate", "match"):
        arguments = "hitblow", command, "--symbols", "01234", "--json"
        one, other = (
            json.loads(run(*arguments, *by).stdout) for by in (("--secrets-of", "Ann"), ("--weights", str(file)))
        )
        for each in one, other:
            each.pop("cpu_seconds", None)
        assert one == other


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("opponents", "add", "ann", "011"), "'1' is in '011' more than once"),
        (("opponents", "add", "../ann", "012"), "opponent '../ann': expected 1 to 40 letters, digits, '-' or '_'"),
        (("opponents", "add", "ann"), "missing argument 'CODES...'"),
        (("opponents", "list", "eve"), "the record of eve is empty"),
        (("opponents", "export", "eve"), "the record of eve has no secrets under these rules"),
        (("opponents", "delete", "ann", "678"), "678 is not in the record of ann"),
        (("opponents", "delete", "ann", "--digits", "4"), "--digits has no effect without CODE"),
        (("suggest", "--secrets-of", "eve"), "the record of eve has no secrets under these rules"),
        (("suggest", "--secrets-of", "ann", "--digits", "4"), "the record of ann has no secrets under these rules"),
        (("suggest", "--secrets-of", "ann", "--weights", __file__), "--secrets-of has no effect with --weights"),
        (("match", "--secrets-of", "ann", "--weights", __file__), "--secrets-of has no effect with --weights"),
        (("race", "--secrets-of", "ann"), "a public race cannot be solved with weights"),
    ],
)
def test_invalid_arguments_are_reported_in_one_line(arguments: tuple[str, ...], message: str):
    said("add", "ann", "012")
    refused = run("hitblow", *arguments)
    assert (refused.exit_code, message in refused.stderr) == (2, True), refused.stderr


def test_unwritable_folder_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "yomikiri").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    refused = run("hitblow", "opponents", "add", "ann", "012")
    assert (refused.exit_code, "the record of ann cannot be saved: " in refused.stderr) == (2, True)
