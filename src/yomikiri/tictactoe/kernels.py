"""The winners of many 3x3 boards in machine code; `batch` says what is computed and when this is worth its start-up.

Boards come row by row, so the sums over cells do not run along memory. A block of boards is therefore turned into
columns first; then one plain loop over the block, which the compiler makes wide, does all the rest in registers:

    boards  a1 b1 c1 a2 ... c3 | a1 b1 ... |  ->  columns  a1 a1 a1 ...
                                                           b1 b1 b1 ...
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.local import local_bytes, local_numbers
from yomikiri.tictactoe.sums import decisive, sums

# A constant of the compiled code. Twice as many boards are slower by half: their columns crowd each other out of the
# fastest cache.
BLOCK = 64

_sums, _decisive = kernel(sums), kernel(decisive)

Found = Annotated[NDArray[np.int8], "n"]


@entry
def winners_of_int64(
    boards: Annotated[NDArray[np.int64], "n", 9], tie: np.int8, found: Found
) -> tuple[np.int64, np.int64]:
    """Write the winners into `found` and return the largest weight (or 0) and the smallest (or 0).

    `boards`: shape (n, 9), in C order; `tie`: what to write for equal sums, 1, -1 or 0; `found`: shape (n,). What was
    found means nothing if a weight is beyond the bound of `batch`.
    """
    return _winners(boards, tie, found)


@entry
def winners_of_int32(
    boards: Annotated[NDArray[np.int32], "n", 9], tie: np.int8, found: Found
) -> tuple[np.int64, np.int64]:
    """The same for weights of 32 bits."""
    return _winners(boards, tie, found)


@kernel
def _winners(boards: NDArray[Any], tie: np.int8, found: NDArray[np.int8]) -> tuple[np.int64, np.int64]:
    # Room given from outside might overlap, and the compiler does less with it.
    columns = local_numbers(9, BLOCK)
    answers = local_bytes(1, BLOCK)[0]
    # The last block may have fewer boards; what is left of it must be some board, whatever that is.
    for cell in range(9):
        for j in range(BLOCK):
            columns[cell, j] = 0
    high = np.int64(0)
    low = np.int64(0)
    for start in range(0, len(boards), BLOCK):
        size = min(BLOCK, len(boards) - start)
        block = boards[start : start + size]
        for j in range(size):
            for cell in range(9):
                columns[cell, j] = block[j, cell]
        for j in range(BLOCK):
            a1, b1, c1 = columns[0, j], columns[1, j], columns[2, j]
            a2, b2, c2 = columns[3, j], columns[4, j], columns[5, j]
            a3, b3, c3 = columns[6, j], columns[7, j], columns[8, j]
            high = max(high, a1, b1, c1, a2, b2, c2, a3, b3, c3)
            low = min(low, a1, b1, c1, a2, b2, c2, a3, b3, c3)
            total, second = _sums(a1, b1, c1, a2, b2, c2, a3, b3, c3)
            lead = total - 2 * _decisive(second)
            answers[j] = np.int8(1) if lead > 0 else tie if lead == 0 else np.int8(-1)
        part = found[start : start + size]
        for j in range(size):
            part[j] = answers[j]
    return high, low
