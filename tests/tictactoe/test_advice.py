import math
from random import Random

import pytest
from tests.reference.four_questions import winner
from tests.reference.tictactoe import plain_margin
from tests.tictactoe.boards import EDGE_ONLY, balanced_boards, rows

from yomikiri.common.errors import BoardError
from yomikiri.tictactoe.advice import Advice, analyze
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Player, Position, Reason


def some_position(board: Board, random: Random) -> Position:
    position = Position(board)
    for _ in range(random.randint(0, board.size - 1)):
        after = position.play(random.choice(position.moves))
        position = position if after.outcome else after
    return position


def check(advice: Advice) -> None:
    """Check the consistency of the parts of an advice."""
    position = advice.position
    assert tuple(each.move for each in advice.moves) == position.moves
    assert advice.line_of_play[0] == advice.best.move
    end = position
    for move in advice.line_of_play:
        end = end.play(move)
    assert end.outcome == advice.outcome
    assert advice.outcome.winner is advice.winner
    assert advice.outcome.reason is advice.best.reason
    assert len(advice.line_of_play) == advice.best.plies
    for each in advice.moves:
        assert (each.margin is None) is (each.reason is Reason.LINE)
        if each.margin is not None:
            assert (each.winner or 0) * position.to_move == (each.margin > 0) - (each.margin < 0)


def test_every_move_has_the_winner_of_the_winner_function():
    random = Random(5)
    for weights, _winner in balanced_boards(40)[::5]:
        advice = analyze(some_position(Board(rows(weights)), random))
        check(advice)
        for each in advice.moves:
            assert each.winner is winner(advice.position.play(each.move))
        best = (each.winner or 0) * advice.position.to_move == 1
        assert advice.winning or not best


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 3), (3, 2, 2), (2, 4, 3), (1, 6, 2)])
def test_margin_agrees_with_brute_force(shape):
    random = Random(shape[1])
    for _ in range(8):
        weights = tuple(tuple(random.randint(-4, 3) for _ in range(shape[1])) for _ in range(shape[0]))
        advice = analyze(Position(Board(weights, shape[2])))
        check(advice)
        expected = plain_margin(weights, shape[2])
        assert advice.best.margin == (None if math.isinf(expected) else expected)
        assert (advice.winner or 0) == (expected > 0) - (expected < 0)


def test_edge_board_is_won_by_two_edge_openings_only():
    advice = analyze(Position(Board(EDGE_ONLY)))
    assert [advice.position.board.name(move) for move in advice.winning] == ["b1", "c2"]
    assert {each.margin for each in advice.moves} == {1, -1}


def test_best_moves_win_by_a_line_soonest_and_lose_latest():
    blank = Board(((0,) * 3,) * 3)
    at_once = analyze(Position.after(blank, (0, 3, 1, 4)))
    assert (at_once.best.move, at_once.best.plies, at_once.best.reason) == (2, 1, Reason.LINE)
    lost = analyze(Position.after(blank, (0, 1, 4)))
    assert lost.winner is Player.FIRST
    assert lost.best.move == 8
    assert lost.best.plies == max(each.plies for each in lost.moves) == 4


def test_line_counts_more_than_any_margin():
    board = Board(((0, 0, 10**9), (0, 0, 0), (0, 0, 0)))
    advice = analyze(Position.after(board, (3, 0, 4, 1)))
    assert advice.best.move == 5


def test_finished_position_is_refused():
    blank = Board(((0,) * 3,) * 3)
    with pytest.raises(BoardError, match="the game is over"):
        analyze(Position.after(blank, (0, 3, 1, 4, 2)))
