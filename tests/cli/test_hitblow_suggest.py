"""`yomikiri hitblow suggest` and `candidates`: text, JSON and invalid input.

Also tests `cli/hitblow_shared.py`: the options that many commands share, and the table.
"""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.run import run
from tests.examples import examples

from yomikiri.wording.hitblow import percent


def test_suggest_json_contains_the_documented_keys():
    document = json.loads(run("hitblow", "suggest", "--policy", "entropy", "--json").stdout)
    assert document["schema_version"] == 1
    assert (document["guess"], document["policy"], document["is_candidate"]) == ("012", "entropy", True)
    assert (document["count"], document["sampled"]) == (720, False)
    assert document["cells"]["0H0B"] == 210
    assert sum(document["cells"].values()) == 720
    assert document["expected_remaining"] == pytest.approx(sum(n * n for n in document["cells"].values()) / 720)
    assert {"guess", "is_candidate", "cells", "expected_remaining"} <= set(document["alternatives"][0])


def test_mastermind_uses_black_and_white_except_in_json():
    def listed(*arguments: str) -> str:
        return run("hitblow", "candidates", "--preset", "mastermind", *arguments).stdout

    assert listed("1122:1B2W") == listed("1122:1 2") != ""
    assert listed("1122:1B") == listed("1122:1 0")
    assert listed("1122:1B", "--words", "hit") == listed("1122:0 1")
    suggest = ("hitblow", "suggest", "--preset", "mastermind", "--policy", "entropy")
    assert "(0B2W)" in run(*suggest).stdout
    assert json.loads(run(*suggest, "--json").stdout)["cells"]["0H2B"] == 312


def test_suggest_prints_the_reason():
    shown = run("hitblow", "suggest", "012:0H1B", "--policy", "entropy").stdout
    assert shown.startswith("2. Guess 134 (252 candidates).\n134 can be the secret. It splits 252 candidates")


def test_sampled_suggestion_is_marked_in_text_and_json():
    game = ("--digits", "5", "01234:0H1B", "--seconds", "0")
    assert json.loads(run("hitblow", "suggest", *game, "--json").stdout)["sampled"] is True
    assert "sample" in run("hitblow", "suggest", *game).stdout
    assert json.loads(run("hitblow", "suggest", "--digits", "5", "--json").stdout)["sampled"] is False


def test_candidates_prints_codes_table_and_json():
    assert run("hitblow", "candidates", "012:0H3B").stdout == "120\n201\n"
    assert "1\t0.5000\t0.0000\t0.5000\n" in run("hitblow", "candidates", "012:0H3B", "--table").stdout
    document = json.loads(run("hitblow", "candidates", "012:0H3B", "--json").stdout)
    assert document["candidates"] == [{"code": "120", "probability": 0.5}, {"code": "201", "probability": 0.5}]
    assert document["count"] == 2
    assert document["table"]["1"] == [0.5, 0.0, 0.5]


def test_json_limits_the_number_of_candidates_but_text_does_not():
    rules = ("--digits", "6", "--symbols", "0123456789ABCDEF", "--repeats", "all")
    result = run("hitblow", "candidates", *rules, "--json")
    assert result.exit_code == 2
    assert "16777216 candidates are too many" in result.stderr
    lines = run("hitblow", "candidates", "--digits", "6").stdout.splitlines()
    assert (lines[0], lines[-1], len(lines)) == ("012345", "987654", 151200)


@pytest.mark.parametrize("command", ["suggest", "candidates"])
@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        (["012:0H0B", "345:0H0B", "678:0H0B"], 3, "no code fits 012:0H0B 345:0H0B 678:0H0B"),
        (["012:2H1B"], 2, "2H1B is impossible for 012"),
        (["--repeats", "guess", "000:0H1B"], 2, "0H1B is impossible for 000"),
        (["--absent", "01234567"], 2, "leaves too few symbols"),
        (["--absent", "0", "012:3H0B"], 3, "no code fits"),
        (["012"], 2, "'012' is not a turn"),
        (["0x2:1H"], 2, "'x' in '0x2' is not a symbol"),
        (["--digits", "7"], 2, "7 digits: expected 1 to 6"),
        (["--digits", "x"], 2, "digits 'x': expected a number, such as 1"),
        (["--symbols", "00"], 2, "expected 1 to 16 different"),
        (["--preset", "chess"], 2, "'chess' is not one of"),
        (["--digits", "5", "--symbols", "0123"], 2, "expected at least 5 for a secret"),
    ],
)
def test_invalid_input_is_one_line_with_its_status(command, arguments, status, complaint):
    result = run("hitblow", command, *arguments)
    assert result.exit_code == status
    assert result.stdout == ""
    first, *rest = result.stderr.splitlines()
    assert first.startswith("error: ")
    assert complaint in first
    assert len(rest) <= 1


def test_contradiction_is_followed_by_the_likeliest_correction():
    result = run("hitblow", "suggest", "012:0H0B", "345:0H0B", "678:0H0B")
    assert result.stderr.splitlines()[1].startswith("Maybe turn 1 (012 0H0B) was 0H2B (13%, 9 candidates)")


ARGUMENT = st.one_of(
    st.sampled_from(
        ["--preset", "--digits", "--symbols", "--repeats", "--absent", "--words", "--json", "--policy", "--seed", "3",
         "2", "AB", "none", "all", "guess", "likely", "minimax", "hitblow", "bulls", "012:0H1B", "345:1H1B", "7", "-h"]
    ),
    st.text(max_size=8),
    st.from_regex(r"[0-9]{3}:[0-3]H[0-3]B", fullmatch=True),
)  # fmt: skip


@examples(2000)
@given(st.sampled_from(["suggest", "candidates"]), st.lists(ARGUMENT, max_size=5))
def test_random_arguments_give_a_result_or_one_error_line(command, arguments):
    result = run("hitblow", command, "--digits", "2", *arguments)
    assert result.exit_code in (0, 2, 3)
    if result.exit_code:
        assert result.stderr.startswith("error: ")
        assert len(result.stderr.splitlines()) <= 2


def test_equally_good_and_next_best_guesses_are_listed_separately():
    shown = run("hitblow", "suggest", "012:0H1B", "345:1H1B", "--policy", "entropy", "--alternatives", "6").stdout
    assert "\nEqually good: 243, 324, 351, 405" in shown
    proven = run("hitblow", "suggest", "012:0H0B", "345:0H0B", "--alternatives", "2").stdout
    assert "\nNext best, with guesses on average: 678 (3.00), 016 (3.38)\n" in proven
    result = run("hitblow", "suggest", "--policy", "random", "--alternatives", "3")
    assert result.exit_code == 2
    assert "--alternatives has no effect with --policy random" in result.stderr


CONTRADICTING = ("012:0H1B", "134:0H2B", "345:2H0B", "340:0H0B")


def test_slips_give_probabilities_for_contradicting_answers():
    assert run("hitblow", "suggest", *CONTRADICTING).exit_code == 3
    shown = run("hitblow", "suggest", *CONTRADICTING, "--slips", "1").stdout
    assert "Not proven optimal: answers may be wrong.\n" in shown
    assert "0 codes fit every answer, " in shown
    wary = ("hitblow", "candidates", *CONTRADICTING, "--slips", "2", "--slip-rate", "0.1")
    document = json.loads(run(*wary, "--json").stdout)
    assert sum(document["by_slips"]) == document["count"] == len(document["candidates"])
    likeliest = max(document["candidates"], key=lambda each: each["probability"])
    lines = run(*wary).stdout.splitlines()
    assert len(lines) == document["count"]
    assert lines[0].split() == [likeliest["code"], percent(likeliest["probability"])]
    assert run("hitblow", "suggest", "012:3H0B", "345:3H0B", "678:3H0B", "--slips", "1").exit_code == 3


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (("--slips", "x"), "slips 'x': expected a number, such as 1"),
        (("--slips", "10"), "slips '10': expected a whole number from 0 to 9"),
        (("--slips", "1", "--slip-rate", "7"), "slip-rate '7': expected a number from 0.001 to 0.5"),
        (("--slips", "1", "--slip-rate", "often"), "slip-rate 'often': expected a number"),
        (("--slip-rate", "0.1"), "slip-rate=0.1 has no effect"),
    ],
)
def test_invalid_slips_are_refused_in_one_line(given, complaint):
    result = run("hitblow", "suggest", "012:0H1B", *given)
    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "turns",
    [(), pytest.param(("012345:0H3B",), marks=pytest.mark.exhaustive), ("012345:0H3B", "678999:1H1B")],
)
@pytest.mark.parametrize(
    "command",
    ["suggest", "match", *(pytest.param(each, marks=pytest.mark.exhaustive) for each in ("assist", "interact"))],
)
def test_largest_game_does_not_enumerate_all_codes(
    command: str, turns: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
):
    """The test counts the calls that list all 16 million codes, because timings would be unreliable."""
    made = []
    for module in ("model.knowledge", "policies.onestep", "policies.exact"):
        for name in ("all_secrets", "all_guesses"):
            with suppress(AttributeError):
                monkeypatch.setattr(f"yomikiri.hitblow.{module}.{name}", lambda rules: made.append(rules))
    rules = ("--digits", "6", "--symbols", "0123456789abcdef", "--repeats", "all", "--seconds", "1")
    if command == "match":
        monkeypatch.setattr(
            "yomikiri.hitblow.model.knowledge.Knowledge.cells", lambda *_: pytest.fail("looked into a cell")
        )
        words = [word for turn in turns for word in (f"me={turn}", f"they={turn}")]
        if turns:
            result = run("hitblow", command, *rules, *words)
            assert "Guess " in result.output
    elif command == "interact":
        result = run("hitblow", command, *rules, given="".join(f"{turn[7]} {turn[9]}\n" for turn in turns))
        assert result.stdout.count("? ") == 1 + len(turns)
    else:
        result = run("hitblow", command, *rules, *turns)
        assert "Guess " in result.output
    assert not made
