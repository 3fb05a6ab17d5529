from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from tests.tictactoe.search.agreement import KINDS, some_boards, some_position
from tests.tictactoe.test_advice import check

from yomikiri.tictactoe import advice
from yomikiri.tictactoe.advice import Reading, analyze
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Player, Position, Reason
from yomikiri.tictactoe.search.forced import Forced
from yomikiri.tictactoe.search.values import SearchInterrupted

SHAPES = [(3, 3, 3), (3, 3, 2), (2, 4, 3), (2, 4, 2), (1, 8, 3), (3, 2, 2), (1, 3, 1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_search_gives_the_same_advice_as_looking_at_every_position(shape: tuple[int, int, int]):
    random = Random(str(shape))
    for number, board in enumerate(some_boards(*shape, KINDS, seed=9)):
        position = some_position(board, random) if number % 2 else Position(board)
        plainly = advice._read_plainly(position)
        found = advice.Adviser(board)._read_by_search(position, None)
        assert replace(found, positions=plainly.positions) == plainly


@pytest.mark.parametrize(("shape", "plies"), [((3, 4, 3), 7), ((4, 4, 3), 5), ((4, 5, 3), 5)])
def test_the_shortest_forced_line_of_the_plain_games(shape: tuple[int, int, int], plies: int):
    rows, columns, line = shape
    found = analyze(Position(Board([[0] * columns] * rows, line)))
    check(found)
    assert found.winner is Player.FIRST
    assert found.best.reason is Reason.LINE
    assert found.best.plies == plies


def test_larger_boards_are_read_from_any_position():
    random = Random(3)
    for board in some_boards(4, 4, 4, KINDS, seed=10):
        position = some_position(board, random)
        found = analyze(position)
        check(found)
        for each in found.moves:
            assert (each.margin or 0) <= (found.best.margin or 0) or Reason.LINE in (each.reason, found.best.reason)


def test_a_long_analysis_tells_how_far_it_is():
    (board,) = some_boards(4, 4, 4, 1, seed=11)
    told: list[Reading] = []
    analyze(Position(board), told.append)
    assert [each.moves for each in told] == sorted(each.moves for each in told)
    assert {each.of for each in told} == {16}
    assert told[0].moves == 0
    assert told[-1].moves == 15


def test_an_interrupted_analysis_says_what_is_certain():
    _, board = some_boards(5, 5, 5, 2, seed=12)

    def interrupt(reading: Reading) -> None:
        if reading.search.bounds.lower > -reading.search.bounds.line:
            raise KeyboardInterrupt

    with pytest.raises(SearchInterrupted) as stopped:
        analyze(Position(board), interrupt)
    assert stopped.value.bounds.lower > -stopped.value.bounds.line
    assert not stopped.value.bounds.exact


@pytest.mark.parametrize("reports", [1, 3, 10, 20, 30])
def test_what_is_certain_at_an_interrupt_is_so_of_the_position_also_while_its_moves_are_read(reports):
    board = Board.parse("3,1,-4,1/-9,2,6,5/3,5,8,-9/7,9,-3,2", 4)
    margin = analyze(Position(board)).best.margin
    told: list[Reading] = []

    def interrupt(reading: Reading) -> None:
        told.append(reading)
        if len(told) >= reports:
            raise KeyboardInterrupt

    with pytest.raises(SearchInterrupted) as stopped:
        analyze(Position(board), interrupt)
    assert margin is not None
    for bounds in (stopped.value.bounds, *(each.search.bounds for each in told)):
        assert bounds.lower <= margin <= bounds.upper


@pytest.mark.parametrize("reports", [3, 10, 20, 30])
def test_the_moves_read_before_an_interrupt_are_those_of_the_whole_analysis_and_a_best_one_is_the_first(reports):
    board = Board.parse("3,1,-4,1/-9,2,6,5/3,5,8,-9/7,9,-3,2", 4)
    whole = analyze(Position(board))
    told: list[Reading] = []

    def interrupt(reading: Reading) -> None:
        told.append(reading)
        if len(told) >= reports and reading.moves:
            raise KeyboardInterrupt

    with pytest.raises(advice.AnalysisInterrupted) as stopped:
        analyze(Position(board), interrupt)
    found = stopped.value.partial
    assert 1 <= len(found.moves) == told[-1].moves < 16
    assert set(found.moves) <= set(whole.moves)
    assert found.best == whole.best
    assert found.best in found.moves
    assert found.bounds.lower == found.bounds.upper == whole.best.margin


def test_an_interrupt_before_a_move_is_read_leaves_none():
    def interrupt(_reading: Reading) -> None:
        raise KeyboardInterrupt

    board = Board.parse("3,1,-4,1/-9,2,6,5/3,5,8,-9/7,9,-3,2", 4)
    for read in (analyze, advice.Adviser(board).best_move):
        with pytest.raises(advice.AnalysisInterrupted) as stopped:
            read(Position(board), interrupt)
        assert (stopped.value.partial.moves, stopped.value.partial.best) == ((), None)


def test_the_best_move_is_the_one_that_the_analysis_names_whatever_was_read_before():
    random = Random(6)
    for shape in ((3, 3, 3), (3, 4, 3), (2, 6, 4)):
        for board in islice(some_boards(*shape, KINDS, seed=11), 2):
            adviser = advice.Adviser(board)
            for position in (Position(board), some_position(board, random)):
                assert adviser.best_move(position) == analyze(position).best.move == adviser.analyze(position).best.move


def test_an_interrupted_search_for_the_soonest_line_says_that_there_is_one(monkeypatch: pytest.MonkeyPatch):
    def interrupt(*_asked: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(Forced, "wins_within", interrupt)
    with pytest.raises(SearchInterrupted) as stopped:
        analyze(Position(Board([[0] * 4] * 4, 3)))
    assert stopped.value.bounds.by_line
