"""The check of a program: boards, faults and reduced boards.

Also tests `tictactoe/programs.py`: finding, compiling, running and ending programs.
"""

import sys
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.tictactoe.boards import AOKI
from tests.tictactoe.wrong.mutants import MUTANTS, TIES_TO_THE_FIRST, Changes, solver

from yomikiri.common.errors import CheckError, InputError, TimeLimitError
from yomikiri.tictactoe import checker, programs
from yomikiri.tictactoe.batch import winners
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.checker import Examiner, boards_to_check, check, smallest
from yomikiri.tictactoe.notation import CONTEST_NAMES
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.programs import MOST_OUTPUT, run_program
from yomikiri.tictactoe.signs import winner_by_signs

SOLUTION = Path(__file__).parent / "wrong" / "solution.py"
BOARD = Board(AOKI)
DEFAULT_COUNT = 100


def program(source: str) -> list[str]:
    return [sys.executable, "-c", source]


def errs(changes: Changes, board: Board, tie: Tie = Tie.DRAW) -> CheckError | None:
    expected = CONTEST_NAMES[winner_by_signs(board.flat, tie) or 0]
    said = solver(changes)(list(board.flat))
    return None if said == expected else CheckError("{given} is not {expected}", given=said, expected=expected)


def fault(command: list[str], board: Board, seconds: float) -> CheckError | None:
    return Examiner(command, seconds).fault(board)


@pytest.mark.parametrize("name", MUTANTS)
def test_default_run_finds_every_wrong_program(name: str):
    assert any(errs(MUTANTS[name], board) for board in islice(boards_to_check(0), DEFAULT_COUNT))


def test_default_run_passes_a_correct_program():
    assert not any(errs((), board) for board in islice(boards_to_check(1), DEFAULT_COUNT))


def test_wrong_tie_rule_is_detected_only_under_the_other_rule():
    boards = list(islice(boards_to_check(1, Tie.SECOND), 10))
    assert not any(errs((), board, Tie.SECOND) for board in boards)
    assert any(errs(TIES_TO_THE_FIRST, board, Tie.SECOND) for board in boards)
    assert not any(errs(TIES_TO_THE_FIRST, board, Tie.FIRST) for board in boards)


def test_boards_without_tie_rule_have_no_ties():
    assert all(sum(board.flat) % 2 for board in islice(boards_to_check(1), 200))


INDICATED = {
    "always Takahashi": "answer Takahashi for every board",
    "no line (3, 4, 5)": "overlook the line {line}",
    "ninth move": "overlook a line that the ninth move completes",
    "overflow": "overflow 32-bit integers in the margin",
    "weights as floats": "sum in 32-bit floating-point numbers",
    "half the total rounded": "compare with half the total, rounded towards zero",
    "never opens on an edge": "never open on an edge",
    "sums decide after a line": "let the sums decide after a line",
    "opens in a corner only": "open only in a corner",
    "stops after eight moves": "stop after eight moves",
}
QUICK = ("never opens on an edge",)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.exhaustive] * (name not in QUICK)) for name in INDICATED]
)
def test_shrunk_board_indicates_the_mistake(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        checker, "run_program", lambda _command, board, _seconds: solver(MUTANTS[name])(list(board.flat))
    )
    boards = list(islice(boards_to_check(0), DEFAULT_COUNT))
    found = check(Examiner(["program"]), boards, lambda _passed: None)
    assert found is not None
    assert found.mistakes[0].text == INDICATED[name]
    assert errs(MUTANTS[name], found.board)
    assert sum(found.board.flat) % 2 == 1
    assert sum(map(abs, found.board.flat)) <= sum(map(abs, boards[found.number - 1].flat))


def test_unexplained_answers_name_no_mistake(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        checker, "run_program", lambda _command, board, _seconds: ("Aoki", "Takahashi")[board.flat[4] % 2]
    )
    found = check(Examiner(["program"]), islice(boards_to_check(0), DEFAULT_COUNT), lambda _passed: None)
    assert found is not None
    assert found.mistakes == ()


def test_interrupt_does_not_discard_a_fault(monkeypatch: pytest.MonkeyPatch):
    calls = count()

    def answer(_command: list[str], _board: Board, _seconds: float) -> str:
        if next(calls) > 1:
            raise KeyboardInterrupt
        return "nobody"

    monkeypatch.setattr(checker, "run_program", answer)
    found = check(Examiner(["program"]), [BOARD], lambda _passed: None)
    assert found is not None
    assert (found.number, found.mistakes) == (1, ())
    assert found.board != BOARD, "the first smaller board had been tried before the interrupt"


def test_running_out_of_time_reports_the_slowest_board(monkeypatch: pytest.MonkeyPatch):
    clock = iter(range(1000))
    monkeypatch.setattr(checker, "time", SimpleNamespace(perf_counter=lambda: next(clock) ** 2))
    boards = list(islice(boards_to_check(0), 4))

    def answer(_command: list[str], board: Board, _seconds: float) -> str:
        if board == boards[3]:
            raise TimeLimitError("late")
        return CONTEST_NAMES[winner_by_signs(board.flat) or 0]

    monkeypatch.setattr(checker, "run_program", answer)
    found = check(Examiner(["program"]), boards, lambda _passed: None)
    assert found is not None
    assert (found.number, found.board, found.slowest) == (4, boards[3], (boards[2], 5**2 - 4**2))


def test_shrinking_ends_for_a_program_that_always_errs():
    first, then = (CheckError("crashed with {status}", status=status) for status in (1, 2))
    board, fault = smallest(Board(((10**9,) * 3,) * 3), first, lambda _board: then)
    assert board.flat.count(0) >= 8
    assert fault is then
    small = Board(((0, 0, 1), (0, 0, 0), (0, 0, 0)))
    assert smallest(small, first, lambda _board: then)[0] == small


def test_shrinking_a_slow_program_ends_in_time(monkeypatch):
    clock = count(step=2)
    monkeypatch.setattr(checker, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    asked: list[Board] = []

    def examine(board: Board) -> CheckError:
        asked.append(board)
        return CheckError("late")

    smallest(Board(((10**9,) * 3,) * 3), CheckError("late"), examine)
    assert 0 < len(asked) <= checker._SHRINKING_SECONDS / 2


@pytest.mark.exhaustive
def test_first_fault_has_its_number_and_passed_boards_are_reported():
    passed: list[int] = []
    boards = [Board(((0, 0, 0), (0, 1, 0), (0, 0, 0))), BOARD]
    found = check(Examiner(program("print('Takahashi')"), 60), boards, passed.append)
    assert found is not None
    assert (found.number, passed) == (2, [1])
    assert str(found.fault).startswith("the program answers 'Takahashi' for this board")
    assert winner_by_signs(found.board.flat) == -1
    assert check(Examiner(program("print('Takahashi')"), 60), boards[:1], passed.append) is None


def test_board_is_passed_in_the_format_of_the_contest():
    echo = program("import sys; print(repr(sys.stdin.read()))")
    assert run_program(echo, BOARD, 60) == repr("-1 1 0\n-4 -2 -5\n-4 -1 -5\n")


def test_right_answer_is_no_fault_and_a_wrong_one_is_quoted():
    assert fault([sys.executable, str(SOLUTION)], BOARD, 60) is None
    for said in ("Takahashi", "", "aoki", "Aoki Aoki", "Aoki\nTakahashi"):
        found = fault(program(f"print({said!r})"), BOARD, 60)
        assert str(found) == f"the program answers {said!r} for this board: expected Aoki"


def test_program_that_does_not_read_its_input_can_be_right():
    assert fault(program("import os; os.close(0); print('Aoki')"), BOARD, 60) is None


@pytest.mark.parametrize(
    ("source", "seconds", "error"),
    [
        ("raise SystemExit(3)", 300, "the program ends with status"),
        ("print('Aoki'); raise SystemExit(1)", 300, "the program ends with status"),
        ("import time; time.sleep(6000)", 0.5, "the program has not ended after"),
        (
            "import os, time; print('Aoki', flush=True); os.close(1); time.sleep(6000)",
            0.5,
            "the program has not ended after",
        ),
        ("while True: print('Aoki' * 1000)", 300, "the program writes more than"),
        ("import subprocess; subprocess.Popen(['sleep', '6000'])", 0.5, "the program has not ended after"),
    ],
)
def test_other_failures_are_reported_in_time(source, seconds, error):
    assert str(fault(program(source), BOARD, seconds)).startswith(error)


def test_time_limit_includes_the_wait_for_the_end_of_the_program(monkeypatch):
    clock = iter([0.0, 301.0])
    monkeypatch.setattr(programs, "time", SimpleNamespace(monotonic=lambda: next(clock), sleep=time.sleep))
    lingering = "import os, time; print('Aoki', flush=True); os.close(1); time.sleep(6000)"
    assert str(fault(program(lingering), BOARD, 300)).startswith("the program has not ended after 300 s")


def test_output_is_read_up_to_the_limit():
    assert len(run_program(program(f"print('x' * {MOST_OUTPUT - 1})"), BOARD, 300)) == MOST_OUTPUT - 1
    with pytest.raises(CheckError):
        run_program(program(f"print('x' * {MOST_OUTPUT})"), BOARD, 300)


@pytest.mark.parametrize("command", [["no such program"], ["/"], ["a\0b"]])
def test_program_that_cannot_start_is_an_input_error(command):
    with pytest.raises(InputError):
        run_program(command, BOARD, 1)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="what left its group is found in /proc")
def test_child_processes_do_not_outlive_the_program_even_in_a_new_session(tmp_path: Path):
    started = tmp_path / "pid"
    sleeper = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(6000)"
    source = (
        "import os, subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {sleeper!r}, {str(started)!r}], start_new_session=True,"
        " stdout=subprocess.DEVNULL)\n"
        f"while not os.path.exists({str(started)!r}) or not open({str(started)!r}).read(): time.sleep(0.01)\n"
        "print('Aoki')"
    )
    assert fault(program(source), BOARD, 300) is None
    assert (
        not Path("/proc", started.read_text(), "cmdline").exists()
        or not Path("/proc", started.read_text(), "cmdline").read_bytes()
    )


def test_boards_are_generated_on_demand():
    drawn = 0

    def boards() -> Iterator[Board]:
        nonlocal drawn
        for board in boards_to_check(1):
            drawn += 1
            yield board

    assert check(Examiner(program("print('nobody')"), 10), boards(), lambda _: None)
    assert drawn == 1


def test_weights_of_any_size_are_checked():
    board = Board([[10**30] * 4] * 3)
    assert check(Examiner(["echo", "Takahashi"]), [board], lambda _passed: None) is None
    assert check(Examiner(["echo", "Aoki"]), [board], lambda _passed: None) is not None


@pytest.mark.parametrize(
    "board",
    [Board([[0] * 4] * 3), Board([[1]]), Board([[0] * 4] * 4, line=4), Board([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 2)],
)
def test_board_of_any_size_is_checked_with_its_line_length(board: Board):
    size = np.array([board.weights])
    [winner] = winners(size, line=board.line)
    right, wrong = CONTEST_NAMES[winner], CONTEST_NAMES[winner - 1]
    assert check(Examiner(["echo", right]), [board], lambda _passed: None) is None
    found = check(Examiner(["echo", wrong]), [board], lambda _passed: None)
    assert found is not None
    assert (found.board.rows, found.board.columns, found.board.line) == (board.rows, board.columns, board.line)
