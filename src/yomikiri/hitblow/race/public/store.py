"""Store of a race: a file with the tables of candidate sets, so that later processes can use the results.

Tables only grow, with one exception. For a large set, only one guess is evaluated at first. When all guesses at the set
are evaluated, its rows in some tables change. A record contains consecutive rows of one table, and later records
replace earlier ones. Each save is one transaction with all changes since the last save. The file does not contain the
payoffs of positions (values to the side to move), because computing them takes less work than computing the tables.
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
from yomikiri.hitblow.race.kernels.tables import RaceTables
from yomikiri.hitblow.race.public.tables import KEPT, check, filled, game_of, kept, small_tables

KIND = StoreKind(
    "yomikiri race",
    # Version of the file format. Increase it whenever the order of answers or the hashes change, or the strategies
    # whose results the arrays `pace` and `worth` contain.
    1,
    {"tables": ("game integer not null", "part text not null", "first integer not null", "data blob not null")},
)

# Names of the arrays in which the row of a large candidate set changes when all guesses at the set have been evaluated.
# The store saves such a changed row again. Otherwise it saves only rows that are new.
_REWRITTEN = ("first", "listed", "within", "pace", "worth", "alone")
_LONGEST = 1 << 24  # limit on the size of one record of the store file, in bytes


@dataclass(frozen=True, slots=True)
class StoredGame:
    """Summary of a game in a store: its rules, and how many candidate sets and canonical forms are stored.

    Interchangeable candidate sets share one *canonical form*. `sets` is the number of stored sets, and `forms` the
    number of stored canonical forms. `listed` is the number of canonical forms without the *partial* ones, which belong
    to sets at which only one guess has been evaluated. The symbols of `rules` are 0, 1, 2, ..., whatever the symbols of
    the game are.
    """

    rules: Rules
    sets: int
    forms: int
    listed: int


def stored_games(path: Path) -> list[StoredGame]:
    """Return a summary of each game in a store, even if another process uses the file.

    Raises an `InputError` for a damaged file or one that is not a store.
    """
    with StoreReader(path, KIND) as file, file.reporting_damage():
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
    """The store file that this process has opened for the tables of one or two games.

    Games that differ only in the names of their symbols share their tables. Raises an `InputError` if the file cannot
    be used.
    """

    def __init__(self, path: Path, *games: Rules) -> None:
        self._games = [game_of(rules) for rules in games]
        kinds = [{"digits": r.digits, "symbols": len(r.symbols), "repeats": r.repeats.value} for r in games]
        self._file = StoreFile(path, KIND, json.dumps(kinds))
        self._listed = [np.empty(0, np.uint8) for _ in games]
        # For each game, a mapping from the name of an array to the number of rows of this array in the file.
        self._rows = [dict.fromkeys(KEPT, 0) for _ in games]

    def load(self) -> list[RaceTables]:
        """Load the tables of each game. Raises an `InputError` for a damaged file, and leaves the file unchanged."""
        tables = [small_tables(game) for game in self._games]
        parts = [{name: (rows, bytearray()) for name, rows in kept(of_game).items()} for of_game in tables]
        with self._file.reporting_damage():
            for number, part, first, data in self._file.rows("tables"):
                rows, array = parts[number][part]  # type: ignore[index]
                begin = int(first) * _row(rows)  # type: ignore[arg-type]
                if begin > len(array):
                    raise ValueError("rows are missing")
                array[begin : begin + len(data)] = data  # type: ignore[arg-type, assignment]
            for i, (game, of_game) in enumerate(zip(self._games, parts, strict=True)):
                if any(data for _, data in of_game.values()):
                    tables[i] = filled(game, {name: _array(*of_game.pop(name)) for name in KEPT})
                    check(game, tables[i])
                    self._note(i, kept(tables[i]))
        return tables

    def save(self, tables: Sequence[RaceTables]) -> None:
        """Save all changes of the tables. Raises an `InputError` if saving fails; then nothing is saved."""
        every = [kept(of_game) for of_game in tables]
        for i, parts in enumerate(every):
            before = self._listed[i]
            for form in np.flatnonzero(parts["listed"][: len(before)] != before).tolist():
                for part in _REWRITTEN:
                    self._add(i, part, form, parts[part][form : form + 1])
            for part, rows in parts.items():
                self._add(i, part, self._rows[i][part], rows[self._rows[i][part] :])
        self._file.save()
        for i, parts in enumerate(every):
            self._note(i, parts)

    def close(self) -> None:
        """Close the store file, so that other processes can use it."""
        self._file.close()

    def _add(self, game: int, part: str, first: int, rows: NDArray[Any]) -> None:
        step = _LONGEST // _row(rows)
        for at in range(0, len(rows), step):
            self._file.add("tables", game, part, first + at, rows[at : at + step].tobytes())

    def _note(self, game: int, parts: dict[str, NDArray[Any]]) -> None:
        self._listed[game] = parts["listed"].copy()
        self._rows[game] = {part: len(rows) for part, rows in parts.items()}


def _row(like: NDArray[Any]) -> int:
    """Return the size in bytes of one row of the array `like`: all elements with one index along the first axis."""
    return like.itemsize * prod(like.shape[1:])


def _array(like: NDArray[Any], data: bytearray) -> NDArray[Any]:
    return np.frombuffer(data, like.dtype).reshape(-1, *like.shape[1:])
