"""The table of the search, on Python's integers."""

from random import Random

from yomikiri.tictactoe.search.kernels import alphabeta
from yomikiri.tictactoe.search.kernels.alphabeta import ENTRY, LOWER, TRY
from yomikiri.tictactoe.search.kernels.pairing import NO_BOUND
from yomikiri.tictactoe.search.kernels.sets import hashed


def memo(entries: int) -> list[int]:
    return [0] * (ENTRY * entries)


def test_the_table_keeps_the_tightest_bounds_and_of_two_states_in_one_place_the_one_with_more_empty_cells():
    table, totals = memo(2), [0] * alphabeta.TOTALS
    alphabeta.remember(table, totals, 0, 0b111, 1, 2, 3, NO_BOUND, 2)
    alphabeta.remember(table, totals, 0, 0b111, 1, 2, 1, 9, 0)
    assert alphabeta.find(table, 0, 0b111, 1, 2) == 0
    assert table[LOWER : TRY + 1] == [3, 9, 0]
    alphabeta.remember(table, totals, 0, 0b11, 1, 2, 0, 0, 0)
    assert alphabeta.find(table, 0, 0b11, 1, 2) == ENTRY
    alphabeta.remember(table, totals, 0, 0b1, 1, 2, 0, 0, 0)
    assert [alphabeta.find(table, 0, cells, 1, 2) for cells in (0b111, 0b11, 0b1)] == [0, -1, ENTRY]
    assert totals[alphabeta.FILLED] == 2


def test_a_larger_table_holds_what_the_smaller_one_held():
    random = Random(3)
    small, large, totals = memo(64), memo(256), [0] * alphabeta.TOTALS
    states = [(random.getrandbits(16) | 1, random.getrandbits(9), random.getrandbits(9)) for _ in range(40)]
    for number, state in enumerate(states):
        alphabeta.remember(small, totals, hashed(*state), *state, number, number, number % 16)
    kept = [state for state in states if alphabeta.find(small, hashed(*state), *state) >= 0]
    totals[alphabeta.FILLED] = 0
    for begin in (0, 24):
        alphabeta.move_entries(small, large, totals, begin, 24 if begin == 0 else 64)
    for state in kept:
        entry = alphabeta.find(large, hashed(*state), *state)
        assert large[entry + LOWER : entry + TRY] == [states.index(state)] * 2
    assert totals[alphabeta.FILLED] == len(kept) >= 30
