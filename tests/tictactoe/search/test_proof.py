"""The machine code against the search without rules, and against the same code uncompiled."""

import os
import subprocess
import sys
from collections import Counter
from functools import cache
from random import Random

import pytest
from tests.tictactoe.search.agreement import KINDS, NO_RULE, margin, shapes, some_boards, some_position

from yomikiri.numba_support.kernel_cache import Part
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.search import solver
from yomikiri.tictactoe.search.layout import Layout, State, score
from yomikiri.tictactoe.search.proof.kernels_ahead import fits
from yomikiri.tictactoe.search.proof.prover import Prover, compile_kernels
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule
from yomikiri.tictactoe.search.solver import Solver

RULES = [EVERY_RULE, NO_RULE, *Rule, *(EVERY_RULE & ~rule for rule in Rule)]
SOME = [*shapes(6), (2, 4, 3), (1, 8, 4), (3, 3, 3)]


Question = tuple[State, int, bool, bool]


@cache
def questions() -> list[tuple[Layout, list[Question]]]:
    """Questions near the values of positions and about lines: the state, what is asked, who is ahead, the answer."""
    random = Random(13)
    found = []
    for shape in SOME:
        for board in some_boards(*shape, KINDS, seed=13):
            layout = Layout(board)
            if not fits(layout):
                continue
            position = some_position(board, random) if random.random() < 0.5 else Position(board)
            value, line = margin(position, NO_RULE)
            asked = [value, value + 1] if abs(value) < line else []
            state, so_far = layout.state(position), score(position)
            greedy = Solver(board).greedy(state) + so_far
            found.append((layout, [
                (state, need - so_far, greedy >= need, value >= need)
                for need in (*asked, layout.most + 1, -layout.most)
            ]))  # fmt: skip
    return found


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"rules {rules.value}")
def test_the_machine_code_changes_no_answer_under_any_rules(rules: Rule):
    answers: Counter[bool] = Counter()
    for layout, asked in questions():
        prover = Prover(layout, rules, lambda _states: None)
        for state, need, ahead, answer in asked:
            assert prover.reaches(state, need, ahead) is answer, (layout.board, state, need)
            answers[answer] += 1
    assert min(answers[True], answers[False]) > 200


def test_a_memo_that_forgets_nearly_everything_changes_no_answer():
    for layout, asked in questions():
        prover = Prover(layout, EVERY_RULE, lambda _states: None, most_slots=16)
        for state, need, ahead, answer in asked:
            assert prover.reaches(state, need, ahead) is answer, (layout.board, state, need)


UNCOMPILED = """
import warnings
from random import Random
from tests.tictactoe.search.agreement import KINDS, some_boards
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.search.proof.prover import Prover
from yomikiri.tictactoe.search.proof.kernels_ahead import fits
from yomikiri.tictactoe.search.rules import EVERY_RULE
from yomikiri.tictactoe.search.solver import Solver
warnings.filterwarnings("ignore", "overflow encountered")  # words of 64 bits wrap around, as they should
for board in some_boards(3, 4, 3, KINDS, seed=14):
    solver = Solver(board)
    if fits(solver.layout):
        state = solver.layout.state(Position(board))
        looked = []
        prover = Prover(solver.layout, EVERY_RULE, looked.append)
        greedy = solver.greedy(state)
        print([prover.reaches(state, greedy + more, more <= 0) for more in (-1, 0, 1)], len(looked))
"""


def answers(**environment: str) -> str:
    """What another process finds, with the kernels that this one compiled."""
    return subprocess.run(
        [sys.executable, "-c", UNCOMPILED], capture_output=True, text=True, check=True, env=os.environ | environment
    ).stdout


def test_uncompiled_kernels_find_what_compiled_ones_find():
    compile_kernels()
    assert answers(NUMBA_DISABLE_JIT="1") == answers() != ""


@pytest.fixture
def handed_over(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the machine code was asked for, and what it was told."""
    found: list[bool] = []
    reaches = Prover.reaches

    def noted(self: Prover, *asked: object) -> bool:
        found.append(reaches(self, *asked))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(Prover, "reaches", noted)
    monkeypatch.setattr(solver, "_NODES_BETWEEN_PAUSES", 1)
    return found


def test_a_long_question_goes_to_the_machine_code(handed_over: list[bool]):
    compile_kernels()
    for board in some_boards(4, 4, 4, KINDS, seed=15):
        position = Position(board)
        plain, handing = Solver(board, plain_nodes=10**9), Solver(board, plain_nodes=20)
        state = plain.layout.state(position)
        for more in (0, 1):
            need = plain.greedy(state) + more
            assert (handing.reach(state, need) >= need) is (plain.reach(state, need) >= need)
    assert len(handed_over) > KINDS


def test_until_it_is_compiled_nobody_waits_for_it(handed_over: list[bool], monkeypatch: pytest.MonkeyPatch):
    started: list[bool] = []
    monkeypatch.setattr(Part, "compiled", lambda _part: False)
    monkeypatch.setattr(Part, "compile_behind", lambda _part: started.append(True))
    board = next(some_boards(4, 4, 4, 1, seed=15))
    handing = Solver(board, plain_nodes=20)
    handing.reach(handing.layout.state(Position(board)), 1)
    assert started
    assert not handed_over


@pytest.mark.parametrize(("board", "fit"), [
    (Board([[2**50 + 1] * 8] * 8, 8), False),
    (Board([[2**50] * 8] * 8, 8), True),
    (Board([[0] * 8] * 8, 6), False),
    (Board([[0] * 7] * 7, 5), True),
])  # fmt: skip
def test_boards_that_do_not_fit_into_words_are_read_without_it(board: Board, fit: bool):
    assert fits(Layout(board)) is fit
