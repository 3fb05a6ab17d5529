"""`yomikiri guess practice`: puzzles from lists of codes.

Also tests `wording/puzzles.py`: the sentences of puzzles.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.run import run, session
from tests.terminal import Terminal

PRACTICE = ("guess", "practice", "--seed", "tea")


def test_puzzle_grades_each_guess_and_counts_the_first(lists: tuple[str, ...]):
    shown = session(*PRACTICE, *lists, given="spice\ncrane\nbrake\nnew\nanswer\n")
    assert "5 candidates. What do you guess?" in shown
    assert "crane costs 1.00 guess. There is a better one." in shown
    assert "does not split them" in shown
    assert "0 of 2 solved at once" in shown


def test_puzzle_solved_at_once_counts(lists: tuple[str, ...]):
    shown = session(*PRACTICE, *lists, given="drake\n")
    assert "drake is a best guess." in shown
    assert "1 of 1 solved at once" in shown


def test_three_hints_then_an_error(lists: tuple[str, ...]):
    shown = session(*PRACTICE, *lists, given="hint\nhint\nhint\nhint\n")
    assert "A best guess splits the candidates into" in shown
    assert "Its symbols: a d e k r." in shown
    assert "error: you have all three hints: type 'answer' for a best guess" in shown


def test_word_with_the_name_of_a_command_is_a_guess(tmp_path: Path):
    words = tmp_path / "words.txt"
    words.write_text("hint\nmint\nmain\ntail\nquit\ntint\nlint\n")
    options = ("guess", "practice", "--secrets", str(words), "--seed", "tea")
    shown = session(*options, given="hint\n/hint\n/quit\n")
    assert "4 candidates. What do you guess?" in shown
    assert "hint is a best guess." in shown or "hint costs " in shown
    assert "  1. " in shown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--difficulty", "hard"), "error: seed 'tea' gives no hard puzzle under these rules"),
        (("--seed", "a b"), "error: seed 'a b': expected 1 to 40 letters"),
        (("--hard", "--consistent"), "error: "),
        (("--within", "4"), "error: No such option"),
    ],
)
def test_invalid_options_are_refused(lists: tuple[str, ...], options: tuple[str, ...], message: str):
    result = run(*PRACTICE, *lists, *options)
    assert result.exit_code == 2
    assert message.casefold() in result.stderr.casefold()


def test_wrong_guess_is_refused_and_the_puzzle_continues(lists: tuple[str, ...]):
    shown = session(*PRACTICE, *lists, given="cran\ndrake\n")
    assert "error: 'cran' has 4 symbols: expected 5" in shown
    assert "drake is a best guess." in shown


def test_puzzles_in_japanese(lists: tuple[str, ...]):
    shown = run("--lang", "ja", *PRACTICE, *lists, given="drake\n").stdout
    assert "1 問中 1 問を 1 回で正解" in shown


def test_interrupt_at_a_terminal_ends_the_session(lists: tuple[str, ...]):
    with Terminal(*PRACTICE, *lists) as terminal:
        terminal.see("5 candidates. What do you guess?", "your guess >")
        assert terminal.interrupt() == 130
