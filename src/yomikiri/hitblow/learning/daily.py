"""The number of a day: one game alone, three digits, the same for everyone and under every preset; and what counts.

A date alone decides it, through the seed `day-YYYY-MM-DD` of `play`. Whoever asks names the date where they are. Of the
results of a day the first that was finished counts, found or given up; the others are play.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from yomikiri.errors import N_, InputError
from yomikiri.hitblow.play import Play


def day_of(text: str) -> date:
    """Read a date such as 2026-11-25, written in that one way; raises an `InputError`."""
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise InputError(N_("day={given}: expected a date such as 2026-11-22"), given=text)


def number_of(day: date) -> Play:
    """The game of that day before its first guess.

    >>> number_of(date(2026, 11, 25)).rules.digits
    3
    """
    return Play(seed=f"day-{day}")


@dataclass(frozen=True, slots=True)
class Result:
    """How a day's number ended: after so many guesses, found or given up."""

    day: date
    guesses: int
    found: bool


@dataclass(frozen=True, slots=True)
class Begun:
    """A day's number that is not finished: the guesses made so far, which stand."""

    day: date
    guesses: tuple[str, ...]


def counted(results: Iterable[Result]) -> tuple[Result, ...]:
    """The results that count, by day: of each day the first, in the order in which they were finished."""
    first: dict[date, Result] = {}
    for result in results:
        first.setdefault(result.day, result)
    return tuple(first[day] for day in sorted(first))


def histogram(results: Iterable[Result]) -> dict[int, int]:
    """How many days' numbers were found with so many guesses, from 1 to the most; nothing where none was."""
    found = [result.guesses for result in counted(results) if result.found]
    return {guesses: found.count(guesses) for guesses in range(1, max(found, default=0) + 1)}


def streak(results: Iterable[Result], today: date) -> int:
    """How many days in a row the number was found, up to today, or to yesterday while today's is not finished."""
    found = {result.day: result.found for result in counted(results)}
    day = today if today in found else today - timedelta(days=1)
    days = 0
    while found.get(day):
        days, day = days + 1, day - timedelta(days=1)
    return days


def longest(results: Iterable[Result]) -> int:
    """The most days in a row on which the number was found."""
    kept = counted(results)
    return max((streak(kept, result.day) for result in kept), default=0)
