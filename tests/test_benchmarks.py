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


@pytest.mark.exhaustive
def test_tables_of_the_match_page_agree_with_played_matches():
    subprocess.run([sys.executable, "benchmarks/hitblow_ways.py", "--check"], cwd=ROOT, check=True)
