"""What can be wrong with a board, a position or a checked program: leaves of the tree in `yomikiri.errors`."""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.errors import N_, BoardError, CheckError


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
    message = N_("the number of integers in line {line} is {count}: expected {columns}")


@dataclass(eq=False)
class MissingRows(BoardError):
    """A board in a file that ends too early."""

    line: int
    count: int
    rows: int
    message = N_("the board ends at line {line} with row {count}: expected {rows} rows")


@dataclass(eq=False)
class RaggedRows(BoardError):
    """Rows of different lengths."""

    row: int
    count: int
    columns: int
    message = N_("the number of weights in row {row} is {count}: expected {columns}, as many as in the first row")


@dataclass(eq=False)
class BadBoardSize(BoardError):
    """A board without cells, or too large."""

    rows: int
    columns: int
    message = N_("a board of {rows}x{columns} cells: expected 1 to 8 rows and 1 to 8 columns")


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
class UnreadableMove(BoardError):
    """A line that is not one move."""

    given: str
    message = N_("{given!r} is not a move: expected one cell, such as b2")


@dataclass(eq=False)
class NotYourMove(BoardError):
    """A move of the person's while the program is to move."""

    given: str
    message = N_("{given} is not yours to take now: expected go, undo or quit")


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
    message = N_(
        "cells of the first player {first}, of the second {second}: expected as many, or one more for the first"
    )


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
class BadWeightRange(BoardError):
    """Limits between which no weight lies, or too far out."""

    low: int
    high: int
    bound: int
    message = N_("weights from {low} to {high}: expected the first not above the second, both at most {bound} in size")


@dataclass(eq=False)
class NoSuchBoard(BoardError):
    """Properties that no board drawn had."""

    count: int
    message = N_("none of {count} boards drawn was as wanted: expected properties and weights that go together")


@dataclass(eq=False)
class CompleteAlone(BoardError):
    """The complete set asked for together with options that choose boards."""

    given: str
    message = N_("--complete is always the same boards: expected it without {given}")


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


@dataclass(eq=False)
class NotStarted(BoardError):
    """A program to be checked that cannot be started."""

    given: str
    message = N_("cannot start {given}: expected a program and its arguments")


@dataclass(eq=False)
class WrongAnswer(CheckError):
    """A checked program that names the wrong winner, or nobody."""

    given: str
    expected: str
    message = N_("the program answers {given!r} for this board: expected {expected}")


@dataclass(eq=False)
class LateAnswer(CheckError):
    """A checked program that takes too long."""

    seconds: str
    message = N_("the program has not ended after {seconds} s on this board")


@dataclass(eq=False)
class TooMuchOutput(CheckError):
    """A checked program that does not stop writing."""

    most: int
    message = N_("the program writes more than {most} bytes for this board: expected one word")


@dataclass(eq=False)
class Crash(CheckError):
    """A checked program that ends with a failure."""

    status: int
    message = N_("the program ends with status {status} on this board: expected 0")
