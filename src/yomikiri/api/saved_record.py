"""JSON file of a person's learning record: results of daily games and puzzles, and mistakes to practise.

In a daily game, the secret is the same for everyone on one day.
"""

from __future__ import annotations

from typing import Literal

from msgspec import MsgspecError
from msgspec.json import decode, encode

from yomikiri.api.results import Document
from yomikiri.hitblow.practice.record import Begun, Record, Result


class RecordFile(Document, forbid_unknown_fields=False, omit_defaults=True):
    """The learning record of a person: results of daily games and of puzzles, mistakes, and unfinished daily games.

    A mistake is a game and the guess played, as text: `turn=012:0H1B played=371`.
    """

    format: Literal["yomikiri-record"]
    version: Literal[1]
    daily: tuple[Result, ...] = ()
    solved: tuple[bool, ...] = ()
    mistakes: tuple[str, ...] = ()
    begun: tuple[Begun, ...] = ()


def write_record(record: Record) -> bytes:
    """Return the file of a record."""
    return encode(RecordFile("yomikiri-record", 1, record.daily, record.solved, record.mistakes, record.begun))


def read_record(data: bytes) -> Record:
    """Return the record in a file. Raises a `ValueError` for any other file."""
    try:
        saved = decode(data, type=RecordFile)
    except (MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if any(result.guesses < 0 for result in saved.daily):
        raise ValueError("no number of guesses")
    return Record(saved.daily, saved.solved, saved.mistakes, saved.begun)
