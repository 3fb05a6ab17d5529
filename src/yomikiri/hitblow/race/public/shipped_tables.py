"""Forms that come with the program: those of the standard game, so that the first question of a match is as quick.

One file, `data/race.npz`: the names and forms of the sets of at least SMALLEST codes that 3 of 10 can come to, with no
digit known to be absent or one, and the options of all forms. Smaller sets are worked out when they are met. Names are
the same on every machine. The command `yomikiri hitblow book` works them out again, and a test holds them to that.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.race.public.kernels.game import Game
from yomikiri.hitblow.race.public.kernels.paces import measure_pace, measure_reach
from yomikiri.hitblow.race.public.kernels.tables import FORMS, Tables, filled
from yomikiri.hitblow.rules import Rules

SMALLEST = 10
STANDARD = Rules()
FILE = "race.npz"

_DATA = Path(__file__).parent.parent.parent / "data"


def alike(one: Rules, other: Rules) -> bool:
    """Whether two games are the same, whatever their symbols are called."""
    kinds = [(rules.digits, len(rules.symbols), rules.repeats) for rules in (one, other)]
    return kinds[0] == kinds[1]


def packed(tables: Tables) -> bytes:
    """The file of these tables; the same tables always give the same bytes."""
    sets, forms, options, cells, _ = tables.used.tolist()
    large = tables.size[tables.set_form[:sets]] >= SMALLEST
    file = BytesIO()
    np.savez_compressed(
        file,
        set_name=tables.set_name[:sets][large],
        set_form=tables.set_form[:sets][large].astype(np.uint16),
        form_name=tables.form_name[:forms],
        size=tables.size[:forms].astype(np.uint16),
        first=tables.first[:forms],
        hit=tables.hit[:options],
        cells=np.diff(tables.begin[: options + 1]).astype(np.uint8),
        cell=tables.cell[:cells].astype(np.uint16),
    )
    return file.getvalue()


def unpacked(game: Game, file: bytes) -> Tables:
    """The tables of a file, with room for as much again."""
    with np.load(BytesIO(file)) as arrays:
        kept: dict[str, NDArray[Any]] = dict(arrays)
    begin = np.append(np.int32(0), np.cumsum(kept.pop("cells"), dtype=np.int32))
    tables = filled(game, {**kept, "begin": begin})
    for form in range(game.hints + 1, tables.used[FORMS]):
        measure_reach(tables, form)
        measure_pace(tables, form)
    return tables


def shipped(game: Game) -> Tables:
    """The tables that come with the program."""
    return unpacked(game, (_DATA / FILE).read_bytes())
