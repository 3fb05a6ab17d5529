from itertools import product

import numpy as np

from yomikiri.tictactoe.batch import winners
from yomikiri.tictactoe.realisable import (
    normals,
    realisable_boards,
    realisable_count,
    region_count,
    sign_vectors,
)

BOARDS = realisable_boards()


def test_planes_in_general_position_cut_space_as_known():
    axes = frozenset(tuple(int(i == j) for j in range(4)) for i in range(4))
    assert region_count(axes) == 2**4
    assert region_count(frozenset({(1, 0), (0, 1), (1, 1), (1, -1)})) == 8
    assert region_count(frozenset({(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)})) == 14
    # The braid arrangement of four strands: one region for each order of four numbers.
    braid = {(1, -1, 0, 0), (1, 0, -1, 0), (1, 0, 0, -1), (0, 1, -1, 0), (0, 1, 0, -1), (0, 0, 1, -1)}
    assert region_count(frozenset(braid)) == 24


def test_17600_sign_vectors_are_realisable_and_each_has_its_board():
    assert realisable_count() == 17_600
    assert BOARDS.shape == (17_600, 9)
    vectors = sign_vectors(BOARDS)
    assert (np.diff(vectors) > 0).all()


def test_no_other_sign_vector_occurs():
    random = np.random.default_rng(1)
    known = set(sign_vectors(BOARDS).tolist())
    for high in (1, 3, 1000, 10**9):
        boards = random.integers(-high, high, (50_000, 9), endpoint=True)
        assert set(sign_vectors(boards[boards.sum(axis=1) % 2 == 1]).tolist()) <= known


def test_every_vector_of_small_weights_is_among_them():
    boards = np.array(list(product((-1, 0, 1), repeat=9)))
    boards = boards[boards.sum(axis=1) % 2 == 1]
    assert set(sign_vectors(boards).tolist()) <= set(sign_vectors(BOARDS).tolist())


def test_503_of_them_are_won_by_the_second_player():
    assert np.bincount(winners(BOARDS) + 1).tolist() == [503, 0, 17_097]


def test_the_boards_are_small_and_their_sums_odd():
    assert np.abs(BOARDS).max() <= 16
    assert (BOARDS.sum(axis=1) % 2 == 1).all()


def test_the_signs_say_who_is_ahead():
    board = BOARDS[12_345]
    bits = [sum(weight * side for weight, side in zip(board, normal, strict=True)) > 0 for normal in normals()]
    assert sum(bit << i for i, bit in enumerate(bits)) == sign_vectors(BOARDS[12_345:12_346])[0]
