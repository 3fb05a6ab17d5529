"""The kernels of the depth-weighted search: the most that any strategy is worth, by branch and bound over all guesses.

A code found at guess k from now on is worth `weights[k]`, and the weights never rise; where some codes are likelier
than others, it is worth as much for each case in which it is the secret. The worth of a set of codes at
depth k is the most that a strategy for them makes when its first guess is the k-th. It adds up over the cells of a
guess, so with the answers 0H1B, 1H0B and the win

    worth({01, 02, 12, 20}, k) = weights[k] + worth({12, 20}, k + 1) + worth({02}, k + 1)        guessing 01

A position is packed once: its candidates are numbered, and `answers` holds the slot of every guess's answer for each of
them, the win in the last slot. Sets are stretches of `members`, cells lie above the set they come from.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.memo import Memo, find, put
from yomikiri.hitblow.search.partition import count_by, divide, insert, is_new, look_up, name_cells, perfect_member
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import Int, popcount
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import SHARED, enter_node, must_stop, stopped

SEEN = 1 << 12  # partitions remembered within a node; a power of two
# Places of `state`: SERIAL number of the last node; the depth that is ASKED for its best GUESS.
SERIAL, ASKED, GUESS = range(3)

_DONE = np.int64(-1 << 62)
_BETWEEN = 64  # codes or guesses between two looks whether to stop
_FEW = 24  # codes, at most, of which the number of cells says enough


class Position(NamedTuple):
    """The candidates of a position and all guesses: c candidates, g guesses, d digits."""

    slots: int  # answers that occur, and the win, which is the last
    answers: Annotated[NDArray[np.uint8], "g", "c"]  # slots
    by_code: Annotated[NDArray[np.uint8], "c", "g"]  # the same, a row for each candidate
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # symbols
    between: Annotated[NDArray[np.uint8], "c", "c"]  # the slots between candidates
    keys: Annotated[NDArray[np.uint64], "c", 2]  # random numbers whose sums name sets of candidates
    # Guesses like an earlier one, but for the names of symbols that no candidate has.
    apart: Annotated[NDArray[np.bool_], "g"]
    # How likely each candidate is, the likeliest first; empty where all are alike.
    cases: Annotated[NDArray[np.int64], "c"]


class Workspace(NamedTuple):
    """Where a search writes."""

    state: Annotated[NDArray[np.int64], 3]  # see SERIAL and what follows
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that other threads read and write: see `shared_words`
    weights: Annotated[NDArray[np.int64], "depths"]
    ideal: Annotated[NDArray[np.int64], "depths", "candidates + 1"]  # most worth of so many codes, where all are alike
    level: Annotated[NDArray[np.int64], "candidates"]  # guesses that any tree takes before the first, second, ... code
    salt: Annotated[NDArray[np.uint64], "depths"]  # what tells depths and weights apart in the memo
    members: Annotated[NDArray[np.int32], "members"]  # candidates
    local: Annotated[NDArray[np.uint32], "members"]  # of each member of a cell, its number in the set that was divided
    slots: Annotated[NDArray[np.uint8], "candidates"]  # of the answers of the set that is being divided
    marks: Annotated[NDArray[np.uint32], "guesses"]  # the slots that occur, a bit each
    fresh: Annotated[NDArray[np.int64], "depths"]  # symbols that are alike, for which `allowed` was worked out
    allowed: Annotated[NDArray[np.bool_], "depths", "guesses"]  # guesses of which one of each kind is enough
    # Twice the bound of a guess's worth, plus one if it can win; _DONE if left out.
    bound: Annotated[NDArray[np.int64], "depths", "guesses"]
    open: Annotated[NDArray[np.int32], "depths", "guesses"]  # guesses that may be worth more than is asked for
    size: Annotated[NDArray[np.int64], "depths", "slots"]  # of cells
    start: Annotated[NDArray[np.int64], "depths", "slots"]  # where in `members`
    upper: Annotated[NDArray[np.int64], "depths", "slots"]  # bounds of their worths
    key: Annotated[NDArray[np.uint64], "depths", 2, "slots"]  # their names
    order: Annotated[NDArray[np.int64], "depths", "slots"]  # open cells
    seen: Annotated[NDArray[np.uint64], SEEN, 3]  # partitions tried, by set and name


@kernel
def in_order(code: NDArray[np.uint8], alike: Int) -> bool:
    """Whether a code names the symbols `alike` (a bit each) from the lowest on.

    Symbols that no turn has used are alike, and so are the absent ones: exchanging two of them turns the candidates
    into themselves, so one guess of each kind is enough.
    """
    left = alike
    for i in range(len(code)):
        bit = np.int64(1) << np.int64(code[i])
        if left & bit:
            if bit != left & -left:
                return False
            left ^= bit
    return True


@kernel
def bound_uneven(position: Position, work: Workspace, depth: Int, start: Int, n: Int, guess: Int) -> Int:
    """`bound_guess` where some candidates are likelier than others: sets list the likeliest first, and so do cells."""
    size, row, weights, last = work.size[depth], position.answers[guess], work.weights, len(work.weights) - 1
    for r in range(position.slots):
        size[r] = 0
    total = np.int64(0)
    for i in range(start, start + n):
        s = work.members[i]
        r = row[s]
        found = depth if r == position.slots - 1 else min(depth + 1 + work.level[size[r]], last)
        total += position.cases[s] * weights[found]
        size[r] += 1
        if size[r] == n and r < position.slots - 1:
            return np.int64(-1)
    return total


@kernel
def bound_guess(position: Position, work: Workspace, depth: Int, start: Int, n: Int, guess: Int) -> Int:
    """Work out the sizes of the cells of a guess; returns the bound of its worth, -1 for a guess that tells nothing.

    No cell is worth more than so many codes can be at all, the likeliest found first.
    """
    size, win = work.size[depth], position.slots - 1
    if len(position.cases):
        return bound_uneven(position, work, depth, start, n, guess)
    count_by(position.answers[guess], work.members, start, n, position.slots, size)
    total = size[win] * work.weights[depth]
    ideal = work.ideal[depth + 1]
    for r in range(win):
        if size[r] == n:
            return np.int64(-1)
        total += ideal[size[r]]
    return total


@kernel
def bound_all(position: Position, work: Workspace, depth: Int, start: Int, n: Int) -> Int:
    """Write to `work.bound[depth]` bounds of all allowed guesses by the number of cells alone; returns the greatest.

    The first guess in a cell of c codes finds one of them at most, so the cell is worth at most weights[depth + 1] and
    c - 1 times weights[depth + 2]. As long as no cell has more codes than there are answers this is what `bound_guess`
    finds. A guess that tells nothing has one cell, and no code to find in it. All codes are equally likely.

    Where it is `stopped`, neither the bounds nor the greatest mean anything.
    """
    marks, bound, weights, allowed = work.marks, work.bound[depth], work.weights, work.allowed[depth]
    one = np.uint32(1)
    row = position.by_code[work.members[start]]
    for g in range(len(marks)):
        marks[g] = one << np.uint32(row[g])
    for i in range(1, n):
        if i % _BETWEEN == 0 and must_stop(work.shared):
            return _DONE
        row = position.by_code[work.members[start + i]]
        for g in range(len(marks)):
            marks[g] |= one << np.uint32(row[g])
    win = np.uint32(position.slots - 1)
    cell, rest = weights[depth + 1] - weights[depth + 2], n * weights[depth + 2]
    found = weights[depth] - weights[depth + 1]
    greatest = _DONE
    for g in range(len(marks)):
        cells, hit = np.int64(popcount(np.uint64(marks[g]))), np.int64(marks[g] >> win)
        total = 2 * (rest + cells * cell + hit * found) + hit
        bound[g] = total if allowed[g] and cells + hit > 1 else _DONE
        greatest = max(greatest, bound[g])
    return greatest


@kernel
def most(position: Position, work: Workspace, depth: Int, start: Int, n: Int) -> Int:
    """The most that a set can be worth at a depth, by how many codes any tree finds with each guess."""
    if len(position.cases) == 0:
        return work.ideal[depth, n]
    total, last = np.int64(0), len(work.weights) - 1
    for i in range(n):
        total += position.cases[work.members[start + i]] * work.weights[min(depth + work.level[i], last)]
    return total


@kernel
def most_of_few(position: Position, work: Workspace, depth: Int, start: Int, n: Int, ideal: Int) -> tuple[Int, bool]:
    """The most that a set of 3 codes to `slots` is worth at a depth, and whether it attains that.

    If a member that is guessed first tells all others apart, it is found now and they with the next guess: the
    likeliest such member is worth most. After any other member two codes are together, and one of them, the least
    likely perhaps, takes two guesses more; after any other guess all are found with the next one at best.
    """
    weights = work.weights
    found = perfect_member(position.between, work.members, start, n)
    if len(position.cases) == 0:
        if found >= 0:
            return ideal, True
        missed = n * weights[depth + 1]
        return min(ideal, max(missed, weights[depth] + (n - 2) * weights[depth + 1] + weights[depth + 2])), False
    whole = np.int64(0)
    for i in range(start, start + n):
        whole += position.cases[work.members[i]]
    perfect = missed = whole * weights[depth + 1]
    if found >= 0:
        perfect += position.cases[work.members[start + found]] * (weights[depth] - weights[depth + 1])
    other = ideal - position.cases[work.members[start + n - 1]] * (weights[depth + 1] - weights[depth + 2])
    return max(perfect, missed, other), found >= 0 and perfect >= other


@kernel
def allow(position: Position, work: Workspace, depth: Int, used: Int) -> None:
    """Make `work.allowed[depth]` the guesses to try, one of each kind, where turns have used such symbols."""
    allowed, fresh = work.allowed[depth], (1 << 16) - 1 & ~used
    if fresh & (fresh - 1) == 0:
        fresh = 0  # one symbol alone is always in order
    if work.fresh[depth] != fresh:
        work.fresh[depth] = fresh
        for g in range(len(allowed)):
            allowed[g] = not position.apart[g] and in_order(position.codes[g], fresh)


@kernel
def rank(position: Position, work: Workspace, depth: Int, start: Int, n: Int, used: Int, least: Int) -> tuple[Int, Int]:
    """List the guesses that may be worth more than `least` in `work.open[depth]`, their bounds in `work.bound[depth]`.

    Returns how many there are, and a bound of the others. Where it is `stopped` they mean nothing.
    """
    allow(position, work, depth, used)
    count, bound, listed, uneven = 0, work.bound[depth], work.open[depth], len(position.cases) > 0
    if uneven:
        for g in range(len(bound)):
            bound[g] = 2 * IMPOSSIBLE if work.allowed[depth, g] else _DONE
    else:
        greatest = bound_all(position, work, depth, start, n) >> 1
        if greatest <= least or stopped(work.shared):
            return count, greatest
    for first in range(0, len(bound), _BETWEEN):
        if first and must_stop(work.shared):
            break
        for g in range(first, min(first + _BETWEEN, len(bound))):
            if bound[g] >> 1 > least:
                if uneven or n > _FEW:
                    total = bound_guess(position, work, depth, start, n, g)
                    bound[g] = 2 * total + work.size[depth, position.slots - 1]
                    if total <= least:
                        continue
                listed[count] = g
                count += 1
    return count, least


@kernel
def next_guess(bound: NDArray[np.int64], listed: NDArray[np.int32], count: Int) -> Int:
    """The listed guess of the greatest bound, the first of several."""
    best = np.int64(listed[0])
    for i in range(1, count):
        if bound[listed[i]] > bound[best]:
            best = np.int64(listed[i])
    return best


@kernel
def symbols_of(code: NDArray[np.uint8]) -> Int:
    """The symbols of a code, a bit each."""
    symbols = np.int64(0)
    for i in range(len(code)):
        symbols |= np.int64(1) << np.int64(code[i])
    return symbols


@kernel
def refined(position: Position, memo: Memo, work: Workspace, depth: Int, least: Int, total: Int) -> Int:
    """A bound of the worth of the guess whose cells were divided last, by what is known of them without entering.

    `total` is the bound by their sizes. The cells whose worth stays open are listed in `order`, small ones first.
    """
    size, where, upper, key = work.size[depth], work.start[depth], work.upper[depth], work.key[depth]
    order = work.order[depth]
    below = depth + 1
    cells = 0
    for r in range(position.slots - 1):
        c = size[r]
        upper[r] = -1
        if c <= 2:
            continue
        ideal = most(position, work, below, where[r], c)
        bound, attained = ideal, False
        if c <= position.slots:
            bound, attained = most_of_few(position, work, below, where[r], c, ideal)
            if attained:
                total += bound - ideal
                continue
        lower, known = find(memo, key[0, r] ^ work.salt[below], key[1, r])
        bound = min(bound, known)
        total += bound - ideal
        if total <= least:
            return total
        if lower == known:
            continue
        upper[r] = bound
        cells = insert(order, cells, size, r)
    order[position.slots - 1] = cells
    return total


@entry
def worth(
    position: Position,
    memo: Memo,
    work: Workspace,
    depth: Int,
    start: Int,
    n: Int,
    top: Int,
    used: Int,
    key: np.uint64,
    check: np.uint64,
    least: Int,
) -> Int:
    """The worth of a set at a depth if it is more than `least`; else a bound of it that is not.

    `used` are the symbols of the turns so far. The best guess is written to `state` if it is `asked` for.

    Where it is `stopped` the answer means nothing, and nothing is noted of the set: a bound is noted for one whose
    guesses were all tried or refused, and whose cells were all answered before anyone was told to stop.
    """
    state, weights = work.state, work.weights
    asked = depth == state[ASKED]
    if not asked:
        if n <= 2 or weights[depth + 1] == 0:
            return most(position, work, depth, start, n)
        ideal = most(position, work, depth, start, n)
        if ideal <= least:
            return ideal
        if n <= position.slots:
            bound_of_few, attained = most_of_few(position, work, depth, start, n, ideal)
            if attained or bound_of_few <= least:
                return bound_of_few
        key ^= np.uint64(work.salt[depth])
        _lower, upper = find(memo, key, check)
        if upper < IMPOSSIBLE and (_lower == upper or upper <= least):
            return upper
    if not enter_node(work.shared):
        return np.int64(0)
    state[SERIAL] += 1
    serial = np.uint64(state[SERIAL])
    count, highest = rank(position, work, depth, start, n, used, least)
    best = least
    bound, listed, order, upper = work.bound[depth], work.open[depth], work.order[depth], work.upper[depth]
    size, where, names = work.size[depth], work.start[depth], work.key[depth]
    while count and not must_stop(work.shared):
        guess = next_guess(bound, listed, count)
        bounded = np.int64(bound[guess] >> 1)
        if bounded <= best:
            highest = max(highest, bounded)
            break
        bound[guess] = _DONE
        bounded = bound_guess(position, work, depth, start, n, guess)
        if bounded <= best:
            highest = max(highest, bounded)
            continue
        look_up(position.answers[guess], work.members, start, n, work.slots)
        divide(work.members, work.local, work.slots, start, n, top, position.slots, size, where)
        same, same_check = name_cells(work.members, position.keys, position.slots, size, where, names)
        if not is_new(work.seen, serial, same, same_check):
            continue
        total = refined(position, memo, work, depth, best, bounded)
        later = used | symbols_of(position.codes[guess])
        open_cells = order[position.slots - 1] if total > best else 0
        for i in range(open_cells):
            r = order[i]
            least_there = best - (total - upper[r])
            cell, end = where[r], top + n
            found = worth(
                position, memo, work, depth + 1, cell, size[r], end, later, names[0, r], names[1, r], least_there
            )
            if stopped(work.shared):
                return np.int64(0)
            total += found - upper[r]
            if total <= best:
                break
        highest = max(highest, total)
        if total > best:
            best = total
            if asked:
                state[GUESS] = guess
    if stopped(work.shared):
        return np.int64(0)
    if not asked:
        put(memo, key, check, n, highest if highest > least else 0, highest)
    return highest
