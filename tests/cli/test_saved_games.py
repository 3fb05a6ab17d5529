"""Saved games at a terminal and through pipes: listing, choosing, resuming and failures to save."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path

import pytest
from tests.cli.run import keep, run
from tests.cli.test_hitblow_session import ASSIST, MATCH, shown
from tests.terminal import Terminal

from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.match.notation import read_match
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import PRESETS, Turn, Words
from yomikiri.saves import GameStorage, default_folder


def kept(*games: Knowledge) -> None:
    """Save these games, the oldest first."""
    for number, game in enumerate(games):
        keeper = GameStorage(Knowledge)
        keeper.keep(game)
        assert keeper.path
        os.utime(keeper.path, (10**9 + number, 10**9 + number))
        keeper.release()


STANDARD = Knowledge(absent="7").after(Turn.parse("012:0H1B"))
MASTERMIND = Knowledge(PRESETS["mastermind"].rules).after(Turn.parse("1122:2H0B")).after(Turn.parse("1134:1H1B"))


def test_games_lists_saved_games_and_resumes_one_of_any_rules():
    kept(STANDARD, MASTERMIND)
    said = shown(ASSIST, "345 0H0B", "games", "games 3", "games 1", "undo", "games", "games 1", "list")
    assert re.search(r"^  1\. 09-09 .*4 digits of 123456, repeats allowed; 2 entries, last 1134 1B1W$", said, re.M)
    assert re.search(r"^  2\. 09-09 .*not in the secret: 7; 1 entry, last 012 0H1B$", said, re.M)
    assert "error: '3' is not a saved game" in said
    assert "1. 1122 2B0W\n2. 1134 1B1W\n3. Guess" in said, "in the words of that game"
    assert "Undone: 2. 1134 1B1W" in said
    assert "Not in the secret: 7\n1. 012 0H1B\n" in said
    files = sorted(json.loads(path.read_text())["game"] for path in default_folder().glob("*.json"))
    assert files == ["absent=7 turn=012:0H1B", "preset=mastermind turn=1122:2H0B"]


def test_resume_takes_the_latest_game_with_the_given_rules():
    kept(STANDARD, MASTERMIND)
    assert "2. 1134 1B1W\n3. Guess" in shown((*ASSIST, "--resume"))
    said = shown((*ASSIST, "--resume", "--preset", "hitblow", "--absent", "5"))
    assert "The saved game keeps its own settings and ignores --absent." in said
    assert "Not in the secret: 7\n1. 012 0H1B\n" in said
    assert "keeps its own" not in shown((*ASSIST, "--resume", "--preset", "hitblow", "--absent", "7"))
    assert "You have no saved game with these rules." in shown((*ASSIST, "--resume", "--preset", "bulls"))
    assert "You have no saved game." in shown((*MATCH, "--resume"))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (BlockingIOError(errno.EAGAIN, "busy"), "The saved game is open in another terminal."),
        (FileNotFoundError(errno.ENOENT, "gone"), "The saved game does not exist any more: another terminal finished"),
        (
            PermissionError(errno.EACCES, os.strerror(errno.EACCES)),
            "The saved game cannot be opened: Permission denied",
        ),
    ],
)
def test_saved_game_that_cannot_be_opened_has_its_reason(monkeypatch: pytest.MonkeyPatch, error: OSError, said: str):
    def fails(_keeper: object, _game: object) -> None:
        raise error

    kept(STANDARD)
    monkeypatch.setattr(GameStorage, "resume", fails)
    assert said in shown((*ASSIST, "--resume"))
    assert said in shown(ASSIST, "345 0H0B", "games 1")


def test_resumed_game_keeps_its_words_unless_others_are_given():
    kept(Knowledge().after(Turn.parse("012:0H1B")))
    keep(GameStorage(Match), read_match("me=012:0H1B"))
    for game, who in ((ASSIST, ""), (("match",), "they ")):
        assert f"2. {who}345 0E0B" in shown((*game, "--resume", "--words", "eat"), f"{who}345 0e0b")
        assert f"2. {who}345 0E0B" in shown((*game, "--resume"))
        assert f"2. {who}345 0E0B" in shown(game, "games 1")
        assert f"2. {who}345 0H0B" in shown((*game, "--resume", "--words", "hit"))


@pytest.mark.slow
def test_user_chooses_among_several_saved_games():
    kept(STANDARD, MASTERMIND, Knowledge.parse("345:0H1B"))
    for typed, what in (("b\n", "012     0H1B"), ("\n", "345     0H1B"), ("n\n", "answer to 012 >")):
        with Terminal("hitblow", "assist") as terminal:
            terminal.see("a-b or n [a] >")
            terminal.type(typed)
            terminal.see(what)
            terminal.type("quit\n")
            assert terminal.wait() == 0
    with Terminal("hitblow", "assist", "--preset", "mastermind") as terminal:
        terminal.see("a or n [a] >")
        terminal.type("n\n")
        terminal.see("answer to")
        terminal.type("1122 1 1\nnew\n")
        terminal.see("The game so far is saved; 'games' lists it.")
        terminal.type("quit\n")
        assert terminal.wait() == 0
    assert len(GameStorage(Knowledge).games()) == 4


def test_invalid_choices_start_and_delete_nothing():
    kept(STANDARD, Knowledge.parse("345:0H1B"))
    with Terminal(rows=60) as terminal:
        terminal.see("a-b or n [a] >")
        for typed in ("1EAT", "1H0B", "345 1H0B", "z", "3", "0", "c", "list", "delete", "delete c", "n x"):
            terminal.type(f"{typed}\n")
            expected = "'delete' needs a letter" if typed == "delete" else f"'{typed}' is not in the list."
            terminal.see(f"error: {expected}")
            assert "answer to" not in terminal.see("a-b or n [a] >")
        terminal.type("q\n")
        assert terminal.wait() == 0
    assert [str(saved.game) for saved in GameStorage(Knowledge).games()] == ["345:0H1B", str(STANDARD)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("b", "012     0H1B"),
        ("2", "012     0H1B"),
        ("1", "345     0H1B"),
        ("B", "012     0H1B"),
        ("y", "345     0H1B"),
        ("はい", "345     0H1B"),
        ("no", "answer to 012 >"),
        ("いいえ", "answer to 012 >"),
    ],
)
def test_saved_game_is_chosen_by_letter_number_or_yes(typed: str, seen: str):
    kept(STANDARD, Knowledge.parse("345:0H1B"))
    with Terminal() as terminal:
        terminal.see("a-b or n [a] >")
        terminal.type(f"{typed}\n")
        terminal.see(seen)


def test_unlisted_saved_games_are_counted():
    kept(*(Knowledge.parse(f"{first}45:0H1B") for first in "012367"), MASTERMIND)
    with Terminal(columns=40, rows=12) as terminal:
        terminal.see("a-d or n [a] >", "3 more games: type n, then 'games'.")
    with Terminal() as terminal:
        terminal.see("a-f or n [a] >", "1 more game: type n, then 'games'.")


@pytest.mark.slow
def test_games_of_play_are_offered_by_play_only():
    kept(STANDARD)
    with Terminal("hitblow", "play", "--who", "program", "--absent", "7") as terminal:
        shown = terminal.see("answer to 012 >", "<- my guess")
        assert "Saved games" not in shown
        terminal.type("0H2B\n")
        terminal.see("<- my guess", "0H2B")
        terminal.type("games\n")
        terminal.see("You have no other saved game.")
        terminal.type("quit\n")
        assert terminal.wait() == 0
    with Terminal() as terminal:
        shown = terminal.see("a or n [a] >")
        assert "012 0H2B" not in shown
    with Terminal("hitblow", "play", "--who", "program") as terminal:
        assert "012 0H2B" in terminal.see("a or n [a] >")


@pytest.mark.slow
@pytest.mark.parametrize("command", [(), ("hitblow", "match"), ("hitblow", "play", "--who", "program")])
def test_failure_to_save_shows_path_and_cause_and_is_repeated_at_quit(command: tuple[str, ...], tmp_path: Path):
    (tmp_path / "file").write_text("")
    with Terminal(*command, columns=200, HOME=f"{tmp_path}/file", XDG_DATA_HOME="") as terminal:
        terminal.see("answer to 012 >")
        terminal.type("012 0H1B\n")
        terminal.see("The game cannot be saved:", "file", "Not a directory")
        terminal.type("quit\n")
        assert terminal.wait() == 0
        assert terminal.screen.endswith("The game was not saved.")


def test_resume_notice_names_the_ignored_option():
    kept(STANDARD)
    assert run("hitblow", "opponents", "add", "bob", "371", "731").exit_code == 0
    said = shown((*ASSIST, "--resume", "--secrets-of", "bob"))
    assert "The saved game keeps its own settings and ignores --secrets-of." in said


def test_resume_respects_every_given_rule():
    kept(STANDARD)
    assert "You have no saved game with these rules." in shown((*ASSIST, "--resume", "--no-leading", "0"))
    keep(GameStorage(Match), read_match("me=012:0H1B"))
    for options in (("--secret-digits", "4"), ("--secret-no-leading", "0")):
        assert "You have no saved game with these rules." in shown(("match", "--resume", *options))
    assert "1. you 012" in shown(("match", "--resume", "--secret-digits", "3"))


def test_only_games_with_the_given_rules_are_offered():
    kept(STANDARD)
    with Terminal("hitblow", "play", "--who", "program", "--preset", "mastermind") as terminal:
        said = terminal.see("Think of a secret.")
    assert "Saved games" not in said


def test_errors_use_the_words_of_the_resumed_game():
    keeper = GameStorage(Knowledge)
    keeper.keep(STANDARD, words=Words.EAT)
    keeper.release()
    with Terminal() as terminal:
        terminal.see("a or n [a] >")
        terminal.type("a\n345 4H1B\n")
        terminal.see("error: 4E1B is impossible for 345")
        terminal.type("new\nquit\n")
        assert terminal.wait() == 0
    with Terminal(rows=40) as terminal:
        terminal.see("a or n [a] >")
        terminal.type("n\n345 4H1B\n")
        terminal.see("error: 4H1B is impossible for 345")
        terminal.type("games 1\n345 4H1B\n")
        terminal.see("error: 4E1B is impossible for 345")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["assist", "match", "play"])
def test_errors_at_a_terminal_use_the_given_words(command: str):
    who = ("--who", "program") if command == "play" else ()
    with Terminal("hitblow", command, *who, "--words", "bull") as terminal:
        terminal.see("answer to 012 >")
        terminal.type("4H1B\n")
        terminal.see("error: 4B1C is impossible for 012")
    with Terminal("hitblow", command, *who, "--preset", "mastermind") as terminal:
        terminal.see("answer to")
        terminal.type("3B1W\n")
        terminal.see("error: 3B1W is impossible")
