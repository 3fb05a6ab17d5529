"""The runtime fetched from where the Pyodide project publishes it, once, by digests that are written down here."""

from __future__ import annotations

import json
import urllib.request
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from yomikiri.errors import N_, InputError
from yomikiri.site.runtime import LIBRARY, LOCK, PROGRAM, TRIED, unwritable

PUBLISHED = f"https://cdn.jsdelivr.net/pyodide/v{TRIED}/full/"
"""The address that Pyodide itself fetches its packages from."""

# The SHA-256 of the files of that version, as `npm pack` brings them; its lock has the one of its NumPy.
DIGESTS = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    PROGRAM: "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    LIBRARY: "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    LOCK: "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
_SECONDS = 60  # without a byte


def fetch_runtime(folder: Path, published: str = PUBLISHED) -> None:
    """Write the files of the runtime into a new folder, all of them or none.

    Raises an `InputError` that names what cannot be fetched, or is not what was expected.
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
    """What is published there."""
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:
            content = bytes(answer.read())
    except (OSError, ValueError) as error:  # a URLError is an OSError
        reason = str(getattr(error, "reason", error))
        raise InputError(N_("{given} cannot be fetched: {reason}"), given=address, reason=reason) from error
    if sha256(content).hexdigest() != digest:
        raise InputError(
            N_("{given} is not what was expected: another SHA-256 than {expected}"), given=address, expected=digest
        )
    return content
