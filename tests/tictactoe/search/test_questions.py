import itertools
from random import Random

import pytest
from tests.tictactoe.search.agreement import KINDS, some_boards, some_position, some_weights

from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.evaluate import winner
from yomikiri.tictactoe.position import Position, Tie
from yomikiri.tictactoe.search.questions import Bounds, MarginSearch, Progress


def large_board(seed: int, side: int = 6, line: int = 5) -> Board:
    weights = some_weights(Random(seed), side * side, 1)
    return Board([weights[row * side : (row + 1) * side] for row in range(side)], line)


@pytest.mark.parametrize("tie", Tie)
def test_who_wins_agrees_with_the_four_questions_under_every_rule_of_ties(tie: Tie):
    random = Random(tie.value)
    for shape in ((3, 3, 3), (1, 7, 3), (2, 4, 3), (1, 6, 2)):
        for board in some_boards(*shape, 2 * KINDS, seed=7):
            position = some_position(board, random)
            bounds = MarginSearch(board).winner(position, tie)
            assert bounds.settled(position.to_move, tie)
            assert bounds.winner(position.to_move, tie) is winner(position, tie)


def test_a_board_of_4000_digit_weights_is_read_exactly():
    huge = 10**3999
    board = Board([[huge, -huge, 3], [1 - huge, 2, huge], [-1, 0, -huge]])
    small = Board([[10**6, -(10**6), 3], [1 - 10**6, 2, 10**6], [-1, 0, -(10**6)]])
    assert MarginSearch(board).winner(Position(board)).winner(Position(board).to_move) is winner(Position(small))


def test_bounds_say_only_what_is_settled():
    open_bounds = Bounds(0, 5, 100)
    first = Position(Board([[0]])).to_move
    assert not open_bounds.settled(first)
    assert open_bounds.settled(first, Tie.FIRST)
    assert open_bounds.winner(first, Tie.FIRST) is first
    assert not open_bounds.settled(first, Tie.SECOND)
    assert Bounds(-5, 0, 100).winner(first, Tie.SECOND) is first.other
    assert Bounds(0, 0, 100).winner(first) is None
    assert Bounds(100, 100, 100).by_line


def test_when_time_is_over_the_bounds_so_far_are_the_answer():
    board = large_board(1)
    bounds = MarginSearch(board, seconds=0.3).margin(Position(board))
    assert not bounds.exact
    assert bounds.lower < bounds.upper


def test_an_interrupt_gives_the_bounds_so_far_and_the_search_can_go_on():
    board = large_board(2, side=4, line=4)
    calls: list[Progress] = []

    def interrupt_once(progress: Progress) -> None:
        calls.append(progress)
        if len(calls) == 3:
            raise KeyboardInterrupt

    reader = MarginSearch(board, progress=interrupt_once)
    cut_short = reader.margin(Position(board))
    whole = reader.margin(Position(board))
    assert cut_short == calls[2].bounds
    assert not cut_short.exact
    assert whole == MarginSearch(board).margin(Position(board))
    assert cut_short.lower <= whole.lower == whole.upper <= cut_short.upper


def test_progress_only_ever_narrows_the_bounds():
    board = large_board(3, side=4, line=4)
    seen: list[Progress] = []
    final = MarginSearch(board, progress=seen.append).margin(Position(board))
    assert seen[-1].bounds == final
    for earlier, later in itertools.pairwise(seen):
        assert earlier.bounds.lower <= later.bounds.lower <= later.bounds.upper <= earlier.bounds.upper
        assert earlier.nodes <= later.nodes


def test_a_tiny_table_changes_no_answer():
    for board in some_boards(3, 4, 4, KINDS, seed=8):
        position = Position(board)
        assert MarginSearch(board, capacity=16).margin(position) == MarginSearch(board).margin(position)
