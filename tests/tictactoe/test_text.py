from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
import pytest
from tests.tictactoe.boards import balanced_boards

from yomikiri.common.errors import BoardError
from yomikiri.tictactoe.batch import BOUND
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.text import plain_boards, winners_of_text

SAMPLE = balanced_boards(1000)
EXPECTED = [winner for _weights, winner in SAMPLE]
TIMES = 2


@pytest.fixture(autouse=True)
def small_text_counts_as_large(monkeypatch):
    monkeypatch.setattr("yomikiri.tictactoe.text._LARGE", 1 << 12)


def written(boards: Iterable[Sequence[int]], gap: str = "", row: str = "{} {} {}\n") -> bytes:
    return gap.join(row.format(*w[0:3]) + row.format(*w[3:6]) + row.format(*w[6:9]) for w in boards).encode()


def refused(boards: Iterator[Board]) -> Iterator[int]:
    raise AssertionError(next(boards))


def found(*blocks: bytes, tie: Tie = Tie.DRAW) -> list[int]:
    return [winner for few in winners_of_text(blocks, tie, other=refused) for winner in few]


LARGE = written([weights for weights, _winner in SAMPLE] * TIMES)


@pytest.mark.parametrize("gap", ["", "\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_many_plain_boards_are_solved_in_order(gap, end):
    text = written([weights for weights, _winner in SAMPLE] * TIMES, gap).replace(b"\n", end.encode())
    assert found(text) == EXPECTED * TIMES
    assert found(text.rstrip()) == EXPECTED * TIMES


@pytest.mark.parametrize("cut", [30_001, 29_999, 27_000, 1 << 16])
def test_blocks_can_end_anywhere(cut):
    assert found(*(LARGE[start : start + cut] for start in range(0, len(LARGE), cut))) == EXPECTED * TIMES


def test_blocks_of_single_bytes_are_accepted():
    text = written([weights for weights, _winner in SAMPLE[:20]])
    assert found(*(text[i : i + 1] for i in range(len(text)))) == EXPECTED[:20]


@pytest.mark.parametrize(("tie", "winner"), [(Tie.FIRST, 1), (Tie.SECOND, -1)])
def test_tie_rule_decides_drawn_boards(tie, winner):
    assert found(LARGE, tie=tie) == [expected or winner for expected in EXPECTED] * TIMES


def test_each_board_is_solved_before_more_input_is_read():
    asked = []

    def blocks() -> Iterator[bytes]:
        for number in range(5):
            asked.append(number)
            yield b"0 0 0\n0 1 0\n0 0 0\n\n"

    answers = winners_of_text(blocks(), other=refused)
    for number in range(5):
        assert next(answers) == [1]
        assert asked[-1] == number


def test_weights_beyond_the_array_bound_are_exact():
    # Scaling a board keeps its winner, so a saturated or wrapped weight would change the result.
    huge = [tuple(10**20 * weight for weight in weights) for weights, _winner in SAMPLE[::2]]
    mixed = [weights for weights, _winner in SAMPLE] * TIMES + huge
    assert found(written(mixed)) == EXPECTED * TIMES + EXPECTED[::2]
    edge = [tuple((weight > 0) * 2 * BOUND - BOUND for weight in weights) for weights in mixed]
    assert found(written(edge)) == found(written([tuple(np.sign(w) for w in board) for board in edge]))


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        (b"1 2 x\n", "is not a weight"),
        (b"1 2\n", "the number of integers in line"),
        (b"1 2 3 4\n", "the number of integers in line"),
        (b"1-2 3 4\n", "is not a weight"),
        (b"1 - 2\n", "is not a weight"),
        (b"1 -\n", "is not a weight"),
        (b"1 --2 3\n", "is not a weight"),
        (b"1 +-2 3\n", "is not a weight"),
        (b"1 2 3-\n", "is not a weight"),
        (b"1 2 \xff\n", "is not a weight"),
        (b"1 2 0x3\n", "is not a weight"),
        (b"1 2 3.5\n", "is not a weight"),
        (b"1 2 \x00\n", "is not a weight"),
    ],
)
def test_invalid_line_is_refused_with_its_number(broken, error):
    row = 3 * 250
    many = written([weights for weights, _winner in SAMPLE[:250]])
    for text, line in ((many + broken + many, row + 1), (many + b"1 2 3\n" + broken + many, row + 2)):
        with pytest.raises(BoardError, match=error) as caught:
            found(text)
        assert caught.value.data["line"] == line


def test_incomplete_board_is_refused():
    with pytest.raises(BoardError, match="the board ends at line") as caught:
        found(LARGE, b"1 2 3\n")
    assert caught.value.data == {"line": 3 * len(SAMPLE) * TIMES + 1, "count": 1, "rows": 3}
    with pytest.raises(BoardError, match="is blank, but"):
        found(LARGE + b"1 2 3\n\n" + LARGE)


@pytest.mark.parametrize(
    "row", [" {} {} {}\n", "{}  {} {}\n", "{} {} {} \n", "{}\t{} {}\n", "{},{},{}\n", "\u3000{} {} {}\n"]
)
def test_unusual_separators_are_read_line_by_line(row):
    text = written([weights for weights, _winner in SAMPLE], row=row)
    assert found(text) == EXPECTED


def test_endless_line_is_refused_early():
    with pytest.raises(BoardError, match="is not a weight"):
        found(*(b"7" * 100_000 for _ in range(1000)))


def test_empty_text_has_no_boards():
    assert found() == found(b"") == found(b"\n\n \n") == []


def test_plain_boards_recognises_only_plain_text():
    whole = written([weights for weights, _winner in SAMPLE])
    weights, length = plain_boards(whole)
    assert weights.tolist() == [list(w) for w, _winner in SAMPLE]
    assert length == len(whole)
    weights, length = plain_boards(whole + b"1 2 3\n")
    assert (len(weights), length) == (len(SAMPLE), len(whole))
    for text in (b"", b"1 2 3\n", whole.replace(b" ", b"  ", 1), whole.replace(b"\n", b"\n\n", 1), b"\n" + whole):
        assert plain_boards(text)[1] == 0


def test_errors_do_not_depend_on_the_size_of_the_text():
    for broken in (b"1 2 x\n", b"1 2 3\n1 2\n"):
        with pytest.raises(BoardError) as small:
            found(broken)
        with pytest.raises(BoardError) as large:
            found(LARGE + broken)
        assert small.type is large.type


def shapes(text: bytes, line: int = 3, rows: int | None = None) -> list[tuple[int, int]]:
    """Return the shape of each board that is searched; every answer must be that of the search or of a 3x3 board."""
    seen = []

    def other(boards: Iterator[Board]) -> Iterator[int]:
        for board in boards:
            seen.append((board.rows, board.columns))
            yield -1

    found = [*chain.from_iterable(winners_of_text([text], line=line, rows=rows, other=other))]
    assert found.count(-1) == len(seen)
    return seen + [(3, 3)] * (len(found) - len(seen))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"\n1 2\n3 4\n\n5 6 7\n7 8 9\n", [(2, 2), (2, 3)]),
        (b"1 2 3 4\n" * 3 + b"\n" + b"1 2 3\n" * 4, [(3, 4), (4, 3)]),
        (b"0 0 0\n" * 3 + b"\n" + b"0 0 0\n" * 6 + b"\n" + b"0 0 1\n" * 3, [(6, 3), (3, 3), (3, 3)]),
        (b"0 0 0\n" * 4, [(4, 3)]),
        (b"0 0 1\n" * 6, [(3, 3)] * 2),
        (b"0 0 1\n" * 9 + b"\n\n", [(3, 3)] * 3),
        (b"1 2/3 4\n1,2,3/4,5,6\n", [(2, 2), (2, 3)]),
    ],
)
def test_blank_lines_separate_boards_of_any_shape(text: bytes, expected: list[tuple[int, int]]):
    assert shapes(text) == expected


def test_rows_sets_the_height_of_boards_without_blank_lines():
    assert shapes(b"1 2 3\n4 5 6\n" * 2, rows=2) == [(2, 3)] * 2
    assert shapes(b"1 2 3 4\n" * 2, rows=1, line=4) == [(1, 4)] * 2
    assert shapes(b"1 2 3\n" * 6, rows=6) == [(6, 3)]
    assert shapes(b"1 2 3\n" * 6, line=2) == [(3, 3)] * 2


@pytest.mark.parametrize("rows", [6, 9, 300])
def test_list_without_blank_lines_is_reported_and_solved_at_its_end(rows: int):
    counts: list[int] = []
    text = b"0 0 1\n" * rows
    assert [*winners_of_text([text], other=refused, on_list=counts.append)] == [[1] * (rows // 3)]
    assert counts == [rows // 3]
    answers = winners_of_text([text, b"1 2 x\n"], other=refused)
    with pytest.raises(BoardError):
        next(answers)


@pytest.mark.parametrize(
    ("text", "error", "line"),
    [
        (b"1 2\n3 4\n\n5 6\n7\n", "the number of integers in line", 5),
        (b"1 2\n3 4 5\n", "the number of integers in line", 2),
        (b"1 2 3 4 5 6 7 8 9\n", "the number of integers in line", 1),
        (b"1 2 x\n", "is not a weight", 1),
        (b"1 2 3\n" * 9 + b"\n" + b"1 2 3\n" * 3, "is blank, but the boards before it have no blank lines", 10),
        (b"1 2 3\n" * 10, "the board ends at line", 10),
        (b"1 2\n3 4/5 6\n", "'/' between rows", 2),
    ],
)
def test_first_line_outside_a_board_is_refused(text: bytes, error: str, line: int):
    with pytest.raises(BoardError, match=error) as caught:
        list(winners_of_text([text], other=lambda boards: (0 for _ in boards)))
    assert caught.value.data["line"] == line
