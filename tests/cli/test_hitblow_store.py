"""`yomikiri hitblow store`: a stored proof in three formats, and the union of two proofs.

Also tests `hitblow/search/proof/summary.py`: the summary of a store.
Also tests `wording/proof.py`: the sentences of the summary.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import jsonschema_rs
import pytest
from tests.cli.run import run

from yomikiri.api.schema import schema_of
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.search.proof.bound_table import BoundKey, CostBounds, Effort
from yomikiri.hitblow.search.proof.store import ProofStore, game_text
from yomikiri.hitblow.search.subproblem import Count
from yomikiri.hitblow.strategy.strategy import Task

GAME = ("--symbols", "01234567")
TEXT = game_text(Task(Rules(3, "01234567")))


@pytest.fixture
def proven(tmp_path: Path) -> str:
    path = str(tmp_path / "proven.store")
    assert run("hitblow", "solve", *GAME, "--store", path).exit_code == 0
    return path


@pytest.fixture
def begun(tmp_path: Path) -> str:
    """Create a store with two bounds of the total and one proven cell."""
    path = tmp_path / "begun.store"
    from yomikiri.hitblow.model.rules import Turn

    with ProofStore(path, TEXT) as store:
        store.learn(BoundKey(Count.TOTAL, None, ()), CostBounds(1400, 1460, "012"), Effort(90.0, 7, "a"))
        store.learn(BoundKey(Count.TOTAL, None, (Turn.parse("012:2H0B"),)), CostBounds(45, 45), Effort(30.0, 5, "b"))
        store.save(0.5)
    return str(path)


def test_store_shows_a_proven_total(proven: str):
    lines = run("hitblow", "store", proven).stdout.splitlines()
    assert lines[:3] == [
        "Proof store: 3 digits of 01234567, all different",
        "Total: 1,449, proven",
        "All requested tie-breaks are proven.",
    ]
    assert len(lines) == 4, "it was one question"
    assert run("hitblow", "store", "show", proven).stdout.splitlines() == lines


def test_format_cells_lists_proven_cells_with_their_totals(begun: str, proven: str):
    assert run("hitblow", "store", begun, "--format", "cells").stdout == "012:2H0B 45\n"
    assert run("hitblow", "store", proven, "--format", "cells").stdout.splitlines()[0] == "1449"


def test_store_shows_bounds_and_progress_of_an_unfinished_proof(begun: str):
    lines = run("hitblow", "store", begun).stdout.splitlines()
    assert lines[1:4] == [
        "Total: at least 1,400, at most 1,460, gap 60",
        "2 results, 12 nodes, 2 min of computing; workers: 2",
        "Progress: 50% done, about 2 min of computing left",
    ]
    assert "  2H0B: 15 codes, 45, proven" in lines
    assert "  1H2B: 3 codes, at least 5" in lines


def test_store_json_matches_its_schema(proven: str, begun: str):
    for path, bounds in ((proven, (1449, 1449)), (begun, (1400, 1460))):
        document = json.loads(run("hitblow", "store", path, "--format", "json").stdout)
        jsonschema_rs.validator_for(schema_of("stored-proof")).validate(document)
        assert (document["lower"], document["upper"]) == bounds
        assert document["proven"] == (bounds[0] == bounds[1])


def test_html_page_is_self_contained_with_a_picture(begun: str, tmp_path: Path):
    page = tmp_path / "page.html"
    assert run("hitblow", "store", "--format", "html", begun, "--output", str(page)).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert text.count("<svg") == 1
    assert "<p>Candidates by the answer to the first guess. Filled squares are proven.</p>" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "<li>2H0B: 15 codes, 45, proven</li>" in text


def test_merge_joins_two_stores(begun: str, proven: str, tmp_path: Path):
    both = str(tmp_path / "both.store")
    lines = run("hitblow", "store", "merge", begun, proven, "--output", both).stdout.splitlines()
    assert "Total: 1,449, proven" in lines
    assert run("hitblow", "solve", *GAME, "--store", both).exit_code == 0
    again = run("hitblow", "store", "merge", begun, proven, "--output", both)
    assert (again.exit_code, "already exists" in again.stderr) == (2, True)


def test_merge_refuses_other_rules_and_contradicting_bounds(begun: str, tmp_path: Path):
    other, false, both = (tmp_path / f"{name}.store" for name in ("other", "false", "both"))
    with ProofStore(other, game_text(Task(Rules(3, "0123456")))):
        pass
    with ProofStore(false, TEXT) as store:
        store.learn(BoundKey(Count.TOTAL, None, ()), CostBounds(1461), Effort(1.0, 1, "c"))
    for path, said in ((other, "different games"), (false, "contradict each other")):
        result = run("hitblow", "store", "merge", begun, str(path), "--output", str(both))
        assert (result.exit_code, said in result.stderr) == (4, True)
        assert not both.exists()


def test_invalid_store_is_refused_in_one_line(begun: str, tmp_path: Path):
    with sqlite3.connect(begun) as file:
        file.execute("update answers set upper = 1459")
    file.close()
    text = tmp_path / "text"
    text.write_text("nothing of the kind", encoding="utf-8")
    for path in (begun, str(text), str(tmp_path), str(tmp_path / "none"), ""):
        result = run("hitblow", "store", path)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.stderr


def test_race_store_shows_its_progress(tmp_path: Path):
    path, page = str(tmp_path / "race.store"), tmp_path / "page.html"
    small = ("--digits", "2", "--symbols", "abcd")
    race = json.loads(run("hitblow", "race", *small, "--secret-symbols", "abcde", "--store", path, "--json").stdout)
    document = json.loads(run("hitblow", "store", path, "--format", "json").stdout)
    jsonschema_rs.validator_for(schema_of("stored-race")).validate(document)
    games = document["games"]
    assert [game["rules"]["symbols"] for game in games] == ["0123", "01234"]
    assert sum(game["sets"] for game in games) == race["sets"]
    assert sum(game["forms"] for game in games) == race["forms"]
    assert all(0 < game["listed"] <= game["forms"] for game in games)
    lines = run("hitblow", "store", path).stdout.splitlines()
    assert lines[0] == "Race store: 2 digits of 0123, all different"
    assert f"{games[0]['sets']} candidate sets, {games[0]['forms']} canonical forms" in lines[1]
    assert run("hitblow", "store", path, "--format", "html", "--output", str(page)).exit_code == 0
    assert all(line in page.read_text(encoding="utf-8") for line in lines)


def test_race_store_refuses_merge_and_cells(begun: str, tmp_path: Path):
    sample = Path(__file__).parents[1] / "hitblow/race/public/sample.store"
    race = str(shutil.copy(sample, tmp_path / "race.store"))
    for arguments, said in (
        (("merge", race, race, "--output", f"{begun}.both"), "expected two stores of proofs"),
        (("merge", begun, race, "--output", f"{begun}.both"), "expected two stores of proofs"),
        ((race, "--format", "cells"), "no proven cells"),
    ):
        result = run("hitblow", "store", *arguments)
        assert (result.exit_code, result.stdout, said in result.stderr) == (2, "", True)
        assert result.stderr.count("\n") == 1
