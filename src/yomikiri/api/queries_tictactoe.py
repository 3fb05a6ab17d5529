"""Questions about a position of weighted tic-tac-toe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self

from yomikiri.api.query import A, Question
from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.errors import N_
from yomikiri.settings import Kind, Setting, missing
from yomikiri.tictactoe.advice import Advice, PartialAdvice, analyze
from yomikiri.tictactoe.notation import BOARD, CONTEST_NAMES, POSITION, TIE, board_of
from yomikiri.tictactoe.position import Player, Position, Tie
from yomikiri.tictactoe.search.margins import winner
from yomikiri.wording.tictactoe import so_far

if TYPE_CHECKING:
    from yomikiri.api.results import Part

SECONDS = Setting("seconds", N_("Stop after so many seconds."), Kind.NUMBER, shown=N_("SECONDS"))


def position_told(pairs: Iterable[tuple[str, str]]) -> Position:
    """The position that names and values tell; raises a `BoardError` or an `InputError`."""
    told = dict(pairs)
    if BOARD.name not in told:
        raise missing(BOARD.name)
    board, moves = board_of(told)
    return Position.after(board, moves)


@dataclass(frozen=True, slots=True)
class OnCells(Question[A], Generic[A]):
    """A question about a position."""

    position: Position

    TELLING: ClassVar[tuple[Setting, ...]] = POSITION

    @classmethod
    def _told(cls, game: Iterable[tuple[str, str]], **own: Any) -> Self:
        return cls(position=position_told(game), **own)


@dataclass(frozen=True, slots=True)
class Analyze(OnCells[Advice]):
    """Where every move leads, best play, and why."""

    seconds: float | None

    NAME: ClassVar[str] = "analyze"
    OWN: ClassVar[tuple[Setting, ...]] = (SECONDS,)

    def answer(self, budget: Budget = UNLIMITED) -> Advice:
        """All moves; raises `Stopped` with a `PartialAdvice`."""
        return analyze(self.position, budget.at_most(self.seconds))

    def so_far(self, best: Any) -> str | None:
        return so_far(best) if isinstance(best, PartialAdvice) else None

    def document(self, answer: Advice) -> Part:
        from yomikiri.api import results_tictactoe as documents

        return documents.analysis(answer)


@dataclass(frozen=True, slots=True)
class Winner(OnCells[Player | None]):
    """Who wins a position under best play."""

    tie: str
    seconds: float | None

    NAME: ClassVar[str] = "winner"
    OWN: ClassVar[tuple[Setting, ...]] = (TIE, SECONDS)

    def answer(self, budget: Budget = UNLIMITED) -> Player | None:
        return winner(self.position, Tie(self.tie), budget.at_most(self.seconds))

    def document(self, answer: Player | None) -> Part:
        from yomikiri.api import results_tictactoe as documents

        return documents.Won(CONTEST_NAMES[answer or 0])
