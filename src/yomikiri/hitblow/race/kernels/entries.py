"""Table entries of candidate sets: the useful guesses at each set, and bounds on how soon its codes are found.

- The *canonical form* of a candidate set is everything about the set that can affect the race. Variables and functions
  call it `form`.
- An *option* is the effect of a guess at a set: whether the guess can be the secret, and the canonical forms of its
  cells without the cell of the hit.
- An option *dominates* another option of the same set if it is at least as good for the player who guesses, whatever
  the opponent's candidates are. Dominated options are not stored.

A *finish distribution* counts how many codes of a set a strategy finds with each guess. For each set, the tables
contain the finish distributions of some strategies. The kernels `pairs` compute bounds from them: bounds of the payoff
of a position (2 for each win and 1 for each draw). The module `tables` defines these terms in full.
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
    """Return True if the cells of guess `better` at a candidate set are at most as large as those of `worse`.

    For each of the two guesses, sort the codes of the set by the size of their cell. A code that the guess hits counts
    as size 0. Compare the two sorted lists: for each i, the i-th size of `better` must be at most the i-th size of
    `worse`.
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
    """Return True if guess `better` at a candidate set is proven to be at least as good as guess `worse` in every race.

    Both guesses are given by their indices in the workspace. A cell is *separable* if one of its codes, guessed first,
    separates all others. Two conditions together are sufficient:

    - Each cell of `better` that is not separable has a partner: a cell of `worse` with the same canonical form. No
      two cells have the same partner.
    - The cells of `better` are at most as large as those of `worse`, in the sense of `has_smaller_cells`.

    docs/theory/race-public.md has the proof. In short, the payoff of a guess is a sum over its cells:

    - A cell and its partner contribute the same to the two sums. So only the other cells have to be compared.
    - The other cells of `better` are separable. No cell of the same size has a greater payoff than a separable cell.
    - The payoff per code of a separable cell does not increase with its size, and the cells of `better` are not larger.
    """
    if not has_smaller_cells(work, better, worse):
        return False
    cell = work.cell
    j, end = work.option_begin[worse], work.option_begin[worse + 1]
    # The cells of both guesses are sorted by size and canonical form, so one pass over both lists finds the common
    # cells.
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
    """Return True if one of the guesses `first` to `end` - 1 is proven to dominate the guess `option`.

    All guesses are at the same candidate set, and are given by their indices in the workspace. A guess *dominates*
    another one if it is at least as good in every race. All cells of the guesses `first` to `end` - 1 must be
    *separable*: one code of the cell, guessed first, separates all others. The comparison then needs only the sizes of
    the cells.
    """
    found = False
    for i in range(first, end):
        found |= has_smaller_cells(work, i, option)
        if found:
            break
    return found


@kernel
def keep_undominated(game: RaceGame, work: RaceWorkspace, first: Int, end: Int) -> None:
    """Mark the useful guesses at a candidate set: those that no other guess is proven to dominate.

    A guess *dominates* another one if it is at least as good in every race.

    The function compares the guesses with the indices `first` to `end` - 1 in the workspace with each other, and writes
    the marks to `work.option_kept`. The marks are invalid if the search was stopped.

    The order of the comparisons does not matter, for two reasons. Dominance is transitive. And no two guesses dominate
    each other, because no two guesses in the workspace have the same effect. The *effect* of a guess is whether it can
    be the secret, and the canonical forms of its cells without the cell of the hit.
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
    """Compute the arrays `within` and `alone` of a candidate set from the stored guesses at the set.

    The set is given by `form`, the index of its canonical form. The *owner* of the set is the player who looks for its
    codes.

    - `within[form, k]` is an upper bound on how many of the codes the owner can find within k guesses.
    - `alone[form]` is the owner's greatest payoff in a special position, summed over the codes.

    In the special position, both players get the same number of guesses. The owner guesses now, which completes a
    round. The opponent begins the next round and hits for certain. The owner then completes that round with a last
    guess. The owner wins (payoff 2) if the guess now hits, and draws (payoff 1) if the last guess hits. The last guess
    can be right for one code of each cell of the guess now.
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
        # The last three columns get n, because they must be bounds for any number of guesses. The function `bounds`
        # reads them for the last element of `pace`, which also counts codes found later.
        within[form, k] = most if k < GUESSES - 3 else n
    for option in range(tables.first[form, 0], tables.first[form, 1]):
        cells = tables.begin[option + 1] - tables.begin[option]
        best_alone = max(best_alone, 2 * np.int64(tables.hit[option]) + np.int64(cells))
    tables.alone[form] = best_alone


@entry
def measure_pace(tables: RaceTables, form: Int) -> None:
    """Compute how soon each fixed strategy finds the codes of a candidate set, and a score of the strategy.

    The set is given by `form`, the index of its canonical form. There are PACES *fixed strategies*, which ignore the
    opponent. Each has its own score. At every set, a fixed strategy chooses the stored guess that makes its score of
    the whole set as great as possible. The results are written to the arrays `worth` and `pace`:

    - `worth[form, 0]` is the score of fixed strategy 0: minus the total number of guesses over all codes.
    - `worth[form, p]` is the score of fixed strategy p > 0. It is a sum over all codes, in which a code found with
      guess k counts HASTE[p - 1]^k. The numbers in HASTE are less than 1, so codes found sooner count more.
    - `pace[form, p, k]` is the number of codes that fixed strategy p finds with guess k. The last element also counts
      the codes found later.

    If only one guess at a large set is stored, all fixed strategies begin with that guess.
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
    """Count how many different answers the codes of a candidate set give to each guess.

    Write the counts to `work.distinct`. Each count takes one byte. The set is `members[start : start + n]`, where
    `members` is the stack of codes in the workspace.
    """
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
    """Return how many different answers the codes of the current candidate set give to a guess.

    The guess is given by its index. Requires that `count_distinct_answers` has written the counts to `work.distinct`.
    """
    return np.int64((work.distinct[guess >> 3] >> np.uint64(8 * (guess & 7))) & np.uint64(0xFF))


@kernel
def measure(game: RaceGame, work: RaceWorkspace, start: Int, n: Int, guess: Int) -> tuple[Int, Int]:
    """Return (hit, reach), two numbers on how soon a guess at a candidate set leads to the secret.

    - `hit` is 1 if the guess is in the set, otherwise 0.
    - `reach` is an upper bound on how many codes of the set a strategy finds within three guesses, if it begins
      with this guess.

    The set is `members[start : start + n]`, where `members` is the stack of codes in the workspace.
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
    """Select the guess to evaluate at first at a large candidate set. Returns it, and statistics of all guesses.

    The set is `members[start : start + n]`, where `members` is the stack of codes in the workspace. It is *large* if it
    has more than `work.state[EXPAND_LIMIT]` codes. The returned guess is the index of a guess, selected as follows:

    - It has the most different answers. A strategy that begins with a guess can find as many codes within two
      guesses as the guess has different answers.
    - If several guesses have the most answers, it has the greatest upper bound on the codes found within three
      guesses (see `measure`). After the first guess, two more guesses find at most as many codes of a cell as there
      are possible answers in the game.
    - If these bounds are equal too, a guess that can be the secret is preferred.

    The results are invalid if the search was stopped.
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
    """Copy the useful guesses at a candidate set from the workspace to the tables.

    The function considers the guesses with the indices `first` to `end` - 1 in the workspace, and copies those with a
    mark in `work.option_kept`. For each of them, it copies whether the guess can be the secret, and the canonical forms
    of its cells without the cell of the hit. `form` is the index of the set's canonical form in the tables. Returns
    False if the tables are full.
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
    """Store a candidate set in the tables: its hash, and the index of its canonical form.

    The hash consists of the words `key` and `check`. The canonical form is everything about the set that can affect the
    race. Requires free space in the tables.
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
    """Store a candidate set after all guesses at it have been evaluated. Returns the index of its canonical form.

    The *effect* of a guess is whether it can be the secret, and the canonical forms of its cells without the cell of
    the hit. The effects of the guesses `frame.first` to `end` - 1 are in the workspace. Sets with the same size and the
    same effects share one canonical form. The hash of the set consists of the words `set_key` and `set_check`. Returns
    0 if the tables are full.
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
    """Store a large candidate set at which only one guess has been evaluated. Returns the index of its canonical form.

    The evaluated guess has the index `frame.first` in the workspace, which contains the canonical forms of its cells.
    `survey` contains statistics of all guesses at the set. From these the function writes `within`, the bounds on how
    many codes any strategy finds within k guesses. It also writes `alone`, a greatest payoff (see `Survey`). The hash
    of the set consists of the words `key` and `check`. Returns 0 if the tables are full.
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
    """Store all useful guesses at a large candidate set for which the tables contained only one guess so far.

    The guesses have the indices 0 to `end` - 1 in the workspace. Dominated guesses, for which another guess is at least
    as good, are left out. Returns False if the search was stopped or the tables are full. The tables are then
    unchanged.
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
