"""The kernels of the search for secrets that are not equally likely: the least weighted total of any strategy.

`uneven_bounds` has the bounds, and what a position is.
"""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.search.memo import Memo, find, put
from yomikiri.hitblow.search.partition import count, divide, is_new, largest, look_up, name_cells, scattered
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.hitblow.search.uneven_bounds import (
    EVENED,
    MASKED,
    OUT_OF_MEMO,
    OUT_OF_ROOM,
    SERIAL,
    SHARING,
    SPARE,
    USED,
    Uneven,
    Workspace,
    by_even,
    by_size,
    divide_masks,
    least_bound,
    list_guesses,
    more,
)
from yomikiri.machine.bits import ONE, ZERO, Int, lowest, mix, popcount
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import enter_node, must_stop, stop, stopped

_OTHER = np.uint64(0xA0761D6478BD642F)  # a mask is scattered in a second way by it


@kernel
def known(
    position: Uneven, memo: Memo, work: Workspace, start: Int, n: Int, whole: Int, key: np.uint64, check: np.uint64
) -> tuple[Int, Int]:
    """(lower, upper) bounds of the cost of a set without a scan; equal where it is known."""
    if n > 2:
        lower, upper = find(memo, key, check)
        if lower:
            return lower, upper
    return by_size(position, work, start, n, whole)


@kernel
def insert(work: Workspace, depth: Int, cells: Int, r: Int) -> Int:
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
    position: Uneven,
    memo: Memo,
    totals: Memo,
    work: Workspace,
    depth: Int,
    start: Int,
    n: Int,
    top: Int,
    whole: Int,
    guess: Int,
    serial: np.uint64,
) -> tuple[Int, Int]:
    """`open_guess` for a set of any size, up to the scans."""
    table, members = position.table, work.members
    size, where, weight, lower, key = (
        work.size[depth],
        work.start[depth],
        work.weight[depth],
        work.lower[depth],
        work.key[depth],
    )
    look_up(table.answers[guess], members, start, n, work.slots)
    count(work.slots, n, table.slots, size)
    if largest(table.slots, size) == n:
        return np.int64(IMPOSSIBLE), 0
    divide(members, work.local, work.slots, start, n, top, table.slots, size, where)
    same, check = name_cells(members, table.keys, table.slots, size, where, key)
    if not is_new(work.seen, serial, same, check):
        return np.int64(IMPOSSIBLE), 0
    total, cells = whole, 0
    for r in range(table.slots - 1):
        if size[r] == 0:
            continue
        weight[r] = 0
        for i in range(where[r], where[r] + size[r]):
            weight[r] += position.weight[members[i]]
        lower[r], upper = known(position, memo, work, where[r], size[r], weight[r], key[0, r], key[1, r])
        if work.state[EVENED] and lower[r] < upper and size[r] > table.slots:
            even = find(totals, key[0, r], key[1, r])[0]
            if even:
                lower[r] = max(lower[r], by_even(position, work, where[r], size[r], even))
        total += lower[r]
        if lower[r] < upper:
            cells = insert(work, depth, cells, r)
    return total, cells


@kernel
def open_masks(
    position: Uneven,
    memo: Memo,
    work: Workspace,
    depth: Int,
    start: Int,
    n: Int,
    top: Int,
    whole: Int,
    guess: Int,
    serial: np.uint64,
) -> tuple[Int, Int]:
    """`open_guess` for a set of which the masks are laid, up to the scans: cells that are known are not written out."""
    table, members, cell = position.table, work.members, work.cell
    size, where, weight, lower, key = (
        work.size[depth],
        work.start[depth],
        work.weight[depth],
        work.lower[depth],
        work.key[depth],
    )
    each, mask, win = work.each[depth], work.mask[depth], table.slots - 1
    divide_masks(position, work, start, n, guess)
    same, check = ZERO, ZERO
    for r in range(win + 1):
        if r < win and popcount(cell[r]) == np.uint64(n):
            return np.int64(IMPOSSIBLE), 0
        if cell[r] != ZERO:
            same += scattered(cell[r], r == win)
            check += scattered(mix(cell[r]) ^ _OTHER, r == win)
    if not is_new(work.seen, serial, same, check):
        return np.int64(IMPOSSIBLE), 0
    total, cells, end = whole, 0, top
    for r in range(win):
        left, held = cell[r], np.int64(0)
        if left == ZERO:
            continue
        while left != ZERO:
            held += each[np.int64(lowest(left))]
            left &= left - ONE
        codes = np.int64(popcount(cell[r]))
        beyond, heaviest = more(cell[r], each, mask), each[np.int64(lowest(cell[r]))]
        weight[r], size[r], lower[r] = held, codes, 2 * held - heaviest + beyond
        if codes > 3 and (codes > table.slots or beyond >= each[n - 1]):
            one, other, left, where[r] = ZERO, ZERO, cell[r], end
            while left != ZERO:
                s = members[start + np.int64(lowest(left))]
                one += table.keys[s, 0]
                other += table.keys[s, 1]
                members[end] = s
                end += 1
                left &= left - ONE
            key[0, r], key[1, r] = one, other
            found, upper = find(memo, one, other)
            lower[r] = max(lower[r], found)
            if lower[r] < upper:
                cells = insert(work, depth, cells, r)
        total += lower[r]
    return total, cells


@entry
def open_guess(
    position: Uneven,
    memo: Memo,
    totals: Memo,
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

    The open cells stand in `work.order[depth]`, with a lower bound each. A guess that tells nothing, or no more than
    one before it, is impossible. A bound that reaches `best` ends the work. The guesses of the set have been listed.
    Where it is `stopped` the bound holds, but cells may be open that need not be.
    """
    size, where, weight, lower = work.size[depth], work.start[depth], work.weight[depth], work.lower[depth]
    order, key = work.order[depth], work.key[depth]
    if n <= work.state[MASKED]:
        total, cells = open_masks(position, memo, work, depth, start, n, top, whole, guess, serial)
    else:
        total, cells = open_large(position, memo, totals, work, depth, start, n, top, whole, guess, serial)
    for i in range(cells):
        if total >= best:
            break
        r = order[i]
        if size[r] > position.table.slots and find(memo, key[0, r], key[1, r])[0] == 0:
            least = least_bound(position, work, where[r], size[r], weight[r], best - total + lower[r])
            if stopped(work.shared):  # in its midst, and then it is no bound
                break
            least = max(lower[r], least)
            work.state[USED] += put(memo, key[0, r], key[1, r], size[r], least, IMPOSSIBLE)
            total += least - lower[r]
            lower[r] = least
    return total, cells


@entry
def search(
    position: Uneven,
    memo: Memo,
    totals: Memo,
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

    `totals` has even totals of sets, if any. `members` is free from `top`.

    Where it is `stopped` the number means nothing, and what the memo then says holds: a bound is noted for a set alone,
    once it is worked out whole, and for a set in hand what was known before the guess that it is at: no guess that is
    left has a lower bound than that one, and those before it cost `best` or more.
    """
    state, members, shared = work.state, work.members, work.shared
    lower, upper = known(position, memo, work, start, n, whole, key, check)
    if lower == upper or lower >= best:
        return lower
    if top + n > len(members) or depth + 1 >= len(work.size):
        stop(shared, OUT_OF_ROOM)
    elif state[USED] >= state[SPARE]:
        stop(shared, OUT_OF_MEMO)
    if stopped(shared) or not enter_node(shared):
        return np.int64(0)
    state[SERIAL] += 1
    serial = np.uint64(state[SERIAL])
    asked = best
    best = min(best, upper)
    listed = list_guesses(position, work, depth, start, n, whole, best)
    if stopped(shared):
        return np.int64(0)
    guesses, bound = work.guess[depth], work.bound[depth]
    size, where, weight, cell_lower = work.size[depth], work.start[depth], work.weight[depth], work.lower[depth]
    order, names = work.order[depth], work.key[depth]
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
        total, cells = open_guess(position, memo, totals, work, depth, start, n, top, whole, guess, best, serial)
        if must_stop(shared):
            state[USED] += put(memo, key, check, n, lower, best if best < asked else upper)
            return np.int64(0)
        heavy, spare = np.int64(0), best - total
        for i in range(cells):
            heavy += weight[order[i]]
        # A large set first asks each cell whether it takes its share of what is left: often one does not.
        for stage in range(0 if n > state[SHARING] and cells > 1 and best < IMPOSSIBLE else 1, 2):
            for i in range(cells):
                if total >= best:
                    break
                r = order[i]
                room = best - (total - cell_lower[r])
                if stage == 0:
                    room = min(room, cell_lower[r] + 1 + np.int64(np.float64(spare) * weight[r] / heavy))
                one, other, end = names[0, r], names[1, r], top + n
                cost = search(
                    position, memo, totals, work, depth + 1, where[r], size[r], end, weight[r], room, one, other
                )
                if stopped(shared):
                    state[USED] += put(memo, key, check, n, lower, best if best < asked else upper)
                    return np.int64(0)
                if cost > cell_lower[r]:
                    total += cost - cell_lower[r]
                    cell_lower[r] = cost
        best = min(best, total)
    state[USED] += put(memo, key, check, n, best, best if best < asked or best == upper else upper)
    return best
