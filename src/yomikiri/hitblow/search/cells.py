"""What a guess does to a set of codes: its cells, their names, and whether a member tells a cell apart.

A set is a stretch of `work.members`. While it is in hand its codes stand packed beside it, so that the answers to a
guess are worked out many at a time, and the answers between its own members stand in a table if it is small enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.jit import kernel
from yomikiri.hitblow.search.planes import Planes
from yomikiri.numba_support.bits import ONE, ZERO, Int, mix, popcount

if TYPE_CHECKING:
    from yomikiri.hitblow.search.workspace import Workspace

Words = NDArray[np.uint64]

NEAR = 128  # a set of so many codes has the table of its own answers
_EACH = np.uint64(0x111111111111)
_COPY = np.uint64(0xFFFF)


@kernel
def answer(game: Planes, g: Int, s: Int) -> Int:
    """The slot of the answer to guess g when the secret is s."""
    x = np.uint64(game.places[g] ^ game.places[s])
    x |= x >> np.uint64(1)
    x |= x >> np.uint64(2)
    wrong = np.int64(popcount(x & _EACH))
    common = np.int64(popcount(game.copies[0, g] & game.copies[0, s]))
    if game.digits > 4:
        common += np.int64(popcount(game.copies[1, g] & game.copies[1, s]))
    return (common * (common + 1) >> 1) + game.digits - wrong


@kernel
def answers(game: Planes, g: Int, codes: NDArray[np.int32], slots: NDArray[np.int64]) -> None:
    """The slots of the answers to guess g when the secret is each of `codes` (n,): written to `slots` (n,)."""
    for i in range(len(codes)):
        slots[i] = answer(game, g, codes[i])


@kernel
def answers_to(
    digits: Int,
    places: np.uint64,
    copies: np.uint64,
    more: np.uint64,
    place: Words,
    copy: Words,
    copy_more: Words,
    out: NDArray[np.uint8],
) -> None:
    """The slots of the answers to one guess when the secret is each of a set, packed: `out`, uint8, as long as the set.

    `places`, `copies` and `more` are the guess's words, the arrays those of the set.
    """
    for i in range(len(out)):
        x = place[i] ^ places
        x |= x >> np.uint64(1)
        x |= x >> np.uint64(2)
        wrong = popcount(x & _EACH)
        common = popcount(copy[i] & copies)
        if digits > 4:
            common += popcount(copy_more[i] & more)
        out[i] = ((common * (common + ONE)) >> ONE) + np.uint64(digits) - wrong


@kernel
def symbols_of(game: Planes, code: Int) -> Int:
    """The symbols of a code, one bit each."""
    return np.int64(game.copies[0, code] & _COPY)


@kernel
def take_in_hand(game: Planes, work: Workspace, depth: Int, start: Int, n: Int) -> None:
    """Pack the codes of a set; if there are at most NEAR of them, fill the table of their answers to each other."""
    members, places, copies = work.members, game.places, game.copies
    place, copy, copy_more = (
        work.place[start : start + n],
        work.copy[start : start + n],
        work.copy_more[start : start + n],
    )
    for i in range(n):
        s = members[start + i]
        place[i] = np.uint64(places[s])
        copy[i] = copies[0, s]
        copy_more[i] = copies[1, s]
    if n <= NEAR:
        near = work.near[depth]
        for i in range(n):
            answers_to(game.digits, place[i], copy[i], copy_more[i], place, copy, copy_more, near[i, :n])


@kernel
def count(game: Planes, work: Workspace, depth: Int, start: Int, n: Int, g: Int) -> Int:
    """Workspace out the answers to g of the set in hand and the sizes of its cells; returns the largest."""
    answers, size, slots = work.answers[:n], work.size[depth], game.slots
    answers_to(
        game.digits,
        np.uint64(game.places[g]),
        game.copies[0, g],
        game.copies[1, g],
        work.place[start : start + n],
        work.copy[start : start + n],
        work.copy_more[start : start + n],
        answers,
    )
    for r in range(slots):
        size[r] = 0
    for i in range(n):
        size[answers[i]] += 1
    largest = np.int64(0)
    for r in range(slots):
        largest = max(largest, size[r])
    return largest


@kernel
def divide(game: Planes, work: Workspace, depth: Int, start: Int, n: Int, top: Int) -> np.uint64:
    """Write the cells counted last to `members` from `top`, and their names.

    Returns a number that tells this partition from every other of the same set.
    """
    size, where = work.size[depth], work.start[depth]
    key, check = work.key[depth, 0], work.key[depth, 1]
    members, local, answers, keys, slots = work.members, work.local, work.answers, game.keys, game.slots
    at = top
    for r in range(slots):
        where[r] = at
        at += size[r]
        key[r] = ZERO
        check[r] = ZERO
    for i in range(n):
        r = answers[i]
        s = members[start + i]
        key[r] += keys[s, 0]
        check[r] += keys[s, 1]
        members[where[r]] = s
        local[where[r]] = i
        where[r] += 1
    same = ZERO
    for r in range(slots):
        where[r] -= size[r]
        if size[r]:
            same += mix(key[r]) * (np.uint64(3) if r == slots - 1 else ONE)
    return same


@kernel
def has_centre(near: NDArray[np.uint8], local: NDArray[np.uint32], start: Int, n: Int) -> bool:
    """Whether some member, guessed first, tells all of a cell apart, by the table of its set.

    The innermost loop of the search. Its indices are unsigned, which spares a test for negative ones; and all answers
    are gathered before they are counted, since leaving at the first that comes twice cannot be foreseen.
    """
    first, end = np.uint64(start), np.uint64(start + n)
    for i in range(first, end):
        row = local[i]
        met = ZERO
        for j in range(first, end):
            met |= ONE << np.uint64(near[row, local[j]])
        if popcount(met) == np.uint64(n):
            return True
    return False


@kernel
def has_centre_far(game: Planes, members: NDArray[np.int32], start: Int, n: Int) -> bool:
    """As `has_centre`, for a cell of a set that has no table."""
    for i in range(n):
        met: Int = 0
        for j in range(n):
            bit = 1 << answer(game, members[start + i], members[start + j])
            if met & bit:
                break
            met |= bit
        else:
            return True
    return False
