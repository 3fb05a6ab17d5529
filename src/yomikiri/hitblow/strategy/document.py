"""JSON that may come from anywhere: text to plain values, each checked where it stands.

What a JSON reader does by itself is not enough: it keeps the last of two equal keys, fails in its own way on deep
nesting, and takes NaN for a number. So the depth is counted before anything is parsed, an object is kept as pairs until
its keys have been looked at, and a number that is not a short whole one is kept as text until its place is known.
"""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import Any, TypeVar

from yomikiri.errors import Place
from yomikiri.hitblow.strategy.faults import (
    DoubledKey,
    MissingKey,
    NestedTooDeeply,
    NotAList,
    NotAnObject,
    NotANumber,
    NotJson,
    NotOneOf,
    NotText,
    NotTrueOrFalse,
    NotUtf8,
    UnknownKey,
)

_MAX_DIGITS = 15

# A string, closed or not, or a bracket.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[][{}]', re.DOTALL)

_Choice = TypeVar("_Choice", bound=StrEnum)


class _Pairs(list[tuple[str, Any]]):
    """An object as it was written, equal keys included."""


class _Odd(str):
    """A number that is not a short whole one, as it was written."""

    __slots__ = ()


def parse(data: bytes, most: int) -> Any:
    """The value in `data`, which may nest `most` brackets; raises `NotUtf8`, `NestedTooDeeply` or `NotJson`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotUtf8(error.start) from None
    _check_depth(text, most)
    try:
        return json.loads(text, object_pairs_hook=_Pairs, parse_int=_whole, parse_float=_Odd, parse_constant=_Odd)
    except json.JSONDecodeError as error:
        raise NotJson(error.lineno, error.colno) from None


def _check_depth(text: str, most: int) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in ("{", "["):
            depth += 1
        elif token[0] in ("}", "]"):
            depth -= 1
        if depth > most:
            before = text[: token.start()]
            raise NestedTooDeeply(before.count("\n") + 1, len(before) - before.rfind("\n"), most)


def _whole(written: str) -> int | _Odd:
    return int(written) if len(written) <= _MAX_DIGITS else _Odd(written)


def _shown(value: Any) -> str:
    """A value as it stood in the text, its inside left out."""
    if isinstance(value, _Pairs):
        return "{...}"
    if isinstance(value, list):
        return "[...]"
    return value if isinstance(value, _Odd) else json.dumps(value, ensure_ascii=False)


def pairs(value: Any, place: Place) -> list[tuple[str, Any]]:
    """The keys and values of an object, each key once; raises `NotAnObject` and `DoubledKey`."""
    if not isinstance(value, _Pairs):
        raise NotAnObject(place, _shown(value))
    seen = set()
    for key, _inside in value:
        if key in seen:
            raise DoubledKey(place, key)
        seen.add(key)
    return value


def fields(value: Any, place: Place, known: tuple[str, ...], optional: str = "") -> dict[str, Any]:
    """An object with exactly the `known` keys, of which the `optional` one may be missing.

    Raises `NotAnObject`, `DoubledKey`, `UnknownKey` and `MissingKey`.
    """
    found = dict(pairs(value, place))
    for key in found:
        if key not in known:
            raise UnknownKey(place, key, ", ".join(known))
    for key in known:
        if key not in found and key != optional:
            raise MissingKey(place, key)
    return found


def items(value: Any, place: Place) -> list[tuple[Any, Place]]:
    """The values of a list, each with its place; raises `NotAList`."""
    if not isinstance(value, list) or isinstance(value, _Pairs):
        raise NotAList(place, _shown(value))
    return [(item, Place(f"{place}[{index}]")) for index, item in enumerate(value)]


def text(value: Any, place: Place) -> str:
    """A text; raises `NotText`."""
    if not isinstance(value, str) or isinstance(value, _Odd):
        raise NotText(place, _shown(value))
    return value


def number(value: Any, place: Place) -> int:
    """A whole number from 0; raises `NotANumber`."""
    if type(value) is not int or value < 0:  # True is an int, too
        raise NotANumber(place, _shown(value), _MAX_DIGITS)
    return value


def flag(value: Any, place: Place) -> bool:
    """True or false; raises `NotTrueOrFalse`."""
    if not isinstance(value, bool):
        raise NotTrueOrFalse(place, _shown(value))
    return value


def choice(value: Any, place: Place, kind: type[_Choice]) -> _Choice:
    """One of the values of `kind`, by its text; raises `NotText` and `NotOneOf`."""
    try:
        return kind(text(value, place))
    except ValueError:
        raise NotOneOf(place, _shown(value), ", ".join(kind)) from None


def only(value: Any, place: Place, expected: str | int) -> None:
    """Raise `NotOneOf` unless the value is the expected one."""
    if type(value) is not type(expected) or value != expected:
        raise NotOneOf(place, _shown(value), json.dumps(expected))
