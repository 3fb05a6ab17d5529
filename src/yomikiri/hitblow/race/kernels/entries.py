"""What stands in the tables of a set: which of its options matter, how soon it can find its secret, and entering it.

An option need not be kept if another one is at least as good whatever the other side holds. How soon a form can find
its secret is what the bounds of a race are made of.
"""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.race.kernels.tables import (
    BETWEEN,
    CELLS,
    CODES,
    FORMS,
    GUESSES,
    HASTE,
    OPTIONS,
    OUT_OF_TABLES,
    PACES,
    SETS,
    RaceGame,
    RaceWorkspace,
    Tables,
    find,
)
from yomikiri.machine.bits import ZERO, Int, byte_counts, mix
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import must_stop, stop, stopped


@kernel
def stands_smaller(room: RaceWorkspace, better: Int, worse: Int) -> bool:
    """Whether the codes of an option, ordered by the sizes of their cells, stand in no larger ones than another's.

    A hit counts as a cell of size 0. Both options divide the same set.
    """
    size = room.cell_size
    i, end = np.int64(room.option_begin[better]), np.int64(room.option_begin[better + 1])
    j = np.int64(room.option_begin[worse])
    left_i, left_j = np.int64(room.option_hit[better]), np.int64(room.option_hit[worse])
    size_i, size_j = np.int64(0), np.int64(0)
    while True:
        if left_i == 0:
            if i == end:
                return True
            left_i = size_i = np.int64(size[i])
            i += 1
        if left_j == 0:
            left_j = size_j = np.int64(size[j])
            j += 1
        if size_i > size_j:
            return False
        both = min(left_i, left_j)
        left_i -= both
        left_j -= both


@kernel
def dominates(game: RaceGame, room: RaceWorkspace, better: Int, worse: Int) -> bool:
    """Whether an option is at least as good as another of the same set against any other side.

    It is if its cells that are not perfect are all among the other's, and its codes stand in no larger cells. Proof in
    race-public.md, in short: equal cells are worth the same and cancel; of a given size no cell is better for its
    holder than a perfect one; and the worth of a code in a perfect cell falls with the size of the cell.
    """
    if not stands_smaller(room, better, worse):
        return False
    cell = room.cell
    j, end = room.option_begin[worse], room.option_begin[worse + 1]
    # Cells stand by size and then number in both.
    for i in range(room.option_begin[better], room.option_begin[better + 1]):
        if cell[i] > game.hints:
            while j < end and cell[j] != cell[i]:
                j += 1
            if j == end:
                return False
            j += 1
    return True


@kernel
def is_dominated(room: RaceWorkspace, first: Int, end: Int, option: Int) -> bool:
    """Whether one of the options from `first` to `end`, all cells of which are perfect, dominates another one.

    Only the sizes of that one's cells are asked for.
    """
    found = False
    for i in range(first, end):
        found |= stands_smaller(room, i, option)
        if found:
            break
    return found


@kernel
def keep_undominated(game: RaceGame, room: RaceWorkspace, first: Int, end: Int) -> None:
    """Mark in `room.option_kept` the options, of those from `first` to `end`, that no other one dominates.

    Different options never dominate each other mutually, and dominance is transitive, so any order will do. Where it is
    `stopped` the marks mean nothing.
    """
    kept = room.option_kept
    for i in range(first, end):
        kept[i] = 1
    for i in range(first, end):
        if (i - first) % BETWEEN == BETWEEN - 1 and must_stop(room.shared):
            return
        for j in range(first, end):
            if i != j and kept[j] and dominates(game, room, j, i):
                kept[i] = 0
                break


@entry
def measure_reach(tables: Tables, form: Int) -> None:
    """Fill `within` and `alone` of a form from its options, which are all that matter."""
    n = np.int64(tables.size[form])
    within = tables.within
    best_alone: Int = 0
    for k in range(1, GUESSES):
        most: Int = 0
        for option in range(tables.first[form, 0], tables.first[form, 1]):
            found = np.int64(tables.hit[option])
            for j in range(tables.begin[option], tables.begin[option + 1]):
                found += within[tables.cell[j], k - 1]
            most = max(most, found)
        # The last counts stand for any number of guesses, so that a strategy longer than that is bounded soundly.
        within[form, k] = most if k < GUESSES - 3 else n
    for option in range(tables.first[form, 0], tables.first[form, 1]):
        cells = tables.begin[option + 1] - tables.begin[option]
        best_alone = max(best_alone, 2 * np.int64(tables.hit[option]) + np.int64(cells))
    tables.alone[form] = best_alone


@entry
def measure_pace(tables: Tables, form: Int) -> None:
    """Fill `pace` and `worth` of a form by the best of its options, or by the lead of a sketch."""
    n = np.int64(tables.size[form])
    pace, worth = tables.pace, tables.worth
    for p in range(PACES):
        chosen = tables.first[form, 0]
        best = -np.inf
        for option in range(tables.first[form, 0], tables.first[form, 1]):
            total = 0.0
            for j in range(tables.begin[option], tables.begin[option + 1]):
                total += worth[tables.cell[j], p]
            if p:
                total = HASTE[p - 1] * (total + tables.hit[option])
            else:
                total -= n
            if total > best:
                best, chosen = total, option
        worth[form, p] = best
        count = pace[form, p]
        for k in range(GUESSES):
            count[k] = 0
        count[1] = tables.hit[chosen]
        for j in range(tables.begin[chosen], tables.begin[chosen + 1]):
            part = pace[tables.cell[j], p]
            for k in range(1, GUESSES):
                count[min(k + 1, GUESSES - 1)] += part[k]


@kernel
def count_different(game: RaceGame, room: RaceWorkspace, start: Int, n: Int) -> None:
    """Write to `room.different` how many different answers a set gives to every guess, each in a byte of its own."""
    signs, met = game.signs, room.met
    planes, words = met.shape
    met[:] = ZERO
    for j in range(start, start + n):
        sign = signs[room.members[j]]
        for plane in range(planes):
            for i in range(words):
                met[plane, i] |= sign[plane, i]
    room.different[:] = ZERO
    for plane in range(planes):
        for i in range(words):
            room.different[i] += byte_counts(met[plane, i])


@kernel
def answers_to(room: RaceWorkspace, guess: Int) -> Int:
    """How many different answers the set counted last gives to a guess."""
    return np.int64((room.different[guess >> 3] >> np.uint64(8 * (guess & 7))) & np.uint64(0xFF))


@kernel
def measure(game: RaceGame, room: RaceWorkspace, start: Int, n: Int, guess: Int) -> tuple[Int, Int]:
    """Whether a guess hits a code of a set, and a number of codes that no strategy exceeds within three, from it on."""
    size = room.sizes
    for r in range(game.hints):
        size[r] = 0
    for i in range(start, start + n):
        size[game.answers[room.members[i], guess]] += 1
    hit: Int = np.int64(size[game.hints - 1])
    reach: Int = hit
    for r in range(game.hints - 1):
        cell: Int = np.int64(size[r])
        reach += min(cell, game.hints)
    return hit, reach


@kernel
def survey(game: RaceGame, room: RaceWorkspace, start: Int, n: Int) -> tuple[Int, Int, Int, Int]:
    """What the answers to all guesses tell about the set `members[start : start + n]`.

    Returns its *lead*, the guess with which most codes are found within two guesses; how many these are, which is how
    many answers differ; a number of codes that no strategy exceeds within three, since with two guesses at most as many
    of a cell are found as there are hints; and `alone` (see `tables`), exact. Of equal guesses that leads which may
    find more within three, then one that may hit. Where it is `stopped` they mean nothing.
    """
    guesses = len(game.codes)
    count_different(game, room, start, n)
    two: Int = 0
    for guess in range(guesses):
        two = max(two, answers_to(room, guess))
    alone = two
    for j in range(start, start + n):
        alone = max(alone, answers_to(room, np.int64(room.members[j])) + 1)
    three: Int = 0
    lead: Int = 0
    best: Int = -1
    for guess in range(guesses):
        if guess % BETWEEN == BETWEEN - 1 and must_stop(room.shared):
            break
        if answers_to(room, guess) == two:
            hit, reach = measure(game, room, start, n, guess)
            three = max(three, reach)
            if 2 * reach + hit > best:
                best, lead = 2 * reach + hit, guess
    if three < n:
        for guess in range(guesses):
            if guess % BETWEEN == BETWEEN - 1 and must_stop(room.shared):
                break
            three = max(three, measure(game, room, start, n, guess)[1])
    return lead, two, three, alone


@kernel
def write_options(tables: Tables, room: RaceWorkspace, form: Int, first: Int, end: Int) -> bool:
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
    tables: Tables, room: RaceWorkspace, n: Int, first: Int, end: Int, set_key: np.uint64, set_check: np.uint64
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
    room: RaceWorkspace,
    start: Int,
    n: Int,
    lead: Int,
    surveyed: tuple[Int, Int, Int],
    name: tuple[np.uint64, np.uint64],
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
    two, three, alone = surveyed
    within = tables.within[form]
    within[1], within[2], within[3] = 1, two, three
    for k in range(4, GUESSES):
        within[k] = n
    tables.alone[form] = alone
    measure_pace(tables, form)
    used[FORMS] = form + 1
    enter_set(tables, form, name[0], name[1])
    return form


@entry
def list_options(game: RaceGame, tables: Tables, room: RaceWorkspace, form: Int, end: Int) -> bool:
    """Write the options in `room`, up to `end`, in place of the lead of a sketch; False, and nothing is written, where
    it is `stopped` or the tables are full."""
    keep_undominated(game, room, 0, end)
    if stopped(room.shared):
        return False
    if not write_options(tables, room, form, 0, end):
        stop(room.shared, OUT_OF_TABLES)
        return False
    tables.listed[form] = 1
    measure_reach(tables, form)
    measure_pace(tables, form)
    return True
