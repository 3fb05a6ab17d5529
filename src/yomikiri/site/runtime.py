"""What runs Python in a browser: Pyodide, and a NumPy that was built for it, in a folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from yomikiri.errors import N_, InputError

SCRIPTS = ("pyodide.mjs", "pyodide.asm.mjs")
PROGRAM = "pyodide.asm.wasm"
LIBRARY = "python_stdlib.zip"
LOCK = "pyodide-lock.json"
TRIED = "314.0.7"  # the version of Pyodide that it was tried with


@dataclass(frozen=True, slots=True)
class Runtime:
    """A folder with a runtime."""

    folder: Path
    numpy: Path
    lock: dict[str, str]
    """What Pyodide says of itself: its Python, its platform."""

    @property
    def python(self) -> str:
        """The version of Python."""
        return self.lock["python"]


def runtime_in(folder: Path) -> Runtime:
    """The runtime in a folder; raises an `InputError` that says what is missing."""
    for name in (*SCRIPTS, PROGRAM, LIBRARY, LOCK):
        if not (folder / name).is_file():
            raise InputError(
                N_("{given} has no {name}: expected the files of Pyodide, as `npm pack pyodide@{tried}` brings them"),
                given=str(folder),
                name=name,
                tried=TRIED,
            )
    try:
        lock = {str(name): str(value) for name, value in json.loads((folder / LOCK).read_bytes())["info"].items()}
        tag = "cp{}{}".format(*lock["python"].split(".")[:2])
    except (ValueError, LookupError, AttributeError, TypeError):
        raise InputError(
            N_("{given} is damaged: expected the one that belongs to Pyodide"), given=str(folder / LOCK)
        ) from None
    wheels = sorted(folder.glob(f"numpy-*-{tag}-{tag}-*wasm32.whl"))
    if not wheels:
        raise InputError(
            N_("{given} has no {name}: expected the NumPy that was built for this Pyodide"),
            given=str(folder),
            name=f"numpy-*-{tag}-{tag}-*wasm32.whl",
        )
    return Runtime(folder, wheels[-1], lock)


def unwritable(folder: Path, error: OSError) -> InputError:
    """That a folder cannot be written, by what the system said."""
    return InputError(N_("{given} cannot be written: {reason}"), given=str(folder), reason=str(error))


# What a program that only computes never reads.
_UNUSED_PARTS = {"tests", "f2py", "include", "_pyinstaller", "typing", "testing", "polynomial", "fft", "core", "doc"}
_UNUSED_ENDS = (".pyi", ".h", ".pxd", ".pyx", ".a", ".typed", ".pc", ".ini", ".in", ".csv", ".md", ".txt", ".toml")
_KEPT = {"numpy/typing/__init__.py", "numpy/testing/__init__.py"}


def unpack_numpy(wheel: Path, target: Path) -> str:
    """Write what is used of NumPy into a folder; returns its licences. Raises an `InputError`."""
    try:
        with ZipFile(wheel) as archive:
            for name in archive.namelist():
                parts = name.split("/")
                unused = _UNUSED_PARTS.intersection(parts[:-1]) or name.endswith(_UNUSED_ENDS)
                if parts[0] != "numpy" or name.endswith("/") or (unused and name not in _KEPT):
                    continue
                archive.extract(name, target)
            licences = [name for name in archive.namelist() if ".dist-info/licenses/" in name and name[-1] != "/"]
            return "\n\n".join(archive.read(name).decode() for name in licences)
    except (OSError, ValueError, BadZipFile):
        raise InputError(N_("{given} cannot be read: expected a wheel of NumPy"), given=str(wheel)) from None
