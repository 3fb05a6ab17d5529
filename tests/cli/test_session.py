"""What every game at the terminal has in common: the same commands, and nothing left behind by a program."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.run import run
from tests.examples import examples
from tests.terminal import Terminal

from yomikiri.cli.session import split_edit
from yomikiri.errors import TurnError
from yomikiri.saves import default_folder

ASSIST, MATCH = ("assist",), ("match", "--secret", "314")
ALONE, PROGRAM = ("play", "--seed", "5"), ("play", "--who", "program")
BOTH = ("play", "--who", "both", "--seed", "5", "--no-handicap")
GAMES = [ASSIST, MATCH, ALONE, PROGRAM, BOTH]
# A line that each game understands, and another that may stand in its place.
LINES = {ASSIST: ("012 0H1B", "345 1H1B"), MATCH: ("012 0H1B", "345 1H1B"), ALONE: ("012", "345"),
         PROGRAM: ("012 0H1B", "345 1H1B"), BOTH: ("012", "345")}  # fmt: skip

every_game = pytest.mark.parametrize("game", GAMES, ids=" ".join)


def shown(game: tuple[str, ...], *lines: str) -> str:
    result = run("hitblow", *game, given="\n".join(lines))
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


@every_game
def test_every_game_has_the_same_commands(game: tuple[str, ...]):
    names = [line.split()[0] for line in shown(game, "help").splitlines() if line.startswith("  ")]
    assert {"undo", "edit", "list", "table", "why", "new", "quit"} <= set(names)
    said = shown(game, "list", "table", "why", "why 345", "new", "ＨＥＬＰ", "Quit", "nonsense")
    assert "error" not in said
    assert "nonsense" not in said


@every_game
def test_a_line_is_listed_taken_back_and_put_in_place_of_another(game: tuple[str, ...]):
    first, other = LINES[game]
    assert re.search(rf"^1\. (?:you )?{first[:3]} ", shown(game, first, "list"), re.MULTILINE)
    assert not re.search(r"^1\. (?:you )?012 ", shown(game, first, "undo", "list"), re.MULTILINE)
    assert re.search(rf"^1\. (?:you )?{other[:3]} ", shown(game, first, f"edit 1 {other}", "list"), re.MULTILINE)
    assert not re.search(r"^1\. (?:you )?012 ", shown(game, first, "new", "list"), re.MULTILINE)


@every_game
@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("undo", "nothing to undo"),
        ("edit", "'edit ' is incomplete: expected a turn number"),
        ("why 33", "'33' is not a code"),
        ("??", "'??'"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_the_game_goes_on(game: tuple[str, ...], line: str, complaint: str):
    said = shown(game, line, LINES[game][0], "list")
    (error,) = [text for text in said.splitlines() if text.startswith("error: ")]
    assert complaint in error or line == "edit"
    assert re.search(r"^1\. (?:you )?012 ", said, re.MULTILINE)


@every_game
def test_a_program_leaves_no_saved_game(game: tuple[str, ...]):
    assert "saved; --resume" not in shown(game, LINES[game][0])
    assert not default_folder().exists()


@pytest.mark.parametrize("game", [ALONE, BOTH], ids=" ".join)
def test_who_guesses_at_a_terminal_may_go_on_with_another_secret_and_leaves_no_file(game: tuple[str, ...]):
    secret = shown(game, "quit").split("The secret was ")[1][:3]
    with Terminal("hitblow", *game) as terminal:
        terminal.read_until("your guess> ")
        terminal.type(f"{secret}\n")
        terminal.read_until("in 1")
        terminal.type("012\n")
        terminal.read_until("This game is over; 'new' starts another.")
        terminal.type("new\n")
        terminal.read_until("your guess> ")
        terminal.type("\x04")
        terminal.read_until("The secret was ")
        other = terminal.read_until(".")[:3]
        assert terminal.wait() == 0
    assert other != secret
    assert not default_folder().exists()


@pytest.mark.parametrize("game", [ALONE, BOTH, MATCH], ids=" ".join)
def test_an_interrupt_ends_every_game_with_130(game: tuple[str, ...]):
    with Terminal("hitblow", *game) as terminal:
        terminal.read_until("> ")
        assert terminal.interrupt() == 130
        assert "Traceback" not in terminal.shown


def test_the_program_s_win_can_be_taken_back():
    said = shown(("play", "--who", "both", "--first", "opponent", "--no-handicap"), "3H0B", "undo", "0H1B", "345")
    assert "I win in 1 guess." in said
    assert said.count("I guess 012.") == 2
    assert "I guess 134." in said


def test_a_new_match_begins_with_a_symbol_shown_anew():
    match = ("play", "--who", "both", "--first", "opponent", "--seed", "3")
    said = shown(match, "0H0B", "new", "0H0B", "new")
    assert len(re.findall(r"I go first\. My secret does not use (\d)", said)) == 3
    said = shown(("play", "--who", "both", "--seed", "3"), "7", "012", "new", "8", "012", "0H0B", "list")
    assert "error" not in said
    assert said.count("I guess ") == 2


LINE = st.one_of(
    st.sampled_from(["undo", "edit 1 0H1B", "edit 2", "list", "x", "table", "why", "why 01", "new", "0H1B", "01 0 0"]),
    st.from_regex(r"[0-9]{2} [0-2]H[0-2]B", fullmatch=True),
    st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=10),
)


@pytest.mark.parametrize("command", [("assist",), ("play",), ("play", "--who", "both"), ("play", "--who", "program")])
@examples(500)
@given(lines=st.lists(LINE, max_size=6))
def test_any_lines_typed_are_answered_without_a_traceback(command, lines):
    result = run("hitblow", *command, "--digits", "2", given="\n".join(lines))
    assert result.exit_code == 0
    assert result.stderr == ""


def test_an_answer_is_told_again_where_a_guess_was_mended_and_not_where_a_line_was_taken_back():
    said = shown(MATCH, "0H1B", "345", "edit 2 354", "0H1B", "456", "undo", "undo")
    assert re.findall(r"Answer (\dH\dB)", said) == ["1H1B", "2H0B", "0H1B"]
    said = shown(BOTH, "012", "0H1B", "345", "edit 3 354", "undo")
    assert [line[:4] for line in said.splitlines() if re.match(r"\d{3}:", line)] == ["012:", "345:", "354:"]


def test_an_edit_names_its_line():
    assert split_edit("2 1H1B") == (2, "1H1B")
    assert split_edit("２　345 1H1B") == (2, "345 1H1B")
    for text in ("", "2", "x 1H1B", "-1 1H1B"):
        with pytest.raises(TurnError, match="edit"):
            split_edit(text)
