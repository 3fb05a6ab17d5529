"""`yomikiri hitblow practice` and `daily`: puzzles, the number of the day, and their record."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from tests.cli.run import run, session
from tests.terminal import Terminal

from yomikiri.api.saved_record import read_record, write_record
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import PRESETS, Rules
from yomikiri.hitblow.practice.play import number_of
from yomikiri.hitblow.practice.puzzles import GuessPuzzle
from yomikiri.hitblow.practice.record import Begun, Record, Result, puzzle_of, text_of
from yomikiri.saves import RecordStore

DAY = ("hitblow", "daily", "--day", "2026-11-22")  # the secret is 619, see docs/play.md
TEA = ("hitblow", "practice", "--seed", "tea")


def test_first_result_of_a_day_counts_and_is_shared_without_digits():
    shown = session(*DAY, given="012\n619\n")
    assert "1. 012 1H0B\n" in shown
    assert "Found: 619, in 2 guesses.\n" in shown
    assert "yomikiri 2026-11-22 · 2 guesses\n🟢⬜⬜\n🟢🟢🟢\n" in shown
    again = session(*DAY, given="619\n")
    assert "You have already finished this number: 2 guesses. This game does not count." in again
    assert RecordStore().read().daily == (Result(date(2026, 11, 22), 2, True, late=True),)
    assert "  2  ████████████████████ 1\n" in again, "the second result is in no histogram"


def test_giving_up_shows_the_number_of_the_day_but_quitting_does_not():
    left = session(*DAY, given="012\nquit\n")
    assert "619" not in left
    assert "Saved. Start the program again to continue." in left
    assert RecordStore().read() == Record(begun=(Begun(date(2026, 11, 22), ("012",)),))
    shown = session(*DAY, given="giveup\n345\n")
    assert "1. 012 1H0B\n" in shown, "the guess stands"
    assert "Done already" not in shown
    assert "The secret was 619." in shown
    assert "yomikiri 2026-11-22 · given up" in shown
    assert "error: the game of this day is over" in shown
    assert RecordStore().read() == Record((Result(date(2026, 11, 22), 1, False, late=True),))


def test_guesses_at_an_unfinished_day_are_saved():
    run(*DAY, given="012\n345\n")
    run("hitblow", "daily", "--day", "2026-11-21", given="012\n")
    shown = session(*DAY, given="619\n")
    assert "Found: 619, in 3 guesses.\n" in shown
    assert [each.day for each in RecordStore().read().begun] == [date(2026, 11, 21)]
    assert "Saved" not in session(*DAY, given="012\n")
    assert RecordStore().read().guesses_of(date(2026, 11, 22)) == ()


def test_only_today_extends_the_streak():
    today = date.today()
    for ago in (3, 2, 1):
        day = today - timedelta(days=ago)
        shown = session("hitblow", "daily", "--day", str(day), given=f"{number_of(day).program_secret}\n")
        assert "This day is over: its result does not count for the streak.\n" in shown
        assert "Streak: 0 days. Best: 0.\n" in shown
    shown = session("hitblow", "daily", "--day", str(today), given=f"{number_of(today).program_secret}\n")
    assert "This day is over" not in shown
    assert "Streak: 1 day. Best: 1.\n" in shown
    assert "  1  ████████████████████ 4\n" in shown, "past days are in the histogram"


def test_replay_of_a_day_does_not_change_the_record():
    run(*DAY, given="012\n345\n619\n")
    file = RecordStore().folder / "record.json"
    before = file.read_bytes(), file.stat().st_ino
    for lines in ("013\n619\n", "giveup\n", "014\nquit\n"):
        assert "You have already finished this number: 3 guesses." in session(*DAY, given=lines)
    assert (file.read_bytes(), file.stat().st_ino) == before


def test_future_and_invalid_days_are_refused():
    for day in ("2999-01-01", "yesterday"):
        result = run("hitblow", "daily", "--day", day)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"error: day={day}")


def test_guess_at_a_day_cannot_be_undone():
    for line in ("undo", "edit 1 619"):
        shown = session(*DAY, given=f"012\n{line}\n")
        assert "error: " in shown
        assert "Undone" not in shown


def test_puzzle_has_three_hints_and_an_answer():
    shown = session(*TEA, given="hint\nhint\nhint\nhint\nanswer\n012\n")
    assert shown.startswith("1. 086 0H0B\n2. 172 1H0B\n3. 479 1H0B\n6 candidates. What do you guess?\n")
    assert "  1. A best guess is among the candidates.\n" in shown
    assert (
        "  2. A best guess splits the candidates into 5 groups, the largest of 2.\n  3. Its digits: 1 3 9.\n" in shown
    )
    assert "error: you have all three hints" in shown
    assert "is a best guess." in shown
    assert "error: this puzzle is over" in shown


def test_only_the_first_guess_at_a_puzzle_counts():
    best = next(
        word
        for word in ("139", "193", "319", "391", "913", "931")
        if "is a best guess" in session(*TEA, given=f"{word}\n")
    )
    assert RecordStore().read().solved[-1]
    before = RecordStore().read().solved
    run(*TEA, given=f"086\n{best}\n")
    assert RecordStore().read().solved == (*before, False), "the first guess at a puzzle counts"


def test_mistakes_return_as_puzzles_until_they_are_solved():
    run(*DAY, given="012\n013\n619\n")
    shown = session("hitblow", "practice", given="answer\n")
    assert shown.startswith("1. 012 1H0B\n126 candidates.")
    assert len(RecordStore().read().mistakes) == 1
    assert session("hitblow", "practice", given="345\n").count("is a best guess") == 1
    assert RecordStore().read().mistakes == ()


def test_puzzle_fills_one_screen():
    with Terminal(*TEA, columns=80, rows=24) as terminal:
        terminal.see(" 3   479     1H0B          6", "6 candidates. What do you guess?", "your guess >")
        terminal.type("hint\n")
        terminal.see("  1. A best guess is among the candidates.")
        terminal.type("\x04")
        assert terminal.wait() == 0


@pytest.mark.parametrize("rules", [Rules(), PRESETS["bulls"].rules, PRESETS["mastermind"].rules])
def test_puzzle_text_round_trips(rules: Rules):
    code = rules.symbols[: rules.digits]
    known = Knowledge.parse(f"{code}:0H1B", rules)
    assert puzzle_of(text_of(GuessPuzzle(known, code, 2))) == GuessPuzzle(known, code, 2)
    assert puzzle_of("turn=nonsense") is None


def test_record_round_trips_and_a_damaged_one_is_reported():
    record = Record((Result(date(2026, 11, 25), 5, True),), (True, False), ("turn=012:0H1B played=371",))
    assert read_record(write_record(record)) == record
    earlier = b'{"format":"yomikiri-record","version":1,"daily":[{"day":"2026-11-25","guesses":5,"found":true}]}'
    assert read_record(earlier).daily == record.daily, "a result without late was played on its day"
    with pytest.raises(ValueError, match="object"):
        read_record(b"[]")
    with pytest.raises(ValueError, match="recursion"):
        read_record(b'{"format": "yomikiri-record", "version": 1, "later": ' + b"[" * 100_000)
    RecordStore().change(lambda _record: record)
    assert RecordStore().read() == record
    (RecordStore().folder / "record.json").write_text("{", encoding="utf-8")
    assert "is damaged: delete it" in run("hitblow", "daily", given="").stderr
