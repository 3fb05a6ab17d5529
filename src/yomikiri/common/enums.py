"""Enumerations of words, and conversion of text to words and numbers.

The text comes from options, addresses and files. Contains the enumerations that several games share: the grade of a
guess or move, and the difficulty of a puzzle.
"""

from __future__ import annotations

import operator
import re
import reprlib
import unicodedata
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Never, Self, TypeVar

from yomikiri.common.errors import N_, Choices, InputError, WordError

T = TypeVar("T")


class Named(StrEnum):
    """An enumeration of words, spelled the same in options, files and JSON. Its `repr` is Python code: `Tie.DRAW`."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    @classmethod
    def of(cls, given: str) -> Self:
        """Return the member with this value; a member is returned unchanged. Raises a `WordError` for other values."""
        return cls(given) if isinstance(given, str) else cls._missing_(given)

    @classmethod
    def read(cls, given: str, parameter: str) -> Self:
        """Return the member whose value is `given`. Otherwise raises an `InputError` that names `parameter`."""
        try:
            return cls.of(given)
        except WordError:
            raise not_one_of(parameter, shown(given), cls) from None

    @classmethod
    def _missing_(cls, value: object) -> Never:
        raise WordError(N_("{given!r}: expected one of {known}"), given=shown(value), known=Choices(", ".join(cls)))


class Grade(Named):
    """Grade of a guess or move, by how much worse it is than the best one.

    `BEST`: not worse. `GOOD`: a little worse. `INACCURACY`: moderately worse. `MISTAKE`: much worse. `RISKY`: a guess
    that was worse than a good one and still found the secret.
    """

    BEST = "best"
    GOOD = "good"
    RISKY = "risky"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"


class Difficulty(Named):
    """The difficulty of a puzzle: a harder one has more candidates, or more empty cells."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


def choice(parameters: Mapping[str, str], name: str, known: Iterable[T], default: T) -> T:
    """Return the member of `known` that parameter `name` selects, or `default` if the parameter is missing.

    Raises an `InputError` for any other value.
    """
    if name not in parameters:
        return default
    values = {str(value): value for value in known}
    if parameters[name] not in values:
        raise not_one_of(name, parameters[name], values)
    return values[parameters[name]]


def not_one_of(name: str, given: str, known: Iterable[str]) -> InputError:
    """Return the error for parameter `name` whose value is not one of `known`."""
    return InputError(
        N_("{parameter}={given}: expected one of {known}"), parameter=name, given=given, known=Choices(", ".join(known))
    )


def shown(given: object) -> str:
    """Return a value for an error message: text unchanged, anything else as short Python code on one line."""
    return given if isinstance(given, str) else " ".join(reprlib.repr(given).split())


def whole(given: object, parameter: str, least: int, most: int) -> int:
    """Return `given`, the value of argument `parameter`, as a whole number from `least` to `most`.

    Raises an `InputError` for any other value.
    """
    try:
        value = operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        value = least - 1
    if least <= value <= most and not isinstance(given, bool):
        return value
    raise not_whole(parameter, shown(given), f"{least:,}", f"{most:,}")


def text(given: object, parameter: str) -> str:
    """Return `given`, the value of argument `parameter`, if it is text. Otherwise, raise an `InputError`."""
    if isinstance(given, str):
        return given
    raise InputError(N_("{parameter}={given}: expected text"), parameter=parameter, given=shown(given))


def number_within(given: object, parameter: str, least: float, most: float) -> float:
    """Return `given`, the value of argument `parameter`, as a number from `least` to `most`.

    Raises an `InputError` for any other value.
    """
    if isinstance(given, (int, float)) and not isinstance(given, bool) and least <= given <= most:
        return float(given)
    raise not_a_number(parameter, shown(given), f"{least:g}", f"{most:g}")


def not_a_number(name: str, given: str, least: str, most: str) -> InputError:
    """Return the error for a parameter that is not a number within bounds."""
    return InputError(
        N_("{parameter}={given}: expected a number from {least} to {most}"),
        parameter=name,
        given=given,
        least=least,
        most=most,
    )


def seconds(given: object, parameter: str) -> float:
    """Return `given`, the value of argument `parameter`, as a number of seconds, possibly infinite or negative.

    Raises an `InputError` for any other value.
    """
    if isinstance(given, (int, float)) and not isinstance(given, bool) and given == given:  # false for nan
        return float(given)
    raise not_such(parameter, given, "2.5")


def not_such(parameter: str, given: object, example: str) -> InputError:
    """Return the error for a parameter of the wrong kind. `example` is a valid value, as Python code."""
    return InputError(
        N_("{parameter}={given}: expected a value such as {example}"),
        parameter=parameter,
        given=shown(given),
        example=example,
    )


def flag(given: object, parameter: str) -> bool:
    """Return `given`, the value of argument `parameter`, if it is True or False. Otherwise, raise an `InputError`."""
    if isinstance(given, bool):
        return given
    raise InputError(N_("{parameter}={given}: expected True or False"), parameter=parameter, given=shown(given))


def not_whole(name: str, given: str, least: str, most: str) -> InputError:
    """Return the error for a parameter that is not a whole number within bounds."""
    return InputError(
        N_("{parameter}={given}: expected a whole number from {least} to {most}"),
        parameter=name,
        given=given,
        least=least,
        most=most,
    )


def number(parameters: Mapping[str, str], name: str, default: T) -> int | T:
    """Return the value of parameter `name` as a whole number of at most six digits, or `default` if it is missing.

    Raises an `InputError` for any other text.
    """
    if name not in parameters:
        return default
    text = unicodedata.normalize("NFKC", parameters[name]).strip()
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise InputError(
            N_("{parameter} {given!r}: expected a number, such as 1"), parameter=name, given=parameters[name]
        )
    return int(text)


def fold(text: str) -> str:
    """Return the text in lower case, NFKC-normalised and stripped."""
    return unicodedata.normalize("NFKC", text).casefold().strip()
