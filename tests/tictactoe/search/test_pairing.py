from random import Random

import pytest
from tests.tictactoe.search.agreement import KINDS, some_boards

from yomikiri.tictactoe.board import Board, cells_of
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.search.layout import Layout
from yomikiri.tictactoe.search.pairing import Neighbours, Pairings
from yomikiri.tictactoe.search.questions import MarginSearch

STEPS = 30


def pairings(board: Board, steps: int = STEPS) -> tuple[Layout, Pairings]:
    layout = Layout(board)
    return layout, Pairings(layout.weights, layout.lines, layout.through, steps)


@pytest.mark.parametrize("shape", [(1, 5, 2), (3, 5, 3), (8, 8, 5)])
def test_neighbours_are_the_first_and_second_third_and_fourth_cell_left(shape: tuple[int, int, int]):
    random = Random(1)
    for board in some_boards(*shape, KINDS, seed=5):
        layout = Layout(board)
        neighbours = Neighbours(layout.weights, layout.through)
        for _ in range(20):
            cells = random.getrandbits(board.size)
            ranks = list(cells_of(cells))
            pairs = list(zip(ranks[::2], ranks[1::2], strict=False))
            held = {line for line in layout.lines if any(line >> a & line >> b & 1 for a, b in pairs)}
            alternating = sum(layout.weights[rank] * (-1) ** number for number, rank in enumerate(ranks))
            assert neighbours[cells][0] == alternating
            assert {line for number, line in enumerate(layout.lines) if neighbours[cells][1] >> number & 1} == held


@pytest.mark.parametrize("shape", [(3, 3, 3), (2, 4, 3), (1, 8, 4), (3, 4, 4), (3, 4, 3)])
def test_no_side_gets_more_than_its_pairing_bound(shape: tuple[int, int, int]):
    found = 0
    for board in some_boards(*shape, 2 * KINDS, seed=6):
        layout, search = pairings(board)
        bound = search.bound(board.full, layout.every_line, layout.most)
        margin = MarginSearch(board).margin(Position(board)).lower
        if bound is not None:
            found += 1
            assert margin <= bound
    assert (found > 0) is (shape not in {(3, 3, 3), (3, 4, 3)})


def test_a_line_of_one_empty_cell_or_too_many_lines_leave_no_bound():
    board = Board([[0, 0, 0]] * 3, 2)
    layout, search = pairings(board)
    assert search.bound(board.full, layout.every_line, 0) is None
    assert search.bound(0b1, layout.through[0], 0) is None
    assert search.bound(board.full, 0, 0) == 0


def test_a_bound_above_the_limit_is_not_given():
    # The row of 9 and 1 as a pair costs 8 and leaves 8 and 2; neighbours would be 9 and 8, 2 and 1.
    board = Board([[9, 1], [8, 2]], 2)
    layout, search = pairings(board)
    row = next(number for number, line in enumerate(layout.lines) if line == layout.by_rank(0b0011))
    assert search.bound(board.full, 1 << row, 14) == 14
    assert search.bound(board.full, 1 << row, 13) is None
    assert search.bound(board.full, 0, 13) == 2
