from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from tests.tictactoe.search.agreement import KINDS, some_boards, some_position
from tests.tictactoe.test_advice import check

from yomikiri.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.tictactoe import advice
from yomikiri.tictactoe.advice import PartialAdvice, analyze
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Player, Position, Reason
from yomikiri.tictactoe.search import solver
from yomikiri.tictactoe.search.margins import Bounds, MarginSearch

SHAPES = [(3, 3, 3), (3, 3, 2), (2, 4, 3), (2, 4, 2), (1, 8, 3), (3, 2, 2), (1, 3, 1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_search_gives_the_same_advice_as_looking_at_every_position(shape: tuple[int, int, int]):
    random = Random(str(shape))
    for number, board in enumerate(some_boards(*shape, KINDS, seed=9)):
        position = some_position(board, random) if number % 2 else Position(board)
        plainly = advice._read_plainly(position)
        found = advice.Adviser(board)._read_by_search(position, UNLIMITED)
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
    told: list[Progress] = []
    analyze(Position(board), Budget(progress=told.append))
    assert [each.done for each in told] == sorted(each.done for each in told)
    assert {each.of for each in told} == {16}
    assert told[0].done == 0
    assert told[-1].done == 15


def stopped_after(position: Position, enough: Callable[[list[Progress]], bool]) -> tuple[PartialAdvice, list[Progress]]:
    """What is known of a position when enough was told of it, and what was told; every few states somebody looks."""
    told: list[Progress] = []
    with pytest.raises(Stopped) as stopped:
        analyze(position, Budget(cancelled=lambda: enough(told), progress=told.append))
    return stopped.value.best, told


@pytest.fixture
def watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "PLAIN", solver.PLAIN._replace(slice=32))
    monkeypatch.setattr(solver, "_machine", None)
    monkeypatch.setattr(solver, "machine_if_compiled", lambda _layout: None)


BOARD = Board.parse("3,1,-4,1/-9,2,6,5/3,5,8,-9/7,9,-3,2", 4)


@pytest.mark.usefixtures("watchful")
@pytest.mark.parametrize("reports", [1, 3, 10, 20, 30])
def test_what_is_certain_when_stopped_is_so_of_the_position_also_while_its_moves_are_read(reports):
    margin = analyze(Position(BOARD)).best.margin
    found, told = stopped_after(Position(BOARD), lambda told: len(told) >= reports)
    assert margin is not None
    for bounds in (found.bounds, *map(Bounds.told, told)):
        assert bounds.lower <= margin <= bounds.upper


@pytest.mark.usefixtures("watchful")
@pytest.mark.parametrize("reports", [3, 10, 20, 30])
def test_the_moves_read_before_a_stop_are_those_of_the_whole_analysis_and_a_best_one_is_the_first(reports):
    whole = analyze(Position(BOARD))
    found, told = stopped_after(Position(BOARD), lambda told: len(told) >= reports and told[-1].done > 0)
    assert 1 <= told[-1].done <= len(found.moves) < 16
    assert set(found.moves) <= set(whole.moves)
    assert found.best == whole.best
    assert found.best in found.moves
    assert found.bounds.lower == found.bounds.upper == whole.best.margin


@pytest.mark.usefixtures("watchful")
def test_a_stop_before_a_move_is_read_leaves_none():
    spent = Budget(states=0)
    for read in (analyze, advice.Adviser(BOARD).best_move):
        with pytest.raises(Stopped) as stopped:
            read(Position(BOARD), spent)
        assert (stopped.value.best.moves, stopped.value.best.best) == ((), None)


def test_the_best_move_is_the_one_that_the_analysis_names_whatever_was_read_before():
    random = Random(6)
    for shape in ((3, 3, 3), (3, 4, 3), (2, 6, 4)):
        for board in islice(some_boards(*shape, KINDS, seed=11), 2):
            adviser = advice.Adviser(board)
            for position in (Position(board), some_position(board, random)):
                assert adviser.best_move(position) == analyze(position).best.move == adviser.analyze(position).best.move


def test_a_stop_while_the_soonest_line_is_looked_for_says_that_there_is_one(monkeypatch: pytest.MonkeyPatch):
    def stop(_search: MarginSearch, _position: Position, bounds: Bounds, _budget: Budget) -> int:
        raise Stopped(bounds)

    monkeypatch.setattr(MarginSearch, "plies_to_line", stop)
    with pytest.raises(Stopped) as stopped:
        analyze(Position(Board([[0] * 4] * 4, 3)))
    assert stopped.value.best.bounds.by_line
