"""The kernels of the search for secrets that are not equally likely: the least weighted total of any strategy.

Each candidate has a whole number as its weight, and a strategy costs the sum over all candidates of the weight times
the guesses it takes. Candidates are numbered from the heaviest down, so every set is in that order too.

W is the weight of a set of n codes, w1 of its heaviest, wn of its lightest, s the slots. docs/hitblow-search.md proves:

    any tree            at least W for its first guess, W - w1 for the second, W less its s heaviest for the third, ...:
                        no more than 1, s - 1, (s - 1)², ... codes are found at each, the heaviest first
    a guess             W and what its cells cost, the win nothing
    a perfect set       2 W - w of the heaviest member that tells all others apart, or at least 2 W - w1 + wn
    any other, n <= s   at least 2 W - w1 + wn
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.kernels_ahead import kernel
from yomikiri.hitblow.search.memo import Memo, find, put
from yomikiri.hitblow.search.partition import count, divide, insert, largest, look_up, name_cells, perfect_member
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.hitblow.search.table import Table
from yomikiri.numba_support.arrays import allocated
from yomikiri.numba_support.bits import ONE, ZERO, Int, lowest, mix, popcount

SEEN = 1 << 12  # partitions remembered within a node; a power of two
LANES, LANE = 9, np.uint64(7)  # counters in a word, and their bits
# Places of `state`: NODES entered, up to BUDGET; why it STOPPED; SERIAL number of the last node; memo entries USED.
# And settings that change no result: guesses for up to FEW codes are bounded by the heaviest of each cell alone, those
# for up to MASKED by what is known of each cell as a mask; larger sets than SHARED ask their cells for a share first.
NODES, BUDGET, STOPPED, SERIAL, USED, FEW, MASKED, SHARED = range(8)
WORD = 64  # the most that may be MASKED
OUT_OF_BUDGET, OUT_OF_ROOM = 1, 2  # why a search stopped

_FULL = np.uint64(127)


class Uneven(NamedTuple):
    """A position whose candidates have weights: c candidates, the heaviest first, g guesses."""

    table: Table
    weight: NDArray[np.int64]  # (c,)
    marks: NDArray[np.uint8]  # (c, g): the slots of the table, a row for each candidate


class Workspace(NamedTuple):
    """Where a search writes."""

    state: Annotated[NDArray[np.int64], 8]  # see NODES and what follows
    members: Annotated[NDArray[np.int32], "members"]  # the sets along the line, one after another
    local: Annotated[NDArray[np.uint32], "members"]  # of each member of a cell, its number in the set that was divided
    slots: Annotated[NDArray[np.uint8], "candidates"]  # of the answers of the set that is being divided
    bound: Annotated[
        NDArray[np.int64], "depths + 1", "guesses"
    ]  # of every guess; the last row is for a set that is not entered
    counts: Annotated[NDArray[np.uint64], "guesses"]  # scratch of the scans
    size: Annotated[NDArray[np.int64], "depths", "slots"]  # of cells
    start: Annotated[NDArray[np.int64], "depths", "slots"]  # where in `members`
    weight: Annotated[NDArray[np.int64], "depths", "slots"]  # of all their codes
    lower: Annotated[NDArray[np.int64], "depths", "slots"]  # the least they cost
    key: Annotated[NDArray[np.uint64], "depths", 2, "slots"]  # their names
    order: Annotated[NDArray[np.int64], "depths", "slots"]  # open cells, small ones first
    seen: Annotated[NDArray[np.uint64], SEEN]  # names of partitions, with the serial number of their node
    mask: Annotated[NDArray[np.uint64], WORD, "slots"]  # by member and slot, those that give it this answer
    cell: Annotated[NDArray[np.uint64], "slots"]  # the cells of a guess as masks
    each: Annotated[NDArray[np.int64], WORD]  # the weights of a set
    sums: Annotated[NDArray[np.int64], "slots"]  # the weights of its cells


def new_workspace(position: Uneven, depths: int) -> Workspace:
    """Room for a search that goes so deep."""
    candidates, guesses = position.marks.shape
    room = candidates * (depths + 1)
    slots = position.table.slots
    work = allocated(Workspace, members=room, depths=depths, guesses=guesses, candidates=candidates, slots=slots)
    work.state[[FEW, MASKED, SHARED]] = 40, WORD, 100
    return work


@kernel
def ideal(position: Uneven, work: Workspace, start: Int, n: Int) -> Int:
    """What no tree for a set costs less than, by how many codes can be found at each guess."""
    total, level, width, room = np.int64(0), np.int64(1), np.int64(1), np.int64(1)
    for i in range(start, start + n):
        if room == 0:
            level += 1
            width *= position.table.slots - 1
            room = width
        total += level * position.weight[work.members[i]]
        room -= 1
    return total


@kernel
def scan_few(position: Uneven, work: Workspace, start: Int, n: Int, whole: Int, out: NDArray[np.int64]) -> None:
    """Write to `out` the bounds of all guesses: of each cell the heaviest code is found next, and all others later.

    3 W less the heaviest of each cell, and less that of the win once more.
    """
    met, members = work.counts, work.members
    for g in range(len(out)):
        out[g] = 3 * whole
        met[g] = ZERO
    for i in range(start, start + n):
        weight, row = position.weight[members[i]], position.marks[members[i]]
        for g in range(len(out)):
            mark = ONE << np.uint64(row[g])
            out[g] -= weight if met[g] & mark == ZERO else 0
            met[g] |= mark
    for i in range(start, start + n):
        out[position.table.own[members[i]]] -= position.weight[members[i]]


@kernel
def scan_many(position: Uneven, work: Workspace, start: Int, n: Int, whole: Int, out: NDArray[np.int64]) -> None:
    """Write to `out` the bounds of all guesses: each cell costs at least what so many codes can.

    The codes of each cell met so far are counted, up to 127, for nine slots in a word.
    """
    counts, members, branches = work.counts, work.members, np.uint64(position.table.slots - 1)
    second = ONE + branches
    third = second + branches * branches
    for g in range(len(out)):
        out[g] = whole
    for first in range(0, position.table.slots, LANES):
        for g in range(len(out)):
            counts[g] = ZERO
        for i in range(start, start + n):
            weight, row = position.weight[members[i]], position.marks[members[i]]
            for g in range(len(out)):
                lane = np.uint64(row[g]) - np.uint64(first)
                here = lane < np.uint64(LANES)
                shift = lane * LANE if here else ZERO
                before = (counts[g] >> shift) & _FULL
                level = 1 + (before >= ONE) + (before >= second) + (before >= third)
                out[g] += weight * level if here else 0
                counts[g] += (ONE << shift) if here and before < _FULL else ZERO
    for i in range(start, start + n):
        out[position.table.own[members[i]]] -= position.weight[members[i]]


@kernel
def scan(position: Uneven, work: Workspace, start: Int, n: Int, whole: Int, out: NDArray[np.int64]) -> Int:
    """Write to `out` bounds of what a set costs after each guess; returns the least."""
    if n <= work.state[FEW]:
        scan_few(position, work, start, n, whole, out)
    else:
        scan_many(position, work, start, n, whole, out)
    least = out[0]
    for g in range(len(out)):
        least = min(least, out[g])
    return least


@kernel
def known(
    position: Uneven,
    memo: Memo,
    work: Workspace,
    start: Int,
    n: Int,
    whole: Int,
    key: np.uint64,
    check: np.uint64,
) -> tuple[Int, Int]:
    """(lower, upper) bounds of the cost of a set without a scan; equal where it is known.

    Three codes always attain the lower one: the heaviest first, and the lightest last if its answer leaves both others.
    """
    weight, between, members = position.weight, position.table.between, work.members
    heaviest = weight[members[start]]
    if n == 1:
        return heaviest, heaviest
    if n == 2:
        exact = heaviest + 2 * weight[members[start + 1]]
        return exact, exact
    lower, upper = find(memo, key, check)
    if lower:
        return lower, upper
    if n > position.table.slots:
        return ideal(position, work, start, n), np.int64(IMPOSSIBLE)
    lower, upper = 2 * whole - heaviest + weight[members[start + n - 1]], np.int64(IMPOSSIBLE)
    found = perfect_member(between, members, start, n)
    if found >= 0:
        upper = 2 * whole - weight[members[start + found]]
        lower = min(lower, upper)
    return lower, lower if n == 3 else upper


@kernel
def mask_bound(cell: np.uint64, whole: Int, work: Workspace, slots: Int) -> Int:
    """What the codes of a mask cost at least; the heaviest is the lowest bit."""
    n = np.int64(popcount(cell))
    each, mask = work.each, work.mask
    if n == 1:
        return whole
    heaviest = each[np.int64(lowest(cell))]
    if n == 2:
        return 2 * whole - heaviest
    if n > slots:
        total, met, left = 2 * whole - heaviest, 0, cell
        while left != ZERO:
            if met >= slots:
                total += each[np.int64(lowest(left))]
            left &= left - ONE
            met += 1
        return total
    lightest, left = np.int64(0), cell
    while left != ZERO:
        lightest = each[np.int64(lowest(left))]
        left &= left - ONE
    most = 2 * whole - heaviest + lightest
    left = cell
    while left != ZERO:
        i = np.int64(lowest(left))
        left &= left - ONE
        if 2 * whole - each[i] >= most:
            return most
        apart = True
        for r in range(slots):
            together = mask[i, r] & cell
            apart &= together & (together - ONE) == ZERO
        if apart:
            return 2 * whole - each[i]
    return most


@kernel
def tighten(
    position: Uneven, work: Workspace, start: Int, n: Int, whole: Int, out: NDArray[np.int64], best: Int
) -> None:
    """Raise the bounds in `out` that are below `best` to W and the sum of what the cells cost at least; n <= WORD."""
    table, members, slots, mask, cell = position.table, work.members, position.table.slots, work.mask, work.cell
    for i in range(n):
        s = members[start + i]
        work.each[i] = position.weight[s]
        row = table.between[s]
        for r in range(slots):
            mask[i, r] = ZERO
        for j in range(n):
            mask[i, row[members[start + j]]] |= ONE << np.uint64(j)
    for g in range(len(out)):
        if out[g] >= best:
            continue
        for r in range(slots):
            cell[r] = ZERO
            work.sums[r] = 0
        column = table.answers[g]
        for i in range(n):
            r = column[members[start + i]]
            cell[r] |= ONE << np.uint64(i)
            work.sums[r] += work.each[i]
        total = whole
        for r in range(slots - 1):
            if cell[r] != ZERO:
                total += mask_bound(cell[r], work.sums[r], work, slots)
        out[g] = max(out[g], total)


@kernel
def open_guess(
    position: Uneven,
    memo: Memo,
    work: Workspace,
    depth: Int,
    start: Int,
    n: Int,
    top: Int,
    whole: Int,
    guess: Int,
    best: Int,
    serial: np.uint64,
) -> tuple[Int, Int]:
    """Divide a set by a guess and bound its cells without entering them: (lower bound, number of open cells).

    The open cells stand in `work.order[depth]`, small ones first, with a lower bound each. A guess that tells nothing,
    or no more than one before it, is impossible. A bound that reaches `best` ends the work.
    """
    table, members = position.table, work.members
    size, where, weight, lower = work.size[depth], work.start[depth], work.weight[depth], work.lower[depth]
    order, key = work.order[depth], work.key[depth]
    look_up(table.answers[guess], members, start, n, work.slots)
    count(work.slots, n, table.slots, size)
    if largest(table.slots, size) == n:
        return np.int64(IMPOSSIBLE), 0
    divide(members, work.local, work.slots, start, n, top, table.slots, size, where)
    same = name_cells(members, table.keys, table.slots, size, where, key) + serial
    place = same & np.uint64(SEEN - 1)
    if work.seen[place] == same:
        return np.int64(IMPOSSIBLE), 0
    work.seen[place] = same
    total, cells = whole, 0
    for r in range(table.slots - 1):
        if size[r] == 0:
            continue
        weight[r] = 0
        for i in range(where[r], where[r] + size[r]):
            weight[r] += position.weight[members[i]]
        lower[r], upper = known(position, memo, work, where[r], size[r], weight[r], key[0, r], key[1, r])
        total += lower[r]
        if lower[r] < upper:
            cells = insert(order, cells, size, r)
    for i in range(cells):
        if total >= best:
            break
        r = order[i]
        if size[r] > table.slots and find(memo, key[0, r], key[1, r])[0] == 0:
            least = scan(position, work, where[r], size[r], weight[r], work.bound[-1])
            work.state[USED] += put(memo, key[0, r], key[1, r], size[r], max(lower[r], least), IMPOSSIBLE)
            total += max(lower[r], least) - lower[r]
            lower[r] = max(lower[r], least)
    return total, cells


@kernel
def search(
    position: Uneven,
    memo: Memo,
    work: Workspace,
    depth: Int,
    start: Int,
    n: Int,
    top: Int,
    whole: Int,
    best: Int,
    key: np.uint64,
    check: np.uint64,
) -> Int:
    """The least cost of the n codes at `start`, which weigh `whole`: exact if below `best`, else a bound that is not.

    `members` is free from `top`. When budget or room is spent, `state[STOPPED]` says so and the number means nothing.
    """
    state, members = work.state, work.members
    lower, upper = known(position, memo, work, start, n, whole, key, check)
    if lower == upper or lower >= best:
        return lower
    if state[NODES] >= state[BUDGET]:
        state[STOPPED] = OUT_OF_BUDGET
        return np.int64(0)
    if top + n > len(members) or depth + 1 >= len(work.size):
        state[STOPPED] = OUT_OF_ROOM
        return np.int64(0)
    state[NODES] += 1
    state[SERIAL] += 1
    serial = mix(np.uint64(state[SERIAL]))
    bound = work.bound[depth]
    lower = max(lower, scan(position, work, start, n, whole, bound))
    asked = best
    best = min(best, upper)
    if lower < best and n <= state[MASKED]:
        tighten(position, work, start, n, whole, bound, best)
    size, where, weight, cell_lower = work.size[depth], work.start[depth], work.weight[depth], work.lower[depth]
    order, names = work.order[depth], work.key[depth]
    while lower < best:
        guess = 0
        for g in range(len(bound)):
            if bound[g] < bound[guess]:
                guess = g
        least = bound[guess]
        lower = max(lower, min(least, best))
        if lower >= best:
            break
        bound[guess] = IMPOSSIBLE
        total, cells = open_guess(position, memo, work, depth, start, n, top, whole, guess, best, serial)
        heavy, spare = np.int64(0), best - total
        for i in range(cells):
            heavy += weight[order[i]]
        # A large set first asks each cell whether it takes its share of what is left: often one does not.
        for stage in range(0 if n > state[SHARED] and cells > 1 and best < IMPOSSIBLE else 1, 2):
            for i in range(cells):
                if total >= best:
                    break
                r = order[i]
                room = best - (total - cell_lower[r])
                if stage == 0:
                    room = min(room, cell_lower[r] + 1 + np.int64(np.float64(spare) * weight[r] / heavy))
                one, other, end = names[0, r], names[1, r], top + n
                cost = search(position, memo, work, depth + 1, where[r], size[r], end, weight[r], room, one, other)
                if state[STOPPED]:
                    state[USED] += put(memo, key, check, n, lower, best if best < asked else upper)
                    return np.int64(0)
                if cost > cell_lower[r]:
                    total += cost - cell_lower[r]
                    cell_lower[r] = cost
        best = min(best, total)
    state[USED] += put(memo, key, check, n, best, best if best < asked or best == upper else upper)
    return best
