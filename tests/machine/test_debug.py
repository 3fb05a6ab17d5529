"""Bounds checks of arrays, which exist in debug builds only."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.machine.made import compiled, library_of

from yomikiri.machine.compiler.__main__ import DEBUG
from yomikiri.machine.shared_words import read, write
from yomikiri.machine.vectors import blank, load, nonzero_words, store

ROOT = Path(__file__).parent.parent.parent
Line = Annotated[NDArray[np.uint64], "words"]
Table = Annotated[NDArray[np.uint64], "rows", "columns"]


def take(words: Line, at: int) -> np.uint64:
    word: np.uint64 = words[at]
    return word


def put(words: Line, at: int) -> None:
    words[at] = np.uint64(7)


def take_eight(words: Line, at: int) -> int:
    return nonzero_words(load(words, at))


def put_eight(words: Line, at: int) -> None:
    store(words, at, blank())


def take_shared(words: Table, at: int) -> np.uint64:
    return read(words, at, 0)


def put_shared(words: Table, at: int) -> None:
    write(words, at, 0, np.uint64(7))


@pytest.mark.parametrize("kernel", [take, put, take_eight, put_eight, take_shared, put_shared])
def test_out_of_bounds_access_in_a_debug_build_is_an_error(kernel: Callable[..., Any]) -> None:
    checked = compiled(kernel, debug=True)
    words = np.zeros((10, 1) if kernel in (take_shared, put_shared) else 10, dtype=np.uint64)
    last = 2 if kernel in (take_eight, put_eight) else 9
    for at in (0, last):
        checked(words, at)
    for at in (last + 1, 10, -11, 1 << 40):
        with pytest.raises(SystemError, match="a kernel ended with status"):
            checked(words, at)


@pytest.mark.parametrize("lines", [False, True])
def test_library_contains_line_numbers_on_request(lines: bool, tmp_path: Path) -> None:
    library = library_of(take, tmp_path, debug=True, lines=lines)
    assert (b".debug_line" in library.read_bytes()) is lines


# Tests that the debug build does not run, because other tests call the same kernels.
LEFT_OUT = [
    "tests/hitblow/search/proof",
    *(f"tests/hitblow/search/test_{name}.py" for name in ("plain", "position", "published_totals", "solve", "stopped")),
    *(f"tests/hitblow/race/public/test_{name}.py" for name in ("played", "pruning")),
    *(f"tests/tictactoe/search/test_{name}.py" for name in ("margins", "rules")),
]


def in_debug_build(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the library of the debug build."""
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=ROOT, check=False,
        env={**os.environ, "YOMIKIRI_KERNELS": str(DEBUG)},
    )  # fmt: skip


@pytest.mark.release
def test_searches_stay_within_their_arrays() -> None:
    """The test runs the tests of the searches with the debug build, which takes some minutes.

    Run it by its name after a change of a kernel.
    """
    build = subprocess.run(
        [sys.executable, "-m", "yomikiri.machine.compiler", "--debug"], capture_output=True, text=True, check=False
    )
    assert build.returncode == 0, build.stderr
    beyond = in_debug_build(
        "-c",
        "import numpy as np; from yomikiri.guessing.kernels.transposition_table import find; "
        "find(np.zeros((0, 4), 'Q'), 5, 5)",
    )
    assert "SystemError: a kernel ended with status" in beyond.stderr
    searches = (
        *("tests/guessing", "tests/hitblow/search", "tests/hitblow/race"),
        *("tests/tictactoe/search", "tests/tictactoe/test_sums.py"),
    )
    assert all((ROOT / path).exists() for path in LEFT_OUT)
    done = in_debug_build("-m", "pytest", *searches, *(f"--ignore={path}" for path in LEFT_OUT))
    assert done.returncode == 0, done.stdout[-10_000:]
