"""`yomikiri guess check`, and certificates of `guess solve` and `guess verify`.

Also tests `cli/certificates.py`: what these commands share with those of Hit & Blow.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import jsonschema_rs
import pytest
from tests.cli.run import run

from yomikiri.api.schema import schema_of
from yomikiri.common.budget import Stopped


@pytest.fixture
def solved(lists: tuple[str, ...], tmp_path: Path) -> tuple[Path, int]:
    """Solve a game and return the file of its certificate, and the total."""
    shown = tmp_path / "shown.cert.gz"
    result = run("guess", "solve", *lists, "--certificate", str(shown), "--json")
    assert result.exit_code == 0
    return shown, json.loads(result.stdout)["total"]


def test_solve_writes_a_certificate_and_says_that_it_is_checked(lists: tuple[str, ...], solved, tmp_path: Path):
    shown, total = solved
    assert gzip.decompress(shown.read_bytes()).splitlines()[0].endswith(b" %d" % total)
    result = run("guess", "solve", *lists, "--certificate", str(tmp_path / "plain.cert"))
    assert result.stdout.splitlines()[-1].startswith("Checked: the certificate proves")
    refused = run("guess", "solve", *lists, "--certificate", str(shown))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "already exists" in refused.stderr
    assert run("guess", "solve", *lists, "--certificate", str(shown), "--force").exit_code == 0
    assert [path.name for path in tmp_path.glob("*.part")] == []


def test_check_prints_the_whole_claim(lists: tuple[str, ...], solved):
    shown, total = solved
    output = run("guess", "check", str(shown), *lists).stdout.splitlines()
    assert output[:2] == [
        "Answers: marks",
        f"Accepted: no strategy has a total below {total} (number of secrets: 10).",
    ]
    document = json.loads(run("guess", "check", str(shown), *lists, "--json").stdout)
    assert (document["accepted"], document["secrets"], document["guesses"]) == (True, 10, 12)
    assert (document["total"], document["first"], document["turns"]) == (total, None, [])
    jsonschema_rs.validate(schema_of("guess-certificate"), document)


def test_claim_includes_the_first_guess_and_the_turns(lists: tuple[str, ...], tmp_path: Path):
    first, later = str(tmp_path / "first.cert"), str(tmp_path / "later.cert")
    assert run("guess", "solve", *lists, "--first", "night", "--certificate", first).exit_code == 0
    assert "First guess: night" in run("guess", "check", first, *lists).stdout
    assert run("guess", "solve", *lists, "trace:02202", "--certificate", later).exit_code == 0
    assert "After: trace:02202" in run("guess", "check", later, *lists).stdout


def test_certificate_of_a_list_with_weights_says_so(tmp_path: Path):
    words, proof = tmp_path / "words.csv", str(tmp_path / "words.cert")
    words.write_text("brake,5\ncrane,1\ncrate,2\ndrake,5\n")
    solved = run("guess", "solve", "--secrets", str(words), "--certificate", proof, "--json")
    total = json.loads(solved.stdout)["total"]
    assert run("guess", "check", proof, "--secrets", str(words)).stdout.splitlines()[1:3] == [
        "Each guess counts with the weight of its secret.",
        f"Accepted: no strategy has a total below {total} (number of secrets: 4).",
    ]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_wrong_certificates_exit_4_with_one_line(lists: tuple[str, ...], solved, tmp_path: Path, language: str):
    shown, total = solved
    lines = gzip.decompress(shown.read_bytes()).decode().splitlines(keepends=True)
    wrong = tmp_path / "wrong.cert"
    for content in ([], lines[:-1], [lines[0].replace(str(total), str(total + 1)), *lines[1:]]):
        wrong.write_text("".join(content))
        result = run("guess", "check", str(wrong), *lists, "--lang", language)
        assert (result.exit_code, result.stdout) == (4, "")
        assert len(result.stderr.splitlines()) == 1
    document = json.loads(run("guess", "check", str(wrong), *lists, "--json").stdout)
    assert document["accepted"] is False
    assert run("guess", "check", str(tmp_path / "missing"), *lists).exit_code == 2
    other = run("guess", "check", str(shown), *lists[:2])
    assert other.exit_code == 4
    assert "another list of guesses" in other.stderr


def test_check_within_no_time_is_not_decided(lists: tuple[str, ...], solved):
    result = run("guess", "check", str(solved[0]), *lists, "--seconds", "0")
    assert (result.exit_code, result.stdout[:12]) == (130, "Not decided:")


def test_verify_compares_a_strategy_with_its_certificate(lists: tuple[str, ...], solved, tmp_path: Path):
    strategy = tmp_path / "strategy.json"
    assert run("guess", "export", *lists, "--output", str(strategy)).exit_code == 0
    command = ("guess", "verify", str(strategy), *lists, "--certificate")
    assert "Checked: the certificate proves" in run(*command, str(solved[0])).stdout
    assert json.loads(run(*command, str(solved[0]), "--json").stdout)["proof_checked"] is True
    first = tmp_path / "first.cert"
    assert run("guess", "solve", *lists, "--first", "night", "--certificate", str(first)).exit_code == 0
    refused = run(*command, str(first))
    assert refused.exit_code == 4
    assert "expected 'certificate 2 marks" in refused.stderr


@pytest.mark.parametrize("options", [("--hard",), ("--consistent",), ("--within", "6")])
def test_games_that_certificates_do_not_support_are_refused_at_once(
    lists: tuple[str, ...], tmp_path: Path, options: tuple[str, ...]
):
    refused = run("guess", "solve", *lists, *options, "--certificate", str(tmp_path / "no.cert"))
    assert refused.exit_code == 2
    assert "certificates do not support" in refused.stderr
    assert not list(tmp_path.glob("no.cert*"))


@pytest.mark.parametrize(
    ("step", "is_written", "said"),
    [
        ("writer.write_certificate", False, "its certificate is not written"),
        ("check.check_certificate", True, "its certificate is in {file}, but not checked"),
    ],
)
def test_solve_says_whether_the_certificate_was_written_before_an_interrupt(
    lists: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, is_written: bool, said: str
):
    def stopped(*_given: object, **_named: object) -> None:
        raise Stopped

    monkeypatch.setattr(f"yomikiri.guessing.certificate.{step}", stopped)
    file = tmp_path / "proof.cert"
    done = run("guess", "solve", *lists, "--certificate", str(file))
    assert done.exit_code == 130
    assert said.format(file=file) in done.stderr
    assert file.exists() is is_written
    assert not list(tmp_path.glob("*.part"))
