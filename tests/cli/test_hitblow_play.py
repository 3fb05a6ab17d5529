"""`yomikiri hitblow play`: games in which one side guesses, or both sides in turn."""

from __future__ import annotations

import re

import pytest
from tests.cli.run import run, session

from yomikiri.hitblow.model.rules import hint


def test_user_guesses_the_secret_of_the_program():
    start = session("hitblow", "play", "--seed", "5", given="quit\n")
    secret = start.split("The secret was ")[1][:3]
    shown = session("hitblow", "play", "--seed", "5", given=f"zzz\n01\nlist\nhelp\n{secret}\n")
    assert f"1. {secret} 3H0B" in shown
    assert f"Found: {secret}, in 1 guess." in shown
    assert shown.count("error: ") == 2


def test_seed_determines_the_first_secret_only():
    shown = session("hitblow", "play", "--seed", "tea", given="307\nnew\nquit\n")
    assert "Found: 307, in 1 guess." in shown
    assert "The secret was 307." not in shown
    fresh = {session("hitblow", "play", given="quit\n")[-5:-2] for _ in range(3)}
    assert len(fresh) > 1
    assert run("hitblow", "play", "--seed", "a b").stderr.startswith("error: seed 'a b': expected 1 to 40 letters")


def test_program_guesses_the_secret_of_the_user():
    shown = session("hitblow", "play", "--who", "program", given="0H3B\n3H0B\n")
    assert "Found: 120, in 2 guesses." in shown


def test_both_sides_guess_and_the_first_reveals_an_absent_symbol():
    shown = session("hitblow", "play", "--who", "both", "--seed", "5", given="x\n9\n012\n1H0B\n345\n3 0\n")
    assert "(" not in shown.splitlines()[1]
    assert "I win in 2 guesses." in shown
    asked = session("hitblow", "play", "--who", "both", "--first", "opponent", "--seed", "5", given="quit\n")
    secret = session("hitblow", "play", "--seed", "5", given="quit\n").split("The secret was ")[1][:3]
    assert asked.split("My secret does not use ")[1][0] not in secret
    won = session("hitblow", "play", "--who", "both", "--seed", "5", "--no-handicap", given=f"{secret}\n")
    assert won.endswith("You win in 1 guess.\n")
    assert "I guess" not in won, "the first to hit everything wins at once"


def test_program_reveals_the_only_symbol_absent_from_its_secret():
    match = ("hitblow", "play", "--who", "both", "--first", "opponent", "--symbols", "0123")
    for seed in map(str, range(8)):
        shown = session(*match, "--seed", seed, given="quit\n").split("My secret does not use ")[1][0]
        secret = session("hitblow", "play", "--symbols", "0123", "--seed", seed, given="quit\n")
        assert shown not in secret.split("The secret was ")[1][:3]


def test_wrong_answer_in_a_match_can_be_corrected():
    shown = session(
        "hitblow", "play", "--who", "both", "--first", "opponent", "--no-handicap", "--seed", "5",
        given="0H0B\n987\n0H0B\n987\n0H0B\n987\nedit 1 0H2B\n987\nquit\n",
    )  # fmt: skip
    assert "no code fits them all." in shown
    assert "error: the answers contradict each other: no code fits" in shown, "nobody guesses before the answers agree"
    assert shown.count("no code fits them all") == 1, "said once, not after every slip"
    assert shown.count("I guess ") == 4


def test_answer_in_a_match_can_be_undone_or_edited():
    match = ("hitblow", "play", "--who", "both", "--first", "opponent", "--no-handicap", "--seed", "5")
    shown = session(*match, given="undo\n0H0B\n987\nundo\nundo\n0H1B\n987\nedit 1 1H1B\nedit 2 986\nlist\n")
    guesses = [line for line in shown.splitlines() if line.startswith("I guess")]
    assert "error: no turn to undo" in shown
    assert guesses == [f"I guess {guess}." for guess in ("012", "345", "012", "134", "034", "034")]
    assert "1. I 012 1H1B\n2. you 986 " in shown


def test_contradicting_match_has_no_winner():
    match = ("hitblow", "play", "--who", "both", "--first", "opponent", "--no-handicap", "--seed", "5")
    shown = session(*match, given="3H0B\n")
    assert "I win in 1 guess." in shown
    shown = session(*match, given="0H0B\n987\n0H0B\n986\n0H0B\nedit 3 3H0B\nquit\n")
    assert "no code fits" in shown
    assert "comes after the end of the match" in shown
    assert "I win" not in shown


@pytest.mark.parametrize("given", ["012\nquit\n", "012\n", "quit\n", "012\n1H0B\nquit\n"])
def test_quit_at_any_prompt_shows_the_secret_once(given: str):
    shown = session("hitblow", "play", "--who", "both", "--seed", "5", "--no-handicap", given=given)
    secret = session("hitblow", "play", "--seed", "5", given="quit\n").split("The secret was ")[1][:3]
    assert shown.endswith(f"The secret was {secret}.\n")
    assert shown.count("The secret was") == 1


def test_revealed_symbol_must_be_one_symbol():
    shown = session("hitblow", "play", "--who", "both", given="987\n９\nquit\n")
    assert "error: '987' is not one symbol: expected one of 0123456789\n" in shown


def test_adversary_fixes_no_secret_but_stays_consistent():
    game = ("hitblow", "play", "--keeper", "adversary")
    shown = session(*game, given="012\n345\nedit 1 678\nlist\nquit\n")
    secret = shown.split("I had fixed no secret; ")[1][:3]
    turns = re.findall(r"^\d\. (\d{3}) (\dH\dB)$", shown, re.MULTILINE)[-2:]
    assert [guess for guess, _answer in turns] == ["678", "345"]
    assert all(str(hint(guess, secret)) == answer for guess, answer in turns)
    found = session(*game, "--digits", "1", "--symbols", "012", given="0\n1\n2\n")
    assert "Found: 2, in 3 guesses." in found, "no code is given away while another is left"


def test_adversary_is_refused_with_both_sides_or_a_seed():
    result = run("hitblow", "play", "--keeper", "adversary", "--who", "both")
    assert result.exit_code == 2
    assert "--keeper has no effect with --who both" in result.stderr
    assert "--seed has no effect" in run("hitblow", "play", "--keeper", "adversary", "--seed", "3").stderr


def test_hint_shows_the_number_of_candidates_and_a_good_guess():
    shown = session("hitblow", "play", "--seed", "5", given="hint\n012\nhint\n")
    assert "720 candidates; try 012." in shown
    assert re.search(r"\n(210|252|126|63|42|21) candidates; try \d{3}\.\n", shown)


def test_slips_apply_to_answers_of_the_user_only():
    small = ("hitblow", "play", "--digits", "2", "--symbols", "0123", "--slips", "1")
    said = session(*small, "--who", "program", given="0 1\n0H0B\nslips 0\n")
    assert "1 answer may be wrong.\n" in said
    assert "codes fit every answer, " in said
    refused = run(*small)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--slips has no effect with --who me: it needs --who program" in refused.stderr
    assert "slips" not in session(*small[:-2], given="help\n")


def test_help_for_the_guesser_lists_edit_but_not_fix():
    said = session("hitblow", "play", "--seed", "5", "--digits", "4", given="help\n")
    assert "  edit N 3456  replace the guess of turn N" in said
    assert "  fix " not in said


def test_no_symbol_is_asked_for_if_secrets_use_all_symbols():
    said = session("hitblow", "play", "--who", "both", "--digits", "3", "--symbols", "012", given="012\n")
    assert "a symbol that is not in your secret" not in said
    assert "1. you 012" in said


def test_absent_symbols_restrict_the_secret_of_the_program_only():
    game = ("hitblow", "play", "--seed", "tea", "--absent", "3", "--who")
    alone = session(*game, "me", given="quit\n").split("The secret was ")[1]
    both = session(*game, "both", "--no-handicap", given="hint\n367\nlist\nquit\n")
    assert both.split("The secret was ")[1] == alone == "619.\n"
    assert "504 candidates; try" in both, "the person knows that it is none of those with a 3"
    begun = session(*game, "both", "--first", "opponent", given="3H0B\nquit\n")
    assert "My secret does not use 3" not in begun
    guessed = session(*game, "both", "--no-handicap", "--policy", "random", given="456\n0H0B\n456\n0H3B\nquit\n")
    assert re.search(r"I guess \d*3", guessed), "the person's own secret may use it"
