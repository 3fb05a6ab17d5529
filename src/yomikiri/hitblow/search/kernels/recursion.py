"""The recursion of the search: the least cost of a set of codes, by branch and bound over all guesses.

Costs are whole numbers that add up over the cells of a guess: every guess counts `goal.guess` for each code it is made
for, and a code found at the last guess allowed `goal.last` more. Codes that cannot be found in time cost IMPOSSIBLE.
"""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.bounds import (
    FREE,
    allowance,
    assess,
    base_of,
    forget,
    known_of,
    named,
    priced,
    settle,
    settle_small,
)
from yomikiri.hitblow.search.kernels.child_windows import learn, share, weight
from yomikiri.hitblow.search.kernels.current_set import is_perfect, take_in_hand
from yomikiri.hitblow.search.kernels.guesses import (
    allow,
    are_given,
    cell_of,
    choose,
    look_ahead,
    next_guess,
    open_guess,
)
from yomikiri.hitblow.search.kernels.symmetry import refine
from yomikiri.hitblow.search.kernels.transposition_table import TranspositionTable, find, put
from yomikiri.hitblow.search.kernels.workspace import (
    ATTAINED,
    BEST_GUESSES,
    BOUND_BITS,
    GONE,
    LISTED,
    LOWER,
    MOST,
    NOTHING,
    OF_SET,
    OUT_OF_MEMO,
    OUT_OF_ROOM,
    SERIAL,
    SPARE,
    USED,
    VALUE,
    WANTED,
    WITHIN,
    Divided,
    Goal,
    Held,
    Past,
    Workspace,
    begin_guess,
    best_elsewhere,
    symbols_of,
)
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import ONE, ZERO, Int
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import enter_node, must_stop, stop, stopped

_AHEAD = 700  # sets of so many codes have their guesses ordered by two steps, once a cost is known


@kernel
def enter(
    game: Planes,
    memo: TranspositionTable,
    work: Workspace,
    goal: Goal,
    held: Held,
    past: Past,
    upper: Int,
    wanted: bool,
) -> Int:
    """Take a set in hand, none of its guesses being tried: -1. Or its cost as in `search` where that is known without a
    guess, or `upper` where the search is to stop."""
    depth, start, n, limit = held.depth, held.start, held.n, held.limit
    state, line, key, check = work.state, work.line[depth], held.key, held.check
    if depth == 0 and not wanted:  # below, it is what could not be settled
        cost = settle(game, goal, n, limit)
        if cost < 0:
            perfect = n <= game.slots - 1 and is_perfect(game, work.members, start, n)
            cost = settle_small(goal, n, limit, perfect)
        if cost >= 0:
            return cost
    name = named(key, limit, goal)
    lower, attained = find(memo, name, check)
    if lower == attained and not wanted:
        return lower
    lower = max(priced(game, goal, n, limit, game.ideal[n]), known_of(game, memo, goal, n, key, check, limit))
    if lower >= upper:
        return lower
    if held.top + n > len(work.members) or depth + 1 >= len(work.size):
        stop(work.shared, OUT_OF_ROOM)
    elif state[USED] >= state[SPARE]:
        stop(work.shared, OUT_OF_MEMO)
    if stopped(work.shared) or not enter_node(work.shared):
        return upper
    state[SERIAL] += 1
    given = are_given(work, depth)
    cost, bound, most, bits = assess(game, work, goal, depth, start, n, limit, given or not wanted)
    if must_stop(work.shared):
        return upper
    if cost >= 0 and not wanted:
        state[USED] += put(memo, name, check, n, cost, cost)
        return cost
    lower = max(lower, priced(game, goal, n, limit, bound))
    if lower >= upper:
        state[USED] += put(memo, name, check, n, lower, IMPOSSIBLE)
        return lower
    take_in_hand(game, work, depth, start, n)
    forget(work, depth)
    line[OF_SET], line[GONE] = state[SERIAL], allow(game, work, goal, depth, start, n, past.used)
    if given:
        for w in range(len(work.given)):
            work.allowed[depth, w] = work.given[w]
    line[LOWER], line[ATTAINED], line[VALUE], line[BOUND_BITS] = lower, attained, bound - base_of(n), bits
    line[WITHIN] = game.slots if wanted and not given else most
    return -1


@kernel
def _list_guess(work: Workspace, guess: Int, cost: Int) -> None:
    """List a guess at depth 0: the best one alone, or one more of those that are wanted."""
    state = work.state
    if state[WANTED] != BEST_GUESSES:
        state[LISTED] = 0
    work.listed[state[LISTED], 0] = guess
    work.listed[state[LISTED], 1] = cost
    state[LISTED] += 1


@entry
def list_guesses(
    game: Planes, memo: TranspositionTable, work: Workspace, goal: Goal, held: Held, past: Past, upper: Int
) -> Int:
    """List all guesses that a set at depth 0 need try whose bound is below `upper`, with that bound; how many.

    By bound, then in code order. The goal is a total without a limit.
    """
    state, line = work.state, work.line[0]
    if enter(game, memo, work, goal, held, past, upper, True) >= 0:
        return 0
    base = base_of(held.n)
    for value in range(line[VALUE], min(1 << line[BOUND_BITS], upper - base)):
        choose(game, work, 0, value)
        while not must_stop(work.shared):
            guess = next_guess(game, work, 0, past.used)
            if guess < 0:
                break
            _list_guess(work, guess, base + value)
        if stopped(work.shared):
            break
    return state[LISTED]


@entry
def bound_cells(
    game: Planes,
    memo: TranspositionTable,
    work: Workspace,
    goal: Goal,
    held: Held,
    past: Past,
    upper: Int,
    divided: Divided,
) -> Int:
    """Divide a set at depth 0 by each of some guesses, and bound the cells without entering them, until a guess costs
    `upper` or more: writes the lower bounds by slot, 0 where there is none; how many guesses were done.

    The goal is a total without a limit.
    """
    within, guesses, lowers = divided
    if enter(game, memo, work, goal, held, past, IMPOSSIBLE, True) >= 0:
        return 0
    lower, work.line[0, WITHIN] = work.lower[0], within
    for i in range(len(guesses)):
        for r in range(game.slots):
            lower[r] = 0
        open_guess(game, memo, work, goal, held, past, guesses[i], upper, ZERO)
        if must_stop(work.shared):
            return i
        for r in range(game.slots):
            lowers[i, r] = lower[r]
    return len(guesses)


@kernel
def _put_aside(work: Workspace, guess: Int) -> None:
    """One of the given guesses was tried."""
    work.given[guess >> 6] &= ~(ONE << np.uint64(guess & 63))


@kernel
def _lowered(work: Workspace, best: Int) -> Int:
    """What the given guesses need be better than: `best`, or less if others have found less. Then the guess that was
    listed for `best` is of no use."""
    elsewhere = best_elsewhere(work)
    if elsewhere >= best:
        return best
    work.state[LISTED] = 0
    return elsewhere


@entry
def search(
    game: Planes, memo: TranspositionTable, work: Workspace, goal: Goal, held: Held, past: Past, upper: Int
) -> Int:
    """The least cost of a set: exact if below `upper`, else a lower bound that is at least `upper`.

    The guess by which a cost below `upper` is found at depth 0 is listed. Or `state[WANTED]` asks for guesses there:
    then the set is entered even if its cost is known. Those below `upper` are listed with their costs; or the cost is
    the least after the `work.given` ones, of which those that are done are taken out.

    Where the search is `stopped`, what the memo then says holds: all guesses of a lower bound than the one in hand were
    tried, so the cost is no less than that bound or the best one found. So does what is listed; and of given guesses
    each that was taken out costs the number returned or more. Any other number means nothing.

    While given guesses are tried others may lower what they need be better than, at any time. It is read anew before
    each comparison, and at depth 0 alone: what a cell is asked is worked out when it is asked, its answer holds
    whatever was needed of it, and the running total of a guess is a lower bound at all times, so that it may be refused
    as soon as any number that suffices is no more than that. The best cost of the given ones is no bound of the set, so
    nothing of depth 0 goes into the memo.
    """
    depth, n = held.depth, held.n
    limit = allowance(held.limit, n)
    held = Held(depth, held.start, n, held.top, limit, held.key, held.check)
    state, line = work.state, work.line[depth]
    wanted = depth == 0 and state[WANTED] != NOTHING
    given = are_given(work, depth)
    if limit == FREE and (goal.guess != 1 or goal.last):
        if goal.guess == 0:
            return 0
        plain = Goal(1, 0, goal.consistent)
        most = -(-upper // goal.guess)
        return goal.guess * search(game, memo, work, plain, held, past, most)
    cost = enter(game, memo, work, goal, held, past, upper, wanted)
    if cost >= 0:
        return cost
    size, cell_lower, order = work.size[depth], work.lower[depth], work.order[depth]
    settled, base = work.settled[depth], base_of(n)
    best = upper if wanted else min(upper, line[ATTAINED])
    lower, unordered = line[LOWER], n >= _AHEAD and (given or not wanted) and goal.guess > goal.last
    while (
        line[VALUE] < 1 << line[BOUND_BITS] and priced(game, goal, n, limit, base + line[VALUE]) < best and lower < best
    ):
        if given:
            best = _lowered(work, best)
        if unordered and best < IMPOSSIBLE:
            look_ahead(game, memo, work, goal, held, past, best)
            if stopped(work.shared):
                break
            for w in range(len(work.given) if given else 0):
                work.given[w] &= work.allowed[0, w]
            unordered = False
            continue
        choose(game, work, depth, line[VALUE])
        while priced(game, goal, n, limit, base + line[VALUE]) < best and lower < best:
            guess = next_guess(game, work, depth, past.used)
            if guess < 0 or must_stop(work.shared):
                break
            if given:
                begin_guess(work, guess)
                best = _lowered(work, best)
            # Of equal partitions each guess is wanted where guesses are listed.
            serial = ZERO if wanted and not given else np.uint64(line[OF_SET])
            total, open_cells = open_guess(game, memo, work, goal, held, past, guess, best, serial)
            if total < best:
                refine(game, work, depth, guess, past.used)
            cells, later = open_cells, Past(past.turns + 1, past.used | symbols_of(game, guess), past.absent)
            while total < best and open_cells and not stopped(work.shared):
                weights = 0.0
                for i in range(cells if best < IMPOSSIBLE else 0):
                    if not settled[order[i]]:
                        weights += weight(work, goal, size[order[i]], cell_lower[order[i]])
                for i in range(cells):
                    # Where only the limit counts, the largest cell is the likeliest to refuse the guess.
                    r = order[cells - 1 - i] if goal.guess == 0 else order[i]
                    if given:
                        best = _lowered(work, best)
                    if settled[r] or total >= best or stopped(work.shared):
                        continue
                    room = cell_lower[r] + best - total
                    if best < IMPOSSIBLE:
                        own_weight = weight(work, goal, size[r], cell_lower[r])
                        room = cell_lower[r] + share(n, best - total, own_weight / max(weights, own_weight))
                        weights -= own_weight
                    if past.turns < len(work.turn_guess):
                        work.turn_guess[past.turns] = guess
                        work.turn_slot[past.turns] = r
                    cost = search(game, memo, work, goal, cell_of(work, held, r), later, room)
                    if stopped(work.shared):
                        continue
                    if cost < room:
                        settled[r] = True
                        open_cells -= 1
                    if cost > cell_lower[r]:
                        total += cost - cell_lower[r]
                        cell_lower[r] = cost
            if stopped(work.shared):
                break
            if given:
                best = _lowered(work, best)
                _put_aside(work, guess)
            if total >= best:
                continue
            if given or not wanted:
                best = total
            if depth == 0:
                _list_guess(work, guess, total)
                if wanted and not given and state[LISTED] == state[MOST]:
                    return total
        if stopped(work.shared):
            break
        line[VALUE] += 1
    if wanted:
        return best
    exact = best < upper or best == line[ATTAINED]
    known = max(lower, min(best, priced(game, goal, n, limit, base + line[VALUE]))) if stopped(work.shared) else best
    if exact and limit == FREE and not stopped(work.shared):
        learn(work, n, best)
    state[USED] += put(memo, named(held.key, limit, goal), held.check, n, known, best if exact else IMPOSSIBLE)
    return best
