"""What is kept on disk of one's learning: the numbers of days, the puzzles that were tried, and one's mistakes."""

from __future__ import annotations

from datetime import date
from typing import Literal

from msgspec import MsgspecError, field
from msgspec.json import decode, encode

from yomikiri.documents import Count, Part
from yomikiri.hitblow.learning.record import Begun, Record, Result


class SavedResult(Part, forbid_unknown_fields=False):
    """How the number of a day ended."""

    day: date
    guesses: Count
    found: bool


class SavedGuesses(Part, forbid_unknown_fields=False):
    """The guesses made so far at the number of a day."""

    day: date
    guesses: list[str]


class SavedRecord(Part, forbid_unknown_fields=False, omit_defaults=True):
    """The record of a person; a mistake is the text of a game with what was played: `turn=012:0H1B played=371`."""

    format: Literal["yomikiri-record"]
    version: Literal[1]
    daily: list[SavedResult] = field(default_factory=list)
    solved: list[bool] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    begun: list[SavedGuesses] = field(default_factory=list)


def write_record(record: Record) -> bytes:
    """The file of a record."""
    daily = [SavedResult(result.day, result.guesses, result.found) for result in record.daily]
    begun = [SavedGuesses(each.day, list(each.guesses)) for each in record.begun]
    return encode(SavedRecord("yomikiri-record", 1, daily, list(record.solved), list(record.mistakes), begun))


def read_record(data: bytes) -> Record:
    """The record in a file; raises a `ValueError` for anything else."""
    try:
        saved = decode(data, type=SavedRecord)
    except MsgspecError as error:
        raise ValueError(str(error)) from None
    daily = tuple(Result(result.day, result.guesses, result.found) for result in saved.daily)
    begun = tuple(Begun(each.day, tuple(each.guesses)) for each in saved.begun)
    return Record(daily, tuple(saved.solved), tuple(saved.mistakes), begun)
