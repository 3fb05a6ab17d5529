"""Searches in machine code and in plain Python, and the change from one to the other.

Also tests `tictactoe/search/kernels/alphabeta.py`: the search, through the solver.
Also tests `tictactoe/search/kernels/compiled.py`: the same search in machine code.
Also tests `tictactoe/search/kernels/machine_code.py`: calls of the machine code.
Also tests `tictactoe/search/layout.py`: the words of the search.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from math import isinf
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.tictactoe.search.agreement import KINDS, NO_RULE, margin, oracle, shapes, some_boards, some_position

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.errors import MachineCodeError
from yomikiri.machine import running
from yomikiri.machine.shared_words import STOP, STOP_REQUESTED
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Bounds, Position, margin_so_far
from yomikiri.tictactoe.search import solver
from yomikiri.tictactoe.search.kernels.arrays import FILLED
from yomikiri.tictactoe.search.kernels.sets import State
from yomikiri.tictactoe.search.kernels.transposition_table import ENTRY
from yomikiri.tictactoe.search.layout import Layout
from yomikiri.tictactoe.search.margins import MarginSearch
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule
from yomikiri.tictactoe.search.solver import PLAIN, Code, PlainStates, Solver, machine, word_count

RULES = [EVERY_RULE, NO_RULE, *Rule, *(EVERY_RULE & ~rule for rule in Rule)]
SOME = [*shapes(6), (2, 4, 3), (1, 8, 4), (3, 3, 3)]


@cache
def questions() -> list[tuple[Layout, list[tuple[State, int, bool]]]]:
    """Return (state, bound, True if the margin of the state reaches the bound), grouped by layout.

    The bounds are the margin, the margin plus 1, and two limits that only a line passes.
    """
    random = Random(13)
    found = []
    for shape in SOME:
        for board in some_boards(*shape, KINDS, seed=13):
            layout = Layout(board)
            if not word_count(layout):
                continue
            position = some_position(board, random) if random.random() < 0.5 else Position(board)
            value = margin(position, NO_RULE, plainly=True)
            needs = [layout.most + 1, -layout.most, *([int(value), int(value) + 1] if abs(value) < layout.won else [])]
            state, so_far = layout.state(position), margin_so_far(position, position.to_move)
            found.append((layout, [(state, need - so_far, value >= need) for need in needs]))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"rules {rules.value}")
def test_machine_code_does_not_change_results_under_any_rules(rules: Rule, size: int):
    answers: Counter[bool] = Counter()
    for layout, asked in questions():
        search = Solver(layout, rules, code=machine(size))
        for state, need, answer in asked:
            assert (search.reach(state, need) >= need) is answer, (layout.board, state, need)
            answers[answer] += 1
    assert min(answers[True], answers[False]) > 200


def test_boards_of_65_to_128_lines_are_solved_in_two_words():
    random = Random(5)
    decided: Counter[bool] = Counter()
    shapes = ((6, 6, 3), (7, 8, 4), (8, 8, 5), (8, 8, 6))
    for board in (board for shape in shapes for board in some_boards(*shape, 6, seed=5)):
        if not word_count(Layout(board)):
            continue
        assert word_count(Layout(board)) == 2
        position = nearly_full(board, random, 7 if board.line < 6 else 3)
        found = margin(position)
        assert found == oracle(position), position
        # Both searches visit the same states in the same order, so the higher word is used correctly.
        searches = [MarginSearch(board, code=code) for code in (PLAIN, machine(2))]
        assert len({search.margin(position) for search in searches}) == len({each.states for each in searches}) == 1
        decided[isinf(found)] += 1
    assert min(decided[True], decided[False]) > 2


def nearly_full(board: Board, random: Random, left: int) -> Position:
    """Return a position with `left` empty cells, avoiding moves that end the game if possible."""
    position = Position(board)
    while len(position.moves) > left:
        after = [position.play(move) for move in random.sample(position.moves, len(position.moves))]
        position = next((each for each in after if not each.outcome), None) or nearly_full(board, random, left)
    return position


@pytest.mark.parametrize("code", ["plain", "machine"])
def test_tiny_table_does_not_change_results(code: str):
    for layout, asked in questions():
        search = Solver(layout, most_entries=16, code=PLAIN if code == "plain" else machine())
        for state, need, answer in asked:
            assert (search.reach(state, need) >= need) is answer, (layout.board, state, need)


@pytest.mark.slow
@pytest.mark.parametrize("boards", [3, pytest.param(KINDS, marks=pytest.mark.exhaustive)])
def test_full_table_grows_after_enough_states_without_changing_results(boards: int, monkeypatch: pytest.MonkeyPatch):
    entries: list[tuple[int, int]] = []
    grown = 0
    grow = solver.Run._grow

    def noted(run: solver.Run, budget: Budget) -> None:
        entries.append((run._entries, run.states))
        grow(run, budget)

    monkeypatch.setattr(solver.Run, "_grow", noted)
    for board in some_boards(4, 4, 4, boards, seed=15):
        expected = MarginSearch(board, code=PLAIN).margin(Position(board))
        entries.clear()
        monkeypatch.setattr(solver, "_ENTRIES", 256)
        monkeypatch.setattr(solver, "_SMALL", 256)
        search = MarginSearch(board, code=PLAIN)
        assert search.margin(Position(board)) == expected
        assert all(looked_at >= 8 * full for full, looked_at in entries)
        assert bool(entries) is (search.states >= 8 * 256)
        grown += bool(entries)
        monkeypatch.undo()
        monkeypatch.setattr(solver.Run, "_grow", noted)
    assert grown


def test_search_stopped_at_any_state_resumes_with_the_same_result():
    """The search uses exactly its budget of states, and its table then contains valid bounds only."""
    for board in some_boards(4, 4, 4, KINDS, seed=15):
        layout = Layout(board)
        state = layout.state(Position(board))
        need = layout.greedy(state.empty) + 1
        for code in (PLAIN, machine()) if word_count(layout) else (PLAIN,):
            whole, stopped = Solver(layout, code=code), Solver(layout, code=code)
            for states in (int(1.4**step) for step in range(-1, 60)):
                before = stopped.states
                with suppress(Stopped):
                    answer = stopped.reach(state, need, Budget(states=before + states))
                    break
                assert stopped.states - before == states
            assert (answer >= need) is (whole.reach(state, need) >= need)
            assert states > 2


def stopped_at_once(kernel: Callable[[], object], words: NDArray[np.uint64], *_: object) -> tuple[object, bool]:
    """Replace `run`: request a stop before the kernel starts."""
    words[0, STOP] = STOP_REQUESTED
    return kernel(), True


def test_table_bounds_hold_after_a_stop_at_any_poll(monkeypatch: pytest.MonkeyPatch):
    """A search without rules checks each bound of the table. Bounds beyond all sums mean a line."""
    monkeypatch.setattr(running, "run", stopped_at_once)
    random, checked = Random(15), 0
    for board in some_boards(3, 4, 3, 4, seed=15):
        layout = Layout(board)
        state, most = layout.state(Position(board)), layout.most
        need = layout.greedy(state.empty) + 1
        for polls in (2, 5, 9, 20, 50, 120, 300):
            asked = Solver(layout, code=machine()._replace(polls=polls))
            with suppress(Stopped):
                asked.reach(state, need)
            table = np.array(asked._run._table).reshape(-1, ENTRY)
            entries = table[table[:, 0] > 0].tolist()
            for empty, mine, theirs, lower, upper, _ in random.sample(entries, min(5, len(entries))):
                plain, known = Solver(layout, NO_RULE, code=PLAIN), State(empty, mine, theirs)
                low, high = (bound - (1 << 64) if bound >> 63 else bound for bound in (lower, upper))
                if low > -(1 << 62):
                    assert plain.reach(known, min(low, most + 1)) >= min(low, most + 1)
                if high < 1 << 62:
                    assert plain.reach(known, max(high, -most - 1) + 1) <= max(high, -most - 1)
                checked += 1
    assert checked > 40


@pytest.mark.slow
def test_restart_with_the_other_move_order_does_not_change_results(monkeypatch: pytest.MonkeyPatch):
    again = 0
    for board in some_boards(4, 4, 4, KINDS, seed=15):
        layout = Layout(board)
        state = layout.state(Position(board))
        need = layout.greedy(state.empty) + 1
        single = Solver(layout, code=PLAIN)
        expected = single.reach(state, need) >= need
        monkeypatch.setattr(solver, "_TURN", 10)
        monkeypatch.setattr(solver, "_LONGER", 2)
        for code in (PLAIN, machine()) if word_count(layout) else (PLAIN,):
            short = Solver(layout, code=code)
            assert (short.reach(state, need) >= need) is expected
            again += short.states != single.states
        monkeypatch.undo()
    assert again > KINDS


def test_long_search_runs_in_a_thread_and_can_be_cancelled():
    random = Random(1)
    board = Board([[random.randint(-20, 20) for _ in range(8)] for _ in range(8)], 6)
    solver = Solver(Layout(board), code=machine(2)._replace(polls=10))
    need = solver.layout.greedy(solver.layout.state(Position(board)).empty) + 1
    with pytest.raises(Stopped):  # more states than the caller's thread may visit
        solver.reach(solver.layout.state(Position(board)), need, Budget(cancelled=lambda: solver.states > 10))
    for spent in (Budget.within(0.0), Budget(states=0), Budget(cancelled=lambda: True)):
        for each in (solver, Solver(solver.layout, code=PLAIN)):
            before = each.states
            with pytest.raises(Stopped):
                each.reach(solver.layout.state(Position(board)), need, spent)
            assert each.states == before


def test_interrupted_growth_keeps_the_old_table():
    board = next(iter(some_boards(4, 4, 4, 1, seed=15)))
    asked, state = Solver(Layout(board), code=PLAIN), Layout(board).state(Position(board))
    asked.reach(state, Layout(board).greedy(state.empty) + 1)
    run, polls = asked._run, iter(range(2))
    before = run._entries, run._totals[FILLED], run._table
    assert before[1] > 10
    with pytest.raises(Stopped):
        run._grow(Budget(cancelled=lambda: next(polls) == 0))
    assert (run._entries, run._totals[FILLED], run._table) == before
    run._grow(UNLIMITED)
    assert (run._entries, run._totals[FILLED]) == (4 * before[0], before[1])


def begin_with_plain_states(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Start without machine code, like a new process; it is loaded after `most` plain states."""
    monkeypatch.setattr(solver, "_machines", {})
    monkeypatch.setattr(solver, "_spent", PlainStates())
    monkeypatch.setattr(solver, "_PLAIN_STATES", most)


def test_many_small_boards_load_the_machine_code(monkeypatch: pytest.MonkeyPatch):
    boards = [board for board in some_boards(4, 4, 4, 40, seed=16) if word_count(Layout(board))]
    each = []
    for board in boards:
        begin_with_plain_states(monkeypatch, 2_000)
        search = MarginSearch(board)
        search.winner(Position(board))
        each.append(search.states)
    medium = [board for board, states in zip(boards, each, strict=True) if states < 300]
    begin_with_plain_states(monkeypatch, 300)
    MarginSearch(medium[0]).winner(Position(medium[0]))
    assert not solver._machines
    for board in medium[1:]:
        MarginSearch(board).winner(Position(board))
    assert solver._machines


def test_search_without_machine_code_gives_the_same_margins(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
):
    boards = list(some_boards(3, 4, 3, KINDS, seed=14))
    expected = [margin(Position(board)) for board in boards]
    request.getfixturevalue("no_machine_code")
    begin_with_plain_states(monkeypatch, 20)
    for board, value in zip(boards, expected, strict=True):
        assert MarginSearch(board).margin(Position(board)) == Bounds(value, value)
    assert not solver._machines


@pytest.mark.usefixtures("no_machine_code")
def test_long_search_without_machine_code_raises_machine_code_error(monkeypatch: pytest.MonkeyPatch):
    begin_with_plain_states(monkeypatch, 20)
    monkeypatch.setattr(solver, "_MOST_PLAIN", 200)
    [board] = some_boards(4, 4, 4, 1, seed=3)
    with pytest.raises(MachineCodeError):
        MarginSearch(board).margin(Position(board))
    # A board that does not fit machine code is searched to the end.
    heavy = Board([[weight << 60 for weight in board.flat[row : row + 4]] for row in range(0, 16, 4)], 4)
    assert word_count(Layout(heavy)) is None
    search = MarginSearch(heavy)
    assert search.margin(Position(heavy)).exact
    assert search.states > 200


@pytest.fixture
def machine_code_unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unload the machine code, and let a search load it again after 20 states."""
    begin_with_plain_states(monkeypatch, 20)


@pytest.mark.usefixtures("machine_code_unloaded")
def test_long_search_switches_to_the_machine_code(monkeypatch: pytest.MonkeyPatch):
    for board in some_boards(4, 4, 4, KINDS, seed=15):
        begin_with_plain_states(monkeypatch, 20)
        layout = Layout(board)
        plain, handing = Solver(layout, code=PLAIN), Solver(layout)
        state = layout.state(Position(board))
        for more in (0, 1):
            need = layout.greedy(state.empty) + more
            assert handing.reach(state, need) >= need or plain.reach(state, need) < need
        if plain.states > 100 and word_count(layout):
            assert handing._code is machine()


@pytest.mark.parametrize(("board", "size"), [
    (Board([[2**50 + 1] * 8] * 8, 8), None),
    (Board([[2**50] * 8] * 8, 8), 1),
    (Board([[0] * 8] * 8, 6), 2),
    (Board([[0] * 7] * 7, 5), 1),
    (Board([[0] * 8] * 7, 4), 2),
    (Board([[0] * 8] * 8, 4), None),
])  # fmt: skip
def test_words_returns_the_number_of_words_or_none(board: Board, size: int | None):
    assert word_count(Layout(board)) == size


def test_both_kinds_of_code_have_the_same_type() -> None:
    assert [*map(type, machine()[:3])] != [*map(type, PLAIN[:3])]
    assert isinstance(machine(), Code)
