"""The recursion of the search on a table: the least cost of any strategy for a set of secrets, by branch and bound.

`answer_table` defines the data, and `scan` computes the bounds.
"""

from __future__ import annotations

import numpy as np

from yomikiri.guessing.costs import IMPOSSIBLE, RISES
from yomikiri.guessing.kernels.answer_table import (
    TABLE_FULL,
    WORKSPACE_FULL,
    AnswerTable,
    TableProblem,
    TableSet,
    TableWorkspace,
)
from yomikiri.guessing.kernels.cell_bounds import (
    add_crowded,
    bound_by_members,
    child_window,
    has_crowded,
    has_masks,
    raise_bound,
    write_near,
)
from yomikiri.guessing.kernels.limits import NO_LIMIT, add_limits
from yomikiri.guessing.kernels.partition import (
    CodeSlice,
    count_cells,
    divide,
    hash_cells,
    insert_by_weight,
    is_new,
    largest_cell,
)
from yomikiri.guessing.kernels.scan import least_bound, mark_members, scan
from yomikiri.guessing.kernels.steps import (
    hash_depth,
    is_needed,
    least_of_set,
    note_interchangeable,
    step_of,
    three_guesses,
)
from yomikiri.guessing.kernels.transposition_table import find, put
from yomikiri.machine.bits import Int, mix
from yomikiri.machine.kernel import entry, inlined, kernel
from yomikiri.machine.shared_words import enter_node, must_stop, stop, stopped

# largest number of secrets of a set for which `bound_by_members` is called before the transposition table is read
_SMALL = 12
# least number of secrets of a set whose cells are first searched with limits only slightly above their lower bounds
_WINDOWED_FROM = 100
_BETWEEN = 512  # number of guesses whose lower bounds are raised between two checks for a request to stop


@kernel
def cell_of(work: TableWorkspace, depth: Int, r: Int) -> TableSet:
    """Return the cell with answer index `r` of the guess that divides the candidate set at `depth`."""
    n, key = np.int64(work.size[depth, r]), work.key
    return TableSet(
        depth + 1, np.int64(work.start[depth, r]), n, work.weight[depth, r], key[depth, 0, r], key[depth, 1, r]
    )


@kernel
def greatest_cost(work: TableWorkspace, current: TableSet) -> Int:
    """Return an upper bound of the cost of any strategy that finds every secret within the limit of guesses.

    If every strategy costs more, the cost of the candidate set is IMPOSSIBLE.
    """
    left = work.state[0].guess_limit - current.depth
    return left * current.whole if left < NO_LIMIT // 2 else np.int64(IMPOSSIBLE) - 1


@kernel
def store_bounds(problem: TableProblem, current: TableSet, lower: Int, upper: Int) -> None:
    """Write bounds of the cost of a candidate set to the transposition table."""
    taken = put(problem.transpositions, current.key, current.check, current.n, lower, upper)
    problem.work.state[0].table_used += taken


@kernel
def known_bounds(problem: TableProblem, current: TableSet) -> tuple[Int, Int]:
    """Return the (lower, upper) bounds of the cost of a candidate set without a scan.

    They are equal if the cost is known. For a set of at most _SMALL secrets, `bound_by_members` takes less time than a
    read from memory, so it is called before the transposition table is read.
    """
    if problem.work.state[0].guess_limit - current.depth < min(current.n, 2):
        return np.int64(IMPOSSIBLE), np.int64(IMPOSSIBLE)
    if current.n > _SMALL:
        lower, upper = find(problem.transpositions, current.key, current.check)
        if lower:
            return lower, upper
    lower, exact = bound_by_members(problem.table, problem.work, current)
    if exact:
        upper = lower
    elif current.n <= _SMALL:
        found, upper = find(problem.transpositions, current.key, current.check)
        lower = max(lower, found)
    else:
        upper = np.int64(IMPOSSIBLE)
    if current.n > _SMALL:
        store_bounds(problem, current, lower, upper)
    return lower, upper


@kernel
def _divide(problem: TableProblem, current: TableSet, top: Int, guess: Int, node_id: np.uint64) -> bool:
    """Divide a candidate set by a guess, and write the cells to `members` from index `top` on.

    Returns False if all members have the same answer, or if an earlier guess divided the set in the same way.
    """
    table, work, depth = problem.table, problem.work, current.depth
    stride, members, win = len(table.answers) // len(table.weight), work.members, table.answer_count - 1
    size, where, weight = work.size[depth], work.start[depth], work.weight[depth]
    work.tried[depth] = guess
    for i in range(current.n):
        work.set_answers[i] = table.answers[np.int64(members[current.start + i]) * stride + guess]
    count_cells(work.set_answers, current.n, table.answer_count, size)
    if largest_cell(win, size) == current.n:
        return False
    divide(CodeSlice(members, current.start, current.n), work.set_answers, top, table.answer_count, size, where)
    partition_key, check = hash_cells(members, table.keys, table.answer_count, size, where, work.key[depth])
    if len(table.symbols) > 0 or work.state[0].guess_limit - depth <= current.n:
        partition_key, check = add_limits(table, work, current, guess)
    if len(table.codes) > 0:
        note_interchangeable(table, work, depth, guess)
    word = hash_depth(table, depth + 1)
    for r in range(win):
        work.key[depth, 0, r] += word
        work.key[depth, 1, r] += mix(word)
        weight[r] = 0
        for i in range(where[r], where[r] + size[r]):
            weight[r] += table.weight[members[i]]
    return is_new(work.seen, node_id, partition_key, check)


@kernel
def _write_least_costs(table: AnswerTable, work: TableWorkspace, current: TableSet) -> Int:
    """Write a lower bound of the cost of each cell: the heaviest secret takes one guess, any other takes two.

    Returns a lower bound of the cost of the guess: the weight of the candidate set plus all these bounds.
    """
    depth, total = current.depth, current.whole * step_of(table, current.depth)
    size, where, weight, lower = work.size[depth], work.start[depth], work.weight[depth], work.lower[depth]
    for r in range(table.answer_count - 1):
        if size[r] > 0:
            lower[r] = least_of_set(table, depth + 1, weight[r], table.weight[work.members[where[r]]])
            total += lower[r]
    return total


@entry
def open_guess(
    problem: TableProblem, current: TableSet, top: Int, guess: Int, best: Int, node_id: np.uint64
) -> tuple[Int, Int]:
    """Divide a candidate set by a guess and bound its cells without searching them.

    Returns (lower bound of the cost of the guess, number of open cells). The *open* cells are those whose cost is
    unknown. Their answer indices are in `work.order[depth]`, in descending order of mean weight; if means are equal,
    the smaller cell comes first. Their lower bounds are in `work.lower[depth]`. The bound of the guess is IMPOSSIBLE if
    all secrets are left in one cell, or if an earlier guess has the same partition.

    The work ends when the bound of the guess reaches `best`. If the search is `stopped`, the bound of the guess is
    valid, but the bounds of some cells may be weak. `scan` must have written the savings at the set to `work.saving`.
    """
    table, work, depth = problem.table, problem.work, current.depth
    if not _divide(problem, current, top, guess, node_id):
        return np.int64(IMPOSSIBLE), 0
    is_limited = work.state[0].guess_limit - depth <= 2
    lower, order, cells = work.lower[depth], work.order[depth], 0
    total = _write_least_costs(table, work, current)
    for r in range(table.answer_count - 1):
        if total >= best:
            return total, 0
        if work.size[depth, r] > 2 or (work.size[depth, r] > 0 and is_limited):
            least = lower[r]
            lower[r], upper = known_bounds(problem, cell_of(work, depth, r))
            total += lower[r] - least
            if lower[r] < upper:
                cells = insert_by_weight(order, cells, work.weight[depth], work.size[depth], r)
    for i in range(cells):
        if total >= best or must_stop(work.shared):
            break
        r = order[cells - 1 - i]
        cell = cell_of(work, depth, r)
        unscanned = least_of_set(table, depth + 1, cell.whole, 0)
        if cell.n > table.answer_count:
            unscanned = bound_by_members(table, work, cell)[0]
        if lower[r] > unscanned:
            continue  # skip the scan: an earlier scan or search of the cell has found this bound
        least = least_bound(table, work, cell, best - total + lower[r])
        if stopped(work.shared):
            break
        if least > greatest_cost(work, cell):
            least = np.int64(IMPOSSIBLE)
        if least > lower[r]:
            store_bounds(problem, cell, least, IMPOSSIBLE)
            total += least - lower[r]
            lower[r] = least
    return total, cells


@inlined
def _search_cells(problem: TableProblem, current: TableSet, top: Int, best: Int, total: Int, cells: Int) -> Int:
    """Search the open cells of a guess: return the cost of the guess, or a lower bound of at least `best`.

    `total` is the bound of the guess before this search. At a large candidate set, each cell is first searched with a
    small window: up to its bound plus a part of the difference between `best` and `total`. Often one such cell refutes
    the guess. If the search is `stopped`, the number has no meaning.
    """
    work, depth = problem.work, current.depth
    weight, lower, order = work.weight[depth], work.lower[depth], work.order[depth]
    all_weights, spare = np.int64(0), best - total
    for i in range(cells):
        all_weights += weight[order[i]]
    has_windows = current.n >= _WINDOWED_FROM and cells > 1 and best < IMPOSSIBLE
    for stage in range(0 if has_windows else 1, 2):
        for i in range(cells):
            if total >= best:
                return total
            r = order[i]
            window = best - (total - lower[r])
            if stage == 0:
                window = min(window, lower[r] + child_window(weight[r], all_weights, spare))
            cost = search(problem, cell_of(work, depth, r), top + current.n, window)
            if stopped(work.shared):
                return total
            if cost > lower[r]:
                total += cost - lower[r]
                lower[r] = cost
    return total


@kernel
def _raise_bounds(problem: TableProblem, current: TableSet, best: Int, listed: Int, others: Int) -> tuple[Int, Int]:
    """Raise the lower bounds of the guesses in the list of a candidate set, by looking more closely at their cells.

    The *excess* of a cell is its cost beyond that of finding its heaviest secret at the first guess and all others at
    the second. A lower bound of this excess is added to the bound of the guess. At a set that is not small, only cells
    with more secrets than answers raise bounds. The list consists of the first `listed` guesses of `work.guess` at this
    depth. Guesses whose bounds reach `best` leave the list. `others` is the least bound of the guesses outside the
    list. Returns (number of guesses in the list, new value of `others`). If the search is `stopped`, the list is empty.
    """
    table, work, depth = problem.table, problem.work, current.depth
    guesses, bounds, kept = work.guess[depth], work.bound[depth], 0
    is_small = has_masks(table, current)
    if is_small:
        write_near(table, work, current)
    for k in range(listed):
        if k % _BETWEEN == _BETWEEN - 1 and must_stop(work.shared):
            return 0, others
        if is_small:
            bound = raise_bound(table, work, current, guesses[k], bounds[k], best)
        else:
            bound = add_crowded(table, work, current, guesses[k], bounds[k])
        if bound < best:
            guesses[kept], bounds[kept] = guesses[k], bound
            kept += 1
        else:
            others = min(others, bound)
    return kept, others


@kernel
def _list_guesses(problem: TableProblem, current: TableSet, best: Int, exact: bool) -> tuple[Int, Int]:
    """List the guesses whose bounds are below `best`: return (their number, the least bound of the others).

    A bound follows from the *saving* of the guess, the sum over its cells of the weight of the heaviest secret. If
    `exact` is True, the savings are computed from exact weights, so that the order of the guesses by bound does not
    depend on rounding. Otherwise, the weights may be rounded up first.

    If `exact` is False or `TableState.by_cells` is 1, `_raise_bounds` raises the bounds, if the candidate set is small
    or has many more secrets than there are answers. If the search is `stopped`, the list is empty.
    """
    table, work, depth = problem.table, problem.work, current.depth
    guesses, bounds, saving = work.guess[depth], work.bound[depth], work.saving[depth + 1]
    third, base = step_of(table, depth + 2), three_guesses(table, depth) * current.whole
    mark_members(table, work, current, step_of(table, depth + 1))
    scan(table, work, current, base - best, exact)
    listed, others = 0, np.int64(IMPOSSIBLE)
    for guess in range(0 if stopped(work.shared) else len(saving)):
        bound = base - third * saving[guess] - work.bonus[guess]
        if work.bonus[guess] == 0 and work.state[0].candidates_only == 1:
            continue
        if bound < best:
            if is_needed(table, work, depth, guess):
                guesses[listed], bounds[listed] = guess, bound
                listed += 1
        else:
            others = min(others, bound)
    mark_members(table, work, current, 0)
    has_bounds = has_masks(table, current) or has_crowded(table, current)
    if has_bounds and (work.state[0].by_cells or not exact):
        return _raise_bounds(problem, current, best, listed, others)
    return listed, others


@kernel
def _next_guess(work: TableWorkspace, depth: Int, listed: Int) -> Int:
    """Return the position, in the list of guesses at a depth, of the guess with the least bound.

    If bounds are equal, the guess with the largest saving at the set of all secrets comes first, because it tends to be
    good at subsets, too. If these are also equal, the guess with the smallest index comes first.
    """
    guesses, bound, start = work.guess[depth], work.bound[depth], work.saving[0]
    least = 0
    for k in range(listed):
        if bound[k] > bound[least]:
            continue
        one, other = guesses[k], guesses[least]
        if bound[k] < bound[least] or start[one] > start[other] or (start[one] == start[other] and one < other):
            least = k
    return least


@kernel
def _expand(problem: TableProblem, current: TableSet, top: Int, lower: Int, best: Int, exact: bool) -> Int:
    """Return the least cost of a candidate set if it is below `best`, otherwise a lower bound of the cost.

    The cost is found by trying the guesses. `lower` is a lower bound of the cost that is known already, and `exact` is
    an argument of `_list_guesses`. Writes the guess that attains the cost to `work.best`. If the search is `stopped`,
    the number has no meaning.
    """
    work, depth, target = problem.work, current.depth, best
    work.state[0].node_id += 1
    node_id = np.uint64(work.state[0].node_id)
    listed, others = _list_guesses(problem, current, best, exact)
    guesses, bound = work.guess[depth], work.bound[depth]
    while lower < best and listed > 0 and not stopped(work.shared):
        least = _next_guess(work, depth, listed)
        if bound[least] >= best:
            others = min(others, bound[least])
            break
        guess = guesses[least]
        listed -= 1
        guesses[least], bound[least] = guesses[listed], bound[listed]
        total, cells = open_guess(problem, current, top, guess, best, node_id)
        if total < best and not stopped(work.shared):
            total = _search_cells(problem, current, top, best, total, cells)
        others = min(others, total)
        if not stopped(work.shared) and total < best:
            best = total
            work.best[depth] = guess
    return best if best < target else max(lower, others)


@entry
def search(problem: TableProblem, current: TableSet, top: Int, best: Int) -> Int:
    """Return the least cost of a candidate set if it is below `best`, otherwise a lower bound of the cost.

    The lower bound is at least `best`. `members` is free from `top` on. If the search is `stopped`, the number has no
    meaning, but all bounds in the transposition table are valid.
    """
    work = problem.work
    lower, upper = known_bounds(problem, current)
    if lower == upper or lower >= best:
        return lower
    if top + current.n > len(work.members) or current.depth + 1 >= len(work.size):
        stop(work.shared, WORKSPACE_FULL)
    elif work.state[0].table_used >= work.state[0].table_limit:
        stop(work.shared, TABLE_FULL)
    if stopped(work.shared) or not enter_node(work.shared):
        return np.int64(0)
    greatest = greatest_cost(work, current)
    target = min(best, upper, greatest + 1)
    cost = _expand(problem, current, top, lower, target, False)
    if stopped(work.shared):
        return np.int64(0)
    if cost > greatest:
        cost = np.int64(IMPOSSIBLE)
    cost = min(cost, upper)  # a lower bound must not exceed the upper bound
    store_bounds(problem, current, cost, cost if cost < target else upper)
    return cost


@entry
def choose(problem: TableProblem, current: TableSet, top: Int, best: Int) -> tuple[Int, Int]:
    """Return (least cost of a candidate set, guess that attains it).

    The guess is -1 if the cost is not below `best`.
    """
    work = problem.work
    work.best[current.depth] = -1
    cost = _expand(problem, current, top, best - 1, best, True)
    return cost, work.best[current.depth]


@kernel
def _least_cost(problem: TableProblem, current: TableSet, top: Int) -> Int:
    """Return the least cost of a candidate set, by searches with a limit that rises from a lower bound.

    If the search is `stopped`, the number means nothing.
    """
    limit, rise = 2 * current.whole, max(1, current.whole // RISES)
    while True:
        cost = search(problem, current, top, limit)
        if stopped(problem.work.shared) or cost < limit or cost >= IMPOSSIBLE:
            return cost
        limit, rise = min(cost + rise, IMPOSSIBLE), 2 * rise


@kernel
def _candidates_first(table: AnswerTable, work: TableWorkspace, current: TableSet, listed: Int) -> None:
    """Write the guesses in the list of a candidate set to `work.bound`, the candidates first.

    The array contained the bounds of the guesses, which are no longer needed. The candidates keep the order of the
    list, and so do the other guesses.
    """
    guesses, ordered, count = work.guess[current.depth], work.bound[current.depth], 0
    mark_members(table, work, current, 1)
    for is_candidate in (True, False):
        for i in range(listed):
            if (work.bonus[guesses[i]] > 0) == is_candidate:
                ordered[count] = guesses[i]
                count += 1
    mark_members(table, work, current, 0)


@kernel
def first_best(problem: TableProblem, current: TableSet, top: Int) -> Int:
    """Return the first guess that attains the least cost of a candidate set of two or more secrets.

    Candidates come first, then the other guesses. If the search is `stopped`, the number means nothing.
    """
    work, depth = problem.work, current.depth
    cost = _least_cost(problem, current, top)
    work.state[0].node_id += 1
    node_id = np.uint64(work.state[0].node_id)
    listed, _others = _list_guesses(problem, current, cost + 1, False)
    _candidates_first(problem.table, work, current, listed)
    for i in range(listed):
        if stopped(work.shared):
            break
        guess = work.bound[depth, i]
        total, cells = open_guess(problem, current, top, guess, cost + 1, node_id)
        if total <= cost and not stopped(work.shared):
            total = _search_cells(problem, current, top, cost + 1, total, cells)
        if total <= cost:
            return guess
    return np.int64(-1)


@entry
def cost_after(problem: TableProblem, current: TableSet, top: Int, guess: Int, best: Int, node_id: np.uint64) -> Int:
    """Return the least cost of a candidate set if its first guess is `guess`, or a lower bound of this cost.

    The number is the cost if it is below `best`. Otherwise, it is a lower bound of at least `best`. If the search is
    `stopped`, the number has no meaning. `work.saving` must contain the savings at the set.
    """
    total, cells = open_guess(problem, current, top, guess, best, node_id)
    if total < best and not stopped(problem.work.shared):
        total = _search_cells(problem, current, top, best, total, cells)
    return total


@entry
def best_guess(problem: TableProblem, current: TableSet, top: Int) -> Int:
    """Return the first guess, in the order of `list_guesses`, that attains the least cost of a candidate set.

    Guesses with equal bounds are in descending order of their savings at the set of all secrets, then in order of
    index.
    """
    cost = search(problem, current, top, np.int64(IMPOSSIBLE))
    if stopped(problem.work.shared):
        return np.int64(-1)
    return choose(problem, current, top, cost + 1)[1]


@entry
def list_guesses(problem: TableProblem, current: TableSet, below: Int) -> Int:
    """List the guesses at a candidate set whose lower bounds are below `below`, and return their number.

    The bounds follow from the savings (see `scan`) alone, without rounding. The list is in `work.guess` and
    `work.bound`.
    """
    return _list_guesses(problem, current, below, True)[0]


@entry
def scan_set(problem: TableProblem, current: TableSet) -> None:
    """Write the saving of each guess at a candidate set to row 1 of `work.saving`.

    The *saving* of a guess is the sum over its cells of the weight of the heaviest secret. A guess that can win saves
    its own weight once more, which is not included.
    """
    mark_members(problem.table, problem.work, current, 1)
    scan(problem.table, problem.work, current, np.int64(-1), True)
    mark_members(problem.table, problem.work, current, 0)
