"""`yomikiri hitblow race`: text and JSON in both languages, stores, and refused games."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from tests.cli.run import run

from yomikiri.common.budget import Budget

SMALL = ("hitblow", "race", "--information", "unseen", "--digits", "2", "--symbols", "0123")


def test_value_is_shown_with_the_rules_of_the_race():
    shown = run(*SMALL)
    assert shown.exit_code == 0
    assert shown.stdout.splitlines()[:5] == [
        "Race: 2 digits of 0123, all different",
        "Neither player reveals a symbol.",
        "The first to find the secret wins at once.",
        "Neither player sees the other's board; best play by both sides.",
        "The first player wins 72.92% of the time, the second 27.08%.",
    ]
    assert shown.stdout.splitlines()[-1].split() == ["3", "100.00%", "100.00%"]


def test_equal_turns_count_a_draw_as_half_a_win():
    shown = run(*SMALL, "--equal-turns").stdout
    assert "Counting a draw as half a win, the first player scores 50.00%." in shown


def test_json_contains_value_bounds_and_fraction():
    document = json.loads(run(*SMALL, "--reveals", "second", "--json").stdout)
    assert document["schema_version"] == 1
    assert document["information"] == "unseen"
    assert (document["reveals"], document["revealed"], document["equal_turns"]) == ("second", 1, False)
    above, below = map(int, document["exact"].split("/"))
    assert document["lower"] == document["value"] == document["upper"] == above / below
    assert sum(document["first"][0]["histogram"]) == 6
    assert sum(document["second"][0]["histogram"]) == 12


def test_race_is_shown_in_japanese():
    shown = run(*SMALL, "--lang", "ja").stdout
    assert "先攻の勝ち 72.92%、後攻の勝ち 27.08%。" in shown
    assert "player" not in shown


def test_unseen_race_with_too_many_secrets_is_refused():
    refused = run("hitblow", "race", "--information", "unseen", "--preset", "bulls")
    assert refused.exit_code == 2
    assert refused.stderr == "error: 5040 secrets are too many to solve this race: choose a game with at most 1296\n"


def test_small_private_race_is_solved():
    document = json.loads(run("hitblow", "race", "--information", "private", *SMALL[4:], "--json").stdout)
    assert (document["information"], document["exact"], document["draw"]) == ("private", "35/48", 0)
    assert "first" not in document


def test_too_many_revealed_symbols_are_refused():
    refused = run(*SMALL, "--reveals", "first", "--revealed", "3")
    assert refused.exit_code == 2
    assert refused.stderr == "error: 3 revealed symbols leave too few for a secret: expected at most 2\n"


def test_error_names_no_option_with_its_default():
    refused = run("hitblow", "race", "--digits", "2", "--symbols", "01", "--reveals", "first")
    assert refused.exit_code == 2
    assert refused.stderr == "error: no symbol can be revealed: a secret needs all the remaining ones\n"


def test_empty_store_name_is_refused():
    refused = run("hitblow", "race", *SMALL[4:], "--store", "")
    assert (refused.exit_code, refused.stderr) == (2, "error: the file name is empty: give one\n")


def test_number_of_revealed_symbols_needs_reveals():
    refused = run(*SMALL, "--revealed", "1")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("error: --revealed has no effect with --reveals none: it needs --reveals ")


def test_secrets_can_have_different_rules():
    """The first player wins with probability 1/2 + 1/2 * 2/3 = 5/6, worked out by hand."""
    for language, said in (
        ("en", "The second player seeks: 1 digit of abc"),
        ("ja", "後攻が当てる数字：abc から 1 桁"),
    ):
        game = ("--digits", "1", "--symbols", "01", "--secret-digits", "1", "--secret-symbols", "abc")
        for information in ("unseen", "public", "private"):
            shown = run("hitblow", "race", "--information", information, *game, "--lang", language).stdout
            assert said in shown
            assert "5/6" in shown, "1/2 at once, else 2/3 that the second player misses, and then for certain"
    document = json.loads(run("hitblow", "race", *game, "--json").stdout)
    assert document["rules"] == {"digits": 1, "symbols": "01", "repeats": "none"}
    assert document["secret_rules"] == {"digits": 1, "symbols": "abc", "repeats": "none"}


PUBLIC = ("hitblow", "race", "--digits", "3", "--symbols", "012345")


def test_public_race_is_the_default():
    shown = run(*PUBLIC, "--reveals", "second").stdout
    assert "Both players see both boards and use all answers; best play by both sides." in shown
    assert "Exact value: 5917/7200" in shown


def test_public_race_json_contains_fraction_and_work():
    document = json.loads(run(*PUBLIC, "--reveals", "first", "--json").stdout)
    assert document["information"] == "public"
    assert document["exact"] == "2003/3600"
    assert document["lower"] == document["value"] == document["upper"] == 2003 / 3600
    assert document["draw"] == 0
    assert document["sets"] > document["forms"] > 0


def test_interrupted_public_race_prints_bounds(monkeypatch):
    @contextmanager
    def interrupted(*_line: object) -> Iterator[Budget]:
        looks = count()
        yield Budget(cancelled=lambda: next(looks) > 3)

    monkeypatch.setattr("yomikiri.cli.hitblow_race.searching", interrupted)
    stopped = run(*PUBLIC, "--json")
    assert stopped.exit_code == 130
    document = json.loads(stopped.stdout)
    assert document["exact"] is None
    assert document["draw"] is None
    assert document["lower"] <= 1301 / 1800 <= document["upper"]
    assert "between" in run(*PUBLIC).stdout


def test_public_race_with_too_many_secrets_is_refused():
    refused = run("hitblow", "race", "--digits", "5")
    assert refused.exit_code == 2
    assert refused.stderr == "error: 30240 secrets are too many to solve this race: choose a game with at most 5040\n"


def test_store_keeps_the_work_of_a_public_race(tmp_path):
    for _ in range(2):
        assert "Exact value: 1301/1800" in run(*PUBLIC, "--store", str(tmp_path / "work")).stdout
    assert (tmp_path / "work").stat().st_size
    other = run("hitblow", "race", "--digits", "2", "--store", str(tmp_path / "work"))
    assert other.exit_code == 2
    assert "belongs to another game" in other.stderr
    assert other.stderr.count("\n") == 1
    refused = run(*SMALL, "--store", str(tmp_path / "work"))
    assert refused.exit_code == 2
    assert refused.stderr.startswith("error: --store has no effect with --information unseen: it needs ")


def test_one_digit_is_singular():
    shown = run("hitblow", "race", "--digits", "1", "--symbols", "012").stdout
    assert shown.startswith("Race: 1 digit of 012, all different\n")
