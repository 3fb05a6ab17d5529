"""The recursion of the search: the least cost of a set of codes, by branch and bound over all guesses.

Costs are whole numbers that add up over the cells of a guess: every guess counts `goal.guess` for each code it is made
for, and a code found at the last guess allowed `goal.last` more. Codes that cannot be found in time cost IMPOSSIBLE.
"""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.bounds import (
    FREE,
    bound_base,
    bound_guesses,
    bound_in_table,
    clear_ranking,
    cost_by_size,
    cost_of_small_set,
    cost_of_total,
    effective_limit,
    table_key,
)
from yomikiri.hitblow.search.kernels.child_windows import cell_weight, child_window, record_cost
from yomikiri.hitblow.search.kernels.current_set import is_separable, load_set
from yomikiri.hitblow.search.kernels.guesses import (
    cell_of,
    next_guess,
    open_guess,
    order_by_cells,
    select_by_bound,
    select_guesses,
    uses_given_guesses,
)
from yomikiri.hitblow.search.kernels.symmetry import refine_group
from yomikiri.hitblow.search.kernels.transposition_table import TranspositionTable, find, put
from yomikiri.hitblow.search.kernels.workspace import (
    ATTAINED,
    BOUND_BITS,
    GONE,
    LIST_OPTIMAL,
    LISTED,
    LOWER,
    MOST,
    NOTHING,
    OF_SET,
    SERIAL,
    SPARE,
    TABLE_FULL,
    USED,
    VALUE,
    WANTED,
    WITHIN,
    WORKSPACE_FULL,
    CurrentSet,
    Goal,
    GuessBatch,
    TurnHistory,
    Workspace,
    publish_guess,
    shared_target,
    symbol_mask,
)
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import ONE, ZERO, Int
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import enter_node, must_stop, stop, stopped

_AHEAD = 700  # sets of so many codes have their guesses ordered by two steps, once a cost is known


@kernel
def begin_set(
    game: Planes,
    table: TranspositionTable,
    work: Workspace,
    goal: Goal,
    current: CurrentSet,
    history: TurnHistory,
    upper: Int,
    wanted: bool,
) -> Int:
    """Take a set in hand, none of its guesses being tried: -1. Or its cost as in `search` where that is known without a
    guess, or `upper` where the search is to stop."""
    depth, start, n, limit = current.depth, current.start, current.n, current.limit
    state, line, key, check = work.state, work.line[depth], current.key, current.check
    if depth == 0 and not wanted:  # below, it is what could not be settled
        cost = cost_by_size(game, goal, n, limit)
        if cost < 0:
            perfect = n <= game.answer_count - 1 and is_separable(game, work.members, start, n)
            cost = cost_of_small_set(goal, n, limit, perfect)
        if cost >= 0:
            return cost
    name = table_key(key, limit, goal)
    lower, attained = find(table, name, check)
    if lower == attained and not wanted:
        return lower
    lower = max(
        cost_of_total(game, goal, n, limit, game.ideal[n]), bound_in_table(game, table, goal, n, key, check, limit)
    )
    if lower >= upper:
        return lower
    if current.top + n > len(work.members) or depth + 1 >= len(work.size):
        stop(work.shared, WORKSPACE_FULL)
    elif state[USED] >= state[SPARE]:
        stop(work.shared, TABLE_FULL)
    if stopped(work.shared) or not enter_node(work.shared):
        return upper
    state[SERIAL] += 1
    given = uses_given_guesses(work, depth)
    cost, bound, most, bits = bound_guesses(game, work, goal, depth, start, n, limit, given or not wanted)
    if must_stop(work.shared):
        return upper
    if cost >= 0 and not wanted:
        state[USED] += put(table, name, check, n, cost, cost)
        return cost
    lower = max(lower, cost_of_total(game, goal, n, limit, bound))
    if lower >= upper:
        state[USED] += put(table, name, check, n, lower, IMPOSSIBLE)
        return lower
    load_set(game, work, depth, start, n)
    clear_ranking(work, depth)
    line[OF_SET], line[GONE] = state[SERIAL], select_guesses(game, work, goal, depth, start, n, history.used)
    if given:
        for w in range(len(work.given_guesses)):
            work.to_try[depth, w] = work.given_guesses[w]
    line[LOWER], line[ATTAINED], line[VALUE], line[BOUND_BITS] = lower, attained, bound - bound_base(n), bits
    line[WITHIN] = game.answer_count if wanted and not given else most
    return -1


@kernel
def _list_guess(work: Workspace, guess: Int, cost: Int) -> None:
    """List a guess at depth 0: the best one alone, or one more of those that are wanted."""
    state = work.state
    if state[WANTED] != LIST_OPTIMAL:
        state[LISTED] = 0
    work.listed_guesses[state[LISTED], 0] = guess
    work.listed_guesses[state[LISTED], 1] = cost
    state[LISTED] += 1


@entry
def list_guesses(
    game: Planes,
    table: TranspositionTable,
    work: Workspace,
    goal: Goal,
    current: CurrentSet,
    history: TurnHistory,
    upper: Int,
) -> Int:
    """List all guesses that a set at depth 0 need try whose bound is below `upper`, with that bound; how many.

    By bound, then in code order. The goal is a total without a limit.
    """
    state, line = work.state, work.line[0]
    if begin_set(game, table, work, goal, current, history, upper, True) >= 0:
        return 0
    base = bound_base(current.n)
    for value in range(line[VALUE], min(1 << line[BOUND_BITS], upper - base)):
        select_by_bound(game, work, 0, value)
        while not must_stop(work.shared):
            guess = next_guess(game, work, 0, history.used)
            if guess < 0:
                break
            _list_guess(work, guess, base + value)
        if stopped(work.shared):
            break
    return state[LISTED]


@entry
def bound_guess_cells(
    game: Planes,
    table: TranspositionTable,
    work: Workspace,
    goal: Goal,
    current: CurrentSet,
    history: TurnHistory,
    upper: Int,
    divided: GuessBatch,
) -> Int:
    """Divide a set at depth 0 by each of some guesses, and bound the cells without entering them, until a guess costs
    `upper` or more: writes the lower bounds by slot, 0 where there is none; how many guesses were done.

    The goal is a total without a limit.
    """
    within, guesses, lowers = divided
    if begin_set(game, table, work, goal, current, history, IMPOSSIBLE, True) >= 0:
        return 0
    lower, work.line[0, WITHIN] = work.lower[0], within
    for i in range(len(guesses)):
        for r in range(game.answer_count):
            lower[r] = 0
        open_guess(game, table, work, goal, current, history, guesses[i], upper, ZERO)
        if must_stop(work.shared):
            return i
        for r in range(game.answer_count):
            lowers[i, r] = lower[r]
    return len(guesses)


@kernel
def _mark_tried(work: Workspace, guess: Int) -> None:
    """One of the given guesses was tried."""
    work.given_guesses[guess >> 6] &= ~(ONE << np.uint64(guess & 63))


@kernel
def _lower_target(work: Workspace, best: Int) -> Int:
    """What the given guesses need be better than: `best`, or less if others have found less. Then the guess that was
    listed for `best` is of no use."""
    elsewhere = shared_target(work)
    if elsewhere >= best:
        return best
    work.state[LISTED] = 0
    return elsewhere


@entry
def search(
    game: Planes,
    table: TranspositionTable,
    work: Workspace,
    goal: Goal,
    current: CurrentSet,
    history: TurnHistory,
    upper: Int,
) -> Int:
    """The least cost of a set: exact if below `upper`, else a lower bound that is at least `upper`.

    The guess by which a cost below `upper` is found at depth 0 is listed. Or `state[WANTED]` asks for guesses there:
    then the set is entered even if its cost is known. Those below `upper` are listed with their costs; or the cost is
    the least after the `work.given_guesses` ones, of which those that are done are taken out.

    Where the search is `stopped`, what the memo then says holds: all guesses of a lower bound than the one in hand were
    tried, so the cost is no less than that bound or the best one found. So does what is listed; and of given guesses
    each that was taken out costs the number returned or more. Any other number means nothing.

    While given guesses are tried others may lower what they need be better than, at any time. It is read anew before
    each comparison, and at depth 0 alone: what a cell is asked is worked out when it is asked, its answer holds
    whatever was needed of it, and the running total of a guess is a lower bound at all times, so that it may be refused
    as soon as any number that suffices is no more than that. The best cost of the given ones is no bound of the set, so
    nothing of depth 0 goes into the memo.
    """
    depth, n = current.depth, current.n
    limit = effective_limit(current.limit, n)
    current = CurrentSet(depth, current.start, n, current.top, limit, current.key, current.check)
    state, line = work.state, work.line[depth]
    wanted = depth == 0 and state[WANTED] != NOTHING
    given = uses_given_guesses(work, depth)
    if limit == FREE and (goal.guess != 1 or goal.last):
        if goal.guess == 0:
            return 0
        plain = Goal(1, 0, goal.consistent)
        most = -(-upper // goal.guess)
        return goal.guess * search(game, table, work, plain, current, history, most)
    cost = begin_set(game, table, work, goal, current, history, upper, wanted)
    if cost >= 0:
        return cost
    size, cell_lower, order = work.size[depth], work.lower[depth], work.open_cells[depth]
    settled, base = work.is_solved[depth], bound_base(n)
    best = upper if wanted else min(upper, line[ATTAINED])
    lower, unordered = line[LOWER], n >= _AHEAD and (given or not wanted) and goal.guess > goal.last
    while (
        line[VALUE] < 1 << line[BOUND_BITS]
        and cost_of_total(game, goal, n, limit, base + line[VALUE]) < best
        and lower < best
    ):
        if given:
            best = _lower_target(work, best)
        if unordered and best < IMPOSSIBLE:
            order_by_cells(game, table, work, goal, current, history, best)
            if stopped(work.shared):
                break
            for w in range(len(work.given_guesses) if given else 0):
                work.given_guesses[w] &= work.to_try[0, w]
            unordered = False
            continue
        select_by_bound(game, work, depth, line[VALUE])
        while cost_of_total(game, goal, n, limit, base + line[VALUE]) < best and lower < best:
            guess = next_guess(game, work, depth, history.used)
            if guess < 0 or must_stop(work.shared):
                break
            if given:
                publish_guess(work, guess)
                best = _lower_target(work, best)
            # Of equal partitions each guess is wanted where guesses are listed.
            node_id = ZERO if wanted and not given else np.uint64(line[OF_SET])
            total, open_cells = open_guess(game, table, work, goal, current, history, guess, best, node_id)
            if total < best:
                refine_group(game, work, depth, guess, history.used)
            cells, later = (
                open_cells,
                TurnHistory(history.turns + 1, history.used | symbol_mask(game, guess), history.absent),
            )
            while total < best and open_cells and not stopped(work.shared):
                weights = 0.0
                for i in range(cells if best < IMPOSSIBLE else 0):
                    if not settled[order[i]]:
                        weights += cell_weight(work, goal, size[order[i]], cell_lower[order[i]])
                for i in range(cells):
                    # Where only the limit counts, the largest cell is the likeliest to refuse the guess.
                    r = order[cells - 1 - i] if goal.guess == 0 else order[i]
                    if given:
                        best = _lower_target(work, best)
                    if settled[r] or total >= best or stopped(work.shared):
                        continue
                    room = cell_lower[r] + best - total
                    if best < IMPOSSIBLE:
                        own_weight = cell_weight(work, goal, size[r], cell_lower[r])
                        room = cell_lower[r] + child_window(n, best - total, own_weight / max(weights, own_weight))
                        weights -= own_weight
                    if history.turns < len(work.turn_guess):
                        work.turn_guess[history.turns] = guess
                        work.turn_answer[history.turns] = r
                    cost = search(game, table, work, goal, cell_of(work, current, r), later, room)
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
                best = _lower_target(work, best)
                _mark_tried(work, guess)
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
    known = (
        max(lower, min(best, cost_of_total(game, goal, n, limit, base + line[VALUE]))) if stopped(work.shared) else best
    )
    if exact and limit == FREE and not stopped(work.shared):
        record_cost(work, n, best)
    state[USED] += put(
        table, table_key(current.key, limit, goal), current.check, n, known, best if exact else IMPOSSIBLE
    )
    return best
