import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yomikiri.common.errors import BoardError, InputError
from yomikiri.tictactoe.board import Board, cells_of, lines_of, set_of


@st.composite
def boards(draw: st.DrawFn, most: int = 8) -> Board:
    rows, columns = draw(st.integers(1, most)), draw(st.integers(1, most))
    weights = st.lists(st.integers(), min_size=columns, max_size=columns)
    return Board(draw(st.lists(weights, min_size=rows, max_size=rows)), draw(st.integers(1, 8)))


@given(boards())
def test_text_repr_and_pickle_round_trip(board):
    assert Board.parse(str(board), board.line) == board
    assert eval(repr(board)) == board
    assert pickle.loads(pickle.dumps(board)) == board
    assert hash(eval(repr(board))) == hash(board)


@given(boards())
def test_cells_are_named_by_column_letter_and_row_number_from_the_top(board):
    names = [board.name(cell) for cell in range(board.size)]
    assert names == [f"{'abcdefgh'[c]}{r + 1}" for r in range(board.rows) for c in range(board.columns)]
    assert [board.cell(name) for name in names] == list(range(board.size))


def test_top_left_corner_is_a1_and_centre_is_b2():
    board = Board(((1, 2, 3), (4, 5, 6), (7, 8, 9)))
    assert (board.cell("a1"), board.cell("b2"), board.cell("c1"), board.cell("a3")) == (0, 4, 2, 6)
    assert board.total(set_of((0, 4))) == 6
    assert board.flat == tuple(range(1, 10))


@pytest.mark.parametrize("name", ["d1", "a4", "a0", "a", "1a", "a11", "", 4, None])
def test_invalid_cell_names_are_refused_with_the_valid_range(name):
    with pytest.raises(BoardError, match=r"a1 .* to c3"):
        Board(((0,) * 3,) * 3).cell(name)


@pytest.mark.parametrize(
    ("rows", "columns", "line", "count"),
    [(3, 3, 3, 8), (4, 4, 4, 10), (4, 4, 3, 24), (5, 5, 5, 12), (5, 5, 4, 28), (3, 4, 3, 14), (1, 8, 3, 6),
     (3, 3, 4, 0), (2, 2, 1, 4), (8, 8, 8, 18)],
)  # fmt: skip
def test_known_shapes_have_the_expected_number_of_lines(rows, columns, line, count):
    found = lines_of(rows, columns, line)
    assert len(found) == len(set(found)) == count
    assert all(len(list(cells_of(cells))) == line for cells in found)


def test_lines_of_3x3_are_rows_columns_and_diagonals():
    lines = {"".join(map(str, cells_of(cells))) for cells in lines_of(3, 3, 3)}
    assert lines == {"012", "345", "678", "036", "147", "258", "048", "246"}


@pytest.mark.parametrize("weights", [[], [[]], "", [[1] * 9], [[1]] * 9])
def test_board_has_one_to_eight_rows_and_columns(weights):
    with pytest.raises(BoardError, match="a board of"):
        Board(weights)


@pytest.mark.parametrize("line", [0, 9, -1])
def test_line_is_one_to_eight_cells(line):
    with pytest.raises(InputError, match=f"line={line}: expected a whole number from 1 to 8"):
        Board([[1]], line)


def test_rows_of_different_lengths_are_refused_with_the_row_number():
    with pytest.raises(BoardError, match="the number of weights in row") as caught:
        Board([[1, 2], [1, 2], [3]])
    assert caught.value.data == {"row": 3, "count": 1, "columns": 2}


@pytest.mark.parametrize("weight", ["x", 1.0, None])
def test_weight_must_be_an_integer(weight):
    with pytest.raises(BoardError, match="is not a weight"):
        Board([[weight]])


@pytest.mark.parametrize("text", ["1,x", "1.5", "1_000", "--1", "1,2/3,", "0x10", "1;2", "1 2//3 4"])
def test_invalid_board_text_is_refused(text):
    with pytest.raises(BoardError, match=r"is not a weight|the number of weights in row"):
        Board.parse(text)


def test_weights_of_4000_digits_are_exact_and_longer_ones_refused():
    longest = 10**4000 - 1
    board = Board([[longest, -longest]])
    assert Board.parse(str(board)) == board
    assert str(64 * longest)
    for weight in (longest + 1, -longest - 1):
        with pytest.raises(BoardError, match="is too long"):
            Board([[weight]])
    for sign in ("", "+", "-"):
        assert Board.parse(f"{sign}{longest}").flat == (int(f"{sign}{longest}"),)
        for digits in (4001, 5000):
            with pytest.raises(BoardError, match="is too long"):
                Board.parse(sign + "9" * digits)
