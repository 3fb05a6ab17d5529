"""The entries of a game in order, such as its turns: find, replace and undo them by their number.

Entries are counted from 1, as the table of a game shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from yomikiri.common.errors import N_, TurnError

E = TypeVar("E")


def entry_in(entries: Sequence[E], number: int) -> E:
    """Return the entry with a number, counted from 1. Raises a `TurnError` if there is none."""
    if not entries:
        raise TurnError(N_("no turn to edit yet: enter one first"))
    if not 1 <= number <= len(entries):
        raise TurnError(N_("there is no entry {given}: expected 1 to {count}"), given=str(number), count=len(entries))
    return entries[number - 1]


def with_entry(entries: tuple[E, ...], number: int, other: E) -> tuple[E, ...]:
    """Return the entries after `other` has replaced the entry with a number, counted from 1.

    Raises a `TurnError` if there is no such entry.
    """
    entry_in(entries, number)
    return (*entries[: number - 1], other, *entries[number:])


def all_but_last(entries: tuple[E, ...]) -> tuple[E, ...]:
    """Return the entries without the last one. Raises a `TurnError` if there are none."""
    if not entries:
        raise TurnError(N_("no turn to undo yet: enter one first"))
    return entries[:-1]
