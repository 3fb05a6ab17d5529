"""Queries about games with lists of codes: Wordle, Jotto, and others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Literal, Self

from yomikiri.api.queries_hitblow import CONSISTENT, SECONDS_IN_ALL
from yomikiri.api.query import A, Pairs, Query, own
from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.errors import N_
from yomikiri.guessing.advice import SECONDS as USUAL_SECONDS
from yomikiri.guessing.advice import review, solve, suggest
from yomikiri.guessing.answers import KINDS, MARKS, kind_named
from yomikiri.guessing.game import Game, Position
from yomikiri.guessing.guess_rules import GuessRule
from yomikiri.guessing.lists import game_of_lists
from yomikiri.guessing.results import GuessAdvice, JudgedTurn, SolvedGame
from yomikiri.settings import Conflict, HelpHeading, Kind, Setting, values

SECRETS = Setting(
    "secrets",
    N_("The codes that can be the secret, one on each line. A weight after a comma says how likely it is."),
    Kind.LINES,
    group=HelpHeading.GAME,
)
GUESSES = Setting("guesses", N_("Further codes that may be guessed, one on each line. Without this, only the secrets."),
                  Kind.LINES, group=HelpHeading.GAME)  # fmt: skip
ANSWERS = Setting(
    "answers",
    N_("The answer to a guess: a mark for each place as in Wordle, hits and blows, hits only, or their sum."),
    Kind.WORD,
    default=MARKS.NAME,
    words=tuple(KINDS),
    group=HelpHeading.GAME,
)
FIRST = Setting("first", N_("Begin with this guess."))
SECONDS = Setting("seconds", N_("Time limit in seconds for a guess."), Kind.NUMBER, default=USUAL_SECONDS,
                  shown=N_("SECONDS"))  # fmt: skip

HARD = Setting("hard", N_("Hard mode of Wordle: later guesses keep the hits and use all revealed letters."), Kind.FLAG,
               default=False, group=HelpHeading.GAME)  # fmt: skip
LIMIT = Setting("within", N_("The game ends after this many guesses."), Kind.INTEGER, least=1, most=99,
                group=HelpHeading.GAME)  # fmt: skip

GAME = (SECRETS, GUESSES, ANSWERS, replace(CONSISTENT, group=HelpHeading.GAME), HARD, LIMIT)


CONFLICTS = (Conflict(("hard",), beside="consistent"),)


def game_of(given: Mapping[str, Any]) -> Game:
    """Return the game that the values of the settings `GAME` describe. Raises an `InputError`."""
    rule = GuessRule.CONSISTENT if given["consistent"] else GuessRule.HARD if given["hard"] else GuessRule.ANY
    kind = kind_named(given["answers"])
    return game_of_lists(given["secrets"] or "", given["guesses"] or "", kind, rule, given["within"])


@dataclass(frozen=True, slots=True)
class GuessingQuery(Query[A], Generic[A]):
    """A query about a game with lists of codes."""

    position: Position

    GAME_NAME: ClassVar[Literal["guessing"]] = "guessing"
    GAME_SETTINGS: ClassVar[tuple[Setting, ...]] = GAME
    TURNS: ClassVar[tuple[str, ...]] = ("turn",)
    CONFLICTS: ClassVar[tuple[Conflict, ...]] = CONFLICTS

    @classmethod
    def _about(cls, game: Pairs, **own_values: Any) -> Self:
        game = tuple(game)
        given = values(GAME, {name: value for name, value in game if name != "turn"})
        turns = [value for name, value in game if name == "turn"]
        return cls(position=game_of(given).start.after_all(turns), **own_values)


@dataclass(frozen=True, slots=True)
class GuessQuery(GuessingQuery[GuessAdvice]):
    """The next guess."""

    seconds: float = own(SECONDS)

    NAME: ClassVar[str] = "suggest"
    RESULT: ClassVar[str] = "results_guessing:GuessAdviceJson"

    def answer(self, budget: Budget = UNLIMITED) -> GuessAdvice:
        return suggest(self.position, budget, seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class SecretsQuery(GuessingQuery[Position]):
    """The secrets that fit."""

    NAME: ClassVar[str] = "candidates"
    RESULT: ClassVar[str] = "results_guessing:SecretsJson"

    def answer(self, budget: Budget = UNLIMITED) -> Position:
        self.position.require_candidates()
        return self.position


@dataclass(frozen=True, slots=True)
class GuessReviewQuery(GuessingQuery[list[JudgedTurn]]):
    """The review of a game, turn by turn."""

    seconds: float = own(SECONDS)

    NAME: ClassVar[str] = "review"
    RESULT: ClassVar[str] = "results_guessing:GuessReviewJson"

    def answer(self, budget: Budget = UNLIMITED) -> list[JudgedTurn]:
        self.position.require_candidates()
        return review(self.position, budget, seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class GuessSolveQuery(GuessingQuery[SolvedGame]):
    """An optimal strategy."""

    first: str = own(FIRST)
    seconds: float | None = own(SECONDS_IN_ALL)

    NAME: ClassVar[str] = "solve"
    RESULT: ClassVar[str] = "results_guessing:SolvedGameJson"

    def answer(self, budget: Budget = UNLIMITED) -> SolvedGame:
        return solve(self.position, budget.at_most(self.seconds), first=self.first or None)
