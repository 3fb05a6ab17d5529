"""Downloads of the site: tables and strategies, compared with the pages."""

from __future__ import annotations

import csv
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from yomikiri.hitblow import read_strategy, verify
from yomikiri.hitblow.strategy.strategy import Evidence

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs/assets/downloads"
AGAIN = "run python scripts/downloads.py"


def script() -> Any:
    spec = spec_from_file_location("downloads", ROOT / "scripts/downloads.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MADE = script()
GAMES = {name: (task, said) for name, task, said in MADE.games()}


def test_every_csv_file_equals_the_table_on_its_page():
    wanted = {f"{name}.csv": rows for page in MADE.PAGES for name, rows in MADE.tables(page)}
    found = {path.name: list(csv.reader(path.read_text("utf-8").splitlines())) for path in FOLDER.glob("*.csv")}
    assert found == wanted, AGAIN


def test_downloads_page_links_every_file():
    linked = re.findall(
        r"\(\.\./assets/downloads/([^)]+)\)", (ROOT / "docs/theory/downloads.md").read_text(encoding="utf-8")
    )
    assert sorted(linked) == sorted(path.name for path in FOLDER.iterdir())


def test_every_proven_total_up_to_four_digits_has_a_strategy():
    with ZipFile(FOLDER / "strategies.zip") as archive:
        assert set(archive.namelist()) == GAMES.keys(), AGAIN
    assert len(GAMES) == 113
    assert len({repr(task) for task, _said in GAMES.values()}) == len(GAMES)


@pytest.mark.parametrize("digits", [2, 3, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_strategies_are_valid_and_have_the_documented_totals(digits: int):
    with ZipFile(FOLDER / "strategies.zip") as archive:
        for name, (task, said) in GAMES.items():
            if task.rules.digits == digits:
                strategy = read_strategy(archive.read(name))
                assert strategy.task == task, name
                assert strategy.proof.kind is Evidence.OPTIMAL
                cost = verify(strategy)
                assert (str(cost.total_guesses), str(cost.max_guesses)) == (said["total"], said["max"]), AGAIN
