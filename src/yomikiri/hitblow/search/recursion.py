"""The recursion of the search: the least cost of a set of codes, by branch and bound over all guesses.

Costs are whole numbers that add up over the cells of a guess: every guess counts `goal.guess` for each code it is made
for, and a code found at the last guess allowed `goal.last` more. Codes that cannot be found in time cost IMPOSSIBLE.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.kernels_ahead import kernel
from yomikiri.hitblow.search.bounds import (
    FREE,
    allowance,
    assess,
    known_of,
    named,
    priced,
    settle,
    settle_small,
)
from yomikiri.hitblow.search.guesses import DIVIDED, allow, are_given, is_mirrored, look_ahead, open_guess
from yomikiri.hitblow.search.hand import is_perfect, take_in_hand
from yomikiri.hitblow.search.memo import find, put
from yomikiri.hitblow.search.planes import Planes
from yomikiri.hitblow.search.ranked import forget
from yomikiri.hitblow.search.scan import SCORE_BITS, equal
from yomikiri.hitblow.search.shares import learn, share, weight
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.hitblow.search.symmetry import refine
from yomikiri.hitblow.search.workspace import (
    AHEAD,
    ALL_GUESSES,
    ASKED_LAST,
    ATTAINED,
    BEST,
    BOUND_BITS,
    BUDGET,
    CELLS,
    ENOUGH,
    GONE,
    KEPT,
    LEAST,
    LISTED,
    LOWER,
    MOST,
    NODES,
    NOTHING,
    OF_SET,
    OPEN,
    ROOM,
    SERIAL,
    STOPPED,
    TOTAL,
    USED,
    VALUE,
    WANTED,
    WITHIN,
    WORK,
    Goal,
    Workspace,
    symbols_of,
)
from yomikiri.numba_support.bits import ONE, ZERO, Int, lowest

_AHEAD = 700  # sets of so many codes have their guesses ordered by two steps, once a cost is known
OUT_OF_BUDGET, OUT_OF_ROOM = 1, 2  # why a search stopped


@kernel
def enter(
    game: Planes,
    memo: NDArray[np.uint64],
    work: Workspace,
    goal: Goal,
    depth: Int,
    start: Int,
    n: Int,
    top: Int,
    upper: Int,
    limit: Int,
    used: Int,
    key: np.uint64,
    check: np.uint64,
    wanted: Int,
) -> Int:
    """Take a set in hand, and put on the line that none of its guesses has been tried; -1, or its cost as in `search`
    where that is known without a guess."""
    state, line = work.state, work.line[depth]
    if depth == 0 and not wanted:  # below, it is what could not be settled
        cost = settle(game, goal, n, limit)
        if cost < 0:
            perfect = n <= game.slots - 1 and is_perfect(game, work.members, start, n)
            cost = settle_small(goal, n, limit, perfect)
        if cost >= 0:
            return cost
    name = named(key, limit, goal)
    entry_lower, entry_upper = find(memo, name, check)
    if entry_lower == entry_upper and not wanted:
        return entry_lower
    lower = max(priced(game, goal, n, limit, game.ideal[n]), known_of(game, memo, goal, n, key, check, limit))
    if lower >= upper:
        return lower
    enough = state[WORK] >= state[ENOUGH] and state[NODES] >= state[LEAST]
    if enough or state[NODES] >= state[BUDGET]:
        state[STOPPED] = OUT_OF_BUDGET
        return 0
    if top + n > len(work.members) or depth + 1 >= len(work.size):
        state[STOPPED] = OUT_OF_ROOM
        return 0
    state[NODES] += 1
    state[SERIAL] += 1
    given = are_given(work, depth)
    cost, bound, most, bits = assess(game, work, goal, depth, start, n, limit, given or not wanted)
    if cost >= 0 and not wanted:
        state[USED] += put(memo, name, check, n, cost, cost)
        return cost
    lower = max(lower, priced(game, goal, n, limit, bound))
    if lower >= upper:
        state[USED] += put(memo, name, check, n, lower, IMPOSSIBLE)
        return lower
    take_in_hand(game, work, depth, start, n)
    forget(work, depth)
    line[OF_SET], line[GONE] = state[SERIAL], allow(game, work, goal, depth, start, n, used)
    if given:
        for w in range(len(work.given)):
            work.allowed[depth, w] = work.given[w]
    line[VALUE], line[BOUND_BITS] = bound - 3 * n + (1 << SCORE_BITS) - 1, bits
    line[WITHIN] = game.slots if wanted and not given else most
    line[AHEAD] = n >= _AHEAD and (given or not wanted) and goal.guess > goal.last
    line[BEST], line[ATTAINED], line[LOWER] = upper if wanted else min(upper, entry_upper), entry_upper, lower
    return -1


@kernel
def _put_aside(work: Workspace, guess: Int) -> None:
    """One of the given guesses was tried."""
    work.given[guess >> 6] &= ~(ONE << np.uint64(guess & 63))


@kernel
def search(
    game: Planes,
    memo: NDArray[np.uint64],
    work: Workspace,
    goal: Goal,
    depth: Int,
    start: Int,
    n: Int,
    top: Int,
    upper: Int,
    limit: Int,
    turns: Int,
    used: Int,
    absent: Int,
    key: np.uint64,
    check: np.uint64,
) -> Int:
    """The least cost of the n codes at `start`: exact if below `upper`, else a lower bound that is at least `upper`.

    `limit` guesses are allowed, `turns` were made before; `used` are their symbols, `absent` those known absent from
    the start. `members` is free from `top`. The guess by which a cost below `upper` is found at depth 0 is listed. Or
    `state[WANTED]` asks for guesses there: then it is entered even if its cost is known. Those below `upper` are listed
    with their costs, or all with their bounds; or the cost is the least after the `work.given` ones. When budget or
    room is spent, `state[STOPPED]` says so and the number means nothing; what is listed holds.
    """
    state = work.state
    wanted = depth == 0 and state[WANTED] != NOTHING
    given = are_given(work, depth)
    limit = allowance(limit, n)
    if limit == FREE and (goal.guess != 1 or goal.last):
        if goal.guess == 0:
            return 0
        plain = Goal(1, 0, goal.consistent)
        most = -(-upper // goal.guess)
        return goal.guess * search(
            game, memo, work, plain, depth, start, n, top, most, limit, turns, used, absent, key, check
        )
    line = work.line[depth]
    going_on = depth < state[KEPT]
    if going_on:
        if depth + 1 == state[KEPT]:
            state[KEPT] = 0
    else:
        cost = enter(game, memo, work, goal, depth, start, n, top, upper, limit, used, key, check, wanted)
        if cost >= 0:
            return cost
    name = named(key, limit, goal)
    # Of equal partitions each guess is wanted where guesses are listed.
    serial, gone = np.uint64(0 if wanted and not given else line[OF_SET]), line[GONE]
    value, bits, within, best, lower = line[VALUE], line[BOUND_BITS], line[WITHIN], line[BEST], line[LOWER]
    base = 3 * n - (1 << SCORE_BITS) + 1
    allowed, bounds, chosen = work.allowed[depth], work.bounds[depth], work.chosen[depth]
    size, where, cell_lower, order = work.size[depth], work.start[depth], work.lower[depth], work.order[depth]
    settled = work.settled[depth]
    left = limit - 1 if limit < FREE else FREE
    while value < 1 << bits and priced(game, goal, n, limit, base + value) < best and lower < best:
        if line[AHEAD] and best < IMPOSSIBLE and not going_on:
            line[AHEAD], line[VALUE] = 0, value
            value = look_ahead(game, memo, work, goal, depth, start, n, top, best, limit, turns, used, absent)
            if given:
                for w in range(len(allowed)):
                    work.given[w] &= allowed[w]
            serial = np.uint64(line[OF_SET])
            if priced(game, goal, n, limit, base + value) >= best:
                break
        if not going_on:
            equal(bounds, bits, len(game.every), value, allowed, chosen)
        for w in range(len(allowed)):
            while chosen[w] != ZERO and priced(game, goal, n, limit, base + value) < best and lower < best:
                guess = 64 * w + np.int64(lowest(chosen[w]))
                chosen[w] &= chosen[w] - ONE
                if going_on:
                    total, cells = line[TOTAL], line[CELLS]
                else:
                    if is_mirrored(game, work, depth, guess, used, gone):
                        continue
                    if wanted and state[WANTED] == ALL_GUESSES:
                        work.listed[state[LISTED], 0] = guess
                        work.listed[state[LISTED], 1] = base + value
                        state[LISTED] += 1
                        continue
                    state[WORK] += n + DIVIDED
                    total, cells = open_guess(
                        game, memo, work, goal, depth, start, n, guess, top, best, within, limit, turns, absent, serial
                    )
                    if total >= best:
                        if given:
                            _put_aside(work, guess)
                        continue
                    refine(game, work, depth, guess, used)
                left_open = line[OPEN] if going_on else cells
                while total < best and left_open:
                    weights = 0.0
                    if best < IMPOSSIBLE and not going_on:
                        for i in range(cells):
                            if not settled[order[i]]:
                                weights += weight(work, goal, size[order[i]], cell_lower[order[i]])
                    for i in range(line[ASKED_LAST] if going_on else 0, cells):
                        r = order[i]
                        if settled[r] or total >= best:
                            continue
                        room = best - (total - cell_lower[r])
                        if going_on:
                            room, weights = line[ROOM], float(work.weights[depth])
                        elif best < IMPOSSIBLE:
                            own_weight = weight(work, goal, size[r], cell_lower[r])
                            part = share(n, best - total, own_weight / max(weights, own_weight))
                            weights -= own_weight
                            room = min(room, cell_lower[r] + part)
                        going_on = False
                        if turns < len(work.turn_guess):
                            work.turn_guess[turns] = guess
                            work.turn_slot[turns] = r
                        cost = search(
                            game,
                            memo,
                            work,
                            goal,
                            depth + 1,
                            where[r],
                            size[r],
                            top + n,
                            room,
                            left,
                            turns + 1,
                            used | symbols_of(game, guess),
                            absent,
                            work.key[depth, 0, r],
                            work.key[depth, 1, r],
                        )
                        if state[STOPPED]:
                            if wanted and not given:
                                state[KEPT] = 0
                                return 0
                            if not wanted:
                                known = max(lower, min(best, priced(game, goal, n, limit, base + value)))
                                attained = best if best < upper or best == line[ATTAINED] else IMPOSSIBLE
                                state[USED] += put(memo, name, check, n, known, attained)
                            state[KEPT] = max(state[KEPT], depth + 1)
                            chosen[w] |= ONE << np.uint64(guess & 63)
                            line[VALUE], line[BEST], line[TOTAL] = value, best, total
                            line[CELLS], line[OPEN], line[ASKED_LAST], line[ROOM] = cells, left_open, i, room
                            work.weights[depth] = weights
                            return 0
                        if cost < room:
                            settled[r] = True
                            left_open -= 1
                        if cost > cell_lower[r]:
                            total += cost - cell_lower[r]
                            cell_lower[r] = cost
                if given:
                    _put_aside(work, guess)
                if total >= best:
                    continue
                if given or not wanted:
                    best = total
                if depth:
                    continue
                if given or not wanted:
                    state[LISTED] = 0
                work.listed[state[LISTED], 0] = guess
                work.listed[state[LISTED], 1] = total
                state[LISTED] += 1
                if wanted and not given and state[LISTED] == state[MOST]:
                    return total
        value += 1
    if wanted:
        return best
    exact = best < upper or best == line[ATTAINED]
    if exact and limit == FREE:
        learn(work, n, best)
    state[USED] += put(memo, name, check, n, best, best if exact else IMPOSSIBLE)
    return best
