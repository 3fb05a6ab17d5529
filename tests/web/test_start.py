"""Starting the page: nothing heavy is loaded, and where it listens."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.web.client import get

from yomikiri.hitblow.search.engine import compile_kernels
from yomikiri.web import limits
from yomikiri.web.serve import EVERYWHERE, LOOPBACK, endpoint

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


def test_without_being_asked_it_listens_on_this_machine_alone():
    where = endpoint(lan=False)
    assert where.host == LOOPBACK
    assert not where.any_address


def test_asked_for_the_network_it_listens_there():
    where = endpoint(lan=True)
    assert where.host == EVERYWHERE
    assert where.any_address


def test_while_the_search_is_compiled_nobody_waits(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("yomikiri.numba_support.kernel_cache.Part.compiled", lambda _part: False)
    off_the_book = "/hitblow?turn=345:0H1B&turn=012:0H1B"
    assert "Not proven: a good guess for now" in get(off_the_book).text
    assert "Ask again in a moment" in get("/hitblow?turn=012:0H1B&compare=1").text
    assert get(f"{off_the_book}&guess=678").status == 200
    assert get("/match?me=345:0H1B&they=678:0H0B&me=012:0H1B&they=901:0H1B").status == 200


def test_a_search_that_takes_too_long_leaves_a_good_guess(monkeypatch: pytest.MonkeyPatch):
    compile_kernels()
    monkeypatch.setattr(limits, "SECONDS", -1.0)
    assert "Not proven: the best guess found in the time given." in get("/hitblow?preset=bulls&absent=9").text
