"""Winners of boards given as text, each as soon as its board is complete; a million 3x3 boards in a second.

A function of the caller solves the boards that are not 3x3 with three in a row. Plain text of 3x3 boards that arrives
in large blocks is parsed and solved as arrays. All other text is parsed row by row into exact integers. Only this
parser reports invalid boards.

*Plain* text is the form that programs write: three rows of three integers per board, one blank between integers, a line
feed after each row, and either no blank line between boards or exactly one. The *gaps* of a board are the blanks and
line feeds between its integers:

    -2 0 -1⏎
    -1 -1 0⏎        the gaps as bytes:  32 32 10  32 32 10  32 32 10  (10)
    -1 -1 -2⏎
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, dropwhile
from typing import TYPE_CHECKING

from yomikiri.common.errors import N_, BoardError
from yomikiri.tictactoe.board import DEFAULT_LINE, MAX_SIDE, Board, not_a_weight
from yomikiri.tictactoe.notation import columns_of, in_line, read_boards
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.signs import follows_from_signs, winner_by_signs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The blanks and line feeds of a plain 3x3 board, in order. The keys are their number: 9 without a blank line after the
# board, 10 with a blank line.
_GAPS = {9: b"  \n" * 3, 10: b"  \n" * 3 + b"\n"}
_GAPS_ONLY = {9: _GAPS[9]}
# Least size in bytes of a text block that numpy parses. A smaller block is parsed faster without importing numpy.
_LARGE = 1 << 18
# Limit on the bytes of a line of text, because a file without line breaks would otherwise fill the memory.
# The longest valid line of text is a row of eight weights of 4,000 digits, far shorter than a million bytes.
_LONGEST_LINE = 1 << 20


def winners_of_text(
    blocks: Iterable[bytes],
    tie: Tie = Tie.DRAW,
    *,
    line: int = DEFAULT_LINE,
    rows: int | None = None,
    other: Callable[[Iterator[Board]], Iterator[int]],
    on_list: Callable[[int], None] = lambda _count: None,
) -> Iterator[list[int]]:
    """Yield the winners of the boards in `blocks`, in order, as short lists: 1 first player, -1 second, 0 draw.

    `blocks` are consecutive pieces of the text, which may end within a line. The number of columns of a board follows
    from the text. If `rows` is given, each board has this number of rows. Otherwise a board ends at a blank line, with
    one exception: a text without a blank line, with three columns and six, nine, twelve, ... rows, is a list of 3x3
    boards. The winners of such a list are yielded together at the end of the text, after a call of `on_list` with the
    number of boards.

    `line` is the length of a winning line. `other` is a function that solves, in order, the boards that are not 3x3
    with three in a row. The next block is taken from `blocks` only after all complete boards of the earlier blocks are
    solved, or earlier if `other` takes further boards from its iterator before it solves the first ones. Raises a
    `BoardError` at the first line that does not belong to a board, after the boards before that line are solved.
    """
    source = _Source(blocks)
    boards, is_list = source.boards(rows, line)
    answers = _answers(source, boards, tie, other, _GAPS_ONLY if is_list else _GAPS)
    if is_list:
        found = [*chain.from_iterable(answers)]
        on_list(len(found))
        yield found
    else:
        yield from answers


def boards_of_text(
    blocks: Iterable[bytes], rows: int | None = None, line: int = DEFAULT_LINE
) -> tuple[Iterator[Board], bool]:
    """Return an iterator over the boards in a text, and True if they are 3x3 boards without blank lines between them.

    `blocks` are consecutive pieces of the text, which may end within a line. `rows` is the number of rows of each
    board, or None if it follows from the text as in `winners_of_text`. `line` is the length of a winning line.
    """
    return _Source(blocks).boards(rows, line)


def _first_board(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the first lines of a text, with their numbers, up to the end of the first board.

    Stops after the blank line that follows the board, or after a line with `/`, which is a board by itself. If neither
    comes earlier, stops after nine rows, one more than a board can have. The text is then a list of boards without
    blank lines between them, or invalid.
    """
    rows = 0
    for number, text in lines:
        yield number, text
        columns = columns_of(text)
        rows += columns > 0
        if "/" in text or rows > MAX_SIDE or (rows and not columns):
            return


def _is_list(start: Sequence[tuple[int, str]]) -> bool:
    """Return True if a text begins like a list of 3x3 boards without blank lines between them.

    `start` contains the first lines of the text with their numbers, as `_first_board` yields them: up to the blank line
    after the first board, or nine rows. The result is True if `start` has nine rows, or six rows and the text ends
    there, without a blank line between or after them. In addition, no row may contain `/`, and the first row must have
    three weights. The other rows are not checked.
    """
    first = list(dropwhile(lambda line: not columns_of(line[1]), start))
    rows = len(first)
    return (
        (rows > MAX_SIDE or (rows > DEFAULT_LINE and rows % DEFAULT_LINE == 0))
        and all("/" not in text and columns_of(text) for _number, text in first)
        and columns_of(first[0][1]) == DEFAULT_LINE
    )


def _without_blank_lines(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines of boards that have no blank lines between them, without the blank lines at the end.

    Raises a `BoardError` if boards follow a blank line.
    """
    blank = 0
    for number, text in lines:
        if not columns_of(text):
            blank = blank or number
        elif blank:
            raise BoardError(
                N_(
                    "line {line} is blank, but the boards before it have no blank lines between them: separate all"
                    " boards, or give --rows 3"
                ),
                line=blank,
            )
        else:
            yield number, text


def _answers(
    source: _Source,
    boards: Iterator[Board],
    tie: Tie,
    other: Callable[[Iterator[Board]], Iterator[int]],
    gaps: dict[int, bytes],
) -> Iterator[list[int]]:
    """Yield the winners of the boards in a text, in order, as short lists.

    `source` is the reader of the text, and `boards` an iterator over its boards. If the text has the plain form that
    programs write (see the module), many boards are read from `source` at once, and solved as arrays. `other` solves
    the remaining boards one by one, and `tie` is the winner if the sums are equal.

    `gaps` says which boards may be read at once. A board has nine gaps (the blanks and line feeds after its integers),
    or ten if a blank line follows. The keys are 9, 10, or both. Each value contains the gaps of such a board, in order.
    """
    waiting: list[Board] = []

    def searched(board: Board) -> Iterator[Board]:
        """Yield `board` and the boards that follow it in the text, up to the next 3x3 board with three in a row.

        That 3x3 board is not yielded, because sixteen sums decide it without a search. It is appended to the list
        `waiting`. The sequence ends there, because more 3x3 boards may follow, and many of them can be parsed and
        solved at once.
        """
        yield board
        for each in boards:
            if follows_from_signs(each):
                waiting.append(each)
                return
            yield each

    plain = False
    while True:
        if plain and not waiting and (weights := source.take_plain_boards(gaps)) is not None:
            from yomikiri.tictactoe.batch import winners

            yield winners(weights, tie).tolist()
            continue
        board = waiting.pop() if waiting else next(boards, None)
        if board is None:
            return
        plain = follows_from_signs(board)
        if plain:
            yield [int(winner_by_signs(board.flat, tie) or 0)]
        else:
            yield from ([each] for each in other(searched(board)))


class _Source:
    """A reader of text that arrives in blocks.

    It returns the text line by line. Where a new board begins, it can also parse many 3x3 boards at once, if the text
    has the plain form that programs write (see the module).
    """

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._text = b""  # all complete lines of the block of text that was read last
        self._used = 0  # how many bytes of the current block of text have been parsed
        self._tail = b""  # the beginning of a line at the end of the current block of text; the next block continues it
        self._number = 0  # number of the line of text that was parsed last
        self._plain = False  # True if the rest of the current block of text may be boards that numpy can parse at once
        # lines at the start of the text that were read in advance, to see whether blank lines separate the boards
        self._ahead: deque[tuple[int, str]] = deque()

    def boards(self, rows: int | None, line: int) -> tuple[Iterator[Board], bool]:
        """Return an iterator over the boards of the text, and True if the text is a list of 3x3 boards.

        In such a list, there are no blank lines between the boards.
        """
        if rows is None:
            self._ahead.extend(_first_board(self._lines()))
            if _is_list(self._ahead):
                return read_boards(_without_blank_lines(self._lines()), DEFAULT_LINE, line, DEFAULT_LINE), True
        return read_boards(self._lines(), rows, line), False

    def _lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines of the text with their numbers, except lines that numpy has parsed as boards."""
        while self._ahead:
            yield self._ahead.popleft()
        while self._used < len(self._text) or self._fill():
            end = self._text.index(b"\n", self._used)
            line = self._text[self._used : end].decode("utf-8", "replace")
            self._used = end + 1
            self._number += 1
            yield self._number, line

    def take_plain_boards(self, gaps: Mapping[int, bytes]) -> NDArray[np.int64] | None:
        """Read many 3x3 boards at once as an array of weights, shape (n, 9) with n > 0.

        Returns None if the text must be parsed line by line, because it does not have the plain form that programs
        write (see the module). `gaps` says which boards are accepted: its keys are 9 for boards without a blank line
        after them, 10 for boards with one, or both. Each value contains the blanks and line feeds of such a board, in
        order.
        """
        if self._ahead or not self._plain:
            return None
        weights, length = plain_boards(self._text[self._used :], gaps)
        self._number += self._text.count(b"\n", self._used, self._used + length)
        self._used += length
        # Parse the rest of this block line by line, because numpy could not parse the text after these boards.
        self._plain = False
        return weights if len(weights) else None

    def _fill(self) -> bool:
        """Read more blocks of text until there is a complete line. Returns False if the text has ended."""
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


def plain_boards(text: bytes, expected: Mapping[int, bytes] = _GAPS) -> tuple[NDArray[np.int64], int]:
    """Return the weights of the 3x3 boards at the start of `text`, and the number of bytes of these boards.

    `text` consists of complete lines. An incomplete board at its end is ignored. The weights have shape (n, 9). The
    result is an empty array and 0 if anything before the incomplete board differs from the plain form (three integers
    per row, single blanks, and either no blank line or exactly one after each board), if a weight exceeds `BOUND`,
    10**18, in absolute value, or if `text` contains fewer than ten blanks and line feeds.

    `expected` says which boards are accepted: its keys are 9 for boards without a blank line after them, 10 for boards
    with one, or both. Each value contains the blanks and line feeds of such a board, in order.
    """
    import numpy as np

    from yomikiri.tictactoe.batch import BOUND

    nothing = np.empty((0, 9), dtype=np.int64), 0
    characters = np.frombuffer(text, dtype=np.uint8)
    gaps = np.flatnonzero(characters <= ord(" "))
    if len(gaps) < 10:
        return nothing
    period = 10 if gaps[9] == gaps[8] + 1 else 9
    if period not in expected:
        return nothing
    count = len(gaps) // period
    length = int(gaps[count * period - 1]) + 1
    characters, gaps = characters[:length], gaps[: count * period]
    if not (
        characters[gaps].reshape(count, period) == np.frombuffer(_GAPS[period], dtype=np.uint8)
    ).all() or not _only_integers(characters):
        return nothing
    # numpy turns an integer beyond 64 bits into the largest int64. The check against 10**18 rejects that, too.
    weights = np.fromstring(text[:length], dtype=np.int64, sep=" ")
    if len(weights) != 9 * count or weights.max() > BOUND or weights.min() < -BOUND:
        return nothing
    return weights.reshape(count, 9), length


def _only_integers(characters: NDArray[np.uint8]) -> bool:
    """Return True if every word of a text is an integer: digits, with or without one minus sign before them.

    `characters` is the text as bytes. Bytes up to 32, such as blanks and line feeds, separate words.
    """
    minus = characters == ord("-")
    digit = (characters >= ord("0")) & (characters <= ord("9"))
    gap = characters <= ord(" ")
    lone = minus[1:] & ~gap[:-1]
    unfinished = minus[:-1] & ~digit[1:]
    return bool((minus | digit | gap).all() and not lone.any() and not unfinished.any())
