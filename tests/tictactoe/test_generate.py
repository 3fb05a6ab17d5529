from itertools import islice

import pytest
from tests.reference.tictactoe import plain_winners

from yomikiri.errors import BoardError
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.evaluate import winner
from yomikiri.tictactoe.generate import Opening, Wanted, complete_set, generate, winning_openings
from yomikiri.tictactoe.position import Player, Position
from yomikiri.tictactoe.realisable import realisable_boards, sign_vectors


def some(wanted: Wanted, count: int = 5, seed: int = 1) -> list[Board]:
    return list(islice(generate(wanted, seed), count))


@pytest.mark.parametrize("sign", [1, -1, 0])
def test_the_wanted_player_wins(sign):
    boards = some(Wanted(winner=sign), 20)
    assert plain_winners([board.flat for board in boards]) == [sign] * 20


@pytest.mark.parametrize(
    ("opening", "unique"),
    [(Opening.CORNER, False), (Opening.CORNER, True), (Opening.CENTRE, True), (Opening.EDGE, False)],
)
def test_only_openings_of_the_wanted_kind_win(opening, unique):
    for board in some(Wanted(opening=opening, unique=unique, low=-4, high=4), 3):
        start = Position(board)
        wins = [move for move in start.moves if winner(start.play(move)) is Player.FIRST]
        assert wins
        assert all(opening.cells >> move & 1 for move in wins)
        assert len(wins) == 1 or not unique


def test_no_board_is_won_by_a_single_edge_opening():
    with pytest.raises(BoardError, match="random boards has these properties"):
        some(Wanted(opening=Opening.EDGE, unique=True))
    openings = winning_openings()[sign_vectors(realisable_boards())].tolist()
    counts = {kind: [each.bit_count() for each in openings if each and not each & ~kind.cells] for kind in Opening}
    assert {kind: len(each) for kind, each in counts.items()} == {"corner": 751, "edge": 241, "centre": 1119}
    assert {kind: each.count(1) for kind, each in counts.items()} == {"corner": 192, "edge": 0, "centre": 1119}


def test_weights_keep_to_their_limits_and_sums_are_odd():
    for board in some(Wanted(low=-7, high=-2), 50):
        assert all(-7 <= weight <= -2 for weight in board.flat)
        assert sum(board.flat) % 2 == 1


def test_the_same_seed_gives_the_same_boards():
    assert some(Wanted(), 9, seed=3) == some(Wanted(), 9, seed=3) != some(Wanted(), 9, seed=4)


def test_what_no_board_has_is_refused_after_many_tries():
    # With no negative weight the second player never wins: strategy stealing.
    with pytest.raises(BoardError, match="random boards has these properties"):
        some(Wanted(low=0, high=9, winner=-1))


@pytest.mark.parametrize(
    ("low", "high", "error"),
    [(1, 0, "greater than the upper"), (-(10**19), 0, "expected limits from"), (0, 10**19, "expected limits from")],
)
def test_limits_that_hold_no_weight_are_refused(low, high, error):
    with pytest.raises(BoardError, match=error):
        Wanted(low=low, high=high)


def test_the_complete_set_has_17600_boards():
    boards = list(complete_set())
    assert len(set(boards)) == 17_600
    assert all(sum(board.flat) % 2 for board in boards)
