import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.tictactoe.boards import AOKI

from yomikiri.errors import BoardError, CheckError
from yomikiri.tictactoe import examiner
from yomikiri.tictactoe.batch import winners
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.examiner import MOST_OUTPUT, Examiner, ask, check, smallest, telling_boards
from yomikiri.tictactoe.notation import CONTEST_NAMES
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.signs import winner_by_signs

SOLUTION = Path(__file__).parent / "wrong" / "solution.py"
FAULTS = ["no lines", "ninth move", "memo without owners", "one diagonal", "overflow", "greedy"]
BOARD = Board(AOKI)


def program(source: str) -> list[str]:
    return [sys.executable, "-c", source]


@cache
def solver(kind: str) -> Callable[[list[int]], str]:
    """The solution's own function with that fault, so that a test need not start a process a board."""
    names = {"__name__": "solution"}
    source = SOLUTION.read_text(encoding="utf-8").replace('sys.argv[1] if len(sys.argv) > 1 else ""', repr(kind))
    exec(compile(source, str(SOLUTION), "exec"), names)
    solve: Callable[[list[int]], str] = names["solve"]  # type: ignore[assignment]
    return solve


def errs(kind: str, board: Board, tie: Tie = Tie.DRAW) -> CheckError | None:
    expected = ("Draw", "Takahashi", "Aoki")[winner_by_signs(board.flat, tie) or 0]
    said = solver(kind)(list(board.flat))
    return None if said == expected else CheckError("{given} is not {expected}", given=said, expected=expected)


def fault(command: list[str], board: Board, seconds: float) -> CheckError | None:
    return Examiner(command, seconds).fault(board)


def shrunk(board: Board, kind: str) -> Board:
    found = errs(kind, board)
    assert found
    return smallest(board, found, lambda smaller: errs(kind, smaller))[0]


SLOWLY_FOUND = {"overflow", "ninth move"}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.exhaustive] * (kind in SLOWLY_FOUND)) for kind in FAULTS]
)
def test_every_wrong_program_errs_on_one_of_the_first_fifty_boards(kind):
    for seed in range(2):
        assert any(errs(kind, board) for board in islice(telling_boards(seed), 50)), seed


def test_a_right_program_errs_on_none():
    assert not any(errs("", board) for board in islice(telling_boards(1), 40))


def test_a_program_that_gives_ties_to_the_wrong_player_errs_where_there_are_ties():
    boards = list(islice(telling_boards(1, Tie.SECOND), 10))
    assert any(errs("ties", board, Tie.SECOND) for board in boards)
    assert not any(errs("ties", board, Tie.FIRST) for board in boards)


def test_without_a_rule_for_ties_no_board_ties():
    assert all(sum(board.flat) % 2 for board in islice(telling_boards(1), 200))


SLOWLY_SHRUNK = {"ninth move", "one diagonal", "overflow"}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.exhaustive] * (kind in SLOWLY_SHRUNK)) for kind in FAULTS]
)
def test_the_board_is_shrunk_as_long_as_the_program_errs(kind):
    found = next(board for board in islice(telling_boards(2), 100) if errs(kind, board))
    small = shrunk(found, kind)
    assert errs(kind, small)
    assert sum(small.flat) % 2 == 1
    assert sum(map(abs, small.flat)) <= sum(map(abs, found.flat))
    if kind != "overflow":
        assert max(map(abs, small.flat)) <= 3


def test_shrinking_ends_for_a_program_that_always_errs():
    first, then = (CheckError("crashed with {status}", status=status) for status in (1, 2))
    board, fault = smallest(Board(((10**9,) * 3,) * 3), first, lambda _board: then)
    assert board.flat.count(0) >= 8
    assert fault is then
    small = Board(((0, 0, 1), (0, 0, 0), (0, 0, 0)))
    assert smallest(small, first, lambda _board: then)[0] == small


def test_shrinking_a_slow_program_ends_in_time(monkeypatch):
    clock = count(step=2)
    monkeypatch.setattr(examiner, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    asked: list[Board] = []

    def examine(board: Board) -> CheckError:
        asked.append(board)
        return CheckError("late")

    smallest(Board(((10**9,) * 3,) * 3), CheckError("late"), examine)
    assert 0 < len(asked) <= examiner._SHRINKING_SECONDS / 2


@pytest.mark.exhaustive
def test_the_first_fault_comes_with_its_number_and_those_passed_are_reported():
    passed: list[int] = []
    boards = [Board(((0, 0, 0), (0, 1, 0), (0, 0, 0))), BOARD]
    found = check(Examiner(program("print('Takahashi')"), 60), boards, passed.append)
    assert found is not None
    assert (found.number, passed) == (2, [1])
    assert str(found.fault).startswith("the program answers 'Takahashi' for this board")
    assert winner_by_signs(found.board.flat) == -1
    assert check(Examiner(program("print('Takahashi')"), 60), boards[:1], passed.append) is None


def test_the_board_is_given_in_the_contests_format():
    echo = program("import sys; print(repr(sys.stdin.read()))")
    assert ask(echo, BOARD, 60) == repr("-1 1 0\n-4 -2 -5\n-4 -1 -5\n")


def test_a_right_answer_is_no_fault_and_a_wrong_one_is_named():
    assert fault([sys.executable, str(SOLUTION)], BOARD, 60) is None
    for said in ("Takahashi", "", "aoki", "Aoki Aoki", "Aoki\nTakahashi"):
        found = fault(program(f"print({said!r})"), BOARD, 60)
        assert str(found) == f"the program answers {said!r} for this board: expected Aoki"


def test_a_program_that_does_not_read_its_input_may_be_right():
    assert fault(program("import os; os.close(0); print('Aoki')"), BOARD, 60) is None


@pytest.mark.parametrize(
    ("source", "seconds", "error"),
    [
        ("raise SystemExit(3)", 300, "the program ends with status"),
        ("print('Aoki'); raise SystemExit(1)", 300, "the program ends with status"),
        ("import time; time.sleep(600)", 0.5, "the program has not ended after"),
        (
            "import os, time; print('Aoki', flush=True); os.close(1); time.sleep(600)",
            0.5,
            "the program has not ended after",
        ),
        ("while True: print('Aoki' * 1000)", 300, "the program writes more than"),
        ("import subprocess; subprocess.Popen(['sleep', '600'])", 0.5, "the program has not ended after"),
    ],
)
def test_other_failures_are_told_apart_in_time(source, seconds, error):
    begin = time.monotonic()
    assert str(fault(program(source), BOARD, seconds)).startswith(error)
    assert time.monotonic() - begin < 250, "nobody waits for what hangs"


def test_output_up_to_the_limit_is_read():
    assert len(ask(program(f"print('x' * {MOST_OUTPUT - 1})"), BOARD, 60)) == MOST_OUTPUT - 1
    with pytest.raises(CheckError):
        ask(program(f"print('x' * {MOST_OUTPUT})"), BOARD, 60)


@pytest.mark.parametrize("command", [["no such program"], ["/"], ["a\0b"]])
def test_a_program_that_cannot_be_started_is_an_input_error(command):
    with pytest.raises(BoardError, match="cannot start"):
        ask(command, BOARD, 1)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="what left its group is found in /proc")
def test_what_a_program_starts_does_not_outlive_it_even_in_a_session_of_its_own(tmp_path: Path):
    started = tmp_path / "pid"
    sleeper = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(60)"
    source = (
        "import os, subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {sleeper!r}, {str(started)!r}], start_new_session=True,"
        " stdout=subprocess.DEVNULL)\n"
        f"while not os.path.exists({str(started)!r}) or not open({str(started)!r}).read(): time.sleep(0.01)\n"
        "print('Aoki')"
    )
    assert fault(program(source), BOARD, 20) is None
    assert (
        not Path("/proc", started.read_text(), "cmdline").exists()
        or not Path("/proc", started.read_text(), "cmdline").read_bytes()
    )


def test_boards_are_drawn_as_they_are_needed():
    drawn = 0

    def boards() -> Iterator[Board]:
        nonlocal drawn
        for board in telling_boards(1):
            drawn += 1
            yield board

    assert check(Examiner(program("print('nobody')"), 10), boards(), lambda _: None)
    assert drawn == 1


def test_weights_of_any_size_are_judged():
    board = Board([[10**30] * 4] * 3)
    assert check(Examiner(["echo", "Takahashi"]), [board], lambda _passed: None) is None
    assert check(Examiner(["echo", "Aoki"]), [board], lambda _passed: None) is not None


@pytest.mark.parametrize(
    "board",
    [Board([[0] * 4] * 3), Board([[1]]), Board([[0] * 4] * 4, line=4), Board([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 2)],
)
def test_a_board_of_any_size_is_judged_by_its_own_rules(board: Board):
    size = np.array([board.weights])
    [winner] = winners(size, line=board.line)
    right, wrong = CONTEST_NAMES[winner], CONTEST_NAMES[winner - 1]
    assert check(Examiner(["echo", right]), [board], lambda _passed: None) is None
    found = check(Examiner(["echo", wrong]), [board], lambda _passed: None)
    assert found is not None
    assert (found.board.rows, found.board.columns, found.board.line) == (board.rows, board.columns, board.line)
