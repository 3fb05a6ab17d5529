import itertools
from math import inf
from random import Random

import pytest
from tests.tictactoe.search.agreement import KINDS, some_boards, some_position, some_weights

from yomikiri.budget import Budget, Progress, Stopped
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.evaluate import winner
from yomikiri.tictactoe.position import Position, Reason, Tie
from yomikiri.tictactoe.search.margins import Bounds, MarginSearch
from yomikiri.tictactoe.search.solver import PLAIN, machine


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
    open_bounds = Bounds(0, 5)
    first = Position(Board([[0]])).to_move
    assert not open_bounds.settled(first)
    assert open_bounds.settled(first, Tie.FIRST)
    assert open_bounds.winner(first, Tie.FIRST) is first
    assert not open_bounds.settled(first, Tie.SECOND)
    assert Bounds(-5, 0).winner(first, Tie.SECOND) is first.other
    assert Bounds(0, 0).winner(first) is None
    assert Bounds(inf, inf).by_line


@pytest.mark.parametrize("budget", ["seconds", "states"])
def test_when_the_budget_is_spent_the_bounds_so_far_are_told(budget: str):
    board = large_board(1, side=8, line=6)
    with pytest.raises(Stopped) as stopped:
        MarginSearch(board).margin(Position(board), Budget.within(0.3) if budget == "seconds" else Budget(states=5_000))
    bounds = stopped.value.best
    assert not bounds.exact
    assert bounds.lower < bounds.upper


def test_a_search_that_was_stopped_can_go_on():
    board = large_board(2, side=4, line=4)
    told: list[Progress] = []
    search = MarginSearch(board, code=PLAIN._replace(slice=1))
    with pytest.raises(Stopped) as stopped:
        search.margin(Position(board), Budget(cancelled=lambda: len(told) == 3, progress=told.append))
    cut_short = stopped.value.best
    whole = search.margin(Position(board))
    assert cut_short == Bounds.told(told[2])
    assert not cut_short.exact
    assert whole == MarginSearch(board).margin(Position(board))
    assert cut_short.lower <= whole.lower == whole.upper <= cut_short.upper


def test_progress_only_ever_narrows_the_bounds():
    board = large_board(3, side=4, line=4)
    told: list[Progress] = []
    final = MarginSearch(board).margin(Position(board), Budget(progress=told.append))
    assert Bounds.told(told[-1]) == final
    for earlier, later in itertools.pairwise(told):
        wide, narrow = Bounds.told(earlier), Bounds.told(later)
        assert wide.lower <= narrow.lower <= narrow.upper <= wide.upper
        assert earlier.states <= later.states


def plies_by_playing_out(position: Position) -> int | None:
    """The plies until a line decides, if it does, the winner hastening and the loser delaying: every game is played."""

    def worth(position: Position) -> tuple[int, int]:
        if outcome := position.outcome:
            return (-1, 0) if outcome.reason is Reason.LINE else (0, 0)
        lines = [worth(position.play(move)) for move in position.moves]
        # Won soon, open, lost late; seen by the side to move.
        sign, plies = max(((-each, -each * (-after - 1)) for each, after in lines), default=(0, 0))
        return sign, abs(plies)

    sign, plies = worth(position)
    return plies if sign else None


@pytest.mark.parametrize("shape", [(3, 3, 3), (2, 4, 3), (2, 4, 2), (1, 7, 3), (3, 3, 2)])
@pytest.mark.parametrize("code", ["plain", "machine"])
def test_a_line_is_forced_within_as_many_plies_as_playing_every_game_out_takes(shape: tuple[int, int, int], code: str):
    random = Random(str(shape))
    rows, columns, line = shape
    board = Board([[0] * columns] * rows, line)
    lines = 0
    for _ in range(60):
        position = some_position(board, random)
        if position.empty.bit_count() > 7:
            continue
        search = MarginSearch(board, code=PLAIN if code == "plain" else machine())
        bounds = search.margin(position)
        plies = plies_by_playing_out(position)
        assert bounds.by_line is (plies is not None)
        if plies is not None:
            lines += 1
            assert search.plies_to_line(position, bounds) == plies
            assert search.line_within(position, plies)
            assert not search.line_within(position, plies - 2)
    assert lines > 5


def test_a_tiny_table_changes_no_answer():
    for board in some_boards(3, 4, 4, KINDS, seed=8):
        position = Position(board)
        assert MarginSearch(board, most_entries=16).margin(position) == MarginSearch(board).margin(position)
