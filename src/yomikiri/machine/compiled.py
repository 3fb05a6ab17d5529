"""Where compiled kernels are kept, and whether they are there: answered without loading numba.

Nobody waits for the compiler: where the kernels are not compiled yet, `compile_behind` starts a process that does it,
and whoever wanted to search goes on without until `compiled` says so.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

_SHARED = Path(__file__).parent
# A compiler that was killed leaves its mark behind; after so many seconds another may start.
_GIVEN_UP = 300


@dataclass(frozen=True, slots=True)
class Kernels:
    """The kernels of one folder of the package."""

    source: Path
    """The folder."""
    above: frozenset[str]
    """Its files that no kernel depends on."""
    compiler: str
    """The statements that compile every kernel, or load it."""

    def cache_folder(self) -> Path:
        """Where they are kept: in what NUMBA_CACHE_DIR names, else beside the source, else with the user's caches.

        A folder for each state of the kernels: numba sees a change of a kernel's own file, but not of the kernels it
        calls.
        """
        return _cache_folder(self)

    def compiled(self) -> bool:
        """Whether loading the kernels is quick: they were compiled by this Python and numba, and kept."""
        return self._mark().exists()

    def note_compiled(self) -> None:
        """Note that all kernels are compiled and kept; a folder that cannot be written keeps nothing."""
        try:
            self.cache_folder().mkdir(parents=True, exist_ok=True)
            self._mark().touch()
        except OSError:
            return

    def compile_behind(self) -> None:
        """Start a process that compiles the kernels and outlives this one, unless one is at it."""
        import subprocess

        begun = self.cache_folder() / "begun"
        try:
            self.cache_folder().mkdir(parents=True, exist_ok=True)
            if begun.exists() and time.time() - begun.stat().st_mtime < _GIVEN_UP:
                return
            begun.touch()
            subprocess.Popen(
                [sys.executable, "-c", self.compiler],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            return  # nothing can be kept here, so nothing is compiled ahead

    def _mark(self) -> Path:
        from importlib.metadata import version

        return self.cache_folder() / f"compiled-{sys.implementation.cache_tag}-numba-{version('numba')}"


@cache
def _cache_folder(kernels: Kernels) -> Path:
    folder = kernels.source
    files = [path for path in sorted(folder.glob("*.py")) if path.name not in kernels.above]
    sources = b"".join(path.read_bytes() for path in (*sorted(_SHARED.glob("*.py")), *files))
    name = f"kernels-{sha256(sources).hexdigest()[:16]}"
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named) / name
    if os.access(folder, os.W_OK):
        return folder / "__pycache__" / name
    from platformdirs import user_cache_path

    return user_cache_path("yomikiri", appauthor=False) / name
