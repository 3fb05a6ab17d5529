"""The output of the examples, compared with their docstrings and with the documentation."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from yomikiri.hitblow.model.facts import FACT_KINDS

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PROGRAMS = {"learner.py": ("10",), "referee.py": ("1",)}
"""Examples that need an argument and more time. The others print the output in their docstring."""


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in EXAMPLES if path.name not in PROGRAMS], ids=lambda path: path.stem)
def test_example_prints_the_output_in_its_docstring(path: Path, capsys: pytest.CaptureFixture[str]):
    try:
        shown = runpy.run_path(str(path), run_name="__main__")["__doc__"].partition("\n\n")[2]
    finally:
        FACT_KINDS.pop("sum", None)
    assert capsys.readouterr().out == dedent(shown)


def program(name: str, *arguments: str) -> str:
    command = [sys.executable, f"examples/{name}", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["referee.py", pytest.param("learner.py", marks=pytest.mark.exhaustive)])
def test_example_program_runs(name: str):
    assert program(name, *PROGRAMS[name])


@pytest.mark.exhaustive
def test_learner_prints_the_documented_output():
    block = re.search(
        r"```\n(random.*?)```", (ROOT / "docs/reference/environments.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert block
    assert program("learner.py") == block[1]
