"""Forms that come with the program: those of the standard game, so that the first question of a match is as quick.

One file, `data/race.tables.gz` (`tables_file`): the names and forms of the sets of at least SMALLEST codes that 3 of 10
can come to, with no digit known to be absent or one, and the options of all forms. Smaller sets are worked out when
they are met. Names are the same on every machine. The command `yomikiri hitblow book` works them out again, and a test
holds them to that.
"""

from __future__ import annotations

from io import BytesIO

import numpy as np

from yomikiri.hitblow.race.public.kernels.entries import measure_pace, measure_reach
from yomikiri.hitblow.race.public.kernels.tables import FORMS, Game, Tables, filled, kept
from yomikiri.hitblow.race.public.tables_file import Arrays, chunks, read
from yomikiri.hitblow.rules import Rules
from yomikiri.hitblow.shipped import damaged, packed, read_shipped

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
