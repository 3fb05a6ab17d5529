"""Every error of the package, in one tree.

    YomikiriError
    ├── InputError                 something given cannot be read or used        (exit status 2)
    │   ├── RulesError             the rules themselves
    │   ├── CodeError              a code that the rules do not allow
    │   ├── HintError              a hint that cannot be read or cannot occur
    │   ├── TurnError              a turn, or a whole game, as text
    │   ├── BoardError             a board, or a position on it
    │   ├── WordError              a word that is none of a few known ones; a ValueError, too
    │   └── MachineCodeError       machine code that is not there, or cannot be used
    ├── ContradictionError         every hint is possible, but no code fits all  (exit status 3)
    └── CheckError                 a check that failed                           (exit status 4)
        ├── StrategyFault          a strategy, or its file, is not what it says
        └── TimeLimitError         a program that was checked ran out of time

There is a class where someone catches it. What is wrong is said where the error is raised, in a sentence that shows
what was given and what was expected:

    raise CodeError(N_("{given!r} is not a code: expected {digits} symbols"), given=code, digits=digits)

`str(error)` is that sentence, `yomikiri.wording.sentence(error)` the same in the language in use. `N_` marks it for the
catalogues. A sentence is written once: where several places raise it, a function makes the error.
"""

from __future__ import annotations

from typing import ClassVar, Protocol, runtime_checkable


def N_(message: str) -> str:
    """Mark `message` for the catalogues without translating it here."""
    return message


@runtime_checkable
class Worded(Protocol):
    """A value whose text depends on what the players call hits and blows, such as the answer `1H1B`."""

    def in_words(self, words: str) -> str:
        """Return the text in these words, a `hitblow.Words`."""


class YomikiriError(Exception):
    """The root; never raised itself.

    `message` is the English sentence; `{name}` in it represents the value of `data["name"]`. `hint` may be one more
    line, in the current language: how to fix the input. `status` is the exit status of a program.
    """

    status: ClassVar[int] = 2
    hint: str | None = None

    def __init__(self, message: str, **data: str | int | Worded | YomikiriError) -> None:
        super().__init__(message)
        self.message = message
        self.data = data

    def __str__(self) -> str:
        return self.message.format(
            **{name: str(value) if isinstance(value, Worded) else value for name, value in self.data.items()}
        )


class InputError(YomikiriError):
    """Something given cannot be read or used."""


class RulesError(InputError):
    """The rules are not ones that the package, or what was asked of it, can play."""


class CodeError(InputError):
    """A code that the rules do not allow."""


class HintError(InputError):
    """A hint that cannot be read or cannot occur."""


class TurnError(InputError):
    """A turn, or a whole game, that cannot be read, or a turn that the game does not have."""


class BoardError(InputError):
    """A board, or a position on it, that cannot be read or used."""


class WordError(InputError, ValueError):
    """A word that is none of a few known ones.

    It is also a `ValueError`, which Python's enumerations raise for a value that they do not have.
    """


class MachineCodeError(InputError):
    """There is no machine code that this processor can run."""


class ContradictionError(YomikiriError):
    """Every hint is possible by itself, but no code fits them all."""

    status = 3


class CheckError(YomikiriError):
    """A check that failed."""

    status = 4


class StrategyFault(CheckError):
    """A strategy, or its file, is not what it says; `data["place"]` says where, if it can be read at all."""


class TimeLimitError(CheckError):
    """A program that was checked ran out of time."""


class Place(str):
    """A position in a file, or the path of a file. Messages shorten it later than other text that was given.

    A position is a line and column if the text is not JSON, a field such as `cost.total_guesses`, or the path through
    a tree, guess and answer by turns: `012 0H1B 134`.
    """

    __slots__ = ()


class Choices(str):
    """A list of the accepted values. Messages do not shorten it."""

    __slots__ = ()
