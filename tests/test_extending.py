"""Tests of the worked example in docs/reference/extending.md, which runs outside this repository."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests import outside

PAGE = (Path(__file__).parent.parent / "docs/reference/extending.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE, re.DOTALL))
PRINTED, STARTED = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
LINES = 40  # longest file of the example


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the files of the example."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def output(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=outside.environment(LANGUAGE="en"), text=True, capture_output=True,
        check=False, timeout=300,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


def test_worked_example_prints_the_output_on_the_page(folder: Path):
    assert output(folder, "main.py") == PRINTED


def test_commands_accept_the_new_kind_of_fact(folder: Path):
    command, *shown = STARTED.splitlines()
    assert output(folder, *command.removeprefix("$ python ").split()).splitlines()[: len(shown)] == shown


@pytest.mark.parametrize("name", FILES)
def test_files_of_the_example_are_short_and_import_public_names_only(name: str):
    assert len(FILES[name].splitlines()) < LINES
    own = {file.removesuffix(".py") for file in FILES}
    for node in ast.walk(ast.parse(FILES[name])):
        if isinstance(node, ast.ImportFrom):
            assert node.module in {"yomikiri.hitblow", "yomikiri.hitblow.policies", "dataclasses", "collections"} | own
        elif isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= own | {"runpy"}
