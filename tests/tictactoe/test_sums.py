"""What is written out in `sums` against what `signs` derives from the game tree."""

import numpy as np

from yomikiri.tictactoe.signs import first_wins, full_boards
from yomikiri.tictactoe.sums import decisive, sums


def test_each_sum_is_that_of_the_second_players_cells_on_a_full_board():
    # A weight for each cell that shows in any sum whether the cell is in it.
    total, second = sums(*(1 << cell for cell in range(9)))
    assert total == 0b111_111_111
    assert second == tuple(0b111_111_111 ^ first for first in full_boards())


def test_the_deciding_sum_is_small_exactly_where_the_first_player_wins():
    ahead = np.arange(1 << 16)[:, None] >> np.arange(16) & 1
    wins = decisive(tuple(1 - ahead.T)) == 0
    assert int.from_bytes(np.packbits(wins, bitorder="little").tobytes(), "little") == first_wins()
