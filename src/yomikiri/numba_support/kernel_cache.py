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
    """Kernels that are kept together."""

    folder: Path
    """The folder of the package that holds them."""
    files: tuple[str, ...] = ("*.py",)
    """The files that they depend on, as patterns in that folder."""
    above: frozenset[str] = frozenset()
    """Names of files among these that no kernel depends on."""

    def sources(self) -> list[Path]:
        """The files that decide what is compiled."""
        files = {path for pattern in self.files for path in self.folder.glob(pattern)}
        return sorted(path for path in files if path.name not in self.above)

    def cache_folder(self) -> Path:
        """Where they are kept: in what NUMBA_CACHE_DIR names, else beside the source, else with the user's caches.

        A folder for each state of the kernels: numba sees a change of a kernel's own file, but not of the kernels it
        calls.
        """
        return _cache_folder(self)


@dataclass(frozen=True, slots=True)
class Part:
    """Kernels that are compiled together, by the function `compile_kernels` of a module, which names the part."""

    kernels: Kernels
    module: str

    @property
    def command(self) -> list[str]:
        """The command that compiles it."""
        return [sys.executable, "-c", f"from {self.module} import compile_kernels; compile_kernels()"]

    def compiled(self) -> bool:
        """Whether loading the kernels is quick: they were compiled by this Python and numba, and kept."""
        return self._mark().exists()

    def note_compiled(self) -> None:
        """Note that all kernels are compiled and kept; a folder that cannot be written keeps nothing."""
        try:
            self.kernels.cache_folder().mkdir(parents=True, exist_ok=True)
            self._mark().touch()
        except OSError:
            return

    def compile_behind(self) -> None:
        """Start a process that compiles the kernels and outlives this one, unless one is at it."""
        import subprocess

        folder = self.kernels.cache_folder()
        begun = folder / f"{self.module}-begun"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if begun.exists() and time.time() - begun.stat().st_mtime < _GIVEN_UP:
                return
            begun.touch()
            subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            return  # nothing can be kept here, so nothing is compiled ahead

    def _mark(self) -> Path:
        from importlib.metadata import version

        name = f"{self.module}-compiled-{sys.implementation.cache_tag}-numba-{version('numba')}"
        return self.kernels.cache_folder() / name


@cache
def _cache_folder(kernels: Kernels) -> Path:
    folder = kernels.folder
    sources = b"".join(path.read_bytes() for path in (*sorted(_SHARED.glob("*.py")), *kernels.sources()))
    name = f"kernels-{sha256(sources).hexdigest()[:16]}"
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named) / name
    if os.access(folder, os.W_OK):
        return folder / "__pycache__" / name
    from platformdirs import user_cache_path

    return user_cache_path("yomikiri", appauthor=False) / name
