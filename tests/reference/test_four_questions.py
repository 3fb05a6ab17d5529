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


def test_the_contests_examples():
    assert sign(((0, 0, 0), (0, 1, 0), (0, 0, 0))) == 1
    assert sign(AOKI) == -1


def test_the_winner_agrees_with_brute_force_on_balanced_boards():
    sample = balanced_boards(40)[::2]
    assert [sign(rows(weights)) for weights, _winner in sample] == [winner for _weights, winner in sample]


@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 5, 2), (2, 3, 2), (2, 4, 3), (3, 3, 2), (2, 2, 3), (1, 7, 3)])
def test_other_shapes_agree_with_brute_force(shape):
    random = Random(shape[1])
    for _ in range(10):
        weights = tuple(tuple(random.randint(-3, 2) for _ in range(shape[1])) for _ in range(shape[0]))
        margin = plain_margin(weights, shape[2])
        assert sign(weights, line=shape[2]) == (margin > 0) - (margin < 0), weights


def test_a_tie_goes_to_whom_the_rule_says():
    blank = ((0,) * 3,) * 3
    assert [sign(blank, tie) for tie in (Tie.DRAW, Tie.FIRST, Tie.SECOND)] == [0, 1, -1]


def test_every_rule_gives_the_same_winner_where_nothing_ties():
    for weights, expected in balanced_boards(40)[::6]:
        if expected:
            assert sign(rows(weights), Tie.FIRST) == sign(rows(weights), Tie.SECOND) == expected
        else:
            assert (sign(rows(weights), Tie.FIRST), sign(rows(weights), Tie.SECOND)) == (1, -1)


def test_only_an_edge_opening_wins_the_edge_board():
    start = Position(Board(EDGE_ONLY))
    wins = [move for move in start.moves if winner(start.play(move)) is FIRST]
    assert {start.board.name(move) for move in wins} == {"b1", "c2"}


def test_huge_weights_are_exact():
    huge = 10**30
    shifted = tuple(tuple(huge * weight + (r == c == 1) for c, weight in enumerate(row)) for r, row in enumerate(AOKI))
    assert sign(shifted) == -1
    near = [[huge, huge, huge], [huge, huge, huge], [huge, huge, huge + 1]]
    assert sign(near) == 1


def test_the_first_two_questions_by_themselves():
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


def test_the_memo_is_keyed_by_the_positions_value():
    board = Board(((0,) * 3,) * 3)
    memo: dict[Position, Player] = {}
    evaluate(Position.after(board, (0, 1, 2)), SECOND, memo)
    size = len(memo)
    evaluate(Position.after(Board.parse(str(board)), (2, 1, 0)), SECOND, memo)
    assert len(memo) == size


@pytest.mark.parametrize("shape", [(1, 2, 2), (2, 2, 2), (1, 4, 3), (2, 3, 2), (2, 3, 3), (2, 4, 3), (1, 6, 2)])
def test_with_an_even_number_of_cells_the_second_player_never_wins_outright(shape):
    random = Random(sum(shape))
    for _ in range(15):
        weights = tuple(tuple(random.randint(-9, 2) for _ in range(shape[1])) for _ in range(shape[0]))
        assert sign(weights, line=shape[2]) >= 0


@pytest.mark.parametrize("shape", [(1, 3, 2), (1, 5, 3), (3, 3, 3), (3, 3, 2), (1, 7, 3)])
def test_with_no_negative_weight_the_second_player_never_wins_outright(shape):
    random = Random(sum(shape))
    for _ in range(15):
        weights = tuple(tuple(random.randint(0, 3) for _ in range(shape[1])) for _ in range(shape[0]))
        assert sign(weights, line=shape[2]) >= 0
