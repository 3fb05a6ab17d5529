"""Separation of benchmarks and tests, and the tables that a benchmark prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_no_test_imports_a_benchmark():
    for path in (ROOT / "tests").rglob("*.py"):
        assert not re.search(r"^\s*(from|import) benchmarks\b", path.read_text(encoding="utf-8"), re.MULTILINE), path


@pytest.mark.parametrize(
    "first", [pytest.param("me", marks=pytest.mark.exhaustive), pytest.param("opponent", marks=pytest.mark.release)]
)
def test_tables_of_the_match_page_agree_with_played_matches(first: str):
    subprocess.run([sys.executable, "benchmarks/hitblow_ways.py", "--check", "--first", first], cwd=ROOT, check=True)
