from functools import cache
from itertools import islice, product
from math import gcd

import numpy as np
import pytest
from tests.reference.four_questions import winner
from tests.reference.tictactoe import plain_winners

from yomikiri.common.errors import BoardError, InputError
from yomikiri.tictactoe.batch import winners
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.generator import (
    Opening,
    Wanted,
    cell_owners,
    complete_set,
    exchanges,
    generate,
    realisable_boards,
    realisable_vectors,
    sign_vectors,
    winning_openings,
)
from yomikiri.tictactoe.position import Player, Position


def some(wanted: Wanted, count: int = 5, seed: int = 1) -> list[Board]:
    return list(islice(generate(wanted, seed), count))


@pytest.mark.parametrize("sign", [1, -1, 0])
def test_wanted_player_wins(sign):
    boards = some(Wanted(winner=sign), 20)
    assert plain_winners([board.flat for board in boards]) == [sign] * 20


@pytest.mark.parametrize(
    ("opening", "unique"),
    [(Opening.CORNER, False), (Opening.CORNER, True), (Opening.CENTRE, True), (Opening.EDGE, False)],
)
def test_only_the_wanted_kind_of_opening_wins(opening, unique):
    for board in some(Wanted(opening=opening, unique=unique, low=-4, high=4), 3):
        start = Position(board)
        wins = [move for move in start.moves if winner(start.play(move)) is Player.FIRST]
        assert wins
        assert all(opening.cells >> move & 1 for move in wins)
        assert len(wins) == 1 or not unique


@pytest.mark.exhaustive
def test_no_board_is_won_by_a_single_edge_opening():
    with pytest.raises(BoardError, match="no board can have all these properties"):
        some(Wanted(opening=Opening.EDGE, unique=True))
    openings = winning_openings()[sign_vectors(realisable_boards())].tolist()
    counts = {kind: [each.bit_count() for each in openings if each and not each & ~kind.cells] for kind in Opening}
    assert {kind: len(each) for kind, each in counts.items()} == {"corner": 751, "edge": 241, "centre": 1119}
    assert {kind: each.count(1) for kind, each in counts.items()} == {"corner": 192, "edge": 0, "centre": 1119}


def test_weights_stay_within_their_limits_and_sums_are_odd():
    for board in some(Wanted(low=-7, high=-2), 50):
        assert all(-7 <= weight <= -2 for weight in board.flat)
        assert sum(board.flat) % 2 == 1


def test_same_seed_gives_the_same_boards():
    assert some(Wanted(), 9, seed=3) == some(Wanted(), 9, seed=3) != some(Wanted(), 9, seed=4)


def test_impossible_properties_are_refused_after_many_tries():
    # With no negative weight the second player never wins: strategy stealing.
    with pytest.raises(BoardError, match="random boards gave none"):
        some(Wanted(low=0, high=9, winner=-1))


@pytest.mark.parametrize(
    ("low", "high", "error"),
    [
        (1, 0, "greater than the upper"),
        (-(10**19), 0, "low=-10000000000000000000: expected"),
        (0, 10**19, "high=10000000000000000000: "),
    ],
)
def test_invalid_limits_are_refused(low, high, error):
    with pytest.raises(InputError, match=error):
        Wanted(low=low, high=high)


@pytest.mark.slow
def test_complete_set_has_17600_boards():
    boards = list(complete_set())
    assert len(set(boards)) == 17_600
    assert all(sum(board.flat) % 2 for board in boards)


@cache
def region_count(planes: frozenset[tuple[int, ...]]) -> int:
    """Return the number of regions into which different planes through the origin divide space.

    Zaslavsky's theorem: the number of regions is that without a plane H plus that of the traces of the other planes on
    H. The trace of a plane follows from solving h . w = 0 for the first weight with a coefficient in H.
    """
    if not planes:
        return 1
    removed = min(planes)
    others = planes - {removed}
    pivot = next(i for i, coefficient in enumerate(removed) if coefficient)
    traces = {
        _same_plane(
            tuple(removed[pivot] * other[i] - other[pivot] * removed[i] for i in range(len(removed)) if i != pivot)
        )
        for other in others
    }
    return region_count(others) + region_count(frozenset(traces))


def _same_plane(normal: tuple[int, ...]) -> tuple[int, ...]:
    """Return the normal in lowest terms with a positive first coefficient, which is unique for each plane."""
    divisor = gcd(*normal)
    first = next(coefficient for coefficient in normal if coefficient)
    return tuple(coefficient // (divisor if first > 0 else -divisor) for coefficient in normal)


def test_region_count_agrees_with_known_arrangements():
    axes = frozenset(tuple(int(i == j) for j in range(4)) for i in range(4))
    assert region_count(axes) == 2**4
    assert region_count(frozenset({(1, 0), (0, 1), (1, 1), (1, -1)})) == 8
    assert region_count(frozenset({(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)})) == 14
    # The braid arrangement of four strands: one region for each order of four numbers.
    braid = {(1, -1, 0, 0), (1, 0, -1, 0), (1, 0, 0, -1), (0, 1, -1, 0), (0, 1, 0, -1), (0, 0, 1, -1)}
    assert region_count(frozenset(braid)) == 24


def test_sign_vectors_equal_the_regions_of_the_sixteen_planes():
    assert region_count(frozenset(map(tuple, cell_owners().tolist()))) == len(realisable_vectors()) == 17_600


def test_the_14_exchanges_hold_for_all_weights():
    assert len(exchanges()) == 14
    leads = np.random.default_rng(1).integers(-99, 99, (100, 9)) @ cell_owners().T
    for (a, b), (c, d) in exchanges():
        assert (leads[:, a] + leads[:, b] == leads[:, c] + leads[:, d]).all()


@pytest.mark.slow
def test_each_sign_vector_has_a_board():
    assert realisable_boards().shape == (17_600, 9)
    assert (sign_vectors(realisable_boards()) == realisable_vectors()).all()


def test_no_other_sign_vector_occurs():
    random = np.random.default_rng(1)
    known = set(realisable_vectors().tolist())
    for high in (1, 3, 1000, 10**9):
        boards = random.integers(-high, high, (50_000, 9), endpoint=True)
        assert set(sign_vectors(boards[boards.sum(axis=1) % 2 == 1]).tolist()) <= known


def test_every_sign_vector_of_small_weights_is_realisable():
    boards = np.array(list(product((-1, 0, 1), repeat=9)))
    boards = boards[boards.sum(axis=1) % 2 == 1]
    assert set(sign_vectors(boards).tolist()) <= set(realisable_vectors().tolist())


def test_second_player_wins_503_realisable_boards():
    assert np.bincount(winners(realisable_boards()) + 1).tolist() == [503, 0, 17_097]


def test_realisable_boards_have_small_weights_and_odd_sums():
    assert np.abs(realisable_boards()).max() <= 16
    assert (realisable_boards().sum(axis=1) % 2 == 1).all()


def test_sign_vectors_encode_the_signs_of_the_sums():
    board = realisable_boards()[12_345]
    bits = [sum(weight * side for weight, side in zip(board, row, strict=True)) > 0 for row in cell_owners()]
    assert sum(bit << i for i, bit in enumerate(bits)) == sign_vectors(realisable_boards()[12_345:12_346])[0]
