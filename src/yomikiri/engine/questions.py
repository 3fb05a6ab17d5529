"""What can be asked of the engine: the questions of `ask`, each a line whose keys are its settings, and sessions.

Answers are the documents that commands write with `--json`. How a line tells a game stands in `games`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Raw

from yomikiri import __version__
from yomikiri.ask.board import Candidates, Review, Simulate, Suggest, game_told
from yomikiri.ask.cells import Analyze, Winner
from yomikiri.ask.proofs import Solve
from yomikiri.ask.question import Question
from yomikiri.ask.two_boards import Match, Race
from yomikiri.budget import Budget, Stopped
from yomikiri.documents import SCHEMA_VERSION, Part, strategies
from yomikiri.engine.games import (
    CELLS,
    ONE_BOARD,
    TWO_BOARDS,
    Game,
    GameLine,
    Line,
    Opened,
    Session,
    lines_of,
    moves_joined,
    session_named,
)
from yomikiri.errors import N_, InputError, StrategyFault
from yomikiri.hitblow.game import UNCERTAIN
from yomikiri.hitblow.strategy.file import read_strategy
from yomikiri.hitblow.strategy.verify import verify
from yomikiri.settings import missing
from yomikiri.wording import sentence


class Engine(Part):
    """Who answers: the version of the program and of its documents, and what can be asked."""

    name: Literal["yomikiri"]
    version: str
    schema_version: int
    requests: list[str]


class Hello(Line, tag="hello"):
    """Who is there, and what can be asked."""

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        return Engine("yomikiri", __version__, SCHEMA_VERSION, list(QUESTIONS))


# --- games ------------------------------------------------------------------------------------------------------------


class Asking(GameLine, kw_only=True):
    """A line that asks a question about a game."""

    question: ClassVar[type[Question[Any]]]

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        question = self.question.of(self._pairs(sessions))
        try:
            return question.document(question.answer(budget))
        except Stopped as stopped:
            stopped.hint = question.so_far(stopped.best)
            raise

    def _pairs(self, sessions: dict[str, Session]) -> list[tuple[str, str]]:
        """What the line and its session tell. A value at its default says nothing, as one that is left out."""
        own = [setting for setting in self.question.OWN if getattr(self, setting.key) != setting.default]
        pairs = self.told(sessions, (*self.question.TELLING, *own))
        if self.game is CELLS:
            return moves_joined(pairs)
        if not {*UNCERTAIN} <= {*self.question.TELLING}:  # a session may tell of turns that may be wrong
            game_told(pairs).known.require_certain()
            pairs = [pair for pair in pairs if pair[0] not in {setting.name for setting in UNCERTAIN}]
        return pairs


def _asked(kind: type[Question[Any]], game: Game) -> type[Line]:
    return lines_of(kind.NAME, game, kind.settings(), Asking, kind.__doc__ or "", question=kind)


# --- sessions ---------------------------------------------------------------------------------------------------------


def kept_as(name: str, session: Session, sessions: dict[str, Session]) -> Opened:
    """Keep a game under a name, from now on; raises a `YomikiriError`, and keeps what was, for one that cannot be."""
    opened = session.game.state(name, session.pairs)
    sessions[name] = session
    return opened


class Opening(GameLine, kw_only=True):
    """A line that opens a session."""

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        """The session; one of the same name is another game from now on."""
        if not isinstance(self.session, str):
            raise missing("session")
        session = Session(self.game, tuple(self.named(self.game.settings)), tuple(self.own_steps()))
        return kept_as(self.session, session, sessions)


class Play(Line, kw_only=True, tag="play"):
    """Turns, or moves of tic-tac-toe, that come next in a session; all of them, or none where one is refused."""

    session: str
    turns: list[str]

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        kept = session_named(self.session, sessions)
        return kept_as(self.session, replace(kept, steps=(*kept.steps, *kept.game.steps(self.turns))), sessions)


class Undo(Line, kw_only=True, tag="undo"):
    """The last turns, or moves, taken back."""

    session: str
    turns: Annotated[int, Meta(ge=1)] = 1

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        kept = session_named(self.session, sessions)
        left = len(kept.steps) - self.turns
        if left < 0:
            raise InputError(
                N_("{given} turns cannot be undone: there are {count}"), given=self.turns, count=len(kept.steps)
            )
        return kept_as(self.session, replace(kept, steps=kept.steps[:left]), sessions)


class Close(Line, kw_only=True, tag="close"):
    """A session that is not needed any more."""

    session: str

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        kept = session_named(self.session, sessions)
        opened = kept.game.state(self.session, kept.pairs)
        del sessions[self.session]
        return opened


# --- strategies -------------------------------------------------------------------------------------------------------


class Verify(Line, kw_only=True, tag="verify"):
    """A strategy, as it stands in its file, replayed against every secret."""

    strategy: Raw

    def answer(self, sessions: dict[str, Session], budget: Budget) -> Part:
        try:
            strategy = read_strategy(bytes(self.strategy))
            return strategies.verified(strategy, verify(strategy))
        except StrategyFault as fault:
            return strategies.Unverified(False, sentence(fault))


def _every() -> Iterator[type[Line]]:
    yield Hello
    for kind, game in (
        *((kind, ONE_BOARD) for kind in (Suggest, Candidates, Review, Simulate, Solve, Race)),
        *((Match, TWO_BOARDS), (Analyze, CELLS), (Winner, CELLS)),
    ):
        yield _asked(kind, game)
    for name, game, told in (
        ("open", ONE_BOARD, "A session for a game on one board."),
        ("open-match", TWO_BOARDS, "A session for a match."),
        ("open-board", CELLS, "A session for a game of weighted tic-tac-toe."),
    ):
        yield lines_of(name, game, game.settings, Opening, told)
    yield from (Play, Undo, Close, Verify)


QUESTIONS: dict[str, type[Line]] = {str(kind.__struct_config__.tag): kind for kind in _every()}
"""The lines that can be asked, by their `request`."""

Asked: Any = reduce(or_, QUESTIONS.values())
"""Any of them, told apart by its `request`."""
