"""Behaviour that all games at the terminal share: commands, undo, review and saved games."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.run import session
from tests.examples import examples
from tests.terminal import Terminal

from yomikiri.cli.hitblow_session import split_edit
from yomikiri.common.errors import TurnError
from yomikiri.saves import default_folder

ASSIST, MATCH = ("assist",), ("match", "--secret", "314")
ALONE, PROGRAM = ("play", "--seed", "5"), ("play", "--who", "program")
BOTH = ("play", "--who", "both", "--seed", "5", "--no-handicap")
GAMES = [ASSIST, MATCH, ALONE, PROGRAM, BOTH]
# Two alternative first entries for each game.
LINES = {ASSIST: ("012 0H1B", "345 1H1B"), MATCH: ("012 0H1B", "345 1H1B"), ALONE: ("012", "345"),
         PROGRAM: ("012 0H1B", "345 1H1B"), BOTH: ("012", "345")}  # fmt: skip

every_game = pytest.mark.parametrize("game", GAMES, ids=" ".join)


def shown(game: tuple[str, ...], *lines: str) -> str:
    return session("hitblow", *game, given="\n".join(lines))


@every_game
def test_every_game_has_the_same_commands(game: tuple[str, ...]):
    names = [line.split()[0] for line in shown(game, "help all").splitlines() if line.startswith("  ")]
    assert {"undo", "edit", "list", "table", "why", "new", "quit"} <= set(names)
    said = shown(game, "list", "table", "why", "why 345", "new", "ＨＥＬＰ", "Quit", "nonsense")
    assert "error" not in said
    assert "nonsense" not in said


def after_undo(said: str) -> str:
    return said.rpartition("Undone: ")[2].partition("\n")[2]


@every_game
def test_line_is_listed_undone_and_replaced(game: tuple[str, ...]):
    first, other = LINES[game]
    assert re.search(rf"^1\. (?:you )?{first[:3]} ", shown(game, first, "list"), re.MULTILINE)
    assert not re.search(r"^1\. (?:you )?012 ", after_undo(shown(game, first, "undo", "list")), re.MULTILINE)
    assert re.search(rf"^1\. (?:you )?{other[:3]} ", shown(game, first, f"edit 1 {other}", "list"), re.MULTILINE)
    assert len(re.findall(r"^1\. (?:you )?012 ", shown(game, first, "new", "list"), re.MULTILINE)) == 1


@every_game
@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("undo", "no turn to undo"),
        ("edit", "'edit' is incomplete: expected a turn number"),
        ("why 33", "'33' is not a code"),
        ("??", "'??'"),
    ],
)
def test_invalid_commands_are_reported_and_the_game_continues(game: tuple[str, ...], line: str, complaint: str):
    said = shown(game, line, LINES[game][0], "list")
    (error,) = [text for text in said.splitlines() if text.startswith("error: ")]
    assert complaint in error or line == "edit"
    assert re.search(r"^1\. (?:you )?012 ", said, re.MULTILINE)


@every_game
def test_piped_session_saves_no_game(game: tuple[str, ...]):
    assert "saved; --resume" not in shown(game, LINES[game][0])
    assert not default_folder().exists()


@pytest.mark.parametrize("game", [ALONE, BOTH], ids=" ".join)
def test_new_game_draws_another_secret_and_saves_no_file(game: tuple[str, ...]):
    secret = shown(game, "quit").split("The secret was ")[1][:3]
    with Terminal("hitblow", *game) as terminal:
        terminal.read_until("your guess > ")
        terminal.type(f"{secret}\n")
        terminal.read_until("in 1")
        terminal.type("012\n")
        terminal.read_until("the game is over: type 'review', 'new' or 'quit'")
        terminal.type("new\n")
        terminal.read_until("your guess > ")
        terminal.type("\x04")
        terminal.read_until("The secret was ")
        other = terminal.read_until(".")[:3]
        assert terminal.wait() == 0
    assert other != secret
    assert not default_folder().exists()


@pytest.mark.slow
@pytest.mark.parametrize("game", [ALONE, BOTH, MATCH], ids=" ".join)
def test_interrupt_exits_every_game_with_130(game: tuple[str, ...]):
    with Terminal("hitblow", *game) as terminal:
        terminal.read_until("> ")
        assert terminal.interrupt() == 130
        assert "Traceback" not in terminal.shown


def test_win_of_the_program_can_be_undone():
    said = shown((*BOTH, "--first", "opponent"), "3H0B", "undo", "0H1B", "345")
    assert "I win in 1 guess." in said
    assert said.count("I guess 012.") == 2
    assert "I guess 134." in said


def test_new_match_reveals_a_symbol_again():
    match = ("play", "--who", "both", "--first", "opponent", "--seed", "3")
    said = shown(match, "0H0B", "new", "0H0B", "new")
    assert len(re.findall(r"My secret does not use (\d)", said)) == 3
    said = shown(("play", "--who", "both", "--seed", "3"), "7", "012", "new", "8", "012", "0H0B", "list")
    assert "error" not in said
    assert said.count("I guess ") == 2


LINE = st.one_of(
    st.sampled_from(["undo", "edit 1 0H1B", "edit 2", "list", "x", "table", "why", "why 01", "new", "0H1B", "01 0 0"]),
    st.from_regex(r"[0-9]{2} [0-2]H[0-2]B", fullmatch=True),
    st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=10),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("assist",),
        ("play", "--who", "both"),
        *(pytest.param(rest, marks=pytest.mark.exhaustive) for rest in (("play",), ("play", "--who", "program"))),
    ],
)
@examples(250)
@given(lines=st.lists(LINE, max_size=6))
def test_random_lines_cause_no_traceback(command, lines):
    session("hitblow", *command, "--digits", "2", given="\n".join(lines))


def test_answer_is_repeated_after_edit_but_not_after_undo():
    said = shown(MATCH, "0H1B", "345", "edit 2 354", "0H1B", "456", "undo", "undo")
    assert re.findall(r"Answer (\dH\dB)", said) == ["1H1B", "2H0B", "0H1B"]
    said = shown(BOTH, "012", "0H1B", "345", "edit 3 354", "undo")
    assert re.findall(r"^\d\. you (\d{3})", said, re.MULTILINE) == ["012", "345", "354", "345"]


def test_edit_parses_turn_number_and_answer():
    assert split_edit("2 1H1B") == (2, "1H1B")
    assert split_edit("２　345 1H1B") == (2, "345 1H1B")
    for text in ("", "2", "x 1H1B", "-1 1H1B"):
        with pytest.raises(TurnError, match="edit"):
            split_edit(text)


def numbered(said: str) -> list[str]:
    """Return the output lines that echo or undo an entry."""
    return [text for text in said.splitlines() if re.match(r"(?:Undone: )?\d+\. (?!Guess|Their)", text)]


def test_each_line_is_echoed_in_normal_form():
    typed = "0H1B", "４５６　１－１", "edit 2 456 2 0", "nonsense"
    assert numbered(shown(ASSIST, *typed)) == ["1. 012 0H1B", "2. 456 1H1B", "2. 456 2H0B"]
    said = shown(("assist", "--preset", "mastermind"), "1122 2B", "1122 1 1")
    assert numbered(said) == ["1. 1122 2B0W", "2. 1122 1B1W"]


def test_undo_and_redo_step_through_input_lines():
    first, second = "012 0H1B", "345 1H1B"
    said = shown(ASSIST, first, second, "edit 1 0H2B", "undo", "undo", "redo", "redo", "undo", "undo", "undo", "undo")
    assert numbered(said) == [
        f"1. {first}", f"2. {second}", "1. 012 0H2B", f"1. {first}", f"Undone: 2. {second}", f"2. {second}",
        "1. 012 0H2B", f"1. {first}", f"Undone: 2. {second}", f"Undone: 1. {first}",
    ]  # fmt: skip
    assert said.count("error: no turn to undo") == 1
    said = shown(ASSIST, first, "undo", second, "redo")
    assert "error: nothing to redo" in said, "a new line leaves nothing to do again"
    said = shown(MATCH, "first opponent", "345", "undo", "undo", "undo")
    assert said.count("They go first.") == 1
    assert "Undone: 1. they 345" in said
    assert "1. Guess 012" in said.partition("Undone")[2]


def test_first_error_of_a_session_mentions_help():
    said = shown(ASSIST, "nonsense", "edit", "why 1")
    assert said.count("error: ") == 3
    assert said.count("'help' lists all you can type.") == 1
    assert said.index("'help' lists all") < said.index("error: 'edit")


@pytest.mark.parametrize(
    ("words", "what"),
    [(("?", "ヘルプ"), "undo"), (("q", "exit", "終了", "/q"), ""), (("取消", "取り消し", "/undo"), "Undone"),
     (("一覧",), "252 candidates: "), (("表",), "place 1"), (("理由",), "It splits"), (("復習",), "uck "),
     (("訂正 1 0H2B",), "1. 012 0H2B"), (("ゲーム",), "no other saved game"), (("新規",), "1. Guess 012")],
)  # fmt: skip
def test_commands_have_synonyms(words: tuple[str, ...], what: str):
    start = shown(ASSIST, "0H1B")
    for word in words:
        said = shown(ASSIST, "0H1B", word, "never heard") if not what else shown(ASSIST, "0H1B", word)
        assert "error" not in said
        assert re.search(what, said.removeprefix(start)), word
    said = shown(ASSIST, "0H1B", "取消", "やり直し")
    assert numbered(said) == ["1. 012 0H1B", "Undone: 1. 012 0H1B", "1. 012 0H1B"]


def test_guess_spelled_like_a_command_needs_a_slash_for_the_command():
    game = ("play", "--digits", "4", "--symbols", "hintdous", "--seed", "1")
    said = shown(game, "hint", "undo", "/hint", "/undo", "list")
    assert [line[:8] for line in numbered(said)] == ["1. hint ", "2. undo ", "Undone: ", "1. hint "]
    assert re.search(r"\d+ candidates?; try \w{4}\.", said)
    assert said.count("Read as part of the game. For the command, type '/undo'.") == 1
    assert "error: '/nonsense' is not a command" in shown(game, "/nonsense")


@pytest.mark.slow
@pytest.mark.parametrize("game", [("assist",), ("match",)])
def test_code_without_answer_is_not_read_as_command(game: tuple[str, ...]):
    said = shown((*game, "--digits", "4", "--symbols", "hintdous"), "0h1b", "undo", "/undo")
    assert said.index("For the command, type '/undo'") < said.index("error: 'undo' has no answer")
    assert said.index("error: 'undo' has no answer") < said.index("Undone: 1. ")


def test_finished_game_offers_review_new_and_quit():
    with Terminal("hitblow", "assist") as terminal:
        terminal.type("0H1B\n134 3H0B\n")
        terminal.see("Found: 134, in 2 guesses.", "review, new or quit >")
        terminal.type("r\n")
        terminal.see("Found 134 in 2 guesses; best play takes 4.97 on average.")
        terminal.type("345 1H1B\n")
        terminal.see("the game is over: type 'review', 'new' or 'quit'")
        terminal.type("n\n")
        terminal.see(" 1   012  <- your guess", "answer to 012 >")
        terminal.type("q\n")
        assert terminal.wait() == 0


@pytest.mark.parametrize("command", ["assist", "match"])
def test_guess_alone_replaces_the_suggestion_and_invalid_ones_are_refused(command):
    with Terminal("hitblow", command) as terminal:
        terminal.see("answer to 012 >")
        terminal.type("345\n")
        terminal.see("answer to 345 >")
        terminal.type("555\n")
        terminal.see("error: ", "555")
        assert "has no answer" not in terminal.screen
        terminal.type("1H0B\n")
        terminal.see("345     1H0B")
        terminal.type("quit\n")
        assert terminal.wait() == 0


def test_review_needs_a_guess():
    assert "error: nothing to review" in shown(ASSIST, "review")
    assert "#\tyou\tleft\tbetter\t% win\n1\t012 0H1B\t720 -> 252" in shown(MATCH, "0H1B", "345", "review")


def test_review_numbers_turns_like_the_game():
    said = shown(("match",), "0H1B", "345 0H1B", "has 3", "134 0H1B", "review")
    mine, theirs = said.partition("#\tyou")[2].split("#\tthey")
    assert re.findall(r"^(\d)\t(\d{3})", mine, re.MULTILINE) == [("1", "012"), ("4", "134")]
    assert re.findall(r"^(\d)\t(\d{3})", theirs, re.MULTILINE) == [("2", "345")]
    said = shown(BOTH, "012", "0 0", "345", "review")
    assert re.findall(r"^(\d)\t(\d{3})", said, re.MULTILINE) == [("1", "012"), ("3", "345"), ("2", "012")]
    said = shown(ASSIST, "has 3", "345 0H1B", "review")
    assert [line[:12] for line in numbered(said)] == ["1. in the se", "2. 345 0H1B"]
    assert re.findall(r"^(\d)\t345", said, re.MULTILINE) == ["2"]
    assert re.findall(r"^(\d)\. Guess", said, re.MULTILINE) == ["1", "2", "3", "3"]


def test_boards_of_a_match_are_side_by_side_in_a_wide_window():
    with Terminal("hitblow", "match", "--secret", "314") as terminal:
        terminal.type("0H1B\n345\n")
        terminal.see(" 1   012     0H1B        252      2   345     1H1B")
        terminal.type("list\n")
        terminal.see("Their secret:    Your secret:\n1. 012 0H1B      2. 345 1H1B")
    with Terminal("hitblow", "match", "--secret", "314", columns=40) as terminal:
        terminal.type("n\n0H1B\n345\n")
        terminal.see(" 1   012     0H1B        252\n", "\n 2   345     1H1B")


@pytest.mark.slow
def test_examples_are_valid_codes_of_the_current_rules():
    said = shown(("match", "--preset", "mastermind"), "help all", "0", "1122")
    assert "Type 'secret 3456', with your own digits" in said
    assert re.search(r"^  3456 1B1W +another guess", said, re.MULTILINE)
    assert "314" not in said
    assert "345 " not in said
    said = shown(("assist", "--preset", "mastermind"), "nonsense", "edit")
    assert "such as 1B1W or '1 1'" in said
    assert "such as 'edit 2 1B1W'" in said
    assert "such as '1122 1B1W'" in shown(("assist", "--preset", "mastermind"), "1122")
