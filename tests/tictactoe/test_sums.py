"""The formulas of `sums` against the game tree in `signs`, and the machine code against numpy."""

import numpy as np
import pytest

from yomikiri.machine.kernel import as_python
from yomikiri.tictactoe.batch import _by_kernel, _by_numpy, winners
from yomikiri.tictactoe.generator import realisable_boards
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.signs import first_wins, full_boards
from yomikiri.tictactoe.sums import BLOCK, decisive, sums, winners_of_int32, winners_of_int64


def test_sums_are_those_of_the_second_player_on_full_boards():
    # With powers of two as weights, each sum shows its cells.
    total, second = sums(tuple(1 << cell for cell in range(9)))
    assert total == 0b111_111_111
    assert second == tuple(0b111_111_111 ^ first for first in full_boards())


def test_decisive_is_zero_exactly_if_the_first_player_wins():
    ahead = np.arange(1 << 16)[:, None] >> np.arange(16) & 1
    wins = decisive(tuple(1 - ahead.T)) == 0
    assert int.from_bytes(np.packbits(wins, bitorder="little").tobytes(), "little") == first_wins()


@pytest.mark.exhaustive
def test_kernel_agrees_with_numpy_on_every_sign_vector():
    boards = realisable_boards()
    found, expected = np.empty(len(boards), np.int8), np.empty(len(boards), np.int8)
    _by_numpy(boards, Tie.DRAW, expected)
    for narrow, winners_of in ((np.int64, winners_of_int64), (np.int32, winners_of_int32)):
        assert winners_of(boards.astype(narrow), np.int8(0), found) == (boards.max(), boards.min())
        assert (found == expected).all()
    assert (winners(boards) == expected).all()


def test_kernel_runs_as_plain_python():
    boards = np.random.default_rng(1).integers(-3, 2, (200, 9))
    found = np.empty(len(boards), np.int8)
    with as_python():
        _by_kernel(boards, Tie.DRAW, found)
    assert (found == winners(boards)).all()
    assert sorted(set(found.tolist())) == [-1, 0, 1]


def test_partial_block_reports_only_its_own_boards() -> None:
    """The kernel runs as Python, because there the unused part of a block contains random values."""
    for count in (1, BLOCK - 1, BLOCK, BLOCK + 1):
        boards = np.random.default_rng(count).integers(-9, 10, (count, 9))
        with as_python():
            high, low = winners_of_int64(boards, np.int8(0), np.zeros(count, np.int8))
        assert (high, low) == (boards.max(), boards.min())
