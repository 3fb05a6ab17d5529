"""The parts of the search, on Python's integers."""

from random import Random

import pytest
from tests.tictactoe.search.agreement import KINDS, margin, some_boards

from yomikiri.tictactoe.board import Board, cells_of, set_of
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.search import alphabeta
from yomikiri.tictactoe.search.alphabeta import BLOCK_BITS, BLOCK_SETS, NO_BOUND, PAIRING_ROOM, Memo
from yomikiri.tictactoe.search.layout import Layout

LINES = 11


def test_counts_fall_by_one_and_are_compared_for_all_lines_at_once():
    random = Random(1)
    for length in range(1, 9):
        plain = [length] * LINES
        every = (1 << LINES) - 1
        planes = (every * (length & 1), every * (length >> 1 & 1), every * (length >> 2 & 1), every * (length >> 3))
        while any(plain):
            taken = {line for line in range(LINES) if plain[line] and random.random() < 0.5}
            planes = alphabeta.fewer(*planes, set_of(taken))
            plain = [count - (line in taken) for line, count in enumerate(plain)]
            among = random.getrandbits(LINES)
            for limit in range(10):
                expected = set_of(line for line in range(LINES) if among >> line & 1 and plain[line] <= limit)
                if limit:
                    assert alphabeta.at_most(limit, among, *planes) == expected


def sums_of(layout: Layout) -> list[int]:
    sums = [0] * (BLOCK_SETS * -(-layout.board.size // BLOCK_BITS))
    alphabeta.fill_sums(layout.weights, sums)
    return sums


@pytest.mark.parametrize("shape", [(1, 5, 2), (3, 5, 3), (8, 8, 5)])
def test_neighbours_are_the_first_and_second_third_and_fourth_cell_left(shape: tuple[int, int, int]):
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
            assert alphabeta.alternating(sums, cells) == expected
            assert alphabeta.neighbours_hold(layout.through, cells) == held


def test_a_fork_is_a_cell_on_two_different_pairs():
    random = Random(2)
    for board in some_boards(4, 4, 3, KINDS, seed=6):
        layout = Layout(board)
        for _ in range(100):
            empty, among = random.getrandbits(16), random.getrandbits(len(layout.lines))
            pairs = {line & empty for number, line in enumerate(layout.lines) if among >> number & 1}
            pairs = {pair for pair in pairs if pair.bit_count() == 2}
            twos = set_of(
                number for number, line in enumerate(layout.lines) if among >> number & 1 and line & empty in pairs
            )
            shared = [a & b for a in pairs for b in pairs if a != b and a & b]
            found = alphabeta.forked(layout.lines, empty, twos)
            assert (found in shared) if shared else (found == 0)


def pairing(layout: Layout, empty: int, lines: int, limit: int) -> int:
    sets, numbers = [0] * PAIRING_ROOM, [0] * PAIRING_ROOM
    return alphabeta.pairing(
        layout.weights, layout.lines, layout.through, sums_of(layout), sets, numbers, empty, lines, limit
    )


@pytest.mark.parametrize("shape", [(3, 3, 3), (2, 4, 3), (1, 8, 4), (3, 4, 4), (3, 4, 3)])
def test_no_side_gets_more_than_its_pairing_bound(shape: tuple[int, int, int]):
    found = 0
    for board in some_boards(*shape, 2 * KINDS, seed=6):
        layout = Layout(board)
        bound = pairing(layout, board.full, layout.every_line, layout.most)
        if bound != NO_BOUND:
            found += 1
            assert margin(Position(board)) <= bound
    assert (found > 0) is (shape not in {(3, 3, 3), (3, 4, 3)})


def test_a_line_of_one_empty_cell_or_too_many_lines_leave_no_bound():
    layout = Layout(Board([[0, 0, 0]] * 3, 2))
    assert pairing(layout, layout.board.full, layout.every_line, 0) == NO_BOUND
    assert pairing(layout, 0b1, layout.through[0], 0) == NO_BOUND
    assert pairing(layout, layout.board.full, 0, 0) == 0


def test_a_bound_above_the_limit_is_not_given():
    # The row of 9 and 1 as a pair costs 8 and leaves 8 and 2; neighbours would be 9 and 8, 2 and 1.
    layout = Layout(Board([[9, 1], [8, 2]], 2))
    full = layout.board.full
    row = next(number for number, line in enumerate(layout.lines) if line == layout.by_rank(0b0011))
    assert pairing(layout, full, 1 << row, 14) == 14
    assert pairing(layout, full, 1 << row, 13) == NO_BOUND
    assert pairing(layout, full, 0, 13) == 2


def memo(entries: int) -> Memo:
    return Memo([0] * (alphabeta.KEYS * entries), [0] * (alphabeta.VALUES * entries))


def test_the_table_keeps_the_tightest_bounds_and_of_two_states_in_one_place_the_one_with_more_empty_cells():
    table, totals = memo(2), [0] * alphabeta.TOTALS
    alphabeta.remember(table, totals, 0, 0b111, 1, 2, 3, NO_BOUND, 2)
    alphabeta.remember(table, totals, 0, 0b111, 1, 2, 1, 9, 0)
    assert alphabeta.find(table.keys, 0, 0b111, 1, 2) == 0
    assert table.values[:3] == [3, 9, 0]
    alphabeta.remember(table, totals, 0, 0b11, 1, 2, 0, 0, 0)
    assert alphabeta.find(table.keys, 0, 0b11, 1, 2) == 1
    alphabeta.remember(table, totals, 0, 0b1, 1, 2, 0, 0, 0)
    assert [alphabeta.find(table.keys, 0, cells, 1, 2) for cells in (0b111, 0b11, 0b1)] == [0, -1, 1]
    assert totals[alphabeta.FILLED] == 2


def test_a_larger_table_holds_what_the_smaller_one_held():
    random = Random(3)
    small, large, totals = memo(64), memo(256), [0] * alphabeta.TOTALS
    states = [(random.getrandbits(16) | 1, random.getrandbits(9), random.getrandbits(9)) for _ in range(40)]
    for number, state in enumerate(states):
        alphabeta.remember(small, totals, alphabeta.hashed(*state), *state, number, number, number % 16)
    kept = [state for state in states if alphabeta.find(small.keys, alphabeta.hashed(*state), *state) >= 0]
    alphabeta.move_entries(small, large, totals)
    for state in kept:
        entry = alphabeta.find(large.keys, alphabeta.hashed(*state), *state)
        assert large.values[3 * entry : 3 * entry + 2] == [states.index(state)] * 2
    assert totals[alphabeta.FILLED] == len(kept) > 30
