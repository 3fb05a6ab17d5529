"""The guesses of a set in hand: which are worth a try, their cells, and in what order to take them."""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.bounds import (
    FREE,
    allowance,
    base_of,
    ideal_below,
    known_of,
    look,
    mark_guesses,
    priced,
    settle,
    settle_small,
)
from yomikiri.hitblow.search.kernels.child_windows import note_gain, queued
from yomikiri.hitblow.search.kernels.current_set import divide_by, is_perfect_cell, write_cells
from yomikiri.hitblow.search.kernels.partition import insert, is_new
from yomikiri.hitblow.search.kernels.scan import equal
from yomikiri.hitblow.search.kernels.symmetry import in_order, is_least, name_cell
from yomikiri.hitblow.search.kernels.transposition_table import TranspositionTable
from yomikiri.hitblow.search.kernels.workspace import (
    BEST_GIVEN,
    BOUND_BITS,
    GONE,
    OF_SET,
    SERIAL,
    VALUE,
    WANTED,
    WITHIN,
    WORD,
    Goal,
    Held,
    Past,
    Workspace,
    symbols_of,
)
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import ONE, ZERO, Int, lowest
from yomikiri.machine.kernel import kernel
from yomikiri.machine.shared_words import must_stop, stopped


@kernel
def one_less(limit: Int) -> Int:
    """The guesses that are left after one."""
    return limit - 1 if limit < FREE else FREE


@kernel
def cell_of(work: Workspace, held: Held, r: Int) -> Held:
    """A cell of the guess in hand, as a set to search."""
    depth, start, size, key = held.depth, work.start, work.size, work.key
    top, limit = held.top + held.n, one_less(held.limit)
    return Held(depth + 1, start[depth, r], size[depth, r], top, limit, key[depth, 0, r], key[depth, 1, r])


@kernel
def open_guess(
    game: Planes,
    memo: TranspositionTable,
    work: Workspace,
    goal: Goal,
    held: Held,
    past: Past,
    guess: Int,
    best: Int,
    serial: np.uint64,
) -> tuple[Int, Int]:
    """Divide a set by a guess and bound its cells without entering them: (lower bound, number of open cells).

    The open cells stand in `work.order[depth]`, small ones first, with a lower bound each. Cheap bounds come first, and
    one that reaches `best` ends the work. A guess that tells nothing is impossible, and so is one that divides the set
    as one before it did, under the same serial number; under 0 that is not asked. Where the search is to stop, the
    numbers mean nothing.
    """
    depth, start, n, within = held.depth, held.start, held.n, work.line[held.depth, WITHIN]
    left, size, lower = one_less(held.limit), work.size[depth], work.lower[depth]
    most = divide_by(game, work, depth, n, guess)
    if most == n or (left < len(game.capacity) and most > game.capacity[left]):
        return IMPOSSIBLE, 0
    order, settled, key = work.order[depth], work.settled[depth], work.key[depth]
    total = n * goal.guess
    for r in range(game.slots - 1):
        if size[r]:
            total += priced(game, goal, size[r], left, ideal_below(game, size[r], within))
    if total >= best:
        return total, 0
    cells = 0
    for r in range(game.slots - 1):
        c = size[r]
        if c == 0:
            continue
        allowed = allowance(left, c)
        cost = settle(game, goal, c, allowed)
        if cost < 0:
            perfect = c <= game.slots - 1 and is_perfect_cell(game, work, depth, start, n, r)
            cost = settle_small(goal, c, allowed, perfect)
        ideal = ideal_below(game, c, within)
        if cost < 0:
            cost = priced(game, goal, c, left, max(ideal, 2 * c))
            lower[r] = cost
            cells = insert(order, cells, size, r)
        total += cost - priced(game, goal, c, left, ideal)
        if total >= best:
            return total, 0
    same, check = write_cells(game, work, depth, start, n, held.top)
    if serial != ZERO and not is_new(work.seen, serial, same, check):
        return IMPOSSIBLE, 0
    for i in range(cells):
        r = order[i]
        name_cell(game, work, depth, guess, r, past.turns, past.absent)
        bound = known_of(game, memo, goal, size[r], key[0, r], key[1, r], allowance(left, size[r]))
        settled[r] = bound > 0
        if bound > lower[r]:
            total += bound - lower[r]
            lower[r] = bound
            if total >= best:
                return total, 0
    queue, waiting = work.queue, 0
    for i in range(cells):
        if not settled[order[i]]:
            waiting = queued(work, size, waiting, order[i])
        settled[order[i]] = False
    for i in range(waiting):
        r = queue[i]
        needed = best - (total - lower[r])
        bound = look(game, memo, work, goal, cell_of(work, held, r), n, needed)
        if stopped(work.shared):
            return total, 0
        note_gain(work, goal, size[r], bound - lower[r])
        if bound > lower[r]:
            total += bound - lower[r]
            lower[r] = bound
            if total >= best:
                return total, 0
    return total, cells


@kernel
def allow(game: Planes, work: Workspace, goal: Goal, depth: Int, start: Int, n: Int, used: Int) -> Int:
    """Make `work.allowed[depth]` the guesses to try for a set; returns the used symbols that none of its codes has."""
    present = 0
    for i in range(n):
        present |= symbols_of(game, work.members[start + i])
    gone = used & ~present & ~game.apart
    mark_guesses(game, work, goal, start, n)
    allowed, mine = work.allowed[depth], work.mine
    for w in range(len(allowed)):
        allowed[w] = mine[w]
    for alike in (~used & ((1 << game.symbols) - 1), gone):
        mask = work.class_mask[in_order(game, work, alike)]
        for w in range(len(allowed)):
            allowed[w] &= mask[w]
    return gone


@kernel
def are_given(work: Workspace, depth: Int) -> bool:
    """Whether the guesses to try for a set are those that are given."""
    return bool(depth == 0 and work.state[WANTED] == BEST_GIVEN)


@kernel
def is_mirrored(game: Planes, work: Workspace, depth: Int, guess: Int, used: Int, gone: Int) -> bool:
    """Whether a guess need not be tried, since a lower one is its image. Those that are given are tried as they are."""
    if work.group_size[depth] == 1 or are_given(work, depth):
        return False
    return not is_least(game, work, depth, guess, used, gone)


@kernel
def choose(game: Planes, work: Workspace, depth: Int, value: Int) -> None:
    """Make `work.chosen[depth]` the guesses whose bound is `value`, of those that are worth a try."""
    line = work.line[depth]
    equal(work.bounds[depth], line[BOUND_BITS], len(game.every), value, work.allowed[depth], work.chosen[depth])
    line[WORD] = 0


@kernel
def next_guess(game: Planes, work: Workspace, depth: Int, used: Int) -> Int:
    """Take the next of the chosen guesses that none before it mirrors, in code order; -1 if none is left."""
    line, chosen = work.line[depth], work.chosen[depth]
    while line[WORD] < len(chosen):
        w = line[WORD]
        while chosen[w] != ZERO:
            guess = 64 * w + np.int64(lowest(chosen[w]))
            chosen[w] &= chosen[w] - ONE
            if not is_mirrored(game, work, depth, guess, used, line[GONE]):
                return guess
        line[WORD] += 1
    return -1


@kernel
def look_ahead(
    game: Planes, memo: TranspositionTable, work: Workspace, goal: Goal, held: Held, past: Past, best: Int
) -> None:
    """Bound every guess of a set in hand by its cells, and so order them; the least bound stands in `line[VALUE]`.

    The new bounds, which are proven as the old ones are, stand in `work.bounds[depth]`; guesses that cost `best` or
    more are no longer allowed. None counts as tried: the set gets another serial number. Where the search is to stop,
    `line[VALUE]` is as it was, and what is allowed means nothing.
    """
    depth, n, limit = held.depth, held.n, held.limit
    state, line, kept = work.state, work.line[depth], work.apart
    allowed, bounds = work.allowed[depth], work.bounds[depth]
    base, bits, value = base_of(n), line[BOUND_BITS], line[VALUE]
    # Two given guesses may divide the set alike. Each is tried itself, so that neither counts as done before it is.
    serial = ZERO if are_given(work, depth) else np.uint64(line[OF_SET])
    highest = (1 << bits) - 1
    least_ahead = highest
    for w in range(len(allowed)):
        kept[w] = ZERO
    while value <= highest and priced(game, goal, n, limit, base + value) < best:
        choose(game, work, depth, value)
        while True:
            guess = next_guess(game, work, depth, past.used)
            if guess < 0 or must_stop(work.shared):
                break
            w, bit = guess >> 6, ONE << np.uint64(guess & 63)
            allowed[w] &= ~bit
            total, _ = open_guess(game, memo, work, goal, held, past, guess, best, serial)
            if total < best:
                kept[w] |= bit
                ahead = min(max(total // goal.guess - base, value), highest)
                least_ahead = min(least_ahead, ahead)
                for k in range(bits):
                    at = k * len(allowed) + w
                    bounds[at] = bounds[at] | bit if ahead >> k & 1 else bounds[at] & ~bit
        if stopped(work.shared):
            return
        value += 1
    for w in range(len(allowed)):
        allowed[w] = kept[w]
    line[VALUE] = least_ahead
    state[SERIAL] += 1
    line[OF_SET] = state[SERIAL]
