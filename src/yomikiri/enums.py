"""Words and numbers that are given by name, in options, addresses and files; and enumerations of such words: those of
both games are here, how good a guess or a move was beside the best one, and how hard a puzzle is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Self, TypeVar

from yomikiri.errors import N_, Choices, InputError

T = TypeVar("T")


class Named(StrEnum):
    """One of a few words, each the same in options, files and JSON; its `repr` rebuilds it: `Tie.DRAW`."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    @classmethod
    def of(cls, given: str) -> Self:
        """The member of that word; itself if it is one. Raises an `InputError`."""
        try:
            return cls(given)
        except ValueError:
            known = Choices(", ".join(cls))
            raise InputError(N_("{given!r}: expected one of {known}"), given=str(given), known=known) from None


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
