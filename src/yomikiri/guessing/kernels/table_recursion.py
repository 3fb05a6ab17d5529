"""The recursion of the search on a table: the least cost of any strategy for a set of secrets, by branch and bound.

`answer_table` has the data and `scan` the bounds.
"""

from __future__ import annotations

import numpy as np

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.answer_table import (
    TABLE_FULL,
    WORKSPACE_FULL,
    AnswerTable,
    TableProblem,
    TableSet,
    TableWorkspace,
)
from yomikiri.guessing.kernels.limits import add_limits
from yomikiri.guessing.kernels.partition import (
    CodeSlice,
    count_cells,
    divide,
    hash_cells,
    insert_by_size,
    is_new,
    largest_cell,
)
from yomikiri.guessing.kernels.scan import least_bound, mark_members, scan
from yomikiri.guessing.kernels.transposition_table import find, put
from yomikiri.machine.bits import Int
from yomikiri.machine.kernel import entry, inlined, kernel
from yomikiri.machine.shared_words import enter_node, must_stop, stop, stopped


@kernel
def cell_of(work: TableWorkspace, depth: Int, r: Int) -> TableSet:
    """Return the cell with answer index `r` of the guess that divides the set at `depth`."""
    n, key = np.int64(work.size[depth, r]), work.key
    return TableSet(
        depth + 1, np.int64(work.start[depth, r]), n, work.weight[depth, r], key[depth, 0, r], key[depth, 1, r]
    )


@kernel
def greatest_cost(work: TableWorkspace, current: TableSet) -> Int:
    """Return an upper bound of the cost of any strategy that finds every secret within the limit of guesses.

    If every strategy costs more, the cost of the set is IMPOSSIBLE.
    """
    return (work.state[0].guess_limit - current.depth) * current.whole


@kernel
def note(problem: TableProblem, current: TableSet, lower: Int, upper: Int) -> None:
    """Write bounds of the cost of a set to the transposition table."""
    taken = put(problem.transpositions, current.key, current.check, current.n, lower, upper)
    problem.work.state[0].table_used += taken


@kernel
def _separates(table: AnswerTable, work: TableWorkspace, current: TableSet, i: Int) -> bool:
    """Return True if the guess that names member `i` of a set gets a different answer from each member."""
    work.state[0].stamp += 1
    stamp, answers = work.state[0].stamp, table.between[work.members[i]]
    for j in range(current.start, current.start + current.n):
        answer = answers[work.members[j]]
        if work.stamps[answer] == stamp:
            return False
        work.stamps[answer] = stamp
    return True


@kernel
def bound_by_members(table: AnswerTable, work: TableWorkspace, current: TableSet) -> tuple[Int, bool]:
    """Return (lower bound of the cost of a set, whether it is the cost), from the guesses that name members.

    One secret is found at the first guess at best, the heaviest, and all others at the second. Only a guess that names
    a secret of that weight and separates all members attains that. Any other strategy finds a lighter secret first, or
    none, or takes a third guess for the lightest secret or a heavier one.
    """
    members, weight, n = work.members, table.weight, current.n
    if n == 0:
        return np.int64(0), True
    heaviest, lightest = weight[members[current.start]], weight[members[current.start + n - 1]]
    least = 2 * current.whole - heaviest
    if n <= 2:
        return least, True
    gap = heaviest
    for i in range(current.start, current.start + n):
        if weight[members[i]] < heaviest:
            gap = heaviest - weight[members[i]]
            break
        if n <= table.answer_count and _separates(table, work, current, i):
            return least, True
    return least + min(gap, lightest), False


@kernel
def known(problem: TableProblem, current: TableSet) -> tuple[Int, Int]:
    """Return the (lower, upper) bounds of the cost of a set without a scan. They are equal if the cost is known."""
    if problem.work.state[0].guess_limit - current.depth < min(current.n, 2):
        return np.int64(IMPOSSIBLE), np.int64(IMPOSSIBLE)
    if current.n > 2:
        lower, upper = find(problem.transpositions, current.key, current.check)
        if lower:
            return lower, upper
    lower, exact = bound_by_members(problem.table, problem.work, current)
    if current.n > 2:
        note(problem, current, lower, lower if exact else np.int64(IMPOSSIBLE))
    return lower, lower if exact else np.int64(IMPOSSIBLE)


@kernel
def _divide(problem: TableProblem, current: TableSet, top: Int, guess: Int, node_id: np.uint64) -> bool:
    """Divide a set by a guess, and write the cells to `members` from index `top` on.

    Returns False if all members have one answer, or if an earlier guess divided the set in the same way.
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
    same, check = hash_cells(members, table.keys, table.answer_count, size, where, work.key[depth])
    if len(table.symbols) > 0 or work.state[0].guess_limit - depth <= current.n:
        same, check = add_limits(table, work, current, guess)
    for r in range(win):
        weight[r] = 0
        for i in range(where[r], where[r] + size[r]):
            weight[r] += table.weight[members[i]]
    return is_new(work.seen, node_id, same, check)


@entry
def open_guess(
    problem: TableProblem, current: TableSet, top: Int, guess: Int, best: Int, node_id: np.uint64
) -> tuple[Int, Int]:
    """Divide a set by a guess and bound its cells without entering them: return (lower bound, number of open cells).

    The open cells are in `work.order[depth]`, the smallest first, with their lower bounds in `work.lower[depth]`. A
    guess that leaves all secrets in one cell, or whose partition equals that of an earlier guess, is impossible. A
    bound that reaches `best` ends the work. If the search is `stopped`, the bound holds, but some cells may lack
    theirs. The savings at the set must be known.
    """
    table, work, depth = problem.table, problem.work, current.depth
    if not _divide(problem, current, top, guess, node_id):
        return np.int64(IMPOSSIBLE), 0
    lower, order, total, cells = work.lower[depth], work.order[depth], current.whole, 0
    for r in range(table.answer_count - 1):
        if work.size[depth, r] > 0:
            lower[r], upper = known(problem, cell_of(work, depth, r))
            total += lower[r]
            if lower[r] < upper:
                cells = insert_by_size(order, cells, work.size[depth], r)
    for i in range(cells):
        if total >= best or must_stop(work.shared):
            break
        r = order[cells - 1 - i]
        cell = cell_of(work, depth, r)
        if lower[r] > 2 * cell.whole:  # the transposition table had a bound from an earlier scan
            continue
        least = least_bound(table, work, cell, best - total + lower[r])
        if stopped(work.shared):
            break
        if least > greatest_cost(work, cell):
            least = np.int64(IMPOSSIBLE)
        if least > lower[r]:
            note(problem, cell, least, IMPOSSIBLE)
            total += least - lower[r]
            lower[r] = least
    return total, cells


@inlined
def _search_cells(problem: TableProblem, current: TableSet, top: Int, best: Int, total: Int, cells: Int) -> Int:
    """Search the cells of a guess that are not solved yet: return the cost of the guess, or a bound of at least `best`.

    `total` is the bound of the guess before this search. The number means nothing if the search is `stopped`.
    """
    work, depth = problem.work, current.depth
    for i in range(cells):
        if total >= best:
            return total
        r = work.order[depth, i]
        lower = work.lower[depth, r]
        cost = search(problem, cell_of(work, depth, r), top + current.n, best - (total - lower))
        if stopped(work.shared):
            return total
        if cost > lower:
            total += cost - lower
            work.lower[depth, r] = cost
    return total


@kernel
def _list_guesses(problem: TableProblem, current: TableSet, best: Int) -> tuple[Int, Int]:
    """List the guesses whose bounds are below `best`: return (their number, the least bound of the others).

    If the search is `stopped`, the list is empty.
    """
    table, work, depth = problem.table, problem.work, current.depth
    guesses, bounds, saving = work.guess[depth], work.bound[depth], work.saving[depth + 1]
    mark_members(table, work, current, 1)
    scan(table, work, current, 3 * current.whole - best)
    listed, others = 0, np.int64(IMPOSSIBLE)
    for guess in range(0 if stopped(work.shared) else len(saving)):
        bound = 3 * current.whole - saving[guess] - work.bonus[guess]
        if work.bonus[guess] == 0 and work.state[0].candidates_only == 1:
            continue
        if bound < best:
            guesses[listed], bounds[listed] = guess, bound
            listed += 1
        else:
            others = min(others, bound)
    mark_members(table, work, current, 0)
    return listed, others


@kernel
def _next_guess(work: TableWorkspace, depth: Int, listed: Int) -> Int:
    """Return the index, in the list of guesses of a depth, of the guess with the least bound of its cost.

    If bounds are equal, the guess with the largest saving at the whole set of secrets comes first, because it tends to
    be good at subsets, too.
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
def _expand(problem: TableProblem, current: TableSet, top: Int, lower: Int, best: Int) -> Int:
    """Return the least cost of a set by its guesses: exact if it is below `best`, otherwise a lower bound.

    `lower` is a lower bound of the cost. The guess that attains the cost is written to `work.best`. The number means
    nothing if the search is `stopped`.
    """
    work, depth, target = problem.work, current.depth, best
    work.state[0].node_id += 1
    node_id = np.uint64(work.state[0].node_id)
    listed, others = _list_guesses(problem, current, best)
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
    """Return the least cost of a set: exact if it is below `best`, otherwise a lower bound of at least `best`.

    `members` is free from `top` on. If the search is `stopped`, the number means nothing, but the transposition table
    holds.
    """
    work = problem.work
    lower, upper = known(problem, current)
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
    cost = _expand(problem, current, top, lower, target)
    if stopped(work.shared):
        return np.int64(0)
    if cost > greatest:
        cost = np.int64(IMPOSSIBLE)
    cost = min(cost, upper)  # a cost with an impossible cell may exceed IMPOSSIBLE
    note(problem, current, cost, cost if cost < target else upper)
    return cost


@entry
def choose(problem: TableProblem, current: TableSet, top: Int, best: Int) -> tuple[Int, Int]:
    """Return (least cost of a set, a guess that attains it), the guess -1 if the cost is not below `best`."""
    work = problem.work
    work.best[current.depth] = -1
    cost = _expand(problem, current, top, np.int64(0), best)
    return cost, work.best[current.depth]


@entry
def scan_set(problem: TableProblem, current: TableSet) -> None:
    """Write to row 1 of `work.saving` an upper bound of what each guess saves of three guesses for every secret.

    The bonus of a win is not included.
    """
    mark_members(problem.table, problem.work, current, 1)
    scan(problem.table, problem.work, current, np.int64(-1))
    mark_members(problem.table, problem.work, current, 0)
