"""Keys and screens of all games in a pseudo-terminal: Ctrl-C, Ctrl-D, Enter, Tab, and redrawing.

Also tests `cli/keyboard.py`: keys typed in a terminal.
Also tests `cli/hitblow_screens.py`: the contents of the screen.
Also tests `wording/screens.py`: sentences on the screen.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from tests.cli.test_saved_games import MASTERMIND, STANDARD, kept
from tests.terminal import Terminal

from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.saves import GameStorage

GAMES = {
    "assist": ("hitblow", "assist"),
    "alone": ("hitblow", "play", "--seed", "tea"),
    "both": ("hitblow", "play", "--who", "both", "--seed", "tea", "--no-handicap"),
    "match": ("hitblow", "match"),
    "tictactoe": ("tictactoe", "play", "--seed", "3"),
}
AGAIN = "Press Ctrl-C again to quit."
SIZES = [(80, 24), (120, 40), (40, 20)]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_ctrl_c_clears_the_line_then_warns_then_exits_130(game: str):
    with Terminal(*GAMES[game]) as terminal:
        terminal.see(">")
        terminal.type("xyz")
        terminal.see("> xyz")
        terminal.type("\x03")
        while "> xyz" in terminal.screen:
            terminal.read()
        assert AGAIN not in terminal.screen
        terminal.type("\x03")
        terminal.see(AGAIN)
        terminal.type("\x03")
        assert terminal.wait() == 130
        assert "Traceback" not in terminal.shown


def test_input_between_two_ctrl_c_continues_the_session():
    with Terminal() as terminal:
        terminal.see("answer to 012 >")
        terminal.type("\x03")
        terminal.see(AGAIN)
        terminal.type("0H1B\n")
        terminal.see("answer to 134 >")
        terminal.type("\x03")
        terminal.see(AGAIN)
        terminal.type("\x04")
        assert terminal.wait() == 0


def leave(terminal: Terminal, way: str) -> None:
    """Quit with these keys."""
    terminal.type(way)
    if way == "\x03":
        terminal.see(AGAIN)
        terminal.type(way)
    terminal.wait()


@pytest.mark.slow
@pytest.mark.parametrize("way", ["\x04", "quit\n", "\x03"])
@pytest.mark.parametrize("game", ["alone", "both"])
def test_every_exit_from_a_game_shows_the_secret(game: str, way: str):
    with Terminal(*GAMES[game]) as terminal:
        terminal.see(">")
        leave(terminal, way)
        assert "The secret was 307." in terminal.screen


@pytest.mark.slow
@pytest.mark.parametrize("way", ["\x04", "quit\n", "\x03"])
def test_every_exit_from_the_assistant_saves_the_game(way: str):
    with Terminal() as terminal:
        terminal.see("answer to 012 >")
        terminal.type("0H1B\n")
        terminal.see("answer to 134 >")
        leave(terminal, way)
        assert "Saved. Start the program again to continue." in terminal.screen
    assert [str(saved.game) for saved in GameStorage(Knowledge).games()] == ["012:0H1B"]


def test_enter_redraws_the_screen_without_other_effect():
    with Terminal(columns=80, rows=24) as terminal:
        terminal.type("0H1B\nwhy\n")
        before = terminal.see("answer to 134 >", "It splits 252")
        terminal.type("\n")
        while "It splits 252" in terminal.screen:
            terminal.read()
        after = terminal.see("answer to 134 >")
        assert before.startswith("\n".join(after.splitlines()[:-1]))


def test_tab_completes_a_command():
    with Terminal() as terminal:
        terminal.see("answer to 012 >")
        terminal.type("tab\t")
        terminal.see("> table")
        terminal.type("\n")
        terminal.see("place 1")


def test_typed_ahead_input_is_echoed_only_at_its_prompt():
    with Terminal("hitblow", "assist", "--preset", "bulls", columns=80, rows=24) as terminal:
        terminal.see("answer to")
        terminal.type("0H1B\n1H1B\nundo\nredo\nlist\n")
        terminal.see("candidates: ")
    lines = terminal.shown.replace("\r", "\n").split("\n")
    echoed = [re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", line) for line in lines if re.search("redo$|undo$", line)]
    assert echoed
    assert all(line.startswith("answer to ") for line in echoed)


def test_better_guess_replaces_the_first_and_enter_stops_the_search():
    with Terminal("hitblow", "assist", "--digits", "5", "01234:1H1B", "--seconds", "100", columns=80) as terminal:
        shown = terminal.see("<- your guess", "the search continues")
        assert shown.count("<- your guess") == 1
        terminal.type("\n")
        shown = terminal.see("Not proven: the search was stopped.")
        assert shown.count("<- your guess") == 1
        terminal.type("quit\n")
        assert terminal.wait() == 0


def test_ctrl_c_stops_a_search_and_keeps_its_result():
    with Terminal("hitblow", "assist", "--digits", "5", "01234:1H1B", "--seconds", "100", columns=80) as terminal:
        terminal.see("<- your guess", "the search continues")
        terminal.type("\x03")
        assert AGAIN not in terminal.see("Not proven: the search was stopped.")


def test_interrupted_simulation_names_unfinished_policies():
    with Terminal("hitblow", "simulate", "--digits", "5", "--policy", "entropy") as terminal:
        terminal.see("%")
        terminal.type("\x03")
        terminal.see("Interrupted. Not finished: entropy")
        assert terminal.wait() == 130


# --- starting ---------------------------------------------------------------------------------------------------------


def test_ctrl_d_at_the_saved_games_quits():
    kept(STANDARD)
    with Terminal() as terminal:
        terminal.see("a or n [a] >")
        terminal.type("\x04")
        assert terminal.wait() == 0
        assert "answer to" not in terminal.screen
    assert GameStorage(Knowledge).games()


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_saved_games_with_matching_rules_are_listed_by_letter(columns: int, rows: int):
    bulls = Knowledge(Rules(4)).after(Turn.parse("0123:1H1B"))
    longer = Knowledge.parse("345:0H1B 617:1H0B 216:0H1B 809:0H1B")
    kept(STANDARD, MASTERMIND, bulls, longer)
    with Terminal(columns=columns, rows=rows) as terminal:
        shown = terminal.see("a-b or n [a] >").splitlines()
    games = [line for line in shown if line.startswith(("  a  ", "  b  "))]
    assert [line[2] for line in games] == ["a", "b"]
    assert "345 0H1B" in games[0]
    assert "012 0H1B" in games[1]
    assert not any("0123" in line or "1122" in line for line in shown)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("\n", "answer to 134 >"),
        ("a\n", "answer to 134 >"),
        ("n\n", "answer to 012 >"),
    ],
)
def test_enter_resumes_the_first_saved_game(typed: str, seen: str):
    kept(Knowledge.parse("012:0H1B"))
    with Terminal() as terminal:
        terminal.see("a or n [a] >")
        terminal.type(typed)
        terminal.see(seen)


def test_saved_game_is_deleted_by_its_letter():
    kept(STANDARD, Knowledge.parse("345:0H1B"))
    with Terminal() as terminal:
        terminal.see("a-b or n [a] >")
        terminal.type("delete a\n")
        terminal.see("a or n [a] >")
        terminal.type("what\n")
        terminal.see("error: 'what' is not in the list. Type a letter from the list, or n")
        terminal.type("n\n")
        terminal.see("answer to 012 >")
    assert len(GameStorage(Knowledge).games()) == 1


def test_play_offers_no_saved_games_with_other_rules():
    kept(MASTERMIND)
    with Terminal("hitblow", "play", "--who", "program") as terminal:
        assert "Saved games" not in terminal.see("answer to 012 >")


# --- drawing again ----------------------------------------------------------------------------------------------------


def test_two_ctrl_c_in_one_write_quit():
    with Terminal() as terminal:
        terminal.see("answer to 012 >")
        terminal.type("\x03\x03")
        assert terminal.wait(30) == 130


def test_two_ctrl_c_after_a_partial_line_do_not_quit():
    with Terminal() as terminal:
        terminal.see("answer to 012 >")
        terminal.type("345\x03\x03")
        terminal.see(AGAIN, seconds=30)
        terminal.type("0H1B\n")
        terminal.see("answer to 134 >", seconds=30)


@pytest.mark.slow
@pytest.mark.parametrize("why", ["Ctrl-L", "resize", "fg"])
def test_redraw_keeps_the_partial_line(why: str):
    with Terminal(columns=80, rows=24, COLUMNS="", LINES="") as terminal:
        terminal.see("answer to 012 >")
        terminal.type("why\n")
        terminal.see("It splits 720")
        terminal.type("012 0H")
        terminal.see("> 012 0H", seconds=30)
        terminal.spoil()
        if why == "Ctrl-L":
            terminal.type("\x0c")
        elif why == "resize":
            terminal.resize(60, 20)
        else:
            terminal.stop_and_continue()
        shown = terminal.see("help", "It splits 720", "answer to 012 > 012 0H", seconds=30)
        assert max(map(len, shown.splitlines())) <= (60 if why == "resize" else 80)
        terminal.type("1B\n")
        terminal.see("012     0H1B", "answer to 134 >", seconds=30)


@pytest.mark.slow
@pytest.mark.parametrize("why", ["resize", "fg"])
def test_redraw_works_during_a_search(why: str):
    command = "hitblow", "assist", "--digits", "5", "01234:1H1B", "--seconds", "100"
    with Terminal(*command, columns=80, rows=24, COLUMNS="", LINES="") as terminal:
        terminal.see("<- your guess", "the search continues")
        terminal.spoil()
        terminal.resize(70, 20) if why == "resize" else terminal.stop_and_continue()
        terminal.see("<- your guess", "the search continues", seconds=30)
        terminal.type("quit\n")
        assert terminal.wait(30) == 0


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["emacs", "vi"])
@pytest.mark.parametrize("begun", ["", "345", "345\x1b"])
def test_ctrl_c_works_in_every_mode_of_the_line_editor(mode: str, begun: str, tmp_path: Path):
    (tmp_path / "inputrc").write_text(f"set editing-mode {mode}\nset keyseq-timeout 50\n", encoding="utf-8")
    with Terminal(INPUTRC=f"{tmp_path}/inputrc") as terminal:
        terminal.see("answer to 012 >")
        if begun:
            terminal.type(begun)
            terminal.see("345", seconds=30)
            time.sleep(0.3)  # so that the editor reads Escape as a separate key
        terminal.type("\x0c")
        time.sleep(0.5)
        terminal.type("\x03" * (2 if begun else 1))
        terminal.see(AGAIN, seconds=30)
        terminal.type("\x03")
        assert terminal.wait(30) == 130
