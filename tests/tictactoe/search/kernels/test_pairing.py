"""Kernels for pairing bounds and alternating sums, run as plain Python with integers as sets of cells."""

from random import Random

import pytest
from tests.tictactoe.search.agreement import KINDS, margin, some_boards

from yomikiri.tictactoe.board import Board, cells_of, set_of
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.search.kernels.arrays import Stack, Tables
from yomikiri.tictactoe.search.kernels.pairing import (
    BLOCK_BITS,
    BLOCK_SETS,
    NO_BOUND,
    alternating,
    fill_sums,
    lines_with_neighbours,
    pairing,
    pairing_space,
)
from yomikiri.tictactoe.search.layout import Layout


def sums_of(layout: Layout) -> list[int]:
    sums = [0] * (BLOCK_SETS * -(-layout.board.size // BLOCK_BITS))
    fill_sums(layout.weights, sums)
    return sums


@pytest.mark.parametrize("shape", [(1, 5, 2), (3, 5, 3), (8, 8, 5)])
def test_alternating_and_neighbours_hold_pair_adjacent_empty_cells(shape: tuple[int, int, int]):
    random = Random(1)
    for board in some_boards(*shape, KINDS, seed=5):
        layout = Layout(board)
        sums = sums_of(layout)
        for _ in range(20):
            cells = random.getrandbits(board.size)
            ranks = list(cells_of(cells))
            pairs = list(zip(ranks[::2], ranks[1::2], strict=False))
            held = set_of(
                number for number, line in enumerate(layout.lines) if any(line >> a & line >> b & 1 for a, b in pairs)
            )
            expected = sum(layout.weights[rank] * (-1) ** number for number, rank in enumerate(ranks))
            assert alternating(sums, cells) == expected
            assert lines_with_neighbours(layout.through, cells) == held


def bound(layout: Layout, empty: int, lines: int, limit: int) -> int:
    sets, numbers = ([0] * pairing_space(layout.board.line) for _ in range(2))
    tables = Tables(
        layout.weights, layout.lightness, layout.lines, layout.through, layout.starts, layout.ends, sums_of(layout)
    )
    return pairing(tables, Stack([], [], [], [], sets, numbers), empty, lines, limit)


@pytest.mark.parametrize("shape", [(3, 3, 3), (2, 4, 3), (1, 8, 4), (3, 4, 4), (3, 4, 3)])
def test_margin_does_not_exceed_the_pairing_bound(shape: tuple[int, int, int]):
    found = 0
    for board in some_boards(*shape, 2 * KINDS, seed=6):
        layout = Layout(board)
        most = bound(layout, board.full, layout.every_line, layout.most)
        if most != NO_BOUND:
            found += 1
            assert margin(Position(board)) <= most
    assert (found > 0) is (shape not in {(3, 3, 3), (3, 4, 3)})


def test_single_cell_line_or_too_many_lines_have_no_bound():
    layout = Layout(Board([[0, 0, 0]] * 3, 2))
    assert bound(layout, layout.board.full, layout.every_line, 0) == NO_BOUND
    assert bound(layout, 0b1, layout.through[0], 0) == NO_BOUND
    assert bound(layout, layout.board.full, 0, 0) == 0


def test_bound_above_the_limit_is_not_returned():
    # The pair (9, 1) in a row loses 8 and leaves the pair (8, 2). Neighbours would be (9, 8) and (2, 1).
    layout = Layout(Board([[9, 1], [8, 2]], 2))
    full = layout.board.full
    row = next(number for number, line in enumerate(layout.lines) if line == layout.by_rank(0b0011))
    assert bound(layout, full, 1 << row, 14) == 14
    assert bound(layout, full, 1 << row, 13) == NO_BOUND
    assert bound(layout, full, 0, 13) == 2
