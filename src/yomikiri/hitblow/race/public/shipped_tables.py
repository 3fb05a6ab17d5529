"""Shipped tables of the standard race, so that the first request in a match is as quick as later ones.

`data/race.tables.gz` is for the game of 3 digits of 10 symbols, with at most one digit that is known to be absent. The
*canonical form* of a candidate set is everything about it that can affect the race. The file contains

- the hashes of the sets with at least SMALLEST codes that occur in this game, and the canonical form of each of them,
- all canonical forms that occur, also those of smaller sets, and the effects of the guesses at the sets of each form.

Smaller sets are assigned to their canonical forms when they occur. Hashes are the same on every machine. The file
contains the arrays of `_PARTS` one after another in NumPy's format (.npy). `yomikiri hitblow book` builds the file
again, and a test compares the new file with the shipped one.
"""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
from numpy.lib.format import read_array, write_array

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.race.kernels.entries import measure_pace, measure_reach
from yomikiri.hitblow.race.kernels.tables import FORMS, RaceGame, RaceTables
from yomikiri.hitblow.race.public.tables import filled, kept
from yomikiri.hitblow.shipped import damaged, packed, read_shipped

# least number of codes in a candidate set whose hash the shipped file contains; smaller sets are computed when needed
SMALLEST = 10
STANDARD = Rules()
FILE = "race.tables.gz"

# Names of the arrays in the shipped file, in order, with the data type of each array in the file.
_PARTS = {
    "set_name": np.uint64,
    "set_form": np.uint16,
    "form_name": np.uint64,
    "size": np.uint16,
    "first": np.int32,
    "hit": np.uint8,
    # Number of cells of each stored guess. The array `cell` contains the cells of all guesses in the same order.
    "cells": np.uint8,
    "cell": np.uint16,
}


def is_same_game(one: Rules, other: Rules) -> bool:
    """Return True if two games differ at most in the names of their symbols."""
    kinds = [(rules.digits, len(rules.symbols), rules.repeats) for rules in (one, other)]
    return kinds[0] == kinds[1]


def to_bytes(tables: RaceTables) -> bytes:
    """Return the compressed contents of a file with the given tables.

    The file does not contain the hashes of candidate sets with fewer than SMALLEST codes.
    """
    of = kept(tables)
    large = of["size"][of["set_form"]] >= SMALLEST
    arrays = {
        **of,
        "set_name": of["set_name"][large],
        "set_form": of["set_form"][large],
        "cells": np.diff(of["begin"]),
    }
    data = BytesIO()
    for name, dtype in _PARTS.items():
        write_array(data, arrays[name].astype(dtype), version=(1, 0), allow_pickle=False)
    return packed(data.getvalue())


def from_bytes(game: RaceGame, data: bytes, budget: Budget = UNLIMITED) -> RaceTables:
    """Build tables from the uncompressed contents of a file, with as much free space as used space.

    Raises `ValueError` for invalid data, and `Stopped` if the time of the budget is over.
    """
    file = BytesIO(data)
    arrays = {name: read_array(file, allow_pickle=False) for name in _PARTS}
    begin = np.append(np.int32(0), np.cumsum(arrays.pop("cells"), dtype=np.int32))
    tables = filled(game, {**arrays, "begin": begin})
    for form in range(game.hints + 1, tables.used[FORMS]):
        budget.check()
        measure_reach(tables, form)
        measure_pace(tables, form)
    return tables


def shipped(game: RaceGame, budget: Budget = UNLIMITED) -> RaceTables:
    """Load the shipped file, and return the tables of candidate sets that it contains.

    Raises an `InputError` if the file is damaged, and `Stopped` if the time of the budget is over.
    """
    try:
        return from_bytes(game, read_shipped(FILE), replace(budget, states=None))
    except ValueError:
        raise damaged(FILE) from None
