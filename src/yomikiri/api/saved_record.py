"""What is kept on disk of one's learning: the numbers of days, the puzzles that were tried, and one's mistakes."""

from __future__ import annotations

from typing import Literal

from msgspec import MsgspecError
from msgspec.json import decode, encode

from yomikiri.api.results import Document
from yomikiri.hitblow.practice.record import Begun, Record, Result


class SavedRecord(Document, forbid_unknown_fields=False, omit_defaults=True):
    """The record of a person; a mistake is the text of a game with what was played: `turn=012:0H1B played=371`."""

    format: Literal["yomikiri-record"]
    version: Literal[1]
    daily: tuple[Result, ...] = ()
    solved: tuple[bool, ...] = ()
    mistakes: tuple[str, ...] = ()
    begun: tuple[Begun, ...] = ()


def write_record(record: Record) -> bytes:
    """The file of a record."""
    return encode(SavedRecord("yomikiri-record", 1, record.daily, record.solved, record.mistakes, record.begun))


def read_record(data: bytes) -> Record:
    """The record in a file; raises a `ValueError` for anything else."""
    try:
        saved = decode(data, type=SavedRecord)
    except MsgspecError as error:
        raise ValueError(str(error)) from None
    if any(result.guesses < 0 for result in saved.daily):
        raise ValueError("no number of guesses")
    return Record(saved.daily, saved.solved, saved.mistakes, saved.begun)
