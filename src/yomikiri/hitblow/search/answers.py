"""The answers that codes give to guesses: one by one, of a whole set, and among the members of a set.

A set is a stretch of `work.members`. While it is in hand its codes stand packed beside it, so that the answers to a
guess are worked out many at a time, and the answers between its own members stand in a table if it is small enough.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.jit import kernel
from yomikiri.hitblow.search.partition import is_perfect
from yomikiri.hitblow.search.planes import Planes
from yomikiri.hitblow.search.workspace import NEAR, Workspace
from yomikiri.numba_support.bits import ONE, Int, popcount

Words = NDArray[np.uint64]

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
def answer_in_hand(game: Planes, work: Workspace, start: Int, n: Int, g: Int) -> None:
    """Write the answers to g of the set in hand to `work.answers`."""
    answers_to(
        game.digits,
        np.uint64(game.places[g]),
        game.copies[0, g],
        game.copies[1, g],
        work.place[start : start + n],
        work.copy[start : start + n],
        work.copy_more[start : start + n],
        work.answers[:n],
    )


@kernel
def is_perfect_cell(game: Planes, work: Workspace, depth: Int, whole: Int, start: Int, n: Int) -> bool:
    """Whether a cell of a set of `whole` codes at a depth is perfect; the cell has at most NEAR."""
    members, local, near = work.members, work.local, work.near[depth]
    if whole > NEAR:  # the set has no table: make one of the cell
        for i in range(n):
            local[start + i] = i
            for j in range(n):
                near[i, j] = answer(game, members[start + i], members[start + j])
    return is_perfect(near, local, start, n)
