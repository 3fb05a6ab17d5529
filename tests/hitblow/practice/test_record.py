"""The number of the day, and statistics of a list of results."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yomikiri.common.errors import InputError
from yomikiri.hitblow.model.rules import Hint, Rules
from yomikiri.hitblow.practice.play import day_of, number_of
from yomikiri.hitblow.practice.record import Result, counted, histogram, longest, streak
from yomikiri.wording import learning as wording
from yomikiri.wording import use_language

DAY = date(2026, 11, 25)


def results(text: str, last: date = DAY) -> list[Result]:
    """Return one result per character for the days up to `last`.

    A digit is the number of guesses; `l` is a find in 9 guesses after the day; `x` is a game without a find; a blank is
    a day without a result.
    """
    start = last - timedelta(days=len(text) - 1)
    return [
        Result(start + timedelta(days=at), 9 if sign in "xl" else int(sign), sign != "x", late=sign == "l")
        for at, sign in enumerate(text)
        if sign != " "
    ]


def test_day_determines_the_number():
    assert number_of(day_of("2026-11-22")).program_secret == "619", "as docs/play.md gives it"
    assert number_of(DAY).rules == Rules()
    numbers = {number_of(DAY + timedelta(days=days)).program_secret for days in range(60)}
    assert len(numbers) > 50


@pytest.mark.parametrize(
    "text", ["", "2026-1-5", "2026-11-31", "20261125", "2026-11-25 ", "２０２６-11-25", "2026-W48-3"]
)
def test_invalid_dates_are_refused(text: str):
    with pytest.raises(InputError, match="expected a date such as"):
        day_of(text)


def test_first_result_of_a_day_counts():
    first, again = Result(DAY, 6, False), Result(DAY, 2, True)
    assert counted([first, again]) == (first,)
    assert histogram([first, again]) == {}
    assert streak([first, again], DAY) == 0


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("", 0),
        ("5", 1),
        ("555", 3),
        ("5x5", 1),
        ("55x", 0),
        ("5 5", 1),
        ("55 ", 2),
        ("55  ", 0),
        ("x55 ", 2),
        ("5l5", 1),
        ("55l", 2),
        ("l", 0),
    ],
)
def test_streak_ends_with_a_past_day_without_a_find(text: str, days: int):
    assert streak(results(text), DAY) == days


def test_histogram_counts_finds_by_number_of_guesses():
    assert histogram(results("54x5 7")) == {1: 0, 2: 0, 3: 0, 4: 1, 5: 2, 6: 0, 7: 1}


@given(st.text("5xl ", max_size=20))
def test_longest_is_the_longest_run_of_finds(text: str):
    assert longest(results(text)) == max(map(len, text.replace("x", " ").replace("l", " ").split(" ")))


HINTS = (Hint(0, 0), Hint(1, 1), Hint(3, 0))


def test_shared_result_has_no_digits_and_a_spoken_form():
    shared = wording.share_text(Result(DAY, 3, True), HINTS, 3)
    assert shared.splitlines() == ["yomikiri 2026-11-25 · 3 guesses", "⬜⬜⬜", "🟢🔶⬜", "🟢🟢🟢"]
    assert wording.spoken_answers(HINTS) == (
        "Guess 1: no match. Guess 2: 1 right place, 1 wrong place. Guess 3: 3 right places."
    )
    use_language("ja")
    assert wording.spoken_answers(HINTS[1:2]) == "1 手目、場所も正解 1、場所ちがい 1。"
