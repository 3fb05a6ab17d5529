"""The workspace of a search, and the set in hand: arrays with a row for each depth, so that a node allocates nothing.

A set is a stretch of `work.members`. While it is in hand its codes stand packed beside it, so that the answers to a
guess are worked out many at a time, and the answers between its own members stand in a table if it is small enough.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.kernels_ahead import kernel
from yomikiri.hitblow.search.partition import is_perfect
from yomikiri.hitblow.search.planes import Planes
from yomikiri.hitblow.search.scan import COUNTER_BITS, ROWS, SLOTS
from yomikiri.numba_support.bits import ONE, Int, popcount
from yomikiri.numba_support.vectors import LANES

NEAR = 128  # a set of so many codes has the table of its own answers
SEEN = 1 << 14  # partitions kept to recognise the same one again
CLASSES = 128  # sets of alike symbols whose masks are kept
NAMED_TURNS = 3  # cells after so many turns are named by their turns

# Places in `state`: NODES counts; WORK is what takes time, in codes that are answered or marked in 64 guesses at once.
# The search stops at BUDGET nodes, or once it has done work up to ENOUGH and nodes up to LEAST; STOPPED is whether and
# why. USED counts the entries of the memo, SERIAL the sets searched. WANTED asks for guesses at depth 0: for all that
# are to be tried, or for the first whose cost is below a bound, MOST of them; LISTED of them are in `listed`.
NODES, WORK, BUDGET, ENOUGH, LEAST, STOPPED, USED, SERIAL, WANTED, MOST, LISTED = range(11)
NOTHING, BEST_GUESSES, ALL_GUESSES = range(3)


class Goal(NamedTuple):
    """What one guess and one secret found at the last guess allowed cost; whether only candidates are guessed."""

    guess: int
    last: int
    consistent: bool


class Workspace(NamedTuple):
    """d depths, w words of a plane, r slots; m members is the room for all sets along a line."""

    state: NDArray[np.int64]
    members: NDArray[np.int32]  # (m,): the sets of codes along the line, one after another
    local: NDArray[np.uint32]  # (m,): of each member of a cell, its number in the set that was divided
    place: NDArray[np.uint64]  # (m,): the codes of the sets in hand, packed
    copy: NDArray[np.uint64]
    copy_more: NDArray[np.uint64]
    near: NDArray[np.uint8]  # (d, NEAR, NEAR): answers between the members of a set in hand
    answers: NDArray[np.uint8]  # of the set that is being divided
    size: NDArray[np.int64]  # (d, r): cells of the guess in hand
    start: NDArray[np.int64]  # (d, r): where they begin in `members`
    lower: NDArray[np.int64]  # (d, r): the least they cost
    order: NDArray[np.int64]  # (d, r): those that are open, small ones first
    settled: NDArray[np.bool_]  # (d, r): those the memo knows
    key: NDArray[np.uint64]  # (d, 2, r): their names
    bounds: NDArray[np.uint64]  # (d, bits * w): bounds of all guesses
    scan: NDArray[np.uint64]  # (bits * w,): the same for a set that is not entered
    allowed: NDArray[np.uint64]  # (d, w): guesses worth a try
    chosen: NDArray[np.uint64]  # (d + 1, w): those of one bound; the last row is for `scan`
    mine: NDArray[np.uint64]  # (w,): guesses that may be made
    marks: NDArray[np.uint64]  # scratch of the scans
    counters: NDArray[np.uint64]
    seen: NDArray[np.uint64]  # (SEEN,): partitions tried, by hash
    class_of: NDArray[np.int64]  # (CLASSES,): sets of alike symbols
    class_mask: NDArray[np.uint64]  # (CLASSES, w): guesses that name them in order
    group_size: NDArray[np.int64]  # (d,): elements
    group_order: NDArray[np.int16]  # (d, e): their permutations of places
    group_map: NDArray[np.uint8]  # (d, e, 16): where they take each symbol
    turn_guess: NDArray[np.int32]  # (NAMED_TURNS,): the first turns
    turn_slot: NDArray[np.int32]
    listed: NDArray[np.int64]  # (g, 2): guesses to try at depth 0, with their bounds
    name: NDArray[np.int32]  # (16,): new names of symbols while they are renamed


def new_workspace(game: Planes, room: int, depths: int) -> Workspace:
    """Room for so many members and depths."""
    words = len(game.every)
    elements = len(game.orders)
    bits = COUNTER_BITS + 2
    return Workspace(
        state=np.zeros(11, dtype=np.int64),
        members=np.zeros(room, dtype=np.int32),
        local=np.zeros(room, dtype=np.uint32),
        place=np.zeros(room, dtype=np.uint64),
        copy=np.zeros(room, dtype=np.uint64),
        copy_more=np.zeros(room, dtype=np.uint64),
        near=np.zeros((depths, NEAR, NEAR), dtype=np.uint8),
        answers=np.zeros(len(game.codes), dtype=np.uint8),
        size=np.zeros((depths, SLOTS), dtype=np.int64),
        start=np.zeros((depths, SLOTS), dtype=np.int64),
        lower=np.zeros((depths, SLOTS), dtype=np.int64),
        order=np.zeros((depths, SLOTS), dtype=np.int64),
        settled=np.zeros((depths, SLOTS), dtype=np.bool_),
        key=np.zeros((depths, 2, SLOTS), dtype=np.uint64),
        bounds=np.zeros((depths, bits * words), dtype=np.uint64),
        scan=np.zeros(bits * words, dtype=np.uint64),
        allowed=np.zeros((depths, words), dtype=np.uint64),
        chosen=np.zeros((depths + 1, words), dtype=np.uint64),
        mine=np.zeros(words, dtype=np.uint64),
        marks=np.zeros(7 * ROWS, dtype=np.uint64),
        counters=np.zeros((SLOTS + 2, COUNTER_BITS * LANES), dtype=np.uint64),
        seen=np.zeros(SEEN, dtype=np.uint64),
        class_of=np.full(CLASSES, -1, dtype=np.int64),
        class_mask=np.zeros((CLASSES, words), dtype=np.uint64),
        group_size=np.zeros(depths, dtype=np.int64),
        group_order=np.zeros((depths, elements), dtype=np.int16),
        group_map=np.zeros((depths, elements, 16), dtype=np.uint8),
        turn_guess=np.zeros(NAMED_TURNS, dtype=np.int32),
        turn_slot=np.zeros(NAMED_TURNS, dtype=np.int32),
        listed=np.zeros((len(game.codes), 2), dtype=np.int64),
        name=np.zeros(16, dtype=np.int32),
    )


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
    place: NDArray[np.uint64],
    copy: NDArray[np.uint64],
    copy_more: NDArray[np.uint64],
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
