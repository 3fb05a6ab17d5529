"""The kernels of the priced search: the least cost of any strategy for a set of codes, by branch and bound.

`prices` tells what prices are, `priced_bounds` has the bounds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from yomikiri.hitblow.search.kernels.partition import count, divide, is_new, largest, look_up, name_cells, scattered
from yomikiri.hitblow.search.kernels.transposition_table import TranspositionTable, find, put
from yomikiri.hitblow.search.kernels.weighted_bounds import (
    by_size,
    by_uniform,
    divide_masks,
    least_bound,
    list_guesses,
    more,
    rank,
)
from yomikiri.hitblow.search.kernels.weighted_workspace import (
    EVENED,
    MASKED,
    OUT_OF_MEMO,
    OUT_OF_ROOM,
    SERIAL,
    SHARING,
    SPARE,
    USED,
    Hand,
    WeightedPosition,
    WeightedWorkspace,
)
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import ONE, ZERO, Int, lowest, mix, popcount
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import enter_node, must_stop, stop, stopped

_OTHER = np.uint64(0xA0761D6478BD642F)  # a mask is scattered in a second way by it


class Remembered(NamedTuple):
    """What is known of sets: the bounds of their costs, and of some the least total with even weights."""

    costs: TranspositionTable
    evens: TranspositionTable


@kernel
def salted(position: WeightedPosition, hand: Hand) -> np.uint64:
    """One half of the name of a set in the memo, where it is named anew before other steps."""
    return np.uint64(hand.key ^ position.salt[hand.depth])


@kernel
def known(position: WeightedPosition, learned: Remembered, work: WeightedWorkspace, hand: Hand) -> tuple[Int, Int]:
    """(lower, upper) bounds of the cost of a set without a scan; equal where it is known."""
    if hand.n > 2:
        lower, upper = find(learned.costs, salted(position, hand), hand.check)
        if lower or upper < IMPOSSIBLE:
            return lower, upper
    return by_size(position, work, hand)


@kernel
def note(
    position: WeightedPosition, learned: Remembered, work: WeightedWorkspace, hand: Hand, lower: Int, upper: Int
) -> None:
    """Note bounds of the cost of a set."""
    work.state[USED] += put(learned.costs, salted(position, hand), hand.check, hand.n, lower, upper)


@kernel
def cell_of(work: WeightedWorkspace, depth: Int, r: Int) -> Hand:
    """A cell of the guess in hand."""
    start, size, weight, key = work.start, work.size, work.weight, work.key
    n, whole = np.int64(size[depth, r]), np.int64(weight[depth, r])
    return Hand(depth + 1, np.int64(start[depth, r]), n, whole, key[depth, 0, r], key[depth, 1, r])


@kernel
def insert(work: WeightedWorkspace, depth: Int, cells: Int, r: Int) -> Int:
    """Add a cell to the open ones, the heaviest on average first; returns how many there are now."""
    order, weight, size = work.order[depth], work.weight[depth], work.size[depth]
    at = cells
    while at > 0 and weight[order[at - 1]] * size[r] < weight[r] * size[order[at - 1]]:
        order[at] = order[at - 1]
        at -= 1
    order[at] = r
    return cells + 1


@kernel
def open_large(
    position: WeightedPosition,
    learned: Remembered,
    work: WeightedWorkspace,
    hand: Hand,
    top: Int,
    guess: Int,
    serial: np.uint64,
) -> tuple[Int, Int]:
    """`open_guess` for a set of any size, up to the scans."""
    table, members, depth, start, n = position.table, work.members, hand.depth, hand.start, hand.n
    size, where, weight, lower = work.size[depth], work.start[depth], work.weight[depth], work.lower[depth]
    look_up(table.answers[guess], members, start, n, work.slots)
    count(work.slots, n, table.slots, size)
    if largest(table.slots, size) == n:
        return np.int64(IMPOSSIBLE), 0
    divide(members, work.slots, start, n, top, table.slots, size, where)
    same, check = name_cells(members, table.keys, table.slots, size, where, work.key[depth])
    if not is_new(work.seen, serial, same, check):
        return np.int64(IMPOSSIBLE), 0
    total, cells = hand.whole * position.step[depth], 0
    for r in range(table.slots - 1):
        if size[r] == 0:
            continue
        weight[r] = 0
        for i in range(where[r], where[r] + size[r]):
            weight[r] += position.weight[members[i]]
        cell = cell_of(work, depth, r)
        lower[r], upper = known(position, learned, work, cell)
        if work.state[EVENED] and lower[r] < upper and cell.n > table.slots:
            even = find(learned.evens, cell.key, cell.check)[0]
            if even:
                lower[r] = max(lower[r], by_uniform(position, work, cell, even))
        total += lower[r]
        if lower[r] < upper:
            cells = insert(work, depth, cells, r)
    return total, cells


@kernel
def open_masks(
    position: WeightedPosition,
    learned: Remembered,
    work: WeightedWorkspace,
    hand: Hand,
    top: Int,
    guess: Int,
    serial: np.uint64,
) -> tuple[Int, Int]:
    """`open_guess` for a set of which the masks are laid, up to the scans: cells that are known are not written out."""
    table, members, cell, depth = position.table, work.members, work.cell, hand.depth
    size, where, weight, lower, key = (
        work.size[depth],
        work.start[depth],
        work.weight[depth],
        work.lower[depth],
        work.key[depth],
    )
    each, mask, win = work.each[depth], work.mask[depth], table.slots - 1
    next, third, salt = position.step[depth + 1], position.step[depth + 2], position.salt[depth + 1]
    divide_masks(position, work, hand, guess)
    same, check = ZERO, ZERO
    for r in range(win + 1):
        if r < win and popcount(cell[r]) == np.uint64(hand.n):
            return np.int64(IMPOSSIBLE), 0
        if cell[r] != ZERO:
            same += scattered(cell[r], r == win)
            check += scattered(mix(cell[r]) ^ _OTHER, r == win)
    if not is_new(work.seen, serial, same, check):
        return np.int64(IMPOSSIBLE), 0
    total, cells, end = hand.whole * position.step[depth], 0, top
    for r in range(win):
        left, held = cell[r], np.int64(0)
        if left == ZERO:
            continue
        while left != ZERO:
            held += each[np.int64(lowest(left))]
            left &= left - ONE
        beyond, exact = more(position, depth + 1, cell[r], each, mask)
        heaviest = each[np.int64(lowest(cell[r]))]
        weight[r], size[r] = held, np.int64(popcount(cell[r]))
        lower[r] = next * held + third * (held - heaviest) + beyond
        if not exact:
            one, other, left, where[r] = ZERO, ZERO, cell[r], end
            while left != ZERO:
                s = members[hand.start + np.int64(lowest(left))]
                one += table.keys[s, 0]
                other += table.keys[s, 1]
                members[end] = s
                end += 1
                left &= left - ONE
            key[0, r], key[1, r] = one, other
            found, upper = find(learned.costs, one ^ salt, other)
            lower[r] = max(lower[r], found)
            if lower[r] < upper:
                cells = insert(work, depth, cells, r)
        total += lower[r]
    return total, cells


@entry
def open_guess(
    position: WeightedPosition,
    learned: Remembered,
    work: WeightedWorkspace,
    hand: Hand,
    top: Int,
    guess: Int,
    used: Int,
    best: Int,
    serial: np.uint64,
) -> tuple[Int, Int]:
    """Divide a set by a guess and bound its cells without entering them: (lower bound, number of open cells).

    The open cells stand in `work.order[depth]`, with a lower bound each. A guess that tells nothing, or no more than
    one before it, is impossible. A bound that reaches `best` ends the work. The guesses of the set have been listed,
    and `used` are the symbols of the turns so far. Where it is `stopped` the bound holds, but cells may be open that
    need not be.
    """
    lower, order = work.lower[hand.depth], work.order[hand.depth]
    if hand.n <= work.state[MASKED]:
        total, cells = open_masks(position, learned, work, hand, top, guess, serial)
    else:
        total, cells = open_large(position, learned, work, hand, top, guess, serial)
    later = used | position.symbols[guess]
    for i in range(cells):
        if total >= best:
            break
        r = order[i]
        cell = cell_of(work, hand.depth, r)
        if cell.n > position.table.slots:
            found, upper = find(learned.costs, salted(position, cell), cell.check)
            if found or upper < IMPOSSIBLE:
                continue
            least = least_bound(position, work, cell, later, best - total + lower[r])
            if stopped(work.shared):  # in its midst, and then it is no bound
                break
            least = max(lower[r], least)
            note(position, learned, work, cell, least, IMPOSSIBLE)
            total += least - lower[r]
            lower[r] = least
    return total, cells


@kernel
def share(part: Int, whole: Int, spare: Int) -> Int:
    """What a cell may cost beyond its bound, of what is left, by its part of the weight of all open cells."""
    return 1 + np.int64(np.float64(spare) * part / whole)


@entry
def search(
    position: WeightedPosition, learned: Remembered, work: WeightedWorkspace, hand: Hand, top: Int, used: Int, best: Int
) -> Int:
    """The least cost of a set: exact if below `best`, else a bound that is not.

    `members` is free from `top`, and `used` are the symbols of the turns so far.

    Where it is `stopped` the number means nothing, and what the memo then says holds: a bound is noted for a set alone,
    once it is worked out whole, and for a set in hand what was known before the guess that it is at: no guess that is
    left has a lower bound than that one, and those before it cost `best` or more.
    """
    state, shared, depth = work.state, work.shared, hand.depth
    lower, upper = known(position, learned, work, hand)
    if lower == upper or lower >= best:
        return lower
    if top + hand.n > len(work.members) or depth + 1 >= len(work.size):
        stop(shared, OUT_OF_ROOM)
    elif state[USED] >= state[SPARE]:
        stop(shared, OUT_OF_MEMO)
    if stopped(shared) or not enter_node(shared):
        return np.int64(0)
    state[SERIAL] += 1
    serial = np.uint64(state[SERIAL])
    asked = best
    best = min(best, upper)
    listed = list_guesses(position, work, hand, used, best)
    if stopped(shared):
        return np.int64(0)
    guesses, bound = work.guess[depth], work.bound[depth]
    weight, cell_lower, order = work.weight[depth], work.lower[depth], work.order[depth]
    while lower < best:
        next = 0
        for k in range(listed):
            if bound[k] < bound[next]:
                next = k
        lower = max(lower, min(bound[next], best) if listed else best)
        if lower >= best:
            break
        guess = guesses[next]
        listed -= 1
        guesses[next], bound[next] = guesses[listed], bound[listed]
        total, cells = open_guess(position, learned, work, hand, top, guess, used, best, serial)
        if must_stop(shared):
            note(position, learned, work, hand, lower, best if best < asked else upper)
            return np.int64(0)
        heavy, spare = np.int64(0), best - total
        for i in range(cells):
            heavy += weight[order[i]]
        later = used | position.symbols[guess]
        # A large set first asks each cell whether it takes its share of what is left: often one does not.
        for stage in range(0 if hand.n > state[SHARING] and cells > 1 and best < IMPOSSIBLE else 1, 2):
            for i in range(cells):
                if total >= best:
                    break
                r = order[i]
                room = best - (total - cell_lower[r])
                if stage == 0:
                    room = min(room, cell_lower[r] + share(weight[r], heavy, spare))
                cost = search(position, learned, work, cell_of(work, depth, r), top + hand.n, later, room)
                if stopped(shared):
                    note(position, learned, work, hand, lower, best if best < asked else upper)
                    return np.int64(0)
                if cost > cell_lower[r]:
                    total += cost - cell_lower[r]
                    cell_lower[r] = cost
        best = min(best, total)
    note(position, learned, work, hand, best, best if best < asked or best == upper else upper)
    return best


@entry
def choose(position: WeightedPosition, learned: Remembered, work: WeightedWorkspace, hand: Hand, used: Int) -> Int:
    """The first guess, by bound and then in order, that attains the least cost of a set; any where it is `stopped`."""
    shared, depth, top = work.shared, hand.depth, hand.start + hand.n
    least = search(position, learned, work, hand, top, used, np.int64(IMPOSSIBLE))
    listed = 0 if stopped(shared) else list_guesses(position, work, hand, used, least + 1)
    rank(position, work, hand, listed)
    guesses, bound, order, lower = work.guess[depth], work.bound[depth], work.order[depth], work.lower[depth]
    for _ in range(listed):
        next = 0
        for k in range(listed):
            if bound[k] < bound[next] or (bound[k] == bound[next] and guesses[k] < guesses[next]):
                next = k
        bound[next] = 2 * IMPOSSIBLE + 1
        guess = guesses[next]
        work.state[SERIAL] += 1
        serial = np.uint64(work.state[SERIAL])
        total, cells = open_guess(position, learned, work, hand, top, guess, used, least + 1, serial)
        for i in range(cells):
            if total > least:
                break
            r = order[i]
            room, later = least + 1 - (total - lower[r]), used | position.symbols[guess]
            total += max(
                0, search(position, learned, work, cell_of(work, depth, r), top + hand.n, later, room) - lower[r]
            )
        if total == least or must_stop(shared):
            return np.int64(guess)
    return np.int64(-1)
