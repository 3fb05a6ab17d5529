"""Partitions of a set of codes by a guess: its cells, their hashes, and whether the set is separable.

A code is any integer here. A set is a slice of `members`. `answers` are the answer indices of its codes, in the same
order; the last index is the winning answer. `divide` writes the cells behind the set, in order of their answer indices.
Here a set of four codes is divided by the guess 12:

    members    02 10 12 21 | 10 | 02 21 | 12        the set | its three cells
    answers     1  0  3  1 |  0 |  1  1 |  3        answer indices; 2 does not occur

A set is *separable* if, with one of its members as the guess, no two members give the same answer.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.bits import ONE, ZERO, Int, mix, popcount
from yomikiri.machine.kernel import kernel

Answers: TypeAlias = NDArray[np.uint8] | NDArray[np.uint16]  # type of an array of answer indices


class CodeSlice(NamedTuple):
    """A set of n codes as a slice of an array: `codes[start : start + n]`."""

    codes: Annotated[NDArray[np.int32], "members"]
    start: Int
    n: Int


@kernel
def count_cells(answers: Answers, n: Int, answer_count: Int, size: NDArray[np.int64]) -> None:
    """Count the codes in each cell of a guess, and write the counts to `size`, by answer index.

    `answers` contains the answer indices of n codes.
    """
    for r in range(answer_count):
        size[r] = 0
    for i in range(n):
        size[answers[i]] += 1


@kernel
def largest_cell(answer_count: Int, size: NDArray[np.int64]) -> Int:
    """Return the size of the largest cell."""
    most = np.int64(0)
    for r in range(answer_count):
        most = max(most, size[r])
    return most


@kernel
def divide(
    codes: CodeSlice,
    answers: Answers,
    top: Int,
    answer_count: Int,
    size: NDArray[np.int64],
    where: NDArray[np.int64],
) -> None:
    """Copy the codes of a set to `codes.codes` from index `top` on, cell by cell.

    `size` must contain the sizes of the cells. Their starts are written to `where`.
    """
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
    """Write the Zobrist hash of each cell, the sum of the random words of its members, to `key`, shape (2, answers).

    Returns the hash of the partition, for `is_new`.
    """
    partition_key, check = ZERO, ZERO
    for r in range(answer_count):
        one, other = ZERO, ZERO
        for i in range(where[r], where[r] + size[r]):
            s = members[i]
            one += keys[s, 0]
            other += keys[s, 1]
        key[0, r], key[1, r] = one, other
        if size[r]:
            partition_key += scatter(one, r == answer_count - 1)
            check += scatter(other, r == answer_count - 1)
    return partition_key, check


@kernel
def hash_partition(answer_count: Int, size: NDArray[np.int64], key: NDArray[np.uint64]) -> tuple[np.uint64, np.uint64]:
    """Return the hash of a partition, for `is_new`, from the Zobrist hashes of its cells."""
    partition_key, check = ZERO, ZERO
    for r in range(answer_count):
        if size[r]:
            partition_key += scatter(key[0, r], r == answer_count - 1)
            check += scatter(key[1, r], r == answer_count - 1)
    return partition_key, check


@kernel
def scatter(name: np.uint64, win: bool) -> np.uint64:
    """Return the number that a cell with the hash `name` adds to the hash of its partition.

    `win` is True for the winning cell. It adds another number than the same cell with any other answer.
    """
    return mix(name) * (np.uint64(3) if win else ONE)


@kernel
def is_new(seen: NDArray[np.uint64], node_id: np.uint64, key: np.uint64, check: np.uint64) -> bool:
    """Record the partition of a candidate set.

    Return False if an earlier guess has divided the same set in the same way. `seen` has the shape (a power of two, 3).
    Each row contains the id of a node (`node_id`) and the two words of the partition's hash (`key`, `check`). All three
    are compared, so hashes only need to distinguish the partitions of one set. The hash is a sum over the cells. It
    does not depend on the order of the cells, but it does depend on whether one of them is the winning cell. An entry
    may be overwritten. Then an equal partition counts as new, which costs time only.
    """
    place = key & np.uint64(len(seen) - 1)
    if seen[place, 0] == node_id and seen[place, 1] == key and seen[place, 2] == check:
        return False
    seen[place, 0], seen[place, 1], seen[place, 2] = node_id, key, check
    return True


@kernel
def insert_by_size(order: NDArray[np.int64], cells: Int, size: NDArray[np.int64], r: Int) -> Int:
    """Insert cell `r` into the first `cells` entries of `order`, the smallest cell first.

    Returns the new number of cells.

    `r` is the answer index of the cell. Cells of equal size stay in order of insertion.
    """
    at = cells
    while at > 0 and size[order[at - 1]] > size[r]:
        order[at] = order[at - 1]
        at -= 1
    order[at] = r
    return cells + 1


@kernel
def insert_by_weight(
    order: NDArray[np.int64], cells: Int, weight: NDArray[np.int64], size: NDArray[np.int64], r: Int
) -> Int:
    """Insert cell `r` into the first `cells` entries of `order`, the cell with the greatest mean weight first.

    `r` is the answer index of the cell. If means are equal, the smaller cell comes first. If sizes are equal, too, the
    cells stay in order of insertion. Returns the new number of cells.
    """
    at = cells
    while at > 0:
        before = order[at - 1]
        one, other = weight[before] * size[r], weight[r] * size[before]
        if one > other or (one == other and size[before] <= size[r]):
            break
        order[at] = before
        at -= 1
    order[at] = r
    return cells + 1


@kernel
def separating_member(table: NDArray[np.uint8], numbers: NDArray[np.int32], start: Int, n: Int) -> Int:
    """Return the position, within a candidate set, of the first separating member, or -1.

    As a guess, this member gets a different answer from each member. The set has at most 64 codes.

    `table` contains the answers between codes, and `numbers[start : start + n]` are the rows and columns of the set in
    it. This is the innermost loop of the search. Its indices are unsigned, so that no test for negative ones is
    compiled. All answers are collected before they are counted, because the processor cannot predict an exit at the
    first repeated answer.
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
    """Return True if a member of a candidate set separates all others.

    The arguments are those of `separating_member`.
    """
    return bool(separating_member(table, numbers, start, n) >= 0)
