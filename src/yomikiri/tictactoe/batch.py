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

from yomikiri.errors import BadBoardArray, BadTie, WeightBeyondBound
from yomikiri.tictactoe.board import cells_of
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.signs import full_boards, winning_pairs

BOUND = 10**18

# Boards looked at together: their columns, sums and signs stay in the processor's cache.
_BLOCK = 4096


def winners(boards: NDArray[Any], tie: str = Tie.DRAW) -> NDArray[np.int8]:
    """Who wins each 3x3 board with best play: 1 the first player, -1 the second, 0 a draw (only with tie "draw").

    `boards`: int64 or int32, shape (n, 3, 3) or (n, 9), row by row, no weight beyond 10**18 in size. `tie` says who
    wins equal sums: "draw", "first" or "second". Answers with shape (n,). Raises `BadBoardArray` for another dtype or
    shape, `WeightBeyondBound`, `BadTie`.
    """
    rule = _tie_named(tie)
    rows = _rows(boards)
    result = np.empty(len(rows), dtype=np.int8)
    for start in range(0, len(rows), _BLOCK):
        result[start : start + _BLOCK] = _block_winners(rows[start : start + _BLOCK], rule)
    return result


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


def _block_winners(rows: NDArray[Any], tie: Tie) -> NDArray[np.int8]:
    """The winners of a few boards: `rows` int64 or int32, shape (m, 9)."""
    columns = np.ascontiguousarray(rows.T, dtype=np.int64)
    for extreme in (columns.max(), columns.min()):
        if not -BOUND <= extreme <= BOUND:
            raise WeightBeyondBound(str(extreme), BOUND)
    total = columns.sum(axis=0)
    fours = [columns[a] + columns[b] + columns[c] + columns[d] for a, b, c, d in second_cells()]
    if tie is Tie.DRAW:
        first = _some_pair(fours, (total - 1) >> 1)
        not_second = _some_pair(fours, total >> 1)
        return first.astype(np.int8) - ~not_second
    first = _some_pair(fours, total >> 1 if tie is Tie.FIRST else (total - 1) >> 1)
    return np.where(first, np.int8(1), np.int8(-1))


def _some_pair(fours: list[NDArray[np.int64]], most: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where both sums of some winning pair are at most `most`; shape (m,)."""
    ahead = [four <= most for four in fours]
    found = np.zeros(len(most), dtype=np.bool_)
    for a, b in winning_pairs():
        found |= ahead[a] & ahead[b]
    return found


@cache
def second_cells() -> tuple[tuple[int, ...], ...]:
    """The second player's four cells on each of the sixteen full boards."""
    return tuple(tuple(cells_of(0b111_111_111 ^ first)) for first in full_boards())
