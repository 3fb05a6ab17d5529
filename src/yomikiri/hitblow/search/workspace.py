"""The workspace of a search: arrays with a row for each depth, so that nothing is allocated at a node."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.planes import Planes
from yomikiri.hitblow.search.scan import SCORE_BITS, SLOTS, STRIDE
from yomikiri.hitblow.search.scan_large import COUNTER_BITS

NEAR = 128  # a set of so many codes has the table of its own answers
SEEN = 1 << 14  # partitions kept to recognise the same one again
CLASSES = 128  # sets of alike symbols whose masks are kept
NAMED_TURNS = 3  # cells after so many turns are named by their turns

# Places in `state`: NODES, SCANS and TRIED count; BUDGET is the number of nodes to stop at, STOPPED whether and why the
# search stopped; USED counts the entries of the memo, SERIAL the sets searched. WANTED asks for more at depth 0 than
# the cost: the best GUESS, or all guesses to try, LISTED of them in `listed`.
NODES, SCANS, TRIED, BUDGET, STOPPED, USED, SERIAL, WANTED, GUESS, LISTED = range(10)
NOTHING, BEST_GUESS, ALL_GUESSES = range(3)


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
    marks: NDArray[np.uint64]  # scratch of the scans, rows STRIDE words apart
    counters: NDArray[np.uint64]
    sums: NDArray[np.uint64]
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
    words = game.chunks * game.width
    elements = len(game.orders)
    bits = COUNTER_BITS + 2
    return Workspace(
        state=np.zeros(10, dtype=np.int64),
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
        marks=np.zeros((7, SLOTS * STRIDE), dtype=np.uint64),
        counters=np.zeros((SLOTS + 3, COUNTER_BITS * STRIDE), dtype=np.uint64),
        sums=np.zeros(SCORE_BITS * STRIDE, dtype=np.uint64),
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
