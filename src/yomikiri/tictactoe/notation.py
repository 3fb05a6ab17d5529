"""Conversion of boards and moves to text and back. This module does no input or output.

In a file, a board is written as in AtCoder ABC349 E: one row per line, with blank lines between boards. As the value
of a parameter, a board is written on one line:

    -2  0 -1
    -1 -1  0        board=-2,0,-1/-1,-1,0/-1,-1,-2 moves=b2,a1
    -1 -1 -2

Text is NFKC-normalised first, so that full-width digits and blanks equal the usual ones. Commas may replace blanks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from yomikiri.common.enums import number
from yomikiri.common.errors import N_, BoardError
from yomikiri.settings import HelpHeading, Kind, Setting
from yomikiri.tictactoe.board import DEFAULT_LINE, MAX_SIDE, Board, parse_weight, words_of
from yomikiri.tictactoe.position import Tie

# Names of the results in AtCoder ABC349 E: a draw at index 0, a win of the first player at 1, of the second at -1.
CONTEST_NAMES = ("Draw", "Takahashi", "Aoki")

BOARD = Setting("board", N_("The weights, with / between rows: -2,0,-1/-1,-1,0/-1,-1,-2"), group=HelpHeading.GAME,
                example="-2,0,-1/-1,-1,0/-1,-1,-2")  # fmt: skip
LINE = Setting("line", N_("Number of cells in a row that wins."), Kind.INTEGER, default=DEFAULT_LINE, least=1,
               most=MAX_SIDE, group=HelpHeading.GAME)  # fmt: skip
MOVES = Setting("moves", N_("Moves already made, such as 'b2 a1'."), default="", group=HelpHeading.KNOWN)
TIE = Setting("tie", N_("Winner of a full board with equal sums."), Kind.WORD, default=str(Tie.DRAW), words=tuple(Tie),
              group=HelpHeading.GAME)  # fmt: skip

POSITION = (BOARD, LINE, MOVES)
"""The settings that describe a position. `board_of` reads their values."""


def read_boards(
    lines: Iterable[tuple[int, str]], rows: int | None = None, line: int = DEFAULT_LINE, columns: int | None = None
) -> Iterator[Board]:
    """Yield the boards in a text, each as soon as it is complete.

    `lines` are pairs: the number of a line, and its text. A board ends at a blank line or at the end of the text, or,
    if `rows` is given, after that many rows. The first row of a board sets its number of columns, unless `columns` is
    given. `line` is the length of a winning line on the boards. A line of text with `/` between rows is a board by
    itself. Raises a `BoardError` that names the line of the text.
    """
    read: list[list[int]] = []
    number = 0
    for number, text in lines:
        if "/" in text:
            if read:
                raise in_line(number, BoardError(N_("'/' between rows: expected a blank line before this board")))
            yield _board_at(number, text, line)
            continue
        words = words_of(text)
        if words:
            read.append(_row(words, number, len(read[0]) if read else columns or len(words)))
        elif read and rows:
            raise _too_few_rows(number, len(read), rows)
        if read and (len(read) == rows or len(read) > MAX_SIDE or not words):
            yield _board_at(number, read, line)
            read = []
    if read and rows:
        raise _too_few_rows(number, len(read), rows)
    if read:
        yield _board_at(number, read, line)


def columns_of(text: str) -> int:
    """Return the number of weights in a line of text; 0 for a blank line."""
    return len(words_of(text))


def _row(words: list[str], number: int, columns: int) -> list[int]:
    try:
        row = [parse_weight(word) for word in words]
    except BoardError as error:
        raise in_line(number, error) from None
    if len(row) != columns or len(row) > MAX_SIDE:
        raise BoardError(
            N_("the number of integers in line {line} is {count}: expected {columns}"),
            line=number,
            count=len(row),
            columns=min(columns, MAX_SIDE),
        )
    return row


def _board_at(number: int, weights: str | list[list[int]], line: int) -> Board:
    """Return the board with these weights, given as rows of integers or as a text such as `1,2,3/4,5,6/7,8,9`.

    `number` is the number of the line at which the board ends in the given text, for the error message. `line` is the
    length of a winning line.
    """
    try:
        return Board(weights, line)
    except BoardError as error:
        raise in_line(number, error) from None


def read_board(lines: Iterable[str], line: int = DEFAULT_LINE) -> Board:
    """Return the only board in a text, which is given as lines.

    Raises a `BoardError` unless there is exactly one board. `line` is the length of a winning line on the board.
    """
    boards = read_boards(enumerate(lines, start=1), line=line)
    board = next(boards, None)
    if board is None:
        raise no_board()
    if next(boards, None) is not None:
        raise BoardError(N_("more than one board given: give one, without blank lines inside"))
    return board


def write_board(board: Board) -> str:
    """Return the text of a board: one row per line, blanks between the weights, and no final line break."""
    return "\n".join(" ".join(map(str, row)) for row in board.weights)


def parse_moves(text: str, board: Board) -> tuple[int, ...]:
    """Parse moves, given by names of cells, separated by blanks or commas: `b2 a1`. Returns the indices of the cells.

    Does not check that the moves are legal. Raises a `BoardError` for a name that is not a cell of the board.
    """
    return tuple(board.cell(word.casefold()) for word in words_of(text))


def write_moves(moves: Iterable[int], board: Board, gap: str = " ") -> str:
    """Return moves, given as indices of cells, as text: the names of the cells, such as `b2 a1`, separated by `gap`."""
    return gap.join(map(board.name, moves))


def board_pairs(board: Board, moves: Iterable[int] = ()) -> Iterator[tuple[str, str]]:
    """Yield a board and moves as pairs: the name of a parameter and its text, such as ("moves", "b2,a1").

    The parameter `line` is omitted if it is 3, the default, and `moves` if there are none.
    """
    yield "board", str(board)
    if board.line != DEFAULT_LINE:
        yield "line", str(board.line)
    if played := write_moves(moves, board, ","):
        yield "moves", played


def board_of(parameters: Mapping[str, str]) -> tuple[Board, tuple[int, ...]]:
    """Return the board and the moves in `parameters`: a mapping of names to text, which must contain `board`.

    This is the inverse of `board_pairs`. Does not check that the moves are legal. Raises an `InputError`.
    """
    board = Board.parse(parameters["board"], number(parameters, "line", DEFAULT_LINE))
    return board, parse_moves(parameters.get("moves", ""), board)


def in_line(number: int, error: BoardError) -> BoardError:
    """Return the error for a line of a text: its message is that of `error`, after the number of the line."""
    return BoardError(N_("line {line}: {reason}"), line=number, reason=error)


def _too_few_rows(number: int, count: int, rows: int) -> BoardError:
    return BoardError(
        N_("the board ends at line {line} with row {count}: expected {rows:row|rows}"),
        line=number,
        count=count,
        rows=rows,
    )


def no_board() -> BoardError:
    """Return the error for input that contains no board."""
    return BoardError(N_("no board given: expected rows of integers, such as '1 -2 3'"))


def parse_move(text: str, board: Board) -> int:
    """Parse the name of a single cell, such as `b2`, and return the index of the cell. Raises a `BoardError`."""
    moves = parse_moves(text, board)
    if len(moves) != 1:
        raise BoardError(N_("{given!r} is not a move: expected one cell, such as b2"), given=text)
    return moves[0]
