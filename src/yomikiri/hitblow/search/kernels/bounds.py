"""What is known of a set of codes without dividing it: closed forms, the scan, the memo.

The guesses of a set in hand are *ranked*, sorted by p + w on it, for bounds of its cells. What a guess finds in a part
of a set, p + w there, is no more than in the whole. So the most that any guess finds in a cell is at most the p + w of
the guesses not yet looked at, if these are taken in the order of theirs on the whole; few blocks of 512 guesses are
looked at until no other can do better.
"""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.current_set import write_planes
from yomikiri.hitblow.search.kernels.occurring import mark
from yomikiri.hitblow.search.kernels.scan import (
    SCORE_BITS,
    add_excess,
    greatest_of_block,
    greatest_score,
    least,
    scan_scores,
)
from yomikiri.hitblow.search.kernels.transposition_table import TranspositionTable, find, put
from yomikiri.hitblow.search.kernels.workspace import FOUND, USED, CurrentSet, Goal, Workspace
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import ONE, ZERO, Int, lowest, mix
from yomikiri.machine.kernel import kernel
from yomikiri.machine.shared_words import must_stop
from yomikiri.machine.vectors import BITS, LANES, blank

FREE = 1 << 20  # a limit that is none
WEAK = 70  # sets of more codes have their guesses listed by bounds with the excess
# The excess is worked out with the most p + w for a set that is entered if it has more than _ENTERED codes for each
# answer, and for a cell that is looked at if it has more than _LOOKED_AT.
_ENTERED, _LOOKED_AT = 4, 5
_UNSORTED = 3  # bounds of cells before it pays to sort the guesses of a set
# Places in `ranked`: bounds asked for; guesses sorted, blocks of them laid; 31 - p - w of the next.
ASKED, COUNT, LAID, LEVEL = range(4)


@kernel
def effective_limit(limit: Int, n: Int) -> Int:
    """The limit on n codes: none where it cannot bind, since every guess worth making leaves fewer codes."""
    return FREE if limit > n else limit


@kernel
def table_key(key: np.uint64, limit: Int, goal: Goal) -> np.uint64:
    """The name of a set in the memo, of which `key` is one half; the other half is the same whatever is asked.

    Without a limit its cost is a plain total, whatever the goal. Under a limit the name is that of the limit and of
    what is counted, which the two costs of the goal tell by their sum (`Count`): 32 bits for each, so that no two of
    them are mistaken. Whether only candidates are guessed is the same for all that is in one memo.
    """
    return key if limit == FREE else key ^ mix((np.uint64(goal.guess + goal.last) << np.uint64(32)) | np.uint64(limit))


@kernel
def cost_of_total(game: Planes, goal: Goal, n: Int, limit: Int, total: Int) -> Int:
    """What n codes cost at least if they take at least so many guesses in total.

    Those found before the last guess allowed take limit - 1 at most, so (limit - 1) n and one for each code found at
    it are no less than the total; and no more than capacity[limit - 1] codes are found before it.
    """
    cost = total * goal.guess
    if limit == FREE or goal.last == 0:
        return cost
    last = max(0, total - (limit - 1) * n)
    if limit <= len(game.capacity):
        last = max(last, n - game.capacity[limit - 1])
    return cost + last * goal.last


@kernel
def permit_guesses(game: Planes, work: Workspace, goal: Goal, start: Int, n: Int) -> None:
    """Make `work.permitted` the plane of the guesses that may be made for a set."""
    mine, members, every = work.permitted, work.members, game.every
    for w in range(len(mine)):
        mine[w] = ZERO if goal.consistent else every[w]
    if goal.consistent:
        for i in range(n):
            s = members[start + i]
            mine[s >> 6] |= ONE << np.uint64(s & 63)


@kernel
def cost_by_size(game: Planes, goal: Goal, n: Int, limit: Int) -> Int:
    """The cost of a set by its size alone; -1 if that does not say it."""
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
def cost_of_small_set(goal: Goal, n: Int, limit: Int, perfect: bool) -> Int:
    """The cost of a set of three codes or more, by whether it is perfect; -1 if that does not say it.

    n codes of a perfect set cost 2 n - 1 guesses, and no n codes cost less, since only one is found at once; those of
    another cost 2 n or more. Three codes that are not perfect cost 1 + 2 + 3.
    """
    if perfect:
        return (2 * n - 1) * goal.guess + ((n - 1) * goal.last if limit == 2 else 0)
    if n == 3 and (limit > 3 or (limit == 3 and goal.last == 0)):
        return 6 * goal.guess
    return -1


@kernel
def least_total(game: Planes, n: Int, most: Int) -> Int:
    """The least total of n codes in a set of which no guess finds more than `most` (p + w)."""
    return max(game.ideal[n], 3 * n - most)


@kernel
def bound_base(n: Int) -> Int:
    """What the bounds in `work.bounds` are above, of the guesses for n codes."""
    return 3 * n - (1 << SCORE_BITS) + 1


@kernel
def bound_guesses(
    game: Planes, work: Workspace, goal: Goal, depth: Int, start: Int, n: Int, limit: Int, sharp: bool
) -> tuple[Int, Int, Int, Int]:
    """Scan a set: (cost or -1, least bound, most p + w, bits); the bounds of all guesses, less 3 n - 31, stand in
    `work.bounds[depth]`, and 31 - p - w in `work.inverted_scores[depth]`.

    So few codes that one guess might tell all apart (n <= slots - 1), but no member does, cost 2 n if the bound is 2 n:
    either a guess with p = n does it, or a member with p = n - 1 leaves one pair. Where few guesses are left it matters
    which, hence a second scan, of p alone. `sharp` bounds make use of the most p + w. Where the search is to stop, the
    numbers mean nothing.
    """
    words = len(game.every)
    base = bound_base(n)
    permit_guesses(game, work, goal, start, n)
    parts, bounds, chosen = work.inverted_scores[depth], work.bounds[depth], work.with_bound[depth]
    scan_scores(game, work.members, start, n, 1, work.marks, parts, work.shared)
    value = least(parts, SCORE_BITS, words, work.permitted, chosen)
    most = 3 * n - (base + value)
    if n > (_ENTERED * (game.answer_count - 1) if sharp else WEAK):
        within = most if sharp else game.answer_count
        scratch = work.marks, work.counters
        bits = add_excess(game, work.members, start, n, within, parts, scratch, bounds, work.shared)
        return IMPOSSIBLE if limit == 2 else -1, base + least(bounds, bits, words, work.permitted, chosen), most, bits
    for w in range(len(parts)):
        bounds[w] = parts[w]
    if n > game.answer_count - 1 or base + value > 2 * n:
        return IMPOSSIBLE if limit == 2 else -1, base + value, most, SCORE_BITS
    if limit > 3:
        return 2 * n * goal.guess, base + value, most, SCORE_BITS
    again, others = work.inverted_scores[-1], work.with_bound[-1]
    scan_scores(game, work.members, start, n, 0, work.marks, again, work.shared)
    if base + least(again, SCORE_BITS, words, work.permitted, others) <= 2 * n:
        return 2 * n * goal.guess + (n * goal.last if limit == 2 else 0), base + value, most, SCORE_BITS
    return IMPOSSIBLE if limit == 2 else 2 * n * goal.guess + goal.last, base + value, most, SCORE_BITS


@kernel
def bound_in_table(
    game: Planes, table: TranspositionTable, goal: Goal, n: Int, key: np.uint64, check: np.uint64, limit: Int
) -> Int:
    """The lower bound that the memo has of a set, 0 if none: under its limit, or without any."""
    free = find(table, key, check)[0]
    if limit == FREE:
        return free * goal.guess
    known = cost_of_total(game, goal, n, limit, free) if free else 0
    return max(known, find(table, table_key(key, limit, goal), check)[0])


@kernel
def clear_ranking(work: Workspace, depth: Int) -> None:
    """A set has come into hand: nothing is sorted yet."""
    for k in range(4):
        work.ranked[depth, k] = 0


@kernel
def _sort_block(game: Planes, work: Workspace, depth: Int, block: Int) -> bool:
    """Sort guesses until a block is full, and lay its planes; whether there are any."""
    state, parts, guess, level = (
        work.ranked[depth],
        work.inverted_scores[depth],
        work.ranked_guess[depth],
        work.ranked_level[depth],
    )
    count, words = state[COUNT], game.blocks * LANES
    while count < (block + 1) * BITS and state[LEVEL] < 1 << SCORE_BITS:
        for w in range(words):
            left = game.every[w]
            for k in range(SCORE_BITS):
                bit = parts[k * words + w]
                left &= bit if state[LEVEL] >> k & 1 else ~bit
            while left != ZERO:
                guess[count] = 64 * w + lowest(left)
                level[count] = (1 << SCORE_BITS) - 1 - state[LEVEL]
                left &= left - ONE
                count += 1
        state[LEVEL] += 1
    state[COUNT] = count
    if block * BITS >= count:
        return False
    write_planes(game, work.ranked_planes[depth], block, guess, block * BITS, min(BITS, count - block * BITS))
    state[LAID] = block + 1
    return True


@kernel
def greatest_score_in_cell(
    game: Planes, work: Workspace, depth: Int, start: Int, n: Int, enough: Int, needed: Int
) -> Int:
    """The most p + w of any guess on a cell of the set in hand, or no more than `needed` and no less than the most.

    Stops at `enough`, which some guess then reaches.
    """
    most, block = 0, 0
    while True:
        if block >= work.ranked[depth, LAID] and not _sort_block(game, work, depth, block):
            return most
        level = work.ranked_level[depth, block * BITS]
        if level <= most:
            return most
        if level <= needed:
            return level
        mark(
            game.digits,
            work.ranked_planes[depth],
            block * (game.rows + 1) * LANES,
            game.row,
            work.members,
            start,
            n,
            work.marks,
        )
        most = max(most, greatest_of_block(game.digits, work.marks, ~blank()))
        if most >= enough:
            return most
        block += 1


@kernel
def score_limit(game: Planes, goal: Goal, n: Int, limit: Int, needed: Int) -> Int:
    """How many codes a guess may find in a set at most (p + w) so that the set costs `needed` all the same; less than 0
    if it costs less even by a guess that finds none."""
    most: Int = (1 << SCORE_BITS) - 1
    while most >= 0 and cost_of_total(game, goal, n, limit, 3 * n - most) < needed:
        most -= 1
    return most


@kernel
def bound_cell(
    game: Planes, table: TranspositionTable, work: Workspace, goal: Goal, cell: CurrentSet, whole: Int, needed: Int
) -> Int:
    """A bound of a set of three codes or more that is not entered nor perfect, noted in the memo.

    It is a cell of the set of `whole` codes in hand one depth above, or of none (`whole` = 0); a cost of `needed` is
    enough. Where the search is to stop, the number means nothing, and nothing is noted.
    """
    depth, start, n, limit = cell.depth - 1, cell.start, cell.n, effective_limit(cell.limit, cell.n)
    is_small = n <= game.answer_count - 1
    if goal.guess == 0 and (limit > 3 or not is_small):
        return 0
    exact: Int = IMPOSSIBLE
    if n > _LOOKED_AT * (game.answer_count - 1) or (limit <= 3 and is_small) or goal.consistent:
        cost, lower, _, _ = bound_guesses(game, work, goal, len(work.size), start, n, limit, True)
        if must_stop(work.shared):
            return 0
        lower = cost_of_total(game, goal, n, limit, lower)
        if cost >= 0:
            lower = exact = cost
    else:
        enough = n if is_small else (1 << SCORE_BITS) - 1
        work.ranked[depth, ASKED] += 1
        if whole and work.ranked[depth, ASKED] > _UNSORTED:
            most = greatest_score_in_cell(
                game, work, depth, start, n, enough, score_limit(game, goal, n, limit, needed)
            )
        else:
            most, work.state[FOUND] = greatest_score(
                game, work.members, start, n, work.marks, enough, work.state[FOUND]
            )
        lower = cost_of_total(game, goal, n, limit, max(2 * n if is_small else 0, least_total(game, n, most)))
        if is_small and most >= n:
            exact = lower
    noted = lower // goal.guess if limit == FREE else lower
    known = exact // goal.guess if limit == FREE and exact < IMPOSSIBLE else exact
    work.state[USED] += put(table, table_key(cell.key, limit, goal), cell.check, n, noted, known)
    return lower
