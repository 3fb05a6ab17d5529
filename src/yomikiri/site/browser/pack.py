"""Compile the files of `/work/files/app` and `/work/files/numpy`, and write each folder as one file, for `pack.mjs`.

Such a file is called a pack. It contains the length of a JSON text in 4 bytes, this text with the names and sizes of
the files, and the contents of the files. The standard library of Python is also compiled, without the modules that no
page uses. It remains a ZIP archive, because Python starts from this archive.
"""

from __future__ import annotations

import importlib.util
import json
import marshal
import struct
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

# These modules stay source code, because anyio reads its own source to import its names on first use.
AS_SOURCE = {"anyio/__init__.py", "anyio/abc/__init__.py"}
# Modules of the standard library that no page uses: for terminals, servers, tests and other programs.
UNUSED = [
    "_pydecimal",
    "_pyio",
    "_pyrepl",
    "bdb",
    "cProfile",
    "cmd",
    "code",
    "configparser",
    "curses",
    "dbm",
    "difflib",
    "doctest",
    "ensurepip",
    "filecmp",
    "fileinput",
    "ftplib",
    "getopt",
    "idlelib",
    "imaplib",
    "lib2to3",
    "mailbox",
    "modulefinder",
    "multiprocessing",
    "netrc",
    "nturl2path",
    "optparse",
    "pdb",
    "pickletools",
    "plistlib",
    "poplib",
    "profile",
    "pstats",
    "pty",
    "pyclbr",
    "pydoc",
    "pydoc_data",
    "rlcompleter",
    "sched",
    "shelve",
    "smtplib",
    "socketserver",
    "sqlite3",
    "statistics",
    "tarfile",
    "telnetlib",
    "timeit",
    "tkinter",
    "tomllib",
    "trace",
    "turtle",
    "turtledemo",
    "unittest",
    "venv",
    "wave",
    "webbrowser",
    "wsgiref",
    "xml",
    "xmlrpc",
    "zipapp",
]
ENCODINGS = [
    "__init__",
    "aliases",
    "ascii",
    "cp437",
    "idna",
    "latin_1",
    "punycode",
    "raw_unicode_escape",
    "unicode_escape",
    "utf_16",
    "utf_16_be",
    "utf_16_le",
    "utf_32",
    "utf_8",
    "utf_8_sig",
]


def compiled(source: bytes, name: str, root: str = "/lib/app") -> bytes:
    """Return the content of a `.pyc` file without asserts and docstrings. Python never checks it against the source."""
    code = compile(source, f"{root}/{name}", "exec", dont_inherit=True, optimize=2)
    return importlib.util.MAGIC_NUMBER + struct.pack("<I", 1) + importlib.util.source_hash(source) + marshal.dumps(code)


def pack(folder: Path, target: Path) -> None:
    """Write all files of a folder as one pack, a file with their names, sizes and contents.

    Python modules are compiled.
    """
    index, data = [], []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name, content = str(path.relative_to(folder)), path.read_bytes()
        if name.endswith(".py") and name not in AS_SOURCE:
            name, content = f"{name}c", compiled(content, name)
        index.append([name, len(content)])
        data.append(content)
    head = json.dumps(index).encode()
    target.write_bytes(struct.pack("<I", len(head)) + head + b"".join(data))


def cut(library: Path, target: Path) -> None:
    """Write the modules of the standard library that pages use, compiled, into the archive `target`.

    The archive is not compressed, because it is compressed later as a whole.
    """
    with ZipFile(library) as whole, ZipFile(target, "w") as archive:
        for name in sorted(name for name in whole.namelist() if not name.endswith("/")):
            first, _, rest = name.partition("/")
            if first.removesuffix(".py") in UNUSED:
                continue
            if first == "encodings" and rest.removesuffix(".py") not in ENCODINGS:
                continue
            content = whole.read(name)
            if name.endswith(".py"):
                name, content = f"{name}c", compiled(content, name, "/lib/python_stdlib.zip")
            archive.writestr(ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, ZIP_STORED)


cut(Path("/work/library.zip"), Path("/work/python_stdlib.zip"))
for each in ("app", "numpy"):
    pack(Path("/work", "files", each), Path("/work", each))
