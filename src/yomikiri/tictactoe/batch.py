"""The winners of many 3x3 boards at once, by the sixteen sums of `sums`.

All of it fits in int64 while no weight is larger than 10**18 in size: no sum, and no difference of both players' sums,
is then beyond 9 * 10**18 < 2**63.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from yomikiri.errors import N_, BoardError
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.sums import decisive, sums

BOUND = 10**18

# Boards that numpy looks at together: their columns, sums and signs stay in the processor's cache.
_BLOCK = 4096
# Boards passed at once to the kernel; after each such part the weights are checked.
_PART = 1 << 20
# numpy answers a board in about 40 ns, machine code in about 5, but to compile it takes a second or more. So it is
# compiled when numpy has spent about as long in this process: never much later than the best moment, known only then.
_PATIENCE = 20_000_000
_answered = 0


def winners(boards: NDArray[Any], tie: str = Tie.DRAW) -> NDArray[np.int8]:
    """Who wins each 3x3 board with best play: 1 the first player, -1 the second, 0 a draw (only with tie "draw").

    `boards`: int64 or int32, shape (n, 3, 3) or (n, 9), row by row, no weight beyond 10**18 in size. `tie` says who
    wins equal sums: "draw", "first" or "second". Answers with shape (n,). Raises a `BoardError` for another dtype or
    shape, a weight beyond `BOUND`, and an unknown `tie`. After 20 million boards machine code
    takes over; `compile_winners` does not wait for that.

    >>> winners(np.array([[-1, 1, 0, -4, -2, -5, -4, -1, -5], [0, 0, 0, 0, 1, 0, 0, 0, 0]]))
    array([-1,  1], dtype=int8)
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
        raise BoardError(N_("tie {given!r}: expected draw, first or second"), given=str(tie)) from None


def _rows(boards: NDArray[Any]) -> NDArray[Any]:
    """`boards` as shape (n, 9), without a copy where its memory allows."""
    if not isinstance(boards, np.ndarray):
        raise _not_boards(type(boards).__name__)
    if boards.dtype not in (np.int64, np.int32) or boards.shape[1:] not in ((3, 3), (9,)):
        raise _not_boards(f"{boards.dtype} {boards.shape}")
    return boards.reshape(len(boards), 9)


def _by_kernel(rows: NDArray[Any], tie: Tie, found: NDArray[np.int8]) -> None:
    """Write the winners of `rows`, int64 or int32 of shape (m, 9), into `found`, shape (m,)."""
    from yomikiri.tictactoe.kernels import winners_kernel

    # Read-only, like any array that is mapped from a file: one kind of array is compiled, not two.
    given = np.ascontiguousarray(rows).view()
    given.flags.writeable = False
    extremes = winners_kernel(given, np.int8(_TIES[tie]), found)
    _check_bound(*map(int, extremes))


def _by_numpy(rows: NDArray[Any], tie: Tie, found: NDArray[np.int8]) -> None:
    """The same without machine code."""
    for start in range(0, len(rows), _BLOCK):
        columns = np.ascontiguousarray(rows[start : start + _BLOCK].T, dtype=np.int64)
        _check_bound(int(columns.max()), int(columns.min()))
        total, second = sums(*columns)
        winner = np.sign(total - 2 * decisive(second))
        found[start : start + _BLOCK] = np.where(winner == 0, _TIES[tie], winner)


_TIES = {Tie.DRAW: 0, Tie.FIRST: 1, Tie.SECOND: -1}


def _check_bound(*extremes: int) -> None:
    for weight in extremes:
        if not -BOUND <= weight <= BOUND:
            raise BoardError(
                N_("the weight {given} is too large for an array: expected -{bound} to {bound}"),
                given=str(weight),
                bound=BOUND,
            )


def _not_boards(given: str) -> BoardError:
    return BoardError(
        N_("boards given as {given}: expected an array of int64 or int32, shape (n, 3, 3) or (n, 9)"), given=given
    )
