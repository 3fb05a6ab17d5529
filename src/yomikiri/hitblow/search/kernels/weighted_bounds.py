"""Bounds of the weighted search: lower bounds of the cost of sets of codes, and of each guess at them.

`weighted_workspace` defines weights and steps. Let a set have n codes with the total weight W. Let w1 be the weight of
its heaviest code and wn that of its lightest, s the number of answer indices, and s0, s1, ... the steps from the next
guess on. docs/theory/hitblow-search.md proves:

    any tree            at least s0 W + s1 (W - w1) + s2 (W - the weight of the s heaviest codes) + ..., because the
                        guesses find at most 1, s - 1, (s - 1)², ... codes
    a guess             s0 W, plus the costs of its cells except the win
    any set, n <= s     at least s0 W + s1 (W - w1) + min(s2 wn, s1 w1), or the number on the next line
    a separable set     at most s0 W + s1 (W - w), where w is the weight of the heaviest separating member
    no step after s1    s0 W + s1 (W - w1), by guessing the heaviest code first

The *saving* of a guess is the part of (s0 + s1 + s2) W, three guesses for every code, that the guess does not cost. The
bound of a guess is that sum less an upper bound of the saving. Arrays call the saving `kept`. A *scan* computes the
savings of all guesses at a set, in 16-bit numbers. The *excess* of a cell is the cost beyond s0 W + s1 (W - w1).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.partition import separating_member
from yomikiri.hitblow.search.kernels.weighted_workspace import WeightedPosition, WeightedSet, WeightedWorkspace, allowed
from yomikiri.machine.bits import ONE, ZERO, Int, lowest, popcount
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import must_stop, stopped

_BETWEEN = 64  # number of codes or guesses processed between two checks whether the search must stop
_BLOCK = 64  # number of guesses in a block; the least bound in each block is cached
_ROUND = np.int64(1 << 16)
_NOTHING = np.uint16(0)
_FINE = np.int64(1 << 13)
_GONE = np.int32(-(1 << 31))


@kernel
def is_last(position: WeightedPosition, depth: Int) -> bool:
    """Return True if no guess after the next one costs anything. Then guessing the heaviest code first is best."""
    return bool(depth + 1 >= position.last)


@kernel
def ideal_cost(position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet, less: Int = 0) -> Int:
    """Return a lower bound of the cost of any tree for a set, from the most codes that can be found at each guess.

    The heaviest codes count as found first. `less` is subtracted from all weights.
    """
    step, depth, end = position.step, current.depth, len(position.step) - 1
    total, price, width, room = np.int64(0), step[depth], np.int64(1), np.int64(1)
    for i in range(current.start, current.start + current.n):
        if room == 0:
            depth = min(depth + 1, end)
            price += step[depth]
            width *= position.table.answer_count - 1
            room = width
        total += price * (position.weight[work.members[i]] - less)
        room -= 1
    return total


@kernel
def bound_by_uniform(position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet, uniform: Int) -> Int:
    """Return a lower bound of the cost of a set from `uniform`, its total with equal weights, if every step is 1.

    Each weight has two parts: that of the lightest code, and the rest. The first parts cost at least the lightest
    weight times the uniform total. The remaining parts cost at least `ideal_cost`.
    """
    least = position.weight[work.members[current.start + current.n - 1]]
    return least * uniform + ideal_cost(position, work, current, least)


@kernel
def bound_by_size(position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet) -> tuple[Int, Int]:
    """Return (lower, upper) bounds of the cost of a set from its weights and the answers between its codes.

    Three codes cost at most as much as guessing the heaviest first and the lightest last.
    """
    weight, members, start, n = position.weight, work.members, current.start, current.n
    now, next, third = position.step[current.depth], position.step[current.depth + 1], position.step[current.depth + 2]
    heaviest, lightest = weight[members[start]], weight[members[start + n - 1]]
    least = now * current.whole + next * (current.whole - heaviest)
    if n <= 2 or is_last(position, current.depth):
        return least, least
    if n > position.table.answer_count:
        return ideal_cost(position, work, current), np.int64(IMPOSSIBLE)
    lower, upper = least + min(third * lightest, next * heaviest), np.int64(IMPOSSIBLE)
    if n == 3:
        upper = least + third * lightest
    found = separating_member(position.table.between, members, start, n)
    if found >= 0:
        upper = min(upper, now * current.whole + next * (current.whole - weight[members[start + found]]))
    return min(lower, upper), upper


class Rounding(NamedTuple):
    """Units of 16-bit sums: weights in units of 2^unit, and the costs of the next three guesses in units of 2^fine."""

    unit: Int
    fine: Int
    hit: Int
    third: Int
    fourth: Int


@kernel
def _rounding(position: WeightedPosition, current: WeightedSet, heaviest: Int) -> Rounding:
    """Choose units in which the bounds of all guesses fit into 16 bits.

    A *step* is the cost of one guess per unit of weight. Steps are rounded to 13 bits. The *saving* of a guess is the
    part of the cost of three guesses for every code that the guess does not cost. Rounding never makes a saving too
    small. Therefore weights and the steps s1 and s2 are rounded up, and s3 is rounded down. All weights together are at
    most W + w1, plus one unit for each code that is counted.
    """
    unit, step = np.int64(0), position.step
    while ((current.whole + heaviest) >> unit) + position.table.answer_count + 2 >= _ROUND:
        unit += 1
    hit, third, fourth = step[current.depth + 1], step[current.depth + 2], step[current.depth + 3]
    fine = np.int64(0)
    while max(hit, third, fourth) >> fine >= _FINE:
        fine += 1
    return Rounding(unit, fine, -(-hit >> fine), -(-third >> fine), fourth >> fine)


@kernel
def _must_stop_at(work: WeightedWorkspace, i: Int) -> bool:
    """Return True if a loop over the codes of a set must stop before code number i. Checks this at every 64th code."""
    return bool(i % _BETWEEN == _BETWEEN - 1 and must_stop(work.shared))


@kernel
def _add_heaviest(
    position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet, lanes: Int, unit: Int
) -> bool:
    """Add the weight of the heaviest code with each answer to `work.first`, for one group of LANES answers.

    Returns False if the search must stop. If all codes weigh the same, counts the cells and multiplies by the weight.
    """
    first, met, members, weight = work.first, work.met, work.members, position.weight
    start, end, less = current.start, current.start + current.n, (np.int64(1) << unit) - 1
    is_uniform = weight[members[start]] == weight[members[end - 1]]
    for g in range(len(met)):
        met[g] = _NOTHING
    for i in range(start, end):
        if _must_stop_at(work, i - start):
            return False
        own, marks = np.uint16((weight[members[i]] + less) >> unit), position.marks[lanes, members[i]]
        if is_uniform:
            for g in range(len(met)):
                met[g] |= marks[g]
            continue
        for g in range(len(first)):
            mark = marks[g]
            first[g] += own if met[g] & mark != mark else _NOTHING
            met[g] |= mark
    heaviest = np.uint16((weight[members[start]] + less) >> unit)
    for g in range(len(first) if is_uniform else 0):
        first[g] += heaviest * np.uint16(popcount(np.uint64(met[g])))
    return True


@kernel
def _add_crowded(
    position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet, lanes: Int, unit: Int
) -> bool:
    """Add the weights of the codes of each cell beyond the s heaviest to `work.again`, for one group of LANES answers.

    Returns False if the search must stop.
    """
    again, members, counts = work.again, work.members, work.counts
    one, two, four, eight, sixteen, full = counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]
    _begin_counts(work, 32 - position.table.answer_count)
    for i in range(current.start, current.start + current.n):
        if _must_stop_at(work, i - current.start):
            return False
        own, marks = np.uint16(position.weight[members[i]] >> unit), position.marks[lanes, members[i]]
        for g in range(len(again)):
            mark = marks[g]
            again[g] += own if full[g] & mark != _NOTHING else _NOTHING
            carry = one[g] & mark
            one[g] ^= mark
            next = two[g] & carry
            two[g] ^= carry
            carry = four[g] & next
            four[g] ^= next
            next = eight[g] & carry
            eight[g] ^= carry
            full[g] |= sixteen[g] & next
            sixteen[g] ^= next
    return True


@kernel
def _combine(
    position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet, row: Int, rounding: Rounding
) -> None:
    """Compute for each guess an upper bound of its saving: the cost of three guesses for every code, less its own cost.

    Writes the bounds to `work.kept`, and `_GONE` for guesses that row `row` of `work.class_mask` excludes.
    """
    kept, first, again, members = work.kept, work.first, work.again, work.members
    times, late, unit = np.int32(rounding.third), np.int32(rounding.fourth), rounding.unit
    less = (np.int64(1) << unit) - 1
    for g in range(len(first)):
        kept[g] = np.int32(first[g]) - np.int32(again[g])
    for g in range(len(first) if times != 1 or late != 1 else 0):
        kept[g] = times * np.int32(first[g]) - late * np.int32(again[g])
    for i in range(current.start, current.start + current.n):
        own = np.int32(rounding.hit * ((position.weight[members[i]] + less) >> unit))
        kept[position.table.own[members[i]]] += own
    for g in range(len(first) if row >= 0 else 0):
        if not work.class_mask[row, g]:
            kept[g] = _GONE


@kernel
def scan(position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet, row: Int) -> Int:
    """Write to `work.kept` the most that each guess can save, compared with three guesses for every code.

    Returns the exponent of the unit of the results, a power of two. The code of the win is found at this guess, the
    heaviest code of each cell at the next one, and all others later. So the saving is s2 times the heaviest code of
    each cell, plus s1 times the code of the win. In sets of more than `counted_above` codes, the codes of a cell beyond
    the s heaviest cost s3 more, and the saving is less. Guesses outside row `row` of `work.class_mask` are skipped; -1
    stands for all guesses.

    The kernel ends early if the search must stop. The caller tests `stopped` before it uses the results.
    """
    rounding = _rounding(position, current, position.weight[work.members[current.start]])
    for g in range(len(work.first)):
        work.first[g] = work.again[g] = _NOTHING
    for lanes in range(len(position.marks)):
        if not _add_heaviest(position, work, current, lanes, rounding.unit):
            return rounding.unit
        if current.n > work.state[0].counted_above and not _add_crowded(position, work, current, lanes, rounding.unit):
            return rounding.unit
    _combine(position, work, current, row, rounding)
    return rounding.unit + rounding.fine


@kernel
def _begin_counts(work: WeightedWorkspace, begin: Int) -> None:
    """Set the counters of every guess and answer to `begin`.

    A counter is one bit in each of five words. A sixth word marks the counters that have reached 32.
    """
    for k in range(6):
        bit = ~_NOTHING if begin >> k & 1 else _NOTHING
        for g in range(work.counts.shape[1]):
            work.counts[k, g] = bit


@kernel
def base_of(position: WeightedPosition, current: WeightedSet) -> Int:
    """Return the cost if every code of the set were found with the third guess from now."""
    step, depth = position.step, current.depth
    return current.whole * (step[depth] + step[depth + 1] + step[depth + 2])


@kernel
def bound_of(base: Int, kept: Int, unit: Int) -> Int:
    """Return the lower bound of a guess that costs `kept` * 2^unit less than `base`; IMPOSSIBLE if it is excluded."""
    return np.int64(IMPOSSIBLE) if kept == _GONE else base - (np.int64(kept) << unit)


@kernel
def _find_peak(work: WeightedWorkspace, block: Int) -> None:
    """Compute the largest saving of the guesses of a block, compared with three guesses for every code."""
    most = _GONE
    for g in range(block * _BLOCK, min((block + 1) * _BLOCK, len(work.kept))):
        most = max(most, work.kept[g])
    work.peak[block] = most


@kernel
def _highest(work: WeightedWorkspace) -> Int:
    """Return the first block of guesses with the largest saving, compared with three guesses for every code."""
    top = 0
    for block in range(len(work.peak)):
        if work.peak[block] > work.peak[top]:
            top = block
    return top


@entry
def write_masks(position: WeightedPosition, work: WeightedWorkspace, row: Int, current: WeightedSet) -> None:
    """Write to a row of `work.mask` which members of a set of at most WORD codes give each answer to each other.

    For each member and answer, the mask has a bit for each member that gives this answer.
    """
    members, mask, each, start, n = work.members, work.mask[row], work.each[row], current.start, current.n
    for i in range(n):
        s = members[start + i]
        each[i] = position.weight[s]
        answers = position.table.between[s]
        for r in range(position.table.answer_count):
            mask[i, r] = ZERO
        for j in range(n):
            mask[i, answers[members[start + j]]] |= ONE << np.uint64(j)


@kernel
def excess_of_mask(
    position: WeightedPosition, depth: Int, cell: np.uint64, each: NDArray[np.int64], mask: NDArray[np.uint64]
) -> tuple[Int, bool]:
    """Return (lower bound of the excess of a cell, True if it is exact), for a cell given as a bit mask of members.

    The *excess* is the cost beyond that of finding the heaviest code with the first guess, and all others with the
    second. The lowest bit of the mask is the heaviest code. The costs of the guesses at the cell begin with
    `position.step[depth]`.
    """
    answer_count, next, third = mask.shape[1], position.step[depth + 1], position.step[depth + 2]
    n = np.int64(popcount(cell))
    if n <= 2 or is_last(position, depth):
        return np.int64(0), True
    left = cell & (cell - ONE)
    if n > answer_count:
        beyond, met = np.int64(0), 1
        while left != ZERO:
            if met >= answer_count:
                beyond += each[np.int64(lowest(left))]
            left &= left - ONE
            met += 1
        return third * beyond, False
    heaviest = each[np.int64(lowest(cell))]
    last = cell
    while last & (last - ONE) != ZERO:
        last &= last - ONE
    late, missed = third * each[np.int64(lowest(last))], next * heaviest
    most = min(late, missed)
    left = cell
    while left != ZERO:
        i = np.int64(lowest(left))
        left &= left - ONE
        beyond = next * (heaviest - each[i])
        if beyond >= most:
            break
        twice = ZERO
        for r in range(answer_count):
            together = mask[i, r] & cell
            twice |= together & (together - ONE) if together != ZERO else ZERO
        if twice == ZERO:
            return beyond, True
    return most, n == 3 and late <= missed


@kernel
def divide_masks(position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet, guess: Int) -> None:
    """Write the cells of a guess at a set of at most WORD codes to `work.cell`, one bit for each member."""
    cell, members, row = work.cell, work.members, position.table.answers[guess]
    for r in range(len(cell)):
        cell[r] = ZERO
    for i in range(current.n):
        cell[row[members[current.start + i]]] |= ONE << np.uint64(i)


@kernel
def raise_bound(
    position: WeightedPosition,
    work: WeightedWorkspace,
    current: WeightedSet,
    row: Int,
    guess: Int,
    bound: Int,
    below: Int,
) -> Int:
    """Raise the bound of a guess by further costs of its cells, until the bound reaches `below`. Returns the new bound.

    For a set of at most `masked_up_to` codes, row `row` of `work.mask` must contain the masks of the set. In a larger
    set, only cells of more than s codes raise the bound.
    """
    answer_count, cell, depth = position.table.answer_count, work.cell, current.depth
    third = answer_count + (answer_count - 1) * (answer_count - 1)
    crowded = current.n > work.state[0].counted_above
    if current.n <= work.state[0].masked_up_to:
        divide_masks(position, work, current, guess)
        for r in range(answer_count - 1):
            if bound >= below:
                break
            if cell[r] != ZERO and (not crowded or popcount(cell[r]) <= np.uint64(answer_count)):
                bound += excess_of_mask(position, depth + 1, cell[r], work.each[row], work.mask[row])[0]
        return bound
    if current.n <= third and crowded:
        return bound
    size, members, answers = work.cell, work.members, position.table.answers[guess]
    for r in range(answer_count):
        size[r] = ZERO
    for i in range(current.start, current.start + current.n):
        r = answers[members[i]]
        if size[r] >= np.uint64(answer_count) and not crowded:
            bound += position.step[depth + 3] * position.weight[members[i]]
        if size[r] >= np.uint64(third):
            bound += position.step[depth + 4] * position.weight[members[i]]
        size[r] += ONE
    return bound


@entry
def list_guesses(
    position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet, used: Int, below: Int
) -> Int:
    """List the guesses at a set whose bounds are below `below`, in `work.guess[depth]` and `work.bound[depth]`.

    `used` has a bit for each symbol of the turns so far. Returns the number of guesses. The list is invalid if the
    search is `stopped`.
    """
    guesses, bounds = work.guess[current.depth], work.bound[current.depth]
    unit = scan(position, work, current, allowed(position, work, used))
    if stopped(work.shared):
        return 0
    if current.n <= work.state[0].masked_up_to:
        write_masks(position, work, current.depth, current)
    listed, base, kept_of = 0, base_of(position, current), work.kept
    for g in range(len(kept_of)):
        bound = bound_of(base, kept_of[g], unit)
        if bound < below:
            guesses[listed], bounds[listed] = g, bound
            listed += 1
    kept = 0
    for first in range(0, listed, _BETWEEN):
        if first and must_stop(work.shared):
            return 0
        for k in range(first, min(first + _BETWEEN, listed)):
            bound = raise_bound(position, work, current, current.depth, guesses[k], bounds[k], below)
            if bound < below:
                guesses[kept], bounds[kept] = guesses[k], bound
                kept += 1
    return kept


@entry
def rank(position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet, listed: Int) -> None:
    """Replace the bounds of the listed guesses by ranks: twice the bound, plus one if the guess comes after its equals.

    If the search prefers hits, a guess that can be the secret comes before others with the same bound.
    """
    guesses, bounds, win = work.guess[current.depth], work.bound[current.depth], position.table.answer_count - 1
    for k in range(listed):
        bounds[k] *= 2
        answers, hits = position.table.answers[guesses[k]], work.state[0].prefers_hits == 0
        for i in range(0 if hits else current.n):
            hits |= answers[work.members[current.start + i]] == win
        bounds[k] += 0 if hits else 1


@kernel
def least_bound(
    position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet, used: Int, below: Int
) -> Int:
    """Return a lower bound of the cost of a set that is not searched. The work ends when the bound reaches `below`.

    The bound of the set is the least bound of its guesses. In each step, the kernel takes the guess of least bound and
    raises that bound by the cells of the guess. The kernel ends when the least bound is one that it has raised. The
    result is invalid if the search is `stopped`.
    """
    unit, row, kept = scan(position, work, current, allowed(position, work, used)), len(work.mask) - 1, work.kept
    for block in range(len(work.peak)):
        _find_peak(work, block)
    least, laid, base = np.int64(IMPOSSIBLE), False, base_of(position, current)
    for _ in range(work.state[0].refined_guesses):
        if must_stop(work.shared):
            return least
        block = _highest(work)
        bound = bound_of(base, work.peak[block], unit)
        if bound >= least or bound >= below:
            return min(bound, least)
        if not laid and current.n <= work.state[0].masked_up_to:
            write_masks(position, work, row, current)
            laid = True
        guess = block * _BLOCK
        while kept[guess] != work.peak[block]:
            guess += 1
        least = min(least, raise_bound(position, work, current, row, guess, bound, below))
        kept[guess] = _GONE
        _find_peak(work, block)
    return min(least, bound_of(base, work.peak[_highest(work)], unit))
