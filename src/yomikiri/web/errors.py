"""What can be wrong with an address that the page is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.errors import N_, BoardError, InputError, RulesError


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


@dataclass(eq=False)
class MissingParameter(InputError):
    """A question without what it is about."""

    given: str
    message = N_("there is no {given}= in the address: expected one")


@dataclass(eq=False)
class UnknownParameter(InputError):
    """A name that means nothing in a question, where nothing is passed over."""

    given: str
    known: str
    message = N_("unknown parameter {given!r}: expected one of {known}")


@dataclass(eq=False)
class DoubledParameter(InputError):
    """A name twice, where it can have one value only."""

    given: str
    message = N_("{given}= stands twice in the address: expected it once")


@dataclass(eq=False)
class UnknownValue(InputError):
    """A value that a parameter cannot have."""

    given: str
    parameter: str
    known: str
    message = N_("{parameter}={given}: expected one of {known}")


@dataclass(eq=False)
class TooManyCells(BoardError):
    """A board whose reading would keep a shared machine busy."""

    given: int
    limit: int
    message = N_("a board of {given} cells is too large for the page: expected at most {limit}; the program reads it")


@dataclass(eq=False)
class NotReadInTime(BoardError):
    """A position that takes longer to read than the page may."""

    seconds: int
    message = N_(
        "not read to the end in {seconds} s: expected a smaller board, or more moves made; the program reads on"
    )
