import itertools
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from math import inf
from random import Random

import pytest
from tests.reference.four_questions import winner
from tests.tictactoe.boards import balanced_boards, rows
from tests.tictactoe.search.agreement import KINDS, some_boards, some_position, some_weights
from tests.tictactoe.test_advice import check

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.tictactoe import advice
from yomikiri.tictactoe.advice import PartialAdvice, analyze
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Bounds, Player, Position, Reason, Tie
from yomikiri.tictactoe.search import margins, solver
from yomikiri.tictactoe.search.margins import MarginSearch
from yomikiri.tictactoe.search.solver import PLAIN, machine


def large_board(seed: int, side: int = 6, line: int = 5) -> Board:
    weights = some_weights(Random(seed), side * side, 1)
    return Board([weights[row * side : (row + 1) * side] for row in range(side)], line)


@pytest.mark.parametrize("tie", Tie)
def test_margin_search_winner_agrees_with_the_winner_function(tie: Tie):
    random = Random(tie.value)
    for shape in ((3, 3, 3), (1, 7, 3), (2, 4, 3), (1, 6, 2)):
        for board in some_boards(*shape, 2 * KINDS, seed=7):
            position = some_position(board, random)
            bounds = MarginSearch(board).winner(position, tie)
            assert bounds.decided(position.to_move, tie)
            assert bounds.winner(position.to_move, tie) is winner(position, tie)


def test_weights_of_4000_digits_are_solved_exactly():
    huge = 10**3999
    board = Board([[huge, -huge, 3], [1 - huge, 2, huge], [-1, 0, -huge]])
    small = Board([[10**6, -(10**6), 3], [1 - 10**6, 2, 10**6], [-1, 0, -(10**6)]])
    assert MarginSearch(board).winner(Position(board)).winner(Position(board).to_move) is winner(Position(small))


def test_bounds_decide_a_winner_only_if_it_is_certain():
    open_bounds = Bounds(0, 5)
    first = Position(Board([[0]])).to_move
    assert not open_bounds.decided(first)
    assert open_bounds.decided(first, Tie.FIRST)
    assert open_bounds.winner(first, Tie.FIRST) is first
    assert not open_bounds.decided(first, Tie.SECOND)
    assert Bounds(-5, 0).winner(first, Tie.SECOND) is first.other
    assert Bounds(0, 0).winner(first) is None
    assert Bounds(inf, inf).by_line


@pytest.mark.parametrize("budget", ["seconds", "states"])
def test_spent_budget_raises_stopped_with_bounds(budget: str):
    board = large_board(1, side=8, line=6)
    with pytest.raises(Stopped) as stopped:
        MarginSearch(board).margin(Position(board), Budget.within(0.3) if budget == "seconds" else Budget(states=1_000))
    bounds = stopped.value.best
    assert not bounds.exact
    assert bounds.lower < bounds.upper


def test_stopped_search_can_be_resumed():
    board = large_board(2, side=4, line=4)
    reports: list[Progress] = []
    search = MarginSearch(board, code=PLAIN)
    with pytest.raises(Stopped) as stopped:
        search.margin(Position(board), Budget(cancelled=lambda: len(reports) == 3, progress=reports.append))
    cut_short = stopped.value.best
    whole = search.margin(Position(board))
    assert cut_short == Bounds.from_progress(reports[2])
    assert not cut_short.exact
    assert whole == MarginSearch(board).margin(Position(board))
    assert cut_short.lower <= whole.lower == whole.upper <= cut_short.upper


def test_progress_narrows_the_bounds():
    board = large_board(3, side=4, line=4)
    reports: list[Progress] = []
    final = MarginSearch(board).margin(Position(board), Budget(progress=reports.append))
    assert Bounds.from_progress(reports[-1]) == final
    for earlier, later in itertools.pairwise(reports):
        wide, narrow = Bounds.from_progress(earlier), Bounds.from_progress(later)
        assert wide.lower <= narrow.lower <= narrow.upper <= wide.upper
        assert earlier.states <= later.states


def plies_by_playing_out(position: Position) -> int | None:
    """Return the number of plies until a line if one side can force it and the other delays it, otherwise None.

    The function plays out all games.
    """

    def worth(position: Position) -> tuple[int, int]:
        if outcome := position.outcome:
            return (-1, 0) if outcome.reason is Reason.LINE else (0, 0)
        lines = [worth(position.play(move)) for move in position.moves]
        # For the side to move: an early win, then no line, then a late loss.
        sign, plies = max(((-each, -each * (-after - 1)) for each, after in lines), default=(0, 0))
        return sign, abs(plies)

    sign, plies = worth(position)
    return plies if sign else None


@pytest.mark.parametrize(
    "shape",
    [
        (3, 3, 3),
        (2, 4, 2),
        *(pytest.param(shape, marks=pytest.mark.exhaustive) for shape in ((2, 4, 3), (1, 7, 3), (3, 3, 2))),
    ],
)
@pytest.mark.parametrize("code", ["plain", "machine"])
def test_plies_to_line_agrees_with_full_enumeration(shape: tuple[int, int, int], code: str):
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


def test_tiny_table_does_not_change_results():
    for board in some_boards(3, 4, 4, KINDS, seed=8):
        position = Position(board)
        assert MarginSearch(board, most_entries=16).margin(position) == MarginSearch(board).margin(position)


SHAPES = [(3, 3, 3), (3, 3, 2), (2, 4, 3), (2, 4, 2), (1, 8, 3), (3, 2, 2), (1, 3, 1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_advice_by_search_equals_advice_by_full_enumeration(shape: tuple[int, int, int]):
    random = Random(str(shape))
    for number, board in enumerate(some_boards(*shape, KINDS, seed=9)):
        position = some_position(board, random) if number % 2 else Position(board)
        plainly = advice._analyze_plainly(position)
        found = advice.Analyzer(board)._analyze_by_search(position, UNLIMITED)
        assert replace(found, positions=plainly.positions) == plainly


@pytest.mark.parametrize(("shape", "plies"), [((3, 4, 3), 7), ((4, 4, 3), 5), ((4, 5, 3), 5)])
def test_unweighted_games_have_the_known_shortest_forced_line(shape: tuple[int, int, int], plies: int):
    rows, columns, line = shape
    found = analyze(Position(Board([[0] * columns] * rows, line)))
    check(found)
    assert found.winner is Player.FIRST
    assert found.best.reason is Reason.LINE
    assert found.best.plies == plies


def test_advice_is_consistent_from_any_position_of_a_4x4_board():
    random = Random(3)
    for board in some_boards(4, 4, 4, KINDS, seed=10):
        position = some_position(board, random)
        found = analyze(position)
        check(found)
        for each in found.moves:
            assert (each.margin or 0) <= (found.best.margin or 0) or Reason.LINE in (each.reason, found.best.reason)


def test_analysis_reports_progress_by_move():
    (board,) = some_boards(4, 4, 4, 1, seed=11)
    reports: list[Progress] = []
    analyze(Position(board), Budget(progress=reports.append))
    assert [each.done for each in reports] == sorted(each.done for each in reports)
    assert {each.of for each in reports} == {16}
    assert reports[0].done == 0
    assert reports[-1].done == 15


def stopped_after(position: Position, enough: Callable[[list[Progress]], bool]) -> tuple[PartialAdvice, list[Progress]]:
    """Stop an analysis when `enough` accepts its reports; return the partial advice and the reports."""
    reports: list[Progress] = []
    with pytest.raises(Stopped) as stopped:
        analyze(position, Budget(cancelled=lambda: enough(reports), progress=reports.append))
    return stopped.value.best, reports


@pytest.fixture
def watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "_STATES_BETWEEN_POLLS", 32)
    monkeypatch.setattr(solver, "_SECONDS_BETWEEN_REPORTS", 0.0)
    monkeypatch.setattr(solver, "_machines", {})
    monkeypatch.setattr(solver, "machine_for", lambda _layout: None)


BOARD = Board.parse("3,1,-4,1/-9,2,6,5/3,5,8,-9/7,9,-3,2", 4)


@pytest.mark.slow
@pytest.mark.usefixtures("watchful")
@pytest.mark.parametrize(
    "reports", [3, *(pytest.param(reports, marks=pytest.mark.exhaustive) for reports in (1, 10, 20, 30))]
)
def test_bounds_of_a_stopped_analysis_contain_the_margin(reports):
    margin = analyze(Position(BOARD)).best.margin
    found, seen = stopped_after(Position(BOARD), lambda seen: len(seen) >= reports)
    assert margin is not None
    for bounds in (found.bounds, *map(Bounds.from_progress, seen)):
        assert bounds.lower <= margin <= bounds.upper


@pytest.mark.slow
@pytest.mark.usefixtures("watchful")
@pytest.mark.parametrize(
    "reports", [10, *(pytest.param(reports, marks=pytest.mark.exhaustive) for reports in (3, 20, 30))]
)
def test_stopped_analysis_contains_the_best_move_and_only_solved_moves(reports):
    whole = analyze(Position(BOARD))
    found, seen = stopped_after(Position(BOARD), lambda seen: len(seen) >= reports and seen[-1].done > 0)
    assert 1 <= seen[-1].done <= len(found.moves) < 16
    assert set(found.moves) <= set(whole.moves)
    assert found.best == whole.best
    assert found.best in found.moves
    assert found.bounds.lower == found.bounds.upper == whole.best.margin


@pytest.mark.usefixtures("watchful")
def test_stop_before_the_first_solved_move_returns_none():
    spent = Budget(states=0)
    for read in (analyze, advice.Analyzer(BOARD).best_move):
        with pytest.raises(Stopped) as stopped:
            read(Position(BOARD), spent)
        assert (stopped.value.best.moves, stopped.value.best.best) == ((), None)


def test_best_move_does_not_depend_on_earlier_searches():
    random = Random(6)
    for shape in ((3, 3, 3), (3, 4, 3), (2, 6, 4)):
        for board in islice(some_boards(*shape, KINDS, seed=11), 2):
            analyzer = advice.Analyzer(board)
            for position in (Position(board), some_position(board, random)):
                assert (
                    analyzer.best_move(position) == analyze(position).best.move == analyzer.analyze(position).best.move
                )


def test_stop_during_the_search_for_the_shortest_line_keeps_the_win(monkeypatch: pytest.MonkeyPatch):
    def stop(_search: MarginSearch, _position: Position, bounds: Bounds, _budget: Budget) -> int:
        raise Stopped(bounds)

    monkeypatch.setattr(MarginSearch, "plies_to_line", stop)
    with pytest.raises(Stopped) as stopped:
        analyze(Position(Board([[0] * 4] * 4, 3)))
    assert stopped.value.best.bounds.by_line


@pytest.mark.parametrize("tie", list(Tie))
def test_search_and_winner_function_agree_along_random_games(tie: Tie):
    random = Random(4)
    boards = [Board(rows(weights)) for weights, _winner in balanced_boards(40)[::12]]
    boards += [Board([[random.randint(-2, 1) for _ in range(4)] for _ in range(2)], line) for line in (2, 3, 4) * 4]
    for board in boards:
        position = Position(board)
        while True:
            assert margins.winner(position, tie) is winner(position, tie)
            if position.outcome:
                break
            position = position.play(random.choice(position.moves))


def test_unweighted_4x4_games_have_their_published_winner():
    assert margins.winner(Position(Board(((0,) * 4,) * 4, 4))) is None
    assert margins.winner(Position(Board(((0,) * 4,) * 4, 3))) is Player.FIRST
