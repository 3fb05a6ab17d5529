"""Tables as bytes, for files that are read again: a store, and what comes with the program.

    yomikiri race tables, format 1      whose file it is
    3 10 none                           what the tables are about
    set_name <u8 2 6126 5e88...         a part: name, dtype, shape of a row, rows, SHA-256
    ...
    96a2...                             SHA-256 of all text before
    (bytes)                             the parts, one after another, and nothing after them

Every byte is under a digest, so that a file is read as it was written or not at all.

What comes with the program is `data/race.tables.gz`, so that the first question of a match is as quick: the names and
forms of the sets of at least SMALLEST codes that 3 of 10 can come to, with no digit known to be absent or one, and the
options of all forms. Smaller sets are worked out when they are met. Names are the same on every machine. The command
`yomikiri hitblow book` works them out again, and a test holds them to that.

A `Store` keeps what is worked out while the work goes on, so that a run that was killed continues where it was.
Positions are not kept: with the forms at hand they are the smaller part of the work.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from yomikiri.errors import N_, InputError
from yomikiri.hitblow.race.public.entries import measure_pace, measure_reach
from yomikiri.hitblow.race.public.tables import FORMS, KEPT, Game, Tables, check, filled, game_of, kept, small_tables
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


def from_bytes(game: Game, data: bytes) -> Tables:
    """The tables of a file that was unpacked, with room for as much again; raises `ValueError` for any other."""
    arrays = read(BytesIO(data), _ABOUT, _LIKE)
    begin = np.append(np.int32(0), np.cumsum(arrays.pop("cells"), dtype=np.int32))
    tables = filled(game, {**arrays, "begin": begin})
    for form in range(game.hints + 1, tables.used[FORMS]):
        measure_reach(tables, form)
        measure_pace(tables, form)
    return tables


def shipped(game: Game) -> Tables:
    """The tables that come with the program; raises an `InputError`."""
    try:
        return from_bytes(game, read_shipped(FILE))
    except ValueError:
        raise damaged(FILE) from None


class Store:
    """The file of one run: a new one, an empty one, or one that holds work under the same rules.

    It holds the tables of all games; each save writes a new one beside it and puts that in its place, so that a crash
    leaves one or the other whole.
    """

    def __init__(self, path: Path, *games: Rules) -> None:
        self._path, self._games = path.resolve(), [game_of(rules) for rules in games]
        self._about = ", ".join(f"{rules.digits} {len(rules.symbols)} {rules.repeats.value}" for rules in games)

    def load(self) -> list[Tables]:
        """What is known of each game; a new file is begun.

        Raises an `InputError` for a damaged file and for any other, and nothing is written into it.
        """
        empty = [small_tables(game) for game in self._games]
        try:
            if not self._path.exists() or (self._path.is_file() and self._path.stat().st_size == 0):
                self.save(empty)
                return empty
            if not self._path.is_file():  # opening a pipe would wait for somebody to write
                raise _unusable(self._path)
            with self._path.open("rb") as file:
                arrays = read(file, self._about, _parts(empty))
            tables = [filled(game, {n: arrays[f"{n} {i}"] for n in KEPT}) for i, game in enumerate(self._games)]
            for game, of_game in zip(self._games, tables, strict=True):
                check(game, of_game)
        except (OSError, ValueError):
            raise _unusable(self._path) from None
        return tables

    def save(self, tables: Sequence[Tables]) -> None:
        """Keep the tables of all games; raises an `InputError` if they cannot be written."""
        beside = self._path.with_name(f"{self._path.name}.unfinished")
        try:
            with beside.open("wb") as file:
                file.writelines(chunks(self._about, _parts(tables)))
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self._path)
        except OSError:
            raise _unusable(self._path) from None


def _parts(tables: Sequence[Tables]) -> Arrays:
    return {f"{name} {i}": rows for i, of_game in enumerate(tables) for name, rows in kept(of_game).items()}


def _unusable(path: Path) -> InputError:
    return InputError(
        N_("{given} cannot store this work: choose a new file, or an undamaged one for the same rules and version"),
        given=str(path),
    )
