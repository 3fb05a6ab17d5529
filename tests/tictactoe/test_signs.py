from random import Random

from tests.reference.tictactoe import plain_winners
from tests.tictactoe.boards import balanced_boards

from yomikiri.tictactoe.board import cells_of
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.signs import (
    WINNING_PAIRS,
    first_wins,
    full_boards,
    minimal_points,
    true,
    variable,
    winner_by_signs,
)


def test_sixteen_full_boards_have_no_line():
    assert len(full_boards()) == 16
    assert all(len(list(cells_of(first))) == 5 for first in full_boards())


def test_full_boards_form_three_classes_of_eight_four_and_four():
    def turned(cells: frozenset[int]) -> frozenset[int]:
        return frozenset((cell % 3) * 3 + 2 - cell // 3 for cell in cells)

    def flipped(cells: frozenset[int]) -> frozenset[int]:
        return frozenset(cell // 3 * 3 + 2 - cell % 3 for cell in cells)

    shapes = []
    for first in full_boards():
        images, cells = set(), frozenset(cells_of(first))
        for _ in range(4):
            cells = turned(cells)
            images |= {cells, flipped(cells)}
        shapes.append(frozenset(images))
    assert sorted(map(len, set(shapes))) == [4, 4, 8]


def test_first_player_wins_64605_of_65536_sign_vectors():
    assert first_wins().bit_count() == 64605


def test_winning_function_is_monotone():
    function = first_wins()
    for index in range(16):
        without = function & ~variable(index, 16)
        assert (without << (1 << index)) & ~function == 0


def test_minimal_form_is_26_pairs_of_signs():
    points = minimal_points(first_wins(), 16)
    assert len(points) == len(WINNING_PAIRS) == 26
    assert tuple(tuple(cells_of(point)) for point in points) == WINNING_PAIRS
    rebuilt = 0
    for a, b in WINNING_PAIRS:
        rebuilt |= variable(a, 16) & variable(b, 16)
    assert rebuilt == first_wins()


def test_variable_alternates_runs_of_zeros_and_ones():
    assert [bin(variable(index, 3)) for index in range(3)] == ["0b10101010", "0b11001100", "0b11110000"]
    assert true(3) == 0b11111111


def test_minimal_points_of_the_majority_function():
    majority = sum(1 << point for point in range(8) if point.bit_count() >= 2)
    assert minimal_points(majority, 3) == (0b011, 0b101, 0b110)


def test_signs_agree_with_brute_force_on_balanced_boards():
    sample = balanced_boards(1000)
    assert len(sample) >= 2000
    for weights, expected in sample:
        assert int(winner_by_signs(weights) or 0) == expected
        for tie, winner in ((Tie.FIRST, 1), (Tie.SECOND, -1)):
            assert winner_by_signs(weights, tie) == (expected or winner)


def test_signs_are_exact_for_any_integers():
    random = Random(3)
    small = [[random.randint(-4, -1) for _ in range(9)] for _ in range(300)]
    huge = [[10**40 * weight for weight in weights] for weights in small]
    assert [int(winner_by_signs(weights) or 0) for weights in huge] == plain_winners(small)


def test_winning_pairs_form_two_squares_and_18_others():
    neighbours = {board: {a + b - board for a, b in WINNING_PAIRS if board in (a, b)} for board in range(16)}
    squares = [board for board in neighbours if len(neighbours[board]) == 2]
    assert len(squares) == 8
    for board in squares:
        opposite = {other for other in squares if other != board and neighbours[other] == neighbours[board]}
        assert len(opposite) == 1
    assert sum(1 for a, b in WINNING_PAIRS if a not in squares and b not in squares) == 18
