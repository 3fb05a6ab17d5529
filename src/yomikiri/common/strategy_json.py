"""JSON text of strategy files: every key and type is checked, and each error names the place and the expected value.

A file may come from anywhere, and JSON readers accept too much: they keep the last of two equal keys, raise
`RecursionError` for deep nesting, and accept NaN as a number. So this module counts the brackets before parsing, and
keeps each object as a list of pairs until its keys are checked. It also keeps every number other than a short integer
as text, so that messages can quote it.

The module needs only the standard library. On the web page that runs in a browser, it reads the strategies that come
with the program.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from yomikiri.common.errors import N_, Choices, Place, StrategyFault, repeated

_MAX_DIGITS = 15

# A string or a bracket. The closing quote is optional, so that brackets in a string cut short do not count.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[][{}]', re.DOTALL)

WHOLE = Place("file")
"""The place of a fault that concerns the whole object."""

Reader = Callable[[Any, Place], Any]
_Choice = TypeVar("_Choice", bound=StrEnum)
_Node = TypeVar("_Node")


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as a list of pairs, including repeated keys."""


class _Odd(str):
    """The text of a number with a fraction, an exponent or too many digits, or of NaN or Infinity."""

    __slots__ = ()


def parse(data: bytes, most: int) -> Any:
    """Return the value in JSON text with at most `most` nested brackets.

    Objects are returned as `_Pairs`, and numbers other than short integers as `_Odd`. Raises a `StrategyFault` for text
    that is not UTF-8, not JSON, or nested too deeply.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StrategyFault(
            N_("byte {byte} is not UTF-8: expected a strategy file in JSON"), byte=error.start
        ) from None
    _check_depth(text, most)
    try:
        return json.loads(text, object_pairs_hook=_Pairs, parse_int=_whole, parse_float=_Odd, parse_constant=_Odd)
    except json.JSONDecodeError as error:
        raise StrategyFault(
            N_("line {line}, column {column} is not JSON: expected a whole strategy file"),
            line=error.lineno,
            column=error.colno,
        ) from None


def _check_depth(text: str, most: int) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in ("{", "["):
            depth += 1
        elif token[0] in ("}", "]"):
            depth -= 1
        if depth > most:
            before = text[: token.start()]
            raise StrategyFault(
                N_("line {line}, column {column} is nested too deeply: expected at most {most} levels of brackets"),
                line=before.count("\n") + 1,
                column=len(before) - before.rfind("\n"),
                most=most,
            )


def _whole(written: str) -> int | _Odd:
    return int(written) if len(written) <= _MAX_DIGITS else _Odd(written)


def _shown(value: Any) -> str:
    """Return a value as the file spells it, abbreviated if it is an object or a list."""
    if isinstance(value, _Pairs):
        return "{...}"
    if isinstance(value, list):
        return "[...]"
    return value if isinstance(value, _Odd) else json.dumps(value, ensure_ascii=False)


def pairs(value: Any, place: Place) -> list[tuple[str, Any]]:
    """Return the pairs of an object. Raises a `StrategyFault` for other values and for repeated keys."""
    if not isinstance(value, _Pairs):
        raise StrategyFault(
            N_("at {place}: {given} is not an object: expected {{...}}"), place=place, given=_shown(value)
        )
    seen = set()
    for key, _inside in value:
        if key in seen:
            raise repeated(place, key)
        seen.add(key)
    return value


def read(value: Any, place: Place, shape: Any) -> Any:
    """Check and convert a value.

    `shape` is a reader such as `text`, a list with the shape of all items, or a mapping with the shape of each key. An
    object must have exactly the keys of its shape. A key that ends with `?` in the shape may be missing, and is written
    without the `?` in the object. Raises a `StrategyFault`.
    """
    if isinstance(shape, dict):
        shapes = {key.removesuffix("?"): part for key, part in shape.items()}
        found = fields(value, place, tuple(shapes), [key[:-1] for key in shape if key.endswith("?")])
        return {key: read(found[key], inside(place, key), part) for key, part in shapes.items() if key in found}
    if isinstance(shape, list):
        return [read(item, Place(f"{place}[{index}]"), shape[0]) for index, item in enumerate(_items(value, place))]
    return shape(value, place)


def inside(place: Place, key: str) -> Place:
    """Return the place of the value under `key` in the object at `place`, such as `cost.total_guesses`."""
    return Place(key if place == WHOLE else f"{place}.{key}")


def fields(value: Any, place: Place, known: tuple[str, ...], optional: Sequence[str] = ()) -> dict[str, Any]:
    """Return an object as a mapping. It must have exactly the `known` keys; those in `optional` may be missing.

    Raises a `StrategyFault`.
    """
    found = dict(pairs(value, place))
    for key in found:
        if key not in known:
            raise StrategyFault(
                N_("at {place}: unknown key {key!r}: expected one of {known}"),
                place=place,
                key=key,
                known=Choices(", ".join(known)),
            )
    for key in known:
        if key not in found and key not in optional:
            raise StrategyFault(N_("at {place}: {key!r} is missing"), place=place, key=key)
    return found


def _items(value: Any, place: Place) -> list[Any]:
    if not isinstance(value, list) or isinstance(value, _Pairs):
        raise StrategyFault(N_("at {place}: {given} is not a list: expected [...]"), place=place, given=_shown(value))
    return value


def text(value: Any, place: Place) -> str:
    """Return a string. Raises a `StrategyFault` for other values."""
    if not isinstance(value, str) or isinstance(value, _Odd):
        raise StrategyFault(N_('at {place}: {given} is not a string: expected "..."'), place=place, given=_shown(value))
    return value


def number(value: Any, place: Place) -> int:
    """Return a non-negative integer. Raises a `StrategyFault` for other values."""
    if type(value) is not int or value < 0:  # bool is a subclass of int
        raise StrategyFault(
            N_("at {place}: {given}: expected a non-negative integer of at most {digits} digits"),
            place=place,
            given=_shown(value),
            digits=_MAX_DIGITS,
        )
    return value


def flag(value: Any, place: Place) -> bool:
    """Return a boolean. Raises a `StrategyFault` for other values."""
    if not isinstance(value, bool):
        raise StrategyFault(N_("at {place}: {given}: expected true or false"), place=place, given=_shown(value))
    return value


def choice(kind: type[_Choice]) -> Reader:
    """Return a reader for the members of `kind`. It raises a `StrategyFault` for other values."""

    def reader(value: Any, place: Place) -> _Choice:
        try:
            return kind(text(value, place))
        except ValueError:
            raise not_one_of(place, value, ", ".join(kind)) from None

    return reader


def only(*expected: str | int) -> Reader:
    """Return a reader that accepts the `expected` values, all of one type. It raises a `StrategyFault` for others."""

    def reader(value: Any, place: Place) -> str | int:
        if type(value) is not type(expected[0]) or value not in expected:
            raise not_one_of(place, value, ", ".join(map(json.dumps, expected)))
        return value

    return reader


def maybe(reader: Reader) -> Reader:
    """Return a reader that converts null to None and passes other values to `reader`."""
    return lambda value, place: None if value is None else reader(value, place)


def not_one_of(place: Place, value: Any, known: str) -> StrategyFault:
    """Return the error for a value that is none of the `known` ones."""
    return StrategyFault(N_("at {place}: {given}: expected {known}"), place=place, given=_shown(value), known=known)


def read_tree(
    value: Any,
    node: Callable[[str, tuple[tuple[Any, _Node], ...]], _Node],
    answer: Reader,
    *,
    empty: bool,
    way: str = "",
) -> _Node:
    """Return a tree of guesses: `node` builds a node from its guess and its branches, and `answer` reads an answer.

    A node of the JSON text has a key `guess`, and a key `on` that maps each answer to the next node. `empty` is True if
    `on` may be an empty object in a node without branches. If `empty` is False, such a node must leave out `on`. `way`
    contains the guesses and answers before the tree, such as `012 0H1B `. Raises a `StrategyFault`.
    """
    found = fields(value, Place(f"{way}tree"), ("guess", "on"), optional=("on",))
    guess = text(found["guess"], Place(f"{way}guess"))
    place = Place(way + guess)
    branches = pairs(found["on"], place) if "on" in found else []
    if "on" in found and not branches and not empty:
        raise StrategyFault(
            N_("at {place}: 'on' is empty: add a branch, or leave out 'on' after the last guess"), place=place
        )
    below = [
        (answer(key, place), read_tree(part, node, answer, empty=empty, way=f"{place} {key} "))
        for key, part in branches
    ]
    return node(guess, tuple(below))
