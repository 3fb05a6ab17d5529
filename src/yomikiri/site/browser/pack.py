"""Compile every file of `/work/app` and `/work/numpy`, and write each folder as one file: what `pack.mjs` runs.

A pack is a length of 4 bytes, a list of names and sizes as JSON, and the files one after another.
"""

from __future__ import annotations

import importlib.util
import json
import marshal
import struct
from pathlib import Path

# Its names are imported late, by reading its own source.
AS_SOURCE = {"anyio/__init__.py", "anyio/abc/__init__.py"}


def compiled(source: bytes, name: str) -> bytes:
    """The bytecode of a module, without asserts and docstrings, as a file that is never compared with its source."""
    code = compile(source, f"/lib/app/{name}", "exec", dont_inherit=True, optimize=2)
    return importlib.util.MAGIC_NUMBER + struct.pack("<I", 1) + importlib.util.source_hash(source) + marshal.dumps(code)


def pack(folder: Path, target: Path) -> None:
    """Write a folder as one file."""
    index, data = [], []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name, content = str(path.relative_to(folder)), path.read_bytes()
        if name.endswith(".py") and name not in AS_SOURCE:
            name, content = f"{name}c", compiled(content, name)
        index.append([name, len(content)])
        data.append(content)
    head = json.dumps(index).encode()
    target.write_bytes(struct.pack("<I", len(head)) + head + b"".join(data))


for each in ("app", "numpy"):
    pack(Path("/work", each), Path("/work", f"{each}.bin"))
