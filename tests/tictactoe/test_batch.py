import numpy as np
import pytest
from tests.tictactoe.boards import balanced_boards

from yomikiri.errors import BoardError
from yomikiri.tictactoe import batch
from yomikiri.tictactoe.batch import BOUND, compile_winners, winners

SAMPLE = balanced_boards(1000)
BOARDS = np.array([weights for weights, _winner in SAMPLE], dtype=np.int64)
EXPECTED = np.array([winner for _weights, winner in SAMPLE], dtype=np.int8)


@pytest.fixture(autouse=True, params=["numpy", "machine code"])
def road(request, monkeypatch):
    """Every test goes both roads."""
    monkeypatch.setattr(batch, "_answered", 0 if request.param == "numpy" else batch._PATIENCE)


def test_winners_agree_with_brute_force_on_balanced_boards():
    found = winners(BOARDS)
    assert found.dtype == np.int8
    assert (found == EXPECTED).all()
    assert (found == 0).sum() > 300


def test_each_tie_rule_changes_draws_only():
    assert (winners(BOARDS, "first") == np.where(EXPECTED == 0, 1, EXPECTED)).all()
    assert (winners(BOARDS, "second") == np.where(EXPECTED == 0, -1, EXPECTED)).all()


def test_shapes_and_integer_types_are_read_alike():
    for boards in (
        BOARDS.reshape(-1, 3, 3),
        BOARDS.astype(np.int32),
        BOARDS[:, ::-1][:, ::-1],
        np.asfortranarray(BOARDS),
    ):
        assert (winners(boards) == EXPECTED).all()
    assert (winners(BOARDS[::2]) == EXPECTED[::2]).all()
    assert winners(np.empty((0, 3, 3), dtype=np.int64)).shape == (0,)


def test_boards_are_left_as_they_are():
    before = BOARDS.copy()
    winners(BOARDS)
    assert np.array_equal(BOARDS, before)


def test_the_bound_itself_is_exact():
    scale = BOUND // 9
    small = BOARDS[np.abs(BOARDS).max(axis=1) <= 9]
    assert (winners(small * scale) == winners(small)).all()
    extreme = np.array([[BOUND] * 9, [-BOUND] * 9, [BOUND, -BOUND] * 4 + [BOUND]], dtype=np.int64)
    assert winners(extreme).tolist() == winners(np.sign(extreme)).tolist()


@pytest.mark.parametrize("weight", [BOUND + 1, -BOUND - 1, 2**63 - 1, -(2**63)])
def test_a_weight_beyond_the_bound_is_refused_never_wrapped(weight):
    boards = np.zeros((10_000, 9), dtype=np.int64)
    boards[7_777, 4] = weight
    with pytest.raises(BoardError, match=str(weight)):
        winners(boards)


@pytest.mark.parametrize(
    "boards",
    [
        np.zeros((3, 9)),
        np.zeros((3, 9), dtype=np.int16),
        np.zeros((3, 9), dtype=np.uint64),
        np.zeros((3, 9), dtype=bool),
        np.zeros((3, 3), dtype=np.int64),
        np.zeros(9, dtype=np.int64),
        np.zeros((2, 9, 1), dtype=np.int64),
        np.int64(3),
        [[0] * 9],
    ],
)
def test_other_arrays_are_refused(boards):
    with pytest.raises(BoardError, match="int64 or int32"):
        winners(boards)


def test_an_unknown_tie_rule_is_refused():
    with pytest.raises(BoardError, match="tie"):
        winners(BOARDS, "both")


def test_machine_code_takes_over_when_it_pays_or_is_asked_for(monkeypatch):
    roads = []
    for name in ("_by_numpy", "_by_kernel"):
        monkeypatch.setattr(batch, name, lambda rows, *_, name=name: roads.append((name, len(rows))))
    monkeypatch.setattr(batch, "_answered", 0)
    monkeypatch.setattr(batch, "_PART", 100)
    monkeypatch.setattr(batch, "_PATIENCE", 150)
    winners(BOARDS[:250])
    winners(BOARDS[:10])
    assert roads == [("_by_numpy", 100), ("_by_numpy", 100), ("_by_kernel", 50), ("_by_kernel", 10)]
    monkeypatch.setattr(batch, "_answered", 0)
    compile_winners()
    winners(BOARDS[:10])
    assert roads[-1] == ("_by_kernel", 10)


def test_a_part_that_is_no_whole_block_is_answered_to_its_end():
    for count in (1, 95, 96, 97, 500):
        assert (winners(BOARDS[-count:]) == EXPECTED[-count:]).all()
