"""`yomikiri tictactoe check`: reduced boards, named mistakes, and programs that crash or hang."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.run import run
from tests.cli.tictactoe import TTT
from tests.examples import examples
from tests.tictactoe.wrong.mutants import MUTANTS, TIES_TO_THE_FIRST, solver, source

from yomikiri.common.errors import CheckError
from yomikiri.tictactoe.advice import analyze
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.checker import Finding
from yomikiri.tictactoe.position import Position, Tie
from yomikiri.tictactoe.programs import _time_limit_error
from yomikiri.wording import use_language
from yomikiri.wording.tictactoe_check import found_fault

SOLUTION = str(Path(__file__).parent.parent / "tictactoe" / "wrong" / "solution.py")

PATIENT = ("--seconds", "60")  # enough on a busy machine


def use_program(monkeypatch: pytest.MonkeyPatch, answer: Callable[[list[int]], str]) -> None:
    """Answer in this process for the program under test, because a process for each board takes long."""
    monkeypatch.setattr(
        "yomikiri.tictactoe.checker.run_program", lambda _command, board, _seconds: answer(list(board.flat))
    )


@pytest.mark.slow
def test_check_shows_a_small_board_that_a_wrong_program_fails(tmp_path: Path):
    path = tmp_path / "wrong.py"
    path.write_text(source(MUTANTS["memo by turn"]), encoding="utf-8")
    result = run(TTT, "check", *PATIENT, str(path))
    assert result.exit_code == 4
    assert len(result.stdout.splitlines()) == 3
    error, note, *_ = result.stderr.splitlines()
    assert run(TTT, "winner", given=result.stdout).stdout == "Aoki\n", error
    assert error == "error: the program answers 'Takahashi' for this board: expected Aoki"
    assert note.startswith("found on board 2; the board above is a reduced version. Best play: ")


@pytest.mark.slow
def test_check_names_the_mistake_in_english_and_japanese(monkeypatch: pytest.MonkeyPatch):
    use_program(monkeypatch, solver(MUTANTS["no line (3, 4, 5)"]))
    english = run(TTT, "check", SOLUTION).stderr.splitlines()
    assert english[-1] == "Programs that overlook the line a2 b2 c2 get this board wrong."
    japanese = run(TTT, "check", "--lang", "ja", SOLUTION).stderr.splitlines()
    assert japanese[0] == "エラー：この盤面に対するプログラムの答えは 'Takahashi' です。正しくは Aoki です。"
    assert japanese[1].startswith("2 番目の盤面で見つかりました。")
    assert japanese[-1] == "この盤面を間違えるのは、「列 a2 b2 c2 を見落とす」プログラムです。"


def test_check_runs_python_files_with_the_current_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(source(()), encoding="utf-8")
    for program in ("a.py", "./a.py", str(tmp_path / "a.py")):
        result = run(TTT, "check", *PATIENT, "--count", "2", program)
        assert result.stdout == "2 boards checked, no wrong answers.\n", result.stderr


CPP = """#include <iostream>
int main(int count, char**) { std::cout << (count == 1 ? "Takahashi" : "Aoki") << std::endl; }
"""


@pytest.mark.slow
@pytest.mark.skipif(not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="there is no C++ compiler")
def test_check_compiles_cpp_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("a.cpp").write_text(CPP, encoding="utf-8")
    assert run(TTT, "check", *PATIENT, "--count", "1", "a.cpp").exit_code == 0
    assert run(TTT, "check", *PATIENT, "--count", "1", "./a.cpp", "argument").exit_code == 4
    Path("bad.cpp").write_text("int main() { return x; }", encoding="utf-8")
    result = run(TTT, "check", "bad.cpp")
    assert (result.exit_code, result.stdout) == (2, "")
    error, *lines = result.stderr.splitlines()
    assert error.startswith("error: cannot compile 'bad.cpp' with ")
    assert any("bad.cpp" in line for line in lines)


def test_check_without_a_compiler_names_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "a.cpp"
    path.write_text(CPP, encoding="utf-8")
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(TTT, "check", str(path)).stderr.startswith("error: compiling ")
    monkeypatch.setenv("CXX", "no-such-compiler -x")
    assert "'no-such-compiler' does not exist" in run(TTT, "check", str(path)).stderr


def test_check_accepts_a_correct_program():
    result = run(TTT, "check", *PATIENT, "--count", "5", sys.executable, SOLUTION)
    assert (result.exit_code, result.stdout) == (0, "5 boards checked, no wrong answers.\n"), result.stderr


@pytest.mark.slow
def test_check_applies_the_tie_rule(monkeypatch: pytest.MonkeyPatch):
    use_program(monkeypatch, solver(TIES_TO_THE_FIRST))
    assert run(TTT, "check", "--count", "3", "--tie", "first", SOLUTION).exit_code == 0
    result = run(TTT, "check", "--count", "3", "--tie", "second", SOLUTION)
    assert result.exit_code == 4
    assert result.stderr.endswith("\nPrograms that give ties to the wrong player get this board wrong.\n")


@pytest.mark.slow
@pytest.mark.parametrize(("tie", "player", "wrong"), [("first", "Takahashi", "Aoki"), ("second", "Aoki", "Takahashi")])
def test_check_explains_how_a_drawn_board_counts(tie: str, player: str, wrong: str, monkeypatch: pytest.MonkeyPatch):
    use_program(monkeypatch, lambda _weights: wrong)
    result = run(TTT, "check", "--tie", tie, "--count", "300", SOLUTION)
    error, note, *_ = result.stderr.splitlines()
    assert error.endswith(f": expected {player}")
    assert note.endswith(f"A draw: both sums are 0. With --tie {tie} a draw counts as a win for {player}.")
    assert found_on("0,0,0/0,0,0/0,0,0", Tie(tie)).endswith(f"With --tie {tie} a draw counts as a win for {player}.")
    use_language("ja")
    said = {"first": "高橋君", "second": "青木君"}[tie]
    assert found_on("0,0,0/0,0,0/0,0,0", Tie(tie)).endswith(f"--tie {tie} では、引き分けは{said}の勝ちと数えます。")


def found_on(text: str, tie: Tie | None) -> str:
    board = Board.parse(text)
    return found_fault(Finding(1, board, CheckError("wrong")), analyze(Position(board)), tie)


def test_check_omits_the_tie_rule_without_a_draw():
    assert "--tie" not in found_on("1,0,0/0,0,0/0,0,0", Tie.SECOND)
    assert "--tie" not in found_on("0,0,0/0,0,0/0,0,0", Tie.DRAW) + found_on("0,0,0/0,0,0/0,0,0", None)


def test_check_reports_why_a_program_cannot_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("unmarked").write_text("#!/bin/sh\necho Aoki\n", encoding="utf-8")
    Path("dangling").write_text("#!/no/such/program\n", encoding="utf-8")
    Path("text").write_text("echo Aoki\n", encoding="utf-8")
    for name in ("dangling", "text"):
        Path(name).chmod(0o755)
    found = "does not exist: expected a program file, such as ./a.py or a.cpp, or a command"
    marked = "is not executable; try chmod +x, or name the program that runs it first"
    expected = {
        "no such program": f"'no such program' {found}",
        "a.py": f"'a.py' {found}",
        "./unmarked": f"permission denied: './unmarked' {marked}",
        "./dangling": "the program in the first line (#!) of './dangling' does not exist: fix that line",
        "./text": "'./text' is not a program that this system can run: name the program that runs it first",
        ".": "'.' is a folder: expected a program",
    }
    for program, message in expected.items():
        result = run(TTT, "check", program)
        assert (result.exit_code, result.stderr) == (2, f"error: {message}\n")


def test_check_refuses_an_unknown_option():
    result = run(TTT, "check", "--cuont", "5", "program")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: no such option '--cuont'.")
    assert "--count" in result.stderr


def test_check_runs_a_program_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("a.out").write_text("#!/bin/sh\necho Takahashi\n", encoding="utf-8")
    Path("a.out").chmod(0o755)
    assert run(TTT, "check", *PATIENT, "--count", "1", "a.out").exit_code == 0


def test_check_stops_a_program_that_hangs():
    result = run(TTT, "check", "--seconds", "0.3", sys.executable, "-c", "import time; time.sleep(60)")
    assert result.exit_code == 4
    error, note = result.stderr.splitlines()
    assert error == "error: the program has not ended after 0.3 s on this board"
    assert note.startswith("found on board 1. Best play: ")


def test_check_reports_the_slowest_board_at_a_timeout(monkeypatch: pytest.MonkeyPatch):
    def answer(_command: list[str], board: Board, seconds: float) -> str:
        if board.flat[8] > 0:
            raise _time_limit_error(seconds)
        return solver(())(list(board.flat))

    monkeypatch.setattr("yomikiri.tictactoe.checker.run_program", answer)
    result = run(TTT, "check", "--seconds", "3", SOLUTION)
    assert result.exit_code == 4
    error, _note, slowest = result.stderr.splitlines()
    assert error == "error: the program has not ended after 3 s on this board"
    assert re.fullmatch(r"The slowest board before it took \d\.\d\d s: [-\d,/]+", slowest)


def test_check_handles_random_arguments_and_output(monkeypatch: pytest.MonkeyPatch):
    # Start no program and generate no boards, because 2,000 runs would take minutes.
    monkeypatch.setattr("yomikiri.tictactoe.advice._value", lambda *_: (0, 0))
    monkeypatch.setattr("yomikiri.tictactoe.checker.run_program", lambda command, *_: command[-1].strip())
    boards = [Board.parse("0,0,0/0,1,0/0,0,0")] * 3
    monkeypatch.setattr("yomikiri.tictactoe.checker.boards_to_check", lambda *_: iter(boards))

    @examples(2000)
    @given(
        st.lists(st.sampled_from(["--tie", "first", "--count", "3", "--seed", "x", "--complet"]), max_size=3),
        st.one_of(st.text(max_size=20), st.just("Takahashi")),
    )
    def throw(arguments: list[str], said: str) -> None:
        result = run(TTT, "check", *arguments, "program", said)
        assert result.exit_code in (0, 2, 4)
        messages = [line for line in result.stderr.splitlines() if not line.startswith("Note: ")]
        assert (result.exit_code == 0) == (not messages)
        assert len(messages) <= 3

    throw()


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e10", "0", "-1"])
def test_check_refuses_invalid_time_limits(seconds: str):
    result = run(TTT, "check", "--seconds", seconds, sys.executable, SOLUTION)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: invalid value for '--seconds'")
    assert len(result.stderr.splitlines()) == 2


def test_check_shows_the_standard_error_of_the_program():
    source = "import sys; print('one', file=sys.stderr); print('two\\x1b[2J', file=sys.stderr); sys.exit(1)"
    result = run(TTT, "check", *PATIENT, sys.executable, "-c", source)
    assert result.exit_code == 4
    heading, *messages, error, note = result.stderr.splitlines()
    assert heading == "The program wrote to its standard error:"
    assert messages == ["  | one", "  | two [2J"]
    assert error.startswith("error: the program ends with status 1")
    assert note.startswith("found on board 1; ")


def test_check_notes_options_passed_to_the_program():
    result = run(TTT, "check", *PATIENT, "--count", "1", sys.executable, SOLUTION, "--count", "5", "--tie=first")
    assert result.exit_code == 0
    assert result.stderr == (
        "Note: --count --tie=first comes after the program and is passed to it; options of check go before it.\n"
    )
    assert result.stdout == "1 board checked, no wrong answer.\n"


def test_interrupted_check_prints_the_number_of_boards(tmp_path: Path):
    started = tmp_path / "started"
    shell = f"echo >> {shlex.quote(str(started))}; exec {shlex.quote(sys.executable)} {shlex.quote(SOLUTION)}"
    arguments = [sys.executable, "-m", "yomikiri", "tictactoe", "check", "--count", "100000", "sh", "-c", shell]
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=take_interrupts
    )
    while not started.exists() or started.stat().st_size < 3:  # until the third board
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode == 130
    assert output == ""
    assert re.fullmatch(r"[\d,]+ boards? checked, no wrong answers?\.\n", errors)


def take_interrupts() -> None:
    """Enable interrupts, even if the tests run with interrupts ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
