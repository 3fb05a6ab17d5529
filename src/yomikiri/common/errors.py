"""All exceptions of the package, in one tree.

    YomikiriError
    ├── InputError                 invalid or unusable input                     (exit status 2)
    │   ├── RulesError             invalid rules
    │   ├── CodeError              a code that the rules do not allow
    │   ├── HintError              an answer that is unreadable or cannot occur
    │   ├── TurnError              a turn, or a whole game, as text
    │   ├── BoardError             a board, or a position on it
    │   ├── WordError              not one of the accepted words; also a ValueError
    │   └── MachineCodeError       machine code is missing or unusable
    ├── ContradictionError         each answer is possible, but no code fits all (exit status 3)
    └── CheckError                 a check failed                                (exit status 4)
        ├── StrategyFault          a strategy, or its file, is wrong
        └── TimeLimitError         a program under test exceeded its time limit

A class exists only if some caller catches it. The message is written at the `raise` statement. It quotes the input and
says what was expected:

    raise CodeError(N_("{given!r} is not a code: expected {digits} symbols"), given=code, digits=digits)

`str(error)` is that sentence; `yomikiri.wording.sentence(error)` is its translation. `N_` marks it for the catalogues.
Each sentence occurs once in the code: if several places raise the same error, a function builds it.

A number before a noun has both forms of the noun: `{count:symbol|symbols}` becomes "1 symbol" or "5 symbols".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Protocol, runtime_checkable


def N_(message: str) -> str:
    """Return `message` unchanged. The call marks it for the catalogues of translations."""
    return message


@runtime_checkable
class Worded(Protocol):
    """A value whose text depends on the players' words for hits and blows, such as the answer `1H1B`."""

    def in_words(self, words: str) -> str:
        """Return the text with the words for hits and blows that `words`, a member of `hitblow.Words`, selects."""


class YomikiriError(Exception):
    """Base class of all exceptions. It is never raised itself.

    `message` is the English sentence. `{name}` in it stands for the value of `data["name"]`. `hint` is None or one more
    line, in the current language, on how to fix the input. `status` is the exit status of the command that fails.
    """

    status: ClassVar[int] = 2
    hint: str | None = None

    def __init__(self, message: str, **data: str | int | Worded | YomikiriError) -> None:
        super().__init__(message)
        self.message = message
        self.data = data

    def __str__(self) -> str:
        return self.message.format(**{name: _filled(value) for name, value in self.data.items()})


class _Count(int):
    """A number that can be formatted together with a noun, as in `{count:symbol|symbols}`."""

    def __format__(self, form: str) -> str:
        return counted(str(int(self)), form) if "|" in form else int(self).__format__(form)


def _filled(value: object) -> object:
    if isinstance(value, Worded):
        return str(value)
    return _Count(value) if isinstance(value, int) else value


def counted(number: str, noun: str) -> str:
    """Return a number with its noun, which has the form `singular|plural`.

    >>> counted("1", "guess|guesses"), counted("2", "guess|guesses")
    ('1 guess', '2 guesses')
    """
    one, _bar, many = noun.partition("|")
    return f"{number} {one if number == '1' else many}"


class InputError(YomikiriError):
    """Invalid or unusable input."""


class RulesError(InputError):
    """Rules that are invalid, or that the requested function does not support."""


class CodeError(InputError):
    """A code that the rules do not allow."""


class HintError(InputError):
    """An answer to a guess that is unreadable or cannot occur."""


class TurnError(InputError):
    """A turn or a whole game that is unreadable, or a turn that does not exist."""


class BoardError(InputError):
    """A board, or a position on it, that is unreadable or unusable."""


class WordError(InputError, ValueError):
    """A word that is not one of the accepted ones.

    It is also a `ValueError`, like the exception of Python's enumerations for an unknown value.
    """


class MachineCodeError(InputError):
    """Machine code that is missing for this processor, or unusable."""


class ContradictionError(YomikiriError):
    """A contradiction: each answer is possible by itself, but no code fits them all."""

    status = 3


class CheckError(YomikiriError):
    """A failed check."""

    status = 4


class StrategyFault(CheckError):
    """A wrong strategy or strategy file. `data["place"]` is the place of the fault, if the file can be parsed."""


class TimeLimitError(CheckError):
    """A program under test that exceeded its time limit."""


class Place(str):
    """A place: a position in a file, or the path of a file.

    If a message is too long, other input is shortened first. A position in a strategy file is a field, such as
    `cost.total_guesses`, or a path in a tree: guesses and answers in turn, `012 0H1B 134`.
    """

    __slots__ = ()


class Choices(str):
    """A list of the accepted values. Messages do not abbreviate it."""

    __slots__ = ()


def repeated(place: Place, key: str) -> StrategyFault:
    """Return the error for a repeated key in a strategy file, or two branches for one answer."""
    return StrategyFault(N_("at {place}: {key!r} appears twice"), place=place, key=key)


@contextmanager
def usable(place: Place) -> Iterator[None]:
    """Convert an `InputError` or `ContradictionError` in the `with` block into a `StrategyFault` at `place`."""
    try:
        yield
    except (InputError, ContradictionError) as reason:
        raise StrategyFault(N_("at {place}: {reason}"), place=place, reason=reason) from None
