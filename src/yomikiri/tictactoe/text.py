"""The winners of boards given as text: each as soon as its board is complete, a million 3x3 boards in a second.

Boards other than 3x3 with three in a row are handed on. Of those, plain text that arrives in large blocks is read and
answered as arrays. Whatever is small, unusual, or beyond the arrays' bound is read row by row into exact integers, and
only that reading says what is wrong with a line.

*Plain* is what programs write: three rows of three integers a board, one blank between integers, a line feed after each
row, and either no blank line between boards or exactly one:

    -2 0 -1⏎
    -1 -1 0⏎        the bytes up to the blank are  32 32 10  32 32 10  32 32 10  (10)
    -1 -1 -2⏎
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from yomikiri.tictactoe.board import DEFAULT_LINE, Board, not_a_weight
from yomikiri.tictactoe.notation import in_line, read_boards_alike
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.signs import follows_from_signs, winner_by_signs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The gaps of one plain board, without a blank line after it and with one.
_GAPS = {9: b"  \n" * 3, 10: b"  \n" * 3 + b"\n"}
# Below this many bytes, importing numpy costs more than it saves.
_LARGE = 1 << 18
# Eight weights of 4,000 digits are far shorter; without a limit a file without line breaks would fill the memory.
_LONGEST_LINE = 1 << 20


def winners_of_text(
    blocks: Iterable[bytes],
    tie: Tie = Tie.DRAW,
    *,
    line: int = DEFAULT_LINE,
    rows: int | None = None,
    other: Callable[[Iterator[Board]], Iterator[int]],
) -> Iterator[list[int]]:
    """Who wins each board in `blocks`, in order, a few at a time: 1 the first player, -1 the second, 0 a draw.

    All boards have the shape of the first one, see `read_boards_alike`; `other` answers them, in order, if that is not
    3x3 with three in a row, and then asks for boards as it likes. Else a block is asked for only when every complete
    board before it is answered. Raises a `BoardError` at the first line that does not belong to such a board.
    """
    source = _Source(blocks)
    boards = read_boards_alike(source.lines(), rows, line)
    plain = False
    while True:
        if plain and (weights := source.take_plain_boards()) is not None:
            from yomikiri.tictactoe.batch import winners

            yield winners(weights, tie).tolist()
        elif (board := next(boards, None)) is not None:
            plain = follows_from_signs(board)
            if plain:
                yield [int(winner_by_signs(board.flat, tie) or 0)]
            else:
                yield from ([each] for each in other(chain([board], boards)))
        else:
            return


class _Source:
    """Text that arrives in blocks, taken line by line or, at the start of a board, many boards at once."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._text = b""  # whole lines, the first `_used` bytes of them taken
        self._used = 0
        self._tail = b""  # a line that may go on in the next block
        self._number = 0  # of the last line taken
        self._plain = False  # whether the text may still turn out to be plain

    def lines(self) -> Iterator[tuple[int, str]]:
        """Every line not taken otherwise, with its number."""
        while self._used < len(self._text) or self._fill():
            end = self._text.index(b"\n", self._used)
            line = self._text[self._used : end].decode("utf-8", "replace")
            self._used = end + 1
            self._number += 1
            yield self._number, line

    def take_plain_boards(self) -> NDArray[np.int64] | None:
        """Boards that can be taken as an array, shape (n, 9), n > 0; None where the lines must be looked at."""
        if not self._plain:
            return None
        weights, length = plain_boards(self._text[self._used :])
        self._number += self._text.count(b"\n", self._used, self._used + length)
        self._used += length
        # Whatever is left does not begin with a plain board, so it is read by lines.
        self._plain = False
        return weights if len(weights) else None

    def _fill(self) -> bool:
        """Ask for blocks until there is a whole line; False at the end."""
        for block in self._blocks:
            text = self._tail + block
            end = text.rfind(b"\n") + 1
            self._tail = text[end:]
            if len(self._tail) > _LONGEST_LINE:
                raise in_line(self._number + 1, not_a_weight(self._tail[:100].decode("utf-8", "replace")))
            if end:
                self._start(text[:end])
                return True
        text, self._tail = self._tail, b""
        if text:
            self._start(text + b"\n")
        return bool(text)

    def _start(self, text: bytes) -> None:
        self._text, self._used = text.replace(b"\r\n", b"\n"), 0
        self._plain = len(text) >= _LARGE


def plain_boards(text: bytes) -> tuple[NDArray[np.int64], int]:
    """The boards that `text`, of whole lines, begins with: weights of shape (n, 9) and the bytes they take up.

    n is 0, and so are the bytes, unless all of the text but an incomplete board at its end is plain and no weight is
    beyond `BOUND`.
    """
    import numpy as np

    from yomikiri.tictactoe.batch import BOUND

    nothing = np.empty((0, 9), dtype=np.int64), 0
    characters = np.frombuffer(text, dtype=np.uint8)
    gaps = np.flatnonzero(characters <= ord(" "))
    if len(gaps) < 10:
        return nothing
    period = 10 if gaps[9] == gaps[8] + 1 else 9
    count = len(gaps) // period
    length = int(gaps[count * period - 1]) + 1
    characters, gaps = characters[:length], gaps[: count * period]
    if not (
        characters[gaps].reshape(count, period) == np.frombuffer(_GAPS[period], dtype=np.uint8)
    ).all() or not _only_integers(characters):
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
