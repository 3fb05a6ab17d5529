"""Where the kernels of Hit & Blow are kept, and those that the search needs (see `numba_support.kernel_cache`)."""

from __future__ import annotations

from pathlib import Path

from yomikiri.errors import N_
from yomikiri.numba_support.kernel_cache import Kernels, Part

KERNELS = Kernels(
    Path(__file__).parent.parent,
    files=("search/*.py", "race/**/*kernels.py", "race/**/kernels/*.py"),
    above=frozenset(
        {
            *("__init__.py", "kernels_ahead.py", "engine.py", "grow.py", "solve.py", "split.py"),
            *("moves.py", "plain.py", "position.py"),
        }
    ),
)
ENGINE = Part(KERNELS, "yomikiri.hitblow.search.engine", N_("the exact search of Hit & Blow"), 30)
