"""`yomikiri tictactoe practice`: puzzles, their hints and their answers.

Also tests `cli/puzzles.py`: behaviour that the puzzles of both games share.
"""

from __future__ import annotations

import pytest
from tests.cli.run import session
from tests.terminal import Terminal

from yomikiri.common.enums import Difficulty
from yomikiri.tictactoe.puzzles import check, generated

TEA = ("tictactoe", "practice", "--seed", "tea")


def answer_to(seed: str, kind: Difficulty = Difficulty.EASY) -> tuple[str, str]:
    """Return the right move of a puzzle and a wrong one."""
    puzzle = generated(seed, kind)
    position = puzzle.position
    solved = {check(puzzle, move).solved: position.board.name(move) for move in position.moves}
    return solved[True], solved[False]


@pytest.mark.parametrize("kind", Difficulty)
def test_wrong_move_can_be_retried_and_the_right_one_ends_the_puzzle(kind: Difficulty):
    right, wrong = answer_to("tea", kind)
    shown = session(*TEA, "--difficulty", str(kind), given=f"{wrong}\n{right}\n{right}\n")
    assert f"{right} is right." in shown
    assert f"{wrong} is right." not in shown
    assert "error: this puzzle is over: type 'new' or 'quit'" in shown
    assert "Best play: " in shown.partition(f"{right} is right.")[2]


def test_puzzle_has_three_hints_and_an_answer():
    right, _wrong = answer_to("tea")
    shown = session(*TEA, given="hint\nhint\nhint\nhint\nanswer\n")
    assert all(f"  {number}. " in shown for number in (1, 2, 3))
    assert "  4. " not in shown
    assert "error: you have all three hints: type 'answer' for the move" in shown
    assert f"{right} is right." in shown


def test_new_shows_the_puzzle_of_the_next_seed():
    right, _wrong = answer_to("tea")
    following, _wrong = answer_to("tea-2")
    shown = session(*TEA, given=f"{right}\nnew\n{following}\n")
    assert f"\n{following} is right." in shown.partition(f"\n{right} is right.")[2]


def test_invalid_moves_are_refused():
    for line in ("z9", "a1 b1", "nonsense"):
        shown = session(*TEA, given=f"{line}\n")
        assert "error: " in shown
        assert "Best play" not in shown


def test_piped_session_shows_the_next_puzzle_in_full():
    assert session(*TEA, given="new\n").count("One move is right.") == 2


def test_puzzle_fills_one_screen_and_the_answer_replaces_it():
    right, wrong = answer_to("tea")
    with Terminal(*TEA, columns=80, rows=24) as terminal:
        terminal.see("One move is right.", "your move >")
        terminal.type(f"{wrong}\n")
        terminal.see(f"{wrong} spoils the result. Try again.", "your move >")
        terminal.type(f"{right}\n")
        assert "One move is right." not in terminal.see(f"{right} is right.", "new or quit >")
        terminal.type("n\n")
        terminal.see("One move is right.", "your move >")
        terminal.type("\x04")
        assert terminal.wait() == 0
