from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest
from tests.tictactoe.boards import balanced_boards

from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.common.errors import BoardError, InputError
from yomikiri.tictactoe import batch
from yomikiri.tictactoe.batch import BOUND, searched, winners
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Position, Tie
from yomikiri.tictactoe.search.margins import winner

SAMPLE = balanced_boards(1000)
BOARDS = np.array([weights for weights, _winner in SAMPLE], dtype=np.int64)
EXPECTED = np.array([winner for _weights, winner in SAMPLE], dtype=np.int8)


@pytest.fixture(autouse=True, params=["numpy", "machine code"])
def implementation(request, monkeypatch):
    """Run every test with numpy and with machine code."""
    monkeypatch.setattr(batch, "available", lambda: request.param == "machine code")


def test_winners_agree_with_brute_force_on_balanced_boards():
    found = winners(BOARDS)
    assert found.dtype == np.int8
    assert (found == EXPECTED).all()
    assert (found == 0).sum() > 300


def test_each_tie_rule_changes_draws_only():
    assert (winners(BOARDS, "first") == np.where(EXPECTED == 0, 1, EXPECTED)).all()
    assert (winners(BOARDS, "second") == np.where(EXPECTED == 0, -1, EXPECTED)).all()


def test_shapes_and_integer_types_give_the_same_winners():
    for boards in (
        BOARDS.reshape(-1, 3, 3),
        BOARDS.astype(np.int32),
        BOARDS[:, ::-1][:, ::-1],
        np.asfortranarray(BOARDS),
    ):
        assert (winners(boards) == EXPECTED).all()
    assert (winners(BOARDS[::2]) == EXPECTED[::2]).all()
    assert winners(np.empty((0, 3, 3), dtype=np.int64)).shape == (0,)


def test_boards_are_not_modified():
    before = BOARDS.copy()
    winners(BOARDS)
    assert np.array_equal(BOARDS, before)


def test_weights_at_the_bound_are_exact():
    scale = BOUND // 9
    small = BOARDS[np.abs(BOARDS).max(axis=1) <= 9]
    assert (winners(small * scale) == winners(small)).all()
    extreme = np.array([[BOUND] * 9, [-BOUND] * 9, [BOUND, -BOUND] * 4 + [BOUND]], dtype=np.int64)
    assert winners(extreme).tolist() == winners(np.sign(extreme)).tolist()


@pytest.mark.parametrize("weight", [BOUND + 1, -BOUND - 1, 2**63 - 1, -(2**63)])
def test_weight_beyond_the_bound_is_refused_not_wrapped(weight):
    boards = np.zeros((10_000, 9), dtype=np.int64)
    boards[7_777, 4] = weight
    with pytest.raises(BoardError, match=f"board 7777: the weight {weight}"):
        winners(boards)


@pytest.mark.parametrize(
    "boards",
    [
        np.zeros((3, 9)),
        np.zeros((3, 9), dtype=np.uint64),
        np.zeros((3, 9), dtype=bool),
        np.zeros((3, 3), dtype=np.int64),
        np.zeros(9, dtype=np.int64),
        np.int64(3),
        [[0] * 10],
        ["1 2 3", "1 2"],
        [[[0] * 3] * 3, [[0] * 4] * 3],
        [[[1 << 64] * 3] * 3],
        "1 2 3/4 5 6/7 8 9",
        None,
    ],
)
def test_other_arrays_are_refused(boards):
    with pytest.raises(InputError, match=r"expected|needs"):
        winners(boards)


@pytest.mark.parametrize(("rows", "columns"), [(9, 1), (3, 0)])
def test_arrays_of_an_invalid_size_are_refused(rows, columns):
    with pytest.raises(BoardError, match=f"a board of {rows}x{columns} cells: expected 1 to 8 rows"):
        winners(np.zeros((2, rows, columns), dtype=np.int64))


def test_unknown_tie_rule_is_refused():
    with pytest.raises(InputError, match="draw, first, second"):
        winners(BOARDS, "both")


# --- other shapes -----------------------------------------------------------------------------------------------------

SHAPES = [(2, 4, 3), (3, 4, 4), (1, 5, 2), (3, 3, 2)]


def some(rows: int, columns: int, count: int) -> np.ndarray:
    return np.random.default_rng(rows * columns).integers(-5, 3, (count, rows, columns), endpoint=True)


def one_by_one(boards: np.ndarray, line: int, tie: str = "draw") -> list[int]:
    return [int(winner(Position(Board(rows, line)), Tie(tie)) or 0) for rows in boards.tolist()]


@pytest.mark.parametrize("shape", SHAPES)
def test_batch_of_any_shape_agrees_with_single_boards(shape):
    rows, columns, line = shape
    boards = some(rows, columns, 20)
    for tie in ("draw", "first", "second"):
        assert winners(boards, tie, line=line).tolist() == one_by_one(boards, line, tie)


def test_executor_gives_the_same_winners_in_order():
    boards = some(3, 4, 50)
    expected = one_by_one(boards, 3)
    reports: list[Progress] = []
    with ThreadPoolExecutor(3) as executor:
        found = winners(boards, executor=executor, budget=Budget(progress=reports.append))
    assert found.tolist() == expected
    assert reports[-1].done == reports[-1].of == 50
    assert [each.done for each in reports] == sorted(each.done for each in reports)


@pytest.mark.parametrize("workers", [1, 2])
def test_spent_budget_returns_the_winners_so_far(workers: int):
    boards = some(3, 4, 50)
    reports: list[Progress] = []
    budget = Budget(cancelled=lambda: bool(reports) and reports[-1].done >= 10, progress=reports.append)
    with pytest.raises(Stopped) as stopped:
        winners(boards, workers=workers, budget=budget)
    found = stopped.value.best
    assert 10 <= len(found) < 50
    assert found.tolist() == one_by_one(boards[: len(found)], 3)


def test_workers_have_ended_when_a_spent_budget_is_reported(monkeypatch: pytest.MonkeyPatch):
    """The traceback of the error keeps the generators alive, so they must be closed before it is raised."""
    ended: list[bool] = []

    @contextmanager
    def pool(*_given: object) -> Iterator[Executor]:
        try:
            with ThreadPoolExecutor(2) as threads:
                yield threads
        finally:
            ended.append(True)

    monkeypatch.setattr(batch, "_pool", pool)
    reports: list[Progress] = []
    budget = Budget(cancelled=lambda: bool(reports), progress=reports.append)
    with pytest.raises(Stopped) as stopped:
        winners(some(3, 4, 50), workers=2, budget=budget)
    assert ended == [True]
    assert len(stopped.value.best) < 50


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(2)])
def test_error_is_raised_after_the_winners_of_earlier_boards(executor: ThreadPoolExecutor | None):
    def boards() -> Iterator[Board]:
        yield from (Board(rows, 3) for rows in some(3, 4, 20).tolist())
        raise BoardError("not a board")

    answers = searched(boards(), executor=executor)
    assert [next(answers) for _ in range(20)] == one_by_one(some(3, 4, 20), 3)
    with pytest.raises(BoardError, match="not a board"):
        next(answers)


@pytest.mark.slow
def test_workers_stop_long_searches_in_time():
    boards = np.random.default_rng(1).integers(-9, 9, (3, 8, 8))
    budget = Budget.within(1.5)
    with pytest.raises(Stopped) as stopped:
        winners(boards, line=5, workers=2, budget=budget)
    assert stopped.value.best.shape == (0,)


def test_partial_blocks_are_solved_to_the_end():
    for count in (1, 95, 96, 97, 500):
        assert (winners(BOARDS[-count:]) == EXPECTED[-count:]).all()
