"""`yomikiri hitblow race`: its figures for people and programs, in both languages, and what it refuses."""

import json

from tests.cli.run import run

SMALL = ("hitblow", "race", "--information", "unseen", "--digits", "2", "--symbols", "0123")


def test_the_value_is_shown_with_what_it_stands_for():
    shown = run(*SMALL)
    assert shown.exit_code == 0
    assert shown.stdout.splitlines()[:5] == [
        "Race: 2 digits of 0123, all different",
        "Nobody shows a symbol.",
        "Whoever finds the secret first wins at once.",
        "Neither player looks at the other's board; both play as well as can be.",
        "The first player wins 72.92 %, the second 27.08 %.",
    ]
    assert shown.stdout.splitlines()[-1].split() == ["3", "100.00", "%", "100.00", "%"]


def test_a_draw_is_told_apart_from_the_value():
    shown = run(*SMALL, "--equal-turns").stdout
    assert "With a draw as one half, the race is worth 50.00 % to the first player." in shown


def test_json_gives_the_value_its_bounds_and_the_fraction():
    document = json.loads(run(*SMALL, "--reveals", "second", "--json").stdout)
    assert document["schema_version"] == 1
    assert document["information"] == "unseen"
    assert (document["reveals"], document["revealed"], document["equal_turns"]) == ("second", 1, False)
    above, below = map(int, document["exact"].split("/"))
    assert document["lower"] == document["value"] == document["upper"] == above / below
    assert sum(document["first"][0]["histogram"]) == 6
    assert sum(document["second"][0]["histogram"]) == 12


def test_it_speaks_japanese():
    shown = run(*SMALL, "--lang", "ja").stdout
    assert "先手の勝ち 72.92 %、後手の勝ち 27.08 %。" in shown
    assert "player" not in shown


def test_a_race_too_large_to_read_out_is_refused_in_one_line():
    refused = run("hitblow", "race", "--information", "unseen", "--preset", "bulls")
    assert refused.exit_code == 2
    assert refused.stderr == "error: 5040 secrets are too many for this race: expected at most 1296\n"


def test_too_many_shown_symbols_are_refused_in_one_line():
    refused = run(*SMALL, "--reveals", "first", "--revealed", "3")
    assert refused.exit_code == 2
    assert refused.stderr == "error: absent '123' leaves too few symbols: expected enough for a secret of 2\n"
