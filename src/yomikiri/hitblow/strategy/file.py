"""Strategy files: JSON text to a `Strategy` and back. strategy-files.md describes the format.

A file may come from anywhere, and Python's JSON reader alone accepts too much: it keeps the last of two equal keys,
raises `RecursionError` for deep nesting, and accepts NaN as a number. So this module counts the brackets before
parsing, and keeps each object as a list of pairs until its keys are checked. It also keeps every number other than a
short integer as text, so that messages can quote it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from yomikiri.common.enums import not_such
from yomikiri.common.errors import N_, Choices, HintError, Place, StrategyFault, usable
from yomikiri.common.file_errors import unreadable_file
from yomikiri.hitblow.model.facts import parse as parse_fact
from yomikiri.hitblow.model.facts import turns_first
from yomikiri.hitblow.model.prior import checked_prior
from yomikiri.hitblow.model.rules import Fact, Hint, Repeats, Rules, Turn
from yomikiri.hitblow.strategy.strategy import (
    Cost,
    Criterion,
    Evidence,
    Node,
    Objective,
    Proof,
    Strategy,
    Support,
    Task,
    doubled,
)

# --- JSON values and their types --------------------------------------------------------------------------------------

_MAX_DIGITS = 15

# A string or a bracket. The closing quote is optional, so that brackets in a string cut short do not count.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[][{}]', re.DOTALL)

WHOLE = Place("file")

Reader = Callable[[Any, Place], Any]
_Choice = TypeVar("_Choice", bound=StrEnum)


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
            raise doubled(place, key)
        seen.add(key)
    return value


def read(value: Any, place: Place, shape: Any) -> Any:
    """Check and convert a value.

    `shape` is a reader such as `text`, a list with the shape of all items, or a mapping with the shape of each key. An
    object must have exactly the keys of its shape, except optional ones. Raises a `StrategyFault`.
    """
    if isinstance(shape, dict):
        found = fields(value, place, tuple(shape), _OPTIONAL)
        return {key: read(found[key], _inside(place, key), part) for key, part in shape.items() if key in found}
    if isinstance(shape, list):
        return [read(item, Place(f"{place}[{index}]"), shape[0]) for index, item in enumerate(_items(value, place))]
    return shape(value, place)


_OPTIONAL = ("evidence", "facts", "no_leading", "weights")


def _inside(place: Place, key: str) -> Place:
    return Place(key if place == WHOLE else f"{place}.{key}")


def fields(value: Any, place: Place, known: tuple[str, ...], optional: Sequence[str] = ()) -> dict[str, Any]:
    """Return an object with exactly the `known` keys, of which `optional` ones may be missing.

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
            raise _not_one_of(place, value, ", ".join(kind)) from None

    return reader


def only(*expected: str | int) -> Reader:
    """Return a reader that accepts the `expected` values, all of one type. It raises a `StrategyFault` for others."""

    def reader(value: Any, place: Place) -> str | int:
        if type(value) is not type(expected[0]) or value not in expected:
            raise _not_one_of(place, value, ", ".join(map(json.dumps, expected)))
        return value

    return reader


def maybe(reader: Reader) -> Reader:
    """Return a reader that converts null to None and passes other values to `reader`."""
    return lambda value, place: None if value is None else reader(value, place)


def _not_one_of(place: Place, value: Any, known: str) -> StrategyFault:
    return StrategyFault(N_("at {place}: {given}: expected {known}"), place=place, given=_shown(value), known=known)


# --- the parts of a file ----------------------------------------------------------------------------------------------

FORMAT = "yomikiri-strategy"
VERSION = 1
WITH_FACTS = 2
"""The version of a file with more knowledge at the start than absent symbols and turns."""

_FIGURES = {"secrets": number, "total_guesses": number, "max_guesses": number}

# The parts of a file in the order of writing. Each key of a part is also an attribute of the object written there.
_SHAPE: dict[str, Any] = {
    "format": only(FORMAT),
    "version": only(VERSION, WITH_FACTS),
    "rules": {"digits": number, "symbols": text, "repeats": choice(Repeats)},
    "start": {"absent": text, "turns": [text]},
    "objective": {"kind": choice(Criterion), "within": maybe(number), "consistent": flag},
    "cost": {**_FIGURES, "histogram": [number]},
    "proof": {"kind": choice(Evidence), "lower_bound": number, "evidence": choice(Support)},
    "tree": lambda value, _place: _tree(value, ""),
}

# Version 2 has additional keys, all optional.
_SHAPE_WITH_FACTS = {
    **_SHAPE,
    "rules": {**_SHAPE["rules"], "no_leading": text},
    "start": {**_SHAPE["start"], "facts": [text], "weights": lambda value, place: _weights(value, place)},
}

# Each guess nests two brackets. Every useful guess reduces the number of codes, so real strategies nest far less.
_MAX_NESTING = 200


# --- writing ----------------------------------------------------------------------------------------------------------


def head(task: Task) -> dict[str, dict[str, Any]]:
    """Return the parts of the file that describe the task: rules, start and objective."""
    turns, facts = turns_first(task.facts)
    leading = {"no_leading": task.rules.no_leading} if task.rules.no_leading else {}
    return {
        "rules": {**_part("rules", task.rules), **leading},
        "start": {
            "absent": task.absent,
            "turns": [str(turn) for turn in turns],
            **({"facts": [str(fact) for fact in facts]} if facts else {}),
            **({"weights": dict(task.prior)} if task.prior else {}),
        },
        "objective": _part("objective", task.objective),
    }


def _part(name: str, value: Rules | Objective | Cost | Proof) -> dict[str, Any]:
    return {key: getattr(value, key) for key in _SHAPE[name]}


def strategy_at(given: Strategy | str | PathLike[str], parameter: str) -> Strategy:
    """Return the strategy in argument `parameter`: a strategy, or the path or content of its file.

    Raises an `InputError`.
    """
    return read_strategy(given) if isinstance(given, (str, PathLike)) else Strategy.read(given, parameter)


def _content(given: bytes | str | PathLike[str]) -> bytes:
    if isinstance(given, (bytes, bytearray)):
        return bytes(given)
    if isinstance(given, str) and given.lstrip().startswith("{"):
        return given.encode()
    if not isinstance(given, (str, PathLike)):
        raise not_such("data", given, "'strategy.json', or the content of that file")
    path = Path(given)
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise unreadable_file(str(path), error) from None


def write_strategy(strategy: Strategy) -> str:
    """Return the text of the file, with one line for each part. `read_strategy` is the inverse.

    >>> from yomikiri.hitblow import Rules, solve
    >>> strategy = solve(Rules(2, "0123")).strategy
    >>> read_strategy(write_strategy(strategy)) == strategy
    True
    """
    strategy = Strategy.read(strategy, "strategy")
    parts = {
        "format": FORMAT,
        "version": _version(strategy.task),
        **head(strategy.task),
        "cost": _part("cost", strategy.cost),
        "proof": _part("proof", strategy.proof),
        "tree": _document(strategy.tree),
    }
    lines = (f"{json.dumps(key)}: {json.dumps(part, ensure_ascii=False)}" for key, part in parts.items())
    return "{" + ",\n ".join(lines) + "}\n"


def _version(task: Task) -> int:
    return WITH_FACTS if task.rules.no_leading or task.prior or turns_first(task.facts)[1] else VERSION


def _document(node: Node) -> dict[str, Any]:
    if not node.branches:
        return {"guess": node.guess}
    return {"guess": node.guess, "on": {str(answer): _document(below) for answer, below in node.branches}}


# --- reading ----------------------------------------------------------------------------------------------------------


def read_strategy(data: bytes | str | PathLike[str]) -> Strategy:
    """Return the strategy in a file, given by its path or its content.

    Text that begins with `{` is content. The strategy returned has the right form, usable rules, and figures that agree
    with each other. `verify` checks whether the tree finds every secret at that cost. Raises an `InputError` if the
    file cannot be read. Otherwise, raises the first `StrategyFault` found when checking its text, then its keys and
    types, then its values.
    """
    parsed = parse(_content(data), _MAX_NESTING)
    later = isinstance(parsed, _Pairs) and ("version", WITH_FACTS) in parsed
    found = read(parsed, WHOLE, _SHAPE_WITH_FACTS if later else _SHAPE)
    with usable(Place("rules")):
        rules = Rules(**found["rules"])
    with usable(Place("start.weights")):
        prior = checked_prior(rules, found["start"].pop("weights", ()))
    task = Task(rules, *_start(rules, **found["start"]), Objective(**found["objective"]), prior)
    return Strategy(task, found["tree"], _cost(found["cost"]), _proof(**found["proof"]))


def _weights(value: Any, place: Place) -> list[tuple[str, int]]:
    return [(code, number(weight, _inside(place, code))) for code, weight in pairs(value, place)]


def _start(rules: Rules, absent: str, turns: list[str], facts: Sequence[str] = ()) -> tuple[str, tuple[Fact, ...]]:
    with usable(Place("start.absent")):
        absent = rules.check_absent(absent)
    made: list[Fact] = []
    for name, tokens in (("turns", turns), ("facts", facts)):
        for index, written in enumerate(tokens):
            with usable(Place(f"start.{name}[{index}]")):
                made.append(Turn.parse(written) if name == "turns" else parse_fact(written))
                made[-1].check(rules)
    return absent, tuple(made)


def _proof(kind: Evidence, lower_bound: int, evidence: Support | None = None) -> Proof:
    """Return the proof. Files written by older versions lack `evidence`."""
    proof = Proof(kind, lower_bound, evidence is Support.CHECKED)
    if evidence not in (None, proof.evidence):
        raise _not_one_of(Place("proof.evidence"), evidence, json.dumps(proof.evidence))
    return proof


def _cost(found: dict[str, Any]) -> Cost:
    """Return the cost given by the histogram. Raises a `StrategyFault` if another figure contradicts it."""
    cost = Cost(tuple(found["histogram"]))
    for figure in _FIGURES:
        if found[figure] != getattr(cost, figure):
            raise StrategyFault(
                N_("at {place}: {given}: the histogram gives {counted}"),
                place=Place(f"cost.{figure}"),
                given=found[figure],
                counted=getattr(cost, figure),
            )
    return cost


def _tree(value: Any, way: str) -> Node:
    """Return the subtree in `value`; `way` contains the guesses and answers before it, such as `012 0H1B `."""
    found = fields(value, Place(f"{way}tree"), ("guess", "on"), optional=("on",))
    guess = text(found["guess"], Place(f"{way}guess"))
    place = Place(way + guess)
    if "on" not in found:
        return Node(guess)
    branches = pairs(found["on"], place)
    if not branches:
        raise StrategyFault(
            N_("at {place}: 'on' is empty: add a branch, or leave out 'on' after the last guess"), place=place
        )
    return Node(guess, tuple((_hint(key, place), _tree(below, f"{place} {key} ")) for key, below in branches))


_read_hint = lru_cache(maxsize=256)(Hint.parse)  # thousands of branches share a few hints


def _hint(written: str, place: Place) -> Hint:
    try:
        return _read_hint(written)
    except HintError:
        raise StrategyFault(
            N_("at {place}: {given!r} is not an answer: expected one such as 1H1B"), place=place, given=written
        ) from None
