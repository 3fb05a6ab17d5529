"""Tables as bytes, for files that are read again: a store, and what comes with the program.

    yomikiri race tables, format 1      whose file it is
    3 10 none                           what the tables are about
    set_name <u8 2 6126 5e88...         a part: name, dtype, shape of a row, rows, SHA-256
    ...
    96a2...                             SHA-256 of all text before
    (bytes)                             the parts, one after another, and nothing after them

Every byte is under a digest, so that a file is read as it was written or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

FORMAT = 1
"""Raise it when the same bytes would mean something else: another order of hints, other names of sets, another pace."""

_MAGIC = f"yomikiri race tables, format {FORMAT}\n"
_LONGEST = 200  # bytes in a line of text

Arrays: TypeAlias = dict[str, NDArray[Any]]


def chunks(about: str, arrays: Mapping[str, NDArray[Any]]) -> Iterator[bytes | memoryview]:
    """The bytes of a file: the text, then each array."""
    rows = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    parts = (f"{_kind(name, array)} {len(array)} {sha256(array.data).hexdigest()}\n" for name, array in rows.items())
    text = f"{_MAGIC}{about}\n{''.join(parts)}".encode()
    yield text
    yield f"{sha256(text).hexdigest()}\n".encode()
    yield from (array.data for array in rows.values() if array.size)


def read(file: BinaryIO, about: str, like: Mapping[str, NDArray[Any]]) -> Arrays:
    """The arrays of a file about just that, of the names, dtypes and row shapes of `like`.

    Raises `ValueError` for anything else, `OSError` if it cannot be read.
    """
    head = file.readline(_LONGEST) + file.readline(_LONGEST)
    if head != f"{_MAGIC}{about}\n".encode():
        raise ValueError("other tables, or none at all")
    lines = [file.readline(_LONGEST) for _ in like]
    digest = sha256(head + b"".join(lines)).hexdigest()
    if file.readline(_LONGEST) != f"{digest}\n".encode():
        raise ValueError("damaged")
    arrays: Arrays = {}
    for (name, array), line in zip(like.items(), lines, strict=True):
        kind, rows, digest = line.decode().rsplit(maxsplit=2)
        if kind != _kind(name, array):
            raise ValueError("other parts")
        row = array.dtype.itemsize * int(np.prod(array.shape[1:]))
        part = file.read(int(rows) * row)
        if sha256(part).hexdigest() != digest:
            raise ValueError("damaged")
        arrays[name] = np.frombuffer(part, array.dtype).reshape(-1, *array.shape[1:])
    if file.read(1):
        raise ValueError("more than the tables")
    return arrays


def _kind(name: str, array: NDArray[Any]) -> str:
    return f"{name} {array.dtype.str} {'x'.join(map(str, array.shape[1:])) or 1}"
