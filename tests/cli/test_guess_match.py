"""`yomikiri guess match` and `interact`: two players and one secret, and a conversation with a program."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from tests.cli.run import run

from yomikiri.guessing.answers import MARKS

WORDS = ["brake", "crane", "crate", "drake", "flake", "grade", "grape", "grate", "spice", "trace"]
OTHERS = ["night", "badge", "fudge", "cabin"]


@pytest.fixture
def lists(tmp_path: Path) -> tuple[str, ...]:
    """Options with two lists of words."""
    secrets, guesses = tmp_path / "secrets.txt", tmp_path / "guesses.txt"
    secrets.write_text("\n".join(WORDS))
    guesses.write_text("\n".join(OTHERS))
    return ("--secrets", str(secrets), "--guesses", str(guesses))


@cache
def margin(candidates: frozenset[str], left: int = 99) -> int:
    """Return the number of candidates that the side to move finds, less that of the other side, if both play well."""
    if not left:
        return 0
    best = -len(candidates)
    for guess in (*WORDS, *OTHERS):
        cells: dict[str, set[str]] = {}
        for code in candidates - {guess}:
            cells.setdefault(MARKS.answer(guess, code), set()).add(code)
        if all(len(cell) < len(candidates) for cell in cells.values()):
            best = max(best, (guess in candidates) - sum(margin(frozenset(cell), left - 1) for cell in cells.values()))
    return best


@pytest.mark.parametrize("within", [None, 1, 2, 3])
@pytest.mark.parametrize("turn", ["", "spice:00002", "crane:02202"])
def test_chances_are_those_of_a_naive_search(lists: tuple[str, ...], turn: str, within: int | None):
    turns = [turn] if turn else []
    limit = [] if within is None else ["--within", str(within + len(turns))]
    document = json.loads(run("guess", "match", *lists, *limit, *turns, "--json").stdout)
    candidates = {word for word in WORDS if not turn or MARKS.answer(turn[:5], word) == turn[6:]}
    expected = margin(frozenset(candidates), 99 if within is None else within) / len(candidates)
    assert document["win"] - document["lose"] == pytest.approx(expected)
    assert document["to_move"] == ("opponent" if turns else "me")
    assert document["is_exact"] is True


def test_program_suggests_on_my_turn_and_reads_both_sides(lists: tuple[str, ...]):
    shown = run("guess", "match", *lists, given="crane 02202\nbrake 02222\ndrake 22222\n")
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0].startswith("Guess ")
    assert lines[1].startswith("Against a perfect opponent you win ")
    assert {"1. crane ⬛🟩🟩⬛🟩", "2. brake ⬛🟩🟩🟩🟩"} <= set(lines)
    assert lines[-1] == "You found drake: you win."


def test_opponent_begins_and_wins(lists: tuple[str, ...]):
    shown = run("guess", "match", *lists, "--first", "opponent", given="20000\nspice 22222\n")
    assert shown.exit_code == 2
    assert "'20000': needs the guess and its answer, such as brake 20001" in shown.stderr
    assert shown.stdout.splitlines()[-1] == "They found spice: you lose."


@pytest.mark.parametrize("opponent", ["consistent", "entropy", "optimal"])
def test_weaker_opponents_lose_more_often(lists: tuple[str, ...], opponent: str):
    chances = [
        json.loads(run("guess", "match", *lists, "--opponent", name, "--json").stdout)["win"]
        for name in ("perfect", opponent)
    ]
    assert chances[0] <= chances[1]


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (("--opponent", "custom"), 2, "'custom' is not one of 'perfect', 'consistent', 'entropy', 'optimal'"),
        (("--hard", "--consistent"), 2, "--hard has no effect with --consistent"),
        (("--hard", "--answers", "sum"), 2, "hard mode: needs marks, not the answers 'sum'"),
        (("--hard", "crane:02202", "spice:00002"), 2, "guess 'spice': hard mode needs 'r' at place 2"),
        (("--symbols", "abc"), 2, "--symbols has no effect without --digits"),
        (("crane:02202", "trace:22222"), 3, "no secret fits trace:22222"),
        (("crane:22222", "--json"), 2, "the duel is over"),
        (("--within", "0"), 2, "within=0: expected a whole number from 1 to 99"),
        (("crane",), 2, "turn 'crane': expected GUESS:ANSWER"),
    ],
)
def test_match_refuses_what_cannot_be(lists: tuple[str, ...], options: tuple[str, ...], status: int, message: str):
    shown = run("guess", "match", *lists, *options)
    assert (shown.exit_code, message in shown.stderr) == (status, True), shown.stderr


def play(lists: tuple[str, ...], secret: str, *options: str) -> list[str]:
    """Return the lines of `interact` against a judge with this secret, which answers each question in turn."""
    answers: list[str] = []
    while True:
        shown = run("guess", "interact", *lists, *options, given="".join(f"{answer}\n" for answer in answers))
        lines = shown.stdout.splitlines()
        if lines[-1].startswith("! "):
            assert shown.exit_code == 0
            return lines
        assert (shown.exit_code, "the input ended: expected the answer to " in shown.stderr) == (2, True)
        assert len(lines) == len(answers) + 1
        answers.append(MARKS.answer(lines[-1].removeprefix("? "), secret))


@pytest.mark.parametrize("secret", WORDS)
def test_interact_finds_each_secret(lists: tuple[str, ...], secret: str):
    assert play(lists, secret)[-1] == f"! {secret}"


def test_interact_ends_at_the_limit_with_the_likeliest_candidate(lists: tuple[str, ...]):
    *asked, last = play(lists, "grate", "--within", "1")
    assert len(asked) == 1
    assert last.removeprefix("! ") in WORDS


@pytest.mark.parametrize(
    ("given", "status", "message"),
    [("what\n", 2, "answer 'what': 'w' is not a mark: expected 2"), ("00000\n00000\n00000\n", 3, "no secret fits")],
)
def test_interact_refuses_a_wrong_answer(lists: tuple[str, ...], given: str, status: int, message: str):
    shown = run("guess", "interact", *lists, given=given)
    assert (shown.exit_code, message in shown.stderr) == (status, True)
