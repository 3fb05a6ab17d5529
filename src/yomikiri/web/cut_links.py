"""Links that were cut off, for example by a chat program: the part before the cut is read, and the page shows a note.

A link counts as cut off if its last turn is incomplete and the address without that turn can be read. The note says
after which turn the link ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TypeVar

from yomikiri.common.errors import YomikiriError
from yomikiri.hitblow.model.game import rules_of
from yomikiri.wording import _

T = TypeVar("T")
Query = Sequence[tuple[str, str]]

_BEGINNING = re.compile(r"(\w*)(:\d?\w?)?")  # the beginning of a turn, such as 0, 012, 012: or 012:1H


def read_cut(
    query: Query,
    read: Callable[[Query], T],
    names: Collection[str],
    *,
    answered: bool = True,
    is_beginning: Callable[[str], bool] | None = None,
) -> tuple[T, str]:
    """Read an address, or the part before the cut if the link was cut off. Returns the result of `read` and a note.

    `names` are the names of the query parameters that contain turns. The note is empty if the link was not cut off.
    `answered` is True if a turn consists of a guess and its answer, and False if it is only a guess. `is_beginning`
    returns True if a text may be the beginning of a turn. By default, it expects turns of Hit & Blow. If a value is a
    list separated by commas, its last element counts as incomplete if it has fewer than two characters.

    If `read` rejects an address that was not cut off, its error is raised.
    """
    shorter = _before_cut(query, names, is_beginning or partial(_is_beginning, query[:-1], answered))
    try:
        address = read(query)
    except YomikiriError:
        if shorter is None:
            raise
        return read(shorter), _note(shorter, names)
    return address, _note(query, names) if query and query[-1][0] in names and not query[-1][1] else ""


def _before_cut(query: Query, names: Collection[str], is_beginning: Callable[[str], bool]) -> Query | None:
    """Return the query without its last turn, or None if it does not end with a turn that may be incomplete."""
    if not query or query[-1][0] not in names:
        return None
    *before, (name, value) = query
    listed, comma, last = value.rpartition(",")
    if comma:
        return [*before, (name, listed)] if len(last) < 2 else None
    return before if is_beginning(value) else None


def _is_beginning(before: Query, answered: bool, value: str) -> bool:
    """Return True if `value` may be the beginning of a turn of Hit & Blow.

    `before` contains the pairs of the query before that turn. The rules of the game are among them.
    """
    found = _BEGINNING.fullmatch(value)
    return found is not None and len(found[1]) <= _digits(before) - (not answered)


def _digits(query: Query) -> int:
    """Return the number of digits in the rules of a query, or 0 if the rules cannot be read."""
    try:
        return rules_of(dict(query)).digits
    except YomikiriError:
        return 0


def _note(query: Query, names: Collection[str]) -> str:
    turns = sum(len(value.split(",")) for name, value in query if name in names and value)
    if not turns:
        return _("This link is cut off before the first turn. Ask for it again, or begin here.")
    return _("This link is cut off after turn {number}. Ask for it again, or go on from here.").format(number=turns)
