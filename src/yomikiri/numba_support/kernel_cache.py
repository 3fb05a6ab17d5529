"""Where compiled kernels are kept, and whether they are there: answered without loading numba.

Machine code is kept with the user's caches (or where NUMBA_CACHE_DIR says), in a folder that is named by all that
decides what the code is: the text of the kernels, this Python, numba, the processor and numba's settings. So copies of
the program share it wherever they stand, and nothing is used that was made from another text. Each file begins with a
digest of its name and the rest; one that is damaged, or another's, counts as missing, and is written again
when its kernel is next used. A folder that nothing was loaded from for a month goes when a new one is made.

Nobody waits for the compiler: where the kernels are not compiled yet, `compile_behind` starts a process that does it,
and the caller goes on without it until `compiled` says so.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path

from yomikiri.budget import notice
from yomikiri.errors import N_

_SHARED = Path(__file__).parent
# Of the files there, those that kernels are made from.
_DECIDING = ("bits.py", "jit.py", "shared_words.py", "values.py", "vectors.py")
_DIGEST = sha256().digest_size
_used: defaultdict[Kernels, set[str]] = defaultdict(set)  # names of the code that this process loaded or kept
_loaded: set[Part] = set()  # in this process: whatever becomes of their files
# A compiler that was killed leaves its mark behind; after so many seconds another may start.
_GIVEN_UP = 300
_STALE = 30 * 86_400


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
        """Where their code is kept; it need not exist."""
        return _root() / f"kernels-{_digest_of(self)}"

    def load(self, name: str) -> bytes | None:
        """The code that was kept under a name; None if there is none, or not whole."""
        code = _read(self.cache_folder() / name)
        if code is not None:
            _used[self].add(name)
        return code

    def keep(self, name: str, code: bytes) -> None:
        """Keep code under a name; where nothing can be written, nothing is kept."""
        _write(self.cache_folder() / name, code)
        _used[self].add(name)


@dataclass(frozen=True, slots=True)
class Part:
    """Kernels that are compiled together, by a function of a module; the two name the part."""

    kernels: Kernels
    module: str
    what: str = "kernels"
    """What is compiled, for people."""
    seconds: int = 1
    """What compiling takes about, in CPU time."""
    function: str = "compile_kernels"
    """What compiles them."""

    @property
    def _name(self) -> str:
        return f"{self.module}.{self.function}"

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Around the first use of each kernel: gives notice where that compiles them, and notes in the end that it is
        done."""
        if not self.compiled():
            self.announce()
        yield
        self.note_compiled()
        _loaded.add(self)

    def announce(self) -> None:
        """Give notice that the part is being compiled."""
        text = N_("Compiling {what}, once on this machine: about {seconds} s.")
        notice(text, what=self.what, seconds=self.seconds)

    @property
    def command(self) -> list[str]:
        """The command that compiles it."""
        return [sys.executable, "-c", f"from {self.module} import {self.function}; {self.function}()"]

    def compile(self) -> None:
        """Compile the part, or load it, in this process."""
        getattr(import_module(self.module), self.function)()

    def compiled(self) -> bool:
        """Whether the kernels are at hand: loaded, or quick to load, all of their code being kept and whole."""
        if self in _loaded:
            return True
        folder = self.kernels.cache_folder()
        names = _read(folder / f"{self._name}.part")
        return names is not None and all(_read(folder / name) is not None for name in names.decode().split())

    def note_compiled(self) -> None:
        """Note that the part is compiled: its code is among what this process has loaded or kept."""
        folder = self.kernels.cache_folder()
        if not self.compiled():
            _write(folder / f"{self._name}.part", "\n".join(sorted(_used[self.kernels])).encode())
        with suppress(OSError):
            os.utime(folder)  # used today: see `_make`

    def compile_behind(self) -> None:
        """Start a process that compiles the kernels and outlives this one, unless one is at it."""
        import subprocess

        folder = self.kernels.cache_folder()
        begun = folder / f"{self._name}.begun"
        try:
            _make(folder)
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


def clear() -> int:
    """Remove all machine code that was kept, also that of other versions; how many bytes it was."""
    removed = 0
    for folder in _root().glob("kernels-*"):
        removed += sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        shutil.rmtree(folder, ignore_errors=True)
    return removed


def _read(path: Path) -> bytes | None:
    """What `_write` kept in a file; None if it is not there, cannot be read or is damaged."""
    try:
        kept = path.read_bytes()
    except OSError:
        return None
    return kept[_DIGEST:] if kept[:_DIGEST] == _digest(path, kept[_DIGEST:]) else None


def _write(path: Path, data: bytes) -> None:
    """Keep data in a file, whole or not at all; where nothing can be written nothing is kept."""
    try:
        _make(path.parent)
        number, name = tempfile.mkstemp(dir=path.parent, suffix=".new")
        try:
            with open(number, "wb") as file:
                file.write(_digest(path, data) + data)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
    except OSError:
        return


def _digest(path: Path, data: bytes) -> bytes:
    return sha256(f"{path.parent.name}/{path.name}\n".encode() + data).digest()


def _make(folder: Path) -> None:
    """Make a folder if it is not there, and remove those that have not been used for long.

    Whoever uses one all the same finds its code missing, as on a new machine, and what is loaded stays loaded.
    """
    if folder.is_dir():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for other in _root().glob("kernels-*"):
        with suppress(OSError):
            if time.time() - other.stat().st_mtime > _STALE:
                shutil.rmtree(other)


def _root() -> Path:
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("yomikiri", appauthor=False)


@cache
def _digest_of(kernels: Kernels) -> str:
    """A name for all that decides what the code of these kernels is."""
    digest = sha256("\n".join(_machine()).encode())
    for path in (*(_SHARED / name for name in _DECIDING), *kernels.sources()):
        digest.update(f"\n{path.name} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _machine() -> list[str]:
    """This Python, numba with its settings, and the processor."""
    from importlib.metadata import version

    return [sys.version, sys.platform, version("numba"), *_settings(), *_processor()]


def _settings() -> list[str]:
    """The settings of numba, any of which may change what it makes."""
    names = sorted(name for name in os.environ if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR")
    return [f"{name}={os.environ[name]}" for name in names]


def _processor() -> list[str]:
    """What tells this processor's instructions from another's; compiled code is made for exactly one kind."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = file.read(8192).split("\n\n")[0].splitlines()
    except OSError:
        return [platform.machine(), platform.processor()]
    kinds = ("vendor_id", "cpu family", "model", "stepping", "flags", "CPU ", "Features")
    return [platform.machine(), *(line for line in lines if line.startswith(kinds))]
