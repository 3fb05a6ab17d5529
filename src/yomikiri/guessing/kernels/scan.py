"""Scans: the savings of all guesses at a candidate set. `answer_table` defines a saving.

The *saving* of a guess is the sum, over its cells, of the weight of the heaviest secret. At best, the second guess
finds these secrets, so that they need no third guess. Suppose that every secret takes three guesses. Compared with that
cost, a guess saves at most its saving times the cost of the third guess.

A guess that is a member of the set can win. Then the second guess is not needed for this secret, either. The cost of
that second guess is the *bonus*. It is no part of the saving.

There are three ways to find which answers occur, and the heaviest secret with each of them:

- By *answer bits*, for up to 32 answers: the answer of a secret is one bit of a 16-bit word. One loop processes a block
  of guesses. Sums of weights have 16 bits, too, so weights are rounded up to multiples of a *unit*, a power of two.
- By vectors, for more answers if all weights are equal: the answer of a secret is one bit of a vector. One loop
  processes four guesses. The saving is the number of answers times the weight.
- By stamps, for all other games: each answer is stamped when it is met. One loop processes four guesses.

A saving is an upper bound, so rounding up keeps it valid.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.answer_table import BLOCK, AnswerTable, TableSet, TableWorkspace
from yomikiri.guessing.kernels.cell_bounds import add_crowded, has_crowded, has_masks, raise_bound, write_near
from yomikiri.guessing.kernels.limits import NEVER, disallow
from yomikiri.guessing.kernels.steps import step_of, three_guesses
from yomikiri.machine.bits import ONE, ZERO, Int, popcount
from yomikiri.machine.kernel import kernel
from yomikiri.machine.shared_words import must_stop
from yomikiri.machine.vectors import LANES, blank, load, ones

# At a small candidate set, `_least_of_raised` raises the bounds of at most this many guesses, by the excess of their
# cells (see `cell_bounds`).
_RAISED = 8
# At a large candidate set, `_least_of_raised` raises the bounds of at most this many guesses, by the excess of cells
# with more secrets than answers.
_RAISED_BY_CROWDED = 100
_BETWEEN = 512  # number of guesses that are scanned between two checks for a request to stop
_WORDS = np.int64(1 << 16)  # sums below this fit into 16 bits
_NOTHING = np.uint16(0)


@kernel
def find_rows(table: AnswerTable, work: TableWorkspace, current: TableSet) -> None:
    """Write to `work.row` the index in `table.answers` at which the answers of each member of a candidate set begin."""
    stride = len(table.answers) // len(table.weight)
    for i in range(current.n):
        work.row[i] = np.int64(work.members[current.start + i]) * stride


@kernel
def has_answer_bits(table: AnswerTable, work: TableWorkspace) -> bool:
    """Return True if the search uses answer bits: for each secret, the answer to a guess as one bit of a word.

    Answer bits are not used if only candidates are allowed, because there are few guesses then.
    """
    return bool(len(table.answer_bits) > 0 and work.state[0].candidates_only == 0)


@kernel
def _unit_of(table: AnswerTable, current: TableSet) -> Int:
    """Return the exponent of the unit in which the savings at a candidate set fit into 16 bits.

    The unit is the smallest such power of two. The *saving* of a guess is the sum over its cells of the weight of the
    heaviest secret. It is at most the weight of the set, plus one unit for each answer, because each weight in the sum
    is rounded up to a multiple of the unit.
    """
    unit = np.int64(0)
    while (current.whole >> unit) + table.answer_count >= _WORDS:
        unit += 1
    return unit


@kernel
def _add_answer_bits(
    table: AnswerTable,
    work: TableWorkspace,
    current: TableSet,
    group: Int,
    begin: np.uint64,
    count: np.uint64,
    unit: Int,
) -> None:
    """Add to `work.sums`, for each guess of a block, the weights of the heaviest secrets of some of its cells.

    These are the cells whose answers are in the group `group`, which has ANSWER_BITS answers. The block consists of
    `count` guesses from index `begin` on. Weights are rounded up to multiples of the unit; `unit` is the exponent of
    the unit. Secrets are in order of weight, so the heaviest secret of a cell is the first. If all weights are equal,
    the number of these cells is multiplied by the weight. Indices are unsigned, so that no test for negative ones is
    compiled.
    """
    met, sums, members, last = work.met, work.sums, work.members, current.start + current.n - 1
    less = (np.int64(1) << unit) - 1
    heaviest = np.uint16((table.weight[members[current.start]] + less) >> unit)
    for k in range(count):
        met[k] = _NOTHING
    if table.weight[members[current.start]] == table.weight[members[last]]:
        for i in range(current.start, last + 1):
            answer_bits = table.answer_bits[group, members[i]]
            for k in range(count):
                met[k] |= answer_bits[begin + k]
        for k in range(count):
            sums[k] += heaviest * np.uint16(popcount(np.uint64(met[k])))
        return
    for i in range(current.start, last + 1):
        answer_bits, own = table.answer_bits[group, members[i]], np.uint16((table.weight[members[i]] + less) >> unit)
        for k in range(count):
            bit = answer_bits[begin + k]
            sums[k] += own if met[k] & bit != bit else _NOTHING
            met[k] |= bit


@kernel
def _measure_block(table: AnswerTable, work: TableWorkspace, current: TableSet, begin: np.uint64, unit: Int) -> None:
    """Write to `work.sums` the savings of a block of guesses.

    The block begins with guess `begin`. The *saving* of a guess is the sum over its cells of the weight of the heaviest
    secret, here in units. `unit` is the exponent of the unit: the unit is 2 to the power `unit`.
    """
    count = min(np.uint64(BLOCK), np.uint64(table.answer_bits.shape[2]) - begin)
    for k in range(count):
        work.sums[k] = _NOTHING
    for group in range(len(table.answer_bits)):
        _add_answer_bits(table, work, current, group, begin, count, unit)


@kernel
def _stamp_answers(
    table: AnswerTable, work: TableWorkspace, current: TableSet, g0: Int, g1: Int, g2: Int, g3: Int
) -> tuple[Int, Int, Int, Int]:
    """Return, for each of four guesses, the sum over its cells of the weight of the heaviest secret.

    No branch depends on the answers, because the processor could not predict it.
    """
    work.state[0].stamp += 1
    stamp, stamps, answers = work.state[0].stamp, work.stamps, table.answers
    a, b, c, d, none = np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for i in range(current.n):
        at, weight = work.row[i], table.weight[work.members[current.start + i]]
        r0, r1 = 4 * np.int64(answers[at + g0]), 4 * np.int64(answers[at + g1]) + 1
        r2, r3 = 4 * np.int64(answers[at + g2]) + 2, 4 * np.int64(answers[at + g3]) + 3
        a += weight if stamps[r0] != stamp else none
        b += weight if stamps[r1] != stamp else none
        c += weight if stamps[r2] != stamp else none
        d += weight if stamps[r3] != stamp else none
        stamps[r0] = stamps[r1] = stamps[r2] = stamps[r3] = stamp
    return a, b, c, d


@kernel
def _measure(
    table: AnswerTable, work: TableWorkspace, current: TableSet, g0: Int, g1: Int, g2: Int, g3: Int
) -> tuple[Int, Int, Int, Int]:
    """Return the savings of four guesses at a candidate set.

    The *saving* of a guess is the sum over its cells of the weight of the heaviest secret.
    """
    if len(table.bits) == 0:
        return _stamp_answers(table, work, current, g0, g1, g2, g3)
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
    """Write to `work.bonus`, for each guess that is a member of the candidate set, its weight times `factor`.

    This is the bonus of a win if `factor` is the cost of the second guess at the set per unit of weight. A win saves
    the second and the third guess for the secret, and the saving of a guess contains only the third. Any positive
    factor marks the members, and 0 clears the bonus.
    """
    for i in range(current.start, current.start + current.n):
        s = work.members[i]
        work.bonus[table.own[s]] = factor * table.weight[s]


@kernel
def _write_limits(table: AnswerTable, work: TableWorkspace, current: TableSet) -> None:
    """Write an upper limit of the saving of each guess at a candidate set to `work.limit`.

    The *saving* of a guess is the sum over its cells of the weight of the heaviest secret. It is at most the saving at
    any set that contains this one. The limit is the least saving known for such a set. Such sets are the parent of the
    set and, at depths 0 and 1, the *classes* that contain it: sets of secrets whose savings were computed before the
    search. In hard mode, the limit of a guess that is not allowed is NEVER.
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
def _is_tried(work: TableWorkspace, limit: NDArray[np.int64], k: Int, third: Int, wanted: Int) -> bool:
    """Return True if a guess is allowed and may save more than `wanted`, compared with three guesses for every secret.

    `limit` contains, for each guess, an upper limit of the sum over its cells of the weight of the heaviest secret. For
    these secrets, the third guess may be saved. `third` is its cost per unit of weight. A guess that can win saves its
    bonus as well: the cost of the second guess for this secret.
    """
    bonus = work.bonus[k]
    return bool(third * limit[k] + bonus > wanted and (bonus > 0 or work.state[0].candidates_only == 0))


@kernel
def _highest_limit(work: TableWorkspace, begin: np.uint64, end: np.uint64, third: Int) -> Int:
    """Return an upper limit of the cost that any of the guesses from `begin` to `end - 1` saves.

    Compare a guess with three guesses for every secret. It saves at most its *saving* times `third`, the cost of the
    third guess per unit of weight, plus its *bonus*. The saving is the sum over its cells of the weight of the heaviest
    secret. The bonus is 0 unless the guess can win. Then it is the cost of the second guess for this secret.
    """
    limit, bonus, most = work.limit, work.bonus, np.int64(NEVER)
    for k in range(begin, end):
        most = max(most, third * limit[k] + bonus[k])
    return most


@kernel
def _end_of(work: TableWorkspace, begin: np.uint64) -> np.uint64:
    """Return the end of the block that begins with guess `begin`: the index after its last guess."""
    return min(begin + np.uint64(BLOCK), np.uint64(len(work.limit)))


@kernel
def _scan_blocks(table: AnswerTable, work: TableWorkspace, current: TableSet, wanted: Int) -> None:
    """Compute the savings of the guesses at a candidate set, one block of guesses after another.

    The arguments are those of `scan`. The answers are given as answer bits: bits of 16-bit words.
    """
    limit, saving, sums = work.limit, work.saving[current.depth + 1], work.sums
    unit, begin, third = _unit_of(table, current), ZERO, step_of(table, current.depth + 2)
    while begin < np.uint64(len(limit)) and not must_stop(work.shared):
        end = _end_of(work, begin)
        if _highest_limit(work, begin, end, third) > wanted:
            _measure_block(table, work, current, begin, unit)
            for k in range(begin, end):
                saving[k] = min(limit[k], np.int64(sums[k - begin]) << unit)
        else:
            for k in range(begin, end):
                saving[k] = limit[k]
        begin = end


@kernel
def _most_by_blocks(table: AnswerTable, work: TableWorkspace, current: TableSet, most: Int) -> Int:
    """Return an upper limit of the cost that any allowed guess at a candidate set saves, but at least `most`.

    Suppose that every secret takes three guesses. Compared with that cost, a guess saves at most its *saving* times the
    cost of the third guess, plus its *bonus*. This sum is the limit of the guess, and the function returns the greatest
    limit of any guess. Guesses whose limit cannot exceed `most` are not scanned.

    The saving is the sum over the cells of the guess of the weight of the heaviest secret. The bonus is 0 unless the
    guess can win. Then it is the cost of the second guess for this secret.
    """
    limit, bonus, sums = work.limit, work.bonus, work.sums
    unit, begin, third = _unit_of(table, current), ZERO, step_of(table, current.depth + 2)
    while begin < np.uint64(len(limit)) and not must_stop(work.shared):
        end = _end_of(work, begin)
        if _highest_limit(work, begin, end, third) > most:
            _measure_block(table, work, current, begin, unit)
            for k in range(begin, end):
                most = max(most, third * min(limit[k], np.int64(sums[k - begin]) << unit) + bonus[k])
        begin = end
    return most


@kernel
def scan(table: AnswerTable, work: TableWorkspace, current: TableSet, wanted: Int, exact: bool) -> None:
    """Write the saving of each guess at a candidate set to row `depth + 1` of `work.saving`.

    The *saving* of a guess is the sum over its cells of the weight of the heaviest secret. For these secrets, the third
    guess may be saved. A guess that can win saves its *bonus* as well: the cost of the second guess for this secret.
    The row does not contain the bonus.

    The saving is computed only for guesses that may save a cost of more than `wanted`, with the bonus. For the other
    guesses, the row contains an upper limit. If `exact` is True, the savings are computed from exact weights.
    Otherwise, the weights may be rounded up first, so that the savings are upper bounds. `mark_members` must have been
    called for the candidate set. If the search is `stopped`, the numbers have no meaning.
    """
    find_rows(table, work, current)
    _write_limits(table, work, current)
    if has_answer_bits(table, work) and not exact:
        _scan_blocks(table, work, current, wanted)
        return
    limit, saving, tried = work.limit, work.saving[current.depth + 1], work.guess[current.depth]
    count, third = 0, step_of(table, current.depth + 2)
    for k in range(len(limit)):
        saving[k] = limit[k]
        if _is_tried(work, limit, k, third, wanted):
            tried[count] = k
            count += 1
    last = count - 1
    for i in range(0, count, 4):
        if i % _BETWEEN == 0 and must_stop(work.shared):
            return
        g0, g1, g2, g3 = tried[i], tried[min(i + 1, last)], tried[min(i + 2, last)], tried[min(i + 3, last)]
        saving[g0], saving[g1], saving[g2], saving[g3] = _measure(table, work, current, g0, g1, g2, g3)


@kernel
def _least_of_raised(table: AnswerTable, work: TableWorkspace, current: TableSet, below: Int, is_small: bool) -> Int:
    """Return a lower bound of the cost of a candidate set, which may be higher than one by a scan alone.

    The result is the least bound of any guess. The bounds of some guesses are raised by the *excess* of their cells:
    the cost of a cell beyond that of finding its heaviest secret at the first guess and all others at the second. If
    the candidate set is not small, only crowded cells (with more secrets than answers) raise bounds.

    Each round raises the bound of the guess with the least bound among those not yet raised. The rounds end when the
    least bound of all guesses is a raised one, when it reaches `below`, or after a limited number of rounds. The caller
    needs no bound above `below`.
    """
    if is_small:
        write_near(table, work, current)
    third, base = step_of(table, current.depth + 2), three_guesses(table, current.depth) * current.whole
    _scan_blocks(table, work, current, base - below)
    saving, bonus, least = work.saving[current.depth + 1], work.bonus, np.int64(IMPOSSIBLE)
    for _ in range(_RAISED if is_small else _RAISED_BY_CROWDED):
        if must_stop(work.shared):
            return least
        most = base - least
        for k in range(len(saving)):
            most = max(most, third * saving[k] + bonus[k])
        if base - most >= min(least, below):
            return base - most
        guess = 0
        while third * saving[guess] + bonus[guess] != most:
            guess += 1
        if is_small:
            bound = raise_bound(table, work, current, guess, base - most, below)
        else:
            bound = add_crowded(table, work, current, guess, base - most)
        least = min(least, bound)
        saving[guess] = -current.whole
    for k in range(len(saving)):
        least = min(least, base - third * saving[k] - bonus[k])
    return least


@kernel
def least_bound(table: AnswerTable, work: TableWorkspace, current: TableSet, below: Int) -> Int:
    """Return a lower bound of the cost of a candidate set: the least bound of any guess, without searching its cells.

    The caller needs no bound above `below`. So the scan skips guesses whose bound cannot be less than `below` or than
    the least bound so far. If the search is `stopped`, the number has no meaning.
    """
    find_rows(table, work, current)
    next, third = step_of(table, current.depth + 1), step_of(table, current.depth + 2)
    mark_members(table, work, current, next)
    _write_limits(table, work, current)
    limit, members, base = work.limit, work.members, three_guesses(table, current.depth) * current.whole
    most = base - below
    if has_answer_bits(table, work):
        is_small = has_masks(table, current)
        if (current.depth == 1 and current.n > table.answer_count) if is_small else has_crowded(table, current):
            least = _least_of_raised(table, work, current, below, is_small)
        else:
            least = base - _most_by_blocks(table, work, current, most)
        mark_members(table, work, current, 0)
        return least
    last = current.start + current.n - 1
    for i in range(current.start, last + 1, 4):
        s0, s1, s2, s3 = members[i], members[min(i + 1, last)], members[min(i + 2, last)], members[min(i + 3, last)]
        g0, g1, g2, g3 = table.own[s0], table.own[s1], table.own[s2], table.own[s3]
        a, b, c, d = _measure(table, work, current, g0, g1, g2, g3)
        most = max(most, max(third * a + work.bonus[g0], third * b + work.bonus[g1]))
        most = max(most, max(third * c + work.bonus[g2], third * d + work.bonus[g3]))
    mark_members(table, work, current, 0)
    k, polled, count = 0, 0, len(limit) if work.state[0].candidates_only == 0 else 0
    while True:
        g0, g1, g2, g3, filled = np.int64(0), np.int64(0), np.int64(0), np.int64(0), 0
        while k < count and filled < 4:
            if third * limit[k] > most:
                g0, g1, g2, g3 = g1, g2, g3, np.int64(k)
                filled += 1
            k += 1
        if filled == 0:
            return base - most
        if k - polled >= _BETWEEN:
            polled = k
            if must_stop(work.shared):
                return np.int64(0)
        a, b, c, d = _measure(table, work, current, g0, g1, g2, g3)
        most = max(most, third * d)
        if filled > 1:
            most = max(most, third * c)
        if filled > 2:
            most = max(most, third * b)
        if filled > 3:
            most = max(most, third * a)
