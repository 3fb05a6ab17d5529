"""What was worked out, kept in a file while the work goes on, so that a run that was killed continues where it was.

Sets, forms, options and cells only grow, and each save appends what is new to a SQLite file, in one transaction.
Positions are not kept: with the forms at hand they are a small part of the work.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np

from yomikiri.hitblow.race.errors import UnusableStore
from yomikiri.hitblow.race.public.kernels.game import Game
from yomikiri.hitblow.race.public.kernels.tables import CELLS, FORMS, OPTIONS, SETS, Tables
from yomikiri.hitblow.race.public.library import filled
from yomikiri.hitblow.rules import Rules
from yomikiri.hitblow.search.compiled import KERNELS

# The arrays that are kept, and what each has a row for.
_KEPT = {
    "set_name": SETS,
    "set_form": SETS,
    "form_name": FORMS,
    "size": FORMS,
    "first": FORMS,
    "hit": OPTIONS,
    "begin": OPTIONS,
    "cell": CELLS,
}


class Store:
    """The file of one run. Raises `UnusableStore` unless it is new or holds work under the same rules and kernels."""

    def __init__(self, path: Path, rules: Rules) -> None:
        self._path = path
        self._saved = [0, 0, 0, 0]
        about = f"{rules.digits} {len(rules.symbols)} {rules.repeats.value} {KERNELS.cache_folder().name}"
        try:
            with closing(sqlite3.connect(path)) as file, file:
                file.execute("CREATE TABLE IF NOT EXISTS about (text TEXT)")
                file.execute("CREATE TABLE IF NOT EXISTS part (name TEXT, data BLOB)")
                known = file.execute("SELECT text FROM about").fetchone()
                if known is None:
                    file.execute("INSERT INTO about VALUES (?)", (about,))
        except sqlite3.Error:
            raise UnusableStore(str(path)) from None
        if known not in (None, (about,)):
            raise UnusableStore(str(path))

    def load(self, game: Game, empty: Tables) -> Tables:
        """What is in the file; `empty` itself if there is nothing yet."""
        arrays = {}
        with closing(sqlite3.connect(self._path)) as file:
            for name in _KEPT:
                rows = file.execute("SELECT data FROM part WHERE name = ? ORDER BY rowid", (name,))
                like = getattr(empty, name)
                arrays[name] = np.frombuffer(b"".join(data for (data,) in rows), like.dtype)
                arrays[name] = arrays[name].reshape(-1, *like.shape[1:])
        if not len(arrays["size"]):
            return empty
        tables = filled(game, {**arrays, "cells": np.diff(arrays.pop("begin"), prepend=np.int32(0))})
        self._saved = tables.used.tolist()
        return tables

    def save(self, tables: Tables) -> None:
        """Append what is new; raises `UnusableStore` if it cannot be written."""
        used = tables.used.tolist()
        try:
            with closing(sqlite3.connect(self._path)) as file, file:
                for name, kind in _KEPT.items():
                    shift = 1 if name == "begin" else 0  # the end of each option
                    rows = getattr(tables, name)[self._saved[kind] + shift : used[kind] + shift]
                    file.execute("INSERT INTO part VALUES (?, ?)", (name, rows.tobytes()))
        except sqlite3.Error:
            raise UnusableStore(str(self._path)) from None
        self._saved = used
