"""JSON text of strategy files: values with their places, and errors that quote the file.

tests/hitblow/strategy/test_verify.py and tests/api/test_list_strategies.py test it through the two kinds of files.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import pytest

from yomikiri.common.errors import StrategyFault
from yomikiri.common.strategy_json import WHOLE, choice, flag, maybe, number, only, parse, read, read_tree, text


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


SHAPE = {
    "name": text,
    "colour": choice(Colour),
    "sizes": [number],
    "part": {"done": flag, "limit": maybe(number), "note?": text},
    "version": only(1, 2),
}
FILE = (
    '{"name": "a", "colour": "red", "sizes": [1, 23], "part": {"done": true, "limit": null}, "version": 2}'  # one line
)


def fault_of(data: str) -> str:
    with pytest.raises(StrategyFault) as fault:
        read(parse(data.encode(), 10), WHOLE, SHAPE)
    return str(fault.value)


def test_values_are_converted_by_their_shape():
    found = read(parse(FILE.encode(), 10), WHOLE, SHAPE)
    assert found == {
        "name": "a", "colour": Colour.RED, "sizes": [1, 23], "part": {"done": True, "limit": None}, "version": 2,
    }  # fmt: skip
    noted = read(parse(FILE.replace("null", '7, "note": "x"').encode(), 10), WHOLE, SHAPE)
    assert noted["part"] == {"done": True, "limit": 7, "note": "x"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"a"', "1", 'at name: 1 is not a string: expected "..."'),
        ('"red"', '"green"', 'at colour: "green": expected red, blue'),
        ("[1, 23]", "[1, -23]", "at sizes[1]: -23: expected a non-negative integer of at most 15 digits"),
        ("[1, 23]", "[1e2]", "at sizes[0]: 1e2: expected a non-negative integer of at most 15 digits"),
        ("[1, 23]", "[true]", "at sizes[0]: true: expected a non-negative integer of at most 15 digits"),
        ("[1, 23]", "{}", "at sizes: {...} is not a list: expected [...]"),
        ("true", "0", "at part.done: 0: expected true or false"),
        ("null", "-1", "at part.limit: -1: expected a non-negative integer of at most 15 digits"),
        (', "limit": null', "", "at part: 'limit' is missing"),
        ("null", 'null, "limit": 1', "at part: 'limit' appears twice"),
        ('"version": 2', '"version": 3', "at version: 3: expected 1, 2"),
        ('"version": 2', '"version": 2, "more": 1', "at file: unknown key 'more': expected one of name, colour, sizes"),
        ('"a"', '"a', " is not JSON: expected a whole strategy file"),
        ("1, 23", "[" * 10, "line 1, column 50 is nested too deeply: expected at most 10 levels of brackets"),
    ],
)  # fmt: skip
def test_fault_names_its_place_and_the_expected_value(old: str, new: str, message: str):
    assert FILE.count(old) == 1
    assert message in fault_of(FILE.replace(old, new))


def grown(guess: str, branches: tuple[tuple[Any, Any], ...]) -> Any:
    return guess, *branches


def test_tree_is_built_from_its_leaves():
    value = parse(b'{"guess": "ab", "on": {"1": {"guess": "ac"}, "2": {"guess": "ad", "on": {}}}}', 10)
    assert read_tree(value, grown, text, empty=True) == ("ab", ("1", ("ac",)), ("2", ("ad",)))
    with pytest.raises(StrategyFault, match="at ab 2 ad: 'on' is empty"):
        read_tree(value, grown, text, empty=False)
    with pytest.raises(StrategyFault, match="at ab 1 guess: 3 is not a string"):
        read_tree(parse(b'{"guess": "ab", "on": {"1": {"guess": 3}}}', 10), grown, text, empty=True)
