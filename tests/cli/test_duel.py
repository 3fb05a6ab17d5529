"""`yomikiri hitblow match --shared`: a match for one secret that both players look for."""

import json

import pytest
from tests.cli.run import run

GAME = ("hitblow", "match", "--shared", "--digits", "3", "--symbols", "01234")


def test_program_suggests_on_my_turn_and_reads_both_sides():
    shown = run(*GAME, "--opponent", "perfect", given="0H2B\n120 1H1B\n").stdout.splitlines()
    assert shown[0].startswith("Guess ")
    assert shown[1].startswith("Against a perfect opponent you win 50% of the time, and lose 50%.")
    assert "2. 120 1H1B" in shown


def test_first_opponent_begins_and_the_finder_wins():
    lost = run(*GAME, "--first", "opponent", given="012 3H0B\n")
    assert lost.stdout.splitlines()[-1] == "They found 012: you lose."
    won = run(*GAME, "they=012:0H1B", "--first", "opponent", given="340 3H0B\n")
    assert won.stdout.splitlines()[-1] == "You found 340: you win."


def test_match_is_a_draw_after_the_limit():
    shown = run(*GAME, "--within", "2", "me=012:0H1B", given="340 0H2B\n")
    assert shown.stdout.splitlines()[-1] == "Nobody found the secret: a draw."


@pytest.mark.parametrize("turns", [(), ("me=012:0H1B",)])
def test_chance_of_a_draw_is_shown_if_the_match_may_end_in_one(turns: tuple[str, ...]):
    game = (*GAME, "--first", "opponent" if turns else "me", *(turn.replace("me", "they") for turn in turns))
    shown = run(*game, "--within", "2").stdout
    document = json.loads(run(*game, "--within", "2", "--json").stdout)
    assert f"The chance of a draw is {document['draw']:.0%}." in shown
    assert "draw" not in run(*game).stdout


def test_end_of_the_input_on_their_turn_says_whose_turn_it_is():
    shown = run(*GAME, "me=012:0H2B").stdout.splitlines()
    assert shown[:2] == [
        "1. 012 0H2B",
        "Their turn (18 candidates): type their guess and its answer.",
    ]


def test_wrong_lines_change_nothing_and_undo_takes_back_a_turn():
    shown = run(*GAME, "me=012:0H2B", given="foo\n120\n120 0H3B\nhelp\nlist\n120 1H1B\nundo\nundo\nundo\n")
    assert shown.exit_code == 2
    assert "error: answer 'foo': expected the numbers of hits and blows, such as 1H1B" in shown.stderr
    assert "error: '120' is a guess: add its answer, such as 120 1H1B" in shown.stderr
    assert "Their turn (18 candidates): type their guess and its answer." in shown.stdout
    assert shown.stdout.count("Their turn (18 candidates)") == 2
    assert shown.stdout.splitlines()[-1].startswith("Candidates: ")
    assert "error: no turn to undo yet: enter one first" in shown.stderr


def test_document_names_the_side_to_move_and_the_chances():
    document = json.loads(run(*GAME, "--opponent", "entropy", "me=012:0H1B", "--json").stdout)
    assert document["to_move"] == "opponent"
    assert document["win"] + document["lose"] == pytest.approx(1)
    assert document["is_exact"] is True


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--secret", "012"), "--secret has no effect with --shared"),
        (("--opponent", "custom"), "opponent 'custom' with one secret for both: expected one of"),
        (("me=012:0H2B", "they=340:0H3B"), "no secret fits 340:0H3B"),
    ],
)
def test_options_that_need_two_secrets_are_refused(options: tuple[str, ...], message: str):
    shown = run(*GAME, *options)
    assert shown.exit_code in (2, 3)
    assert message in shown.stderr


def test_opponent_with_the_fewest_guesses_is_a_model():
    shown = run(*GAME, "--opponent", "optimal", "me=012:0H1B", "they=340:0H2B")
    assert "Against an opponent with the fewest guesses on average you win " in shown.stdout


def test_limit_needs_a_shared_secret():
    shown = run("hitblow", "match", "--within", "3")
    assert shown.exit_code == 2
    assert "within" in shown.stderr
