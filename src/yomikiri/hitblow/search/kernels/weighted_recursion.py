"""The kernels of the priced search: the least cost of any strategy for a set of codes, by branch and bound.

`prices` tells what prices are, `priced_bounds` has the bounds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from yomikiri.hitblow.search.kernels.partition import (
    count_cells,
    divide,
    gather_answers,
    hash_cells,
    is_new,
    largest_cell,
    scatter,
)
from yomikiri.hitblow.search.kernels.transposition_table import TranspositionTable, find, put
from yomikiri.hitblow.search.kernels.weighted_bounds import (
    bound_by_size,
    bound_by_uniform,
    divide_masks,
    excess_of_mask,
    least_bound,
    list_guesses,
    rank,
)
from yomikiri.hitblow.search.kernels.weighted_workspace import (
    HAS_UNIFORM,
    MASKED_UP_TO,
    SERIAL,
    SPARE,
    TABLE_FULL,
    USED,
    WINDOWED,
    WORKSPACE_FULL,
    WeightedPosition,
    WeightedSet,
    WeightedWorkspace,
)
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import ONE, ZERO, Int, lowest, mix, popcount
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import enter_node, must_stop, stop, stopped

_OTHER = np.uint64(0xA0761D6478BD642F)  # a mask is scattered in a second way by it


class WeightedTables(NamedTuple):
    """What is known of sets: the bounds of their costs, and of some the least total with even weights."""

    costs: TranspositionTable
    uniform_table: TranspositionTable


@kernel
def table_key(position: WeightedPosition, current: WeightedSet) -> np.uint64:
    """One half of the name of a set in the memo, where it is named anew before other steps."""
    return np.uint64(current.key ^ position.salt[current.depth])


@kernel
def known(
    position: WeightedPosition, tables: WeightedTables, work: WeightedWorkspace, current: WeightedSet
) -> tuple[Int, Int]:
    """(lower, upper) bounds of the cost of a set without a scan; equal where it is known."""
    if current.n > 2:
        lower, upper = find(tables.costs, table_key(position, current), current.check)
        if lower or upper < IMPOSSIBLE:
            return lower, upper
    return bound_by_size(position, work, current)


@kernel
def note(
    position: WeightedPosition,
    tables: WeightedTables,
    work: WeightedWorkspace,
    current: WeightedSet,
    lower: Int,
    upper: Int,
) -> None:
    """Note bounds of the cost of a set."""
    work.state[USED] += put(tables.costs, table_key(position, current), current.check, current.n, lower, upper)


@kernel
def cell_of(work: WeightedWorkspace, depth: Int, r: Int) -> WeightedSet:
    """A cell of the guess in hand."""
    start, size, weight, key = work.start, work.size, work.weight, work.key
    n, whole = np.int64(size[depth, r]), np.int64(weight[depth, r])
    return WeightedSet(depth + 1, np.int64(start[depth, r]), n, whole, key[depth, 0, r], key[depth, 1, r])


@kernel
def insert_by_size(work: WeightedWorkspace, depth: Int, cells: Int, r: Int) -> Int:
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
    tables: WeightedTables,
    work: WeightedWorkspace,
    current: WeightedSet,
    top: Int,
    guess: Int,
    node_id: np.uint64,
) -> tuple[Int, Int]:
    """`open_guess` for a set of any size, up to the scans."""
    table, members, depth, start, n = position.table, work.members, current.depth, current.start, current.n
    size, where, weight, lower = work.size[depth], work.start[depth], work.weight[depth], work.lower[depth]
    gather_answers(table.answers[guess], members, start, n, work.set_answers)
    count_cells(work.set_answers, n, table.answer_count, size)
    if largest_cell(table.answer_count, size) == n:
        return np.int64(IMPOSSIBLE), 0
    divide(members, work.set_answers, start, n, top, table.answer_count, size, where)
    same, check = hash_cells(members, table.keys, table.answer_count, size, where, work.key[depth])
    if not is_new(work.seen, node_id, same, check):
        return np.int64(IMPOSSIBLE), 0
    total, cells = current.whole * position.step[depth], 0
    for r in range(table.answer_count - 1):
        if size[r] == 0:
            continue
        weight[r] = 0
        for i in range(where[r], where[r] + size[r]):
            weight[r] += position.weight[members[i]]
        cell = cell_of(work, depth, r)
        lower[r], upper = known(position, tables, work, cell)
        if work.state[HAS_UNIFORM] and lower[r] < upper and cell.n > table.answer_count:
            uniform = find(tables.uniform_table, cell.key, cell.check)[0]
            if uniform:
                lower[r] = max(lower[r], bound_by_uniform(position, work, cell, uniform))
        total += lower[r]
        if lower[r] < upper:
            cells = insert_by_size(work, depth, cells, r)
    return total, cells


@kernel
def open_masks(
    position: WeightedPosition,
    tables: WeightedTables,
    work: WeightedWorkspace,
    current: WeightedSet,
    top: Int,
    guess: Int,
    node_id: np.uint64,
) -> tuple[Int, Int]:
    """`open_guess` for a set of which the masks are laid, up to the scans: cells that are known are not written out."""
    table, members, cell, depth = position.table, work.members, work.cell, current.depth
    size, where, weight, lower, key = (
        work.size[depth],
        work.start[depth],
        work.weight[depth],
        work.lower[depth],
        work.key[depth],
    )
    each, mask, win = work.each[depth], work.mask[depth], table.answer_count - 1
    next, third, salt = position.step[depth + 1], position.step[depth + 2], position.salt[depth + 1]
    divide_masks(position, work, current, guess)
    same, check = ZERO, ZERO
    for r in range(win + 1):
        if r < win and popcount(cell[r]) == np.uint64(current.n):
            return np.int64(IMPOSSIBLE), 0
        if cell[r] != ZERO:
            same += scatter(cell[r], r == win)
            check += scatter(mix(cell[r]) ^ _OTHER, r == win)
    if not is_new(work.seen, node_id, same, check):
        return np.int64(IMPOSSIBLE), 0
    total, cells, end = current.whole * position.step[depth], 0, top
    for r in range(win):
        left, held = cell[r], np.int64(0)
        if left == ZERO:
            continue
        while left != ZERO:
            held += each[np.int64(lowest(left))]
            left &= left - ONE
        beyond, exact = excess_of_mask(position, depth + 1, cell[r], each, mask)
        heaviest = each[np.int64(lowest(cell[r]))]
        weight[r], size[r] = held, np.int64(popcount(cell[r]))
        lower[r] = next * held + third * (held - heaviest) + beyond
        if not exact:
            one, other, left, where[r] = ZERO, ZERO, cell[r], end
            while left != ZERO:
                s = members[current.start + np.int64(lowest(left))]
                one += table.keys[s, 0]
                other += table.keys[s, 1]
                members[end] = s
                end += 1
                left &= left - ONE
            key[0, r], key[1, r] = one, other
            found, upper = find(tables.costs, one ^ salt, other)
            lower[r] = max(lower[r], found)
            if lower[r] < upper:
                cells = insert_by_size(work, depth, cells, r)
        total += lower[r]
    return total, cells


@entry
def open_guess(
    position: WeightedPosition,
    tables: WeightedTables,
    work: WeightedWorkspace,
    current: WeightedSet,
    top: Int,
    guess: Int,
    used: Int,
    best: Int,
    node_id: np.uint64,
) -> tuple[Int, Int]:
    """Divide a set by a guess and bound its cells without entering them: (lower bound, number of open cells).

    The open cells stand in `work.order[depth]`, with a lower bound each. A guess that tells nothing, or no more than
    one before it, is impossible. A bound that reaches `best` ends the work. The guesses of the set have been listed,
    and `used` are the symbols of the turns so far. Where it is `stopped` the bound holds, but cells may be open that
    need not be.
    """
    lower, order = work.lower[current.depth], work.order[current.depth]
    if current.n <= work.state[MASKED_UP_TO]:
        total, cells = open_masks(position, tables, work, current, top, guess, node_id)
    else:
        total, cells = open_large(position, tables, work, current, top, guess, node_id)
    later = used | position.symbols[guess]
    for i in range(cells):
        if total >= best:
            break
        r = order[i]
        cell = cell_of(work, current.depth, r)
        if cell.n > position.table.answer_count:
            found, upper = find(tables.costs, table_key(position, cell), cell.check)
            if found or upper < IMPOSSIBLE:
                continue
            least = least_bound(position, work, cell, later, best - total + lower[r])
            if stopped(work.shared):  # in its midst, and then it is no bound
                break
            least = max(lower[r], least)
            note(position, tables, work, cell, least, IMPOSSIBLE)
            total += least - lower[r]
            lower[r] = least
    return total, cells


@kernel
def child_window(part: Int, whole: Int, spare: Int) -> Int:
    """What a cell may cost beyond its bound, of what is left, by its part of the weight of all open cells."""
    return 1 + np.int64(np.float64(spare) * part / whole)


@entry
def search(
    position: WeightedPosition,
    tables: WeightedTables,
    work: WeightedWorkspace,
    current: WeightedSet,
    top: Int,
    used: Int,
    best: Int,
) -> Int:
    """The least cost of a set: exact if below `best`, else a bound that is not.

    `members` is free from `top`, and `used` are the symbols of the turns so far.

    Where it is `stopped` the number means nothing, and what the memo then says holds: a bound is noted for a set alone,
    once it is worked out whole, and for a set in hand what was known before the guess that it is at: no guess that is
    left has a lower bound than that one, and those before it cost `best` or more.
    """
    state, shared, depth = work.state, work.shared, current.depth
    lower, upper = known(position, tables, work, current)
    if lower == upper or lower >= best:
        return lower
    if top + current.n > len(work.members) or depth + 1 >= len(work.size):
        stop(shared, WORKSPACE_FULL)
    elif state[USED] >= state[SPARE]:
        stop(shared, TABLE_FULL)
    if stopped(shared) or not enter_node(shared):
        return np.int64(0)
    state[SERIAL] += 1
    node_id = np.uint64(state[SERIAL])
    asked = best
    best = min(best, upper)
    listed = list_guesses(position, work, current, used, best)
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
        total, cells = open_guess(position, tables, work, current, top, guess, used, best, node_id)
        if must_stop(shared):
            note(position, tables, work, current, lower, best if best < asked else upper)
            return np.int64(0)
        heavy, spare = np.int64(0), best - total
        for i in range(cells):
            heavy += weight[order[i]]
        later = used | position.symbols[guess]
        # A large set first asks each cell whether it takes its share of what is left: often one does not.
        for stage in range(0 if current.n > state[WINDOWED] and cells > 1 and best < IMPOSSIBLE else 1, 2):
            for i in range(cells):
                if total >= best:
                    break
                r = order[i]
                room = best - (total - cell_lower[r])
                if stage == 0:
                    room = min(room, cell_lower[r] + child_window(weight[r], heavy, spare))
                cost = search(position, tables, work, cell_of(work, depth, r), top + current.n, later, room)
                if stopped(shared):
                    note(position, tables, work, current, lower, best if best < asked else upper)
                    return np.int64(0)
                if cost > cell_lower[r]:
                    total += cost - cell_lower[r]
                    cell_lower[r] = cost
        best = min(best, total)
    note(position, tables, work, current, best, best if best < asked or best == upper else upper)
    return best


@entry
def best_first_guess(
    position: WeightedPosition, tables: WeightedTables, work: WeightedWorkspace, current: WeightedSet, used: Int
) -> Int:
    """The first guess, by bound and then in order, that attains the least cost of a set; any where it is `stopped`."""
    shared, depth, top = work.shared, current.depth, current.start + current.n
    least = search(position, tables, work, current, top, used, np.int64(IMPOSSIBLE))
    listed = 0 if stopped(shared) else list_guesses(position, work, current, used, least + 1)
    rank(position, work, current, listed)
    guesses, bound, order, lower = work.guess[depth], work.bound[depth], work.order[depth], work.lower[depth]
    for _ in range(listed):
        next = 0
        for k in range(listed):
            if bound[k] < bound[next] or (bound[k] == bound[next] and guesses[k] < guesses[next]):
                next = k
        bound[next] = 2 * IMPOSSIBLE + 1
        guess = guesses[next]
        work.state[SERIAL] += 1
        node_id = np.uint64(work.state[SERIAL])
        total, cells = open_guess(position, tables, work, current, top, guess, used, least + 1, node_id)
        for i in range(cells):
            if total > least:
                break
            r = order[i]
            room, later = least + 1 - (total - lower[r]), used | position.symbols[guess]
            total += max(
                0, search(position, tables, work, cell_of(work, depth, r), top + current.n, later, room) - lower[r]
            )
        if total == least or must_stop(shared):
            return np.int64(guess)
    return np.int64(-1)
