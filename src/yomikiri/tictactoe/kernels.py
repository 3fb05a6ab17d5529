"""The winners of many 3x3 boards in machine code; `batch` says what is computed and when this is worth its start-up.

Boards come row by row, so the sums over cells do not run along memory. A block of boards is therefore turned into
columns first, and every step after that is one plain loop over the block, which the compiler makes wide:

    boards  a1 b1 c1 a2 ... c3 | a1 b1 ... |  ->  columns  a1 a1 a1 ...
                                                           b1 b1 b1 ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

# A constant of the compiled code. Longer blocks crowd the fastest cache, shorter ones spend their time between loops.
BLOCK = 96


def _compiled(function: Callable[..., Any]) -> Any:
    """`function` in machine code, kept on disk where numba finds a folder that it may write to."""
    try:
        return njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:
        return njit(nogil=True, error_model="numpy")(function)


@_compiled
def winners_kernel(
    boards: NDArray[Any], fours: NDArray[np.int64], pairs: NDArray[np.int64], tie: np.int8, found: NDArray[np.int8]
) -> tuple[np.int64, np.int64]:
    """Write the winners into `found` and return the largest weight (or 0) and the smallest (or 0).

    `boards`: int64 or int32, shape (n, 9), in C order; `fours`: the second player's cells on the full boards, shape
    (16, 4); `pairs`: the winning pairs, shape (p, 2); `tie`: what to write for equal sums, 1, -1 or 0; `found`: shape
    (n,). What was found means nothing if a weight is beyond the bound of `batch`.
    """
    columns = np.empty((9, BLOCK), np.int64)
    below = np.empty(BLOCK, np.int64)
    most = np.empty(BLOCK, np.int64)
    leads = np.empty((16, BLOCK), np.uint8)
    wins = np.empty(BLOCK, np.uint8)
    columns[:] = 0
    high = np.int64(0)
    low = np.int64(0)
    for start in range(0, len(boards), BLOCK):
        size = min(BLOCK, len(boards) - start)
        block = boards[start : start + size]
        weights = block.reshape(-1)
        for i in range(len(weights)):
            high = max(high, np.int64(weights[i]))
            low = min(low, np.int64(weights[i]))
        for j in range(size):
            for cell in range(9):
                columns[cell, j] = block[j, cell]
        for j in range(BLOCK):
            total = np.int64(0)
            for cell in range(9):
                total += columns[cell, j]
            below[j] = (total - 1) >> 1
            most[j] = total >> 1
        # Bit 1 of a lead: the first player is ahead on that full board; bit 0: it is not behind.
        for i in range(16):
            a = columns[fours[i, 0]]
            b = columns[fours[i, 1]]
            c = columns[fours[i, 2]]
            d = columns[fours[i, 3]]
            lead = leads[i]
            for j in range(BLOCK):
                four = a[j] + b[j] + c[j] + d[j]
                lead[j] = np.uint8(four <= below[j]) << 1 | np.uint8(four <= most[j])
        for j in range(BLOCK):
            wins[j] = 0
        for pair in range(len(pairs)):
            one = leads[pairs[pair, 0]]
            other = leads[pairs[pair, 1]]
            for j in range(BLOCK):
                wins[j] |= one[j] & other[j]
        answers = found[start : start + size]
        for j in range(size):
            answers[j] = np.int8(1) if wins[j] == 3 else tie if wins[j] == 1 else np.int8(-1)
    return high, low
