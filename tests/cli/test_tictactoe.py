import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.run import run
from tests.terminal import Terminal
from tests.tictactoe.boards import balanced_boards

from yomikiri.tictactoe.board import Board

AOKI = "-1 1 0\n-4 -2 -5\n-4 -1 -5\n"
TAKAHASHI = "0 0 0\n0 1 0\n0 0 0\n"
BLANK = "0 0 0\n" * 3
EDGE = "--board=-2,0,-1/-1,-1,0/-1,-1,-2"

TTT = "tictactoe"


# --- winner -----------------------------------------------------------------------------------------------------------


def test_winner_prints_the_contests_words_a_line_a_board():
    assert run(TTT, "winner", given=AOKI).stdout == "Aoki\n"
    assert run(TTT, "winner", given=TAKAHASHI + "\n" + AOKI + BLANK).stdout == "Takahashi\nAoki\nDraw\n"


def test_winner_speaks_the_contests_words_in_every_language():
    assert run(TTT, "winner", "--lang", "ja", given=TAKAHASHI + AOKI + BLANK).stdout == "Takahashi\nAoki\nDraw\n"


@pytest.mark.parametrize(("tie", "word"), [("draw", "Draw"), ("first", "Takahashi"), ("second", "Aoki")])
def test_a_tie_goes_to_whom_the_option_says(tie: str, word: str):
    assert run(TTT, "winner", "--tie", tie, given=BLANK).stdout == f"{word}\n"


def test_winner_reads_a_file(tmp_path: Path):
    path = tmp_path / "boards.txt"
    path.write_text(AOKI + TAKAHASHI, encoding="utf-8")
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
            program.stdin.write(board.encode())
            assert program.stdout.readline() == word
        program.stdin.close()
        assert program.wait(10) == 0


def test_a_closed_pipe_ends_winner_quietly():
    program = f"{shlex.quote(sys.executable)} -m yomikiri {TTT} winner | head -n 1"
    done = subprocess.run(program, shell=True, input=AOKI * 50_000, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("Aoki\n", "")


# --- analyze ----------------------------------------------------------------------------------------------------------


PICTURE = """\
Takahashi (X) to move.
     a     b     c
  ┌─────┬─────┬─────┐
1 │ -2  │  0  │ -1  │
  │ -1  │ *+1 │ -1  │
  ├─────┼─────┼─────┤
2 │ -1  │ -1  │  0  │
  │ -1  │ -1  │ *+1 │
  ├─────┼─────┼─────┤
3 │ -1  │ -1  │ -2  │
  │ -1  │ -1  │ -1  │
  └─────┴─────┴─────┘
Under the weights: * wins; a number is Takahashi's lead in the final sums.
Takahashi wins with b1, c2; best is b1.
Best play: b1 a1 b2 b3 c2 a2 a3 c1 c3. Takahashi wins by score, -4 to -5.
"""


def test_analyze_shows_where_every_move_leads():
    assert run(TTT, "analyze", EDGE).stdout == PICTURE
    assert run(TTT, "analyze", given="-2 0 -1\n-1 -1 0\n-1 -1 -2\n").stdout == PICTURE


def test_analyze_as_json_holds_the_documented_keys():
    document = json.loads(run(TTT, "analyze", EDGE, "--moves", "b2 a1", "--json").stdout)
    assert document["schema_version"] == 1
    assert document["winner"] == "Takahashi"
    assert [move["name"] for move in document["moves"]] == ["b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    assert document["moves"][0]["cell"] == [0, 1]
    assert all(set(move) == {"cell", "name", "winner", "reason", "margin"} for move in document["moves"])
    assert all((move["reason"] == "line") is (move["margin"] is None) for move in document["moves"])
    assert document["line_of_play"][0] in {move["name"] for move in document["moves"]}


def test_analyze_says_the_same_names_in_json_in_every_language():
    assert run(TTT, "analyze", EDGE, "--json", "--lang", "ja").stdout == run(TTT, "analyze", EDGE, "--json").stdout


@pytest.mark.parametrize(
    ("moves", "sentences"),
    [
        ("b2 b1", "Takahashi wins, only with"),
        ("", "Takahashi cannot win;"),
        ("b2 b1 a1", "holds out longest."),
    ],
)
def test_analyze_says_what_can_be_reached(moves: str, sentences: str):
    shown = run(TTT, "analyze", "--board", "0,0,0/0,0,0/0,0,0", "--moves", moves).stdout
    assert sentences in shown or "Takahashi wins with" in shown


def test_analyze_reads_other_shapes_and_lengths_of_line():
    shown = run(TTT, "analyze", "--line", "2", given="1 2 3\n4 5 6\n").stdout
    assert "Takahashi wins" in shown
    assert "line 3" in shown


def test_analyze_in_japanese():
    shown = run(TTT, "analyze", EDGE, "--moves", "b2 a1 a2", "--lang", "ja").stdout
    assert shown.startswith("青木君(O)の番です。\n")
    assert "青木君の勝ち。勝てる手は c2 だけです。" in shown
    assert "最善の手順: c2 b1" in shown


def test_an_interrupted_analysis_says_what_is_certain(tmp_path: Path):
    path = tmp_path / "board.txt"
    path.write_text(("3 -1 4 -1 5 -9 2 -6\n5 3 -5 8 -9 7 9 -3\n" * 4), encoding="utf-8")
    command = [sys.executable, "-m", "yomikiri", TTT, "analyze", "--line", "5", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=3)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=30)
    assert (process.returncode, shown) == (130, "")
    assert said.startswith("Interrupted. ")


# --- play -------------------------------------------------------------------------------------------------------------


def test_play_goes_on_to_the_end_of_the_game():
    shown = run(TTT, "play", EDGE, given="b1\nundo\nc2\nwhy\nquit\nnonsense\n")
    assert shown.exit_code == 0
    assert "nonsense" not in shown.output
    assert "I take" in shown.stdout
    assert "Takahashi wins" in shown.stdout


def test_play_never_loses_a_won_board_as_second_player():
    board = "--board=" + "/".join(",".join(row.split()) for row in AOKI.splitlines())
    given = "\n".join(f"{column}{row}" for _ in range(2) for column in "abc" for row in "123")
    shown = run(TTT, "play", board, given=given).stdout
    assert "Aoki wins by" in shown


def test_the_program_begins_when_the_person_plays_second():
    shown = run(TTT, "play", EDGE, "--side", "second", given="").stdout
    assert "I take b1." in shown
    assert shown.rstrip().endswith("Aoki (O) to move.")


def test_undo_takes_back_the_persons_move_and_the_answer():
    shown = run(TTT, "play", EDGE, given="undo\nb1\nundo\n")
    lines = shown.stdout.splitlines()
    assert "error: no move to take back: expected at least one of your own" in lines
    assert lines[-12:] == lines[1:13]


def test_the_same_seed_draws_the_same_board():
    first, again, other = (run(TTT, "play", "--seed", seed).stdout for seed in ("1", "1", "2"))
    assert first == again != other


@pytest.mark.parametrize(("side", "name"), [("first", "Takahashi"), ("second", "Aoki")])
def test_a_drawn_board_can_be_won_by_the_person(side: str, name: str):
    for seed in ("1", "2", "3"):
        shown = run(TTT, "play", "--seed", seed, "--side", side).stdout
        board = shown.splitlines()[0].partition("--board=")[2]
        assert json.loads(run(TTT, "analyze", "--json", "--board", board).stdout)["winner"] == name


def test_play_says_what_is_wrong_and_goes_on():
    shown = run(TTT, "play", EDGE, given="d4\nb1 b2\nb2\nb2\n").stdout
    assert "'d4' is not a cell of this board" in shown
    assert "'b1 b2' is not a move" in shown
    assert "b2 is already taken" in shown


def test_a_game_that_is_over_is_shown_as_such():
    shown = run(TTT, "play", EDGE, "--moves", "a1 a2 b1 b2 c1", given="a3\nwhy\n").stdout
    assert "Takahashi wins by the line a1 b1 c1." in shown
    assert shown.count("error: the game is over: expected no further move") == 2


def test_an_interrupt_at_the_prompt_exits_130():
    with Terminal(TTT, "play", EDGE) as terminal:
        terminal.read_until("> ")
        terminal.type("b1\r")
        terminal.read_until("I take")
        terminal.read_until("> ")
        assert terminal.interrupt() == 130
        assert "Traceback" not in terminal.shown


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        (("winner",), "", "no board given"),
        (("winner",), "1 2 3\n1 2\n", "line 2 has 2 integers: expected 3"),
        (("winner",), "1 2 3\n1 two 3\n", "line 2: 'two' is not a weight"),
        (("winner",), "1 2 3\n4 5 6\n", "the board ends at line 2 after 2 rows: expected 3"),
        (("winner",), b"\x7fELF\x02\x01\x00\xff\xfe", "line 1: "),
        (("winner", "no such file"), "", "cannot read no such file"),
        (("winner", "/"), "", "cannot read /"),
        (("winner", "--tie", "both"), AOKI, "--tie"),
        (("analyze",), "", "no board given"),
        (("analyze",), "1 2\n1\n", "line 2 has 1 integers: expected 2"),
        (("analyze",), "1\n\n1\n", "more than one board"),
        (("analyze",), b"\xff\xfe\x00", "line 1: "),
        (("analyze", "--line", "9"), "1\n", "--line"),
        (("analyze", EDGE, "file"), "", "a file and --board given"),
        (("analyze", EDGE, "--moves", "b2 b2"), "", "b2 is already taken"),
        (("analyze", EDGE, "--moves", "e5"), "", "'e5' is not a cell of this board"),
        (("analyze", EDGE, "--moves", "a1 a2 b1 b2 c1"), "", "the game is over"),
        (("play", "--board", "1,2/3"), "", "row 2 has 1 weights"),
        (("play", "--side", "third"), "", "--side"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_bad_input_is_one_line_and_status_2(arguments: tuple[str, ...], text: str | bytes, said: str, lang: str):
    result = run(TTT, *arguments, "--lang", lang, given=text)
    assert result.exit_code == 2
    first, *hints = result.stderr.splitlines()
    assert first.startswith({"en": "error: ", "ja": "エラー: "}[lang])
    assert len(hints) <= 1
    assert lang == "ja" or said in first
    assert lang == "en" or any("ぁ" <= character <= "ヿ" for character in first)


WORDS = st.one_of(
    st.integers().map(str),
    st.sampled_from(["-", "x", "1.5", "", "--board=1,2/3,4", "--line", "3", "--moves", "b2", "a1 b2", "-1", "--json"]),
    st.text(max_size=8),
)
TEXTS = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60).map(str.encode),
    st.lists(st.lists(WORDS, max_size=4).map(" ".join), max_size=8)
    .map("\n".join)
    .map(lambda t: t.encode("utf-8", "replace")),
    st.lists(st.integers(-20, 20), min_size=9, max_size=9).map(
        lambda w: "\n".join(" ".join(map(str, w[i : i + 3])) for i in (0, 3, 6)).encode()
    ),
)


def never_a_traceback(command: str, arguments: list[str], text: bytes) -> None:
    result = run(TTT, command, *arguments, given=text)
    assert result.exit_code in (0, 2)
    if result.exit_code:
        assert result.stderr.startswith("error: ")
        assert len(result.stderr.splitlines()) <= 2


@settings(max_examples=2000)
@given(st.lists(WORDS, max_size=2), TEXTS)
def test_winner_takes_any_input(arguments, text):
    never_a_traceback("winner", arguments, text)


@pytest.mark.parametrize("command", ["analyze", "play"])
def test_analyze_and_play_take_any_input(command: str, monkeypatch: pytest.MonkeyPatch):
    # Advice that costs nothing, so that 2,000 inputs do not take minutes: the input is what is tested.
    monkeypatch.setattr("yomikiri.tictactoe.advice._value", lambda *_: (0, 0))

    @settings(max_examples=2000)
    @given(arguments=st.lists(WORDS, max_size=3), text=TEXTS)
    def throw(arguments: list[str], text: bytes) -> None:
        never_a_traceback(command, arguments, text)

    throw()


def test_winner_reads_from_a_terminal():
    with Terminal(TTT, "winner") as terminal:
        for line in AOKI.splitlines():
            terminal.type(line + "\r")
        terminal.read_until("Aoki")
        terminal.type("\x04")
        assert terminal.wait() == 0


# --- generate and check -----------------------------------------------------------------------------------------------

SOLUTION = str(Path(__file__).parent.parent / "tictactoe" / "wrong" / "solution.py")


def test_generate_writes_boards_that_winner_reads():
    boards = run(TTT, "generate", "--count", "20", "--winner", "second", "--seed", "7").stdout
    assert run(TTT, "winner", given=boards).stdout == "Aoki\n" * 20


def test_generate_writes_the_complete_set():
    boards = run(TTT, "generate", "--complete").stdout
    assert run(TTT, "winner", given=boards).stdout.split().count("Aoki") == 503


def test_generate_refuses_what_cannot_be():
    assert "none of" in run(TTT, "generate", "--low", "0", "--winner", "second").stderr
    assert "without --seed, --winner" in run(TTT, "generate", "--complete", "--winner", "draw", "--seed", "1").stderr
    assert "weights from 3 to 2" in run(TTT, "generate", "--low", "3", "--high", "2").stderr


@settings(max_examples=2000)
@given(st.lists(st.one_of(WORDS, st.sampled_from(["--winner", "second", "--opening", "edge", "--unique"])), max_size=4))
def test_generate_takes_any_arguments(arguments):
    never_a_traceback("generate", arguments, b"")


def test_check_shows_a_small_board_on_which_a_wrong_program_errs():
    result = run(TTT, "check", sys.executable, SOLUTION, "memo without owners")
    assert result.exit_code == 4
    assert len(result.stdout.splitlines()) == 3
    assert run(TTT, "winner", given=result.stdout).stdout == "Aoki\n"
    error, note = result.stderr.splitlines()
    assert error == "error: the program answers 'Takahashi' for this board: expected Aoki"
    assert note.startswith("found with board 1; the one above is shrunk from it. Best play: ")


def test_check_speaks_japanese():
    result = run(TTT, "check", "--lang", "ja", sys.executable, SOLUTION, "greedy")
    assert result.stderr.startswith(
        "エラー: この盤面に対するプログラムの答えは 'Aoki' です。正しくは Takahashi です。\n1 番目の"
    )


def test_check_finds_no_fault_in_a_right_program():
    result = run(TTT, "check", "--count", "5", sys.executable, SOLUTION)
    assert (result.exit_code, result.stdout) == (0, "5 boards, no fault.\n")


def test_check_with_ties_expects_the_rule():
    assert run(TTT, "check", "--count", "3", "--tie", "first", sys.executable, SOLUTION, "ties").exit_code == 0
    assert run(TTT, "check", "--count", "3", "--tie", "second", sys.executable, SOLUTION, "ties").exit_code == 4


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
    monkeypatch.setattr("yomikiri.tictactoe.check.ask", lambda command, *_: command[-1].strip())
    boards = [Board.parse("0,0,0/0,1,0/0,0,0")] * 3
    monkeypatch.setattr("yomikiri.tictactoe.check.telling_boards", lambda *_: iter(boards))

    @settings(max_examples=2000)
    @given(
        st.lists(st.sampled_from(["--tie", "first", "--count", "3", "--seed", "x", "--complet"]), max_size=3),
        st.one_of(st.text(max_size=20), st.just("Takahashi")),
    )
    def throw(arguments: list[str], said: str) -> None:
        result = run(TTT, "check", *arguments, "program", said)
        assert result.exit_code in (0, 2, 4)
        assert (result.exit_code == 0) == (not result.stderr)
        assert len(result.stderr.splitlines()) <= 2

    throw()
