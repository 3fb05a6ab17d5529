"""Transposition table: bounds of candidate sets, in a table of fixed size that threads may share.

An entry has four words: the key (from the set and the limit on its guesses), a checksum, the lower bound with the
number of codes of the set in its high bits, and the upper bound. An entry can be in any of WAYS neighbouring places. If
all are taken, the entry with the fewest codes is replaced, because it was the cheapest to compute. The table only saves
work, and no result depends on its size.

Threads read and write the table without locks. Words are read and written atomically (`read`, `write`), but the words
of an entry that a thread reads may have been written by different threads at different times. The checksum is the
second half of the Zobrist hash XOR a hash of the two words with the bounds (lockless hashing). Words that do not belong
together fail the test for the requested key, except with probability 2^-64, so the entry counts as missing. (A plain
XOR of the lower and the upper bound is not enough: 20 XOR 31 is equal to 52 XOR 63.) If two threads write at the same
time, an entry may be lost or written twice. Bounds that pass the test are right, no matter which thread found them.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.machine.bits import ZERO, Int, mix
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import read, write

WAYS = 4
_WORDS = 4  # number of 64-bit words of an entry
_LOWER = np.uint64((1 << 44) - 1)
_SHIFT = np.uint64(44)

TranspositionTable = Annotated[NDArray[np.uint64], "entries", 4]


@kernel
def _checksum(two: np.uint64, three: np.uint64) -> np.uint64:
    """Return a hash of the two words that contain the bounds, for the checksum of an entry."""
    return mix(two ^ mix(three))


@entry
def find(transpositions: TranspositionTable, key: np.uint64, check: np.uint64) -> tuple[Int, Int]:
    """Return the (lower, upper) bounds of a candidate set, (0, IMPOSSIBLE) if it is not in the table."""
    mask = np.uint64(transpositions.shape[0] - 1)
    for way in range(np.uint64(WAYS)):
        i = (key + way) & mask
        if read(transpositions, i, 0) == key:
            two, three = read(transpositions, i, 2), read(transpositions, i, 3)
            if two != ZERO and read(transpositions, i, 1) == check ^ _checksum(two, three):
                return np.int64(two & _LOWER), np.int64(three)
    return np.int64(0), np.int64(IMPOSSIBLE)


@entry
def put(
    transpositions: TranspositionTable, key: np.uint64, check: np.uint64, codes: Int, lower: Int, upper: Int
) -> Int:
    """Write the bounds of a set of `codes` codes. Returns 1 if a free entry was taken, otherwise 0."""
    mask = np.uint64(transpositions.shape[0] - 1)
    size = np.uint64(min(codes, (1 << 20) - 1))
    slot = key & mask
    fewest = np.int64(1 << 20)
    for way in range(np.uint64(WAYS)):
        i = (key + way) & mask
        two, three = read(transpositions, i, 2), read(transpositions, i, 3)
        if two == ZERO:
            slot, fewest = i, np.int64(-1)
            break
        if read(transpositions, i, 0) == key and read(transpositions, i, 1) == check ^ _checksum(two, three):
            slot, fewest = i, np.int64(0)
            lower, upper = max(lower, np.int64(two & _LOWER)), min(upper, np.int64(three))
            break
        if np.int64(two >> _SHIFT) < fewest:
            slot, fewest = i, np.int64(two >> _SHIFT)
    two, three = np.uint64(lower) | (size << _SHIFT), np.uint64(upper)
    write(transpositions, slot, 0, key)
    write(transpositions, slot, 1, check ^ _checksum(two, three))
    write(transpositions, slot, 2, two)
    write(transpositions, slot, 3, three)
    return 1 if fewest < 0 else 0


@entry
def move(old: TranspositionTable, new: TranspositionTable, begin: Int, end: Int) -> Int:
    """Copy the entries from `begin` to `end - 1` of one table to another.

    Returns how many free entries of the new table were taken. If another thread is writing an entry during the copy,
    the copied entry may get a wrong key. No search finds it then, so it is harmless.
    """
    used = 0
    for i in range(np.uint64(begin), np.uint64(end)):
        two, three = read(old, i, 2), read(old, i, 3)
        if two != ZERO:
            check = read(old, i, 1) ^ _checksum(two, three)
            used += put(new, read(old, i, 0), check, np.int64(two >> _SHIFT), np.int64(two & _LOWER), np.int64(three))
    return used
