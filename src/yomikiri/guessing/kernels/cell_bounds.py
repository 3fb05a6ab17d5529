"""Lower bounds of the costs of cells, from the weights of their secrets and from separating members.

A member *separates* a candidate set if, with this member as the guess, no two members give the same answer. Let W be
the weight of a set, and h that of its heaviest secret. If the heaviest secret is found at the first guess, and all
others at the second, the set costs 2 W - h. The *excess* of the set is its cost beyond that.
docs/theory/table-search.md has the proofs.

A *small* set has at most WORD secrets. Its cells are bit masks: bit i stands for member i of the set, so the lowest bit
of a cell is its heaviest secret.
"""

from __future__ import annotations

import numpy as np

from yomikiri.guessing.kernels.answer_table import WORD, AnswerTable, TableSet, TableWorkspace
from yomikiri.guessing.kernels.steps import is_last, least_of_set, step_of
from yomikiri.machine.bits import ONE, ZERO, Int, lowest, popcount
from yomikiri.machine.kernel import kernel


@kernel
def _has_third(work: TableWorkspace, current: TableSet) -> bool:
    """Return True if the limit on the number of guesses allows at least three more guesses at a candidate set."""
    return bool(work.state[0].guess_limit - current.depth >= 3)


@kernel
def _weigh_late(table: AnswerTable, work: TableWorkspace, current: TableSet, i: Int) -> tuple[Int, bool, bool]:
    """Return the weight of the secrets of a set that need a third guess, if member `i` is the first guess.

    After the first guess, the heaviest secret of each cell is found at the second guess, and all others need a third.
    The result is (the weight of these others, True if some cell has two secrets, True if some cell has three or more).
    """
    members, answers = work.members, table.between[work.members[i]]
    met, twice, late, crowded = ZERO, ZERO, np.int64(0), ZERO
    for j in range(np.uint64(current.start), np.uint64(current.start + current.n)):
        s = np.uint64(members[j])
        bit = ONE << np.uint64(answers[s])
        late += table.weight[s] if met & bit != ZERO else np.int64(0)
        crowded |= twice & bit
        twice |= met & bit
        met |= bit
    return late, twice != ZERO, crowded != ZERO


@kernel
def _separates(table: AnswerTable, work: TableWorkspace, current: TableSet, i: Int) -> bool:
    """Return True if member `i`, used as a guess, separates a candidate set: no two members give the same answer."""
    members, answers = work.members, table.between[work.members[i]]
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
    """Return (lower bound of the cost of a candidate set, True if it is the cost).

    The bound follows from the weights of the members, and from a test of members as first guesses. A member *separates*
    the set if no two members give the same answer to it. The cost is least if the heaviest member separates the set.
    """
    members, weight, n = work.members, table.weight, current.n
    if n == 0:
        return np.int64(0), True
    heaviest, lightest = weight[members[current.start]], weight[members[current.start + n - 1]]
    least = least_of_set(table, current.depth, current.whole, heaviest)
    if n <= 2 or is_last(table, current.depth):
        return least, True
    next, third = step_of(table, current.depth + 1), step_of(table, current.depth + 2)
    if n > table.answer_count:
        for i in range(current.start + table.answer_count, current.start + n):
            least += third * weight[members[i]]
        return least, False
    if table.answer_count <= WORD:
        return _bound_by_each(table, work, current)
    for i in range(current.start, current.start + n):
        beyond = next * (heaviest - weight[members[i]])
        if beyond >= third * lightest:
            break
        if _separates(table, work, current, i):
            return least + beyond, True
    attained = n == 3 and next * heaviest >= third * lightest and _has_third(work, current)
    return least + min(third * lightest, next * heaviest), attained


@kernel
def _bound_by_each(table: AnswerTable, work: TableWorkspace, current: TableSet) -> tuple[Int, bool]:
    """Return the result of `bound_by_members` for a set of three or more secrets.

    The set has at most as many secrets as there are answers. Members are tried as the first guess, the heaviest first,
    until no lighter member can be better. The lower bound for a member is its exact cost if each of its cells has at
    most two secrets, and if enough guesses are left for them. The result is the least of these bounds and of a bound
    for the guesses outside the set.
    """
    least, exact = least_of_set(table, current.depth, current.whole, 0), False
    next, third = step_of(table, current.depth + 1), step_of(table, current.depth + 2)
    outside, has_third = least, _has_third(work, current)
    for i in range(current.start, current.start + current.n):
        found = outside - next * table.weight[work.members[i]]
        if found >= least:
            break
        late, twice, crowded = _weigh_late(table, work, current, i)
        attained = not crowded and (has_third or not twice)
        found += third * late
        if found < least or (found == least and attained):
            least, exact = found, attained
    return least, exact


@kernel
def has_masks(table: AnswerTable, current: TableSet) -> bool:
    """Return True if a bit mask of the members of a candidate set fits into one machine word.

    A bit mask of the answers must fit into a word of its own, too.
    """
    return bool(current.n <= WORD and table.answer_count <= WORD)


@kernel
def write_near(table: AnswerTable, work: TableWorkspace, current: TableSet) -> None:
    """Prepare `raise_bound` at a small candidate set: write the weights of the members and the answers between them."""
    members, start, n = work.members, current.start, current.n
    for i in range(n):
        s = members[start + i]
        work.each[i] = table.weight[s]
        answers, near = table.between[s], work.near[i]
        for j in range(n):
            near[j] = answers[members[start + j]]


@kernel
def _late_weight(work: TableWorkspace, cell: np.uint64, i: np.uint64) -> Int:
    """Return the weight of the secrets of a cell that need a third guess, if member `i` is the first guess.

    It is defined as in `_weigh_late`. `cell` is a bit mask of members.
    """
    near, met, left, late = work.near, ZERO, cell, np.int64(0)
    while left != ZERO:
        j = lowest(left)
        bit = ONE << np.uint64(near[i, j])
        late += work.each[j] if met & bit != ZERO else np.int64(0)
        met |= bit
        left &= left - ONE
    return late


@kernel
def _excess(work: TableWorkspace, answer_count: Int, cell: np.uint64, next: Int, third: Int) -> Int:
    """Return a lower bound of the excess of a cell, given as a bit mask of at least three members.

    The *excess* is the cost beyond that of finding the heaviest secret at the first guess and all others at the second.
    `next` and `third` are the costs, per unit of weight, of the second and the third guess at the cell.
    """
    each, left, n = work.each, cell & (cell - ONE), popcount(cell)
    if n > np.uint64(answer_count):
        beyond, met = np.int64(0), 1
        while left != ZERO:
            if met >= answer_count:
                beyond += each[lowest(left)]
            left &= left - ONE
            met += 1
        return third * beyond
    heaviest, left = each[lowest(cell)], cell
    least = next * heaviest
    while left != ZERO:
        i = lowest(left)
        left &= left - ONE
        beyond = next * (heaviest - each[i])
        if beyond >= least:
            break
        least = min(least, beyond + third * _late_weight(work, cell, i))
    return least


@kernel
def raise_bound(table: AnswerTable, work: TableWorkspace, current: TableSet, guess: Int, bound: Int, best: Int) -> Int:
    """Return the lower bound of a guess at a small candidate set, raised by the *excess* of its cells.

    The excess of a cell is its cost beyond that of finding its heaviest secret at the first guess and all others at the
    second. `bound` is the bound to raise. No more is added once it reaches `best`. `find_rows` and `write_near` must
    have prepared the set.
    """
    cell, answers, answer_count = work.cell, table.answers, table.answer_count
    next, third = step_of(table, current.depth + 2), step_of(table, current.depth + 3)
    for r in range(answer_count):
        cell[r] = ZERO
    for i in range(np.uint64(current.n)):
        cell[answers[np.uint64(work.row[i] + guess)]] |= ONE << i
    for r in range(answer_count - 1):
        if bound >= best:
            break
        if popcount(cell[r]) > np.uint64(2):
            bound += _excess(work, answer_count, cell[r], next, third)
    return bound


@kernel
def has_crowded(table: AnswerTable, current: TableSet) -> bool:
    """Return True if a candidate set is so large that some cells of a guess are probably *crowded*.

    A crowded cell has more secrets than there are answers.
    """
    return bool(current.n > 2 * table.answer_count)


@kernel
def add_crowded(table: AnswerTable, work: TableWorkspace, current: TableSet, guess: Int, bound: Int) -> Int:
    """Return the lower bound of a guess, raised by the excess of its *crowded* cells.

    A crowded cell has more secrets than there are answers. Its *excess* is its cost beyond that of finding its heaviest
    secret at the first guess and all others at the second. `bound` is the bound to raise. `find_rows` must have
    prepared the candidate set.
    """
    size, answers, answer_count = work.size[current.depth], table.answers, table.answer_count
    third = step_of(table, current.depth + 3)
    for r in range(answer_count):
        size[r] = 0
    for i in range(np.uint64(current.n)):
        r = answers[np.uint64(work.row[i] + guess)]
        if size[r] >= answer_count:
            bound += third * table.weight[work.members[current.start + i]]
        size[r] += 1
    return bound


@kernel
def child_window(part: Int, whole: Int, spare: Int) -> Int:
    """Return the window of a cell: how far above the lower bound of its cost the cell is searched at first.

    The windows of the cells whose cost is unknown share `spare` in proportion to the weights of these cells. `spare` is
    the limit of the cost of the guess minus the lower bound of this cost. `part` is the weight of the cell, and `whole`
    is the weight of all cells whose cost is unknown. The window is at least 1.
    """
    return 1 + np.int64(np.float64(spare) * part / whole)
