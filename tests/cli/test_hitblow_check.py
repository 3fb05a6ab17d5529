"""`yomikiri hitblow check`, and certificates of `solve` and `verify`.

Also tests `hitblow/certificate/check.py`: parallel checks of sections.
"""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import jsonschema_rs
import pytest
from tests.cli.run import run
from tests.hitblow.certificate.made import as_file, certificate

from yomikiri.api.schema import schema_of
from yomikiri.common.budget import Stopped
from yomikiri.hitblow.certificate import writer

GAME = ("--digits", "3", "--symbols", "012345")


@pytest.fixture
def solved(tmp_path: Path) -> tuple[Path, Path]:
    """Solve a small game and return the files of its strategy and certificate."""
    strategy, shown = tmp_path / "strategy.json", tmp_path / "shown.cert.gz"
    assert run("hitblow", "solve", *GAME, "--output", str(strategy), "--certificate", str(shown)).exit_code == 0
    return strategy, shown


def test_solve_writes_a_certificate_and_reports_it_as_checked(solved, tmp_path: Path):
    strategy, shown = solved
    assert gzip.decompress(shown.read_bytes()).startswith(b"certificate 1 3 6 none - 436\n")
    assert json.loads(strategy.read_text())["proof"]["evidence"] == "checked"
    result = run("hitblow", "solve", *GAME, "--certificate", str(tmp_path / "again"), "--json")
    assert json.loads(result.stdout)["evidence"] == "checked"
    assert "Evidence: a checked" in run("hitblow", "solve", *GAME, "--certificate", str(tmp_path / "once")).stdout
    refused = run("hitblow", "solve", *GAME, "--certificate", str(tmp_path / "once"))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "already exists" in refused.stderr
    assert (
        "Evidence: a checked"
        in run("hitblow", "solve", *GAME, "--force", "--certificate", str(tmp_path / "once")).stdout
    )
    assert [path.name for path in tmp_path.glob("*.part")] == []


def test_check_prints_the_whole_claim(solved, tmp_path: Path):
    _strategy, shown = solved
    other = tmp_path / "4-of-10-26274.cert"
    other.write_bytes(shown.read_bytes())
    assert run("hitblow", "check", str(other)).stdout.splitlines()[:2] == [
        "Game: 3 digits from 6 symbols, no repeats",
        "Accepted: no strategy finds all 120 secrets in fewer than 436 guesses in total.",
    ]


def test_claim_includes_turns_and_absent_symbols(tmp_path: Path):
    file = tmp_path / "start.cert"
    done = run("hitblow", "solve", *GAME, "--absent", "5", "012:0H1B", "--certificate", str(file))
    assert done.exit_code == 0
    output = run("hitblow", "check", str(file)).stdout
    assert "Not in the secret: 5" in output
    assert "After: 012:0H1B" in output


def test_check_json_matches_its_schema(solved):
    _strategy, shown = solved
    document = json.loads(run("hitblow", "check", str(shown), "--json").stdout)
    assert document["accepted"] is True
    assert (document["digits"], document["symbols"], document["total_guesses"]) == (3, 6, 436)
    assert document["evidence"] == "checked"
    jsonschema_rs.validate(schema_of("certificate"), document)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_wrong_certificate_exits_4_with_one_line(tmp_path: Path, language: str):
    lines = list(certificate(3, 6, "none", 436))
    for content in ([], [lines[0].replace("436", "437"), *lines[1:]], lines[:-1]):
        file = tmp_path / "wrong.cert"
        file.write_bytes(as_file(content).getvalue())
        done = run("hitblow", "check", str(file), "--lang", language)
        assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (4, "", 1)
        document = json.loads(run("hitblow", "check", str(file), "--json").stdout)
        assert document["accepted"] is False


@pytest.mark.parametrize("name", ["missing.cert", ".", "a\0b", ""])
def test_unreadable_file_exits_2(name: str, tmp_path: Path):
    done = run("hitblow", "check", f"{tmp_path}/{name}" if name else "")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")


def test_check_without_time_is_undecided(solved):
    _strategy, shown = solved
    done = run("hitblow", "check", str(shown), "--seconds", "0")
    assert done.exit_code == 130
    assert "ccepted" not in done.stdout
    assert "Not decided" in done.stdout
    assert json.loads(run("hitblow", "check", str(shown), "--seconds", "0", "--json").stdout)["accepted"] is None


def test_verify_checks_strategy_and_certificate(solved):
    strategy, shown = solved
    done = run("hitblow", "verify", str(strategy), "--certificate", str(shown))
    assert done.exit_code == 0
    assert "Checked: the certificate proves" in done.stdout
    document = json.loads(run("hitblow", "verify", str(strategy), "--certificate", str(shown), "--json").stdout)
    assert (document["proof_checked"], document["evidence"]) == (True, "checked")


def test_verify_refuses_certificate_of_another_game_or_total(solved):
    strategy, shown = solved
    for other in (certificate(3, 5, "none", 196), certificate(3, 6, "none", 430), certificate(3, 6, "guess", 436)):
        shown.write_bytes(as_file(other).getvalue())
        done = run("hitblow", "verify", str(strategy), "--certificate", str(shown))
        assert done.exit_code == 4
        assert "expected 'certificate 1 3 6 none - 436'" in done.stderr


REFUSED = [
    ("--within", "6"), ("--consistent",), ("--objective", "worst"), ("--objective", "last"), ("--no-leading", "0"),
    ("has=3",),
]  # fmt: skip


@pytest.mark.parametrize("options", REFUSED)
def test_unsupported_options_are_refused_in_one_line(options: tuple[str, ...], tmp_path: Path):
    file = tmp_path / "none.cert"
    done = run("hitblow", "solve", *GAME, *options, "--certificate", str(file))
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "certificates do not support" in done.stderr
    assert not file.exists()


def test_weights_are_refused(tmp_path: Path):
    weights = tmp_path / "weights"
    weights.write_text("012 3\n021 2\n")
    done = run("hitblow", "solve", *GAME, "--weights", str(weights), "--certificate", str(tmp_path / "none"))
    assert done.exit_code == 2


def test_certificate_without_limit_does_not_verify_a_limited_strategy(tmp_path: Path):
    """A limit on the number of guesses can raise the total, so the bound without a limit proves nothing."""
    strategy, shown = tmp_path / "limited.json", tmp_path / "free.cert"
    assert run("hitblow", "solve", "--digits", "2", "--symbols", "0123", "--within", "3", "--output", str(strategy))
    shown.write_bytes(as_file(certificate(2, 4, "none", 30)).getvalue())
    assert run("hitblow", "verify", str(strategy), "--certificate", str(shown)).exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "3"])
def test_sections_are_checked_in_parallel(workers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(writer, "_SECTIONS", 10)
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("this process may have threads"))
    certificate.cache_clear()
    lines = certificate(3, 8, "none", 1449)
    certificate.cache_clear()
    assert lines.count("end") > 2
    file = tmp_path / "sections.cert"
    file.write_bytes(as_file(lines).getvalue())
    assert run("hitblow", "check", str(file), "--workers", workers).exit_code == 0
    k = next(k for k, line in enumerate(lines) if k > 1 and "=" in line)
    for wrong in ([*lines[:k], *lines[k + 1 :]], [line for line in lines if line != "end"], lines[:-1]):
        file.write_bytes(as_file(wrong).getvalue())
        assert run("hitblow", "check", str(file), "--workers", workers).exit_code == 4


@pytest.mark.parametrize(
    ("step", "is_written", "said"),
    [
        ("writer.write_certificate", False, "its certificate is not written"),
        ("check.check_certificate", True, "its certificate is in {file}, but not checked"),
    ],
)
def test_solve_says_whether_the_certificate_was_written_before_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, is_written: bool, said: str
):
    def stopped(*_given: object, **_named: object) -> None:
        raise Stopped

    monkeypatch.setattr(f"yomikiri.hitblow.certificate.{step}", stopped)
    file = tmp_path / "proof.cert"
    done = run("hitblow", "solve", *GAME, "--certificate", str(file))
    assert done.exit_code == 130
    assert said.format(file=file) in done.stderr
    assert file.exists() is is_written
    assert not list(tmp_path.glob("*.part"))
