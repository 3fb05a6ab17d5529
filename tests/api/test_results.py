"""The conversion of domain values to JSON documents, by the types of the keys."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from msgspec import to_builtins

from yomikiri.api.results import UNSET, Count, Document, UnsetType, as_text, versioned
from yomikiri.hitblow.model.rules import Hint, Turn


class InnerJson(Document):
    """A nested document."""

    turn: str


class OuterJson(Document):
    """A document with each kind of key."""

    count: Count
    share: float | None
    inner: InnerJson
    cells: dict[str, int]
    turns: list[str]
    note: str | UnsetType = UNSET
    most: int | UnsetType | None = UNSET


@dataclass
class Inner:
    turn: Turn


@dataclass
class Outer:
    count: int
    share: Fraction | None
    inner: Inner
    cells: tuple[tuple[Hint, int], ...]
    turns: tuple[Turn, ...]
    note: str = ""


TURN = Turn("012", Hint(0, 1))
OUTER = Outer(3, Fraction(1, 4), Inner(TURN), ((TURN.hint, 2),), (TURN,))
PLAIN = {
    "count": 3, "share": 0.25, "inner": {"turn": "012:0H1B"}, "cells": {"0H1B": 2}, "turns": ["012:0H1B"],
}  # fmt: skip


def test_document_converts_nested_values_and_leaves_out_empty_optional_keys():
    assert to_builtins(OuterJson.of(OUTER)) == PLAIN
    assert list(versioned(OuterJson.of(OUTER))) == ["schema_version", *PLAIN]
    assert as_text(InnerJson("a")) == '{\n  "schema_version": 1,\n  "turn": "a"\n}'


@pytest.mark.parametrize(
    ("values", "changed"),
    [
        ({"share": None}, {"share": None}),
        ({"note": "x"}, {"note": "x"}),
        ({"note": None}, {}),
        ({"most": None}, {"most": None}),
        ({"most": UNSET}, {}),
        ({"most": 0}, {"most": 0}),
        ({"turns": ()}, {"turns": []}),
        ({"inner": InnerJson("b")}, {"inner": {"turn": "b"}}),
    ],
)
def test_given_values_replace_attributes(values: dict[str, Any], changed: dict[str, Any]):
    assert to_builtins(OuterJson.filled(OUTER, **values)) == PLAIN | changed


def test_missing_attribute_of_a_required_key_is_an_error():
    with pytest.raises(AttributeError, match="count"):
        OuterJson.of(InnerJson("a"))


def test_schema_name_has_no_suffix():
    assert (OuterJson.__name__, Document.__name__) == ("Outer", "Document")
