"""Plain text to many 3x3 boards at once.

*Plain* is what programs write: three rows of three integers a board, one blank between integers, a line feed after each
row, and either no blank line between boards or exactly one:

    -2 0 -1⏎
    -1 -1 0⏎        the bytes up to the blank are  32 32 10  32 32 10  32 32 10  (10)
    -1 -1 -2⏎
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yomikiri.tictactoe.batch import BOUND

_ROW = [ord(" "), ord(" "), ord("\n")]
_GAPS = {9: np.array(_ROW * 3, dtype=np.uint8), 10: np.array([*_ROW * 3, ord("\n")], dtype=np.uint8)}


def plain_boards(text: bytes) -> tuple[NDArray[np.int64], int]:
    """The boards that `text`, of whole lines, begins with: weights of shape (n, 9) and the bytes they take up.

    n is 0, and so are the bytes, unless all of the text but an incomplete board at its end is plain and no weight is
    beyond `BOUND`.
    """
    nothing = np.empty((0, 9), dtype=np.int64), 0
    characters = np.frombuffer(text, dtype=np.uint8)
    gaps = np.flatnonzero(characters <= ord(" "))
    if len(gaps) < 10:
        return nothing
    period = 10 if gaps[9] == gaps[8] + 1 else 9
    count = len(gaps) // period
    length = int(gaps[count * period - 1]) + 1
    characters, gaps = characters[:length], gaps[: count * period]
    if not (characters[gaps].reshape(count, period) == _GAPS[period]).all() or not _only_integers(characters):
        return nothing
    # numpy reads an integer too large as the largest one there is, which is beyond the bound as well.
    weights = np.fromstring(text[:length], dtype=np.int64, sep=" ")
    if len(weights) != 9 * count or weights.max() > BOUND or weights.min() < -BOUND:
        return nothing
    return weights.reshape(count, 9), length


def _only_integers(characters: NDArray[np.uint8]) -> bool:
    """Whether every character is a digit, a gap, or a minus sign with a gap before it and a digit after it."""
    minus = characters == ord("-")
    digit = (characters >= ord("0")) & (characters <= ord("9"))
    gap = characters <= ord(" ")
    lone = minus[1:] & ~gap[:-1]
    unfinished = minus[:-1] & ~digit[1:]
    return bool((minus | digit | gap).all() and not lone.any() and not unfinished.any())
