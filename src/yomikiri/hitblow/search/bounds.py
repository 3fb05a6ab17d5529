"""What is known of a set of codes without dividing it: closed forms, the scan, the memo."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.kernels_ahead import kernel
from yomikiri.hitblow.search.memo import find, put
from yomikiri.hitblow.search.planes import Planes
from yomikiri.hitblow.search.scan import least, scan_large, scan_small
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.hitblow.search.workspace import USED, WORK, Goal, Workspace, is_perfect_cell
from yomikiri.numba_support.bits import ONE, ZERO, Int, mix

FREE = 1 << 20  # a limit that is none
WEAK = 70  # sets of more codes are scanned with the excess
_SCANNED = 16  # a scan takes as long as for so many codes more


@kernel
def allowance(limit: Int, n: Int) -> Int:
    """The limit on n codes: none where it cannot bind, since every guess worth making leaves fewer codes."""
    return FREE if limit > n else limit


@kernel
def named(key: np.uint64, limit: Int, goal: Goal) -> np.uint64:
    """The name of a set in the memo. Without a limit its cost is a plain total, whatever the goal."""
    return key if limit == FREE else key ^ mix(np.uint64(limit + (goal.guess << 8)))


@kernel
def mark_guesses(game: Planes, work: Workspace, goal: Goal, start: Int, n: Int) -> None:
    """Make `work.mine` the plane of the guesses that may be made for a set."""
    mine, members, every = work.mine, work.members, game.every
    for w in range(len(mine)):
        mine[w] = ZERO if goal.consistent else every[w]
    if goal.consistent:
        for i in range(n):
            s = members[start + i]
            mine[s >> 6] |= ONE << np.uint64(s & 63)


@kernel
def settle(game: Planes, work: Workspace, depth: Int, whole: Int, goal: Goal, start: Int, n: Int, limit: Int) -> Int:
    """The cost of a set that needs no scan, a cell of `whole` codes that are divided at a depth; else -1.

    n codes of a perfect set cost 2 n - 1 guesses, and no n codes cost less, since only one is found at once; those of
    another cost 2 n or more. Three codes that are not perfect cost 1 + 2 + 3.
    """
    if limit == FREE and goal.guess == 0:
        return 0
    if n == 1:
        return goal.guess + (goal.last if limit == 1 else 0)
    if limit < len(game.capacity) and n > game.capacity[limit]:
        return IMPOSSIBLE
    if n == 2:
        return 3 * goal.guess + (goal.last if limit == 2 else 0)
    if n <= game.slots - 1 and is_perfect_cell(game, work, depth, whole, start, n):
        return (2 * n - 1) * goal.guess + ((n - 1) * goal.last if limit == 2 else 0)
    if n == 3 and (limit > 3 or (limit == 3 and goal.last == 0)):
        return 6 * goal.guess
    return -1


@kernel
def assess(
    game: Planes,
    work: Workspace,
    goal: Goal,
    start: Int,
    n: Int,
    limit: Int,
    bounds: NDArray[np.uint64],
    chosen: NDArray[np.uint64],
) -> tuple[Int, Int, Int, Int]:
    """Scan a set: (cost or -1, base, bits, least); its least bound is base + least, and `bounds` has those of all
    guesses.

    So few codes that one guess might tell all apart (n <= slots - 1), but no member does, cost 2 n if the bound is 2 n:
    either a guess with p = n does it, or a member with p = n - 1 leaves one pair. Where few guesses are left it matters
    which, hence a second scan, of p alone.
    """
    words = len(game.every)
    few = n <= game.slots - 1
    mark_guesses(game, work, goal, start, n)
    base, bits, value = 0, 0, 0
    for bonus in range(1, -1, -1):
        work.state[WORK] += (n + _SCANNED) * len(game.every)
        into = bounds if bonus else work.scan
        if n > WEAK:
            base, bits = scan_large(game, work.members, start, n, work.marks, work.counters, into)
        else:
            base, bits = scan_small(game, work.members, start, n, bonus, work.marks, into)
        if bonus:
            value = least(into, bits, words, work.mine, chosen)
            if not few or base + value > 2 * n:
                return IMPOSSIBLE if limit == 2 else -1, base, bits, value
            if limit > 3:
                return 2 * n * goal.guess, base, bits, value
    if base + least(work.scan, bits, words, work.mine, work.chosen[-1]) <= 2 * n:
        return 2 * n * goal.guess + (n * goal.last if limit == 2 else 0), base, bits, value
    return IMPOSSIBLE if limit == 2 else 2 * n * goal.guess + goal.last, base, bits, value


@kernel
def known_of(memo: NDArray[np.uint64], goal: Goal, key: np.uint64, check: np.uint64, limit: Int) -> Int:
    """The lower bound that the memo has of a set, 0 if none: under its limit, or without any."""
    free = find(memo, key, check)[0] * goal.guess
    if limit == FREE:
        return free
    return max(free, find(memo, named(key, limit, goal), check)[0])


@kernel
def look(
    game: Planes,
    memo: NDArray[np.uint64],
    work: Workspace,
    goal: Goal,
    start: Int,
    n: Int,
    limit: Int,
    key: np.uint64,
    check: np.uint64,
) -> Int:
    """The one-step bound of a set that is not entered, noted in the memo."""
    cost, base, _, value = assess(game, work, goal, start, n, limit, work.scan, work.chosen[-1])
    lower = (base + value) * goal.guess if cost < 0 else cost
    noted = base + value if limit == FREE else lower
    work.state[USED] += put(memo, named(key, limit, goal), check, n, noted, IMPOSSIBLE if cost < 0 else noted)
    return lower
