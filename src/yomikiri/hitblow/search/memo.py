"""What is known of sets of codes already met: a table of bounded size.

An entry is four words: two that name the set (and the limit on its guesses), the lower bound with the number of codes
above it, and the upper bound. It may stand in any of WAYS neighbouring slots. When all are taken, the entry of the
fewest codes goes: it was the cheapest to find. So the table only ever saves work, and no result depends on its size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.kernels_ahead import kernel
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.numba_support.bits import ZERO, Int

WAYS = 4
_WORDS = 4  # of an entry
_LOWER = np.uint64((1 << 44) - 1)
_SHIFT = np.uint64(44)

Memo = NDArray[np.uint64]  # (entries, 4)


def new_memo(entries: int) -> Memo:
    """An empty table: shape (entries, 4); `entries` is a power of two, at least WAYS."""
    return np.zeros((entries, _WORDS), dtype=np.uint64)


def check(memo: Memo) -> int:
    """Assert what holds of every memo; returns how many entries are taken.

    Bounds do not cross, an entry is found under its name, and none of its name stands in another slot.
    """
    taken = np.flatnonzero(memo[:, 2])
    for i in taken:
        key, name, lower, upper = memo[i, 0], memo[i, 1], memo[i, 2] & _LOWER, memo[i, 3]
        assert memo[i, 2] >> _SHIFT > 0, f"no codes in slot {i}"
        assert lower <= upper <= IMPOSSIBLE, f"bounds of slot {i}: {lower} to {upper}"
        ways = [int(key + np.uint64(way)) % len(memo) for way in range(WAYS)]
        same = [way for way in ways if memo[way, 2] and memo[way, 0] == key and memo[way, 1] == name]
        assert same == [i], f"slot {i} is found in {same}"
    return len(taken)


@kernel
def find(memo: Memo, key: np.uint64, check: np.uint64) -> tuple[Int, Int]:
    """(lower, upper) bounds known of a set; (0, IMPOSSIBLE) for one that is not there."""
    mask = np.uint64(memo.shape[0] - 1)
    for way in range(np.uint64(WAYS)):
        i = (key + way) & mask
        if memo[i, 0] == key and memo[i, 1] == check:
            return np.int64(memo[i, 2] & _LOWER), np.int64(memo[i, 3])
    return np.int64(0), np.int64(IMPOSSIBLE)


@kernel
def put(memo: Memo, key: np.uint64, check: np.uint64, codes: Int, lower: Int, upper: Int) -> Int:
    """Note bounds of a set of so many codes. Returns 1 if an empty slot was taken, else 0."""
    mask = np.uint64(memo.shape[0] - 1)
    size = min(codes, (1 << 20) - 1)
    worst = key & mask
    fewest = np.int64(1 << 20)
    for way in range(np.uint64(WAYS)):
        i = (key + way) & mask
        old = np.int64(memo[i, 2] & _LOWER)
        if memo[i, 2] == ZERO:
            worst, fewest = i, np.int64(-1)
            break
        if memo[i, 0] == key and memo[i, 1] == check:
            memo[i, 2] = np.uint64(max(lower, old)) | (np.uint64(size) << _SHIFT)
            memo[i, 3] = np.uint64(min(upper, np.int64(memo[i, 3])))
            return 0
        if np.int64(memo[i, 2] >> _SHIFT) < fewest:
            worst, fewest = i, np.int64(memo[i, 2] >> _SHIFT)
    memo[worst, 0] = key
    memo[worst, 1] = check
    memo[worst, 2] = np.uint64(lower) | (np.uint64(size) << _SHIFT)
    memo[worst, 3] = np.uint64(upper)
    return 1 if fewest < 0 else 0


@kernel
def move(old: Memo, new: Memo) -> Int:
    """Put every entry of one table into another; returns how many slots they take."""
    used = 0
    for i in range(old.shape[0]):
        if old[i, 2] != ZERO:
            lower = np.int64(old[i, 2] & _LOWER)
            used += put(new, old[i, 0], old[i, 1], np.int64(old[i, 2] >> _SHIFT), lower, np.int64(old[i, 3]))
    return used
