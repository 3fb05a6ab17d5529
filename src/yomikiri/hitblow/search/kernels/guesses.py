"""The guesses at the current candidate set: selection of the guesses to try, their order, and bounds of their cells.

- The *cells* of a guess are the parts of the set, one for each answer to the guess.
- A cell is *open* if only a lower bound of its cost is known, not the cost itself.
- The *bound* of a guess is the sum of the costs or bounds of its cells, plus the cost of the guess itself.
- A bound of a guess is stored as a *bound value*: a lower bound of the total number of guesses for all codes of the
  set, less `bound_base`, which is 3 n - 31 for n codes.
- *Given guesses* are first guesses that a caller of the search selects for the set at depth 0.
"""

from __future__ import annotations

import numpy as np

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.partition import insert_by_size, is_new
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
from yomikiri.hitblow.search.kernels.scan import equal
from yomikiri.hitblow.search.kernels.symmetry import hash_cell, is_least_image, symbol_class_row
from yomikiri.hitblow.search.kernels.workspace import (
    GIVEN_GUESSES,
    CurrentSet,
    Search,
    TurnHistory,
    Workspace,
    symbol_mask,
)
from yomikiri.machine.bits import ONE, ZERO, Int, lowest
from yomikiri.machine.kernel import inlined, kernel
from yomikiri.machine.shared_words import must_stop, stopped


@kernel
def limit_after_guess(limit: Int) -> Int:
    """Return the limit on the guesses for a cell: one less than the limit for its set, or FREE for no limit."""
    return limit - 1 if limit < FREE else FREE


@kernel
def cell_of(work: Workspace, current: CurrentSet, r: Int) -> CurrentSet:
    """Return cell r of the current guess as a set to search, one depth below the current candidate set."""
    depth, start, size, key = current.depth, work.start, work.size, work.key
    top, limit = current.top + current.n, limit_after_guess(current.limit)
    return CurrentSet(depth + 1, start[depth, r], size[depth, r], top, limit, key[depth, 0, r], key[depth, 1, r])


@inlined
def _bound_by_sizes(search: Search, current: CurrentSet) -> Int:
    """Return a lower bound of the cost of the candidate set if the current guess is made first.

    The bound is computed from the sizes of the cells of the guess.
    """
    game, goal, depth = search.game, search.goal, current.depth
    size, limit = search.work.size[depth], limit_after_guess(current.limit)
    most_score = search.work.nodes[depth].most_score
    total = current.n * goal.guess
    for r in range(game.answer_count - 1):
        if size[r]:
            total += cost_of_total(game, goal, size[r], limit, least_total(game, size[r], most_score))
    return total


@inlined
def _solve_small_cells(search: Search, current: CurrentSet, total: Int, best: Int) -> tuple[Int, Int]:
    """Replace the bounds of cells whose costs follow from a formula by these costs, and list the other cells as open.

    `total` is the bound of the guess so far. The work ends when it reaches `best`. Returns (new bound of the guess,
    number of open cells).
    """
    game, work, goal, depth = search.game, search.work, search.goal, current.depth
    size, lower, limit = work.size[depth], work.lower[depth], limit_after_guess(current.limit)
    count, most_score = 0, work.nodes[depth].most_score
    for r in range(game.answer_count - 1):
        c = size[r]
        if c == 0:
            continue
        allowed = effective_limit(limit, c)
        cost = cost_by_size(game, goal, c, allowed)
        if cost < 0:
            separable = c <= game.answer_count - 1 and is_separable_cell(game, work, depth, current.start, current.n, r)
            cost = cost_of_small_set(goal, c, allowed, separable)
        ideal = least_total(game, c, most_score)
        if cost < 0:
            cost = cost_of_total(game, goal, c, limit, max(ideal, 2 * c))
            lower[r] = cost
            count = insert_by_size(work.open_cells[depth], count, size, r)
        total += cost - cost_of_total(game, goal, c, limit, ideal)
        if total >= best:
            break
    return total, count


@inlined
def _bound_by_table(
    search: Search, current: CurrentSet, history: TurnHistory, guess: Int, count: Int, total: Int, best: Int
) -> Int:
    """Raise the bounds of the open cells to those in the transposition table. Returns the bound of the guess.

    A cell is *open* if its cost is not known. Each open cell with a bound in the table gets a flag in
    `work.is_bounded[depth]`. `_bound_by_scans` skips these cells and clears the flags. Later, in the search of the
    cells, the same flag means that the cost of the cell is known.
    """
    work, depth, limit = search.work, current.depth, limit_after_guess(current.limit)
    size, lower, key, is_bounded = work.size[depth], work.lower[depth], work.key[depth], work.is_bounded[depth]
    for i in range(count):
        r = work.open_cells[depth, i]
        hash_cell(search.game, work, depth, guess, r, history.turns, history.absent)
        bound = bound_in_table(search, size[r], key[0, r], key[1, r], effective_limit(limit, size[r]))
        is_bounded[r] = bound > 0  # The table has a bound of this cell, so the guesses at the cell need not be bounded.
        if bound > lower[r]:
            total += bound - lower[r]
            lower[r] = bound
            if total >= best:
                break
    return total


@inlined
def _bound_by_scans(search: Search, current: CurrentSet, count: Int, total: Int, best: Int) -> Int:
    """Raise the lower bounds of the open cells without a bound in the transposition table, by scans of the guesses.

    `bound_cell` scans the guesses at each of these cells. Returns the new bound of the current guess. The work ends
    when that bound reaches `best`.
    """
    work, goal, depth = search.work, search.goal, current.depth
    size, lower, order, is_bounded = work.size[depth], work.lower[depth], work.open_cells[depth], work.is_bounded[depth]
    waiting = 0
    for i in range(count):
        if not is_bounded[order[i]]:
            waiting = enqueue(work, size, waiting, order[i])
        is_bounded[order[i]] = False
    for i in range(waiting):
        r = work.queue[i]
        bound = bound_cell(search, cell_of(work, current, r), current.n, best - (total - lower[r]))
        if stopped(work.shared):
            break
        record_gain(work, goal, size[r], bound - lower[r])
        if bound > lower[r]:
            total += bound - lower[r]
            lower[r] = bound
            if total >= best:
                break
    return total


@kernel
def open_guess(
    search: Search, current: CurrentSet, history: TurnHistory, guess: Int, best: Int, node_id: np.uint64
) -> tuple[Int, Int]:
    """Divide the current candidate set by a guess and bound its cells.

    Returns (lower bound of the guess, number of open cells). No cell is searched. The open cells, whose costs are not
    known yet, are in `work.open_cells[depth]`, the smallest first, and their lower bounds in `work.lower[depth]`. Cheap
    bounds come first, and the work ends when the bound of the guess reaches `best`.

    The bound is IMPOSSIBLE in three cases: the guess leaves all codes in one cell, a cell has too many codes for the
    limit, or an earlier guess divides the set into the same cells. Earlier guesses are those that were tried with the
    same `node_id`, the number of the set in this search. If `node_id` is 0, the third case is not tested. The results
    are invalid if the search must stop.
    """
    game, work, depth, n = search.game, search.work, current.depth, current.n
    limit = limit_after_guess(current.limit)
    most = divide_set(game, work, depth, n, guess)
    if most == n or (limit < len(game.capacity) and most > game.capacity[limit]):
        return IMPOSSIBLE, 0
    total = _bound_by_sizes(search, current)
    if total >= best:
        return total, 0
    total, count = _solve_small_cells(search, current, total, best)
    if total >= best:
        return total, 0
    partition_key, check = write_cells(game, work, depth, current.start, n, current.top)
    if node_id != ZERO and not is_new(work.seen, node_id, partition_key, check):
        return IMPOSSIBLE, 0
    total = _bound_by_table(search, current, history, guess, count, total, best)
    if total >= best:
        return total, 0
    return _bound_by_scans(search, current, count, total, best), count


@kernel
def uses_given_guesses(work: Workspace, depth: Int) -> bool:
    """Return True if the search tries only guesses given by the caller, which it does only at depth 0."""
    return bool(depth == 0 and work.state[0].mode == GIVEN_GUESSES)


@inlined
def select_guesses(search: Search, current: CurrentSet, used: Int) -> Int:
    """Set `work.to_try[depth]` to the guesses to try at a candidate set, and return a bit mask of absent symbols.

    `used` is a bit mask: the symbols of the turns so far, and those that were distinguishable before the first turn.
    The result contains the symbols in `used` that no code of the set contains, except those that the rules forbid at
    the first place. Symbols that are not in `used` are interchangeable with each other. Symbols in the result are
    interchangeable with each other, too.

    Two guesses are equivalent here if they differ only by an exchange of interchangeable symbols. Of equivalent
    guesses, only one is tried. But if the caller has given the guesses, all of them are tried.
    """
    game, work, depth = search.game, search.work, current.depth
    present = 0
    for i in range(current.n):
        present |= symbol_mask(game, work.members[current.start + i])
    absent = used & ~present & ~game.never_leading
    to_try = work.to_try[depth]
    if uses_given_guesses(work, depth):
        for w in range(len(to_try)):
            to_try[w] = work.given_guesses[w]
        return absent
    permit_guesses(search, current.start, current.n)
    for w in range(len(to_try)):
        to_try[w] = work.permitted[w]
    for symbols in (~used & ((1 << game.symbols) - 1), absent):
        mask = work.class_mask[symbol_class_row(game, work, symbols)]
        for w in range(len(to_try)):
            to_try[w] &= mask[w]
    return absent


@kernel
def has_lower_image(game: Planes, work: Workspace, depth: Int, guess: Int, used: Int) -> bool:
    """Return True if a symmetry of the current candidate set maps the guess to a lower guess.

    Then the guess can be skipped, because the lower guess costs the same. Always returns False if the caller of the
    search has given a list of guesses to try, because the caller expects a result for each guess in the list.
    """
    if work.group_size[depth] == 1 or uses_given_guesses(work, depth):
        return False
    return not is_least_image(game, work, depth, guess, used, work.nodes[depth].absent)


@kernel
def select_by_bound(game: Planes, work: Workspace, depth: Int, value: Int) -> None:
    """Set `work.with_bound[depth]` to those guesses to try whose stored bound is `value`."""
    node = work.nodes[depth]
    equal(work.bounds[depth], node.bound_bits, len(game.every), value, work.to_try[depth], work.with_bound[depth])
    node.word = 0


@kernel
def next_guess(game: Planes, work: Workspace, depth: Int, used: Int) -> Int:
    """Remove the next guess in code order from `work.with_bound[depth]`, and return it, or -1 if no guess is left.

    Guesses that a symmetry maps to a lower guess are removed as well, and skipped.
    """
    node, chosen = work.nodes[depth], work.with_bound[depth]
    while node.word < len(chosen):
        w = node.word
        while chosen[w] != ZERO:
            guess = 64 * w + np.int64(lowest(np.uint64(chosen[w])))
            chosen[w] &= chosen[w] - ONE
            if not has_lower_image(game, work, depth, guess, used):
                return guess
        node.word += 1
    return -1


@inlined
def next_guess_below(search: Search, current: CurrentSet, history: TurnHistory, best: Int) -> Int:
    """Remove and return the next guess to try at a candidate set, or -1 if no guess with a bound below `best` is left.

    The next guess is the one with the least bound. If several guesses have this bound, it is the first of them in code
    order. Also returns -1 if the search must stop. After a result of -1, the total of each guess that is left to try is
    at least `nodes[depth].value` plus `bound_base`.
    """
    game, work, depth = search.game, search.work, current.depth
    node, base = work.nodes[depth], bound_base(current.n)
    while (
        node.value < 1 << node.bound_bits
        and node.lower < best
        and cost_of_total(game, search.goal, current.n, current.limit, base + node.value) < best
    ):
        if node.is_unordered and not node.is_selected and best < IMPOSSIBLE:
            order_by_cells(search, current, history, best)
            if stopped(work.shared):
                return -1
            node.is_unordered = 0
            continue
        if not node.is_selected:
            select_by_bound(game, work, depth, node.value)
            node.is_selected = 1
        guess = next_guess(game, work, depth, history.used)
        if guess >= 0:
            return -1 if must_stop(work.shared) else guess
        node.value += 1
        node.is_selected = 0
    return -1


@inlined
def _set_bound(work: Workspace, depth: Int, guess: Int, value: Int) -> None:
    words, bounds = work.to_try.shape[1], work.bounds[depth]
    w, bit = guess >> 6, ONE << np.uint64(guess & 63)
    for k in range(work.nodes[depth].bound_bits):
        at = k * words + w
        bounds[at] = bounds[at] | bit if value >> k & 1 else bounds[at] & ~bit


@kernel
def order_by_cells(search: Search, current: CurrentSet, history: TurnHistory, best: Int) -> None:
    """Bound every guess at the current candidate set by its cells, so that better guesses are tried first.

    The new bounds, which are lower bounds like the old ones, are written to `work.bounds[depth]`. The least bound, less
    `bound_base`, is written to `nodes[depth].value`. Guesses that cost at least `best` are removed from
    `work.to_try[depth]`. If the search must stop, `value` does not change, and `to_try` is invalid.

    The *node id* is the number of a set in this search. When a guess divides a set, its partition is recorded in
    `work.seen` with the node id of the set. A guess is skipped if the same partition is already recorded with this node
    id. This kernel records the partition of every guess, but the guesses are tried only later. At the end, the set
    therefore gets a new node id. Otherwise every guess would be skipped because of its own record.
    """
    game, work, goal, depth = search.game, search.work, search.goal, current.depth
    node, kept, to_try, base = work.nodes[depth], work.kept_guesses, work.to_try[depth], bound_base(current.n)
    given, value = uses_given_guesses(work, depth), node.value
    # All guesses given by the caller are tried, even with equal partitions, because each must get its own result.
    node_id = ZERO if given else np.uint64(node.node_id)
    highest = (1 << node.bound_bits) - 1
    least_value = highest
    for w in range(len(to_try)):
        kept[w] = ZERO
    while value <= highest and cost_of_total(game, goal, current.n, current.limit, base + value) < best:
        select_by_bound(game, work, depth, value)
        while True:
            guess = next_guess(game, work, depth, history.used)
            if guess < 0 or must_stop(work.shared):
                break
            w, bit = guess >> 6, ONE << np.uint64(guess & 63)
            to_try[w] &= ~bit
            total, _ = open_guess(search, current, history, guess, best, node_id)
            if total < best:
                kept[w] |= bit
                new_value = min(max(total // goal.guess - base, value), highest)
                least_value = min(least_value, new_value)
                _set_bound(work, depth, guess, new_value)
        if stopped(work.shared):
            return
        value += 1
    for w in range(len(to_try)):
        to_try[w] = kept[w]
        if given:
            work.given_guesses[w] &= kept[w]
    node.value = least_value
    work.state[0].node_id += 1
    node.node_id = work.state[0].node_id
