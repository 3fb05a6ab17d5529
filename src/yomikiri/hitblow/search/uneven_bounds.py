"""Bounds for secrets that are not equally likely: what a set costs at least, and what each guess at it does.

Each candidate has a whole number as its weight, and a strategy costs the sum over all candidates of the weight times
the guesses it takes. Candidates are numbered from the heaviest down, so every set is in that order too.

W is the weight of a set of n codes, w1 of its heaviest, wn of its lightest, s the slots. hitblow-search.md proves:

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

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.hitblow.search.partition import perfect_member
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.hitblow.search.table import Table, blocks
from yomikiri.machine.arrays import allocated
from yomikiri.machine.bits import ONE, ZERO, Int, lowest, popcount
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import NO_END, OWN_REASONS, SHARED, must_stop, stopped

SEEN = 1 << 12  # partitions remembered within a node; a power of two
LANES = 16  # slots whose marks fit a number
WORD = 64  # the most codes whose subsets are handled as masks of a word
# Places of `state`: SERIAL number of the last node; memo entries USED, up to SPARE. And settings that change no result:
# sets of up to MASKED codes bound each guess by what its cells cost as masks; scans of more than CROWDED count cells of
# many codes; REFINED guesses of a cell that is not entered are bounded further; larger sets than SHARING ask their
# cells for a share first; where EVENED is not 0, even totals are known of some cells.
SERIAL, USED, SPARE, MASKED, CROWDED, REFINED, SHARING, EVENED = range(8)
OUT_OF_ROOM, OUT_OF_MEMO = OWN_REASONS, OWN_REASONS + 1  # why a search stopped

_BETWEEN = 64  # codes of a scan, and guesses of a list, between two looks whether to stop
_ROUND = np.int64(1 << 16)
_NOTHING = np.uint16(0)
_GONE = np.int32(-(1 << 30))


class Uneven(NamedTuple):
    """A position whose candidates have weights: c candidates, the heaviest first, g guesses."""

    table: Table
    weight: Annotated[NDArray[np.int64], "c"]
    marks: Annotated[NDArray[np.uint16], "slots / LANES", "c", "g"]  # the bit of a guess's answer among LANES slots


def marked(table: Table, budget: Budget = UNLIMITED) -> NDArray[np.uint16]:
    """The marks of a table. Raises `Stopped` when the time of the budget is over."""
    firsts = range(0, table.slots, LANES)
    bits = np.zeros((len(firsts), 256), dtype=np.uint16)  # the mark of each slot
    for lanes, first in enumerate(firsts):
        bits[lanes, first : first + LANES] = np.left_shift(1, np.arange(LANES))
    guesses, candidates = table.answers.shape
    marks = np.empty((len(firsts), candidates, guesses), dtype=np.uint16)
    for rows in blocks(candidates, guesses * len(firsts)):
        budget.check()
        marks[:, rows] = bits[:, np.ascontiguousarray(table.answers[:, rows].T)]
    return marks


class Workspace(NamedTuple):
    """Where a search writes."""

    state: Annotated[NDArray[np.int64], 8]  # see SERIAL and what follows
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that other threads read and write: see `shared_words`
    members: Annotated[NDArray[np.int32], "members"]  # the sets along the line, one after another
    local: Annotated[NDArray[np.uint32], "members"]  # of each member of a cell, its number in the set that was divided
    slots: Annotated[NDArray[np.uint8], "candidates"]  # of the answers of the set that is being divided
    kept: Annotated[NDArray[np.int32], "guesses"]  # by guess, see `scan`
    first: Annotated[NDArray[np.uint16], "guesses"]  # its scratch
    again: Annotated[NDArray[np.uint16], "guesses"]
    met: Annotated[NDArray[np.uint16], "guesses"]
    counts: Annotated[NDArray[np.uint16], 6, "guesses"]
    guess: Annotated[NDArray[np.int64], "depths", "guesses"]  # the guesses that are left of a set, and
    bound: Annotated[NDArray[np.int64], "depths", "guesses"]  # of each what it costs at least
    size: Annotated[NDArray[np.int64], "depths", "slots"]  # of cells
    start: Annotated[NDArray[np.int64], "depths", "slots"]  # where in `members`
    weight: Annotated[NDArray[np.int64], "depths", "slots"]  # of all their codes
    lower: Annotated[NDArray[np.int64], "depths", "slots"]  # the least they cost
    key: Annotated[NDArray[np.uint64], "depths", 2, "slots"]  # their names
    order: Annotated[NDArray[np.int64], "depths", "slots"]  # open cells, the heaviest on average first
    seen: Annotated[NDArray[np.uint64], SEEN, 3]  # partitions tried, by set and name
    # Of a set of up to WORD codes, by depth, the last for one that is not entered:
    mask: Annotated[NDArray[np.uint64], "depths + 1", WORD, "slots"]  # by member and slot, those that answer it so
    each: Annotated[NDArray[np.int64], "depths + 1", WORD]  # the weights of its members
    cell: Annotated[NDArray[np.uint64], "slots"]  # the cells of a guess as masks


def new_workspace(position: Uneven, depths: int) -> Workspace:
    """Room for a search that goes so deep."""
    guesses, candidates = position.table.answers.shape
    room = candidates * (depths + 1)
    slots = position.table.slots
    work = allocated(Workspace, members=room, depths=depths, guesses=guesses, candidates=candidates, slots=slots)
    work.state[[SPARE, MASKED, CROWDED, REFINED, SHARING]] = NO_END, WORD, 32, 8, 100
    return work


@kernel
def ideal(position: Uneven, work: Workspace, start: Int, n: Int, less: Int = 0) -> Int:
    """What no tree for a set costs less than, by how many codes can be found at each guess; `less` is taken from all
    weights."""
    total, level, width, room = np.int64(0), np.int64(1), np.int64(1), np.int64(1)
    for i in range(start, start + n):
        if room == 0:
            level += 1
            width *= position.table.slots - 1
            room = width
        total += level * (position.weight[work.members[i]] - less)
        room -= 1
    return total


@kernel
def by_even(position: Uneven, work: Workspace, start: Int, n: Int, even: Int) -> Int:
    """What a set costs at least if its least total with even weights is known: wn of it, and the rest by `ideal`."""
    least = position.weight[work.members[start + n - 1]]
    return least * even + ideal(position, work, start, n, least)


@kernel
def by_size(position: Uneven, work: Workspace, start: Int, n: Int, whole: Int) -> tuple[Int, Int]:
    """(lower, upper) bounds of the cost of a set by its weights and its answers to each other; equal where it is known.

    Three codes always attain the lower one: the heaviest first, and the lightest last if its answer leaves both others.
    """
    weight, members = position.weight, work.members
    heaviest = weight[members[start]]
    if n <= 2:
        exact = 2 * whole - heaviest
        return exact, exact
    if n > position.table.slots:
        return ideal(position, work, start, n), np.int64(IMPOSSIBLE)
    lower, upper = 2 * whole - heaviest + weight[members[start + n - 1]], np.int64(IMPOSSIBLE)
    found = perfect_member(position.table.between, members, start, n)
    if found >= 0:
        upper = 2 * whole - weight[members[start + found]]
        lower = min(lower, upper)
    return lower, lower if n == 3 else upper


@kernel
def scan(position: Uneven, work: Workspace, start: Int, n: Int, whole: Int) -> Int:
    """Write to `work.kept` what each guess keeps from the third guess, at most, in units of 2^unit, which is returned.

    Of each cell the heaviest code is found next, that of the win now, and all others later: 3 W less the heaviest of
    each cell, and less that of the win once more, is a bound. Weights are rounded up to whole units, so that what is
    kept is no less than it is; all together take 16 bits, since it is at most W + w1 and a unit for each code counted.
    In sets of more than CROWDED codes a cell's codes beyond the s heaviest, rounded down, take a guess more.

    A scan that is to stop ends amid its work: who asked for it looks whether it is `stopped` before what it wrote is
    used.
    """
    first, again, met, members, table = work.first, work.again, work.met, work.members, position.table
    unit, most = np.int64(0), whole + position.weight[members[start]]
    while (most >> unit) + table.slots + 2 >= _ROUND:
        unit += 1
    less, crowded = (np.int64(1) << unit) - 1, n > work.state[CROWDED]
    counts = work.counts
    one, two, four, eight, sixteen, full = counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]
    for g in range(len(first)):
        first[g] = again[g] = _NOTHING
    for lanes in range(len(position.marks)):
        for g in range(len(met)):
            met[g] = _NOTHING
        for i in range(start, start + n):
            if (i - start) % _BETWEEN == _BETWEEN - 1 and must_stop(work.shared):
                return unit
            weight, row = np.uint16((position.weight[members[i]] + less) >> unit), position.marks[lanes, members[i]]
            for g in range(len(first)):
                mark = row[g]
                first[g] += weight if met[g] & mark != mark else _NOTHING
                met[g] |= mark
        if crowded:
            _begin_counts(work, 32 - table.slots)
            for i in range(start, start + n):
                if (i - start) % _BETWEEN == _BETWEEN - 1 and must_stop(work.shared):
                    return unit
                weight, row = np.uint16(position.weight[members[i]] >> unit), position.marks[lanes, members[i]]
                for g in range(len(again)):
                    mark = row[g]
                    again[g] += weight if full[g] & mark != _NOTHING else _NOTHING
                    carry = one[g] & mark
                    one[g] ^= mark
                    next = two[g] & carry
                    two[g] ^= carry
                    carry = four[g] & next
                    four[g] ^= next
                    next = eight[g] & carry
                    eight[g] ^= carry
                    full[g] |= sixteen[g] & next
                    sixteen[g] ^= next
    for i in range(start, start + n):
        first[table.own[members[i]]] += np.uint16((position.weight[members[i]] + less) >> unit)
    for g in range(len(first)):
        work.kept[g] = np.int32(first[g]) - np.int32(again[g])
    return unit


@kernel
def _begin_counts(work: Workspace, begin: Int) -> None:
    """Begin to count at a number, for every guess and slot: counts are bits of five numbers, full at 32."""
    for k in range(6):
        bit = ~_NOTHING if begin >> k & 1 else _NOTHING
        for g in range(work.counts.shape[1]):
            work.counts[k, g] = bit


@kernel
def most_kept(work: Workspace) -> Int:
    """The most that any guess keeps, in units."""
    most = work.kept[0]
    for g in range(len(work.kept)):
        most = max(most, work.kept[g])
    return np.int64(most)


@entry
def lay(position: Uneven, work: Workspace, depth: Int, start: Int, n: Int) -> None:
    """Lay the masks of a set of at most WORD codes."""
    members, mask, each = work.members, work.mask[depth], work.each[depth]
    for i in range(n):
        s = members[start + i]
        each[i] = position.weight[s]
        row = position.table.between[s]
        for r in range(position.table.slots):
            mask[i, r] = ZERO
        for j in range(n):
            mask[i, row[members[start + j]]] |= ONE << np.uint64(j)


@kernel
def more(cell: np.uint64, each: NDArray[np.int64], mask: NDArray[np.uint64]) -> Int:
    """What a cell costs at least beyond 2 W - w1, by its mask; the heaviest is the lowest bit.

    For n <= s it is exact where it is less than the weight of the lightest.
    """
    slots = mask.shape[1]
    n = np.int64(popcount(cell))
    if n <= 2:
        return np.int64(0)
    left = cell & (cell - ONE)
    if n > slots:
        beyond, met = np.int64(0), 1
        while left != ZERO:
            if met >= slots:
                beyond += each[np.int64(lowest(left))]
            left &= left - ONE
            met += 1
        return beyond
    heaviest = each[np.int64(lowest(cell))]
    last = cell
    while last & (last - ONE) != ZERO:
        last &= last - ONE
    most = each[np.int64(lowest(last))]
    left = cell
    while left != ZERO:
        i = np.int64(lowest(left))
        left &= left - ONE
        if heaviest - each[i] >= most:
            return most
        twice = ZERO
        for r in range(slots):
            together = mask[i, r] & cell
            twice |= together & (together - ONE) if together != ZERO else ZERO
        if twice == ZERO:
            return heaviest - each[i]
    return most


@kernel
def divide_masks(position: Uneven, work: Workspace, start: Int, n: Int, guess: Int) -> None:
    """Write the cells of a guess at a set of at most WORD codes to `work.cell`."""
    cell, members, row = work.cell, work.members, position.table.answers[guess]
    for r in range(len(cell)):
        cell[r] = ZERO
    for i in range(n):
        cell[row[members[start + i]]] |= ONE << np.uint64(i)


@kernel
def raised(
    position: Uneven, work: Workspace, depth: Int, start: Int, n: Int, guess: Int, bound: Int, below: Int
) -> Int:
    """The bound of a guess by its scan, raised to what its cells cost at least; no further than to `below`.

    The masks of a set of at most MASKED codes are laid; of a larger one only cells of more than s codes raise it.
    """
    slots, cell = position.table.slots, work.cell
    third = slots + (slots - 1) * (slots - 1)
    crowded = n > work.state[CROWDED]
    if n <= work.state[MASKED]:
        divide_masks(position, work, start, n, guess)
        for r in range(slots - 1):
            if bound >= below:
                break
            if cell[r] != ZERO and (not crowded or popcount(cell[r]) <= np.uint64(slots)):
                bound += more(cell[r], work.each[depth], work.mask[depth])
        return bound
    if n <= third and crowded:
        return bound
    size, members, row = work.cell, work.members, position.table.answers[guess]
    for r in range(slots):
        size[r] = ZERO
    for i in range(start, start + n):
        r = row[members[i]]
        if size[r] >= np.uint64(slots) and not crowded:
            bound += position.weight[members[i]]
        if size[r] >= np.uint64(third):
            bound += position.weight[members[i]]
        size[r] += ONE
    return bound


@entry
def list_guesses(position: Uneven, work: Workspace, depth: Int, start: Int, n: Int, whole: Int, below: Int) -> Int:
    """List the guesses whose bounds are below `below` in `work.guess[depth]`, with these in `work.bound[depth]`.

    Where it is `stopped`, what it lists means nothing.
    """
    guesses, bounds = work.guess[depth], work.bound[depth]
    unit = scan(position, work, start, n, whole)
    if stopped(work.shared):
        return 0
    if n <= work.state[MASKED]:
        lay(position, work, depth, start, n)
    listed = 0
    for g in range(len(work.kept)):
        bound = 3 * whole - (np.int64(work.kept[g]) << unit)
        if bound < below:
            guesses[listed], bounds[listed] = g, bound
            listed += 1
    kept = 0
    for first in range(0, listed, _BETWEEN):
        if first and must_stop(work.shared):
            return 0
        for k in range(first, min(first + _BETWEEN, listed)):
            bound = raised(position, work, depth, start, n, guesses[k], bounds[k], below)
            if bound < below:
                guesses[kept], bounds[kept] = guesses[k], bound
                kept += 1
    return kept


@kernel
def least_bound(position: Uneven, work: Workspace, start: Int, n: Int, whole: Int, below: Int) -> Int:
    """A bound of what a set costs, whatever the guess, of a set that is not entered; a bound of `below` is enough.

    The guesses are raised in the order of their bounds until the least is one that was raised. Where it is `stopped`,
    the number means nothing.
    """
    unit, last = scan(position, work, start, n, whole), len(work.mask) - 1
    least, laid = np.int64(IMPOSSIBLE), False
    for _ in range(work.state[REFINED]):
        if must_stop(work.shared):
            return least
        most = most_kept(work)
        bound = 3 * whole - (most << unit)  # of one that is gone it is beyond all others
        if bound >= least or bound >= below:
            return min(bound, least)
        if not laid and n <= work.state[MASKED]:
            lay(position, work, last, start, n)
            laid = True
        guess = 0
        while work.kept[guess] != most:
            guess += 1
        least = min(least, raised(position, work, last, start, n, guess, bound, below))
        work.kept[guess] = _GONE
    return min(least, 3 * whole - (most_kept(work) << unit))
