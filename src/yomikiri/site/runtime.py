"""The runtime of a site: a folder with Pyodide, which runs Python in a browser, and a NumPy built for Pyodide.

The files are downloaded once from the address where the Pyodide project publishes them. Their digests are checked.
"""

from __future__ import annotations

import json
import urllib.request
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

from yomikiri.common.errors import N_, InputError

SCRIPTS = ("pyodide.mjs", "pyodide.asm.mjs")
PROGRAM = "pyodide.asm.wasm"
LIBRARY = "python_stdlib.zip"
LOCK = "pyodide-lock.json"
TRIED = "314.0.7"  # the tested version of Pyodide

PUBLISHED = f"https://cdn.jsdelivr.net/pyodide/v{TRIED}/full/"
"""The address from which Pyodide itself downloads its packages."""

# The SHA-256 of each file in the npm package of this version. The lock file contains the SHA-256 of NumPy.
DIGESTS = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    PROGRAM: "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    LIBRARY: "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    LOCK: "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
_SECONDS = 60  # a download fails after this time without a byte


@dataclass(frozen=True, slots=True)
class Runtime:
    """A folder with the files of Pyodide. `numpy` is the path of the NumPy wheel in it."""

    folder: Path
    numpy: Path
    lock: dict[str, str]
    """Metadata from the lock file of Pyodide, such as the version of Python and the platform."""

    @property
    def python(self) -> str:
        """The version of Python in Pyodide."""
        return self.lock["python"]


def runtime_in(folder: Path) -> Runtime:
    """Return the runtime in a folder. Raises an `InputError` that names a missing or damaged file."""
    for name in (*SCRIPTS, PROGRAM, LIBRARY, LOCK):
        if not (folder / name).is_file():
            raise InputError(
                N_(
                    "{given} has no {name}: expected the files of Pyodide, such as those from `npm pack "
                    "pyodide@{tried}`"
                ),
                given=str(folder),
                name=name,
                tried=TRIED,
            )
    try:
        lock = {str(name): str(value) for name, value in json.loads((folder / LOCK).read_bytes())["info"].items()}
        tag = "cp{}{}".format(*lock["python"].split(".")[:2])
    except (ValueError, LookupError, AttributeError, TypeError):
        raise InputError(
            N_("{given} is damaged: expected the file that comes with Pyodide"), given=str(folder / LOCK)
        ) from None
    wheels = sorted(folder.glob(f"numpy-*-{tag}-{tag}-*wasm32.whl"))
    if not wheels:
        raise InputError(
            N_("{given} has no {name}: expected the NumPy built for this Pyodide"),
            given=str(folder),
            name=f"numpy-*-{tag}-{tag}-*wasm32.whl",
        )
    return Runtime(folder, wheels[-1], lock)


def unwritable(folder: Path, error: OSError) -> InputError:
    """Return the error for a folder that cannot be written. It contains the reason from the operating system."""
    return InputError(N_("{given} cannot be written: {reason}"), given=str(folder), reason=str(error))


def fetch_runtime(folder: Path, published: str = PUBLISHED) -> None:
    """Download the files of the runtime into a new folder, either all of them or none.

    Raises an `InputError` if a file cannot be downloaded or has a wrong digest, or if the folder cannot be written.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as beside:
            made = Path(beside, "runtime")
            made.mkdir()
            for name, digest in DIGESTS.items():
                (made / name).write_bytes(_fetched(published + name, digest))
            numpy = json.loads((made / LOCK).read_bytes())["packages"]["numpy"]
            (made / numpy["file_name"]).write_bytes(_fetched(published + numpy["file_name"], numpy["sha256"]))
            made.rename(folder)
    except OSError as error:
        raise unwritable(folder, error) from error


def _fetched(address: str, digest: str) -> bytes:
    """Download a file and check its SHA-256. Raises an `InputError`."""
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:
            content = bytes(answer.read())
    except (OSError, ValueError) as error:  # a URLError is an OSError
        reason = str(getattr(error, "reason", error))
        raise InputError(N_("cannot download {given}: {reason}"), given=address, reason=reason) from error
    if sha256(content).hexdigest() != digest:
        raise InputError(
            N_("{given} is not the expected file: its SHA-256 is not {expected}"), given=address, expected=digest
        )
    return content


# Parts of NumPy that only tests and builds read. The site leaves them out, except for the files in `_KEPT`.
_UNUSED_PARTS = {"tests", "f2py", "include", "_pyinstaller", "typing", "testing", "polynomial", "fft", "core", "doc"}
_UNUSED_ENDS = (".pyi", ".h", ".pxd", ".pyx", ".a", ".typed", ".pc", ".ini", ".in", ".csv", ".md", ".txt", ".toml")
_KEPT = {"numpy/typing/__init__.py", "numpy/testing/__init__.py"}


def unpack_numpy(wheel: Path, target: Path) -> str:
    """Unpack the files of a NumPy wheel that the program uses into `target`.

    Returns the text of the licences of NumPy. Raises an `InputError` if the wheel cannot be read.
    """
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
        raise InputError(N_("cannot read {given}: expected a wheel of NumPy"), given=str(wheel)) from None
