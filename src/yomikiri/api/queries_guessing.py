"""Queries about games with lists of codes: Wordle, Jotto, and others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self

from yomikiri.api.guessing_game import CONFLICTS, GAME, LIMIT, game_of
from yomikiri.api.query import A, GameState, Pairs, Query, own
from yomikiri.api.shared_settings import SECONDS_IN_ALL, SEED
from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.errors import N_
from yomikiri.common.host import usable_cores
from yomikiri.guessing.advice import SECONDS as USUAL_SECONDS
from yomikiri.guessing.advice import review, solve, suggest
from yomikiri.guessing.codes import MOST_CODES
from yomikiri.guessing.duel import Duel, DuelAdvice, Rival
from yomikiri.guessing.duel_search import best_duel_guess
from yomikiri.guessing.game import Position
from yomikiri.guessing.policies import PolicyName, policy_named, quick_solution, simulate
from yomikiri.guessing.results import GuessAdvice, JudgedTurn, SimulatedGame, SolvedGame
from yomikiri.settings import Conflict, HelpHeading, Kind, Setting, not_both, values

if TYPE_CHECKING:
    from yomikiri.api.results import Document

FIRST = Setting("first", N_("Begin with this guess."))
WORKERS = Setting("workers", N_("Number of search threads; all processor cores by default."), Kind.INTEGER,
                  least=1, most=1024)  # fmt: skip
SECONDS = Setting("seconds", N_("Time limit in seconds for a guess."), Kind.NUMBER, default=USUAL_SECONDS,
                  shown=N_("SECONDS"))  # fmt: skip

POLICY = Setting("policy", N_("The policy to play; all compares every policy."), Kind.WORD,
                 default=PolicyName.EXACT, words=(*PolicyName, "all"))  # fmt: skip
SAMPLE = Setting("sample", N_("Play only this number of secrets, drawn at random."), Kind.INTEGER, least=1,
                 most=MOST_CODES)  # fmt: skip


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
class OpenGuessQuery(GuessingQuery[GameState]):
    """A query that opens a session for a game with the user's lists of codes, and returns the state of the game."""

    NAME: ClassVar[str] = "open-guess"
    RESULT: ClassVar[str] = "results:OpenedJson"

    def answer(self, budget: Budget = UNLIMITED) -> GameState:
        position = self.position
        return GameState(self.GAME_NAME, position.turns, len(position.candidates), finished=position.is_over)


@dataclass(frozen=True, slots=True)
class GuessQuery(GuessingQuery[GuessAdvice]):
    """The suggested next guess in a game with lists of codes."""

    seconds: float = own(SECONDS)

    NAME: ClassVar[str] = "guess-suggest"
    RESULT: ClassVar[str] = "results_guessing:GuessAdviceJson"

    def answer(self, budget: Budget = UNLIMITED) -> GuessAdvice:
        return suggest(self.position, budget, seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class SecretsQuery(GuessingQuery[Position]):
    """The secrets that fit every answer."""

    NAME: ClassVar[str] = "guess-candidates"
    RESULT: ClassVar[str] = "results_guessing:SecretsJson"

    def answer(self, budget: Budget = UNLIMITED) -> Position:
        self.position.require_candidates()
        return self.position


@dataclass(frozen=True, slots=True)
class GuessReviewQuery(GuessingQuery[list[JudgedTurn]]):
    """The review of a game, turn by turn."""

    seconds: float = own(SECONDS)

    NAME: ClassVar[str] = "guess-review"
    RESULT: ClassVar[str] = "results_guessing:GuessReviewJson"

    def answer(self, budget: Budget = UNLIMITED) -> list[JudgedTurn]:
        self.position.require_candidates()
        return review(self.position, budget, seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class GuessSolveQuery(GuessingQuery[SolvedGame]):
    """An optimal strategy, or after `seconds` the best one so far."""

    first: str = own(FIRST)
    seconds: float | None = own(SECONDS_IN_ALL)
    workers: int | None = own(WORKERS)

    NAME: ClassVar[str] = "guess-solve"
    CONFLICTS: ClassVar[tuple[Conflict, ...]] = (*CONFLICTS, Conflict(("workers",), beside="first"))
    RESULT: ClassVar[str] = "results_guessing:SolvedGameJson"

    def answer(self, budget: Budget = UNLIMITED, store: Path | None = None) -> SolvedGame:
        """Return an optimal strategy, or the best one so far if the search stops early.

        The file `store` saves the progress of the proof. If no strategy is found before the search stops, the result is
        the strategy of the policy `entropy`. Raises `Stopped` if that strategy does not find every secret within the
        limit of guesses. Raises an `InputError` for a store together with `first`, because a store keeps the proof
        about all first guesses.
        """
        if store is not None and self.first:
            raise not_both("store", "first")
        try:
            return self._solved(budget.at_most(self.seconds), store)
        except Stopped:
            quick = quick_solution(self.position, self.first or None)
            if quick is None:
                raise
            return quick

    def _solved(self, budget: Budget, store: Path | None) -> SolvedGame:
        workers = self.workers or usable_cores()
        if store is None:
            return solve(self.position, budget, first=self.first or None, workers=workers)
        # Import late, because a browser has no SQLite.
        from yomikiri.guessing.first_guess_store import FirstGuessFile

        with FirstGuessFile(store, self.position) as opened:
            return solve(self.position, budget, workers=workers, store=opened)


@dataclass(frozen=True, slots=True)
class GuessSimulateQuery(GuessingQuery[Mapping[str, SimulatedGame]]):
    """The number of guesses that one policy, or each policy, takes for every secret or a sample of secrets."""

    policy: str = own(POLICY)
    seconds: float = own(SECONDS)
    sample: int | None = own(SAMPLE)
    seed: int = own(SEED)

    NAME: ClassVar[str] = "guess-simulate"
    CONFLICTS: ClassVar[tuple[Conflict, ...]] = (
        *CONFLICTS,
        Conflict(("seconds",), unless={"policy": (PolicyName.EXACT, "all")}),
        Conflict(("seed",), needs="sample"),
    )
    RESULT: ClassVar[str] = "results_guessing:SimulatedGamesJson"

    @property
    def policies(self) -> tuple[str, ...]:
        """The names of the policies to play."""
        return tuple(PolicyName) if self.policy == "all" else (self.policy,)

    @property
    def secrets(self) -> Sequence[str]:
        """The secrets to play: all candidates, or a random sample without repetition."""
        every = self.position.candidates
        if self.sample is None or self.sample >= len(every):
            return every
        return tuple(Random(self.seed).sample(every, self.sample))

    def result_of(self, policy: str, budget: Budget) -> SimulatedGame:
        """Play one policy, and return how many guesses it took.

        Raises `Stopped` with the result so far if the budget is spent.
        """
        played = policy_named(policy, self.position, budget, seconds=self.seconds)
        return simulate(played, self.position, budget, secrets=self.secrets)

    def answer(self, budget: Budget = UNLIMITED) -> Mapping[str, SimulatedGame]:
        self.position.require_candidates()
        return {name: self.result_of(name, budget) for name in self.policies}

    def document(self, answer: Mapping[str, SimulatedGame]) -> Document:
        from yomikiri.api.results_guessing import SimulatedGameJson, SimulatedGamesJson

        if self.policy == "all":
            return SimulatedGamesJson.of(answer)
        return SimulatedGameJson.of(answer[self.policy])


_DUEL_GAME = (
    *(setting for setting in GAME if setting != LIMIT),
    Setting("first", N_("First player: me or opponent."), Kind.WORD, default="me", words=("me", "opponent"),
            group=HelpHeading.GAME),
    Setting("within", N_("The match is a draw after this many guesses of both together."), Kind.INTEGER, least=1,
            most=99, group=HelpHeading.GAME),
)  # fmt: skip
RIVAL = Setting(
    "opponent",
    N_(
        "Model of the opponent: perfect play, a random candidate each time, the guess with the greatest expected "
        "information, or the one that needs the fewest guesses."
    ),
    Kind.WORD,
    default=Rival.PERFECT,
    words=tuple(Rival),
    group=HelpHeading.KNOWN,
)


@dataclass(frozen=True, slots=True)
class DuelQuery(Query[DuelAdvice]):
    """The best guess if two sides guess the same secret of a game with lists, and the chances of the side to move."""

    duel: Duel
    opponent: str = own(RIVAL)
    seconds: float = own(SECONDS)
    seed: int = own(SEED)

    NAME: ClassVar[str] = "guess-match"
    GAME_NAME: ClassVar[Literal["guessing"]] = "guessing"
    GAME_SETTINGS: ClassVar[tuple[Setting, ...]] = _DUEL_GAME
    TURNS: ClassVar[tuple[str, ...]] = ("turn",)
    CONFLICTS: ClassVar[tuple[Conflict, ...]] = CONFLICTS
    RESULT: ClassVar[str] = "results_guessing:DuelJson"

    @classmethod
    def _about(cls, game: Pairs, **own_values: Any) -> Self:
        game = tuple(game)
        given = values(_DUEL_GAME, {name: value for name, value in game if name != "turn"})
        lists = game_of({**given, LIMIT.key: None})
        duel = Duel(lists.start, int(given["first"] == "opponent"), given["within"])
        for name, value in game:
            if name == "turn":
                duel = duel.after(value)
        return cls(duel, **own_values)

    @property
    def rival(self) -> Rival:
        """The model of the opponent: how the opponent is assumed to choose guesses."""
        return Rival(self.opponent)

    def answer(self, budget: Budget = UNLIMITED) -> DuelAdvice:
        return best_duel_guess(self.duel, self.rival, budget, seconds=self.seconds, seed=self.seed)

    def document(self, answer: DuelAdvice) -> Document:
        from yomikiri.api.results_guessing import DuelJson

        return DuelJson.of((self.duel, answer))
