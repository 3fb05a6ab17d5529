"""Lower bounds of the costs of cells, from the weights of their secrets and from separating members.

A member *separates* a set if, with this member as the guess, no two members give the same answer. Let W be the weight
of a set, and h that of its heaviest secret. If the heaviest secret is found at the first guess, and all others at the
second, the set costs 2 W - h. The *excess* of the set is its cost beyond that. docs/theory/table-search.md has the
proofs.

A *small* set has at most WORD secrets. Its cells are bit masks: bit i stands for member i of the set, so the lowest bit
of a cell is its heaviest secret.
"""

from __future__ import annotations

import numpy as np

from yomikiri.guessing.kernels.answer_table import WORD, AnswerTable, TableSet, TableWorkspace
from yomikiri.machine.bits import ONE, ZERO, Int, lowest, popcount
from yomikiri.machine.kernel import kernel


@kernel
def _separates(table: AnswerTable, work: TableWorkspace, current: TableSet, i: Int) -> bool:
    """Return True if member `i`, used as a guess, separates a set: no two members give the same answer."""
    members, answers = work.members, table.between[work.members[i]]
    if table.answer_count <= WORD:
        met = ZERO
        for j in range(np.uint64(current.start), np.uint64(current.start + current.n)):
            met |= ONE << np.uint64(answers[np.uint64(members[j])])
        return bool(popcount(met) == np.uint64(current.n))
    work.state[0].stamp += 1
    stamp = work.state[0].stamp
    for j in range(current.start, current.start + current.n):
        answer = answers[members[j]]
        if work.stamps[answer] == stamp:
            return False
        work.stamps[answer] = stamp
    return True


@kernel
def bound_by_members(table: AnswerTable, work: TableWorkspace, current: TableSet) -> tuple[Int, bool]:
    """Return (lower bound of the cost of a set, True if it is the cost), from its weights and separating members."""
    members, weight, n = work.members, table.weight, current.n
    if n == 0:
        return np.int64(0), True
    heaviest, lightest = weight[members[current.start]], weight[members[current.start + n - 1]]
    least = 2 * current.whole - heaviest
    if n <= 2:
        return least, True
    if n > table.answer_count:
        for i in range(current.start + table.answer_count, current.start + n):
            least += weight[members[i]]
        return least, False
    for i in range(current.start, current.start + n):
        beyond = heaviest - weight[members[i]]
        if beyond >= lightest:
            break
        if _separates(table, work, current, i):
            return least + beyond, True
    return least + lightest, n == 3 and work.state[0].guess_limit - current.depth >= 3


@kernel
def has_masks(table: AnswerTable, current: TableSet) -> bool:
    """Return True if the bits of one machine word are enough for the members of a set, and for all answers."""
    return bool(current.n <= WORD and table.answer_count <= WORD)


@kernel
def write_near(table: AnswerTable, work: TableWorkspace, current: TableSet) -> None:
    """Prepare `raise_bound` at a small set: write the weights of the members and the answers between them."""
    members, start, n = work.members, current.start, current.n
    for i in range(n):
        s = members[start + i]
        work.each[i] = table.weight[s]
        answers, near = table.between[s], work.near[i]
        for j in range(n):
            near[j] = answers[members[start + j]]


@kernel
def _separates_cell(work: TableWorkspace, cell: np.uint64, i: np.uint64) -> bool:
    """Return True if member `i` of a set separates a cell, given as a bit mask of members."""
    near, met, left, n = work.near, ZERO, cell, ZERO
    while left != ZERO:
        met |= ONE << np.uint64(near[i, lowest(left)])
        left &= left - ONE
        n += ONE
    return bool(popcount(met) == n)


@kernel
def _excess(work: TableWorkspace, answer_count: Int, cell: np.uint64) -> Int:
    """Return a lower bound of the excess of a cell, given as a bit mask of at least three members."""
    each, left, n = work.each, cell & (cell - ONE), popcount(cell)
    if n > np.uint64(answer_count):
        beyond, met = np.int64(0), 1
        while left != ZERO:
            if met >= answer_count:
                beyond += each[lowest(left)]
            left &= left - ONE
            met += 1
        return beyond
    last = cell
    while last & (last - ONE) != ZERO:
        last &= last - ONE
    heaviest, lightest = each[lowest(cell)], each[lowest(last)]
    left = cell
    while left != ZERO:
        i = lowest(left)
        left &= left - ONE
        beyond = heaviest - each[i]
        if beyond >= lightest:
            break
        if _separates_cell(work, cell, i):
            return beyond
    return lightest


@kernel
def raise_bound(table: AnswerTable, work: TableWorkspace, current: TableSet, guess: Int, bound: Int, best: Int) -> Int:
    """Return the bound of a guess at a small set, raised by lower bounds of the excess of its cells.

    `bound` is the bound to raise. No more is added once it reaches `best`. `find_rows` and `write_near` must have
    prepared the set.
    """
    cell, answers, answer_count = work.cell, table.answers, table.answer_count
    for r in range(answer_count):
        cell[r] = ZERO
    for i in range(np.uint64(current.n)):
        cell[answers[np.uint64(work.row[i] + guess)]] |= ONE << i
    for r in range(answer_count - 1):
        if bound >= best:
            break
        if popcount(cell[r]) > np.uint64(2):
            bound += _excess(work, answer_count, cell[r])
    return bound


@kernel
def child_window(part: Int, whole: Int, spare: Int) -> Int:
    """Return the window for a cell above its lower bound: its part of `spare`, in proportion to weight.

    `part` is the weight of the cell, and `whole` is that of all open cells. `spare` is the difference between the limit
    of the guess and its bound. The window is at least 1.
    """
    return 1 + np.int64(np.float64(spare) * part / whole)
