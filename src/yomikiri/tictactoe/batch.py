"""The winners of many 3x3 boards at once, by the sixteen signs of `signs`.

With S the sum of all nine weights and s the sum of the second player's four cells on a full board, the first player is
ahead there iff 2s < S, in integers s <= (S - 1) >> 1, and not behind iff s <= S >> 1. All of it fits in int64 while
no weight is larger than 10**18 in size, since 9 * 10**18 < 2**63.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yomikiri.tictactoe.board import cells_of
from yomikiri.tictactoe.errors import BadBoardArray, BadTie, WeightBeyondBound
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.signs import full_boards, winning_pairs

BOUND = 10**18

# Boards that numpy looks at together: their columns, sums and signs stay in the processor's cache.
_BLOCK = 8192
# Boards passed at once to the kernel; after each such part the weights are checked.
_PART = 1 << 20
# numpy answers a board in about 50 ns, machine code in about 10, but to compile it takes a second or more. So it is
# compiled when numpy has spent about as long in this process: never much later than the best moment, known only then.
_PATIENCE = 20_000_000
_answered = 0


def winners(boards: NDArray[Any], tie: str = Tie.DRAW) -> NDArray[np.int8]:
    """Who wins each 3x3 board with best play: 1 the first player, -1 the second, 0 a draw (only with tie "draw").

    `boards`: int64 or int32, shape (n, 3, 3) or (n, 9), row by row, no weight beyond 10**18 in size. `tie` says who
    wins equal sums: "draw", "first" or "second". Answers with shape (n,). Raises `BadBoardArray` for another dtype or
    shape, `WeightBeyondBound`, `BadTie`. After 20 million boards machine code takes over; `compile_winners` does not
    wait for that.
    """
    global _answered
    rule = _tie_named(tie)
    rows = _rows(boards)
    found = np.empty(len(rows), dtype=np.int8)
    for start in range(0, len(rows), _PART):
        part = slice(start, start + _PART)
        if _answered < _PATIENCE:
            _by_numpy(rows[part], rule, found[part])
        else:
            _by_kernel(rows[part], rule, found[part])
        _answered += len(rows[part])
    return found


def compile_winners() -> None:
    """Let machine code answer from now on: load it, or compile it, which takes a second or more the first time."""
    global _answered
    for dtype in (np.int64, np.int32):
        _by_kernel(np.zeros((1, 9), dtype), Tie.DRAW, np.empty(1, np.int8))
    _answered = max(_answered, _PATIENCE)


def _tie_named(tie: str) -> Tie:
    try:
        return Tie(tie)
    except ValueError:
        raise BadTie(str(tie)) from None


def _rows(boards: NDArray[Any]) -> NDArray[Any]:
    """`boards` as shape (n, 9), without a copy where its memory allows."""
    if not isinstance(boards, np.ndarray):
        raise BadBoardArray(type(boards).__name__)
    if boards.dtype not in (np.int64, np.int32) or boards.shape[1:] not in ((3, 3), (9,)):
        raise BadBoardArray(f"{boards.dtype} {boards.shape}")
    return boards.reshape(len(boards), 9)


def _by_kernel(rows: NDArray[Any], tie: Tie, found: NDArray[np.int8]) -> None:
    """Write the winners of `rows`, int64 or int32 of shape (m, 9), into `found`, shape (m,)."""
    from yomikiri.tictactoe.kernels import winners_kernel

    fours, pairs = np.array(second_cells(), dtype=np.int64), np.array(winning_pairs(), dtype=np.int64)
    # Read-only, like any array that is mapped from a file: one kind of array is compiled, not two.
    given = np.ascontiguousarray(rows).view()
    given.flags.writeable = False
    extremes = winners_kernel(given, fours, pairs, np.int8(_TIES[tie]), found)
    _check_bound(*map(int, extremes))


def _by_numpy(rows: NDArray[Any], tie: Tie, found: NDArray[np.int8]) -> None:
    """The same without machine code."""
    for start in range(0, len(rows), _BLOCK):
        columns = np.ascontiguousarray(rows[start : start + _BLOCK].T, dtype=np.int64)
        _check_bound(int(columns.max()), int(columns.min()))
        total = columns.sum(axis=0)
        below, most = (total - 1) >> 1, total >> 1
        leads = []
        for a, b, c, d in second_cells():
            four = columns[a] + columns[b] + columns[c] + columns[d]
            leads.append((four <= below).view(np.uint8) << 1 | (four <= most).view(np.uint8))
        # Bit 1: ahead on both boards of some pair; bit 0: not behind on both boards of some pair.
        wins = np.zeros(len(total), dtype=np.uint8)
        for one, other in winning_pairs():
            wins |= leads[one] & leads[other]
        found[start : start + _BLOCK] = np.array([-1, _TIES[tie], 1, 1], dtype=np.int8)[wins]


_TIES = {Tie.DRAW: 0, Tie.FIRST: 1, Tie.SECOND: -1}


def _check_bound(*extremes: int) -> None:
    for weight in extremes:
        if not -BOUND <= weight <= BOUND:
            raise WeightBeyondBound(str(weight), BOUND)


@cache
def second_cells() -> tuple[tuple[int, ...], ...]:
    """The second player's four cells on each of the sixteen full boards."""
    return tuple(tuple(cells_of(0b111_111_111 ^ first)) for first in full_boards())
