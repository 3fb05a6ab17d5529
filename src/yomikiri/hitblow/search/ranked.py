"""The guesses of a set in hand, sorted by p + w on it, for bounds of its cells.

What a guess finds in a part of a set, p + w there, is no more than in the whole. So the most that any guess finds in a
cell is at most the p + w of the guesses not yet looked at, if these are taken in the order of theirs on the whole; few
blocks of 512 guesses are looked at until no other can do better.
"""

from __future__ import annotations

from yomikiri.hitblow.search.hand import lay_planes
from yomikiri.hitblow.search.occurring import mark
from yomikiri.hitblow.search.planes import Planes
from yomikiri.hitblow.search.scan import SCORE_BITS, greatest
from yomikiri.hitblow.search.workspace import Workspace
from yomikiri.machine.bits import ONE, ZERO, Int, lowest
from yomikiri.machine.kernel import kernel
from yomikiri.machine.vectors import BITS, LANES, blank

ASKED, COUNT, LAID, LEVEL = range(4)  # bounds asked for; guesses sorted, blocks of them laid; 31 - p - w of the next


@kernel
def forget(work: Workspace, depth: Int) -> None:
    """A set has come into hand: nothing is sorted yet."""
    for k in range(4):
        work.ranked[depth, k] = 0


@kernel
def _sort_block(game: Planes, work: Workspace, depth: Int, block: Int) -> bool:
    """Sort guesses until a block is full, and lay its planes; whether there are any."""
    state, parts, guess, level = (
        work.ranked[depth],
        work.parts[depth],
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
    lay_planes(game, work.ranked_planes[depth], block, guess, block * BITS, min(BITS, count - block * BITS))
    state[LAID] = block + 1
    return True


@kernel
def most_found(game: Planes, work: Workspace, depth: Int, start: Int, n: Int, enough: Int, needed: Int) -> Int:
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
        most = max(most, greatest(game.digits, work.marks, ~blank()))
        if most >= enough:
            return most
        block += 1
