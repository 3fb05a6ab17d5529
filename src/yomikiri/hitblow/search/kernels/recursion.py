"""The recursion of the search: the least cost of a set of codes, by branch and bound over all guesses.

Costs are integers that add up over the cells of a guess. Every guess costs `goal.guess` for each code of the set at
which it is made. A code found at the last guess that the limit allows costs `goal.last` more. A set that cannot be
solved within its limit costs IMPOSSIBLE.

Three kernels search a set:

- `search_set` returns the least cost of a set.
- `search_given` returns the least cost after some given first guesses, while other threads search the rest.
- `list_optimal` lists first guesses that cost less than a given number.

All of them take guesses from `next_guess_below` and expand them with `try_guess`, which calls `search_set` for the
cells. Two more kernels, `list_guesses` and `bound_guess_cells`, compute bounds without searching the cells.

A search can stop at any time. All bounds that it wrote to the transposition table remain valid. The bounds of a
finished set are written at its end. If the search stops, the unfinished sets on the path get the bound of the guess
that was being tried. All guesses with smaller bounds had been tried by then. So the cost is at least that bound or the
best cost found, whichever is less.
"""

from __future__ import annotations

import numpy as np

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.transposition_table import find, put
from yomikiri.hitblow.search.kernels.bounds import (
    FREE,
    bound_base,
    bound_guesses,
    bound_in_table,
    clear_ranking,
    closed_form,
    cost_of_total,
    effective_limit,
    table_key,
)
from yomikiri.hitblow.search.kernels.child_windows import cell_weight, child_window, record_cost
from yomikiri.hitblow.search.kernels.current_set import load_set
from yomikiri.hitblow.search.kernels.guesses import (
    cell_of,
    next_guess,
    next_guess_below,
    open_guess,
    select_by_bound,
    select_guesses,
    uses_given_guesses,
)
from yomikiri.hitblow.search.kernels.symmetry import refine_group
from yomikiri.hitblow.search.kernels.workspace import (
    COST_ONLY,
    GIVEN_GUESSES,
    LIST_GUESSES,
    TABLE_FULL,
    WORKSPACE_FULL,
    CurrentSet,
    Goal,
    GuessBatch,
    Search,
    TurnHistory,
    Workspace,
    publish_guess,
    shared_target,
    symbol_mask,
)
from yomikiri.machine.bits import ONE, ZERO, Int
from yomikiri.machine.kernel import entry, inlined, kernel
from yomikiri.machine.shared_words import enter_node, must_stop, stop, stopped

# In a set of at least this number of codes, each guess gets the sum of the bounds of its cells as its bound. The
# guesses are then tried in the order of these bounds. They are computed as soon as there is a cost that the guesses
# have to beat.
_ORDERED = 700


@kernel
def _counts_totals(goal: Goal, limit: Int) -> bool:
    """Return True if the search should minimise the total number of guesses instead of the cost of the goal.

    This is the case if the candidate set has no limit, and the goal is not the total already. Without a limit, the cost
    is `goal.guess` times the total, so the least total gives the least cost.
    """
    return bool(limit == FREE and (goal.guess != 1 or goal.last != 0))


@kernel
def _for_totals(search: Search) -> Search:
    """Return the same search with the total number of guesses as its cost."""
    return Search(search.game, search.table, search.work, Goal(1, 0, search.goal.consistent))


@kernel
def _with_limit(current: CurrentSet) -> CurrentSet:
    """Return the candidate set, with its limit on the guesses replaced by FREE if it is too high to have an effect."""
    limit = effective_limit(current.limit, current.n)
    return CurrentSet(current.depth, current.start, current.n, current.top, limit, current.key, current.check)


@inlined
def _may_enter(search: Search, current: CurrentSet) -> bool:
    """Return True if the search of a candidate set may begin. Then the set is also counted as entered.

    Return False if the search must stop, for example because the workspace or the transposition table is full.
    """
    work = search.work
    if current.top + current.n > len(work.members) or current.depth + 1 >= len(work.size):
        stop(work.shared, WORKSPACE_FULL)
    elif work.state[0].table_used >= work.state[0].table_limit:
        stop(work.shared, TABLE_FULL)
    if stopped(work.shared) or not enter_node(work.shared):
        return False
    work.state[0].node_id += 1
    return True


@kernel
def begin_set(search: Search, current: CurrentSet, history: TurnHistory, upper: Int) -> Int:
    """Begin the search of a candidate set. Returns -1 if guesses have to be tried.

    Otherwise returns the result of `search_set`: the cost, or a lower bound of at least `upper`. The result comes from
    a formula, the transposition table or the bounds of all guesses. If the search must stop, returns `upper`, which
    proves nothing.

    At depth 0, the mode may be LIST_GUESSES or GIVEN_GUESSES. Then a result is needed for single guesses. So -1 is
    returned even if the cost of the set is known, unless a lower bound of the cost reaches `upper`.
    """
    game, table, work, goal = search.game, search.table, search.work, search.goal
    depth, n, limit, check = current.depth, current.n, current.limit, current.check
    given = uses_given_guesses(work, depth)
    cost_only = depth > 0 or work.state[0].mode == COST_ONLY
    # At a greater depth, `open_guess` has already solved all cells whose costs follow from a formula.
    if depth == 0 and cost_only:
        cost = closed_form(search, current)
        if cost >= 0:
            return cost
    key = table_key(current.key, limit, goal)
    known_lower, known_upper = find(table, key, check)
    if known_lower == known_upper and cost_only:
        return known_lower
    lower = max(
        cost_of_total(game, goal, n, limit, game.ideal[n]), bound_in_table(search, n, current.key, check, limit)
    )
    if lower >= upper:
        return lower
    if not _may_enter(search, current):
        return upper
    cost, bound, most_score, bits = bound_guesses(search, current, given or cost_only)
    if must_stop(work.shared):
        return upper
    if cost >= 0 and cost_only:
        work.state[0].table_used += put(table, key, check, n, cost, cost)
        return cost
    lower = max(lower, cost_of_total(game, goal, n, limit, bound))
    if lower >= upper:
        work.state[0].table_used += put(table, key, check, n, lower, IMPOSSIBLE)
        return lower
    load_set(game, work, depth, current.start, n)
    clear_ranking(work, depth)
    node = work.nodes[depth]
    node.node_id = work.state[0].node_id
    node.absent = select_guesses(search, current, history.used)
    node.lower, node.upper = lower, known_upper
    node.value, node.bound_bits, node.is_selected = bound - bound_base(n), bits, 0
    node.most_score = most_score if given or cost_only else game.answer_count
    node.is_unordered = 1 if n >= _ORDERED and (given or cost_only) and goal.guess > goal.last else 0
    return -1


@kernel
def _list_guess(work: Workspace, guess: Int, cost: Int) -> None:
    """Write a first guess with its cost or bound to `work.listed_guesses`.

    In the mode LIST_GUESSES, the guess is appended to the list. In other modes, it replaces the list.
    """
    state = work.state[0]
    if state.mode != LIST_GUESSES:
        state.listed = 0
    work.listed_guesses[state.listed, 0] = guess
    work.listed_guesses[state.listed, 1] = cost
    state.listed += 1


@entry
def list_guesses(search: Search, current: CurrentSet, history: TurnHistory, upper: Int) -> Int:
    """List the first guesses to try at a candidate set at depth 0: those with a bound below `upper`, with these bounds.

    The list is in the order of the bounds, then in code order. Returns the number of guesses. The goal must be the
    total number of guesses, and the set must have no limit.
    """
    game, work = search.game, search.work
    state, node = work.state[0], work.nodes[0]
    state.mode, state.listed = LIST_GUESSES, 0
    if begin_set(search, current, history, upper) >= 0:
        return 0
    base = bound_base(current.n)
    for value in range(node.value, min(1 << node.bound_bits, upper - base)):
        select_by_bound(game, work, 0, value)
        while not must_stop(work.shared):
            guess = next_guess(game, work, 0, history.used)
            if guess < 0:
                break
            _list_guess(work, guess, base + value)
        if stopped(work.shared):
            break
    return state.listed


@entry
def bound_guess_cells(search: Search, current: CurrentSet, history: TurnHistory, upper: Int, batch: GuessBatch) -> Int:
    """Compute lower bounds of the cells of the first guesses in `batch`, without searching the cells.

    Writes one bound for each answer to `batch.lowers`. The work on a guess ends when the bound of the guess reaches
    `upper`. The bound of a cell is 0 if it was not reached by then, or if a formula gives the cost of the cell. Returns
    the number of guesses that were completed before the search had to stop. The goal must be the total number of
    guesses, and the set must have no limit on the guesses.
    """
    game, work = search.game, search.work
    work.state[0].mode = LIST_GUESSES
    if begin_set(search, current, history, IMPOSSIBLE) >= 0:
        return 0
    lower, work.nodes[0].most_score = work.lower[0], batch.most_score
    for i in range(len(batch.guesses)):
        for r in range(game.answer_count):
            lower[r] = 0
        open_guess(search, current, history, batch.guesses[i], upper, ZERO)
        if must_stop(work.shared):
            return i
        for r in range(game.answer_count):
            batch.lowers[i, r] = lower[r]
    return len(batch.guesses)


@kernel
def _mark_done(work: Workspace, guess: Int) -> None:
    work.given_guesses[guess >> 6] &= ~(ONE << np.uint64(guess & 63))


@kernel
def _lower_target(work: Workspace, best: Int) -> Int:
    """Return the cost that a first guess has to beat: `best`, or the cost found by another thread if it is less.

    If the cost found by another thread is less, the kernel clears `work.listed_guesses`. The guess in that list costs
    `best`, so it is no longer the best guess.
    """
    target = shared_target(work)
    if target >= best:
        return best
    work.state[0].listed = 0
    return target


@inlined
def _weight_of_open_cells(search: Search, depth: Int, count: Int) -> float:
    work, weights = search.work, 0.0
    for i in range(count):
        r = work.open_cells[depth, i]
        if not work.is_bounded[depth, r]:
            weights += cell_weight(work, search.goal, work.size[depth, r], work.lower[depth, r])
    return weights


@kernel
def _note_turn(work: Workspace, turn: Int, guess: Int, r: Int) -> None:
    if turn < len(work.turn_guess):
        work.turn_guess[turn] = guess
        work.turn_answer[turn] = r


@inlined
def try_guess(search: Search, current: CurrentSet, history: TurnHistory, guess: Int, best: Int) -> tuple[Int, Int]:
    """Search the cells of a guess. Returns (cost of the candidate set after this guess, cost to beat).

    The first result is exact if it is below the cost to beat, and otherwise a lower bound. The cost to beat is `best`,
    or less if other threads have lowered it. The results are invalid if the search is `stopped`.

    The cells are searched in rounds until the guess is refuted or all cells are solved. In each round, a cell is
    searched up to a limit on its cost, its *child window*.
    """
    work, goal, depth = search.work, search.goal, current.depth
    given, lists = uses_given_guesses(work, depth), depth == 0 and work.state[0].mode == LIST_GUESSES
    # All guesses with equal partitions are to be listed, so none may be skipped as a repetition.
    node_id = ZERO if lists else np.uint64(work.nodes[depth].node_id)
    total, open_count = open_guess(search, current, history, guess, best, node_id)
    if total < best:
        refine_group(search.game, work, depth, guess, history.used)
    later = TurnHistory(history.turns + 1, history.used | symbol_mask(search.game, guess), history.absent)
    order, is_bounded, cell_lower, count = work.open_cells[depth], work.is_bounded[depth], work.lower[depth], open_count
    while total < best and open_count and not stopped(work.shared):
        weights = _weight_of_open_cells(search, depth, count) if best < IMPOSSIBLE else 0.0
        for i in range(count):
            # If only the limit on guesses matters, begin with the largest cell, the likeliest one to refute the guess.
            r = order[count - 1 - i] if goal.guess == 0 else order[i]
            if given:
                best = _lower_target(work, best)
            if total >= best or stopped(work.shared):
                break
            if is_bounded[r]:
                continue
            window = cell_lower[r] + best - total
            if best < IMPOSSIBLE:
                weight = cell_weight(work, goal, work.size[depth, r], cell_lower[r])
                window = cell_lower[r] + child_window(current.n, best - total, weight / max(weights, weight))
                weights -= weight
            _note_turn(work, history.turns, guess, r)
            cost = search_set(search, cell_of(work, current, r), later, window)
            if stopped(work.shared):
                break
            if cost < window:
                is_bounded[r] = True
                open_count -= 1
            if cost > cell_lower[r]:
                total += cost - cell_lower[r]
                cell_lower[r] = cost
    return total, best


@inlined
def _record_result(search: Search, current: CurrentSet, upper: Int, best: Int) -> Int:
    """Write the bounds of a searched set to the transposition table, and return `best`, the result of the search."""
    work, node, n, limit = search.work, search.work.nodes[current.depth], current.n, current.limit
    is_exact = best < upper or best == node.upper
    lower = best
    if stopped(work.shared):
        lower = max(
            node.lower, min(best, cost_of_total(search.game, search.goal, n, limit, bound_base(n) + node.value))
        )
    elif is_exact and limit == FREE:
        record_cost(work, n, best)
    key = table_key(current.key, limit, search.goal)
    work.state[0].table_used += put(search.table, key, current.check, n, lower, best if is_exact else IMPOSSIBLE)
    return best


@entry
def search_set(search: Search, current: CurrentSet, history: TurnHistory, upper: Int) -> Int:
    """Return the least cost of a candidate set if it is below `upper`, otherwise a lower bound of the cost.

    The lower bound is at least `upper`. At depth 0, the best guess found so far is in `work.listed_guesses`, if its
    cost is below `upper`. If the search is `stopped`, the returned cost is invalid, but the guess in
    `work.listed_guesses` and its cost remain valid.
    """
    work, goal, depth = search.work, search.goal, current.depth
    current = _with_limit(current)
    if _counts_totals(goal, current.limit):
        if goal.guess == 0:
            return 0
        return goal.guess * search_set(_for_totals(search), current, history, -(-upper // goal.guess))
    if depth == 0:
        work.state[0].mode = COST_ONLY
    cost = begin_set(search, current, history, upper)
    if cost >= 0:
        return cost
    best = min(upper, work.nodes[depth].upper)
    while True:
        guess = next_guess_below(search, current, history, best)
        if guess < 0:
            break
        total, _ = try_guess(search, current, history, guess, best)
        if stopped(work.shared):
            break
        if total < best:
            best = total
            if depth == 0:
                _list_guess(work, guess, total)
    return _record_result(search, current, upper, best)


@entry
def search_given(search: Search, current: CurrentSet, history: TurnHistory, upper: Int) -> Int:
    """Search a candidate set at depth 0 with each of `work.given_guesses` first.

    If a lower bound of the cost of the set reaches `upper`, returns that bound at once. Otherwise returns the *target*
    at the end: the cost that a given guess still has to beat. The target is `upper` at first. It falls when this search
    or another thread finds a lower cost. At the end, two statements are true, even if the search is `stopped`:

    - The search has removed each finished guess from `given_guesses`. Every removed guess costs at least the target.
    - If `work.listed_guesses` contains a guess, this guess costs exactly the target.

    If the search minimises the total instead of the cost (`_counts_totals`), the list contains totals.

    Other threads may lower the target at any time while the guesses are tried. The search reads the target again before
    it searches each cell of a given guess, and after the guess. The results stay valid for two reasons:

    - Each cell is searched up to a limit on its cost, its *child window*. The result is valid whatever the limit was.
    - The running total of a guess is a lower bound of its cost at all times. So the guess is refuted as soon as its
      running total reaches the target.

    The best cost of the given guesses is not a bound of the set, because other guesses may cost less. So it is not
    written to the transposition table.
    """
    work, goal = search.work, search.goal
    current = _with_limit(current)
    if _counts_totals(goal, current.limit):
        if goal.guess == 0:
            return 0
        return goal.guess * search_given(_for_totals(search), current, history, -(-upper // goal.guess))
    work.state[0].mode = GIVEN_GUESSES
    cost = begin_set(search, current, history, upper)
    if cost >= 0:
        return cost
    best = upper
    while True:
        best = _lower_target(work, best)
        guess = next_guess_below(search, current, history, best)
        if guess < 0:
            break
        publish_guess(work, guess)
        best = _lower_target(work, best)
        total, best = try_guess(search, current, history, guess, best)
        if stopped(work.shared):
            break
        best = _lower_target(work, best)
        _mark_done(work, guess)
        if total < best:
            best = total
            _list_guess(work, guess, total)
    return best


@entry
def list_optimal(search: Search, current: CurrentSet, history: TurnHistory, upper: Int) -> Int:
    """List first guesses after which a candidate set at depth 0 costs less than `upper`, with those costs.

    At most `list_limit` guesses are listed. They are tried in the order of their bounds, then in code order. Returns
    the number of listed guesses. The list is incomplete if the search is `stopped`. If the search minimises the total
    instead of the cost (`_counts_totals`), the list contains totals.
    """
    work, goal, state = search.work, search.goal, search.work.state[0]
    current = _with_limit(current)
    if _counts_totals(goal, current.limit):
        if goal.guess == 0:
            return 0
        return list_optimal(_for_totals(search), current, history, -(-upper // goal.guess))
    state.mode, state.listed = LIST_GUESSES, 0
    if begin_set(search, current, history, upper) >= 0:
        return 0
    while state.listed < state.list_limit:
        guess = next_guess_below(search, current, history, upper)
        if guess < 0:
            break
        total, _ = try_guess(search, current, history, guess, upper)
        if stopped(work.shared):
            break
        if total < upper:
            _list_guess(work, guess, total)
    return state.listed
