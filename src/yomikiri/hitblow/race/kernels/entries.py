"""Table entries of candidate sets: undominated options, finish distributions, and the form of each set.

The words *form*, *option*, *separable* and *partial form* are defined in `tables`. An option *dominates* another option
of the same set if it is at least as good for the owner of the set whatever the other side has. Dominated options are
dropped. The bounds of a race follow from the finish distributions of its forms.
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
    Frame,
    RaceGame,
    RaceTables,
    RaceWorkspace,
    Survey,
    find,
)
from yomikiri.machine.bits import ZERO, Int, byte_counts, mix
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import must_stop, stop, stopped


@kernel
def has_smaller_cells(work: RaceWorkspace, better: Int, worse: Int) -> bool:
    """Compare two options of a set: True if the codes are in cells at most as large in `better`, in order of size.

    For each option, sort the codes by the size of their cell, where a hit has size 0. The i-th code of `better` must be
    in a cell at most as large as that of the i-th code of `worse`, for all i.
    """
    size = work.cell_size
    i, end = np.int64(work.option_begin[better]), np.int64(work.option_begin[better + 1])
    j = np.int64(work.option_begin[worse])
    left_i, left_j = np.int64(work.option_hit[better]), np.int64(work.option_hit[worse])
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
def dominates(game: RaceGame, work: RaceWorkspace, better: Int, worse: Int) -> bool:
    """Return True if one guess at a set is proven to be at least as good as another in every race.

    The guesses are the options `better` and `worse` of the set in the workspace.

    Two sufficient conditions: every cell of `better` that is not separable is also a cell of `worse`, and the codes are
    in cells at most as large (`has_smaller_cells`). docs/theory/race-public.md has the proof. In short: equal cells
    have equal payoffs and cancel; among cells of one size, a separable cell is best for its owner; and the payoff of a
    code in a separable cell decreases with the size of the cell.
    """
    if not has_smaller_cells(work, better, worse):
        return False
    cell = work.cell
    j, end = work.option_begin[worse], work.option_begin[worse + 1]
    # Both guesses have their cells sorted by size and then by form, so one loop over `worse` suffices.
    for i in range(work.option_begin[better], work.option_begin[better + 1]):
        if cell[i] > game.hints:
            while j < end and cell[j] != cell[i]:
                j += 1
            if j == end:
                return False
            j += 1
    return True


@kernel
def is_dominated(work: RaceWorkspace, first: Int, end: Int, option: Int) -> bool:
    """Return True if another guess at the set is proven to be at least as good as the one with index `option`.

    The other guesses are the options from `first` to `end`. All their cells are *separable*: one code of the cell,
    guessed first, separates all others.

    Only the cell sizes of `option` are needed, not the forms of its cells.
    """
    found = False
    for i in range(first, end):
        found |= has_smaller_cells(work, i, option)
        if found:
            break
    return found


@kernel
def keep_undominated(game: RaceGame, work: RaceWorkspace, first: Int, end: Int) -> None:
    """Mark in `work.option_kept` those guesses at a set for which no other guess is proven to be at least as good.

    The guesses are the options from `first` to `end`. Two different options never dominate each other, and dominance is
    transitive, so the order of the comparisons does not matter. The marks are invalid if the search was stopped.
    """
    kept = work.option_kept
    for i in range(first, end):
        kept[i] = 1
    for i in range(first, end):
        if (i - first) % BETWEEN == BETWEEN - 1 and must_stop(work.shared):
            return
        for j in range(first, end):
            if i != j and kept[j] and dominates(game, work, j, i):
                kept[i] = 0
                break


@entry
def measure_reach(tables: RaceTables, form: Int) -> None:
    """Compute `within` and `alone` of a set from all guesses at it (options).

    `within[k]` is the largest number of codes that can be found within k guesses. `alone` is the maximum over the
    options of the number of cells, plus two if the guess can hit.
    """
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
        # The last three entries represent all larger numbers of guesses, so that bounds hold for longer strategies.
        within[form, k] = most if k < GUESSES - 3 else n
    for option in range(tables.first[form, 0], tables.first[form, 1]):
        cells = tables.begin[option + 1] - tables.begin[option]
        best_alone = max(best_alone, 2 * np.int64(tables.hit[option]) + np.int64(cells))
    tables.alone[form] = best_alone


@entry
def measure_pace(tables: RaceTables, form: Int) -> None:
    """Compute how many codes some fixed strategies find with each guess (`pace`), and their measures (`worth`).

    A fixed strategy for a set always plays the guess that is best by its measure, without regard to the other side. Of
    a large set that is not expanded yet, only one guess is stored, so all strategies begin with it.
    """
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
def count_distinct_answers(game: RaceGame, work: RaceWorkspace, start: Int, n: Int) -> None:
    """Write to `work.distinct` how many different answers the codes of a set give to each guess, one byte per guess."""
    signs, met = game.signs, work.met
    planes, words = met.shape
    met[:] = ZERO
    for j in range(start, start + n):
        sign = signs[work.members[j]]
        for plane in range(planes):
            for i in range(words):
                met[plane, i] |= sign[plane, i]
    work.distinct[:] = ZERO
    for plane in range(planes):
        for i in range(words):
            work.distinct[i] += byte_counts(met[plane, i])


@kernel
def answers_to(work: RaceWorkspace, guess: Int) -> Int:
    """Read from `work.distinct` how many different answers the codes of the set give to a guess."""
    return np.int64((work.distinct[guess >> 3] >> np.uint64(8 * (guess & 7))) & np.uint64(0xFF))


@kernel
def measure(game: RaceGame, work: RaceWorkspace, start: Int, n: Int, guess: Int) -> tuple[Int, Int]:
    """Return 1 if the guess is in the set, else 0, and an upper bound on the codes found within three guesses.

    The bound holds for strategies that begin with this guess.
    """
    size = work.sizes
    for r in range(game.hints):
        size[r] = 0
    for i in range(start, start + n):
        size[game.answers[work.members[i], guess]] += 1
    hit: Int = np.int64(size[game.hints - 1])
    reach: Int = hit
    for r in range(game.hints - 1):
        cell: Int = np.int64(size[r])
        reach += min(cell, game.hints)
    return hit, reach


@kernel
def survey_guesses(game: RaceGame, work: RaceWorkspace, start: Int, n: Int) -> tuple[Int, Survey]:
    """Select the first guess tried for a set, `members[start : start + n]`, and compute the statistics of all guesses.

    The selected guess has the most different answers, because that is the number of codes found within two guesses.
    Ties are resolved by the bound for three guesses, then in favour of a guess that can hit. The bound uses that the
    last two of three guesses find at most as many codes of a cell as there are answers. The results are invalid if the
    search was stopped.
    """
    guesses = len(game.codes)
    count_distinct_answers(game, work, start, n)
    two: Int = 0
    for guess in range(guesses):
        two = max(two, answers_to(work, guess))
    alone = two
    for j in range(start, start + n):
        alone = max(alone, answers_to(work, np.int64(work.members[j])) + 1)
    three: Int = 0
    chosen: Int = 0
    best: Int = -1
    for guess in range(guesses):
        if guess % BETWEEN == BETWEEN - 1 and must_stop(work.shared):
            break
        if answers_to(work, guess) == two:
            hit, reach = measure(game, work, start, n, guess)
            three = max(three, reach)
            if 2 * reach + hit > best:
                best, chosen = 2 * reach + hit, guess
    if three < n:
        for guess in range(guesses):
            if guess % BETWEEN == BETWEEN - 1 and must_stop(work.shared):
                break
            three = max(three, measure(game, work, start, n, guess)[1])
    return chosen, Survey(two, three, alone)


@kernel
def write_options(tables: RaceTables, work: RaceWorkspace, form: Int, first: Int, end: Int) -> bool:
    """Copy the guesses that are kept for a set to the tables, as the options of its form.

    An *option* is the effect of a guess: whether it can hit, and the forms of its other cells. The options from `first`
    to `end` of the workspace are copied if they are marked as kept. Returns False if the tables are full.
    """
    used = tables.used
    cells = np.int64(work.option_begin[end]) - np.int64(work.option_begin[first])
    if used[OPTIONS] + end - first > len(tables.hit) or used[CELLS] + cells > len(tables.cell):
        return False
    tables.first[form, 0] = used[OPTIONS]
    for i in range(first, end):
        if work.option_kept[i]:
            tables.hit[used[OPTIONS]] = work.option_hit[i]
            for j in range(work.option_begin[i], work.option_begin[i + 1]):
                tables.cell[used[CELLS]] = work.cell[j]
                used[CELLS] += 1
            used[OPTIONS] += 1
            tables.begin[used[OPTIONS]] = used[CELLS]
    tables.first[form, 1] = used[OPTIONS]
    return True


@kernel
def enter_set(tables: RaceTables, form: Int, key: np.uint64, check: np.uint64) -> None:
    """Store the form of a set under the hash of the set. Interchangeable sets have the same form.

    The tables must have free space.
    """
    number = tables.used[SETS]
    tables.set_name[number, 0], tables.set_name[number, 1] = key, check
    tables.set_form[number] = form
    tables.set_at[find(tables.set_name, tables.set_at, key, check)] = number
    tables.used[SETS] = number + 1


@kernel
def enter_expanded(
    tables: RaceTables, work: RaceWorkspace, frame: Frame, end: Int, set_key: np.uint64, set_check: np.uint64
) -> Int:
    """Store a set and its form after all guesses at the set were evaluated.

    The options of the set, which are the effects of its guesses, were written to the workspace before index `end`. Sets
    with the same options share one form. Returns the number of the form, or 0 if the tables are full.
    """
    n = frame.n
    key, check = mix(np.uint64(n)), mix(~np.uint64(n))
    for i in range(frame.first, end):
        if work.option_kept[i]:
            key += mix(work.option_name[i, 0])
            check += mix(work.option_name[i, 1])
    used = tables.used
    if used[SETS] == len(tables.set_form):
        return 0
    place = find(tables.form_name, tables.form_at, key, check)
    form = np.int64(tables.form_at[place])
    if form < 0:
        form = used[FORMS]
        if form == len(tables.size) or not write_options(tables, work, form, frame.first, end):
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
def enter_partial(
    tables: RaceTables, work: RaceWorkspace, frame: Frame, survey: Survey, key: np.uint64, check: np.uint64
) -> Int:
    """Store a large set at which only one guess was evaluated, and its statistics, as a partial form.

    The effect of that guess is the first option in the workspace. Returns the number of the form, or 0 if the tables
    are full.
    """
    used, n = tables.used, frame.n
    form = np.int64(used[FORMS])
    if (
        used[SETS] == len(tables.set_form)
        or form == len(tables.size)
        or used[CODES] + n > len(tables.code)
        or not write_options(tables, work, form, frame.first, frame.first + 1)
    ):
        return 0
    tables.size[form] = n
    tables.listed[form] = 0
    tables.sketched[form] = used[CODES]
    for i in range(n):
        tables.code[used[CODES] + i] = work.members[frame.start + i]
    used[CODES] += n
    within = tables.within[form]
    within[1], within[2], within[3] = 1, survey.two, survey.three
    for k in range(4, GUESSES):
        within[k] = n
    tables.alone[form] = survey.alone
    measure_pace(tables, form)
    used[FORMS] = form + 1
    enter_set(tables, form, key, check)
    return form


@entry
def list_options(game: RaceGame, tables: RaceTables, work: RaceWorkspace, form: Int, end: Int) -> bool:
    """Store all useful guesses at a large set for which only one guess was stored before (a partial form).

    The effects of the guesses are the options in the workspace up to index `end`. Dominated ones are left out. Returns
    False without changes if the search was stopped or the tables are full.
    """
    keep_undominated(game, work, 0, end)
    if stopped(work.shared):
        return False
    if not write_options(tables, work, form, 0, end):
        stop(work.shared, OUT_OF_TABLES)
        return False
    tables.listed[form] = 1
    measure_reach(tables, form)
    measure_pace(tables, form)
    return True
