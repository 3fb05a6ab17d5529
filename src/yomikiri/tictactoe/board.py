"""Boards of weighted tic-tac-toe: the weights of the cells, and the length of a winning line.

Each cell has an index, counted from the top left corner, row by row, and a name of column letter and row number:

    0 1 2        a1 b1 c1
    3 4 5        a2 b2 c2
    6 7 8        a3 b3 c3

A set of cells is an integer in which bit `c` represents cell `c`: the top row of 3x3 is `0b000_000_111`.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeAlias, TypeVar

from yomikiri.common.enums import shown, whole
from yomikiri.common.errors import N_, BoardError, InputError

V = TypeVar("V")

# Limit on the number of rows and on the number of columns of a board, and on the length of a winning line.
MAX_SIDE = 8
DEFAULT_LINE = 3  # number of cells in a winning line if no other length is given
# Limit on the digits of a weight, because Python only converts integers of up to 4,300 digits to text and back.
# Sums must stay below 4,300 digits too. A sum of the 64 weights of a board has at most two more digits than a weight.
MAX_WEIGHT_DIGITS = 4_000
_WEIGHT_LIMIT = 10**MAX_WEIGHT_DIGITS

_ROW_END = re.compile(r"\s*/\s*|\s*\n\s*")
_GAP = re.compile(r"[\s,、]+")
_INTEGER = re.compile(r"[+-]?\d+")
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True)
class Board:
    """A board: weights by row, and the length of a winning line.

    A board has 1 to 8 rows and 1 to 8 columns. Weights are integers of up to 4,000 digits. They may be given as text,
    as rows of integers or of text, or as an array. `line` is 1 to 8. If no line of this length fits on the board, only
    the score decides. `str` writes the weights as text, such as `-2,0,-1/-1,-1,0/-1,-1,-2`, without `line`.
    `Board.parse` reads this text. Raises an `InputError` for invalid arguments.

    >>> Board("1 2 3/4 5 6") == Board([[1, 2, 3], [4, 5, 6]])
    True
    """

    weights: tuple[tuple[int, ...], ...]
    line: int = DEFAULT_LINE

    def __init__(self, weights: str | Iterable[str | Iterable[int]], line: int = DEFAULT_LINE) -> None:
        object.__setattr__(self, "weights", _rows(weights, "weights"))
        object.__setattr__(self, "line", whole(line, "line", 1, MAX_SIDE))
        rows, columns = len(self.weights), max(map(len, self.weights), default=0)
        if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
            raise wrong_size(rows, columns)
        for number, row in enumerate(self.weights, start=1):
            if len(row) != self.columns:
                raise BoardError(
                    N_("the number of weights in row {row} is {count}: expected {columns}, as in the first row"),
                    row=number,
                    count=len(row),
                    columns=self.columns,
                )

    @classmethod
    def parse(cls, text: str, line: int = DEFAULT_LINE) -> Board:
        """Parse a board: rows separated by `/` or line breaks, weights by commas or blanks. `str` writes this form.

        `line` is the length of a winning line. Raises an `InputError`.

        >>> Board.parse("1,2,3/4,5,6").flat
        (1, 2, 3, 4, 5, 6)
        """
        if not isinstance(text, str):
            raise _not_a_board(text, "text")
        return cls(text, line)

    @classmethod
    def read(cls, given: BoardLike, parameter: str) -> Board:
        """Return `given` as a board. It may be text, rows of integers, an array, or a `Board`.

        Any form except a `Board` gets the default length of a winning line, 3. `parameter` is the name of the argument
        in error messages. Raises an `InputError`.
        """
        return given if isinstance(given, cls) else cls(_rows(given, parameter))

    def __str__(self) -> str:
        return "/".join(",".join(map(str, row)) for row in self.weights)

    def _repr_html_(self) -> str:
        """Return a picture of the board for notebooks."""
        from yomikiri.common.svg import Square, board

        return board([Square(str(weight)) for weight in self.flat], self.columns, str(self))

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.weights)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.weights[0])

    @cached_property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    def by_row(self, values: Sequence[V]) -> list[Sequence[V]]:
        """Return `values`, which contains one value per cell, as a list of rows of the board."""
        return [values[start : start + self.columns] for start in range(0, self.size, self.columns)]

    @cached_property
    def full(self) -> int:
        """The set of all cells of the board, as a bit mask with one bit per cell."""
        return (1 << self.size) - 1

    @cached_property
    def flat(self) -> tuple[int, ...]:
        """The weights of all cells, in order of the cells' indices."""
        return tuple(weight for row in self.weights for weight in row)

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """All winning lines of the board as bit masks of cells, ordered by their first cell, then by direction."""
        return lines_of(self.rows, self.columns, self.line)

    def total(self, cells: int) -> int:
        """Return the sum of the weights of some cells. The set of cells is a bit mask.

        Raises an `InputError` for a cell outside the board.
        """
        cells = whole(cells, "cells", 0, self.full)
        return sum(self.flat[cell] for cell in cells_of(cells))

    def name(self, cell: int) -> str:
        """Return the name of the cell with this index, such as `b2`. Raises a `BoardError` if there is no such cell."""
        row, column = divmod(self.number(cell), self.columns)
        return f"{'abcdefgh'[column]}{row + 1}"

    def cell(self, name: str) -> int:
        """Return the index of the cell with this name, such as `b2`. Raises a `BoardError` if there is no such cell."""
        if not isinstance(name, str):
            raise self.unknown_cell(shown(name))
        match = re.fullmatch(r"([a-h])([1-8])", fold(name).casefold())
        if match is not None:
            column, row = ord(match[1]) - ord("a"), int(match[2]) - 1
            if row < self.rows and column < self.columns:
                return row * self.columns + column
        raise self.unknown_cell(name)

    def number(self, cell: int | str) -> int:
        """Return the index of a cell, given its index or its name. Raises a `BoardError` if there is no such cell."""
        if isinstance(cell, str):
            return self.cell(cell)
        try:
            return whole(cell, "cell", 0, self.size - 1)
        except InputError:
            raise self.unknown_cell(shown(cell)) from None

    def unknown_cell(self, name: str) -> BoardError:
        """Return the error for a cell that does not exist on this board."""
        return BoardError(
            N_("{given!r} is not a cell of this board: expected a1 (top left) to {last} (bottom right)"),
            given=shown(name),
            last=self.name(self.size - 1),
        )


BoardLike: TypeAlias = str | Board | Iterable[str | Iterable[int]]
"""A board in any form that `Board.read` accepts: a board, text, rows of integers, or an array."""


def _rows(weights: object, parameter: str) -> tuple[tuple[int, ...], ...]:
    """Return the weights of a board as a tuple of rows. The board is given as text, as rows, or as an array.

    `parameter` is the name of the argument in error messages. Raises a `BoardError`.
    """
    if isinstance(weights, str):
        return tuple(tuple(map(parse_weight, words_of(row))) for row in _ROW_END.split(fold(weights)))
    rows = items_of(weights)
    if rows is None:
        raise _not_a_board(weights, parameter)
    checked = []
    for row in rows:
        items = words_of(row) if isinstance(row, str) else items_of(row)
        if items is None:
            raise _not_a_board(weights, parameter)
        checked.append(tuple(map(_checked_weight, items)))
    return tuple(checked)


def boards_in(given: object, parameter: str) -> Iterator[Board]:
    """Return an iterator over the boards in the collection `given`. `Board.read` lists the accepted forms of a board.

    `parameter` is the name of the collection in error messages. Raises an `InputError` for an invalid board or
    collection.
    """
    items = ordered(given, parameter)
    return (Board.read(item, f"{parameter}[{number}]") for number, item in enumerate(items))


def ordered(given: object, parameter: str) -> Iterator[Any]:
    """Return an iterator over the elements of `given`, a collection with an order, such as a list or an array.

    Raises an `InputError` for a single board, for text, and for any other value that is not such a collection.
    `parameter` is the name of the collection in error messages.
    """
    items = None if isinstance(given, Board) else items_of(given)
    if items is None:
        raise InputError(
            N_("{parameter}={given}: expected boards one after another, such as ['1 2 3/4 5 6/7 8 9']"),
            parameter=parameter,
            given=shown(given),
        )
    return items


def items_of(given: object) -> Iterator[Any] | None:
    """Return an iterator over a collection with an order.

    Returns None for text, a mapping, a set, or a value that cannot be iterated.
    """
    if isinstance(given, str | bytes | bytearray | Mapping | Set):
        return None
    try:
        return iter(given)  # type: ignore[call-overload, no-any-return]
    except TypeError:
        return None


def _not_a_board(given: object, parameter: str) -> BoardError:
    return BoardError(
        N_("{parameter}={given}: expected a board, such as '1 2 3/4 5 6/7 8 9' or [[1, 2, 3], [4, 5, 6], [7, 8, 9]]"),
        parameter=parameter,
        given=shown(given),
    )


def fold(text: str) -> str:
    """Return text in standard form: NFKC-normalised, plain minus signs, stripped, without a byte order mark."""
    return unicodedata.normalize("NFKC", text).replace("\N{MINUS SIGN}", "-").strip("\ufeff").strip()


def words_of(text: str) -> list[str]:
    """Return the words of a text, which are separated by blanks or commas."""
    return [word for word in _GAP.split(fold(text)) if word]


def parse_weight(word: str) -> int:
    """Parse a weight, which is an integer. Raises a `BoardError` if the text is no integer or has too many digits."""
    if not _INTEGER.fullmatch(word):
        raise not_a_weight(word)
    if len(word.lstrip("+-")) > MAX_WEIGHT_DIGITS:
        raise weight_too_long(word, MAX_WEIGHT_DIGITS)
    return int(word)


def wrong_size(rows: int, columns: int) -> BoardError:
    """Return the error for a board that is empty or too large."""
    return BoardError(
        N_("a board of {rows}x{columns} cells: expected 1 to 8 rows and 1 to 8 columns"), rows=rows, columns=columns
    )


def not_a_weight(word: str) -> BoardError:
    """Return the error for a weight that is not an integer."""
    return BoardError(N_("{given!r} is not a weight: expected an integer, such as 3 or -2"), given=word)


def weight_too_long(weight: str, most: int) -> BoardError:
    """Return the error for a weight with more than `most` digits."""
    return BoardError(
        N_("the weight {given} is too long: expected an integer of at most {most} digits"), given=weight, most=most
    )


def _checked_weight(weight: int | str) -> int:
    if isinstance(weight, str):
        return parse_weight(weight)
    try:
        integer = operator.index(weight)
    except TypeError:
        raise not_a_weight(shown(weight)) from None
    if not -_WEIGHT_LIMIT < integer < _WEIGHT_LIMIT:
        raise weight_too_long(f"{integer:#x}", MAX_WEIGHT_DIGITS)
    return integer


def cells_of(cells: int) -> Iterator[int]:
    """Yield the indices of the cells of a set, in increasing order. The set is a bit mask with one bit per cell."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def set_of(cells: Iterable[int]) -> int:
    """Return the set of the cells with these indices, as a bit mask with one bit per cell."""
    result = 0
    for cell in cells:
        result |= 1 << cell
    return result


@cache
def lines_of(rows: int, columns: int, line: int) -> tuple[int, ...]:
    """Return all runs of `line` cells along a row, a column or a diagonal, each once, as bit masks of cells."""
    runs = (
        [(row + step * down, column + step * right) for step in range(line)]
        for row in range(rows)
        for column in range(columns)
        for down, right in _DIRECTIONS
    )
    inside = (run for run in runs if run[-1][0] in range(rows) and run[-1][1] in range(columns))
    # Use dict.fromkeys to remove duplicates: a line of one cell occurs once in each direction.
    return tuple(dict.fromkeys(set_of(row * columns + column for row, column in run) for run in inside))
