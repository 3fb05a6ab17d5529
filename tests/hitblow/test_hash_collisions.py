"""The hashes of the searches have no collisions in random small games."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.slow
@pytest.mark.parametrize("searches", [3, pytest.param(12, marks=pytest.mark.release)])
def test_hashes_have_no_collisions(searches: int) -> None:
    command = [sys.executable, "-m", "tests.hitblow.hash_collisions", "3", str(searches)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    named = dict(line.rsplit(": ", 1) for line in done.stdout.splitlines())
    kinds = {"forms", "guesses of a race", "guesses of a race, left out", "options", "partitions", "node ids"}
    kinds |= {"sets", "sets by depth", "sets by their turns"}
    assert kinds <= set(named)
    assert all(int(named[kind].replace(",", "")) > 5 for kind in kinds)
