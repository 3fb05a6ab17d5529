"""What can be wrong with an address that the page is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.errors import N_, InputError, RulesError


@dataclass(eq=False)
class UnknownVersion(InputError):
    """An address of another version of the format."""

    given: str
    known: str
    message = N_("address of version {given!r}: expected {known}")


@dataclass(eq=False)
class NotANumber(InputError):
    """Text in an address where a number was needed."""

    given: str
    message = N_("{given!r} is not a number: expected one such as 3")


@dataclass(eq=False)
class TooManyTurns(InputError):
    """More turns than the page reads."""

    given: int
    limit: int
    message = N_("{given} lines: expected at most {limit}")


@dataclass(eq=False)
class TooLargeToServe(RulesError):
    """Rules whose proposals would keep a shared machine busy."""

    given: int
    limit: int
    message = N_("{given} possible guesses are too many for the page: expected at most {limit}; the program plays them")
