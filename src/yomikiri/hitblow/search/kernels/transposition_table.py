"""What is known of sets of codes already met: a table of bounded size, which threads may share.

An entry is four words: the name of the set (and of the limit on its guesses), its seal, the lower bound with the number
of codes above it, and the upper bound. It may stand in any of WAYS neighbouring slots. When all are taken, the entry of
the fewest codes goes: it was the cheapest to find. So the table only ever saves work, and no result depends on its
size.

Threads read and write one table without waiting for each other. Words are read and written whole (`read`, `write`), but
what a thread reads of an entry may come from several threads, and from different times. The seal is the second half of
the name, covered by a scattered number of both bounds: what does not belong together does not open under the name that
is asked for, but for one chance in 2^64: it is as good as not there. (A mere `xor` of the words would not do, being the
same for bounds 20 to 31 and 52 to 63.) What two threads write at once may be lost, or stand twice; bounds that open are
right, whoever found them.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import ZERO, Int, mix
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import read, write

WAYS = 4
_WORDS = 4  # of an entry
_LOWER = np.uint64((1 << 44) - 1)
_SHIFT = np.uint64(44)

TranspositionTable = Annotated[NDArray[np.uint64], "entries", 4]


@kernel
def _cover(two: np.uint64, three: np.uint64) -> np.uint64:
    """What hides the second half of a name: a scattered number of the two words that hold the bounds."""
    return mix(two ^ mix(three))


@entry
def find(transpositions: TranspositionTable, key: np.uint64, check: np.uint64) -> tuple[Int, Int]:
    """(lower, upper) bounds known of a set; (0, IMPOSSIBLE) for one that is not there."""
    mask = np.uint64(transpositions.shape[0] - 1)
    for way in range(np.uint64(WAYS)):
        i = (key + way) & mask
        if read(transpositions, i, 0) == key:
            two, three = read(transpositions, i, 2), read(transpositions, i, 3)
            if two != ZERO and read(transpositions, i, 1) == check ^ _cover(two, three):
                return np.int64(two & _LOWER), np.int64(three)
    return np.int64(0), np.int64(IMPOSSIBLE)


@entry
def put(
    transpositions: TranspositionTable, key: np.uint64, check: np.uint64, codes: Int, lower: Int, upper: Int
) -> Int:
    """Note bounds of a set of so many codes. Returns 1 if an empty slot was taken, else 0."""
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
        if read(transpositions, i, 0) == key and read(transpositions, i, 1) == check ^ _cover(two, three):
            slot, fewest = i, np.int64(0)
            lower, upper = max(lower, np.int64(two & _LOWER)), min(upper, np.int64(three))
            break
        if np.int64(two >> _SHIFT) < fewest:
            slot, fewest = i, np.int64(two >> _SHIFT)
    two, three = np.uint64(lower) | (size << _SHIFT), np.uint64(upper)
    write(transpositions, slot, 0, key)
    write(transpositions, slot, 1, check ^ _cover(two, three))
    write(transpositions, slot, 2, two)
    write(transpositions, slot, 3, three)
    return 1 if fewest < 0 else 0


@entry
def move(old: TranspositionTable, new: TranspositionTable, begin: Int, end: Int) -> Int:
    """Put the entries in the slots from `begin` to `end` of one table into another; returns how many slots they take.

    One that is being written meanwhile may be taken in under a name that nothing has.
    """
    used = 0
    for i in range(np.uint64(begin), np.uint64(end)):
        two, three = read(old, i, 2), read(old, i, 3)
        if two != ZERO:
            check = read(old, i, 1) ^ _cover(two, three)
            used += put(new, read(old, i, 0), check, np.int64(two >> _SHIFT), np.int64(two & _LOWER), np.int64(three))
    return used
