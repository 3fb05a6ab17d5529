"""Words and numbers that are given by name, in options, addresses and files; and enumerations of such words: those of
both games are here, how good a guess or a move was beside the best one, and how hard a puzzle is.
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
    """One of a few words, each the same in options, files and JSON; its `repr` rebuilds it: `Tie.DRAW`."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    @classmethod
    def of(cls, given: str) -> Self:
        """Return the member of that word; itself if it is one. Raises an `InputError`."""
        return cls(given) if isinstance(given, str) else cls._missing_(given)

    @classmethod
    def read(cls, given: str, parameter: str) -> Self:
        """Return the member that a parameter names. Raises an `InputError` that names the parameter."""
        try:
            return cls.of(given)
        except WordError:
            raise not_one_of(parameter, shown(given), cls) from None

    @classmethod
    def _missing_(cls, value: object) -> Never:
        raise WordError(N_("{given!r}: expected one of {known}"), given=shown(value), known=Choices(", ".join(cls)))


class Grade(Named):
    """How good a choice was.

    `BEST`: no other is better. `GOOD`, `INACCURACY`, `MISTAKE`: it gave little, something, much away. `RISKY` is for a
    guess that gave away more than a good one and yet found the secret: it paid.
    """

    BEST = "best"
    GOOD = "good"
    RISKY = "risky"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"


class Difficulty(Named):
    """How hard a puzzle is, by how much there is to read."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


def choice(told: Mapping[str, str], name: str, known: Iterable[T], default: T) -> T:
    """The value of `known` whose text is given by `name`, `default` where nothing is; raises an `InputError`."""
    if name not in told:
        return default
    values = {str(value): value for value in known}
    if told[name] not in values:
        raise not_one_of(name, told[name], values)
    return values[told[name]]


def not_one_of(name: str, given: str, known: Iterable[str]) -> InputError:
    """The error for a word told by `name` that is none of those known."""
    return InputError(
        N_("{parameter}={given}: expected one of {known}"), parameter=name, given=given, known=Choices(", ".join(known))
    )


def shown(given: object) -> str:
    """Return a value for an error message: text as it is, anything else as short Python on one line."""
    return given if isinstance(given, str) else " ".join(reprlib.repr(given).split())


def whole(given: object, parameter: str, least: int, most: int) -> int:
    """Return the value of a parameter that is a whole number within bounds. Raises an `InputError`."""
    try:
        value = operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        value = least - 1
    if least <= value <= most and not isinstance(given, bool):
        return value
    raise not_whole(parameter, shown(given), f"{least:,}", f"{most:,}")


def text(given: object, parameter: str) -> str:
    """Return the value of a parameter that is text. Raises an `InputError`."""
    if isinstance(given, str):
        return given
    raise InputError(N_("{parameter}={given}: expected text"), parameter=parameter, given=shown(given))


def number_within(given: object, parameter: str, least: float, most: float) -> float:
    """Return the value of a parameter that is a number within bounds. Raises an `InputError`."""
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
    """Return the value of a parameter that is a number of seconds, also infinite or past. Raises an `InputError`."""
    if isinstance(given, (int, float)) and not isinstance(given, bool) and given == given:  # nan differs from itself
        return float(given)
    raise not_such(parameter, given, "2.5")


def not_such(parameter: str, given: object, example: str) -> InputError:
    """Return the error for a parameter of another kind; `example` is a value that it accepts, as Python."""
    return InputError(
        N_("{parameter}={given}: expected a value such as {example}"),
        parameter=parameter,
        given=shown(given),
        example=example,
    )


def flag(given: object, parameter: str) -> bool:
    """Return the value of a parameter that is true or false. Raises an `InputError`."""
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


def number(told: Mapping[str, str], name: str, default: T) -> int | T:
    """The number from 0 that is given by `name`, `default` where nothing is; raises an `InputError`."""
    if name not in told:
        return default
    text = unicodedata.normalize("NFKC", told[name]).strip()
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise InputError(
            N_("{parameter} needs a number, such as 1: {given!r} is none"), parameter=name, given=told[name]
        )
    return int(text)


def fold(text: str) -> str:
    """`text` with compatibility forms and case folded and the ends trimmed."""
    return unicodedata.normalize("NFKC", text).casefold().strip()
