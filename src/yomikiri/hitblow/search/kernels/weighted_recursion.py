"""The recursion of the weighted search: the least cost of any strategy for a set of codes, by branch and bound.

`weighted_workspace` defines *weight* and *step*, and `weighted_bounds` contains the bounds. A cell of the current guess
is *open* if its cost is not known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.cell_bounds import child_window
from yomikiri.guessing.kernels.partition import (
    CodeSlice,
    count_cells,
    divide,
    gather_answers,
    hash_cells,
    insert_by_weight,
    is_new,
    largest_cell,
    scatter,
)
from yomikiri.guessing.kernels.transposition_table import TranspositionTable, find, put
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
    TABLE_FULL,
    WORKSPACE_FULL,
    WeightedPosition,
    WeightedSet,
    WeightedWorkspace,
)
from yomikiri.machine.bits import ONE, ZERO, Int, lowest, mix, popcount
from yomikiri.machine.kernel import entry, inlined, kernel
from yomikiri.machine.shared_words import enter_node, must_stop, stop, stopped

_OTHER = np.uint64(0xA0761D6478BD642F)  # multiplier that scatters a mask in a second way, for the second word of a hash


class WeightedTables(NamedTuple):
    """The transposition table of costs, and a table of the totals of some sets for equal weights."""

    costs: TranspositionTable
    uniform_table: TranspositionTable


class WeightedProblem(NamedTuple):
    """A weighted search: the position, the tables and the workspace."""

    position: WeightedPosition
    tables: WeightedTables
    work: WeightedWorkspace


@kernel
def table_key(position: WeightedPosition, current: WeightedSet) -> np.uint64:
    """Return the key of a set in the transposition table. It depends on the depth, as the costs of later guesses do."""
    return np.uint64(current.key ^ position.salt[current.depth])


@kernel
def known(problem: WeightedProblem, current: WeightedSet) -> tuple[Int, Int]:
    """Return quick (lower, upper) bounds of the cost of a set. They are equal if the cost is known."""
    position, tables, work = problem.position, problem.tables, problem.work
    if current.n > 2:
        lower, upper = find(tables.costs, table_key(position, current), current.check)
        if lower or upper < IMPOSSIBLE:
            return lower, upper
    return bound_by_size(position, work, current)


@kernel
def note(
    problem: WeightedProblem,
    current: WeightedSet,
    lower: Int,
    upper: Int,
) -> None:
    """Write the bounds of the cost of a set to the transposition table."""
    position, tables, work = problem.position, problem.tables, problem.work
    work.state[0].table_used += put(tables.costs, table_key(position, current), current.check, current.n, lower, upper)


@kernel
def cell_of(work: WeightedWorkspace, depth: Int, r: Int) -> WeightedSet:
    """Return cell r of the current guess as a set to search, one depth below the current set."""
    start, size, weight, key = work.start, work.size, work.weight, work.key
    n, whole = np.int64(size[depth, r]), np.int64(weight[depth, r])
    return WeightedSet(depth + 1, np.int64(start[depth, r]), n, whole, key[depth, 0, r], key[depth, 1, r])


@kernel
def open_large(
    problem: WeightedProblem,
    current: WeightedSet,
    top: Int,
    guess: Int,
    node_id: np.uint64,
) -> tuple[Int, Int]:
    """Divide a set of any size by a guess, and bound its cells by their sizes, weights and table entries.

    An *open* cell is one whose cost is not known yet. Returns (lower bound of the guess, number of open cells).
    """
    position, tables, work = problem.position, problem.tables, problem.work
    table, members, depth, start, n = position.table, work.members, current.depth, current.start, current.n
    size, where, weight, lower = work.size[depth], work.start[depth], work.weight[depth], work.lower[depth]
    gather_answers(table.answers[guess], members, start, n, work.set_answers)
    count_cells(work.set_answers, n, table.answer_count, size)
    if largest_cell(table.answer_count, size) == n:
        return np.int64(IMPOSSIBLE), 0
    divide(CodeSlice(members, start, n), work.set_answers, top, table.answer_count, size, where)
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
        lower[r], upper = known(problem, cell)
        if work.state[0].has_uniform and lower[r] < upper and cell.n > table.answer_count:
            uniform = find(tables.uniform_table, cell.key, cell.check)[0]
            if uniform:
                lower[r] = max(lower[r], bound_by_uniform(position, work, cell, uniform))
        total += lower[r]
        if lower[r] < upper:
            cells = insert_by_weight(work.order[depth], cells, weight, size, r)
    return total, cells


@kernel
def open_masks(
    problem: WeightedProblem,
    current: WeightedSet,
    top: Int,
    guess: Int,
    node_id: np.uint64,
) -> tuple[Int, Int]:
    """Divide a small set by a guess, using bit masks of its members, and bound its cells.

    An *open* cell is one whose cost is not known yet. Returns (lower bound of the guess, number of open cells). Cells
    with known costs are not written to `members`.
    """
    position, tables, work = problem.position, problem.tables, problem.work
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
                cells = insert_by_weight(work.order[depth], cells, weight, size, r)
        total += lower[r]
    return total, cells


@entry
def open_guess(
    problem: WeightedProblem,
    current: WeightedSet,
    top: Int,
    guess: Int,
    used: Int,
    best: Int,
    node_id: np.uint64,
) -> tuple[Int, Int]:
    """Divide a set by a guess and bound its cells. Returns (lower bound of the guess, number of open cells).

    No cell is searched. The open cells, whose costs are not known yet, are in `work.order[depth]`, and their lower
    bounds in `work.lower[depth]`. The bound is IMPOSSIBLE for a guess that leaves all codes in one cell, and for one
    whose partition equals that of an earlier guess. The work ends when the bound reaches `best`. The guesses at the set
    must be listed before. `used` has a bit for each symbol of the turns so far. If the search is `stopped`, the bound
    remains valid, but cells may be open although their costs are known.
    """
    position, tables, work = problem.position, problem.tables, problem.work
    lower, order = work.lower[current.depth], work.order[current.depth]
    if current.n <= work.state[0].masked_up_to:
        total, cells = open_masks(problem, current, top, guess, node_id)
    else:
        total, cells = open_large(problem, current, top, guess, node_id)
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
            if stopped(work.shared):  # The bound is invalid if its computation was interrupted.
                break
            least = max(lower[r], least)
            note(problem, cell, least, IMPOSSIBLE)
            total += least - lower[r]
            lower[r] = least
    return total, cells


@kernel
def _index_of_least(work: WeightedWorkspace, depth: Int, listed: Int) -> Int:
    """Return the index in the list of guesses of the one with the least bound; 0 if the list is empty."""
    bound, least = work.bound[depth], 0
    for k in range(listed):
        if bound[k] < bound[least]:
            least = k
    return least


@inlined
def _search_cells(
    problem: WeightedProblem, current: WeightedSet, top: Int, later: Int, best: Int, total: Int, cells: Int
) -> Int:
    """Search the open cells of a guess whose bound is `total`. Returns its cost, or a bound of at least `best`.

    In large sets, each cell is first searched up to its bound plus a part of the spare cost, because often one cell
    refutes the guess that way. `later` has a bit for each symbol of the turns, including this guess. The result is
    invalid if the search is `stopped`.
    """
    work, depth = problem.work, current.depth
    weight, cell_lower, order = work.weight[depth], work.lower[depth], work.order[depth]
    all_weights, spare = np.int64(0), best - total
    for i in range(cells):
        all_weights += weight[order[i]]
    has_windows = current.n > work.state[0].windowed_above and cells > 1 and best < IMPOSSIBLE
    for stage in range(0 if has_windows else 1, 2):
        for i in range(cells):
            if total >= best:
                return total
            r = order[i]
            window = best - (total - cell_lower[r])
            if stage == 0:
                window = min(window, cell_lower[r] + child_window(weight[r], all_weights, spare))
            cost = search(problem, cell_of(work, depth, r), top + current.n, later, window)
            if stopped(work.shared):
                return total
            if cost > cell_lower[r]:
                total += cost - cell_lower[r]
                cell_lower[r] = cost
    return total


@entry
def search(problem: WeightedProblem, current: WeightedSet, top: Int, used: Int, best: Int) -> Int:
    """Return the least cost of a set: exact if it is below `best`, otherwise a lower bound of at least `best`.

    `members` is free from `top` on. `used` has a bit for each symbol of the turns so far.

    If the search is `stopped`, the result is invalid, but all entries of the transposition table are valid. For a cell
    that was only bounded, the entry is its bound, which is written when it is complete. For a set whose search has not
    ended, the entry is the least bound of the guesses that were left before the current guess. That is a lower bound of
    its cost, because every guess left has at least this bound, and the guesses before cost at least `best`.
    """
    position, work = problem.position, problem.work
    state, shared, depth = work.state[0], work.shared, current.depth
    lower, upper = known(problem, current)
    if lower == upper or lower >= best:
        return lower
    if top + current.n > len(work.members) or depth + 1 >= len(work.size):
        stop(shared, WORKSPACE_FULL)
    elif state.table_used >= state.table_limit:
        stop(shared, TABLE_FULL)
    if stopped(shared) or not enter_node(shared):
        return np.int64(0)
    state.node_id += 1
    node_id = np.uint64(state.node_id)
    target = best
    best = min(best, upper)
    listed = list_guesses(position, work, current, used, best)
    if stopped(shared):
        return np.int64(0)
    guesses, bound = work.guess[depth], work.bound[depth]
    while lower < best:
        least = _index_of_least(work, depth, listed)
        lower = max(lower, min(bound[least], best) if listed else best)
        if lower >= best:
            break
        guess = guesses[least]
        listed -= 1
        guesses[least], bound[least] = guesses[listed], bound[listed]
        total, cells = open_guess(problem, current, top, guess, used, best, node_id)
        if not must_stop(shared):
            total = _search_cells(problem, current, top, used | position.symbols[guess], best, total, cells)
        if stopped(shared):
            note(problem, current, lower, best if best < target else upper)
            return np.int64(0)
        best = min(best, total)
    note(problem, current, best, best if best < target or best == upper else upper)
    return best


@entry
def best_first_guess(problem: WeightedProblem, current: WeightedSet, used: Int) -> Int:
    """Return the first guess with the least cost, by bound and then in order; any guess if the search is `stopped`."""
    position, work = problem.position, problem.work
    shared, depth, top = work.shared, current.depth, current.start + current.n
    least = search(problem, current, top, used, np.int64(IMPOSSIBLE))
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
        work.state[0].node_id += 1
        node_id = np.uint64(work.state[0].node_id)
        total, cells = open_guess(problem, current, top, guess, used, least + 1, node_id)
        for i in range(cells):
            if total > least:
                break
            r = order[i]
            room, later = least + 1 - (total - lower[r]), used | position.symbols[guess]
            total += max(0, search(problem, cell_of(work, depth, r), top + current.n, later, room) - lower[r])
        if total == least or must_stop(shared):
            return np.int64(guess)
    return np.int64(-1)
