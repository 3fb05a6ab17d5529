"""Behaviour that the sessions of games with lists of codes share: commands, undo and redo, the end, Ctrl-C."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.run import WORDS, run, session
from tests.examples import examples
from tests.terminal import Terminal

ASSIST, PLAY, MATCH = ("assist",), ("play", "--seed", "3"), ("match",)
LINES = {ASSIST: "night 00000", PLAY: "night", MATCH: "night 00000"}

every_game = pytest.mark.parametrize("game", LINES, ids=" ".join)


def shown(lists: tuple[str, ...], game: tuple[str, ...], *lines: str) -> str:
    return session("guess", *game, *lists, given="\n".join(lines))


@every_game
def test_undone_turn_can_be_redone(lists: tuple[str, ...], game: tuple[str, ...]):
    said = shown(lists, game, LINES[game], "undo", "redo", "undo", "redo", "undo", "undo")
    assert said.count("\n1. night ") == 3
    assert said.count("Undone: 1. night ") == 3
    assert "error: no turn to undo yet: enter one first" in said


@pytest.mark.parametrize("game", [ASSIST, MATCH], ids=" ".join)
def test_turns_given_as_arguments_are_shown_and_can_be_undone(lists: tuple[str, ...], game: tuple[str, ...]):
    said = shown(lists, (*game, "night:00000", "grape:02202"), "undo", "undo")
    assert "1. night ⬛⬛⬛⬛⬛\n2. grape ⬛🟩🟩⬛🟩\n" in said
    assert "Undone: 2. grape " in said
    assert said.index("Undone: 1. night ") < said.index("(10 candidates)")


@pytest.mark.parametrize("first", ["me", "opponent"])
def test_new_match_begins_with_the_same_player_and_limit(lists: tuple[str, ...], first: str):
    said = shown(lists, ("match", "--first", first, "--within", "2"), "night 00000", "night 00000", "new")
    assert "Nobody found the secret: a draw." in said
    is_mine = said.rpartition("a draw.")[2].lstrip().startswith("Guess ")
    assert is_mine == (first == "me")


def test_help_names_the_answer_to_a_guess_only_if_one_is_suggested(lists: tuple[str, ...]):
    assert "the answer to crate" in shown(lists, ASSIST, "help")
    for game, *lines in ((ASSIST, "crane 22222"), ((*MATCH, "--first", "opponent"),)):
        said = shown(lists, game, *lines, "help")
        assert "the guess and its answer" in said
        assert "the answer to" not in said


def test_new_game_has_another_secret(lists: tuple[str, ...]):
    first = shown(lists, PLAY, "giveup").splitlines()[-1]
    secrets = {shown(lists, PLAY, *["new"] * games, "quit").splitlines()[-1] for games in range(8)}
    assert first in secrets
    assert len(secrets) > 2


@pytest.mark.parametrize("game", [ASSIST, PLAY], ids=" ".join)
def test_finished_game_is_reviewed(lists: tuple[str, ...], game: tuple[str, ...]):
    guesses = WORDS.split() if game == PLAY else ["crate 00202", "flake 22222"]
    said = run("guess", *game, *lists, given="\n".join([*guesses, "r"])).stdout
    assert "Found: " in said
    assert said.splitlines()[-2].split("\t")[-1] in ("proven", "not proven")
    assert "nothing to review: make a guess first" in shown(lists, game, "review")
    assert "the game is over: type 'review', 'new' or 'quit'" in shown(lists, game, *guesses, "r", "night")


def test_match_has_no_review_and_says_so_at_the_end(lists: tuple[str, ...]):
    said = shown(lists, MATCH, "spice 22222", "crane")
    assert "You found spice: you win." in said
    assert "the game is over: type 'new' or 'quit'" in said
    assert "review" not in shown(lists, MATCH, "help all")


@pytest.mark.slow
def test_screen_is_redrawn_and_lists_codes_in_the_width_of_the_window(lists: tuple[str, ...]):
    with Terminal("guess", "assist", *lists, columns=40) as terminal:
        terminal.see("1. Guess crate", "answer to crate >")
        terminal.type("list\n")
        terminal.see("brake crane crate drake flake grade")
        terminal.type("02202\n")
        screen = terminal.see("2. Guess drake (4 candidates).", "answer to drake >")
        assert "1. Guess crate" not in screen
        terminal.type("quit\n")
        assert terminal.wait() == 0


@pytest.mark.slow
def test_interrupted_search_shows_the_best_guess_so_far():
    codes = ("--digits", "4", "--symbols", "0123456789", "--answers", "hits-blows", "--seconds", "60")
    with Terminal("guess", "assist", *codes, columns=80) as terminal:
        terminal.see("searching ... ")
        terminal.type("\x03")
        terminal.see("Not proven optimal", "answer to ")
        terminal.type("0123 4H0B\n")
        terminal.see("Found: 0123, in 1 guess.", "review, new or quit >")


LINE = st.one_of(
    st.sampled_from(["undo", "redo", "list", "hint", "new", "help", "crane", "crane 22222", "crate:02202", "night"]),
    st.from_regex(r"[0-2]{5}", fullmatch=True),
    st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=10),
)


@pytest.mark.slow
@every_game
@examples(100)
@given(lines=st.lists(LINE, max_size=6))
def test_random_lines_cause_no_traceback(tmp_path_factory, game: tuple[str, ...], lines: list[str]):
    words = tmp_path_factory.getbasetemp() / "words.txt"
    words.write_text(WORDS)
    session("guess", *game, "--secrets", str(words), given="\n".join(lines))
