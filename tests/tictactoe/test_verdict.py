from random import Random

import pytest
from tests.tictactoe.boards import balanced_boards, rows

from yomikiri.tictactoe import evaluate, verdict
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Player, Position, Tie


@pytest.mark.parametrize("tie", list(Tie))
def test_the_search_and_the_four_questions_name_the_same_winner(tie: Tie):
    random = Random(4)
    boards = [Board(rows(weights)) for weights, _winner in balanced_boards(40)[::12]]
    boards += [Board([[random.randint(-2, 1) for _ in range(4)] for _ in range(2)], line) for line in (2, 3, 4) * 4]
    for board in boards:
        position = Position(board)
        while True:
            assert verdict.winner(position, tie) is evaluate.winner(position, tie)
            if position.outcome:
                break
            position = position.play(random.choice(position.moves))


def test_a_plain_game_of_another_size_has_its_published_winner():
    assert verdict.winner(Position(Board(((0,) * 4,) * 4, 4))) is None
    assert verdict.winner(Position(Board(((0,) * 4,) * 4, 3))) is Player.FIRST
