"""The transposition table of the search, on Python integers.

Also tests `tictactoe/search/kernels/arrays.py`: the counters of the table.
"""

from random import Random

from yomikiri.tictactoe.search.kernels.arrays import FILLED, TOTALS
from yomikiri.tictactoe.search.kernels.pairing import NO_BOUND
from yomikiri.tictactoe.search.kernels.sets import State, hashed
from yomikiri.tictactoe.search.kernels.transposition_table import (
    ENTRY,
    LOWER,
    NO_MOVE,
    TRY,
    find,
    move_entries,
    recall,
    remember,
)


def new_table(entries: int) -> list[int]:
    return [0] * (ENTRY * entries)


def test_remember_keeps_the_tightest_bounds_and_the_state_with_more_empty_cells():
    table, totals = new_table(2), [0] * TOTALS
    three, two, one = (State(cells, 1, 2) for cells in (0b111, 0b11, 0b1))
    remember(table, totals, 0, three, 3, NO_BOUND, 2)
    remember(table, totals, 0, three, 1, 9, 0)
    assert find(table, 0, three) == 0
    assert table[LOWER : TRY + 1] == [3, 9, 0]
    remember(table, totals, 0, two, 0, 0, 0)
    assert find(table, 0, two) == ENTRY
    remember(table, totals, 0, one, 0, 0, 0)
    assert [find(table, 0, state) for state in (three, two, one)] == [0, -1, ENTRY]
    assert totals[FILLED] == 2


def test_recall_returns_a_bound_only_if_it_decides():
    table, totals, state = new_table(2), [0] * TOTALS, State(0b111, 1, 2)
    assert recall(table, 0, state, 0) == (NO_BOUND, NO_MOVE)
    remember(table, totals, 0, state, 3, 9, 2)
    assert recall(table, 0, state, 3) == (3, 2)
    assert recall(table, 0, state, 10) == (9, 2)
    assert recall(table, 0, state, 5) == (NO_BOUND, 2)


def test_move_entries_keeps_all_entries():
    random = Random(3)
    small, large, totals = new_table(64), new_table(256), [0] * TOTALS
    states = [State(random.getrandbits(16) | 1, random.getrandbits(9), random.getrandbits(9)) for _ in range(40)]
    for number, state in enumerate(states):
        remember(small, totals, hashed(*state), state, number, number, number % 16)
    kept = [state for state in states if find(small, hashed(*state), state) >= 0]
    totals[FILLED] = 0
    for begin in (0, 24):
        move_entries(small, large, totals, begin, 24 if begin == 0 else 64)
    for state in kept:
        entry = find(large, hashed(*state), state)
        assert large[entry + LOWER : entry + TRY] == [states.index(state)] * 2
    assert totals[FILLED] == len(kept) >= 30
