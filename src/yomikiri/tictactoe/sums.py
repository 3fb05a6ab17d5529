"""The sixteen sums of a 3x3 board and the comparison that decides it, for numpy arrays and for compiled code.

A *full board* X gives five cells to the first player and four to the second, without a line. `signs` derives 26 pairs
of full boards: the first player wins if and only if it has the larger sum on both boards of some pair. Let s(X) be the
weight of the second player's four cells on X. The *decisive sum* is

    the minimum of max(s(X), s(Y)) over the 26 pairs XY

The first player wins if the decisive sum is below half the weight of all nine cells, the second if it is above. If the
two are equal, the game is a draw. Pairs with a common board are combined, because
min(max(x, y), max(x, z)) = max(x, min(y, z)). This takes 31 operations min and max instead of 51.

`sums` and `decisive` work on integers and on arrays. The tests compare them with `signs` on every sign vector. In the
compiled functions, the boards are stored one after another, so the weights of the same cell on several boards are not
adjacent in memory. Therefore a block of boards is first transposed into columns. One plain loop over the block, which
the compiler vectorises, then computes the sums in registers:

    boards  a1 b1 c1 a2 ... c3 | a1 b1 ... |  ->  columns  a1 a1 a1 ...
                                                           b1 b1 b1 ...
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.arrays import local_bytes, local_numbers
from yomikiri.machine.kernel import entry, kernel

# Number of boards that the compiled library solves together, as a block with one column for each of the nine cells.
# With 128 boards instead of 64, the library was measured to take 1.5 times as long.
BLOCK = 64

Found = Annotated[NDArray[np.int8], "n"]


@kernel
def sums(weights: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """Return the sum of nine weights, and the second player's sum on each full 3x3 board without a line.

    The weights are integers, or arrays with one element per board. There are sixteen full boards without a line. Their
    sums are in the order of `signs.full_boards()`.
    """
    a1, b1, c1, a2, b2, c2, a3, b3, c3 = weights
    # Add these four pairs of weights first, because each of the sixteen sums contains one or two of the pairs.
    left, right, top, bottom = a1 + b3, c2 + a3, b1 + c3, c1 + a2
    return left + right + top + bottom + b2, (
        bottom + (b3 + c3),
        right + top,
        top + (b2 + a3),
        top + (a2 + a3),
        bottom + (b2 + c3),
        top + (a2 + b2),
        top + bottom,
        left + right,
        left + (b2 + c2),
        left + (c1 + c2),
        bottom + (b2 + b3),
        left + (c1 + b2),
        left + bottom,
        right + (b1 + b2),
        right + (a1 + b2),
        right + (a1 + b1),
    )


@kernel
def decisive(second: tuple[Any, ...]) -> Any:
    """Return the decisive sum of a 3x3 board, given the second player's sums on the sixteen full boards.

    Full boards have no empty cell and no line. If the decisive sum is more than half the sum of all nine weights, the
    second player wins. If it is less, the first player wins.

    The decisive sum is the minimum of max(x, y) over 26 pairs of full boards, where x and y are the second player's
    sums on the two boards of a pair.
    """
    a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p = second  # noqa: E741 (the letter l has its place in the alphabet)
    least, most = np.minimum, np.maximum
    # The first assignment to `found` covers eight of the 26 pairs: ah, ap, gh, gp, bj, bm, dj, dm. Each later statement
    # belongs to one board, and covers all remaining pairs that contain this board. If x is the sum on this board, and
    # y, z, ... are the sums on the other boards of these pairs, the statement computes max(x, min(y, z, ...)).
    found = least(most(least(a, g), least(h, p)), most(least(b, d), least(j, m)))
    found = least(found, most(f, least(least(c, e), least(least(i, k), n))))
    found = least(found, most(i, least(least(k, l), least(n, o))))
    found = least(found, most(e, least(least(c, k), l)))
    found = least(found, most(n, least(least(c, k), o)))
    found = least(found, most(o, least(c, l)))
    return least(found, most(k, l))


@entry
def winners_of_int64(
    boards: Annotated[NDArray[np.int64], "n", 9], tie: np.int8, found: Found
) -> tuple[np.int64, np.int64]:
    """Write the winners of 3x3 boards to `found`, and return two bounds of the weights.

    The first result is the greatest weight, or 0 if all weights are negative. The second result is the least weight, or
    0 if all weights are positive.

    `boards` contains the weights, shape (n, 9), in C order, and `found` has the shape (n,). `tie` is the winner of a
    game with equal sums: 1 for the first player, -1 for the second, 0 for a draw. If a result exceeds
    `batch.BOUND` (10**18) in absolute value, the sums may have overflowed, and the caller must discard the winners.
    """
    return _winners(boards, tie, found)


@entry
def winners_of_int32(
    boards: Annotated[NDArray[np.int32], "n", 9], tie: np.int8, found: Found
) -> tuple[np.int64, np.int64]:
    """Write the winners of 3x3 boards with weights of 32 bits to `found`, as `winners_of_int64` does."""
    return _winners(boards, tie, found)


@kernel
def _winners(boards: NDArray[Any], tie: np.int8, found: NDArray[np.int8]) -> tuple[np.int64, np.int64]:
    # Use local arrays, because the compiler optimises less if it cannot exclude that arrays overlap.
    columns = local_numbers(9, BLOCK)
    answers = local_bytes(1, BLOCK)[0]
    # Set all weights to 0, because the loop below reads whole blocks even if there are fewer boards than BLOCK.
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
            total, second = sums((a1, b1, c1, a2, b2, c2, a3, b3, c3))
            margin = total - 2 * decisive(second)
            answers[j] = np.int8(1) if margin > 0 else tie if margin == 0 else np.int8(-1)
        part = found[start : start + size]
        for j in range(size):
            part[j] = answers[j]
    return high, low
