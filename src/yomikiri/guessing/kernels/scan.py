"""Scans: the savings of all guesses at a set. `answer_table` defines a saving.

For equal weights the saving is the number of different answers, and one more for a win. The answers of a guess are
collected as bits of a vector, for four guesses at a time. For other weights, or very many answers, they are stamped one
by one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.kernels.answer_table import AnswerTable, TableSet, TableWorkspace
from yomikiri.guessing.kernels.limits import disallow
from yomikiri.machine.bits import ONE, ZERO, Int
from yomikiri.machine.kernel import kernel
from yomikiri.machine.shared_words import must_stop
from yomikiri.machine.vectors import LANES, blank, load, ones

_BETWEEN = 512  # number of guesses that are scanned between two tests of the stop word


@kernel
def find_rows(table: AnswerTable, work: TableWorkspace, current: TableSet) -> None:
    """Write to `work.row` the index in `table.answers` at which the answers of each member of a set begin."""
    stride = len(table.answers) // len(table.weight)
    for i in range(current.n):
        work.row[i] = np.int64(work.members[current.start + i]) * stride


@kernel
def _heaviest_of_answers(table: AnswerTable, work: TableWorkspace, current: TableSet, guess: Int) -> Int:
    """Return the sum, over all answers to a guess, of the weight of the heaviest member with this answer.

    Secrets are in order of weight, so the heaviest secret with an answer is the first one.
    """
    work.state[0].stamp += 1
    stamp, stamps, answers = work.state[0].stamp, work.stamps, table.answers
    total = np.int64(0)
    for i in range(current.n):
        answer = answers[work.row[i] + guess]
        if stamps[answer] != stamp:
            stamps[answer] = stamp
            total += table.weight[work.members[current.start + i]]
    return total


@kernel
def _measure(
    table: AnswerTable, work: TableWorkspace, current: TableSet, g0: Int, g1: Int, g2: Int, g3: Int
) -> tuple[Int, Int, Int, Int]:
    """Return what four guesses save of three guesses for every secret (upper bounds), without the bonus of a win."""
    if len(table.bits) == 0:
        return (
            _heaviest_of_answers(table, work, current, g0),
            _heaviest_of_answers(table, work, current, g1),
            _heaviest_of_answers(table, work, current, g2),
            _heaviest_of_answers(table, work, current, g3),
        )
    answers, bits, row = table.answers, table.bits, work.row
    a, b, c, d = blank(), blank(), blank(), blank()
    for i in range(current.n):
        at = row[i]
        a = a | load(bits, LANES * int(answers[at + g0]))
        b = b | load(bits, LANES * int(answers[at + g1]))
        c = c | load(bits, LANES * int(answers[at + g2]))
        d = d | load(bits, LANES * int(answers[at + g3]))
    each = table.weight[0]  # all secrets have this weight
    return each * ones(a), each * ones(b), each * ones(c), each * ones(d)


@kernel
def mark_members(table: AnswerTable, work: TableWorkspace, current: TableSet, factor: Int) -> None:
    """Write the bonus of each guess that names a member: its weight times `factor`, 1 to set it and 0 to clear it."""
    for i in range(current.start, current.start + current.n):
        s = work.members[i]
        work.bonus[table.own[s]] = factor * table.weight[s]


@kernel
def _write_limits(table: AnswerTable, work: TableWorkspace, current: TableSet) -> None:
    """Write upper limits of the savings at a set: the savings at its parent, and at classes that contain the set.

    In hard mode, the limit of a guess that is not allowed is NEVER.
    """
    above, limit = work.saving[current.depth], work.limit
    for k in range(len(limit)):
        limit[k] = above[k]
    if len(table.symbols) > 0 and current.depth > 0:
        disallow(table.symbols, work.tried[current.depth - 1], table.own[work.members[current.start]], limit)
    if current.depth > 1:
        return
    for c in range(len(table.class_members)):
        inside = True
        for i in range(current.start, current.start + current.n):
            s = np.uint64(work.members[i])
            if table.class_members[c, s >> np.uint64(6)] >> (s & np.uint64(63)) & ONE == ZERO:
                inside = False
                break
        if inside:
            saving = table.class_saving[c]
            for k in range(len(limit)):
                limit[k] = min(limit[k], saving[k])


@kernel
def _is_tried(work: TableWorkspace, limit: NDArray[np.int64], k: Int, wanted: Int) -> bool:
    """Return True if a guess is allowed and may save more than `wanted`."""
    bonus = work.bonus[k]
    return bool(limit[k] + bonus > wanted and (bonus > 0 or work.state[0].candidates_only == 0))


@kernel
def scan(table: AnswerTable, work: TableWorkspace, current: TableSet, wanted: Int) -> Int:
    """Write the saving of each guess at a set to row `depth + 1` of `work.saving`, without the bonus of a win.

    `answer_table` defines savings. Only guesses that may save more than `wanted` are tried; for others the row
    contains an upper limit. Returns the number of guesses that were tried, which are listed in `work.guess[depth]`.
    `mark_members` must have marked the set. If the search is `stopped`, the numbers mean nothing.
    """
    find_rows(table, work, current)
    _write_limits(table, work, current)
    limit, saving, tried = work.limit, work.saving[current.depth + 1], work.guess[current.depth]
    count = 0
    for k in range(len(limit)):
        saving[k] = limit[k]
        if _is_tried(work, limit, k, wanted):
            tried[count] = k
            count += 1
    last = count - 1
    for i in range(0, count, 4):
        if i % _BETWEEN == 0 and must_stop(work.shared):
            return 0
        g0, g1, g2, g3 = tried[i], tried[min(i + 1, last)], tried[min(i + 2, last)], tried[min(i + 3, last)]
        saving[g0], saving[g1], saving[g2], saving[g3] = _measure(table, work, current, g0, g1, g2, g3)
    return count


@kernel
def least_bound(table: AnswerTable, work: TableWorkspace, current: TableSet, below: Int) -> Int:
    """Return a lower bound of the cost of a set: the least bound of any guess, without searching its cells.

    The scan ends as soon as the bound is at most `below`, because a smaller one would not help.

    If the search is `stopped`, the number means nothing.
    """
    find_rows(table, work, current)
    mark_members(table, work, current, 1)
    _write_limits(table, work, current)
    limit, members = work.limit, work.members
    most = 3 * current.whole - below
    last = current.start + current.n - 1
    for i in range(current.start, last + 1, 4):
        s0, s1, s2, s3 = members[i], members[min(i + 1, last)], members[min(i + 2, last)], members[min(i + 3, last)]
        g0, g1, g2, g3 = table.own[s0], table.own[s1], table.own[s2], table.own[s3]
        a, b, c, d = _measure(table, work, current, g0, g1, g2, g3)
        most = max(most, max(a + work.bonus[g0], b + work.bonus[g1]))
        most = max(most, max(c + work.bonus[g2], d + work.bonus[g3]))
    mark_members(table, work, current, 0)
    k, polled, count = 0, 0, len(limit) if work.state[0].candidates_only == 0 else 0
    while True:
        g0, g1, g2, g3, filled = np.int64(0), np.int64(0), np.int64(0), np.int64(0), 0
        while k < count and filled < 4:
            if limit[k] > most:
                g0, g1, g2, g3 = g1, g2, g3, np.int64(k)
                filled += 1
            k += 1
        if filled == 0:
            return 3 * current.whole - most
        if k - polled >= _BETWEEN:
            polled = k
            if must_stop(work.shared):
                return np.int64(0)
        a, b, c, d = _measure(table, work, current, g0, g1, g2, g3)
        most = max(most, d)
        if filled > 1:
            most = max(most, c)
        if filled > 2:
            most = max(most, b)
        if filled > 3:
            most = max(most, a)
