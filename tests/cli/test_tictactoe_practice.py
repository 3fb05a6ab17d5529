"""`yomikiri tictactoe practice`: the puzzles of the page, with three hints, the check and the answer."""

from __future__ import annotations

import pytest
from tests.cli.run import run
from tests.terminal import Terminal

from yomikiri.grades import Difficulty
from yomikiri.tictactoe.puzzles import check, clues, generated
from yomikiri.wording import tictactoe_puzzles as wording

TEA = ("tictactoe", "practice", "--seed", "tea")


def test_a_puzzle_has_three_hints_and_an_answer_with_its_reason():
    shown = run(*TEA, given="hint\nhint\nhint\nhint\nanswer\na3\n").stdout
    puzzle = generated("tea", Difficulty.EASY)
    given = wording.clues(clues(puzzle))
    assert "Aoki (O) to move. One move is right.\n" in shown
    assert [f"  {number}. {clue}\n" in shown for number, clue in enumerate(given, start=1)] == [True] * 3
    assert "error: there are three hints, and you have them" in shown
    assert "c1 is right.\n" in shown
    assert "Takahashi threatens a1 b1 c1: c1 is the only move.\n" in shown
    assert "error: this puzzle is done" in shown


@pytest.mark.parametrize("difficulty", Difficulty)
def test_just_the_moves_that_keep_the_result_solve_it(difficulty: Difficulty):
    puzzle = generated("tea", difficulty)
    board = puzzle.position.board
    for move in puzzle.position.moves:
        shown = run(*TEA, "--difficulty", str(difficulty), given=f"{board.name(move)}\n").stdout
        assert (f"{board.name(move)} is right." in shown) is check(puzzle, move).solved


def test_what_is_no_free_cell_is_said_and_the_puzzle_stays():
    shown = run(*TEA, given="a1\nzz\nb2 c1\nc1\n").stdout
    assert "error: a1 is already taken" in shown
    assert "error: 'zz' is not a cell" in shown
    assert "error: 'b2 c1' is not a move" in shown
    assert "c1 is right." in shown


def test_the_next_puzzle_of_a_seed_is_always_the_same_one():
    first, second = (run(*TEA, given="new\n").stdout for _ in range(2))
    assert first == second
    assert first.count("One move is right.") == 2


def test_at_a_terminal_a_puzzle_is_a_screenful_and_the_answer_takes_its_place():
    with Terminal(*TEA, columns=80, rows=24) as terminal:
        terminal.see("One move is right.", "your move >")
        terminal.type("b2\n")
        terminal.see("b2 gives the result away. Try once more.", "your move >")
        terminal.type("c1\n")
        shown = terminal.see("c1 is right.", "new or quit >")
        assert "One move is right." not in shown
        terminal.type("n\n")
        terminal.see("One move is right.", "your move >")
        terminal.type("\x04")
        assert terminal.wait() == 0
