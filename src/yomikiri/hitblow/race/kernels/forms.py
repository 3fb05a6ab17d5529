"""Computation of the canonical form of a candidate set: everything about the set that can affect the race.

- A *partition* is the division of a set into cells by a guess: one cell for each answer. It also contains which code of
  the set the guess hits, if any.
- An *option* is the effect of a guess at a set: whether the guess can be the secret, and the canonical forms of its
  cells without the cell of the hit.
- A set is *separable* if one of its codes, guessed first, separates all others.

`form_of` tries all guesses at a set, and computes the canonical forms of their cells recursively. For a large set, it
evaluates only one guess at first. The other guesses are evaluated (`Forms.list_options`) only when the search for the
payoff of a position needs them. The module `tables` defines the terms in full.
"""

from __future__ import annotations

import numpy as np

from yomikiri.guessing.kernels.partition import (
    CodeSlice,
    count_cells,
    divide,
    insert_by_size,
    is_separable,
    largest_cell,
)
from yomikiri.hitblow.race.kernels.entries import (
    enter_expanded,
    enter_partial,
    is_dominated,
    keep_undominated,
    survey_guesses,
)
from yomikiri.hitblow.race.kernels.set_hash import count_symbols, hash_set
from yomikiri.hitblow.race.kernels.tables import (
    BETWEEN,
    EXPAND_LIMIT,
    LISTING,
    NEAR,
    OUT_OF_TABLES,
    OUT_OF_WORKSPACE,
    SEEN,
    SET_COUNT,
    TOO_DEEP,
    Frame,
    RaceGame,
    RaceTables,
    RaceWorkspace,
    Survey,
    find,
)
from yomikiri.machine.bits import ONE, ZERO, Int, mix
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import enter_node, must_stop, stop, stopped

# limit on the number of codes in a small candidate set: the answers of all its codes to a guess fit into one word, four
# bits each
SMALL = 16
_LOW = np.uint64(0x1111111111111111)  # word of 64 bits in which each group of four bits has the value 1


@kernel
def pack_answers(game: RaceGame, work: RaceWorkspace, start: Int, n: Int) -> None:
    """Write the answers of a small candidate set to every guess to `work.packed`, one word per guess.

    The word has four bits for each code of the set.

    Row c of `game.answers` contains the answers to code c as the guess, one for each possible secret. Answers are
    symmetric, so the same row contains the answer to every guess if code c is the secret. That is why the outer loop is
    over codes: it reads whole rows.
    """
    packed = work.packed
    packed[:] = ZERO
    for j in range(n):
        row = game.answers[work.members[start + j]]
        shift = np.uint64(4 * j)
        for guess in range(len(row)):
            packed[guess] |= np.uint64(row[guess]) << shift


@kernel
def encode_partitions(game: RaceGame, work: RaceWorkspace, n: Int) -> None:
    """Write to `work.partition_code` a word per guess that encodes how the guess divides a small candidate set.

    Two guesses get equal words if and only if they divide the set into the same cells, and both hit the same code or
    none. A guess *hits* the code that is equal to it. The set has at most 16 codes, numbered from 0. The four bits from
    bit 4 i on contain a number for code i:

    - 15 for a code that the guess hits,
    - 0 for the first code of each other cell,
    - for each further code of a cell, how many codes it comes after the first code of the cell.

    Example:

        codes 02 10 12 21, guess 12      answers 1H0B 1H0B 2H0B 0H2B      numbers 0 1 15 0      word 0x0f10

    In a set of 16 codes, the number 15 of the last code could mean two things: a hit, or that its cell begins with code
    0. So a hit of the last code also sets bit 0 of the word. Bits 0 to 3 are the number of code 0, which is otherwise 0
    or 15. So bits 0 to 3 have the value 1 only if the guess hits the last code.

    Requires the answers of the set in `work.packed`. The last element of `work.partition_code` belongs to an imaginary
    guess that leaves the set in one cell.
    """
    packed, partition_code = work.packed, work.partition_code
    last = np.uint64(game.hints - 1) * _LOW
    every = ~ZERO >> np.uint64(64 - 4 * n)
    for guess in range(len(packed)):
        x = packed[guess] ^ last
        x |= x >> ONE
        x |= x >> np.uint64(2)
        x = ~x & _LOW & every
        partition_code[guess] = ((x << np.uint64(4)) - x) | (x >> np.uint64(60))
    for k in range(1, n):
        places = _LOW & (every >> np.uint64(4 * k))
        back, distance = np.uint64(4 * k), np.uint64(k) * _LOW
        for guess in range(len(packed)):
            x = packed[guess] ^ (packed[guess] >> back)
            x |= x >> ONE
            x |= x >> np.uint64(2)
            x = (~x & places) << back
            x = (x << np.uint64(4)) - x
            partition_code[guess] = (partition_code[guess] & ~x) | (distance & x)


@kernel
def find_equivalent_symbols(
    game: RaceGame, work: RaceWorkspace, depth: Int, start: Int, n: Int, set_number: Int
) -> None:
    """Write to `work.equivalent[depth]`, for each symbol, the next lower equivalent symbol, or -1 if there is none.

    Two symbols are *equivalent* if exchanging them does not change the candidate set. In a small set, only symbols that
    occur in no code are recognised as equivalent, because a comparison of the others takes longer than it saves.
    `set_number` is the serial number of the set. The codes of a large set are marked with it in `work.stamp`.
    """
    count_symbols(game, work, start, n)
    count, equivalent, members, stamp = work.counted, work.equivalent[depth], work.members, work.stamp
    if n > SMALL:
        for j in range(start, start + n):
            stamp[members[j]] = set_number
    for s in range(game.symbols):
        equivalent[s] = -1
        for t in range(s - 1, -1, -1):
            fits = True
            some = False
            for i in range(game.digits):
                fits &= count[i, s] == count[i, t]
                some |= count[i, s] > 0
            if fits and some:
                fits = n > SMALL
                if fits:
                    for j in range(start, start + n):
                        code = game.codes[members[j]]
                        value = np.int64(game.values[members[j]])
                        for i in range(game.digits):
                            if code[i] == s:
                                value += (t - s) * game.radix[i]
                            elif code[i] == t:
                                value += (s - t) * game.radix[i]
                        if stamp[game.number[value]] != set_number:
                            fits = False
                            break
            if fits:
                equivalent[s] = t
                break


@kernel
def is_representative(game: RaceGame, work: RaceWorkspace, depth: Int, guess: Int) -> bool:
    """Return True if the guess represents its orbit, so that other guesses of the orbit need not be tried.

    An *orbit* contains the images of a guess under exchanges of symbols that do not change the candidate set. In the
    representative, each class of interchangeable symbols appears in increasing order, beginning with the lowest symbol
    and without gaps.
    """
    code, equivalent = game.codes[guess], work.equivalent[depth]
    for i in range(game.digits):
        before = equivalent[code[i]]
        if before >= 0:
            met = False
            for k in range(i):
                met |= code[k] == before
            if not met:
                return False
    return True


@kernel
def measure_cells(game: RaceGame, work: RaceWorkspace, depth: Int, start: Int, n: Int, guess: Int) -> Int:
    """Write the answer of each code of a candidate set to a guess to `work.answers`.

    The sizes of the cells of the guess are written to `work.size`.

    Returns the size of the largest cell.
    """
    # Read the answers by row: the rows of the candidate set's codes stay in the processor's cache while the guesses
    # change.
    for i in range(n):
        work.answers[i] = game.answers[work.members[start + i], guess]
    count_cells(work.answers, n, game.hints, work.size[depth])
    return largest_cell(game.hints, work.size[depth])


@kernel
def is_small(game: RaceGame, n: Int) -> bool:
    """Return True if a set of `n` codes is small: one word of 64 bits then encodes how a guess divides the set.

    There must also be fewer than 16 different answers in the game.
    """
    return n <= SMALL and game.hints < SMALL


@kernel
def start_partitions(game: RaceGame, work: RaceWorkspace, start: Int, n: Int) -> None:
    """Clear the hash table of partitions, before the search tries the guesses at another candidate set.

    The table contains the ways in which earlier guesses divided a set into cells. For a small set, this function also
    computes how each guess divides the set.
    """
    if is_small(game, n):
        pack_answers(game, work, start, n)
        encode_partitions(game, work, n)
        # Mark every entry as empty. The mark is the partition code of the imaginary guess that leaves the set in one
        # cell. No guess with this code is ever stored.
        work.seen_partition[:] = work.partition_code[len(game.codes)]
    else:
        work.seen_guess[:] = -1


@kernel
def is_new_partition(game: RaceGame, work: RaceWorkspace, depth: Int, start: Int, n: Int, guess: Int) -> bool:
    """Return True if a guess divides a candidate set in a way in which no earlier guess has divided it.

    The earlier guesses are those that the search has tried at the same set, since it called `start_partitions`. If the
    result is True, the answers to the guess and the sizes of its cells are in the workspace. If the guess leaves the
    set in one cell, the result is False: such a guess would only pass the move, which is never needed
    (docs/theory/race-public.md).

    The function never takes two different divisions for the same. For a small set, it compares one word per guess,
    which encodes the division exactly. For a large set, it finds an earlier guess by a hash, and then compares the
    answers to both guesses one by one. An entry of the hash table may be overwritten. Then a repeated division is not
    recognised, which only costs time.
    """
    members, answers, sums, seen_partition = work.members, work.answers, work.sums, work.seen_partition
    if is_small(game, n):
        word = np.uint64(work.partition_code[guess])
        place = mix(word) & np.uint64(SEEN - 1)
        if word == work.partition_code[len(game.codes)] or seen_partition[place] == word:
            return False
        seen_partition[place] = word
        measure_cells(game, work, depth, start, n, guess)
        return True
    if measure_cells(game, work, depth, start, n, guess) == n:
        return False
    for r in range(game.hints):
        sums[r] = ZERO
    for i in range(n):
        sums[answers[i]] += game.names[game.values[members[start + i]], 0]
    partition_key = ZERO
    for r in range(game.hints):
        if work.size[depth, r]:
            partition_key += mix(sums[r]) * (np.uint64(3) if r == game.hints - 1 else ONE)
    place = partition_key & np.uint64(SEEN - 1)
    other = np.int64(work.seen_guess[place])
    if other >= 0 and seen_partition[place] == partition_key and same_partition(game, work, start, n, other):
        return False
    seen_partition[place], work.seen_guess[place] = partition_key, guess
    return True


@kernel
def same_partition(game: RaceGame, work: RaceWorkspace, start: Int, n: Int, other: Int) -> bool:
    """Return True if two guesses divide a candidate set into the same cells, and both hit the same code or none.

    A guess hits the code that is equal to it. The workspace contains the answers of the set to the first guess. The
    second guess is given by its index `other`. The condition holds if and only if there is a one-to-one mapping between
    the answers to both guesses that maps the win to the win.
    """
    one, back, win = work.paired[0], work.paired[1], game.hints - 1
    for r in range(game.hints):
        one[r] = back[r] = -1
    one[win] = back[win] = win
    for i in range(n):
        this, that = np.int64(work.answers[i]), np.int64(game.answers[work.members[start + i], other])
        if one[this] < 0 and back[that] < 0:
            one[this], back[that] = that, this
        if one[this] != that:
            return False
    return True


@kernel
def sort_cells(game: RaceGame, work: RaceWorkspace, depth: Int) -> Int:
    """Sort the non-empty cells of the current guess by their sizes, without the cell of the win. Returns their number.

    The answer indices of these cells are written to `work.cells[depth]`. `work.size[depth]` contains the size of each
    cell, by answer index. The last answer index is the win: the guess is the secret. The cell of the win contains one
    code if the guess is in the candidate set, and is empty otherwise.
    """
    size, order = work.size[depth], work.cells[depth]
    cells = 0
    for r in range(game.hints - 1):
        if size[r]:
            cells = insert_by_size(order, cells, size, r)
    return cells


@kernel
def divide_set(game: RaceGame, work: RaceWorkspace, depth: Int, start: Int, n: Int, top: Int) -> None:
    """Copy the codes of a set to the free part of the stack of codes, sorted by their answers to the current guess.

    The set is `members[start : start + n]`, and the stack `members` is free from index `top` on. `work.answers`
    contains the answers, and `work.size[depth]` the sizes of the cells. The index at which each cell begins is written
    to `work.start[depth]`.
    """
    divide(CodeSlice(work.members, start, n), work.answers, top, game.hints, work.size[depth], work.start[depth])


@kernel
def all_separable(game: RaceGame, work: RaceWorkspace, depth: Int, cells: Int) -> bool:
    """Return True if each cell of the current guess is *separable*: one code of the cell separates all others of it.

    `cells` is the number of cells, without the cell of the hit. If the result is True, the function also writes the
    index of each cell's canonical form to the workspace. For a separable cell, this index is the size of the cell.
    """
    order, members = work.cells[depth], work.members
    for i in range(cells - 1, -1, -1):
        begin, size = work.start[depth, order[i]], work.size[depth, order[i]]
        if size > 2 and (size > game.hints or not is_separable(game.answers, members, begin, size)):
            return False
        work.form[depth, i] = size
    return True


@kernel
def write_option(game: RaceGame, work: RaceWorkspace, depth: Int, guess: Int, cells: Int, at: Int) -> None:
    """Write a guess and the sizes of its cells to index `at` of the list of guesses in the workspace.

    `cells` is the number of cells, without the cell of the hit. `push_option` later adds the canonical forms of the
    cells (everything about a cell that can affect the race).
    """
    work.option_guess[at] = guess
    work.option_hit[at] = work.size[depth, game.hints - 1]
    begin = np.int64(work.option_begin[at])
    for i in range(cells):
        work.cell_size[begin + i] = work.size[depth, work.cells[depth, i]]
    work.option_begin[at + 1] = begin + cells


@kernel
def push_option(work: RaceWorkspace, depth: Int, cells: Int, first: Int, end: Int) -> Int:
    """Finish the workspace entry of a guess by adding its cells. Keep the guess only if its effect is new.

    The guess has the index `end` in the workspace. Its *effect* is whether the guess can be the secret, and the
    canonical forms of its cells without the cell of the hit. The effect is new if no guess with an index from `first`
    to `end` - 1 has it. Returns `end + 1` if the guess is kept, and `end` if it is dropped.
    """
    form, size, order = work.form[depth], work.size[depth], work.cells[depth]
    # Sort cells of equal size by canonical form, so that guesses with the same effect get equal sequences of cells.
    for i in range(1, cells):
        this = form[i]
        at = i
        while at > 0 and size[order[at - 1]] == size[order[i]] and form[at - 1] > this:
            form[at] = form[at - 1]
            at -= 1
        form[at] = this
    hit = work.option_hit[end]
    key, check = np.uint64(hit), np.uint64(hit)
    for i in range(cells):
        key += mix(np.uint64(form[i]))
        check += mix(np.uint64(form[i]) << np.uint64(32))
    for i in range(first, end):
        if work.option_name[i, 0] == key and work.option_name[i, 1] == check:
            return end
    work.option_name[end, 0] = key
    work.option_name[end, 1] = check
    begin = work.option_begin[end]
    for i in range(cells):
        work.cell[begin + i] = form[i]
    return end + 1


@kernel
def known_form(
    game: RaceGame, tables: RaceTables, work: RaceWorkspace, frame: Frame
) -> tuple[Int, np.uint64, np.uint64]:
    """Look up a candidate set in the tables, without search. Returns three numbers.

    If the set is in the tables or is separable (one of its codes, guessed first, separates all others), the first
    number is the index of its canonical form. The caller must then ignore the other two numbers. Otherwise the first
    number is 0, and the other two are the words of the set's hash. The caller needs the hash to store the set later.
    """
    start, n = frame.start, frame.n
    if n <= 2 or (n <= game.hints and is_separable(game.answers, work.members, start, n)):
        return n, ZERO, ZERO
    near, near_check = ZERO, ZERO
    for i in range(start, start + n):
        value = game.values[work.members[i]]
        near += game.names[value, 0]
        near_check += game.names[value, 1]
    spot = near & np.uint64(NEAR - 1)
    if work.near_name[spot, 0] == near and work.near_name[spot, 1] == near_check:
        return np.int64(work.near_form[spot]), ZERO, ZERO
    key, check = hash_set(game, work, start, n)
    known = tables.set_at[find(tables.set_name, tables.set_at, key, check)]
    if known < 0:
        return np.int64(0), key, check
    work.near_name[spot, 0], work.near_name[spot, 1] = near, near_check
    work.near_form[spot] = tables.set_form[known]
    return np.int64(tables.set_form[known]), key, check


@kernel
def begin_set(game: RaceGame, work: RaceWorkspace, depth: Int, frame: Frame) -> bool:
    """Count a visited candidate set and return True. If the search must stop, return False without counting the set.

    The reasons to stop are an exhausted budget, too little free space in the workspace, and a search path that is too
    long.
    """
    guesses = len(game.codes)
    if depth == len(work.size):
        stop(work.shared, TOO_DEEP)
    elif (
        frame.top + frame.n > len(work.members)
        or frame.first + guesses >= len(work.option_hit)
        or frame.later + guesses > len(work.later)
    ):
        stop(work.shared, OUT_OF_WORKSPACE)
    if stopped(work.shared) or not enter_node(work.shared):
        return False
    work.state[SET_COUNT] += 1
    return True


@kernel
def try_guesses(game: RaceGame, work: RaceWorkspace, depth: Int, frame: Frame) -> tuple[Int, Int]:
    """Divide a candidate set by all guesses, and write the guesses that may be useful to two lists in the workspace.

    A cell is *separable* if one of its codes, guessed first, separates all others. A guess *dominates* another one if
    it is at least as good in every race.

    - The first list contains guesses with only separable cells. Guesses with the same cell sizes appear in it once.
    - The second list, `work.later`, contains guesses with a cell that is not separable. The canonical forms of such
      cells need a search.

    The function leaves out each guess that an earlier guess of the first list dominates, so that its cells need no
    search. It also leaves out guesses that are equivalent to another guess by symmetry, and guesses that divide the set
    like an earlier guess. Returns the index after the last guess of each list.
    """
    start, n = frame.start, frame.n
    end: Int = frame.first
    later_end: Int = frame.later
    find_equivalent_symbols(game, work, depth, start, n, work.state[SET_COUNT])
    start_partitions(game, work, start, n)
    for guess in range(len(game.codes)):
        if guess % BETWEEN == BETWEEN - 1 and must_stop(work.shared):
            break
        if is_representative(game, work, depth, guess) and is_new_partition(game, work, depth, start, n, guess):
            cells = sort_cells(game, work, depth)
            write_option(game, work, depth, guess, cells, end)
            if not is_dominated(work, frame.first, end, end):
                divide_set(game, work, depth, start, n, frame.top)
                if all_separable(game, work, depth, cells):
                    end = push_option(work, depth, cells, frame.first, end)
                else:
                    work.later[later_end] = guess
                    later_end += 1
    return end, later_end


@kernel
def split_again(game: RaceGame, work: RaceWorkspace, depth: Int, frame: Frame, guess: Int, end: Int) -> Int:
    """Divide a candidate set by a guess a second time, because the workspace now contains the cells of another guess.

    Writes the guess and the sizes of its cells to index `end` of the list of guesses in the workspace. Returns the
    number of cells, without the cell of the hit.
    """
    measure_cells(game, work, depth, frame.start, frame.n, guess)
    cells = sort_cells(game, work, depth)
    write_option(game, work, depth, guess, cells, end)
    return cells


@entry
def form_of(game: RaceGame, tables: RaceTables, work: RaceWorkspace, depth: Int, frame: Frame) -> Int:
    """Return the index of the canonical form of a candidate set, or 0 if the search was stopped.

    The *canonical form* is everything about the set that can affect the race. `frame` contains the set. The function
    divides the set by its guesses, and computes the canonical forms of the cells recursively. For a set with more than
    `work.state[EXPAND_LIMIT]` codes, it does so for one guess only.

    A set is stored only after these guesses were tried and the canonical forms of all their cells are known. So a
    stopped search stores no incomplete set.

    If `work.state[LISTING]` is 1, the outermost call (with `depth` 0) has another purpose. It tries all guesses at its
    set, whatever the size of the set, and leaves them in the workspace from index `frame.first` on. It does not store
    the set. It returns the index after the last of these guesses, or 0 if the search was stopped.
    """
    listing = depth == 0 and work.state[LISTING]
    key, check = ZERO, ZERO
    if not listing:
        known, key, check = known_form(game, tables, work, frame)
        if known:
            return known
    if not begin_set(game, work, depth, frame):
        return 0
    partial = frame.n > work.state[EXPAND_LIMIT] and not listing
    end: Int = frame.first
    later_end: Int = frame.later
    survey = Survey(np.int64(0), np.int64(0), np.int64(0))
    if partial:
        work.later[later_end], survey = survey_guesses(game, work, frame.start, frame.n)
        later_end += 1
    else:
        end, later_end = try_guesses(game, work, depth, frame)
    bare = end
    for i in range(frame.later, later_end):
        if must_stop(work.shared):
            break
        cells = split_again(game, work, depth, frame, np.int64(work.later[i]), end)
        if not is_dominated(work, frame.first, bare, end):
            divide_set(game, work, depth, frame.start, frame.n, frame.top)
            for j in range(cells):
                cell = work.cells[depth, j]
                begin, size = work.start[depth, cell], work.size[depth, cell]
                below = Frame(begin, size, frame.top + frame.n, end + 1, later_end)
                found = form_of(game, tables, work, depth + 1, below)
                if found == 0:
                    return 0
                work.form[depth, j] = found
            end = push_option(work, depth, cells, frame.first, end)
    if listing:
        return end
    keep_undominated(game, work, frame.first, end)
    if stopped(work.shared):
        return 0
    if partial:
        form = enter_partial(tables, work, frame, survey, key, check)
    else:
        form = enter_expanded(tables, work, frame, end, key, check)
    if form == 0:
        stop(work.shared, OUT_OF_TABLES)
    return form
