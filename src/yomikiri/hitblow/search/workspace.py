"""The workspace of a search, and the set in hand: arrays with a row for each depth, so that a node allocates nothing.

A set is a stretch of `work.members`; what is kept of it while it is in hand is in `hand`, of its guesses sorted in
`ranked`.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.kernels_ahead import kernel
from yomikiri.hitblow.search.occurring import ROWS, SLOTS
from yomikiri.hitblow.search.planes import Planes
from yomikiri.hitblow.search.scan import COUNTER_BITS, SCORE_BITS
from yomikiri.numba_support.arrays import allocated
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
# are to be tried, for the first whose cost is below a bound, MOST of them, or for the best of those that stand in
# `given`; LISTED of them are in `listed`. FOUND is the block of guesses in which a cell was last told apart. A search
# that was stopped has KEPT so many depths as they were: if it is asked the same again, it goes on from there.
NODES, WORK, BUDGET, ENOUGH, LEAST, STOPPED, USED, SERIAL, WANTED, MOST, LISTED, FOUND, KEPT = range(13)

# Places in `line`: at each depth, of the set its serial number and how its guesses stand, AHEAD whether they are to be
# ordered by two steps; of the guess that was tried last, how its cells stand.
OF_SET, VALUE, BEST, ATTAINED, LOWER, WITHIN, BOUND_BITS, GONE, TOTAL, CELLS, OPEN, ASKED_LAST, ROOM, AHEAD = range(14)
NOTHING, BEST_GUESSES, ALL_GUESSES, BEST_GIVEN = range(4)


class Goal(NamedTuple):
    """What one guess and one secret found at the last guess allowed cost; whether only candidates are guessed."""

    guess: int
    last: int
    consistent: bool


class Workspace(NamedTuple):
    """Where the search writes: members is the room for all sets along a line, words are those of a plane."""

    state: Annotated[NDArray[np.int64], 13]
    line: Annotated[NDArray[np.int64], "depths", 14]  # where the search is at each depth
    weights: Annotated[NDArray[np.float64], "depths"]  # of the cells that are still to be asked in turn
    members: Annotated[NDArray[np.int32], "members"]  # the sets of codes along the line, one after another
    names: Annotated[
        NDArray[np.uint64], "members", 2
    ]  # random numbers of codes, whose sums name the cells of sets in hand
    hand: Annotated[NDArray[np.uint64], "depths", "planes"]  # planes of the sets in hand
    own: Annotated[
        NDArray[np.uint64], "depths", NEAR * NEAR // 64 * OWN
    ]  # masks of answers between members of a set in hand
    told: Annotated[NDArray[np.int64], "depths", NEAR]  # how many different answers a member gets
    cells: Annotated[NDArray[np.uint64], "cells"]  # masks of the cells of the guess in hand
    few: Annotated[NDArray[np.int32], SLOTS]  # a small cell
    size: Annotated[NDArray[np.int64], "depths", SLOTS]  # cells of the guess in hand
    start: Annotated[NDArray[np.int64], "depths", SLOTS]  # where they begin in `members`
    lower: Annotated[NDArray[np.int64], "depths", SLOTS]  # the least they cost
    order: Annotated[NDArray[np.int64], "depths", SLOTS]  # those that are open, small ones first
    settled: Annotated[NDArray[np.bool_], "depths", SLOTS]  # those the memo knows
    key: Annotated[NDArray[np.uint64], "depths", 2, SLOTS]  # their names
    parts: Annotated[NDArray[np.uint64], "depths + 1", "scores"]  # 31 - p - w of all guesses
    bounds: Annotated[NDArray[np.uint64], "depths + 1", "bounds"]  # their bounds
    allowed: Annotated[NDArray[np.uint64], "depths", "words"]  # guesses worth a try
    chosen: Annotated[NDArray[np.uint64], "depths + 1", "words"]  # those of one bound
    mine: Annotated[NDArray[np.uint64], "words"]  # guesses that may be made
    given: Annotated[NDArray[np.uint64], "words"]  # the guesses asked for at depth 0 that are still to be tried
    apart: Annotated[NDArray[np.uint64], "words"]  # scratch, some of them
    marks: Annotated[NDArray[np.uint64], 7 * ROWS]  # scratch of the scans
    counters: Annotated[NDArray[np.uint64], SLOTS + 2, COUNTER_BITS * LANES]
    seen: Annotated[NDArray[np.uint64], SEEN, 3]  # partitions tried, by set and name
    class_of: Annotated[NDArray[np.int64], CLASSES]  # sets of alike symbols
    class_mask: Annotated[NDArray[np.uint64], CLASSES, "words"]  # guesses that name them in order
    ranked: Annotated[NDArray[np.int64], "depths", 4]  # of the guesses of a set in hand, sorted: see `ranked`
    ranked_guess: Annotated[NDArray[np.int32], "depths", "ranked"]
    ranked_level: Annotated[NDArray[np.int64], "depths", "ranked"]
    ranked_planes: Annotated[NDArray[np.uint64], "depths", "planes"]
    typical: Annotated[NDArray[np.float64], 2, MANY]  # of sets by size, guesses for each code, and of how many sets
    gain: Annotated[NDArray[np.float64], 2, MANY]  # of cells by size, what looking at them has added, and how often
    queue: Annotated[NDArray[np.int64], SLOTS]  # scratch, the cells that wait to be looked at, and what is hoped for
    hope: Annotated[NDArray[np.float64], SLOTS]
    group_size: Annotated[NDArray[np.int64], "depths"]  # elements
    group_order: Annotated[NDArray[np.int16], "depths", "elements"]  # their permutations of places
    group_map: Annotated[NDArray[np.uint8], "depths", "elements", 16]  # where they take each symbol
    turn_guess: Annotated[NDArray[np.int32], NAMED_TURNS]  # the first turns
    turn_slot: Annotated[NDArray[np.int32], NAMED_TURNS]
    order_number: Annotated[NDArray[np.uint64], "elements"]  # scratch, a number for each order of places
    order_sum: Annotated[NDArray[np.uint64], "elements"]
    listed: Annotated[NDArray[np.int64], "guesses", 2]  # guesses listed at depth 0, with costs or bounds
    name: Annotated[NDArray[np.int32], 16]  # new names of symbols while they are renamed


def new_workspace(game: Planes, room: int, depths: int) -> Workspace:
    """Room for so many members and depths."""
    words = len(game.every)
    work = allocated(
        Workspace,
        depths=depths,
        members=room,
        guesses=len(game.codes),
        elements=len(game.orders),
        words=words,
        planes=(game.blocks + 1) * (game.rows + 1) * LANES,
        cells=game.blocks * ROWS,
        scores=SCORE_BITS * words,
        bounds=(COUNTER_BITS + 2) * words,
        ranked=64 * words + BITS,
    )
    work.class_of[:] = -1
    return work


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
