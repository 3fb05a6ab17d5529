from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yomikiri.common.errors import BoardError, InputError
from yomikiri.tictactoe.board import Board, cells_of, set_of
from yomikiri.tictactoe.position import Outcome, Player, Position, Reason, moves_made

BOARD = Board(((1, 2, 3), (4, 5, 6), (7, 8, 9)))


def reached(board: Board) -> set[Position]:
    seen = {Position(board)}
    waiting = list(seen)
    while waiting:
        position = waiting.pop()
        for move in position.moves:
            after = position.play(move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen


def test_the_3x3_game_has_5478_positions():
    positions = reached(BOARD)
    assert len(positions) == 5478
    assert sum(1 for p in positions if p.outcome) == 958
    assert sum(1 for p in positions if p.outcome and p.outcome.reason is Reason.SCORE) == 16


@pytest.mark.parametrize(
    ("weights", "line"), [(((0,) * 3,) * 3, 3), (((0,) * 4,) * 2, 2), (((0,) * 3,) * 2, 3), (((0,) * 2,) * 3, 1)]
)
def test_only_reachable_positions_are_accepted(weights, line):
    board = Board(weights, line)
    accepted = set()
    for marks in product((0, 1, 2), repeat=board.size):
        first = set_of(cell for cell, mark in enumerate(marks) if mark == 1)
        second = set_of(cell for cell, mark in enumerate(marks) if mark == 2)
        try:
            accepted.add(Position(board, first, second))
        except BoardError:
            continue
    assert accepted == reached(board)


def test_positions_do_not_depend_on_move_order():
    a, b = Position.after(BOARD, (0, 1, 2)), Position.after(BOARD, (2, 1, 0))
    assert a == b
    assert hash(a) == hash(b)
    assert eval(repr(a)) == a


def test_completed_line_wins_and_is_reported():
    position = Position.after(BOARD, (0, 3, 1, 4, 2))
    assert position.outcome == Outcome(Player.FIRST, Reason.LINE, (6, 9), (0, 1, 2))
    assert position.moves == ()
    with pytest.raises(BoardError, match="the game is over"):
        position.play(8)


def test_line_of_the_second_player_wins():
    outcome = Position.after(BOARD, (0, 4, 1, 2, 8, 6)).outcome
    assert outcome == Outcome(Player.SECOND, Reason.LINE, (12, 15), (2, 4, 6))


def test_full_board_without_a_line_goes_to_the_larger_sum():
    moves = (0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert Position.after(BOARD, moves).outcome == Outcome(Player.FIRST, Reason.SCORE, (25, 20))
    negative = Board([[-w for w in row] for row in BOARD.weights])
    assert Position.after(negative, moves).outcome == Outcome(Player.SECOND, Reason.SCORE, (-25, -20))
    assert Position.after(Board(((0,) * 3,) * 3), moves).outcome == Outcome(None, Reason.SCORE, (0, 0))


def test_two_lines_at_once_count_as_one_win():
    both = Position.after(BOARD, (1, 3, 2, 5, 8, 6, 4, 7, 0))
    assert both.outcome == Outcome(Player.FIRST, Reason.LINE, (20, 25), (0, 1, 2))


def test_owner_returns_the_player_of_a_cell():
    position = Position.after(Board([[0] * 3] * 3), (4, 0))
    assert [position.owner(cell) for cell in range(9)] == [Player.SECOND, *[None] * 3, Player.FIRST, *[None] * 4]


def test_side_to_move_alternates_from_the_first_player():
    position = Position(BOARD)
    for move, player in zip((4, 0, 8), (Player.FIRST, Player.SECOND, Player.FIRST), strict=True):
        assert position.to_move is player
        assert player.other is not player
        position = position.play(move)


def test_move_must_be_an_empty_cell_of_the_board():
    with pytest.raises(BoardError, match="b2"):
        Position.after(BOARD, (4, 4))
    for cell in (-1, 9):
        with pytest.raises(BoardError, match="is not a cell of this board"):
            Position(BOARD).play(cell)


def test_made_counts_moves():
    assert [moves_made(Position.after(BOARD, (4, 0, 8)[:moves])) for moves in range(4)] == [0, 1, 2, 3]


def test_mark_returns_x_o_or_empty():
    position = Position.after(BOARD, (4, 0))
    marks = [position.mark(cell) for cell in (4, 0, 8)]
    assert marks == ["X", "O", ""]


@pytest.mark.parametrize(
    ("first", "second", "error"),
    [
        (0b1, 0b1, "both players have"),
        (0b110, 0b101, "both players have c1"),
        (-1, 0, "first=-1: expected a whole number from 0"),
        (0b11, 0, "expected equal numbers"),
        (0, 0b1, "expected equal numbers"),
        (0b111, 0b111_000, "was complete before the last move"),
        (0b1_000_000_111, 0, "'9' is not a cell of this board"),
        (0b011_000_111, 0b100_111_000, "was complete before the last move"),
    ],
)
def test_unreachable_position_is_refused_with_a_reason(first, second, error):
    with pytest.raises(InputError, match=error):
        Position(BOARD, first, second)


def test_lines_that_no_single_move_completes_are_refused():
    with pytest.raises(BoardError, match="no single move completes"):
        Position(Board(((0,) * 3,) * 5), 0b111_000_000_000_111, 0b011_100_011_000)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.randoms(use_true_random=False))
def test_random_game_outcome_agrees_with_its_cells(rows, columns, line, random: Random):
    board = Board([[random.randint(-5, 5) for _ in range(columns)] for _ in range(rows)], line)
    position = Position(board)
    while position.moves:
        position = position.play(random.choice(position.moves))
    outcome = position.outcome
    assert outcome is not None
    assert outcome.sums == (
        sum(board.flat[cell] for cell in cells_of(position.first)),
        sum(board.flat[cell] for cell in cells_of(position.second)),
    )
    if outcome.reason is Reason.LINE:
        assert set_of(outcome.line) in board.lines
        assert outcome.winner is position.to_move.other
    else:
        assert not position.empty
        lead = outcome.sums[0] - outcome.sums[1]
        assert (outcome.winner or 0) == (lead > 0) - (lead < 0)
