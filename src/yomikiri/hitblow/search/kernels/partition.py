"""What a guess does to a set of codes: its cells, their names, and whether a member tells the set apart.

Whatever the codes are numbered by, a set is a stretch of `members`; `answers` are the slots of the answers that a guess
gets from them, in that order, the last slot being the win. `divide` writes the cells above the set, one after another
by slot:

    members    02 10 12 21 | 10 | 02 21 | 12        set, then cells of the guess 12 by slot
    answers     1  0  3  1 |                          0      1       3

A set is *perfect* if some member, guessed first, tells all the others apart.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.bits import ONE, ZERO, Int, mix, popcount
from yomikiri.machine.kernel import kernel


class CodeSlice(NamedTuple):
    """A set of n codes as a slice of an array: `codes[start : start + n]`."""

    codes: Annotated[NDArray[np.int32], "members"]
    start: Int
    n: Int


@kernel
def count_cells(answers: NDArray[np.uint8], n: Int, answer_count: Int, size: NDArray[np.int64]) -> None:
    """The sizes of the cells, by slot."""
    for r in range(answer_count):
        size[r] = 0
    for i in range(n):
        size[answers[i]] += 1


@kernel
def gather_answers(
    row: NDArray[np.uint8], members: NDArray[np.int32], start: Int, n: Int, answers: NDArray[np.uint8]
) -> None:
    """The answers of a set, by those of all codes to the guess."""
    for i in range(n):
        answers[i] = row[members[start + i]]


@kernel
def largest_cell(answer_count: Int, size: NDArray[np.int64]) -> Int:
    """The size of the largest cell."""
    most = np.int64(0)
    for r in range(answer_count):
        most = max(most, size[r])
    return most


@kernel
def divide(
    codes: CodeSlice,
    answers: NDArray[np.uint8],
    top: Int,
    answer_count: Int,
    size: NDArray[np.int64],
    where: NDArray[np.int64],
) -> None:
    """Write the cells, whose sizes are counted, to `members` from `top`, and where each begins to `where`."""
    members, at = codes.codes, top
    for r in range(answer_count):
        where[r] = at
        at += size[r]
    for i in range(codes.n):
        r = answers[i]
        members[where[r]] = members[codes.start + i]
        where[r] += 1
    for r in range(answer_count):
        where[r] -= size[r]


@kernel
def hash_cells(
    members: NDArray[np.int32],
    keys: NDArray[np.uint64],
    answer_count: Int,
    size: NDArray[np.int64],
    where: NDArray[np.int64],
    key: NDArray[np.uint64],
) -> tuple[np.uint64, np.uint64]:
    """Write the names of the cells to `key` (2, slots): the sums of their members' random numbers.

    Returns the name of the partition, for `is_new`.
    """
    same, check = ZERO, ZERO
    for r in range(answer_count):
        one, other = ZERO, ZERO
        for i in range(where[r], where[r] + size[r]):
            s = members[i]
            one += keys[s, 0]
            other += keys[s, 1]
        key[0, r], key[1, r] = one, other
        if size[r]:
            same += scatter(one, r == answer_count - 1)
            check += scatter(other, r == answer_count - 1)
    return same, check


@kernel
def scatter(name: np.uint64, win: bool) -> np.uint64:
    """What a cell adds to the name of its partition; the cell that is hit adds another number than one that is not."""
    return mix(name) * (np.uint64(3) if win else ONE)


@kernel
def is_new(seen: NDArray[np.uint64], serial: np.uint64, same: np.uint64, check: np.uint64) -> bool:
    """Note the partition of a set by its name; False if a guess before it is known to divide the set alike.

    `seen` (a power of two, 3) holds the serial number of a set and the two words of the name, each in a place of its
    own, and all three are compared as they are. So no set is taken for another, whatever its number is, and the names
    need only tell partitions of one set apart. They are sums over the cells, each scattered by itself: the order of
    the cells is no part of them, and whether one of them is hit is. What two others have written over is forgotten,
    which costs time alone.
    """
    place = same & np.uint64(len(seen) - 1)
    if seen[place, 0] == serial and seen[place, 1] == same and seen[place, 2] == check:
        return False
    seen[place, 0], seen[place, 1], seen[place, 2] = serial, same, check
    return True


@kernel
def insert_by_size(order: NDArray[np.int64], cells: Int, size: NDArray[np.int64], r: Int) -> Int:
    """Add a cell to so many in `order`, small ones first, then as they came; returns how many there are now."""
    at = cells
    while at > 0 and size[order[at - 1]] > size[r]:
        order[at] = order[at - 1]
        at -= 1
    order[at] = r
    return cells + 1


@kernel
def separating_member(table: NDArray[np.uint8], numbers: NDArray[np.int32], start: Int, n: Int) -> Int:
    """The first member of a set of at most 64 codes that tells all others apart, by its place in the set; else -1.

    `table` holds the answers of codes to each other, and `numbers` are their rows and columns in it. The innermost loop
    of the search: its indices are unsigned, which spares a test for negative ones; and all answers are gathered before
    they are counted, since leaving at the first that comes twice cannot be foreseen.
    """
    first, end = np.uint64(start), np.uint64(start + n)
    for i in range(first, end):
        row = np.uint64(numbers[i])
        met = ZERO
        for j in range(first, end):
            met |= ONE << np.uint64(table[row, np.uint64(numbers[j])])
        if popcount(met) == np.uint64(n):
            return np.int64(i) - start
    return np.int64(-1)


@kernel
def is_separable(table: NDArray[np.uint8], numbers: NDArray[np.int32], start: Int, n: Int) -> bool:
    """Whether a set of at most 64 codes is perfect, by the same table."""
    return bool(separating_member(table, numbers, start, n) >= 0)
