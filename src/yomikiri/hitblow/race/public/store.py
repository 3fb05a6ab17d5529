"""Store of a race: the tables of its sets and forms in a file, so that they outlive the process.

Tables only grow, except that the rows of a partial form change when its options are computed. So a record contains rows
of one table from a number on, and later records replace earlier ones. Each save is one transaction with everything new
since the last one. Pairs are not saved, because they are the smaller part of the work once the forms are known.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.stores import StoreFile, StoreKind, StoreReader
from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.race.kernels.tables import Tables
from yomikiri.hitblow.race.public.tables import KEPT, check, filled, game_of, kept, small_tables

KIND = StoreKind(
    "yomikiri race",
    1,  # raise this for another order of hints, other hashes of sets or another pace
    {"tables": ("game integer not null", "part text not null", "first integer not null", "data blob not null")},
)

_WRITTEN_ANEW = ("first", "listed", "within", "pace", "worth", "alone")
_LONGEST = 1 << 24  # largest record in bytes


@dataclass(frozen=True, slots=True)
class StoredGame:
    """Contents of a store about one game, with symbols named 0, 1, 2, ...: sets, forms, and forms with all options."""

    rules: Rules
    sets: int
    forms: int
    listed: int


def stored_games(path: Path) -> list[StoredGame]:
    """Return a summary of a store, which may be in use. Raises an `InputError` for any other or damaged file."""
    with StoreReader(path, KIND) as file, file.believed():
        about = json.loads(file.about)
        sets, listed = [0] * len(about), [bytearray() for _ in about]
        for number, part, first, data in file.rows("tables"):
            begin = int(first)  # type: ignore[arg-type]
            if part == "set_form":
                sets[number] = max(sets[number], begin + len(data) // np.dtype(np.int32).itemsize)  # type: ignore[index, arg-type]
            elif part == "listed":
                listed[number][begin : begin + len(data)] = data  # type: ignore[index, arg-type, assignment]
        return [
            StoredGame(_rules(**game), count, len(forms), sum(forms))
            for game, count, forms in zip(about, sets, listed, strict=True)
        ]


def _rules(digits: int, symbols: int, repeats: str) -> Rules:
    return Rules(digits, "0123456789abcdef"[:symbols], Repeats(repeats))


class RaceStore:
    """A store that this process has opened, and the tables of its games.

    Games that differ only in the names of their symbols share a table.

    Raises an `InputError` if the file cannot be used.
    """

    def __init__(self, path: Path, *games: Rules) -> None:
        self._games = [game_of(rules) for rules in games]
        kinds = [{"digits": r.digits, "symbols": len(r.symbols), "repeats": r.repeats.value} for r in games]
        self._file = StoreFile(path, KIND, json.dumps(kinds))
        self._listed = [np.empty(0, np.uint8) for _ in games]
        self._rows = [dict.fromkeys(KEPT, 0) for _ in games]  # number of rows of each table in the file

    def load(self) -> list[Tables]:
        """Return the tables of each game. Raises an `InputError` for a damaged file, which is not modified."""
        tables = [small_tables(game) for game in self._games]
        parts = [{name: (rows, bytearray()) for name, rows in kept(of_game).items()} for of_game in tables]
        with self._file.believed():
            for number, part, first, data in self._file.rows("tables"):
                rows, held = parts[number][part]  # type: ignore[index]
                begin = int(first) * _row(rows)  # type: ignore[arg-type]
                if begin > len(held):
                    raise ValueError("rows are missing")
                held[begin : begin + len(data)] = data  # type: ignore[arg-type, assignment]
            for i, (game, of_game) in enumerate(zip(self._games, parts, strict=True)):
                if any(data for _, data in of_game.values()):
                    tables[i] = filled(game, {name: _array(*of_game.pop(name)) for name in KEPT})
                    check(game, tables[i])
                    self._note(i, kept(tables[i]))
        return tables

    def save(self, tables: Sequence[Tables]) -> None:
        """Save the new rows of all tables. Raises an `InputError`, in which case no row is saved."""
        every = [kept(of_game) for of_game in tables]
        for i, parts in enumerate(every):
            before = self._listed[i]
            for form in np.flatnonzero(parts["listed"][: len(before)] != before).tolist():
                for part in _WRITTEN_ANEW:
                    self._add(i, part, form, parts[part][form : form + 1])
            for part, rows in parts.items():
                self._add(i, part, self._rows[i][part], rows[self._rows[i][part] :])
        self._file.save()
        for i, parts in enumerate(every):
            self._note(i, parts)

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def _add(self, game: int, part: str, first: int, rows: NDArray[Any]) -> None:
        step = _LONGEST // _row(rows)
        for at in range(0, len(rows), step):
            self._file.add("tables", game, part, first + at, rows[at : at + step].tobytes())

    def _note(self, game: int, parts: dict[str, NDArray[Any]]) -> None:
        self._listed[game] = parts["listed"].copy()
        self._rows[game] = {part: len(rows) for part, rows in parts.items()}


def _row(like: NDArray[Any]) -> int:
    """Return the size of a row in bytes."""
    return like.itemsize * prod(like.shape[1:])


def _array(like: NDArray[Any], data: bytearray) -> NDArray[Any]:
    return np.frombuffer(data, like.dtype).reshape(-1, *like.shape[1:])
