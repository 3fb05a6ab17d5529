"""Positions: a board, and the cells of each player.

    X . O        first  = {a1, b2} = 0b000_010_001
    . X .        second = {c1}     = 0b000_000_100
    . . .        the second player is to move

A position does not contain the order of the moves. So two games reach equal positions if each player has the same
cells in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from math import inf, isinf
from typing import Never

from yomikiri.common.budget import Progress
from yomikiri.common.enums import Named, shown, whole
from yomikiri.common.errors import N_, BoardError, InputError, WordError
from yomikiri.tictactoe.board import MAX_SIDE, Board, BoardLike, cells_of, items_of, words_of

_MOST_CELLS = (1 << MAX_SIDE * MAX_SIDE) - 1


class Player(IntEnum):
    """The first or the second player. In AtCoder ABC349 E, their names are Takahashi and Aoki.

    The value is 1 for the first player and -1 for the second. So the player with the larger sum has the same sign as
    the first player's sum minus the second's.
    """

    FIRST = 1
    SECOND = -1

    @property
    def other(self) -> Player:
        """The opponent of this player."""
        return Player.SECOND if self is Player.FIRST else Player.FIRST

    @property
    def mark(self) -> str:
        """The player's mark: `X` or `O`."""
        return "X" if self is Player.FIRST else "O"

    def __repr__(self) -> str:
        return f"Player.{self.name}"

    @classmethod
    def _missing_(cls, value: object) -> Never:
        raise WordError(N_("player={given}: expected 1 (the first player) or -1"), given=shown(value))


class Tie(Named):
    """The rule for a full board with equal sums: a draw, or a win of one of the players."""

    DRAW = "draw"
    FIRST = "first"
    SECOND = "second"

    @property
    def player(self) -> Player | None:
        """The player who wins a full board with equal sums; None if it is a draw."""
        return {Tie.DRAW: None, Tie.FIRST: Player.FIRST, Tie.SECOND: Player.SECOND}[self]


class Reason(Named):
    """The reason why a game has its result: a completed line, or the score."""

    LINE = "line"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game and its reason.

    `winner` is None if there is no line and the sums are equal. `sums` are the final sums of the first and the second
    player. `line` contains the cells of the completed line, and is empty if the score decided.
    """

    winner: Player | None
    reason: Reason
    sums: tuple[int, int]
    line: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """A position that a game can reach. `first` and `second` are the cells of the two players, as bit masks of cells.

    The board may be given in any form that `Board.read` accepts. Raises a `BoardError` for a position that no game
    reaches: a cell outside the board or taken twice, moves out of turn, or moves after a completed line.

    >>> Position(Board.parse("-1,1,0/-4,-2,-5/-4,-1,-5")).play(0).play(4).sums
    (-1, -2)
    """

    board: Board
    first: int = 0
    second: int = 0

    def __post_init__(self) -> None:
        board = Board.read(self.board, "board")
        object.__setattr__(self, "board", board)
        for name in ("first", "second"):
            object.__setattr__(self, name, whole(getattr(self, name), name, 0, _MOST_CELLS))
        check_reachable(self)

    def _repr_html_(self) -> str:
        """Return a picture of the position for notebooks."""
        return self.drawn({})

    def drawn(self, notes: Mapping[int, tuple[str, bool]]) -> str:
        """Return a picture of the position, as SVG.

        `notes` maps the indices of cells to pairs: the text to show in the cell, and True to highlight the cell. Among
        the cells without a note, only those of a completed line are highlighted.
        """
        from yomikiri.common.svg import Square, board

        squares = []
        for cell, weight in enumerate(self.board.flat):
            note, strong = notes.get(cell, ("", bool(self.completed_line >> cell & 1)))
            squares.append(Square(str(weight), self.mark(cell), note, strong))
        taken = (f"{player.mark} {_names(self.board, self.taken_by(player))}" for player in Player)
        return board(squares, self.board.columns, f"{self.board}, {', '.join(taken)}")

    @classmethod
    def after(cls, board: BoardLike, moves: str | Iterable[int | str]) -> Position:
        """Return the position that the given moves lead to, from the empty board with the players moving in turn.

        Moves are indices or names of cells, or text such as `b2 a1`. Raises an `InputError` for a move that is not an
        empty cell of the board, or that comes after the end of the game.
        """
        position = cls(Board.read(board, "board"))
        given = words_of(moves) if isinstance(moves, str) else items_of(moves)
        if given is None:
            raise InputError(N_("moves={given}: expected moves, such as 'b2 a1' or [4, 0]"), given=shown(moves))
        for move in given:
            position = position.play(move)
        return position

    @classmethod
    def read(cls, given: Position | BoardLike, parameter: str) -> Position:
        """Return the position `given`, or the empty position of a board that is `given` in any form.

        `parameter` is the name of the argument in error messages. Raises an `InputError`.
        """
        return given if isinstance(given, cls) else cls(Board.read(given, parameter))  # type: ignore[arg-type]

    @property
    def to_move(self) -> Player:
        """The player to move; after the end of the game, the player who would be next."""
        return Player.FIRST if self.first.bit_count() == self.second.bit_count() else Player.SECOND

    @property
    def empty(self) -> int:
        """The set of empty cells, as a bit mask in which bit c represents the cell with index c."""
        return self.board.full & ~(self.first | self.second)

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves in order of cells; empty once the game is over."""
        return () if self.outcome else tuple(cells_of(self.empty))

    @property
    def sums(self) -> tuple[int, int]:
        """The sums of the weights that the first and the second player have taken so far."""
        return self.board.total(self.first), self.board.total(self.second)

    @property
    def outcome(self) -> Outcome | None:
        """The result of the game; None while it is in progress."""
        if line := self.completed_line:
            return Outcome(self.to_move.other, Reason.LINE, self.sums, tuple(cells_of(line)))
        if self.empty:
            return None
        first, second = sums = self.sums
        winner = Player.FIRST if first > second else Player.SECOND if first < second else None
        return Outcome(winner, Reason.SCORE, sums)

    @property
    def completed_line(self) -> int:
        """A completed line as a bit mask of cells, or 0 if there is no completed line.

        Only the player who moved last can have a completed line.
        """
        taken = self.second if self.to_move is Player.FIRST else self.first
        for line in self.board.lines:
            if line & taken == line:
                return line
        return 0

    def taken_by(self, player: Player) -> int:
        """Return the set of cells taken by `player`, as a bit mask in which bit c represents the cell with index c."""
        return self.first if Player(whole(player, "player", -1, 1)) is Player.FIRST else self.second

    def owner(self, cell: int) -> Player | None:
        """Return the player who has taken `cell`, or None if the cell is empty.

        `cell` is the index or the name of a cell. Raises a `BoardError` if there is no such cell.
        """
        cell = self.board.number(cell)
        return next((player for player in Player if self.taken_by(player) >> cell & 1), None)

    def mark(self, cell: int) -> str:
        """Return the mark in `cell`, `X` or `O`, or an empty string."""
        owner = self.owner(cell)
        return owner.mark if owner else ""

    def play(self, move: int | str) -> Position:
        """Return the position after a move, which is the index or the name of a cell (`b2`).

        Raises a `BoardError` if the game is over, or if the cell is taken or does not exist.
        """
        move = self.board.number(move)
        bit = 1 << move
        if self.completed_line or not self.empty:
            raise game_over()
        if not bit & self.empty:
            raise BoardError(N_("{given} is already taken: choose an empty cell"), given=self.board.name(move))
        if self.to_move is Player.FIRST:
            return _reached(self.board, self.first | bit, self.second)
        return _reached(self.board, self.first, self.second | bit)


def moves_made(position: Position) -> int:
    """Return the number of moves made so far, by both players together."""
    return (position.first | position.second).bit_count()


def margin_so_far(position: Position, player: Player) -> int:
    """Return the sum of the weights that a player has taken so far, minus the opponent's sum."""
    first, second = position.sums
    return player * (first - second)


def _reached(board: Board, first: int, second: int) -> Position:
    """Return the position with the given cells of the players, without the checks of `Position`.

    Requires that a legal move has led to it. The checks would take most of the time of a move.
    """
    position = object.__new__(Position)
    object.__setattr__(position, "board", board)
    object.__setattr__(position, "first", first)
    object.__setattr__(position, "second", second)
    return position


def check_reachable(position: Position) -> None:
    """Raise a `BoardError` unless some game leads to the position.

    A game with at least one move leads to the position if two conditions hold:

    - The first player has as many cells as the second, or one more.
    - The player who moved last has some cell without which neither player has a line. This cell can be the last move.

    The order of the earlier moves does not matter, because a subset of a set without lines has no line.
    """
    board, first, second = position.board, position.first, position.second
    if (first | second) > board.full:
        raise board.unknown_cell(str((first | second).bit_length() - 1))
    if first & second:
        raise BoardError(
            N_("both players have {given}: give each cell to one player"),
            given=board.name(next(cells_of(first & second))),
        )
    if first.bit_count() - second.bit_count() not in (0, 1):
        raise BoardError(
            N_("the players have {first} and {second} cells: expected equal numbers, or one more for the first player"),
            first=first.bit_count(),
            second=second.bit_count(),
        )
    mover = position.to_move.other
    meeting = board.full
    for line in board.lines:
        if line & position.taken_by(mover.other) == line:
            raise BoardError(
                N_("the line {given} was complete before the last move: the game ends with a complete line"),
                given=_names(board, line),
            )
        if line & position.taken_by(mover) == line:
            meeting &= line
            if not meeting:
                raise BoardError(
                    N_("no single move completes {given} and the other lines: the game ends with a complete line"),
                    given=_names(board, line),
                )


def _names(board: Board, cells: int) -> str:
    return " ".join(map(board.name, cells_of(cells)))


def game_over() -> BoardError:
    """Return the error for a move, or a request for advice, after the end of the game."""
    return BoardError(N_("the game is over: take back a move, or start a new game"))


@dataclass(frozen=True, slots=True)
class Bounds:
    """Proven bounds of the margin that the side to move gets under best play.

    The margin is infinite if the side to move completes a line, and minus infinity if the opponent does.
    """

    lower: int | float = -inf
    upper: int | float = inf

    @classmethod
    def from_progress(cls, progress: Progress) -> Bounds:
        """Return the bounds of the margin that a progress report contains."""
        assert isinstance(progress.lower, int | float)
        assert isinstance(progress.upper, int | float)
        return cls(progress.lower, progress.upper)

    @property
    def exact(self) -> bool:
        """True if the lower and the upper bound of the margin are equal, so that the margin is known."""
        return self.lower == self.upper

    @property
    def by_line(self) -> bool:
        """True if the bounds of the margin prove that a line of either side decides the game."""
        return self.exact and isinf(self.lower)

    def winner(self, mover: Player, tie: Tie = Tie.DRAW) -> Player | None:
        """Return the winner that the bounds of the margin prove, or None for a draw. `mover` is the side to move.

        Requires that the bounds prove the winner under the rule `tie` for equal sums (see `decided`).
        """
        assert self.decided(mover, tie)
        if tie is not Tie.DRAW and self.lower <= 0 <= self.upper:
            return mover if (self.lower == 0 if tie.player is mover else self.upper > 0) else mover.other
        return mover if self.lower > 0 else mover.other if self.upper < 0 else None

    def decided(self, mover: Player, tie: Tie = Tie.DRAW) -> bool:
        """Return True if the bounds of the margin prove the winner under the rule `tie` for equal sums."""
        if self.lower > 0 or self.upper < 0:
            return True
        if tie is Tie.DRAW:
            return self.exact
        return self.lower >= 0 if tie.player is mover else self.upper <= 0
