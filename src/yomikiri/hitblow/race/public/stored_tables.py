"""Tables as bytes: those that come with the program.

    yomikiri race tables, format 1      whose file it is
    3 10 none                           what the tables are about
    set_name <u8 2 6126 5e88...         a part: name, dtype, shape of a row, rows, SHA-256
    ...
    96a2...                             SHA-256 of all text before
    (bytes)                             the parts, one after another, and nothing after them

Every byte is under a digest, so that a file is read as it was written or not at all.

The program brings `data/race.tables.gz`, so that the first question of a match is answered as quickly as the later
ones. The file has the sets of at least SMALLEST codes that a game of 3 of 10 can reach, with one absent digit known or
none: their names, their forms, and the options of all forms. The race works out smaller sets when it meets them. Names
are the same on every machine. `yomikiri hitblow book` makes the file again, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.hitblow.race.public.entries import measure_pace, measure_reach
from yomikiri.hitblow.race.public.tables import FORMS, RaceGame, Tables, filled, kept
from yomikiri.hitblow.rules import Rules
from yomikiri.hitblow.shipped import damaged, packed, read_shipped

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


SMALLEST = 10
STANDARD = Rules()
FILE = "race.tables.gz"

_ABOUT = "3 10 none, sets of 10 or more"
_LIKE: Arrays = {
    "set_name": np.empty((0, 2), np.uint64),
    "set_form": np.empty(0, np.uint16),
    "form_name": np.empty((0, 2), np.uint64),
    "size": np.empty(0, np.uint16),
    "first": np.empty((0, 2), np.int32),
    "hit": np.empty(0, np.uint8),
    "cells": np.empty(0, np.uint8),  # of each option; `begin` has their sums
    "cell": np.empty(0, np.uint16),
}


def alike(one: Rules, other: Rules) -> bool:
    """Whether two games are the same, whatever their symbols are called."""
    kinds = [(rules.digits, len(rules.symbols), rules.repeats) for rules in (one, other)]
    return kinds[0] == kinds[1]


def to_bytes(tables: Tables) -> bytes:
    """The file of these tables."""
    of = kept(tables)
    large = of["size"][of["set_form"]] >= SMALLEST
    arrays = {
        **of,
        "set_name": of["set_name"][large],
        "set_form": of["set_form"][large],
        "cells": np.diff(of["begin"]),
    }
    small = {name: arrays[name].astype(like.dtype) for name, like in _LIKE.items()}
    return packed(b"".join(chunks(_ABOUT, small)))


def from_bytes(game: RaceGame, data: bytes, budget: Budget = UNLIMITED) -> Tables:
    """The tables of a file that was unpacked, with room for as much again; raises `ValueError` for any other, and
    `Stopped` when the time of the budget is over."""
    arrays = read(BytesIO(data), _ABOUT, _LIKE)
    begin = np.append(np.int32(0), np.cumsum(arrays.pop("cells"), dtype=np.int32))
    tables = filled(game, {**arrays, "begin": begin})
    for form in range(game.hints + 1, tables.used[FORMS]):
        budget.check()
        measure_reach(tables, form)
        measure_pace(tables, form)
    return tables


def shipped(game: RaceGame, budget: Budget = UNLIMITED) -> Tables:
    """The tables that come with the program; raises an `InputError`, and `Stopped` when the time of the budget is
    over."""
    try:
        return from_bytes(game, read_shipped(FILE), replace(budget, states=None))
    except ValueError:
        raise damaged(FILE) from None
