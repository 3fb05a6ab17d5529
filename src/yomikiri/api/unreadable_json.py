"""Translatable errors for JSON that cannot be decoded, from the English messages of msgspec."""

from __future__ import annotations

import re

from yomikiri.common.errors import N_, Choices, InputError, Place

_AT = r"(?: - at `(?P<path>.*)`)?"
_MISSING = re.compile(rf"Object missing required field `(?P<key>.*?)`{_AT}")
_UNKNOWN = re.compile(rf"Object contains unknown field `(?P<key>.*?)`{_AT}")
_OTHER = re.compile(rf"Expected `(?P<expected>[^`]*)`, got `(?P<given>[^`]*)`{_AT}")
_WORD = re.compile(rf"Invalid (?:enum )?value (?P<given>.*?){_AT}")
_LIMITED = re.compile(rf"Expected (?P<expected>`.*?){_AT}")
_MALFORMED = re.compile(r"JSON is malformed: .*\(byte (?P<byte>\d+)\)")


def json_fault(error: Exception) -> InputError:
    """Return the error for JSON that msgspec cannot decode. In its message, `$` is the place of the whole value."""
    text = str(error)
    if isinstance(error, RecursionError):
        return InputError(N_("nested too deeply: expected fewer brackets inside brackets"))
    if isinstance(error, UnicodeDecodeError):
        return InputError(N_("byte {byte} is not UTF-8: expected JSON in UTF-8"), byte=error.start)
    if text == "Input data was truncated":
        return InputError(N_("the JSON ends too early: expected all of it"))
    if found := _MALFORMED.fullmatch(text):
        return InputError(N_("byte {byte} is not JSON: check the commas, quotes and brackets"), byte=found["byte"])
    for pattern, fault in ((_MISSING, _missing), (_UNKNOWN, _unknown), (_OTHER, _other), (_LIMITED, _limited)):
        if found := pattern.fullmatch(text):
            return fault(_place(found["path"]), found.groupdict())
    if found := _WORD.fullmatch(text):
        return InputError(N_("at {place}: {given} is none of the known words: choose another"),
                          place=_place(found["path"]), given=found["given"])  # fmt: skip
    return InputError(N_("unexpected JSON: {text}"), text=text)


def _place(path: str | None) -> Place:
    return Place((path or "$").removeprefix("$."))


def _missing(place: Place, found: dict[str, str]) -> InputError:
    return InputError(N_("at {place}: {key!r} is missing: add it"), place=place, key=found["key"])


def _unknown(place: Place, found: dict[str, str]) -> InputError:
    return InputError(N_("at {place}: {key!r} is unknown: remove it"), place=place, key=found["key"])


def _other(place: Place, found: dict[str, str]) -> InputError:
    return InputError(N_("at {place}: expected {expected}, not {given}"),
                      place=place, expected=Choices(found["expected"]), given=found["given"])  # fmt: skip


def _limited(place: Place, found: dict[str, str]) -> InputError:
    return InputError(N_("at {place}: expected {expected}"), place=place, expected=Choices(found["expected"]))
