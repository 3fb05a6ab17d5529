"""The entries of a game, which are its turns and other facts in order: find, replace and undo them by their number.

Entries are counted from 1, as the table of a game shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from yomikiri.common.errors import N_, TurnError
from yomikiri.hitblow.model.rules import Answered, Fact

E = TypeVar("E")


def entry_in(entries: Sequence[E], number: int) -> E:
    """Return the entry with this number. Raises a `TurnError` if there is none."""
    if not entries:
        raise TurnError(N_("no turn to edit yet: enter one first"))
    if not 1 <= number <= len(entries):
        raise TurnError(N_("there is no entry {given}: expected 1 to {count}"), given=str(number), count=len(entries))
    return entries[number - 1]


def with_entry(entries: tuple[E, ...], number: int, other: E) -> tuple[E, ...]:
    """Return the entries with the one of this number replaced by `other`. Raises a `TurnError` if there is none."""
    entry_in(entries, number)
    return (*entries[: number - 1], other, *entries[number:])


def guess_of(entries: Sequence[Fact], number: int) -> str:
    """Return the guess of the entry with this number.

    Raises a `TurnError` if there is no such entry, or if it is a fact without a guess.
    """
    fact = entry_in(entries, number)
    if not isinstance(fact, Answered):
        raise TurnError(
            N_("entry {line} is {given}, not a turn: type the fact that replaces it"), line=number, given=fact
        )
    return fact.guess


def all_but_last(entries: tuple[E, ...]) -> tuple[E, ...]:
    """Return the entries without the last one. Raises a `TurnError` if there are none."""
    if not entries:
        raise TurnError(N_("no turn to undo yet: enter one first"))
    return entries[:-1]
