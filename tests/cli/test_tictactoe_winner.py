"""`yomikiri tictactoe winner`: the winners of boards of any shape from a file, a pipe or a terminal."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.run import interrupted, run
from tests.cli.tictactoe import AOKI, BLANK, EDGE, TAKAHASHI, TEXTS, TTT, WORDS, never_a_traceback
from tests.examples import examples
from tests.terminal import Terminal
from tests.tictactoe.boards import balanced_boards


def test_winner_prints_one_word_per_board():
    assert run(TTT, "winner", given=AOKI).stdout == "Aoki\n"
    assert run(TTT, "winner", given=f"{TAKAHASHI}\n{AOKI}\n{BLANK}").stdout == "Takahashi\nAoki\nDraw\n"


def test_winner_splits_three_columns_into_3x3_boards_with_a_note():
    done = run(TTT, "winner", given=TAKAHASHI + AOKI + BLANK)
    assert done.stdout == "Takahashi\nAoki\nDraw\n"
    assert done.stderr == (
        "note: read as 3 boards of 3x3, because no blank line separates them; use --rows for boards of another height\n"
    )
    tall = "0 0 0\n" * 6
    assert run(TTT, "winner", "--rows", "6", given=tall).stdout == "Takahashi\n"
    assert run(TTT, "winner", given=f"{tall}\n").stdout == "Takahashi\n"
    assert run(TTT, "winner", given=f"{tall}\n{BLANK}").stdout == "Takahashi\nDraw\n"


def test_winner_reads_boards_of_different_shapes():
    boards = "0 0 0 0\n" * 3 + "\n" + "0 0 0\n" * 4 + "\n" + "0 0 0/0 0 0/0 0 0\n\n" + "1 2\n"
    assert run(TTT, "winner", given=boards).stdout == "Takahashi\nTakahashi\nDraw\nTakahashi\n"


def test_winner_prints_nothing_for_an_invalid_board():
    for broken in ("0 0 0\n" * 4 + "x\n", "0 0 0\n" * 6 + "\n" + "0 0\n0\n", "0 0 0\n" * 30 + "0 0\n"):
        done = run(TTT, "winner", given=broken)
        assert done.exit_code == 2
        assert done.stdout in ("", "Takahashi\n")
        assert (done.stdout == "Takahashi\n") == ("\n\n" in broken)
    done = run(TTT, "winner", given="0 0 0\n" * 9 + "\n" + BLANK)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "line 10 is blank" in done.stderr


def test_winner_writes_a_json_object_per_board():
    done = run(TTT, "winner", "--json", given=AOKI + "\n" + "1 0 0 0\n" * 4 + "\n1 2\n")
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert first["winner"] == "Aoki"
    assert (second["winner"], second["margin"]) == ("Takahashi", None)
    assert (third["winner"], third["margin"], third["best"]) == ("Takahashi", 1, ["b1"])
    listed = run(TTT, "winner", "--json", given=AOKI + BLANK)
    assert [json.loads(line)["winner"] for line in listed.stdout.splitlines()] == ["Aoki", "Draw"]
    assert "read as 2 boards of 3x3" in listed.stderr


def test_winner_prints_the_same_words_in_every_language():
    assert run(TTT, "winner", "--lang", "ja", given=f"{TAKAHASHI}\n{AOKI}\n{BLANK}").stdout == "Takahashi\nAoki\nDraw\n"


@pytest.mark.parametrize(("tie", "word"), [("draw", "Draw"), ("first", "Takahashi"), ("second", "Aoki")])
def test_tie_option_decides_drawn_boards(tie: str, word: str):
    assert run(TTT, "winner", "--tie", tie, given=BLANK).stdout == f"{word}\n"


def test_winner_reads_a_file(tmp_path: Path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{AOKI}\n{TAKAHASHI}", encoding="utf-8")
    assert run(TTT, "winner", str(path)).stdout == "Aoki\nTakahashi\n"


def test_winner_is_exact_for_any_integers():
    huge = "\n".join(" ".join(f"{weight}{'0' * 1000}" for weight in row.split()) for row in AOKI.splitlines())
    assert run(TTT, "winner", given=huge).stdout == "Aoki\n"


def test_winner_answers_balanced_boards():
    sample = balanced_boards(40)
    text = "\n".join("\n".join(" ".join(map(str, w[i : i + 3])) for i in (0, 3, 6)) for w, _winner in sample)
    words = {1: "Takahashi", -1: "Aoki", 0: "Draw"}
    assert run(TTT, "winner", given=text).stdout.split() == [words[winner] for _weights, winner in sample]


def test_winner_answers_each_board_before_the_next_is_given():
    with subprocess.Popen(
        [sys.executable, "-m", "yomikiri", TTT, "winner"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for board, word in ((AOKI, b"Aoki\n"), (TAKAHASHI, b"Takahashi\n")):
            program.stdin.write(f"{board}\n".encode())
            assert program.stdout.readline() == word
        program.stdin.close()
        assert program.wait(10) == 0


def test_a_closed_pipe_ends_winner_quietly():
    program = f"{shlex.quote(sys.executable)} -m yomikiri {TTT} winner | head -n 1"
    done = subprocess.run(program, shell=True, input=f"{AOKI}\n" * 50_000, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("Aoki\n", "")


def test_winner_solves_boards_of_any_shape_and_line_length():
    square = "0 0 0 0\n" * 4
    assert run(TTT, "winner", given=square).stdout == "Takahashi\n"
    assert run(TTT, "winner", "--line", "4", given=f"{square}\n{square}").stdout == "Draw\nDraw\n"
    assert run(TTT, "winner", "--line", "4", "--tie", "second", given=square).stdout == "Aoki\n"
    assert run(TTT, "winner", "--rows", "2", given="0 0 0\n0 0 1\n" * 2).stdout == "Takahashi\n" * 2


def test_winner_with_workers_prints_results_in_order():
    boards = [f"{number % 3 - 1} 0 0 1\n" + "0 -1 0 0\n" * 2 for number in range(40)]
    alone = run(TTT, "winner", "--line", "4", given="\n".join(boards)).stdout
    assert len(set(alone.split())) > 1
    assert run(TTT, "winner", "--line", "4", "--workers", "2", given="\n".join(boards)).stdout == alone
    broken = "\n".join([*boards[:2], "1 2 x\n"])
    done = run(TTT, "winner", "--line", "4", "--workers", "2", given=broken)
    assert done.exit_code == 2
    assert done.stdout == "".join(word + "\n" for word in alone.split()[:2])


def test_interrupted_winner_prints_bounds(tmp_path: Path):
    path = tmp_path / "board.txt"
    path.write_text("3 -1 4 -1 5 -9 2 -6\n5 3 -5 8 -9 7 9 -3\n" * 4, encoding="utf-8")
    status, shown, said, _seconds = interrupted(TTT, "winner", "--line", "5", str(path))
    assert (status, shown) == (130, "")
    assert said.startswith("Interrupted. ")


def test_winner_reads_from_a_terminal():
    with Terminal(TTT, "winner") as terminal:
        for line in [*AOKI.splitlines(), ""]:
            terminal.type(line + "\r")
        terminal.read_until("Aoki")
        terminal.type("\x04")
        assert terminal.wait() == 0


@pytest.mark.slow
@examples(2000)
@given(st.lists(WORDS, max_size=2), TEXTS)
def test_winner_handles_random_input(arguments, text):
    never_a_traceback("winner", arguments, text)


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        (("winner",), "", "no board given"),
        (("winner",), "1 2 3\n1 2\n", "the number of integers in line 2 is 2: expected 3"),
        (("winner",), "1 2 3\n1 two 3\n", "line 2: 'two' is not a weight"),
        (("winner", "--rows", "3"), "1 2 3\n4 5 6\n", "the board ends at line 2 with row 2: expected 3 rows"),
        (("winner",), "1 2 3\n4/5/6\n", "line 2: '/' between rows: expected a blank line before this board"),
        (("winner",), "1 2 3\n" * 9 + "\n1 2 3\n", "separate all boards, or give --rows 3"),
        (("winner",), b"\x7fELF\x02\x01\x00\xff\xfe", "line 1: "),
        (("winner", "no such file"), "", "cannot read no such file"),
        (("winner", "/"), "", "cannot read /"),
        (("winner", "--tie", "both"), AOKI, "--tie"),
        (("analyze",), "", "no board given"),
        (("analyze",), "1 2\n1\n", "the number of integers in line 2 is 1: expected 2"),
        (("analyze",), "1\n\n1\n", "more than one board"),
        (("analyze",), b"\xff\xfe\x00", "line 1: "),
        (("analyze", "--line", "9"), "1\n", "line=9: expected a whole number from 1 to 8"),
        (("winner", "--line", "9"), "1\n", "line=9: expected a whole number from 1 to 8"),
        (("analyze", EDGE, "file"), "", "--board has no effect with FILE"),
        (("analyze", EDGE, "--moves", "b2 b2"), "", "b2 is already taken"),
        (("analyze", EDGE, "--moves", "e5"), "", "'e5' is not a cell of this board"),
        (("analyze", EDGE, "--moves", "a1 a2 b1 b2 c1"), "", "the game is over"),
        (("play", "--board", "1,2/3"), "", "the number of weights in row 2 is 1: expected 2"),
        (("play", "--side", "third"), "", "--side"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_invalid_input_is_one_line_and_exits_2(arguments: tuple[str, ...], text: str | bytes, said: str, lang: str):
    result = run(TTT, *arguments, "--lang", lang, given=text)
    assert result.exit_code == 2
    first, *hints = result.stderr.splitlines()
    assert first.startswith({"en": "error: ", "ja": "エラー："}[lang])
    assert len(hints) <= 1
    assert lang == "ja" or said in first
    assert lang == "en" or any("ぁ" <= character <= "ヿ" for character in first)
