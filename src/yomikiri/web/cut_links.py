"""Links that a chat has cut off: the part before the cut is read, and the page says where the link ends.

A link is cut off if it ends within a turn: the text of its last turn is the beginning of one, and the address without
that turn can be read.
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

_BEGINNING = re.compile(r"(\w*)(:\d?\w?)?")  # of a guess with its answer, such as 0, 012, 012: or 012:1H


def read_cut(
    query: Query,
    read: Callable[[Query], T],
    names: Collection[str],
    *,
    answered: bool = True,
    is_beginning: Callable[[str], bool] | None = None,
) -> tuple[T, str]:
    """Read an address whose turns are the parameters `names`. Returns it with a note if its link was cut off.

    `answered`: a turn has an answer. `is_beginning` returns True for the beginning of the text of a turn; by default,
    turns are those of Hit & Blow, or moves separated by commas. Raises the errors of `read` for any other address that
    it rejects.
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
    """Return the query before its last turn; None if it does not end with a turn whose text may have been cut."""
    if not query or query[-1][0] not in names:
        return None
    *before, (name, value) = query
    listed, comma, last = value.rpartition(",")
    if comma:
        return [*before, (name, listed)] if len(last) < 2 else None
    return before if is_beginning(value) else None


def _is_beginning(before: Query, answered: bool, value: str) -> bool:
    """Return True if `value` may be the beginning of a turn of Hit & Blow. The query `before` it has the rules."""
    found = _BEGINNING.fullmatch(value)
    return found is not None and len(found[1]) <= _digits(before) - (not answered)


def _digits(query: Query) -> int:
    """Return the number of digits of a guess, or 0 if the rules cannot be read."""
    try:
        return rules_of(dict(query)).digits
    except YomikiriError:
        return 0


def _note(query: Query, names: Collection[str]) -> str:
    turns = sum(len(value.split(",")) for name, value in query if name in names and value)
    if not turns:
        return _("This link is cut off before the first turn. Ask for it again, or begin here.")
    return _("This link is cut off after turn {number}. Ask for it again, or go on from here.").format(number=turns)
