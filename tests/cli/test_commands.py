"""Commands inside a session: synonyms, suggestions for mistyped commands, and paged help."""

from __future__ import annotations

import pytest
from tests.cli.run import run
from tests.terminal import Terminal

from yomikiri.cli.commands import nearest, rows_of_help, with_digits
from yomikiri.cli.text import width

NAMES = ["help", "quit", "undo", "redo", "edit", "fix", "list", "table", "why", "review", "hint", "giveup", "new"]


def said(*lines: str, game: tuple[str, ...] = ("assist",)) -> str:
    return run("hitblow", *game, given="\n".join(lines)).output


@pytest.mark.parametrize(
    ("word", "meant"),
    [("undoo", "undo"), ("wy", "why"), ("lst", "list"), ("hlep", "help"), ("qiut", "quit"), ("exitt", "quit"),
     ("giveupp", "giveup"), ("corect", "edit"), ("012", ""), ("zzz", ""), ("", "")],
)  # fmt: skip
def test_nearest_finds_the_command_meant_by_a_mistyped_word(word: str, meant: str):
    assert nearest(word, NAMES) == meant


def test_with_digits_replaces_letters_that_look_like_digits():
    assert with_digits("oh1b") == "0h1b"
    assert with_digits("O12 lH IB") == "012 1H 1B"


@pytest.mark.parametrize("game", [("assist",), ("match",), ("play",), ("play", "--who", "both"), ("daily",)])
@pytest.mark.parametrize("word", ["hlep", "qiut", "lst", "/lst"])
def test_mistyped_commands_get_a_suggestion(game: tuple[str, ...], word: str):
    meant = {"hlep": "help", "qiut": "quit"}.get(word, "list")
    assert f"error: '{word}' is not a command: did you mean '{meant}'?\n" in said(word, game=game)


def test_mistyped_answers_and_guesses_get_a_suggestion():
    assert "error: cannot read 'oh1b': did you mean '0h1b'?\n" in said("oh1b")
    assert "error: cannot read 'O12 lH0B': did you mean '012 1H0B'?\n" in said("O12 lH0B")
    assert "error: cannot read 'o12': did you mean '012'?\n" in said("o12", game=("play",))
    letters = ("assist", "--digits", "3", "--symbols", "olxyz")
    assert "did you mean" not in said("oxx 1H1B", game=letters)


def test_save_is_refused_because_each_turn_is_saved():
    assert "error: 'save' is not needed: each turn is saved" in said("save")
    assert "is not needed" not in said("save", game=("play",))


@pytest.mark.parametrize(
    ("game", "word", "shown"),
    [
        (("assist",), "h", "  help all "),
        (("assist",), "なぜ", "It splits"),
        (("assist",), "correct 1 0H2B", "1. 012 0H2B"),
        (("play", "--seed", "5"), "give up", "The secret was "),
        (("play", "--seed", "5"), "ギブアップ", "The secret was "),
        (("daily", "--day", "2026-11-22"), "Give  up", "The secret was 619."),
        (("practice", "--seed", "tea"), "降参", " is a best guess."),
    ],
)
def test_commands_have_synonyms_in_both_languages(game: tuple[str, ...], word: str, shown: str):
    heard = said(*(["0H1B"] if game == ("assist",) else []), word, "never heard", game=game)
    assert shown in heard
    assert "is not a command" not in heard


@pytest.mark.parametrize("word", ["やめる", "bye", "exit"])
def test_input_after_quit_is_not_read(word: str):
    assert "never" not in said(word, "never heard")


def test_symbol_of_the_game_is_not_read_as_command():
    assert "error" not in said("h", game=("assist", "--digits", "1"))
    assert "  quit " not in said("h", game=("assist", "--digits", "1"))


@pytest.mark.parametrize(
    ("about", "row"),
    [("edit", "  edit N 1H1B  correct the answer of turn N"), ("なぜ", "  why [345]  the reason for this guess"),
     ("/undo", "  undo  undo your last entry"), ("help", "  help COMMAND  explain one command"),
     ("q", "  quit  quit; your game is saved\nAlso: q, exit, bye, 終了, やめる\n"),
     ("has", "  has 3  in the secret: 3")],
)  # fmt: skip
def test_help_explains_one_command(about: str, row: str):
    assert row in said(f"help {about}")
    assert "  undo  take" not in said(f"help {about}") or about == "/undo"


def test_help_for_an_unknown_command_suggests_the_nearest():
    assert "error: 'udno' is not a command: did you mean 'undo'?" in said("help udno")
    assert "error: 'xyzzy' is not a command: expected one that 'help' lists" in said("help xyzzy")


def test_help_in_a_narrow_window_puts_each_form_above_its_meaning(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "40")
    rows = [
        ("change / チェンジ 2 high", "the secret was changed in that place, word by word"),
        ("undo", "take it back"),
    ]
    shown = "\n".join(rows_of_help(rows, is_wrapped=True)).splitlines()
    assert shown == [
        "  change / チェンジ 2 high", "      the secret was changed in that", "      place, word by word",
        "  undo", "      take it back",
    ]  # fmt: skip
    assert all(width(line) <= 40 for line in shown)


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 20)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_long_help_is_paged(columns: int, rows: int, language: str):
    more, back = ("Enter shows more", "Enter goes back") if language == "en" else ("Enter で続き", "Enter で戻る")
    with Terminal("hitblow", "match", columns=columns, rows=rows, LANGUAGE=language) as terminal:
        terminal.see("012")
        terminal.type("help all\n")
        assert "1H1B, 1 1" in terminal.see(more)
        for _page in range(8):
            before = terminal.screen
            terminal.type("\n")
            while terminal.screen == before or not terminal.screen.endswith(">"):
                terminal.read(20)
            if back in terminal.screen:
                break
        assert "  quit" in terminal.see(back)
        terminal.type("\n")
        terminal.see("<- ", seconds=20)


def test_line_typed_at_the_pager_is_read_as_the_next_input():
    with Terminal("hitblow", "match", columns=80, rows=24) as terminal:
        terminal.see("answer to 012 >")
        terminal.type("help all\n")
        terminal.see("Enter shows more")
        terminal.type("0H1B\n")
        terminal.see("012     0H1B", "their guess")
