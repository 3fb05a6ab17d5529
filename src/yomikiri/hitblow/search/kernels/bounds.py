"""Lower bounds of the cost of a set of codes: formulas, the scan of all guesses, the transposition table.

- The *total* of a set is the least number of guesses that find its codes, summed over the codes.
- The *limit* of a set is the number of guesses within which all its codes must be found.
- The *score* of a guess at a set is the number of different answers to it, plus 1 if it is in the set. The greater the
  score, the lower is the bound of the guess that `scan` computes.
- A *ranking* of the current set is the list of all guesses in descending order of their scores at that set.

A ranking shortens the scan of a cell. The score of a guess at a cell is at most its score at the current set, which
contains the cell. The kernels scan the guesses in the order of the ranking, in blocks of 512. They stop when no
remaining guess has a greater score at the current set than the best score found at the cell. Then no remaining guess
can be better at the cell.
"""

from __future__ import annotations

import numpy as np

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.partition import CodeSlice
from yomikiri.guessing.kernels.transposition_table import find, put
from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.current_set import is_separable, write_planes
from yomikiri.hitblow.search.kernels.occurring import mark
from yomikiri.hitblow.search.kernels.scan import (
    SCORE_BITS,
    add_excess,
    greatest_of_block,
    greatest_score,
    least,
    scan_scores,
)
from yomikiri.hitblow.search.kernels.workspace import CurrentSet, Goal, Search, Workspace
from yomikiri.machine.bits import ONE, ZERO, Int, lowest, mix
from yomikiri.machine.kernel import kernel
from yomikiri.machine.shared_words import must_stop
from yomikiri.machine.vectors import BITS, LANES, blank

FREE = 1 << 20  # limit on the number of guesses that stands for "no limit"
# A search that lists guesses (LIST_GUESSES) uses cheap bounds: in sets of at most this number of codes, the bound of a
# guess leaves out the *excess*. The excess is the number of guesses that codes need beyond guess 3, summed over the
# codes. Only codes in large cells need such guesses.
WEAK = 70
# Limits on the size of a set, as multiples of the number of possible answers. Sets above a limit get tighter bounds,
# which take longer. `_ENTERED`: when the search of such a set begins, the bounds of its guesses include the excess.
# `_BOUNDED`: when such a set is a cell that is bounded without a search, a bound is computed for every guess at it.
_ENTERED, _BOUNDED = 4, 5
# The first cells of a candidate set, up to this number, are bounded without sorting the guesses of the set by score.
# Sorting pays only if more cells need a bound.
_UNSORTED = 3
_GREATEST_SCORE = (1 << SCORE_BITS) - 1


@kernel
def effective_limit(limit: Int, n: Int) -> Int:
    """Return the limit on the guesses for a set of n codes, or FREE if the limit is above n.

    Such a limit has no effect, because every useful guess leaves fewer codes, so n guesses suffice.
    """
    return FREE if limit > n else limit


@kernel
def table_key(key: np.uint64, limit: Int, goal: Goal) -> np.uint64:
    """Return the key of a candidate set in the transposition table.

    `key` is the first word of the Zobrist hash of the set. Without a limit, the entry contains bounds of the total
    number of guesses, whatever the goal, and its key is `key` itself. With a limit, the entry contains bounds of the
    cost. Its key then also depends on the limit and on the kind of cost (`Count`). The number goal.guess + goal.last is
    different for each kind, so it identifies the kind. This number and the limit are packed into one word of 64 bits,
    32 bits each. So the word is different for different pairs. `goal.consistent` is no part of the key, because it is
    the same for all entries of one table.
    """
    return key if limit == FREE else key ^ mix((np.uint64(goal.guess + goal.last) << np.uint64(32)) | np.uint64(limit))


@kernel
def cost_of_total(game: Planes, goal: Goal, n: Int, limit: Int, total: Int) -> Int:
    """Return a lower bound of the cost of n codes whose total is at least `total`, if `limit` guesses are allowed.

    Codes found before the last guess allowed take at most limit - 1 guesses. So (limit - 1) n plus one for each code
    found at the last guess is at least the total. At most capacity[limit - 1] codes are found before the last guess.
    """
    cost = total * goal.guess
    if limit == FREE or goal.last == 0:
        return cost
    last = max(0, total - (limit - 1) * n)
    if limit <= len(game.capacity):
        last = max(last, n - game.capacity[limit - 1])
    return cost + last * goal.last


@kernel
def permit_guesses(search: Search, start: Int, n: Int) -> None:
    """Set `work.permitted` to the guesses that may be made at a candidate set.

    These are all guesses or, if the goal is `consistent`, only the codes of the set.
    """
    permitted, members, every = search.work.permitted, search.work.members, search.game.every
    for w in range(len(permitted)):
        permitted[w] = ZERO if search.goal.consistent else every[w]
    if search.goal.consistent:
        for i in range(n):
            s = members[start + i]
            permitted[s >> 6] |= ONE << np.uint64(s & 63)


@kernel
def cost_by_size(game: Planes, goal: Goal, n: Int, limit: Int) -> Int:
    """Return the cost of a candidate set if its size and the limit on guesses determine it, otherwise -1.

    `n` is the number of codes in the set. `limit` is the number of further guesses within which they must be found.
    """
    if limit == FREE and goal.guess == 0:
        return 0
    if n == 1:
        return goal.guess + (goal.last if limit == 1 else 0)
    if limit < len(game.capacity) and n > game.capacity[limit]:
        return IMPOSSIBLE
    if n == 2:
        return 3 * goal.guess + (goal.last if limit == 2 else 0)
    return -1


@kernel
def cost_of_small_set(goal: Goal, n: Int, limit: Int, separable: bool) -> Int:
    """Return the cost of a set of at least three codes if a formula gives it, otherwise -1.

    A set is *separable* if one of its codes, as a guess, gets a different answer from each code of the set. A formula
    gives the cost in two cases:

    - The set is separable. Then its n codes have the total 2 n - 1. No n codes have a lower total, because only one
      code is found at the first guess.
    - The set has three codes, is not separable, and the limit cannot change the cost. Then its total is 6. The limit
      can change the cost if it is 2, or if it is 3 and `goal.last` is not 0.
    """
    if separable:
        return (2 * n - 1) * goal.guess + ((n - 1) * goal.last if limit == 2 else 0)
    if n == 3 and (limit > 3 or (limit == 3 and goal.last == 0)):
        return 6 * goal.guess
    return -1


@kernel
def closed_form(search: Search, current: CurrentSet) -> Int:
    """Return the cost of a candidate set if a formula gives it, otherwise -1.

    Separable and very small sets have a formula. A set is *separable* if one of its codes, as a guess, gets a different
    answer from each code of the set.
    """
    game, n, limit = search.game, current.n, current.limit
    cost = cost_by_size(game, search.goal, n, limit)
    if cost >= 0:
        return cost
    separable = n <= game.answer_count - 1 and is_separable(game, search.work.members, current.start, n)
    return cost_of_small_set(search.goal, n, limit, separable)


@kernel
def least_total(game: Planes, n: Int, most_score: Int) -> Int:
    """Return a lower bound of the total of n codes if no guess at the candidate set has a score above `most_score`.

    The *score* of a guess is the number of different answers to it, plus 1 if it is one of the codes.
    """
    return max(game.ideal[n], 3 * n - most_score)


@kernel
def bound_base(n: Int) -> Int:
    """Return the number to add to the bounds stored in `work.bounds` at a set of n codes, to get totals."""
    return 3 * n - _GREATEST_SCORE


@kernel
def _cost_of_unseparated(search: Search, current: CurrentSet) -> Int:
    """Return the cost of a small candidate set that is not separable.

    The set has n codes, at most `answer_count` - 1. It is not separable: no code of the set gets a different answer
    from each code. `bound_guesses` calls this kernel if the least of the lower bounds that it has found for the guesses
    is 2 n. Let p be the number of different answers to a guess.

    The total 2 n is attained in two ways: by a guess with p = n, or by a code of the set with p = n - 1. After a guess
    with p = n, all codes are found at guess 2. After a code of the set with p = n - 1, one cell has two codes, of which
    one is found only at guess 3. If the limit is 2 or 3, the costs of the two ways differ, so the kernel looks for a
    guess with p = n.
    """
    game, work, goal, n, limit = search.game, search.work, search.goal, current.n, current.limit
    if limit > 3:
        return 2 * n * goal.guess
    scores, chosen, words = work.inverted_scores[-1], work.with_bound[-1], len(game.every)
    scan_scores(game, CodeSlice(work.members, current.start, n), 0, work.marks, scores, work.shared)
    if bound_base(n) + least(scores, SCORE_BITS, words, work.permitted, chosen) <= 2 * n:
        return 2 * n * goal.guess + (n * goal.last if limit == 2 else 0)
    return IMPOSSIBLE if limit == 2 else 2 * n * goal.guess + goal.last


@kernel
def bound_guesses(search: Search, current: CurrentSet, is_sharp: bool) -> tuple[Int, Int, Int, Int]:
    """Compute a lower bound for every first guess at a candidate set.

    Returns (cost, least bound, greatest score, bits). `cost` is the cost of the set if it follows from the bounds,
    otherwise -1. `bits` is the number of bits of a stored bound. The *score* of a guess is the number of different
    answers to it, plus 1 if it is one of the codes.

    Bounds are totals. The kernel writes each bound, less `bound_base`, to `work.bounds[depth]`. It writes 31 - score of
    each guess to `work.inverted_scores[depth]`. A score has five bits, so this number is never negative. If `is_sharp`,
    the bounds of large sets are tighter. They then also use the fact that no guess at a cell has a score above the
    greatest score at the set. The results are invalid if the search must stop.
    """
    game, work, depth, n, limit = search.game, search.work, current.depth, current.n, current.limit
    words, base, codes = len(game.every), bound_base(n), CodeSlice(work.members, current.start, n)
    permit_guesses(search, current.start, n)
    scores, bounds, chosen = work.inverted_scores[depth], work.bounds[depth], work.with_bound[depth]
    scan_scores(game, codes, 1, work.marks, scores, work.shared)
    value = least(scores, SCORE_BITS, words, work.permitted, chosen)
    most = _GREATEST_SCORE - value
    if n > (_ENTERED * (game.answer_count - 1) if is_sharp else WEAK):
        limit_of_scores = most if is_sharp else game.answer_count
        bits = add_excess(game, codes, limit_of_scores, scores, (work.marks, work.counters), bounds, work.shared)
        return IMPOSSIBLE if limit == 2 else -1, base + least(bounds, bits, words, work.permitted, chosen), most, bits
    for w in range(len(scores)):
        bounds[w] = scores[w]
    if n > game.answer_count - 1 or base + value > 2 * n:
        return IMPOSSIBLE if limit == 2 else -1, base + value, most, SCORE_BITS
    return _cost_of_unseparated(search, current), base + value, most, SCORE_BITS


@kernel
def bound_in_table(search: Search, n: Int, key: np.uint64, check: np.uint64, limit: Int) -> Int:
    """Return the lower bound of a candidate set's cost in the transposition table, or 0 if the table has none.

    `limit` is the number of further guesses within which the codes must be found, or FREE. With a limit, the bound
    comes from the entry for this limit or from the entry without a limit, the greater one.
    """
    table, goal = search.table, search.goal
    free = find(table, key, check)[0]
    if limit == FREE:
        return free * goal.guess
    known = cost_of_total(search.game, goal, n, limit, free) if free else 0
    return max(known, find(table, table_key(key, limit, goal), check)[0])


@kernel
def clear_ranking(work: Workspace, depth: Int) -> None:
    """Clear the list of guesses sorted by score at one depth, because a new candidate set is searched there."""
    ranking = work.rankings[depth]
    ranking.requests = ranking.count = ranking.blocks = ranking.inverted_score = 0


@kernel
def _rank_block(game: Planes, work: Workspace, depth: Int, block: Int) -> bool:
    """Continue sorting the guesses by score until a block of 512 is full, and write the bit planes of the block.

    The sorted guesses are in `work.ranked_guess[depth]`, in descending order of their scores at the candidate set.
    Block b contains the sorted guesses 512 b to 512 b + 511. The last block may have fewer. The *score* of a guess is
    the number of different answers to it, plus 1 if it is in the candidate set. Returns False if no guess is left for
    the block.
    """
    ranking, scores = work.rankings[depth], work.inverted_scores[depth]
    guess, score = work.ranked_guess[depth], work.ranked_score[depth]
    count, words = ranking.count, game.blocks * LANES
    while count < (block + 1) * BITS and ranking.inverted_score <= _GREATEST_SCORE:
        for w in range(words):
            left = game.every[w]
            for k in range(SCORE_BITS):
                bit = scores[k * words + w]
                left &= bit if ranking.inverted_score >> k & 1 else ~bit
            while left != ZERO:
                guess[count] = 64 * w + lowest(left)
                score[count] = _GREATEST_SCORE - ranking.inverted_score
                left &= left - ONE
                count += 1
        ranking.inverted_score += 1
    ranking.count = count
    if block * BITS >= count:
        return False
    write_planes(
        game, work.ranked_planes[depth], block, CodeSlice(guess, block * BITS, min(BITS, count - block * BITS))
    )
    ranking.blocks = block + 1
    return True


@kernel
def greatest_score_in_cell(
    game: Planes, work: Workspace, depth: Int, codes: CodeSlice, enough: Int, needed: Int
) -> Int:
    """Return the greatest score of any guess at a cell: its number of different answers, plus 1 if it is in the cell.

    `depth` is the depth of the candidate set that contains the cell. The guesses are scanned in the order of the
    *ranking* of that set, which is the list of all guesses in descending order of their scores at that set. Two results
    end the scan early. If some guess has a score of at least `enough`, its score is returned. If no guess can have a
    score above `needed`, an upper bound of at most `needed` is returned.
    """
    most, block = 0, 0
    while True:
        if block >= work.rankings[depth].blocks and not _rank_block(game, work, depth, block):
            return most
        score = work.ranked_score[depth, block * BITS]
        if score <= most:
            return most
        if score <= needed:
            return score
        mark(game.digits, work.ranked_planes[depth], block * (game.rows + 1) * LANES, game.row, codes, work.marks)
        most = max(most, greatest_of_block(game.digits, work.marks, ~blank()))
        if most >= enough:
            return most
        block += 1


@kernel
def score_limit(game: Planes, goal: Goal, n: Int, limit: Int, needed: Int) -> Int:
    """Return the greatest score that is too low for a cost below `needed`, or -1 if there is none.

    If no guess at a set of n codes has a score above the result, the set costs at least `needed`. The *score* of a
    guess is the number of different answers to it, plus 1 if it is one of the codes.
    """
    most: Int = _GREATEST_SCORE
    while most >= 0 and cost_of_total(game, goal, n, limit, 3 * n - most) < needed:
        most -= 1
    return most


@kernel
def _total_by_score(search: Search, cell: CurrentSet, whole: Int, needed: Int) -> tuple[Int, bool]:
    """Return (a lower bound of the total of a cell, True if the bound is the exact total).

    The bound is computed from the greatest score of any guess at the cell. The *score* of a guess is the number of
    different answers to it, plus 1 if it is in the cell. `whole` is the number of codes of the candidate set that
    contains the cell, or 0 if there is no such set. The guesses are scanned for the greatest score. The scan may end
    before all guesses are scanned, when it has proved that the cell costs at least `needed`. The result is then a valid
    lower bound.
    """
    game, work, depth, n = search.game, search.work, cell.depth - 1, cell.n
    is_small, codes = n <= game.answer_count - 1, CodeSlice(work.members, cell.start, n)
    enough = n if is_small else _GREATEST_SCORE
    work.rankings[depth].requests += 1
    if whole and work.rankings[depth].requests > _UNSORTED:
        limit = score_limit(game, search.goal, n, cell.limit, needed)
        most = greatest_score_in_cell(game, work, depth, codes, enough, limit)
    else:
        state = work.state[0]
        most, state.best_block = greatest_score(game, codes, work.marks, enough, state.best_block)
    return max(2 * n if is_small else 0, least_total(game, n, most)), is_small and most >= n


@kernel
def bound_cell(search: Search, cell: CurrentSet, whole: Int, needed: Int) -> Int:
    """Return a lower bound of the cost of a candidate set without searching it.

    Writes the bound to the transposition table. The set has at least three codes. It is not separable: no code of the
    set, as a guess, gets a different answer from each code. The set is a cell of a larger set, which is being searched
    one depth above. `whole` is the number of codes of the larger set, or 0 if there is no larger set. The scan of the
    guesses may end early, as soon as the bound reaches `needed`. If the search must stop, the result is invalid and is
    not written.
    """
    game, work, goal, n, limit = search.game, search.work, search.goal, cell.n, effective_limit(cell.limit, cell.n)
    is_small = n <= game.answer_count - 1
    if goal.guess == 0 and (limit > 3 or not is_small):
        return 0
    exact: Int = IMPOSSIBLE
    if n > _BOUNDED * (game.answer_count - 1) or (limit <= 3 and is_small) or goal.consistent:
        scanned = CurrentSet(len(work.size), cell.start, n, cell.top, limit, cell.key, cell.check)
        cost, lower, _, _ = bound_guesses(search, scanned, True)
        if must_stop(work.shared):
            return 0
        lower = cost_of_total(game, goal, n, limit, lower)
        if cost >= 0:
            lower = exact = cost
    else:
        limited = CurrentSet(cell.depth, cell.start, n, cell.top, limit, cell.key, cell.check)
        total, is_exact = _total_by_score(search, limited, whole, needed)
        lower = cost_of_total(game, goal, n, limit, total)
        if is_exact:
            exact = lower
    written = lower // goal.guess if limit == FREE else lower
    upper = exact // goal.guess if limit == FREE and exact < IMPOSSIBLE else exact
    work.state[0].table_used += put(search.table, table_key(cell.key, limit, goal), cell.check, n, written, upper)
    return lower
