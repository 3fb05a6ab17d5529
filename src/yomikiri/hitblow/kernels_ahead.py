"""The kernels of Hit & Blow: what declares them, where they are kept, and those that are compiled together.

Loads no compiler (see `numba_support.kernel_cache`) but where a kernel is declared.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from yomikiri.errors import N_
from yomikiri.numba_support.kernel_cache import Kernels, Part

F = TypeVar("F", bound=Callable[..., Any])

KERNELS = Kernels(
    Path(__file__).parent,
    files=("rules.py", "search/*.py", "race/*_kernels.py", "race/public/*.py"),
    above=frozenset(
        {
            *("__init__.py", "engine.py", "plain.py", "position.py", "shared.py", "solve.py", "uneven.py"),
            *("race.py", "store.py", "stored_tables.py", "worths.py"),
        }
    ),
)
ENGINE = Part(KERNELS, "yomikiri.hitblow.search.engine", N_("the exact search of Hit & Blow"), 30)
UNEVEN = Part(KERNELS, "yomikiri.hitblow.search.uneven", N_("the search for secrets that are not equally likely"), 8)
RACE = Part(KERNELS, "yomikiri.hitblow.race.public.race", N_("the search of the race"), 20)
WEIGHING = Part(KERNELS, "yomikiri.hitblow.race.depth_weighted", N_("the search of a match"), 5)


def kernel(function: F) -> F:
    """The decorator of every kernel of Hit & Blow."""
    from yomikiri.numba_support.jit import kernel_of

    return kernel_of(KERNELS)(function)
