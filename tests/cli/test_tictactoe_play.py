"""`yomikiri tictactoe play`: a game of the user against the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.run import run, session
from tests.cli.tictactoe import AOKI, EDGE, TTT
from tests.terminal import Terminal


def test_play_continues_to_the_end_of_the_game():
    shown = run(TTT, "play", EDGE, given="b1\nundo\nc2\nwhy\nquit\nnonsense\n")
    assert shown.exit_code == 0
    assert "nonsense" not in shown.output
    assert "I take" in shown.stdout
    assert "Takahashi wins" in shown.stdout


def test_play_never_loses_a_won_board_as_second_player():
    board = "--board=" + "/".join(",".join(row.split()) for row in AOKI.splitlines())
    given = "\n".join(f"{column}{row}" for _ in range(2) for column in "abc" for row in "123")
    shown = session(TTT, "play", board, given=given)
    assert "Aoki wins by" in shown


def test_program_moves_first_if_the_user_is_second():
    shown = session(TTT, "play", EDGE, "--side", "second", given="")
    assert "I take b1." in shown
    assert shown.rstrip().endswith("Aoki (O) to move.")


def test_undo_reverts_the_move_and_the_reply():
    shown = run(TTT, "play", EDGE, given="undo\nb1\nundo\n")
    lines = shown.stdout.splitlines()
    assert "error: no move to take back: you have not made one yet\n" in shown.stderr
    assert lines[-12:] == lines[1:13]


def test_seed_determines_the_board():
    first, again, other = (run(TTT, "play", "--seed", seed).stdout for seed in ("1", "1", "2"))
    assert first == again != other


@pytest.mark.parametrize(("side", "name"), [("first", "Takahashi"), ("second", "Aoki")])
def test_random_board_can_be_won_by_the_user(side: str, name: str):
    for seed in ("1", "2", "3"):
        shown = run(TTT, "play", "--seed", seed, "--side", side).stdout
        board = shown.splitlines()[0].partition("--board=")[2]
        assert json.loads(run(TTT, "analyze", "--json", "--board", board).stdout)["winner"] == name


def test_play_reports_invalid_moves_and_continues():
    shown = session(TTT, "play", EDGE, given="d4\nb1 b2\nb2\nb2\n")
    assert "'d4' is not a cell of this board" in shown
    assert "'b1 b2' is not a move" in shown
    assert "b2 is already taken" in shown


def test_finished_game_shows_its_result():
    shown = session(TTT, "play", EDGE, "--moves", "a1 a2 b1 b2 c1", given="a3\nwhy\n")
    assert "Takahashi wins by the line a1 b1 c1." in shown
    assert "error: the game is over: type 'review', 'new' or 'quit'" in shown
    assert "error: the game is over: take back a move, or start a new game" in shown


def test_finished_game_can_be_reviewed_and_restarted():
    board = ("--board", "0,0,0/0,0,0/0,0,0")
    shown = session(TTT, "play", *board, "--moves", "a1 b2 b1 c1 c3 a3", given="review\nnew\nreview\n")
    assert "Aoki wins by the line c1 b2 a3." in shown
    assert "Move 5: c3 spoiled the result, a3 keeps it.\n" in shown
    assert shown.endswith("You made no mistake: each move kept the result.\n")


def test_interrupt_at_the_prompt_exits_130():
    with Terminal(TTT, "play", EDGE) as terminal:
        terminal.read_until("> ")
        terminal.type("b1\r")
        terminal.read_until("I take")
        terminal.read_until("> ")
        assert terminal.interrupt() == 130
        assert "Traceback" not in terminal.shown


def test_interrupted_move_of_the_program_keeps_the_game(tmp_path: Path):
    path = tmp_path / "board.txt"
    path.write_text(("3 -1 4 -1 5 -9 2 -6\n5 3 -5 8 -9 7 9 -3\n" * 4), encoding="utf-8")
    with Terminal(TTT, "play", "--line", "5", str(path)) as terminal:
        terminal.read_until("> ")
        terminal.type("d4\r")
        for command in ("go", "why"):
            terminal.read_until("positions. ")
            terminal.type("\x03")
            terminal.read_until("Interrupted. ")
            terminal.read_until("> ")
            terminal.type(f"{command}\r")
        terminal.read_until("positions. ")
        terminal.type("\x03")
        terminal.read_until("> ")
        terminal.type("a1\r")
        terminal.read_until("error: you cannot take a1, it is my move: expected go, undo or quit")
        terminal.type("undo\r")
        terminal.read_until("Takahashi (X) to move.")
        terminal.type("quit\r")
        assert terminal.wait() == 0
