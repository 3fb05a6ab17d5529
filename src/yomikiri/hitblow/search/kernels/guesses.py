"""The guesses of a set in hand: which are worth a try, their cells, and in what order to take them."""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.bounds import (
    FREE,
    bound_base,
    bound_cell,
    bound_in_table,
    cost_by_size,
    cost_of_small_set,
    cost_of_total,
    effective_limit,
    least_total,
    permit_guesses,
)
from yomikiri.hitblow.search.kernels.child_windows import enqueue, record_gain
from yomikiri.hitblow.search.kernels.current_set import divide_set, is_separable_cell, write_cells
from yomikiri.hitblow.search.kernels.partition import insert_by_size, is_new
from yomikiri.hitblow.search.kernels.scan import equal
from yomikiri.hitblow.search.kernels.symmetry import hash_cell, is_least_image, symbol_class_row
from yomikiri.hitblow.search.kernels.transposition_table import TranspositionTable
from yomikiri.hitblow.search.kernels.workspace import (
    BOUND_BITS,
    GIVEN_GUESSES,
    GONE,
    OF_SET,
    SERIAL,
    VALUE,
    WANTED,
    WITHIN,
    WORD,
    CurrentSet,
    Goal,
    TurnHistory,
    Workspace,
    symbol_mask,
)
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import ONE, ZERO, Int, lowest
from yomikiri.machine.kernel import kernel
from yomikiri.machine.shared_words import must_stop, stopped


@kernel
def limit_after_guess(limit: Int) -> Int:
    """The guesses that are left after one."""
    return limit - 1 if limit < FREE else FREE


@kernel
def cell_of(work: Workspace, current: CurrentSet, r: Int) -> CurrentSet:
    """A cell of the guess in hand, as a set to search."""
    depth, start, size, key = current.depth, work.start, work.size, work.key
    top, limit = current.top + current.n, limit_after_guess(current.limit)
    return CurrentSet(depth + 1, start[depth, r], size[depth, r], top, limit, key[depth, 0, r], key[depth, 1, r])


@kernel
def open_guess(
    game: Planes,
    table: TranspositionTable,
    work: Workspace,
    goal: Goal,
    current: CurrentSet,
    history: TurnHistory,
    guess: Int,
    best: Int,
    node_id: np.uint64,
) -> tuple[Int, Int]:
    """Divide a set by a guess and bound its cells without entering them: (lower bound, number of open cells).

    The open cells stand in `work.open_cells[depth]`, small ones first, with a lower bound each. Cheap bounds come
    first, and
    one that reaches `best` ends the work. A guess that tells nothing is impossible, and so is one that divides the set
    as one before it did, under the same serial number; under 0 that is not asked. Where the search is to stop, the
    numbers mean nothing.
    """
    depth, start, n, within = current.depth, current.start, current.n, work.line[current.depth, WITHIN]
    left, size, lower = limit_after_guess(current.limit), work.size[depth], work.lower[depth]
    most = divide_set(game, work, depth, n, guess)
    if most == n or (left < len(game.capacity) and most > game.capacity[left]):
        return IMPOSSIBLE, 0
    order, settled, key = work.open_cells[depth], work.is_solved[depth], work.key[depth]
    total = n * goal.guess
    for r in range(game.answer_count - 1):
        if size[r]:
            total += cost_of_total(game, goal, size[r], left, least_total(game, size[r], within))
    if total >= best:
        return total, 0
    cells = 0
    for r in range(game.answer_count - 1):
        c = size[r]
        if c == 0:
            continue
        allowed = effective_limit(left, c)
        cost = cost_by_size(game, goal, c, allowed)
        if cost < 0:
            perfect = c <= game.answer_count - 1 and is_separable_cell(game, work, depth, start, n, r)
            cost = cost_of_small_set(goal, c, allowed, perfect)
        ideal = least_total(game, c, within)
        if cost < 0:
            cost = cost_of_total(game, goal, c, left, max(ideal, 2 * c))
            lower[r] = cost
            cells = insert_by_size(order, cells, size, r)
        total += cost - cost_of_total(game, goal, c, left, ideal)
        if total >= best:
            return total, 0
    same, check = write_cells(game, work, depth, start, n, current.top)
    if node_id != ZERO and not is_new(work.seen, node_id, same, check):
        return IMPOSSIBLE, 0
    for i in range(cells):
        r = order[i]
        hash_cell(game, work, depth, guess, r, history.turns, history.absent)
        bound = bound_in_table(game, table, goal, size[r], key[0, r], key[1, r], effective_limit(left, size[r]))
        settled[r] = bound > 0
        if bound > lower[r]:
            total += bound - lower[r]
            lower[r] = bound
            if total >= best:
                return total, 0
    queue, waiting = work.queue, 0
    for i in range(cells):
        if not settled[order[i]]:
            waiting = enqueue(work, size, waiting, order[i])
        settled[order[i]] = False
    for i in range(waiting):
        r = queue[i]
        needed = best - (total - lower[r])
        bound = bound_cell(game, table, work, goal, cell_of(work, current, r), n, needed)
        if stopped(work.shared):
            return total, 0
        record_gain(work, goal, size[r], bound - lower[r])
        if bound > lower[r]:
            total += bound - lower[r]
            lower[r] = bound
            if total >= best:
                return total, 0
    return total, cells


@kernel
def select_guesses(game: Planes, work: Workspace, goal: Goal, depth: Int, start: Int, n: Int, used: Int) -> Int:
    """Make `work.to_try[depth]` the guesses to try for a set; returns the used symbols that none of its codes has."""
    present = 0
    for i in range(n):
        present |= symbol_mask(game, work.members[start + i])
    gone = used & ~present & ~game.never_leading
    permit_guesses(game, work, goal, start, n)
    allowed, mine = work.to_try[depth], work.permitted
    for w in range(len(allowed)):
        allowed[w] = mine[w]
    for alike in (~used & ((1 << game.symbols) - 1), gone):
        mask = work.class_mask[symbol_class_row(game, work, alike)]
        for w in range(len(allowed)):
            allowed[w] &= mask[w]
    return gone


@kernel
def uses_given_guesses(work: Workspace, depth: Int) -> bool:
    """Whether the guesses to try for a set are those that are given."""
    return bool(depth == 0 and work.state[WANTED] == GIVEN_GUESSES)


@kernel
def has_lower_image(game: Planes, work: Workspace, depth: Int, guess: Int, used: Int, gone: Int) -> bool:
    """Whether a guess need not be tried, since a lower one is its image. Those that are given are tried as they are."""
    if work.group_size[depth] == 1 or uses_given_guesses(work, depth):
        return False
    return not is_least_image(game, work, depth, guess, used, gone)


@kernel
def select_by_bound(game: Planes, work: Workspace, depth: Int, value: Int) -> None:
    """Make `work.with_bound[depth]` the guesses whose bound is `value`, of those that are worth a try."""
    line = work.line[depth]
    equal(work.bounds[depth], line[BOUND_BITS], len(game.every), value, work.to_try[depth], work.with_bound[depth])
    line[WORD] = 0


@kernel
def next_guess(game: Planes, work: Workspace, depth: Int, used: Int) -> Int:
    """Take the next of the chosen guesses that none before it mirrors, in code order; -1 if none is left."""
    line, chosen = work.line[depth], work.with_bound[depth]
    while line[WORD] < len(chosen):
        w = line[WORD]
        while chosen[w] != ZERO:
            guess = 64 * w + np.int64(lowest(chosen[w]))
            chosen[w] &= chosen[w] - ONE
            if not has_lower_image(game, work, depth, guess, used, line[GONE]):
                return guess
        line[WORD] += 1
    return -1


@kernel
def order_by_cells(
    game: Planes,
    table: TranspositionTable,
    work: Workspace,
    goal: Goal,
    current: CurrentSet,
    history: TurnHistory,
    best: Int,
) -> None:
    """Bound every guess of a set in hand by its cells, and so order them; the least bound stands in `line[VALUE]`.

    The new bounds, which are proven as the old ones are, stand in `work.bounds[depth]`; guesses that cost `best` or
    more are no longer allowed. None counts as tried: the set gets another serial number. Where the search is to stop,
    `line[VALUE]` is as it was, and what is allowed means nothing.
    """
    depth, n, limit = current.depth, current.n, current.limit
    state, line, kept = work.state, work.line[depth], work.kept_guesses
    allowed, bounds = work.to_try[depth], work.bounds[depth]
    base, bits, value = bound_base(n), line[BOUND_BITS], line[VALUE]
    # Two given guesses may divide the set alike. Each is tried itself, so that neither counts as done before it is.
    node_id = ZERO if uses_given_guesses(work, depth) else np.uint64(line[OF_SET])
    highest = (1 << bits) - 1
    least_ahead = highest
    for w in range(len(allowed)):
        kept[w] = ZERO
    while value <= highest and cost_of_total(game, goal, n, limit, base + value) < best:
        select_by_bound(game, work, depth, value)
        while True:
            guess = next_guess(game, work, depth, history.used)
            if guess < 0 or must_stop(work.shared):
                break
            w, bit = guess >> 6, ONE << np.uint64(guess & 63)
            allowed[w] &= ~bit
            total, _ = open_guess(game, table, work, goal, current, history, guess, best, node_id)
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
