import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tictactoe.test_board import boards

from yomikiri.common.errors import BoardError, InputError
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.notation import (
    board_of,
    board_pairs,
    parse_moves,
    read_board,
    read_boards,
    write_board,
    write_moves,
)


def read_many(text: str) -> list[Board]:
    return list(read_boards(enumerate(text.splitlines(), start=1), 3))


@given(boards())
def test_board_text_round_trips(board):
    assert read_board(write_board(board).splitlines(), board.line) == board


@given(boards(), st.randoms())
def test_board_and_moves_round_trip(board, random):
    moves = tuple(random.sample(range(board.size), random.randint(0, board.size)))
    assert board_of(dict(board_pairs(board, moves))) == (board, moves)


def test_board_pairs_use_the_documented_names():
    board = Board.parse("-2,0,-1/-1,-1,0/-1,-1,-2")
    assert dict(board_pairs(board, (4, 0))) == {"board": "-2,0,-1/-1,-1,0/-1,-1,-2", "moves": "b2,a1"}
    assert dict(board_pairs(Board.parse("1,2", 2))) == {"board": "1,2", "line": "2"}
    assert board_of({"board": "１,−2", "line": "２", "moves": "Ｂ1 a1"}) == (Board(((1, -2),), 2), (1, 0))


@pytest.mark.parametrize("line", ["x", "0", "9", "-1", "3.0"])
def test_invalid_line_length_is_refused_with_its_text(line):
    with pytest.raises(InputError, match=re.escape(line)):
        board_of({"board": "1", "line": line})


def test_boards_are_read_with_or_without_blank_lines():
    one = "1 2 3\n4 5 6\n7 8 9\n"
    assert read_many(one * 3) == read_many(f"\n\n{one}\n{one}  \n\n{one}\n") == [Board.parse("1,2,3/4,5,6/7,8,9")] * 3
    assert read_many("") == read_many("\n \n") == []


def test_full_width_digits_and_byte_order_mark_are_read():
    assert read_many("\ufeff1,2, 3\n4 −5 6\n7 +8 9\n") == [Board.parse("1,2,3/4,-5,6/7,8,9")]


@pytest.mark.parametrize(
    ("text", "error", "line"),
    [
        ("1 2 3\n1 2\n", "the number of integers in line", 2),
        ("1 2 3 4 5 6 7 8 9\n", "the number of integers in line", 1),
        ("1 2 3\n1 2 3/4 5 6\n", "expected a blank line before this board", 2),
        ("1 2 3\n4 5 6\n\n7 8 9\n", "the board ends at line", 3),
        ("1 2 3\n4 5 6\n", "the board ends at line", 2),
        ("1 2 3\n4 5 6\n7 8 9\n1 2 3\n", "the board ends at line", 4),
        ("1 2 3\n4 five 6\n", "is not a weight", 2),
        ("1 2 3\n4 5.0 6\n", "is not a weight", 2),
        ("1 2 3\n4 1_0 6\n", "is not a weight", 2),
        ("\0\0\0", "is not a weight", 1),
        ("1 2/3 4\n\n1 2/3 x\n", "line 3: 'x' is not a weight", 3),
        ("1 2/3 4\n1 2/3\n", "line 2: the number of weights in row 2 is 1", 2),
        ("1/2\n" + 8 * "1/" + "1\n", "line 2: a board of 9x1 cells", 2),
    ],
)
def test_invalid_line_is_refused_with_its_number(text, error, line):
    with pytest.raises(BoardError, match=error) as caught:
        read_many(text)
    assert caught.value.data["line"] == line


def test_board_with_too_many_rows_is_refused_with_its_line():
    with pytest.raises(BoardError, match="line 11: a board of 9x1 cells") as caught:
        list(read_boards(enumerate(["1", "", *"123456789", "1"], start=1)))
    assert caught.value.data["line"] == 11


def test_blank_lines_separate_boards_of_different_shapes():
    text = "1 2 3\n4 5 6\n\n\n1\n2\n3\n4\n\n1 2/3 4\n5\n"
    assert list(read_boards(enumerate(text.splitlines(), start=1))) == [
        Board.parse(board) for board in ("1,2,3/4,5,6", "1/2/3/4", "1,2/3,4", "5")
    ]


def test_single_board_has_the_shape_of_its_rows():
    assert read_board(["1 2 3 4", "5 6 7 8"], 4) == Board(((1, 2, 3, 4), (5, 6, 7, 8)), 4)
    with pytest.raises(BoardError, match="the number of integers in line"):
        read_board(["1 2", "1"])
    with pytest.raises(BoardError, match="the number of integers in line"):
        read_board(["1 2 3 4 5 6 7 8 9"])
    with pytest.raises(BoardError, match="a board of"):
        read_board(["1"] * 9)


def test_read_board_refuses_no_board_and_two_boards():
    for nothing in ([], ["", " "]):
        with pytest.raises(BoardError, match="no board given"):
            read_board(nothing)
    with pytest.raises(BoardError, match="more than one board given"):
        read_board(["1", "", "1"])


def test_moves_are_separated_by_blanks_or_commas():
    board = Board(((0,) * 3,) * 3)
    assert parse_moves("b2 a1", board) == parse_moves(" B2,a1 ", board) == (4, 0)
    assert parse_moves("", board) == ()
    assert write_moves((4, 0), board) == "b2 a1"
    with pytest.raises(BoardError, match="is not a cell of this board"):
        parse_moves("b2 d4", board)


@given(st.text())
def test_random_text_is_read_or_refused(text):
    board = Board(((0,) * 3,) * 3)
    for read in (read_many, lambda t: parse_moves(t, board), Board.parse, lambda t: read_board([t])):
        with suppress(BoardError):
            read(text)
