"""The workspace of a search, and the set in hand: arrays with a row for each depth, so that a node allocates nothing.

A set is a stretch of `work.members`; what is kept of it while it is in hand is in `hand`, of its guesses sorted in
`ranked`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.kernels_ahead import kernel
from yomikiri.hitblow.search.planes import Planes
from yomikiri.hitblow.search.scan import COUNTER_BITS, ROWS, SCORE_BITS, SLOTS
from yomikiri.numba_support.bits import Int, popcount
from yomikiri.numba_support.vectors import BITS, LANES

NEAR = 512  # a set of so many codes has the masks of its own answers
OWN = 32  # words of a member's masks, 64 members in each
MANY = 256  # sizes that are told apart where costs are learned by size
SEEN = 1 << 14  # partitions kept to recognise the same one again
CLASSES = 128  # sets of alike symbols whose masks are kept
NAMED_TURNS = 3  # cells after so many turns are named by their turns

# Places in `state`: NODES counts; WORK is what takes time, in codes that are answered or marked in 64 guesses at once.
# The search stops at BUDGET nodes, or once it has done work up to ENOUGH and nodes up to LEAST; STOPPED is whether and
# why. USED counts the entries of the memo, SERIAL the sets searched. WANTED asks for guesses at depth 0: for all that
# are to be tried, or for the first whose cost is below a bound, MOST of them; LISTED of them are in `listed`. FOUND is
# the block of guesses in which a cell was last told apart. A search that was stopped has KEPT so many depths as they
# were: if it is asked the same again, it goes on from there.
NODES, WORK, BUDGET, ENOUGH, LEAST, STOPPED, USED, SERIAL, WANTED, MOST, LISTED, FOUND, KEPT = range(13)

# Places in `line`: at each depth, of the set its serial number and how the guesses stand; of the guess that was tried
# last, how its cells stand.
OF_SET, VALUE, BEST, ATTAINED, LOWER, WITHIN, BOUND_BITS, GONE, TOTAL, CELLS, OPEN, ASKED_LAST, ROOM = range(13)
NOTHING, BEST_GUESSES, ALL_GUESSES = range(3)


class Goal(NamedTuple):
    """What one guess and one secret found at the last guess allowed cost; whether only candidates are guessed."""

    guess: int
    last: int
    consistent: bool


class Workspace(NamedTuple):
    """d depths, w words of a plane, r slots; m members is the room for all sets along a line."""

    state: NDArray[np.int64]
    line: NDArray[np.int64]  # (d, 13): where the search is at each depth
    weights: NDArray[np.float64]  # (d,): of the cells that are still to be asked in turn
    members: NDArray[np.int32]  # (m,): the sets of codes along the line, one after another
    names: NDArray[np.uint64]  # (m, 2): random numbers of the codes of sets in hand, whose sums name their cells
    hand: NDArray[np.uint64]  # (d, p): planes of the sets in hand
    own: NDArray[np.uint64]  # (d, NEAR * NEAR / 64 * OWN): masks of the answers between the members of a set in hand
    told: NDArray[np.int64]  # (d, NEAR): how many different answers a member gets
    cells: NDArray[np.uint64]  # (p,): masks of the cells of the guess in hand
    few: NDArray[np.int32]  # (SLOTS,): a small cell
    size: NDArray[np.int64]  # (d, r): cells of the guess in hand
    start: NDArray[np.int64]  # (d, r): where they begin in `members`
    lower: NDArray[np.int64]  # (d, r): the least they cost
    order: NDArray[np.int64]  # (d, r): those that are open, small ones first
    settled: NDArray[np.bool_]  # (d, r): those the memo knows
    key: NDArray[np.uint64]  # (d, 2, r): their names
    parts: NDArray[np.uint64]  # (d + 1, SCORE_BITS * w): 31 - p - w of all guesses
    bounds: NDArray[np.uint64]  # (d + 1, bits * w): their bounds
    allowed: NDArray[np.uint64]  # (d, w): guesses worth a try
    chosen: NDArray[np.uint64]  # (d + 1, w): those of one bound
    mine: NDArray[np.uint64]  # (w,): guesses that may be made
    marks: NDArray[np.uint64]  # scratch of the scans
    counters: NDArray[np.uint64]
    seen: NDArray[np.uint64]  # (SEEN,): partitions tried, by hash
    class_of: NDArray[np.int64]  # (CLASSES,): sets of alike symbols
    class_mask: NDArray[np.uint64]  # (CLASSES, w): guesses that name them in order
    ranked: NDArray[np.int64]  # (d, 4): of the guesses of a set in hand, sorted: see `ranked`
    ranked_guess: NDArray[np.int32]  # (d, 64 w + BITS)
    ranked_level: NDArray[np.int64]  # (d, 64 w + BITS)
    ranked_planes: NDArray[np.uint64]  # (d, p)
    typical: NDArray[np.float64]  # (2, MANY): of sets by size, guesses for each code and how many were looked at
    gain: NDArray[np.float64]  # (2, MANY): of cells by size, what looking at them has added to bounds, and how often
    queue: NDArray[np.int64]  # (r,): scratch, the cells that wait to be looked at, and what is hoped for
    hope: NDArray[np.float64]
    group_size: NDArray[np.int64]  # (d,): elements
    group_order: NDArray[np.int16]  # (d, e): their permutations of places
    group_map: NDArray[np.uint8]  # (d, e, 16): where they take each symbol
    turn_guess: NDArray[np.int32]  # (NAMED_TURNS,): the first turns
    turn_slot: NDArray[np.int32]
    order_number: NDArray[np.uint64]  # (d!,): scratch, a number for each order of places
    order_sum: NDArray[np.uint64]
    listed: NDArray[np.int64]  # (g, 2): guesses to try at depth 0, with their bounds
    name: NDArray[np.int32]  # (16,): new names of symbols while they are renamed


def new_workspace(game: Planes, room: int, depths: int) -> Workspace:
    """Room for so many members and depths."""
    words = len(game.every)
    elements = len(game.orders)
    bits = COUNTER_BITS + 2
    planes = (game.blocks + 1) * (game.rows + 1) * LANES
    return Workspace(
        state=np.zeros(13, dtype=np.int64),
        line=np.zeros((depths, 13), dtype=np.int64),
        weights=np.zeros(depths, dtype=np.float64),
        members=np.zeros(room, dtype=np.int32),
        names=np.zeros((room, 2), dtype=np.uint64),
        hand=np.zeros((depths, planes), dtype=np.uint64),
        own=np.zeros((depths, NEAR * NEAR // 64 * OWN), dtype=np.uint64),
        told=np.zeros((depths, NEAR), dtype=np.int64),
        cells=np.zeros(game.blocks * ROWS, dtype=np.uint64),
        few=np.zeros(SLOTS, dtype=np.int32),
        size=np.zeros((depths, SLOTS), dtype=np.int64),
        start=np.zeros((depths, SLOTS), dtype=np.int64),
        lower=np.zeros((depths, SLOTS), dtype=np.int64),
        order=np.zeros((depths, SLOTS), dtype=np.int64),
        settled=np.zeros((depths, SLOTS), dtype=np.bool_),
        key=np.zeros((depths, 2, SLOTS), dtype=np.uint64),
        parts=np.zeros((depths + 1, SCORE_BITS * words), dtype=np.uint64),
        bounds=np.zeros((depths + 1, bits * words), dtype=np.uint64),
        allowed=np.zeros((depths, words), dtype=np.uint64),
        chosen=np.zeros((depths + 1, words), dtype=np.uint64),
        mine=np.zeros(words, dtype=np.uint64),
        marks=np.zeros(7 * ROWS, dtype=np.uint64),
        counters=np.zeros((SLOTS + 2, COUNTER_BITS * LANES), dtype=np.uint64),
        seen=np.zeros(SEEN, dtype=np.uint64),
        class_of=np.full(CLASSES, -1, dtype=np.int64),
        class_mask=np.zeros((CLASSES, words), dtype=np.uint64),
        ranked=np.zeros((depths, 4), dtype=np.int64),
        ranked_guess=np.zeros((depths, 64 * words + BITS), dtype=np.int32),
        ranked_level=np.zeros((depths, 64 * words + BITS), dtype=np.int64),
        ranked_planes=np.zeros((depths, planes), dtype=np.uint64),
        typical=np.zeros((2, MANY), dtype=np.float64),
        gain=np.zeros((2, MANY), dtype=np.float64),
        queue=np.zeros(SLOTS, dtype=np.int64),
        hope=np.zeros(SLOTS, dtype=np.float64),
        group_size=np.zeros(depths, dtype=np.int64),
        group_order=np.zeros((depths, elements), dtype=np.int16),
        group_map=np.zeros((depths, elements, 16), dtype=np.uint8),
        turn_guess=np.zeros(NAMED_TURNS, dtype=np.int32),
        turn_slot=np.zeros(NAMED_TURNS, dtype=np.int32),
        order_number=np.zeros(elements, dtype=np.uint64),
        order_sum=np.zeros(elements, dtype=np.uint64),
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
def symbols_of(game: Planes, code: Int) -> Int:
    """The symbols of a code, one bit each."""
    return np.int64(game.copies[0, code] & _COPY)
