"""The page as a whole: its start loads nothing heavy."""

from __future__ import annotations

import subprocess
import sys

LOADED = """
import sys
from tests.web.client import get
assert get("/").status == 200
assert get("/hitblow?turn=012:0H1B").status == 200
assert get("/tictactoe?random=edge").status == 303
assert get("/tictactoe?board=0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0&line=4").status == 200
assert get("/api/v1/openapi.json").status == 200
print(*sorted({"numba", "highspy", "rich"} & set(sys.modules)))
"""


def test_neither_the_start_nor_play_by_the_book_nor_tic_tac_toe_loads_anything_heavy():
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
