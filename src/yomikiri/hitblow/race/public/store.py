"""What was worked out, kept in a file while the work goes on, so that a run that was killed continues where it was.

A SQLite file that holds the tables; each save replaces them, in one transaction. Positions are not kept: with the forms
at hand they are the smaller part of the work.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from yomikiri.hitblow.race.errors import UnusableStore
from yomikiri.hitblow.race.public.kernels.game import Game
from yomikiri.hitblow.race.public.kernels.tables import KEPT, Tables, filled
from yomikiri.hitblow.rules import Rules
from yomikiri.hitblow.search.kernels_ahead import KERNELS


class Store:
    """The file of one run. Raises `UnusableStore` unless it is new or holds work under the same rules and kernels."""

    def __init__(self, path: Path, *games: Rules) -> None:
        self._path = path
        known_by = [f"{rules.digits} {len(rules.symbols)} {rules.repeats.value}" for rules in games]
        about = " ".join([*known_by, KERNELS.cache_folder().name])
        try:
            with closing(sqlite3.connect(path)) as file, file:
                file.execute("CREATE TABLE IF NOT EXISTS about (text TEXT)")
                file.execute("CREATE TABLE IF NOT EXISTS part (name TEXT PRIMARY KEY, data BLOB)")
                known = file.execute("SELECT text FROM about").fetchone()
                if known is None:
                    file.execute("INSERT INTO about VALUES (?)", (about,))
        except sqlite3.Error:
            raise UnusableStore(str(path)) from None
        if known not in (None, (about,)):
            raise UnusableStore(str(path))

    def load(self, number: int, game: Game, empty: Tables) -> Tables:
        """What is in the file of the game of that number, from 0; `empty` itself if there is nothing yet."""
        with closing(sqlite3.connect(self._path)) as file:
            parts = dict(file.execute("SELECT name, data FROM part"))
        if not parts:
            return empty
        arrays = {}
        for name in KEPT:
            like = getattr(empty, name)
            arrays[name] = np.frombuffer(parts[f"{name} {number}"], like.dtype).reshape(-1, *like.shape[1:])
        return filled(game, arrays)

    def save(self, tables: Sequence[Tables]) -> None:
        """Keep the tables of all games; raises `UnusableStore` if they cannot be written."""
        try:
            with closing(sqlite3.connect(self._path)) as file, file:
                for number, of_game in enumerate(tables):
                    for name, kind in KEPT.items():
                        ends = 1 if name == "begin" else 0  # the end of the last option too
                        rows = getattr(of_game, name)[: of_game.used[kind] + ends]
                        part = f"{name} {number}", rows.tobytes()
                        file.execute("INSERT OR REPLACE INTO part VALUES (?, ?)", part)
        except sqlite3.Error:
            raise UnusableStore(str(self._path)) from None
