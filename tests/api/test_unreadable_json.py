"""Errors for JSON that cannot be decoded: each message of msgspec becomes a sentence in both languages."""

from typing import Annotated, Literal

import pytest
from msgspec import DecodeError, Meta, Struct
from msgspec.json import decode

from yomikiri.api.unreadable_json import json_fault
from yomikiri.wording import sentence, use_language


class Inner(Struct, forbid_unknown_fields=True):
    """A part of the decoded value."""

    count: Annotated[int, Meta(ge=1)] = 1
    name: Annotated[str, Meta(pattern="^[a-z]+$")] = "a"


class Whole(Struct):
    """The decoded value."""

    kind: Literal["one", "two"]
    parts: list[Inner] = []


CASES = [
    (b"{}", "at $: 'kind' is missing: add it", "$：'kind' がありません。"),
    (b'{"kind": "six"}', "at kind: 'six' is none of the known words: choose another", "kind：'six' は"),
    (b'{"kind": 3}', "at kind: expected str, not int", "kind：int ではなく str に"),
    (b'{"kind": "one", "parts": [{"count": 0}]}', "at parts[0].count: expected `int` >= 1", "`int` >= 1 の形に"),
    (b'{"kind": "one", "parts": [{"name": "A"}]}', "at parts[0].name: expected `str` matching regex", "に"),
    (b'{"kind": "one", "parts": [{"size": 0}]}', "at parts[0]: 'size' is unknown: remove it", "'size' は使え"),
    (b'{"kind": "one",}', "byte 15 is not JSON: check the commas, quotes and brackets", "15 バイト目が JSON"),
    (b'{"kind": "one"', "the JSON ends too early: expected all of it", "JSON が途中で終わっています。"),
    (b'{"kind": "\xff"}', "byte 0 is not UTF-8: expected JSON in UTF-8", "UTF-8 ではありません。"),
    (b"[]", "at $: expected object, not array", "$：array ではなく object に"),
]


def test_deep_nesting_is_named():
    with pytest.raises(RecursionError) as caught:
        decode(b"[" * 100_000)
    assert sentence(json_fault(caught.value)).startswith("nested too deeply")


@pytest.mark.parametrize(("data", "english", "japanese"), CASES, ids=[english for _data, english, _ja in CASES])
def test_messages_of_msgspec_are_translated(data: bytes, english: str, japanese: str):
    with pytest.raises((DecodeError, UnicodeDecodeError, RecursionError)) as caught:
        decode(data, type=Whole)
    fault = json_fault(caught.value)
    assert sentence(fault).startswith(english)
    use_language("ja")
    said = sentence(fault)
    use_language("en")
    assert japanese in said
    assert "Expected" not in said
