"""Entering sets and forms to the tables: whole forms, sketches, and the options of a sketch that are asked for."""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.race.public.kernels.dominance import keep_undominated
from yomikiri.hitblow.race.public.kernels.game import Game
from yomikiri.hitblow.race.public.kernels.paces import measure_pace, measure_reach
from yomikiri.hitblow.race.public.kernels.tables import CELLS, CODES, FORMS, GUESSES, OPTIONS, SETS, Tables, find
from yomikiri.hitblow.race.public.kernels.workspace import Workspace
from yomikiri.hitblow.search.jit import kernel
from yomikiri.numba_support.bits import Int, mix


@kernel
def write_options(tables: Tables, room: Workspace, form: Int, first: Int, end: Int) -> bool:
    """Write the options kept of those from `first` to `end` as those of a form; False if there is no room."""
    used = tables.used
    cells = np.int64(room.option_begin[end]) - np.int64(room.option_begin[first])
    if used[OPTIONS] + end - first > len(tables.hit) or used[CELLS] + cells > len(tables.cell):
        return False
    tables.first[form, 0] = used[OPTIONS]
    for i in range(first, end):
        if room.option_kept[i]:
            tables.hit[used[OPTIONS]] = room.option_hit[i]
            for j in range(room.option_begin[i], room.option_begin[i + 1]):
                tables.cell[used[CELLS]] = room.cell[j]
                used[CELLS] += 1
            used[OPTIONS] += 1
            tables.begin[used[OPTIONS]] = used[CELLS]
    tables.first[form, 1] = used[OPTIONS]
    return True


@kernel
def enter_set(tables: Tables, form: Int, key: np.uint64, check: np.uint64) -> None:
    """Enter the name of a set of that form; there is room for it."""
    number = tables.used[SETS]
    tables.set_name[number, 0], tables.set_name[number, 1] = key, check
    tables.set_form[number] = form
    tables.set_at[find(tables.set_name, tables.set_at, key, check)] = number
    tables.used[SETS] = number + 1


@kernel
def enter_whole(
    tables: Tables, room: Workspace, n: Int, first: Int, end: Int, set_key: np.uint64, set_check: np.uint64
) -> Int:
    """Enter a set of n codes whose options are those that are kept from `first` to `end`; returns its form.

    0 if the tables are full.
    """
    key, check = mix(np.uint64(n)), mix(~np.uint64(n))
    for i in range(first, end):
        if room.option_kept[i]:
            key += mix(room.option_name[i, 0])
            check += mix(room.option_name[i, 1])
    used = tables.used
    if used[SETS] == len(tables.set_form):
        return 0
    place = find(tables.form_name, tables.form_at, key, check)
    form = np.int64(tables.form_at[place])
    if form < 0:
        form = used[FORMS]
        if form == len(tables.size) or not write_options(tables, room, form, first, end):
            return 0
        tables.size[form] = n
        measure_reach(tables, form)
        measure_pace(tables, form)
        tables.form_name[form, 0], tables.form_name[form, 1] = key, check
        tables.form_at[place] = form
        used[FORMS] = form + 1
    enter_set(tables, form, set_key, set_check)
    return form


@kernel
def enter_sketch(
    tables: Tables,
    room: Workspace,
    start: Int,
    n: Int,
    lead: Int,
    two: Int,
    three: Int,
    alone: Int,
    key: np.uint64,
    check: np.uint64,
) -> Int:
    """Enter the set `members[start : start + n]`, of which `survey` found so much, by its lead; returns its form.

    0 if the tables are full.
    """
    used = tables.used
    form = np.int64(used[FORMS])
    if (
        used[SETS] == len(tables.set_form)
        or form == len(tables.size)
        or used[CODES] + n > len(tables.code)
        or not write_options(tables, room, form, lead, lead + 1)
    ):
        return 0
    tables.size[form] = n
    tables.listed[form] = 0
    tables.sketched[form] = used[CODES]
    for i in range(n):
        tables.code[used[CODES] + i] = room.members[start + i]
    used[CODES] += n
    within = tables.within[form]
    within[1], within[2], within[3] = 1, two, three
    for k in range(4, GUESSES):
        within[k] = n
    tables.alone[form] = alone
    measure_pace(tables, form)
    used[FORMS] = form + 1
    enter_set(tables, form, key, check)
    return form


@kernel
def list_options(game: Game, tables: Tables, room: Workspace, form: Int, end: Int) -> bool:
    """Write the options in `room`, up to `end`, in place of the lead of a sketch; False if there is no room."""
    keep_undominated(game, room, 0, end)
    if not write_options(tables, room, form, 0, end):
        return False
    tables.listed[form] = 1
    measure_reach(tables, form)
    measure_pace(tables, form)
    return True
