"""The form of a set: all that it lets its holder do. Every guess is tried, and the forms of its cells are asked for.

Of a large set only the lead is tried at first, and its form is a sketch (`tables`) until its options are asked for.
"""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.race.kernels.entries import (
    enter_sketch,
    enter_whole,
    is_dominated,
    keep_undominated,
    survey,
)
from yomikiri.hitblow.race.kernels.set_hash import count_symbols, name_of
from yomikiri.hitblow.race.kernels.tables import (
    AT_ONCE,
    BETWEEN,
    LISTING,
    NEAR,
    OUT_OF_ROOM,
    OUT_OF_TABLES,
    SEEN,
    SERIAL,
    TOO_DEEP,
    RaceGame,
    RaceWorkspace,
    Tables,
    find,
)
from yomikiri.hitblow.search.kernels.partition import count_cells, divide, insert_by_size, is_separable, largest_cell
from yomikiri.machine.bits import ONE, ZERO, Int, mix
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import enter_node, must_stop, stop, stopped

SMALL = 16  # the answers of so many codes are one word, if there are fewer hints
_LOW = np.uint64(0x1111111111111111)  # the lowest bit of each answer


@kernel
def pack_answers(game: RaceGame, room: RaceWorkspace, start: Int, n: Int) -> None:
    """Write the answers of a small set to every guess to `room.packed`, four bits for each code.

    Code by code: of a code and a guess the answer is the same whichever is which, and so it stands in one row.
    """
    packed = room.packed
    packed[:] = ZERO
    for j in range(n):
        row = game.answers[room.members[start + j]]
        shift = np.uint64(4 * j)
        for guess in range(len(row)):
            packed[guess] |= np.uint64(row[guess]) << shift


@kernel
def sign_partitions(game: RaceGame, room: RaceWorkspace, n: Int) -> None:
    """Write to `room.signed` a word for each guess: how it divides a small set whose answers are packed.

    Four bits for each code: how far behind it the first code with the same answer stands, 0 for that one itself. A code
    that is hit is alone in its cell, and its bits are 15. Only the last of 16 codes may be 15 behind another; of a hit
    there, bit 0 tells, which else is set only with the three after it, where the first code is hit. So guesses have one
    word just if they divide the set alike and hit the same code or none. The last word is that of a guess that leaves
    the set as it is.

        codes 02 10 12 21, guess 12      answers 1H0B 1H0B 2H0B 0H2B      distances 0 1 15 0      word 0x0f10
    """
    packed, signed = room.packed, room.signed
    last = np.uint64(game.hints - 1) * _LOW
    every = ~ZERO >> np.uint64(64 - 4 * n)
    for guess in range(len(packed)):
        x = packed[guess] ^ last
        x |= x >> ONE
        x |= x >> np.uint64(2)
        x = ~x & _LOW & every
        signed[guess] = ((x << np.uint64(4)) - x) | (x >> np.uint64(60))
    for k in range(1, n):
        places = _LOW & (every >> np.uint64(4 * k))
        back, distance = np.uint64(4 * k), np.uint64(k) * _LOW
        for guess in range(len(packed)):
            x = packed[guess] ^ (packed[guess] >> back)
            x |= x >> ONE
            x |= x >> np.uint64(2)
            x = (~x & places) << back
            x = (x << np.uint64(4)) - x
            signed[guess] = (signed[guess] & ~x) | (distance & x)


@kernel
def find_alike(game: RaceGame, room: RaceWorkspace, depth: Int, start: Int, n: Int, serial: Int) -> None:
    """Write to `room.alike[depth]` which symbols may be exchanged without changing the set.

    Of a small set only those in no code: looking for others takes longer than it saves.
    """
    count_symbols(game, room, start, n)
    count, alike, members, stamp = room.counted, room.alike[depth], room.members, room.stamp
    if n > SMALL:
        for j in range(start, start + n):
            stamp[members[j]] = serial
    for s in range(game.symbols):
        alike[s] = -1
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
                        if stamp[game.number[value]] != serial:
                            fits = False
                            break
            if fits:
                alike[s] = t
                break


@kernel
def in_order(game: RaceGame, room: RaceWorkspace, depth: Int, guess: Int) -> bool:
    """Whether a guess names symbols that may be exchanged from the lowest on; every other is the image of one."""
    code, alike = game.codes[guess], room.alike[depth]
    for i in range(game.digits):
        before = alike[code[i]]
        if before >= 0:
            met = False
            for k in range(i):
                met |= code[k] == before
            if not met:
                return False
    return True


@kernel
def answer(game: RaceGame, room: RaceWorkspace, depth: Int, start: Int, n: Int, guess: Int) -> Int:
    """Work out the answers of a set to a guess and the sizes of its cells; returns the largest."""
    # By the rows of the codes, which stay in the cache while all guesses are tried one after another.
    for i in range(n):
        room.answers[i] = game.answers[room.members[start + i], guess]
    count_cells(room.answers, n, game.hints, room.size[depth])
    return largest_cell(game.hints, room.size[depth])


@kernel
def is_small(game: RaceGame, n: Int) -> bool:
    """Whether how a guess divides so many codes is one word."""
    return n <= SMALL and game.hints < SMALL


@kernel
def prepare(game: RaceGame, room: RaceWorkspace, start: Int, n: Int) -> None:
    """Make ready to tell guesses at a set apart: what was seen of another is forgotten."""
    if is_small(game, n):
        pack_answers(game, room, start, n)
        sign_partitions(game, room, n)
        room.seen[:] = room.signed[len(game.codes)]  # of a guess that is never asked about
    else:
        room.seen_guess[:] = -1


@kernel
def tell_apart(game: RaceGame, room: RaceWorkspace, depth: Int, start: Int, n: Int, guess: Int) -> bool:
    """Answer a guess; whether it divides the set, and no guess before it is known to have done so alike.

    A guess that leaves the set as it is does not: race-public.md says why nobody need pass. The set is the one
    that `prepare` was told last.

    No guess is taken for another. Nothing is known of other sets. Of a small one the words of guesses are compared,
    which are the same just if they divide it alike. Of a large one a word only says which guess to compare with, answer
    by answer. What stands in its place another one writes over: then a guess is looked at again, which costs time
    alone.
    """
    members, answers, sums, seen = room.members, room.answers, room.sums, room.seen
    if is_small(game, n):
        word = np.uint64(room.signed[guess])
        place = mix(word) & np.uint64(SEEN - 1)
        if word == room.signed[len(game.codes)] or seen[place] == word:
            return False
        seen[place] = word
        answer(game, room, depth, start, n, guess)
        return True
    if answer(game, room, depth, start, n, guess) == n:
        return False
    for r in range(game.hints):
        sums[r] = ZERO
    for i in range(n):
        sums[answers[i]] += game.names[game.values[members[start + i]], 0]
    same = ZERO
    for r in range(game.hints):
        if room.size[depth, r]:
            same += mix(sums[r]) * (np.uint64(3) if r == game.hints - 1 else ONE)
    place = same & np.uint64(SEEN - 1)
    other = np.int64(room.seen_guess[place])
    if other >= 0 and seen[place] == same and divides_alike(game, room, start, n, other):
        return False
    seen[place], room.seen_guess[place] = same, guess
    return True


@kernel
def divides_alike(game: RaceGame, room: RaceWorkspace, start: Int, n: Int, other: Int) -> bool:
    """Whether the guess answered last divides a set as another one does, and hits the same code or none.

    It is so just if every answer to the one goes with one answer to the other, and the win with the win.
    """
    one, back, win = room.paired[0], room.paired[1], game.hints - 1
    for r in range(game.hints):
        one[r] = back[r] = -1
    one[win] = back[win] = win
    for i in range(n):
        this, that = np.int64(room.answers[i]), np.int64(game.answers[room.members[start + i], other])
        if one[this] < 0 and back[that] < 0:
            one[this], back[that] = that, this
        if one[this] != that:
            return False
    return True


@kernel
def order_cells(game: RaceGame, room: RaceWorkspace, depth: Int) -> Int:
    """Write to `room.cells`, by size, the cells of the guess answered last but for the hit; returns how many there are.

    Whether the guess can hit is in the last place of `room.size`.
    """
    size, order = room.size[depth], room.cells[depth]
    cells = 0
    for r in range(game.hints - 1):
        if size[r]:
            cells = insert_by_size(order, cells, size, r)
    return cells


@kernel
def part(game: RaceGame, room: RaceWorkspace, depth: Int, start: Int, n: Int, top: Int) -> None:
    """Write the cells of the guess answered last to `members` from `top`."""
    divide(room.members, room.answers, start, n, top, game.hints, room.size[depth], room.start[depth])


@kernel
def all_perfect(game: RaceGame, room: RaceWorkspace, depth: Int, cells: Int) -> bool:
    """Whether all cells of the guess in hand are perfect; if so their forms are noted, which are their sizes."""
    order, members = room.cells[depth], room.members
    for i in range(cells - 1, -1, -1):
        begin, size = room.start[depth, order[i]], room.size[depth, order[i]]
        if size > 2 and (size > game.hints or not is_separable(game.answers, members, begin, size)):
            return False
        room.form[depth, i] = size
    return True


@kernel
def write_option(game: RaceGame, room: RaceWorkspace, depth: Int, guess: Int, cells: Int, at: Int) -> None:
    """Write a guess and the sizes of its cells as an option, the forms of the cells left open."""
    room.option_guess[at] = guess
    room.option_hit[at] = room.size[depth, game.hints - 1]
    begin = np.int64(room.option_begin[at])
    for i in range(cells):
        room.cell_size[begin + i] = room.size[depth, room.cells[depth, i]]
    room.option_begin[at + 1] = begin + cells


@kernel
def push_option(room: RaceWorkspace, depth: Int, cells: Int, first: Int, end: Int) -> Int:
    """Add the option written at `end` to those from `first` on, unless one does the same; returns their new end."""
    form, size, order = room.form[depth], room.size[depth], room.cells[depth]
    # Of one size by number.
    for i in range(1, cells):
        this = form[i]
        at = i
        while at > 0 and size[order[at - 1]] == size[order[i]] and form[at - 1] > this:
            form[at] = form[at - 1]
            at -= 1
        form[at] = this
    hit = room.option_hit[end]
    key, check = np.uint64(hit), np.uint64(hit)
    for i in range(cells):
        key += mix(np.uint64(form[i]))
        check += mix(np.uint64(form[i]) << np.uint64(32))
    for i in range(first, end):
        if room.option_name[i, 0] == key and room.option_name[i, 1] == check:
            return end
    room.option_name[end, 0] = key
    room.option_name[end, 1] = check
    begin = room.option_begin[end]
    for i in range(cells):
        room.cell[begin + i] = form[i]
    return end + 1


@entry
def form_of(
    game: RaceGame,
    tables: Tables,
    room: RaceWorkspace,
    depth: Int,
    start: Int,
    n: Int,
    top: Int,
    first: Int,
    later: Int,
) -> Int:
    """The form of the set `members[start : start + n]`, with those of all sets it can become; 0 if the work stopped.

    `top` is where members may be put, `first` where options and `later` where guesses may, those of the sets above it
    standing before. If `room.state` wants the options of the set at depth 0, it is their end that is returned.

    Where it is `stopped` nothing is entered of the sets in hand: a set is entered whole, when all its guesses were
    looked at and the forms of all their cells are known.
    """
    state, members = room.state, room.members
    listing = depth == 0 and state[LISTING]
    near, near_check, key, check = ZERO, ZERO, ZERO, ZERO
    if not listing:
        if n <= 2:
            return n
        if n <= game.hints and is_separable(game.answers, members, start, n):
            return n
        for i in range(start, start + n):
            value = game.values[members[i]]
            near += game.names[value, 0]
            near_check += game.names[value, 1]
        spot = near & np.uint64(NEAR - 1)
        if room.near_name[spot, 0] == near and room.near_name[spot, 1] == near_check:
            return np.int64(room.near_form[spot])
        key, check = name_of(game, room, start, n)
        known = tables.set_at[find(tables.set_name, tables.set_at, key, check)]
        if known >= 0:
            room.near_name[spot, 0], room.near_name[spot, 1] = near, near_check
            room.near_form[spot] = tables.set_form[known]
            return np.int64(tables.set_form[known])
    guesses = len(game.codes)
    if depth == len(room.size):
        stop(room.shared, TOO_DEEP)
    elif top + n > len(members) or first + guesses >= len(room.option_hit) or later + guesses > len(room.later):
        stop(room.shared, OUT_OF_ROOM)
    if stopped(room.shared) or not enter_node(room.shared):
        return 0
    state[SERIAL] += 1
    end: Int = first
    later_end: Int = later
    sketched = n > state[AT_ONCE] and not listing
    two, three, alone = np.int64(0), np.int64(0), np.int64(0)
    if sketched:
        room.later[later], two, three, alone = survey(game, room, start, n)
        later_end += 1
    else:
        find_alike(game, room, depth, start, n, state[SERIAL])
        prepare(game, room, start, n)
        # Guesses that leave only perfect cells come first: they make many others needless before their cells are named.
        for guess in range(guesses):
            if guess % BETWEEN == BETWEEN - 1 and must_stop(room.shared):
                break
            if in_order(game, room, depth, guess) and tell_apart(game, room, depth, start, n, guess):
                cells = order_cells(game, room, depth)
                write_option(game, room, depth, guess, cells, end)
                if not is_dominated(room, first, end, end):
                    part(game, room, depth, start, n, top)
                    if all_perfect(game, room, depth, cells):
                        end = push_option(room, depth, cells, first, end)
                    else:
                        room.later[later_end] = guess
                        later_end += 1
    bare = end
    for i in range(later, later_end):
        if must_stop(room.shared):
            break
        later_guess = np.int64(room.later[i])
        answer(game, room, depth, start, n, later_guess)
        cells = order_cells(game, room, depth)
        write_option(game, room, depth, later_guess, cells, end)
        if not is_dominated(room, first, bare, end):
            part(game, room, depth, start, n, top)
            for j in range(cells):
                cell = room.cells[depth, j]
                begin, size = room.start[depth, cell], room.size[depth, cell]
                found = form_of(game, tables, room, depth + 1, begin, size, top + n, end + 1, later_end)
                if found == 0:
                    return 0
                room.form[depth, j] = found
            end = push_option(room, depth, cells, first, end)
    if listing:
        return end
    keep_undominated(game, room, first, end)
    if stopped(room.shared):
        return 0
    if sketched:
        form = enter_sketch(tables, room, start, n, first, (two, three, alone), (key, check))
    else:
        form = enter_whole(tables, room, n, first, end, key, check)
    if form == 0:
        stop(room.shared, OUT_OF_TABLES)
    return form
