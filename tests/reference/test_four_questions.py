from collections.abc import Sequence
from random import Random

import pytest
from tests.reference.four_questions import by_line, by_score, evaluate, winner
from tests.reference.tictactoe import plain_margin
from tests.tictactoe.boards import AOKI, EDGE_ONLY, balanced_boards, rows

from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Player, Position, Tie

FIRST, SECOND = Player.FIRST, Player.SECOND


def sign(weights: Sequence[Sequence[int]], tie: Tie = Tie.DRAW, line: int = 3) -> int:
    return int(winner(Position(Board(weights, line)), tie) or 0)


def test_examples_of_the_contest():
    assert sign(((0, 0, 0), (0, 1, 0), (0, 0, 0))) == 1
    assert sign(AOKI) == -1


@pytest.mark.slow
def test_winner_agrees_with_brute_force_on_balanced_boards():
    sample = balanced_boards(40)[::2]
    assert [sign(rows(weights)) for weights, _winner in sample] == [winner for _weights, winner in sample]


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 5, 2), (2, 3, 2), (2, 4, 3), (3, 3, 2), (2, 2, 3), (1, 7, 3)])
def test_winner_agrees_with_brute_force_on_other_shapes(shape):
    random = Random(shape[1])
    for _ in range(10):
        weights = tuple(tuple(random.randint(-3, 2) for _ in range(shape[1])) for _ in range(shape[0]))
        margin = plain_margin(weights, shape[2])
        assert sign(weights, line=shape[2]) == (margin > 0) - (margin < 0), weights


def test_tie_rule_decides_drawn_boards():
    blank = ((0,) * 3,) * 3
    assert [sign(blank, tie) for tie in (Tie.DRAW, Tie.FIRST, Tie.SECOND)] == [0, 1, -1]


def test_tie_rule_does_not_matter_without_ties():
    for weights, expected in balanced_boards(40)[::6]:
        if expected:
            assert sign(rows(weights), Tie.FIRST) == sign(rows(weights), Tie.SECOND) == expected
        else:
            assert (sign(rows(weights), Tie.FIRST), sign(rows(weights), Tie.SECOND)) == (1, -1)


def test_edge_board_is_won_by_an_edge_opening_only():
    start = Position(Board(EDGE_ONLY))
    wins = [move for move in start.moves if winner(start.play(move)) is FIRST]
    assert {start.board.name(move) for move in wins} == {"b1", "c2"}


def test_huge_weights_are_exact():
    huge = 10**30
    shifted = tuple(tuple(huge * weight + (r == c == 1) for c, weight in enumerate(row)) for r, row in enumerate(AOKI))
    assert sign(shifted) == -1
    near = [[huge, huge, huge], [huge, huge, huge], [huge, huge, huge + 1]]
    assert sign(near) == 1


def test_first_two_questions_on_known_boards():
    board = Board(((1, 2, 3), (4, 5, 6), (7, 8, 9)))
    line = Position.after(board, (0, 3, 1, 4, 2))
    assert by_line(line) is FIRST
    assert by_line(Position(board)) is None
    full = Position.after(board, (0, 1, 2, 4, 3, 5, 7, 6, 8))
    assert by_score(full, SECOND) is FIRST
    assert by_score(Position(board), FIRST) is None
    tied = Position.after(Board(((0,) * 3,) * 3), (0, 1, 2, 4, 3, 5, 7, 6, 8))
    assert by_score(tied, SECOND) is SECOND
    assert by_score(tied, FIRST) is FIRST


def test_memo_is_keyed_by_the_value_of_the_position():
    board = Board(((0,) * 3,) * 3)
    memo: dict[Position, Player] = {}
    evaluate(Position.after(board, (0, 1, 2)), SECOND, memo)
    size = len(memo)
    evaluate(Position.after(Board.parse(str(board)), (2, 1, 0)), SECOND, memo)
    assert len(memo) == size


@pytest.mark.parametrize("shape", [(1, 2, 2), (2, 2, 2), (1, 4, 3), (2, 3, 2), (2, 3, 3), (2, 4, 3), (1, 6, 2)])
def test_second_player_never_wins_with_an_even_number_of_cells(shape):
    random = Random(sum(shape))
    for _ in range(15):
        weights = tuple(tuple(random.randint(-9, 2) for _ in range(shape[1])) for _ in range(shape[0]))
        assert sign(weights, line=shape[2]) >= 0


@pytest.mark.parametrize("shape", [(1, 3, 2), (1, 5, 3), (3, 3, 3), (3, 3, 2), (1, 7, 3)])
def test_second_player_never_wins_without_negative_weights(shape):
    random = Random(sum(shape))
    for _ in range(15):
        weights = tuple(tuple(random.randint(0, 3) for _ in range(shape[1])) for _ in range(shape[0]))
        assert sign(weights, line=shape[2]) >= 0
