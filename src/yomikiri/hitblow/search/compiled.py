"""Where compiled kernels are kept, and whether they are there: answered without loading numba.

Nobody waits for the compiler: where the kernels are not compiled yet, `compile_behind` starts a process that does it,
and whoever wanted to search goes on without until `compiled` says so. Kernels are compiled in parts, each by the
function `compile_kernels` of a module, which names the part.
"""

from __future__ import annotations

import os
import sys
import time
from functools import cache
from hashlib import sha256
from pathlib import Path

ENGINE = "yomikiri.hitblow.search.engine"  # compiles the kernels of this folder

_HERE = Path(__file__).parent
_RACE = _HERE.parent / "race"
# No kernel depends on these.
_ABOVE = {"__init__.py", "compiled.py", "engine.py", "grow.py", "moves.py", "solve.py", "split.py"}
# A compiler that was killed leaves its mark behind; after so many seconds another may start.
_GIVEN_UP = 300


def _sources() -> list[Path]:
    """The files that kernels depend on: here, and those of the race, named `kernels` or in a folder of that name."""
    here = [path for path in _HERE.glob("*.py") if path.name not in _ABOVE]
    return sorted([*here, *_RACE.rglob("*kernels.py"), *_RACE.rglob("kernels/*.py")])


@cache
def cache_folder() -> Path:
    """Where compiled kernels are kept: what NUMBA_CACHE_DIR names, else beside the source, else with the user's caches.

    A folder for each state of the kernels: numba sees a change of a kernel's own file, but not of the kernels it calls.
    """
    name = f"kernels-{sha256(b''.join(path.read_bytes() for path in _sources())).hexdigest()[:16]}"
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named) / name
    if os.access(_HERE, os.W_OK):
        return _HERE / "__pycache__" / name
    from platformdirs import user_cache_path

    return user_cache_path("yomikiri", appauthor=False) / name


def _mark(part: str) -> Path:
    from importlib.metadata import version

    return cache_folder() / f"{part}-compiled-{sys.implementation.cache_tag}-numba-{version('numba')}"


def compiled(part: str = ENGINE) -> bool:
    """Whether loading the kernels of a part is quick: they were compiled by this Python and numba, and kept."""
    return _mark(part).exists()


def note_compiled(part: str = ENGINE) -> None:
    """Note that all kernels of a part are compiled and kept; a folder that cannot be written keeps nothing."""
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        _mark(part).touch()
    except OSError:
        return


def compile_behind(part: str = ENGINE) -> None:
    """Start a process that compiles the kernels of a part and outlives this one, unless one is at it."""
    import subprocess

    begun = cache_folder() / f"{part}-begun"
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        if begun.exists() and time.time() - begun.stat().st_mtime < _GIVEN_UP:
            return
        begun.touch()
        subprocess.Popen(
            [sys.executable, "-c", f"from {part} import compile_kernels; compile_kernels()"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return  # nothing can be kept here, so nothing is compiled ahead
