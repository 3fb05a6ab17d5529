"""The table of mistakes, and the boards on which programs with these mistakes (models) give wrong answers.

Also tests `tictactoe/flawed.py`: the solvers of the models.
"""

from itertools import combinations

import numpy as np
import pytest

from yomikiri.tictactoe.batch import winners
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.flawed import GameTreeSolver
from yomikiri.tictactoe.generator import realisable_vectors, sign_vectors, winning_openings
from yomikiri.tictactoe.mistakes import BOARDS, MISTAKES, Mistake, ModelAnswers
from yomikiri.tictactoe.position import Tie

FLAT = np.array([Board.parse(text).flat for text in BOARDS])
TRUTH = winners(FLAT)
# Groups of models with the same answer for every board.
INSEPARABLE = (
    {
        "answer Takahashi for every board",
        "leave the owner of a cell out of the memoization key",
        "see only Takahashi's lines",
    },
    {"answer Aoki for every board", "start the maximum and the minimum at zero"},
)
WITHOUT_TIES = [mistake for mistake in MISTAKES if mistake.text != "give ties to the wrong player"]


def answers(mistake: Mistake) -> np.ndarray:
    return mistake.model(FLAT.T, None)


def test_solver_without_mistake_is_right():
    assert (GameTreeSolver()(FLAT.T, None) == TRUTH).all()
    small = np.random.default_rng(1).integers(-2, 2, (500, 9))
    for tie in Tie:
        assert (GameTreeSolver()(small.T, tie) == winners(small, tie)).all()


@pytest.mark.parametrize("mistake", WITHOUT_TIES, ids=lambda mistake: f"{mistake.text} {mistake.line}")
def test_every_mistake_fails_on_four_boards(mistake: Mistake):
    assert (answers(mistake) != TRUTH).sum() >= 4


def test_wrong_tie_rule_fails_on_ties_only():
    mistake = MISTAKES[-1]
    assert (answers(mistake) == TRUTH).all()
    tied = np.zeros((1, 9), dtype=np.int64)
    for tie in (Tie.FIRST, Tie.SECOND):
        assert mistake.model(tied.T, tie) == -winners(tied, tie)


@pytest.mark.parametrize("tie", [None, Tie.DRAW, Tie.FIRST])
def test_kept_answers_are_those_of_the_models(tie: Tie | None):
    models, boards = ModelAnswers(tie), [*map(Board.parse, BOARDS[3:8]), Board.parse("0,0,0/0,1,0/0,0,0")]
    for mistake in MISTAKES[::9]:
        for some in (boards[:2], boards, boards[::-1]):
            weights = np.array([board.flat for board in some]).T
            assert (models.of(mistake, some) == mistake.model(weights, tie)).all()


def test_model_computes_a_board_once():
    calls = list[int]()

    def model(weights: np.ndarray, _tie: Tie | None) -> np.ndarray:
        calls.append(weights.shape[1])
        return np.ones(weights.shape[1], dtype=np.int8)

    models, mistake, other = ModelAnswers(None), Mistake("err", model), Board.parse("0,0,0/0,2,0/0,0,0")
    for boards in ([Board.parse(BOARDS[0])], [Board.parse(text) for text in BOARDS], [other], [other]):
        assert models.of(mistake, boards).tolist() == [1] * len(boards)
    assert calls == [len(BOARDS), 1]


def test_boards_separate_the_mistakes():
    found = {mistake: answers(mistake) for mistake in WITHOUT_TIES}
    same = [{one.text, other.text} for one, other in combinations(found, 2) if (found[one] == found[other]).all()]
    assert all(any(pair <= group for group in INSEPARABLE) for pair in same)


def test_every_minimal_set_of_winning_openings_has_a_board():
    possible = {int(openings) for openings in winning_openings()[realisable_vectors()] if openings}
    minimal = {cells for cells in possible if not any(other & cells == other != cells for other in possible)}
    assert len(minimal) == 9, "four corners, four pairs of edges, and the centre"
    assert minimal <= {int(openings) for openings in winning_openings()[sign_vectors(FLAT)]}


def test_boards_obey_the_contest_limits():
    assert (np.abs(FLAT) <= 10**9).all()
    assert (FLAT.sum(axis=1) % 2 == 1).all()
