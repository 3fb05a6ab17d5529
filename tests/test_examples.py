"""The examples run, and say what their pages show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = {"learner.py": ("50",), "referee.py": ("1",)}


def example(name: str, *arguments: str) -> str:
    command = [sys.executable, f"examples/{name}", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name: str):
    assert example(name, *EXAMPLES[name])


def test_every_example_is_run():
    assert {path.name for path in (ROOT / "examples").glob("*.py")} == set(EXAMPLES)


@pytest.mark.exhaustive
def test_the_learner_prints_what_the_page_shows():
    block = re.search(r"```\n(random.*?)```", (ROOT / "docs/environments.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block
    assert example("learner.py") == block[1]
