"""What is known of states: a table of bounded size, each entry in one of four neighbouring slots.

When all four are taken, the entry that cost least goes; so the table only ever saves work, and no answer depends on its
size. A value is always for the side to move; proof and disproof numbers are for the question about `need`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.numba_support.bits import Int, mix
from yomikiri.tictactoe.search.proof.tables import USED, Room, kernel

WAYS = 4
BYTES = 72  # of an entry
# Columns of `facts`.
LOWER, UPPER, NEED, PROOF, DISPROOF, WORK = range(6)


class Memo(NamedTuple):
    """An entry is a row of each array; a slot without work is free."""

    keys: NDArray[np.uint64]  # (slots, 3): the empty cells, the lines of the side to move, those of the other
    facts: NDArray[np.int64]  # (slots, 6)


def new_memo(slots: int) -> Memo:
    """An empty table; `slots` is a power of two, at least WAYS."""
    return Memo(np.zeros((slots, 3), np.uint64), np.zeros((slots, 6), np.int64))


@kernel
def find(memo: Memo, empty: np.uint64, mine: np.uint64, theirs: np.uint64) -> Int:
    """The slot of a state, -1 if it is not there."""
    first = _first(memo, empty, mine, theirs)
    for way in range(WAYS):
        slot = first + way
        key = memo.keys[slot]
        if key[0] == empty and key[1] == mine and key[2] == theirs and memo.facts[slot, WORK] > 0:
            return slot
    return np.int64(-1)


@kernel
def put(
    memo: Memo,
    room: Room,
    empty: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    lower: Int,
    upper: Int,
    need: Int,
    proof: Int,
    disproof: Int,
    work: Int,
) -> None:
    """Note that the value is within these bounds, and what seems missing for the question about `need`."""
    slot = find(memo, empty, mine, theirs)
    if slot >= 0:
        lower, upper = max(lower, memo.facts[slot, LOWER]), min(upper, memo.facts[slot, UPPER])
        work += memo.facts[slot, WORK]
    else:
        slot = first = _first(memo, empty, mine, theirs)
        for way in range(WAYS):
            if memo.facts[first + way, WORK] < memo.facts[slot, WORK]:
                slot = first + way
        room.numbers[USED] += memo.facts[slot, WORK] == 0
        memo.keys[slot, 0] = empty
        memo.keys[slot, 1] = mine
        memo.keys[slot, 2] = theirs
    memo.facts[slot, LOWER] = lower
    memo.facts[slot, UPPER] = upper
    memo.facts[slot, NEED] = need
    memo.facts[slot, PROOF] = proof
    memo.facts[slot, DISPROOF] = disproof
    memo.facts[slot, WORK] = work


@kernel
def move(old: Memo, new: Memo, room: Room) -> None:
    """Put every entry of one table into another, which is empty, and count them."""
    room.numbers[USED] = 0
    for slot in range(old.facts.shape[0]):
        fact = old.facts[slot]
        if fact[WORK] > 0:
            key = old.keys[slot]
            put(
                new, room, key[0], key[1], key[2],
                fact[LOWER], fact[UPPER], fact[NEED], fact[PROOF], fact[DISPROOF], fact[WORK],
            )  # fmt: skip


@kernel
def _first(memo: Memo, empty: np.uint64, mine: np.uint64, theirs: np.uint64) -> Int:
    """The first of the slots in which a state may stand."""
    last = np.uint64(memo.facts.shape[0] - 1)
    return np.int64(mix(mix(mix(empty) ^ mine) ^ theirs) & last & ~np.uint64(WAYS - 1))
