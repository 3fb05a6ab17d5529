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
class NothingToUndo(TurnError):
    """An undo at the start of the game."""

    message = N_("nothing to undo: expected at least one line")


@dataclass(eq=False)
class BoardError(InputError):
    """A board, or a position on it, that cannot be read or used."""


@dataclass(eq=False)
class EmptyBoard(BoardError):
    """Input without any board."""

    message = N_("no board given: expected rows of integers, such as '1 -2 3'")


@dataclass(eq=False)
class SeveralBoards(BoardError):
    """More than one board where one is read."""

    message = N_("more than one board given: expected one, without blank lines inside")


@dataclass(eq=False)
class NotAnInteger(BoardError):
    """A weight that is not an integer."""

    given: str
    message = N_("{given!r} is not a weight: expected an integer, such as 3 or -2")


@dataclass(eq=False)
class WeightTooLong(BoardError):
    """A weight of more digits than can be read and written."""

    given: str
    most: int
    message = N_("the weight {given} is too long: expected an integer of at most {most} digits")


@dataclass(eq=False)
class UnreadableRow(BoardError):
    """A line of a file that is not a row of integers."""

    line: int
    given: str
    message = N_("line {line}: {given!r} is not a weight: expected integers with blanks between")


@dataclass(eq=False)
class WrongRow(BoardError):
    """A line of a file with too few or too many integers."""

    line: int
    count: int
    columns: int
    message = N_("line {line} has {count} integers: expected {columns}")


@dataclass(eq=False)
class MissingRows(BoardError):
    """A board in a file that ends too early."""

    line: int
    count: int
    rows: int
    message = N_("the board ends at line {line} after {count} rows: expected {rows}")


@dataclass(eq=False)
class RaggedRows(BoardError):
    """Rows of different lengths."""

    row: int
    count: int
    columns: int
    message = N_("row {row} has {count} weights: expected {columns}, as many as the first row")


@dataclass(eq=False)
class BadBoardSize(BoardError):
    """A board without cells, or too large."""

    rows: int
    columns: int
    message = N_("a board of {rows} rows and {columns} columns: expected 1 to 8 of each")


@dataclass(eq=False)
class BadLineLength(BoardError):
    """A length of line out of range."""

    given: int
    message = N_("{given} in a row: expected 1 to 8")


@dataclass(eq=False)
class UnknownCell(BoardError):
    """A cell that the board does not have."""

    given: str
    last: str
    message = N_("{given!r} is not a cell of this board: expected a1 (top left) to {last} (bottom right)")


@dataclass(eq=False)
class CellTaken(BoardError):
    """A move to a cell that is not empty."""

    given: str
    message = N_("{given} is already taken: expected an empty cell")


@dataclass(eq=False)
class GameOver(BoardError):
    """A move where none is left, or advice on it."""

    message = N_("the game is over: expected no further move")


@dataclass(eq=False)
class TooManyCells(BoardError):
    """A position with too much left to play to be read to its end."""

    cells: int
    most: int
    message = N_("{cells} empty cells are too many: expected at most {most}")


@dataclass(eq=False)
class UnreadableMove(BoardError):
    """A line that is not one move."""

    given: str
    message = N_("{given!r} is not a move: expected one cell, such as b2")


@dataclass(eq=False)
class NoMoveToUndo(BoardError):
    """An undo before the first own move."""

    message = N_("no move to take back: expected at least one of your own")


@dataclass(eq=False)
class FileAndBoard(BoardError):
    """A board given twice."""

    message = N_("a file and --board given: expected one of them")


@dataclass(eq=False)
class TakenTwice(BoardError):
    """A position in which both players have a cell."""

    given: str
    message = N_("{given} is taken by both players: expected each cell at most once")


@dataclass(eq=False)
class UnevenMoves(BoardError):
    """A position whose moves were not made in turns."""

    first: int
    second: int
    message = N_("the first player has {first} cells, the second {second}: expected as many, or one more for the first")


@dataclass(eq=False)
class PlayedOn(BoardError):
    """A position in which a player moved after the other had completed a line."""

    given: str
    message = N_("the line {given} was complete before the last move: expected the game to end with it")


@dataclass(eq=False)
class SeparateLines(BoardError):
    """A position with lines that no single move can have completed."""

    given: str
    message = N_("no single move completes {given} and the other lines: expected the game to end with the first line")


@dataclass(eq=False)
class BadBoardArray(BoardError):
    """An array that does not hold 3x3 boards."""

    given: str
    message = N_("boards given as {given}: expected an array of int64 or int32, shape (n, 3, 3) or (n, 9)")


@dataclass(eq=False)
class WeightBeyondBound(BoardError):
    """A weight too large for arrays."""

    given: str
    bound: int
    message = N_("the weight {given} is too large for an array: expected at most {bound} in size")


@dataclass(eq=False)
class BadTie(BoardError):
    """An unknown rule for ties."""

    given: str
    message = N_("tie {given!r}: expected draw, first or second")


@dataclass(eq=False)
class UnreadableAddress(BoardError):
    """An address that does not hold a board."""

    given: str
    message = N_("{given!r} is not a board's address: expected v=1&board=-2,0,-1/-1,-1,0/-1,-1,-2&moves=b2,a1")


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
