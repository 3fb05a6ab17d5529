"""`yomikiri tictactoe check`: the smallest board on which a program errs, and programs that do not behave."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.run import run
from tests.cli.tictactoe import TTT
from tests.examples import examples

from yomikiri.tictactoe.advice import analyze
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Position, Tie
from yomikiri.wording import tictactoe as wording
from yomikiri.wording import use_language

SOLUTION = str(Path(__file__).parent.parent / "tictactoe" / "wrong" / "solution.py")

PATIENT = ("--seconds", "60")  # whatever else the machine does


def test_check_shows_a_small_board_on_which_a_wrong_program_errs():
    result = run(TTT, "check", *PATIENT, sys.executable, SOLUTION, "memo without owners")
    assert result.exit_code == 4
    assert len(result.stdout.splitlines()) == 3
    error, note = result.stderr.splitlines()
    assert run(TTT, "winner", given=result.stdout).stdout == "Aoki\n", error
    assert error == "error: the program answers 'Takahashi' for this board: expected Aoki"
    assert note.startswith("found on board 1; the board above is a reduced version. Best play: ")


def test_check_speaks_japanese():
    result = run(TTT, "check", *PATIENT, "--lang", "ja", sys.executable, SOLUTION, "greedy")
    assert result.stderr.startswith(
        "エラー：この盤面に対するプログラムの答えは 'Aoki' です。正しくは Takahashi です。\n1 番目の"
    )


def test_check_finds_no_fault_in_a_right_program():
    result = run(TTT, "check", *PATIENT, "--count", "5", sys.executable, SOLUTION)
    assert (result.exit_code, result.stdout) == (0, "5 boards checked, no wrong answers.\n"), result.stderr


def test_check_with_ties_expects_the_rule():
    assert (
        run(TTT, "check", *PATIENT, "--count", "3", "--tie", "first", sys.executable, SOLUTION, "ties").exit_code == 0
    )
    assert (
        run(TTT, "check", *PATIENT, "--count", "3", "--tie", "second", sys.executable, SOLUTION, "ties").exit_code == 4
    )


@pytest.mark.parametrize(("tie", "player", "wrong"), [("first", "Takahashi", "Aoki"), ("second", "Aoki", "Takahashi")])
def test_check_says_how_a_drawn_board_was_counted(tie: str, player: str, wrong: str):
    told = run(TTT, "check", *PATIENT, "--tie", tie, "--count", "300", sys.executable, "-c", f"print('{wrong}')")
    error, note = told.stderr.splitlines()
    assert error.endswith(f": expected {player}")
    assert note.endswith(f"A draw: both sums are 0. With --tie {tie} a draw counts as a win for {player}.")
    drawn = wording.first_seen(1, analyze(Position(Board.parse("0,0,0/0,0,0/0,0,0"))), Tie(tie))
    assert drawn.endswith(f"A draw: both sums are 0. With --tie {tie} a draw counts as a win for {player}.")
    use_language("ja")
    said = {"first": "高橋君", "second": "青木君"}[tie]
    assert wording.first_seen(1, analyze(Position(Board.parse("0,0,0/0,0,0/0,0,0"))), Tie(tie)).endswith(
        f"--tie {tie} では、引き分けは{said}の勝ちと数えます。"
    )


def test_check_says_nothing_of_ties_where_there_is_none():
    won = analyze(Position(Board.parse("1,0,0/0,0,0/0,0,0")))
    assert "--tie" not in wording.first_seen(1, won, Tie.SECOND)
    drawn = analyze(Position(Board.parse("0,0,0/0,0,0/0,0,0")))
    assert "--tie" not in wording.first_seen(1, drawn, Tie.DRAW) + wording.first_seen(1, drawn, None)


def test_check_says_what_it_cannot_start():
    result = run(TTT, "check", "no such program")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: cannot start no such program: expected a program and its arguments\n",
    )


def test_check_stops_a_program_that_hangs():
    result = run(TTT, "check", "--seconds", "0.3", sys.executable, "-c", "import time; time.sleep(60)")
    assert result.exit_code == 4
    assert result.stderr.startswith("error: the program has not ended after 0.3 s on this board\n")


def test_check_takes_any_arguments_and_any_output(monkeypatch: pytest.MonkeyPatch):
    # Nothing is started and no boards are drawn, so that 2,000 outputs do not take minutes.
    monkeypatch.setattr("yomikiri.tictactoe.advice._value", lambda *_: (0, 0))
    monkeypatch.setattr("yomikiri.tictactoe.examiner.ask", lambda command, *_: command[-1].strip())
    boards = [Board.parse("0,0,0/0,1,0/0,0,0")] * 3
    monkeypatch.setattr("yomikiri.tictactoe.examiner.telling_boards", lambda *_: iter(boards))

    @examples(2000)
    @given(
        st.lists(st.sampled_from(["--tie", "first", "--count", "3", "--seed", "x", "--complet"]), max_size=3),
        st.one_of(st.text(max_size=20), st.just("Takahashi")),
    )
    def throw(arguments: list[str], said: str) -> None:
        result = run(TTT, "check", *arguments, "program", said)
        assert result.exit_code in (0, 2, 4)
        told = [line for line in result.stderr.splitlines() if not line.startswith("Note: ")]
        assert (result.exit_code == 0) == (not told)
        assert len(told) <= 2

    throw()


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e10", "0", "-1"])
def test_check_refuses_a_time_limit_that_is_none(seconds: str):
    result = run(TTT, "check", "--seconds", seconds, sys.executable, SOLUTION)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: invalid value for '--seconds'")
    assert len(result.stderr.splitlines()) == 2


def test_check_shows_what_the_program_wrote_to_its_standard_error():
    source = "import sys; print('one', file=sys.stderr); print('two\\x1b[2J', file=sys.stderr); sys.exit(1)"
    result = run(TTT, "check", *PATIENT, sys.executable, "-c", source)
    assert result.exit_code == 4
    heading, *told, error, note = result.stderr.splitlines()
    assert heading == "The program wrote to its standard error:"
    assert told == ["  | one", "  | two [2J"]
    assert error.startswith("error: the program ends with status 1")
    assert note.startswith("found on board 1; ")


def test_check_says_which_options_went_to_the_program():
    result = run(TTT, "check", *PATIENT, "--count", "1", sys.executable, SOLUTION, "", "--count", "5", "--tie=first")
    assert result.exit_code == 0
    assert result.stderr == (
        "Note: --count --tie=first comes after the program and is passed to it; options of check go before it.\n"
    )
    assert result.stdout == "1 board checked, no wrong answer.\n"


def test_an_interrupted_check_says_how_far_it_came():
    arguments = [sys.executable, "-m", "yomikiri", "tictactoe", "check", "--count", "100000", sys.executable, SOLUTION]
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=take_interrupts
    )
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    output, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert output == ""
    assert re.fullmatch(r"\n[\d,]+ boards? checked, no wrong answers?\.\n", told)


def take_interrupts() -> None:
    """As at a terminal, even where the tests run with interrupts ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
