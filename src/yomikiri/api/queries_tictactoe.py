"""Queries about a position of weighted tic-tac-toe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, Self

from yomikiri.api.query import A, GameState, Pairs, Query, own
from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.errors import N_
from yomikiri.settings import Kind, Setting, missing
from yomikiri.tictactoe.advice import Advice, PartialAdvice, analyze
from yomikiri.tictactoe.notation import BOARD, MOVES, POSITION, TIE, board_of
from yomikiri.tictactoe.position import Player, Position, Tie
from yomikiri.tictactoe.search.margins import winner
from yomikiri.wording.tictactoe import so_far

SECONDS = Setting("seconds", N_("Stop after this many seconds."), Kind.NUMBER, shown=N_("SECONDS"))


def position_from(pairs: Pairs) -> Position:
    """Return the position that (name, value) pairs describe. The name `moves` may occur in several pairs.

    Raises a `BoardError` or an `InputError` if the pairs describe no position.
    """
    pairs = tuple(pairs)
    given = dict(pairs)
    if BOARD.name not in given:
        raise missing(BOARD.name)
    board, moves = board_of({**given, MOVES.name: " ".join(value for name, value in pairs if name == MOVES.name)})
    return Position.after(board, moves)


@dataclass(frozen=True, slots=True)
class PositionQuery(Query[A], Generic[A]):
    """A query about a position."""

    position: Position

    GAME_NAME: ClassVar[Literal["tictactoe"]] = "tictactoe"
    GAME_SETTINGS: ClassVar[tuple[Setting, ...]] = POSITION
    TURNS: ClassVar[tuple[str, ...]] = (MOVES.name,)

    @classmethod
    def _about(cls, game: Pairs, **own_values: Any) -> Self:
        return cls(position=position_from(game), **own_values)


@dataclass(frozen=True, slots=True)
class OpenBoardQuery(PositionQuery[GameState]):
    """A query that opens a session for a game of weighted tic-tac-toe."""

    moves: tuple[str, ...]

    NAME: ClassVar[str] = "open-board"
    RESULT: ClassVar[str] = "results:OpenedJson"

    @classmethod
    def _about(cls, game: Pairs, **own_values: Any) -> Self:
        game = tuple(game)
        return cls(position_from(game), tuple(value for name, value in game if name == MOVES.name), **own_values)

    def answer(self, budget: Budget = UNLIMITED) -> GameState:
        return GameState(self.GAME_NAME, self.moves, finished=self.position.outcome is not None)


@dataclass(frozen=True, slots=True)
class AnalyzeQuery(PositionQuery[Advice]):
    """The result of every move in weighted tic-tac-toe, the line of best play, and the reason for the outcome."""

    seconds: float | None = own(SECONDS)

    NAME: ClassVar[str] = "analyze"
    RESULT: ClassVar[str] = "results_tictactoe:Analysis"

    def answer(self, budget: Budget = UNLIMITED) -> Advice:
        """Return the advice on all moves. If the budget is spent first, raises `Stopped` with a `PartialAdvice`."""
        return analyze(self.position, budget.at_most(self.seconds))

    def certain(self, best: Any) -> str | None:
        return so_far(best) if isinstance(best, PartialAdvice) else None


@dataclass(frozen=True, slots=True)
class WinnerQuery(PositionQuery[Player | None]):
    """The winner of a position under best play."""

    tie: str = own(TIE)
    seconds: float | None = own(SECONDS)

    NAME: ClassVar[str] = "winner"
    RESULT: ClassVar[str] = "results_tictactoe:Won"

    def answer(self, budget: Budget = UNLIMITED) -> Player | None:
        return winner(self.position, Tie(self.tie), budget.at_most(self.seconds))
