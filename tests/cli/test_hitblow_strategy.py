"""`yomikiri hitblow verify`, `export` and `book`: results, exit statuses and error messages.

Also tests `wording/strategy.py`: sentences about strategies.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from tests.cli.run import run
from tests.hitblow.strategy.made import strategy_of
from tests.hitblow.strategy.test_verify import MUTATIONS, corrupted

from yomikiri.common.budget import Budget, Progress
from yomikiri.hitblow.policies.book import VOLUMES, Volume, read_volume
from yomikiri.hitblow.race.public.shipped_tables import FILE, STANDARD, from_bytes, shipped
from yomikiri.hitblow.race.public.tables import game_of
from yomikiri.hitblow.strategy.file import read_strategy, write_strategy
from yomikiri.hitblow.strategy.verify import verify


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "strategy.json"
    path.write_text(write_strategy(strategy_of()), encoding="utf-8")
    return path


def test_verify_prints_checked_and_unchecked_claims(file: Path):
    result = run("hitblow", "verify", str(file))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "Game: 2 digits of 0123, all different",
        "Objective: fewest guesses on average",
        "Correct: every secret was replayed, and the cost is as the file states.",
        "30 guesses for 12 secrets: mean 2.5000, at most 3",
        "Found at guess 1, 2, 3, ...: 1 4 7",
        "Not checked: the file claims that no total is below 12.",
    ]


def test_verify_reads_standard_input(file: Path):
    assert run("hitblow", "verify", "-", given=file.read_bytes()).exit_code == 0


def test_verify_json_contains_cost_and_proof(file: Path):
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
        "evidence": "best known",
        "proof_checked": False,
    }


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", MUTATIONS)
def test_corrupted_strategy_exits_4_with_one_line(name: str, language: str, tmp_path: Path):
    path = tmp_path / "wrong.json"
    path.write_text(corrupted(MUTATIONS[name][0]), encoding="utf-8")
    result = run("hitblow", "verify", str(path), "--lang", language)
    assert (result.exit_code, result.stdout) == (4, "")
    assert len(result.stderr.splitlines()) == 1


def test_verify_json_of_an_invalid_file_contains_the_error(file: Path):
    file.write_text(file.read_text(encoding="utf-8").replace("[1, 4, 7]", "[1, 4, 6]"), encoding="utf-8")
    result = run("hitblow", "verify", str(file), "--json")
    complaint = "at cost.secrets: 12: the histogram gives 11"
    assert result.exit_code == 4
    assert json.loads(result.stdout) == {"schema_version": 1, "valid": False, "error": complaint}
    assert result.stderr == f"error: {complaint}\n"


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b"])
def test_unreadable_file_exits_2(name: str, tmp_path: Path):
    result = run("hitblow", "verify", f"{tmp_path}/{name}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: cannot read ")


def test_gz_output_is_compressed_and_readable(tmp_path: Path):
    compressed = tmp_path / "strategy.json.gz"
    run("hitblow", "export", "--digits", "2", "--symbols", "0123", "--output", str(compressed))
    assert run("hitblow", "verify", str(compressed)).exit_code == 0
    for damaged in (compressed.read_bytes()[:-9], compressed.read_bytes()[:12] + b"0" * 30):
        (tmp_path / "damaged").write_bytes(damaged)
        result = run("hitblow", "verify", str(tmp_path / "damaged"))
        assert (result.exit_code, result.stderr.startswith("error: cannot read ")) == (2, True)


@pytest.mark.parametrize("command", ["export", "solve"])
def test_existing_file_is_replaced_only_with_force(tmp_path: Path, command: str):
    path = tmp_path / "mine.txt"
    path.write_text("mine")
    writing = ("hitblow", command, "--digits", "2", "--symbols", "0123", "--output", str(path))
    result = run(*writing)
    assert (result.exit_code, result.stdout, path.read_text()) == (2, "", "mine")
    assert result.stderr.endswith(" already exists: choose another name, or --force to replace it\n")
    assert run(*writing, "--force").exit_code == 0
    assert run("hitblow", "verify", str(path)).exit_code == 0


def test_resumed_proof_replaces_its_earlier_output(tmp_path: Path):
    best, store = str(tmp_path / "best.json"), str(tmp_path / "proof.store")
    for _time in range(2):
        game = ("--digits", "2", "--symbols", "0123", "--store", store)
        assert run("hitblow", "solve", *game, "--output", best).exit_code == 0


def test_export_writes_a_file_that_verify_accepts(tmp_path: Path):
    path = tmp_path / "out.json"
    result = run("hitblow", "export", "--output", str(path))
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert json.loads(run("hitblow", "verify", str(path), "--json").stdout)["total_guesses"] == 3575


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        ([], '{"format": "yomikiri-strategy",'),
        (["--format", "text"], "012  720"),
        (["--format", "dot"], "digraph strategy {"),
        (["--format", "csv"], "secret,guesses,guess_1,guess_2,guess_3,guess_4,guess_5,guess_6,guess_7"),
        (["--format", "csv", "--objective", "worst"], "secret,guesses,guess_1,guess_2,guess_3,guess_4,guess_5,guess_6"),
    ],
)
def test_export_writes_every_format(arguments: list[str], first: str):
    assert run("hitblow", "export", *arguments).stdout.splitlines()[0] == first


def test_export_shows_answers_in_the_words_of_the_preset():
    shown = run("hitblow", "export", "--preset", "bulls", "--format", "text").stdout
    assert shown.splitlines()[1] == "  0B0C 4567  360"


@pytest.mark.parametrize("preset", ["hitblow", "bulls", "mastermind"])
def test_standard_games_are_exported_from_the_book_without_search(preset: str):
    program = (
        "import sys; from yomikiri.cli.main import cli\n"
        f"try: cli.main(['hitblow', 'export', '--preset', {preset!r}])\n"
        "finally: assert not {'numba', 'highspy'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)


def test_export_solves_games_missing_from_the_book():
    result = run("hitblow", "export", "--digits", "2", "--symbols", "0123", "01:0H1B", "--format", "csv")
    assert result.stdout.splitlines() == [
        "secret,guesses,guess_1,guess_2", "12,1,12", "13,2,12,13", "20,2,12,20", "30,2,12,30",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        (["--within", "5"], 2, "no strategy finds every secret within 5 guesses: choose a larger --within"),
        (["--within", "5", "--objective", "worst"], 2, "no strategy finds every secret within 5 guesses"),
        (["--output", "/"], 2, "cannot write /"),
        (["--output", "/dev/full"], 2, "cannot write /dev/full: the disk is full"),
        (["--output", ""], 2, "the file name is empty: give one"),
        (["--format", "pdf"], 2, "invalid value for '--format': 'pdf' is not one of"),
        (
            ["--format", "html", "--digits", "5"],
            2,
            "30240 candidates are too many for one page: add turns until 6000 or fewer",
        ),
        (["012:2H1B"], 2, "2H1B is impossible for 012"),
        (
            ["012:0H0B", "345:0H0B", "678:0H0B"],
            3,
            "the answers contradict each other: no code fits 012:0H0B 345:0H0B 678:0H0B",
        ),
    ],
)
def test_export_reports_errors_in_one_line(arguments: list[str], status: int, complaint: str):
    result = run("hitblow", "export", *arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert result.stderr.startswith(f"error: {complaint}")


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop every search at its third progress report."""

    @contextmanager
    def soon(*_line: object) -> Iterator[Budget]:
        reports: list[Progress] = []
        yield Budget(cancelled=lambda: len(reports) >= 3, progress=reports.append)

    monkeypatch.setattr("yomikiri.cli.hitblow_strategy.searching", soon)


@pytest.mark.usefixtures("stopped")
def test_interrupted_export_writes_a_valid_unproven_strategy(tmp_path: Path):
    path = tmp_path / "out.json"
    result = run("hitblow", "export", "--symbols", "0123456", "--digits", "5", "--output", str(path))
    assert result.exit_code == 130
    assert result.stderr.startswith("Interrupted, not proven")
    document = json.loads(run("hitblow", "verify", str(path), "--json").stdout)
    assert (document["valid"], document["proof"]) == (True, "heuristic")


@pytest.mark.usefixtures("stopped")
def test_interrupted_book_writes_no_unproven_volume(tmp_path: Path):
    assert run("hitblow", "book", str(tmp_path)).exit_code == 130
    assert not (tmp_path / "bulls.json.gz").exists()


@pytest.mark.exhaustive
@pytest.mark.parametrize("volumes", [VOLUMES[:1], VOLUMES], ids=["one volume", "all"])
def test_book_command_reproduces_the_shipped_files(
    volumes: tuple[Volume, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("yomikiri.cli.hitblow_strategy.VOLUMES", volumes)
    result = run("hitblow", "book", str(tmp_path))
    assert result.exit_code == 0
    for volume in volumes:
        made = read_strategy(gzip.decompress((tmp_path / volume.file).read_bytes()))
        assert made.cost == read_volume(volume).cost
        assert verify(made) == made.cost
    game = game_of(STANDARD)
    made_forms, shipped_forms = from_bytes(game, gzip.decompress((tmp_path / FILE).read_bytes())), shipped(game)
    for name in made_forms._fields:
        assert np.array_equal(getattr(made_forms, name), getattr(shipped_forms, name))


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("nothing.json", "cannot read nothing.json: there is no such file"),
        ("/", "cannot read /: it is a folder"),
        ("", "the file name is empty: give one, or - for standard input"),
    ],
)
def test_unreadable_file_is_reported_with_the_cause(file: str, said: str):
    result = run("hitblow", "verify", file)
    assert (result.exit_code, result.stderr) == (2, f"error: {said}\n")


def test_decompressed_text_is_limited_in_size(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("yomikiri.cli.files.MOST_TEXT", 1 << 20)
    result = run("hitblow", "verify", "-", given=gzip.compress(b"0" * (1 << 21)))
    assert result.exit_code == 2
    assert result.stderr == "error: - is too long: expected at most 1 MiB of text\n"
