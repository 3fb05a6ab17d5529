"""Every error of the package, in one tree.

    YomikiriError
    ├── InputError                 something given cannot be read or used        (exit status 2)
    │   ├── RulesError             the rules themselves
    │   ├── CodeError              a code that the rules do not allow
    │   ├── HintError              a hint that cannot be read or cannot occur
    │   ├── TurnError              a turn, or a whole game, as text
    │   └── BoardError             a board, or a position on it
    ├── ContradictionError         every hint is possible, but no code fits all  (exit status 3)
    └── CheckError                 a check that failed                           (exit status 4)
        └── StrategyFault          a strategy, or its file, is not what it says

An error carries its data as fields, and its class the English sentence (`message`) in which `{field}` stands for
them; `str(error)` is that sentence, `yomikiri.wording.sentence(error)` the same in the language in use. A sentence says
what was given and what was expected. Where a leaf class is needed, it is added below its branch.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar


def N_(message: str) -> str:
    """Mark `message` for the catalogues without translating it here."""
    return message


@dataclass(eq=False)
class YomikiriError(Exception):
    """The root; never raised itself."""

    message: ClassVar[str] = ""

    def __post_init__(self) -> None:
        # The fields are the exception's arguments, so that it can be pickled.
        super().__init__(*(getattr(self, field.name) for field in fields(self)))

    @property
    def data(self) -> dict[str, Any]:
        """The fields by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        return self.message.format(**self.data)


# --- input ------------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class InputError(YomikiriError):
    """Something given cannot be read or used."""


@dataclass(eq=False)
class UnreadableFile(InputError):
    """A file that cannot be opened, or is not text."""

    given: str
    message = N_("cannot read {given}: expected a text file in UTF-8")


@dataclass(eq=False)
class DamagedFile(InputError):
    """A file that came with the program and is not as it was."""

    given: str
    message = N_("{given} is damaged or missing: expected it as it came with yomikiri; install yomikiri again")


@dataclass(eq=False)
class UnwritableFile(InputError):
    """A file or folder that cannot be written."""

    given: str
    message = N_("cannot write {given}: expected a place for a new file")


@dataclass(eq=False)
class PortTaken(InputError):
    """A port that cannot be listened on."""

    given: int
    message = N_("cannot listen on port {given}: expected a free one; --port 0 takes any")


@dataclass(eq=False)
class UnknownPolicy(InputError):
    """A name that no policy has."""

    given: str
    known: str
    message = N_("unknown policy {given!r}: expected one of {known}")


@dataclass(eq=False)
class PolicyNeedsRepeats(InputError):
    """`repdigit` under rules that allow no repeated symbol in a guess."""

    given: str
    message = N_("policy {given} throws codes such as 000: expected rules with --repeats guess or all")


@dataclass(eq=False)
class TooManyCandidates(InputError):
    """More candidates than one JSON document should hold."""

    given: int
    limit: int
    message = N_("{given} candidates are too many for one JSON document: expected at most {limit}; give more turns")


@dataclass(eq=False)
class TooManyForPage(InputError):
    """More secrets than one page for a telephone should hold."""

    given: int
    limit: int
    message = N_("{given} secrets are too many for one page: expected at most {limit}; give turns, or another --format")


@dataclass(eq=False)
class RulesError(InputError):
    """The rules themselves are not ones the package plays."""


@dataclass(eq=False)
class BadDigits(RulesError):
    """A number of digits out of range."""

    given: int
    message = N_("{given} digits: expected 1 to 6")


@dataclass(eq=False)
class BadAlphabet(RulesError):
    """Symbols that are too few, too many, repeated, blank, or kept for the notation."""

    given: str
    message = N_("symbols {given!r}: expected 1 to 16 different printable characters, none blank, ':' or '-'")


@dataclass(eq=False)
class BadRepeats(RulesError):
    """An unknown kind of repetition."""

    given: str
    message = N_("repeats {given!r}: expected none, guess or all")


@dataclass(eq=False)
class UnknownPreset(RulesError):
    """A name that no preset has."""

    given: str
    known: str
    message = N_("unknown preset {given!r}: expected one of {known}")


@dataclass(eq=False)
class TooFewSymbols(RulesError):
    """Fewer symbols than a secret of different symbols needs."""

    given: str
    digits: int
    message = N_("symbols {given!r}: expected at least {digits} of them for a secret without repeats")


@dataclass(eq=False)
class TooManyAbsent(RulesError):
    """Absent symbols that leave too few for a secret."""

    given: str
    digits: int
    message = N_("absent {given!r} leaves too few symbols: expected enough for a secret of {digits}")


@dataclass(eq=False)
class NoStrategy(InputError):
    """A limit that no strategy keeps, where one was to be written."""

    within: int
    message = N_("no strategy finds every secret within {within} guesses: expected a larger --within")


@dataclass(eq=False)
class CodeError(InputError):
    """A code that the rules do not allow."""


@dataclass(eq=False)
class WrongLength(CodeError):
    """A code of the wrong length."""

    given: str
    digits: int
    message = N_("{given!r} is not a code: expected {digits} symbols")


@dataclass(eq=False)
class UnknownSymbol(CodeError):
    """A symbol outside the alphabet."""

    given: str
    symbol: str
    symbols: str
    message = N_("{symbol!r} in {given!r} is not a symbol of this game: expected symbols of {symbols}")


@dataclass(eq=False)
class RepeatedSymbol(CodeError):
    """A symbol twice where the rules ask for different ones."""

    given: str
    symbol: str
    message = N_("{symbol!r} occurs twice in {given!r}: expected different symbols")


@dataclass(eq=False)
class NotOneSymbol(CodeError):
    """Several symbols, or none, where one was asked for."""

    given: str
    symbols: str
    message = N_("{given!r} is not one symbol: expected one of {symbols}")


@dataclass(eq=False)
class HintError(InputError):
    """A hint that cannot be read or cannot occur."""


@dataclass(eq=False)
class UnreadableHint(HintError):
    """Text that is not a hint."""

    given: str
    message = N_("{given!r} is not a hint: expected hits and blows, such as 1H1B or '1 1'")


@dataclass(eq=False)
class ImpossibleHint(HintError):
    """A hint that no secret can give to this guess."""

    given: str
    guess: str
    message = N_("{given} cannot be the answer to {guess}: expected a hint that some code of these rules would give")


@dataclass(eq=False)
class TurnError(InputError):
    """A turn, or a whole game, that cannot be read."""


@dataclass(eq=False)
class UnreadableTurn(TurnError):
    """Text that is not a turn."""

    given: str
    message = N_("{given!r} is not a turn: expected GUESS:HINT, such as 012:1H1B")


@dataclass(eq=False)
class GuessWithoutHint(TurnError):
    """A guess alone where its hint was needed."""

    given: str
    message = N_("{given!r} is a guess without its hint: expected both, such as '{given} 1H1B'")


@dataclass(eq=False)
class NoSuchTurn(TurnError):
    """A line number that the game does not have."""

    given: str
    count: int
    message = N_("there is no line {given}: expected a number from 1 to {count}")


@dataclass(eq=False)
class UnreadableEdit(TurnError):
    """An edit without its line number or answer."""

    given: str
    message = N_("'edit {given}': expected a line and its answer, such as 'edit 2 1H1B'")


@dataclass(eq=False)
class NothingToEdit(TurnError):
    """An edit at the start of the game."""

    message = N_("nothing to edit: expected at least one line")


@dataclass(eq=False)
class NothingToUndo(TurnError):
    """An undo at the start of the game."""

    message = N_("nothing to undo: expected at least one line")


@dataclass(eq=False)
class BoardError(InputError):
    """A board, or a position on it, that cannot be read or used; the leaves stand in `tictactoe.errors`."""


# --- contradiction ----------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class ContradictionError(YomikiriError):
    """Every hint is possible by itself, but no code fits them all."""

    given: str
    message = N_("no code fits {given}: expected hints that agree with each other")


# --- checks -----------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class CheckError(YomikiriError):
    """A check that failed."""


class Place(str):
    """Where in a file something is wrong; it is shown at greater length than other text that was given."""

    __slots__ = ()


@dataclass(eq=False)
class StrategyFault(CheckError):
    """A strategy, or its file, is not what it says; the leaves stand in `hitblow.strategy.faults`."""
