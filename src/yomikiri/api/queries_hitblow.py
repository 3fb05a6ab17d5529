"""Queries about a game of Hit & Blow on one board: next guess, candidates, review, simulation, best strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, Self

from yomikiri.api.query import A, GameState, Pairs, Query, own
from yomikiri.api.shared_settings import CONSISTENT, SECONDS_IN_ALL, SEED
from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.errors import N_
from yomikiri.common.host import usable_cores
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.items import ASKING, ItemAdvice, Items
from yomikiri.hitblow.advice.review import Review, review
from yomikiri.hitblow.advice.suggestion import Suggestion
from yomikiri.hitblow.model.game import GAME, UNCERTAIN, HitBlowGame, game_of, weights_of, words_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Words, no_code_fits
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, Policy, exact, policy_named
from yomikiri.hitblow.policies.base import ALTERNATIVES as USUAL_ALTERNATIVES
from yomikiri.hitblow.policies.simulation import simulate
from yomikiri.hitblow.strategy.strategy import Cost, Criterion, Objective, Task
from yomikiri.settings import Conflict, HelpHeading, Kind, Setting
from yomikiri.wording import use_words
from yomikiri.wording.contradictions import likeliest_correction

if TYPE_CHECKING:
    from yomikiri.api.results import Document
    from yomikiri.hitblow.match.assistant import MatchAssistant

    # These modules import numpy, so only queries that solve may import them.
    from yomikiri.hitblow.search.proof.worker_pool import Workers
    from yomikiri.hitblow.search.solution import SearchBounds, Solution

_MEMORY = 256  # MiB

POLICY = Setting("policy", N_("The policy that chooses the guess."), Kind.WORD, default=DEFAULT_POLICY, words=POLICIES)
SECONDS = Setting("seconds", N_("Time limit in seconds for proving a guess, in games other than the presets."),
                  Kind.NUMBER, default=exact.SECONDS, shown=N_("SECONDS"))  # fmt: skip
ALTERNATIVES = Setting("alternatives", N_("The number of next best guesses to list."), Kind.INTEGER,
                       default=USUAL_ALTERNATIVES, least=1, most=100)  # fmt: skip
COMPARE = Setting("compare", N_("List the next best guesses even if that takes longer."), Kind.FLAG, default=False)
ITEMS = Setting("items", N_("Your unused items: high,slash,target."), default="", group=HelpHeading.KNOWN,
                shown=N_("NAMES"))  # fmt: skip
ITEM_TAKES_TURN = Setting("item-takes-turn", N_("Using an item costs the guess of that turn."), Kind.FLAG,
                          default=False, group=HelpHeading.GAME)  # fmt: skip
POLICY_OR_ALL = replace(POLICY, help=N_("The policy to play; all compares every policy."), words=(*POLICIES, "all"))

OBJECTIVE = Setting(
    "objective",
    N_(
        "Objective to minimise. expected: the average number of guesses. worst: the maximum, then the average. "
        "last: the maximum, then the number of secrets that need it, then the average."
    ),
    Kind.WORD,
    default=str(Criterion.EXPECTED),
    words=tuple(Criterion),
)
WITHIN = Setting("within", N_("Maximum number of guesses for any secret."), Kind.INTEGER, least=1, most=99)
MEMORY = Setting("memory", N_("Size limit of the transposition table, in MiB; does not affect the result."),
                 Kind.INTEGER, default=_MEMORY, least=1, most=1 << 20)  # fmt: skip
NO_TIES = Setting("no-ties", N_("Prove only the total, and return any strategy with it."), Kind.FLAG,
                  default=False)  # fmt: skip
WORKERS = Setting(
    "workers",
    N_(
        "Number of search threads; all processor cores by default. They share a table of --memory for each thread, "
        "and start after ten seconds."
    ),
    Kind.INTEGER,
    least=1,
    most=1024,
)

# Conflicts of the settings that only some policies use.
SECONDS_CONFLICT = Conflict(("seconds",), unless={"policy": (exact.NAME,)})
SEED_CONFLICT = Conflict(("seed",), unless={"policy": ("random",)})
ALTERNATIVES_CONFLICT = Conflict(
    ("alternatives",), unless={"policy": tuple(name for name in POLICIES if name not in ("random", "repdigit"))}
)
CERTAIN_GAME = tuple(setting for setting in GAME if setting not in UNCERTAIN)
"""The settings of a game in which every answer is right."""

# The policy `book` is not compared, because the policy `exact` plays the same proven strategies from the book.
COMPARED = tuple(name for name in POLICIES if name != "book")


def game_from(pairs: Pairs) -> HitBlowGame:
    """Return the game on one board that (name, value) pairs describe, with the weights of its secrets.

    Later error messages use the words of this game for hits and blows. Raises an `InputError`.
    """
    pairs = tuple(pairs)
    use_words(words_of(dict(pairs)))
    game = game_of(pairs)
    return replace(game, prior=weights_of(dict(pairs), game.rules, game.absent))


def require_consistent(game: Assistant | MatchAssistant, words: Words) -> None:
    """Raise a `ContradictionError` if no code fits the answers of a board.

    The hint of the error is the most probable correction: the answers that may be wrong, and the right ones. It is
    missing if no correction is known.
    """
    if not game.contradictory:
        return
    error = no_code_fits(game.contradicting)
    if game.repairs:
        error.hint = likeliest_correction(game.facts, game.repairs[0], words)
    raise error


@dataclass(frozen=True, slots=True)
class OneBoardQuery(Query[A], Generic[A]):
    """A query about a game of Hit & Blow on one board."""

    game: HitBlowGame

    GAME_NAME: ClassVar[Literal["hitblow"]] = "hitblow"
    GAME_SETTINGS: ClassVar[tuple[Setting, ...]] = GAME
    TURNS: ClassVar[tuple[str, ...]] = ("turn", "fact")

    @classmethod
    def _about(cls, game: Pairs, **own_values: Any) -> Self:
        return cls(game=game_from(game), **own_values)

    @property
    def known(self) -> Knowledge:
        """The knowledge of the secret.

        Raises a `ContradictionError` if no code fits the answers. Its hint names the answers that are most probably
        wrong.
        """
        require_consistent(Assistant(self.game.known), self.game.words)
        return self.game.known


@dataclass(frozen=True, slots=True)
class OpenQuery(OneBoardQuery[GameState]):
    """A query that opens a session for a game of Hit & Blow on one board."""

    NAME: ClassVar[str] = "open"
    RESULT: ClassVar[str] = "results:OpenedJson"

    def answer(self, budget: Budget = UNLIMITED) -> GameState:
        known = self.game.known
        return GameState(self.GAME_NAME, known.facts, known.count, finished=known.solved)


class Suggested(NamedTuple):
    """The next guess with its reason, and the advice on the use of items, the special actions of Numer0n.

    `items` is None if the player has no item to use.
    """

    advice: Suggestion
    items: ItemAdvice | None


@dataclass(frozen=True, slots=True)
class SuggestQuery(OneBoardQuery[Suggested]):
    """The next guess in Hit & Blow, and the item of Numer0n (a special action), if any, to use before it."""

    policy: str = own(POLICY)
    seconds: float = own(SECONDS)
    seed: int = own(SEED)
    alternatives: int = own(ALTERNATIVES)
    compare: bool = own(COMPARE)
    items: str = own(ITEMS)
    item_takes_turn: bool = own(ITEM_TAKES_TURN)

    NAME: ClassVar[str] = "suggest"
    RESULT: ClassVar[str] = "results_hitblow:SuggestionJson"
    CONFLICTS: ClassVar[tuple[Conflict, ...]] = (
        SECONDS_CONFLICT,
        SEED_CONFLICT,
        ALTERNATIVES_CONFLICT,
        # This setting says that the use of a Numer0n item (a special action) takes the place of a guess. So it has no
        # effect without items.
        Conflict(("item-takes-turn",), needs="items"),
    )

    @property
    def chooser(self) -> Policy:
        """The policy that chooses the guess."""
        return policy_named(self.policy, self.seed, self.alternatives, seconds=self.seconds)

    def assistant(self, known: Knowledge, budget: Budget = UNLIMITED) -> Assistant:
        """Return the assistant for a game with this knowledge: it computes the advice on first use."""
        mine = Items.from_options(self.items, self.item_takes_turn, known.rules, len(known.facts), ASKING)
        return Assistant(known, self.chooser, budget, mine)

    def answer(self, budget: Budget = UNLIMITED) -> Suggested:
        assistant = self.assistant(self.known, budget)
        return Suggested(assistant.compared if self.compare else assistant.advice, assistant.item_advice)


@dataclass(frozen=True, slots=True)
class CandidatesQuery(OneBoardQuery[Knowledge]):
    """The codes that can still be the secret, and the probability of each symbol in each place."""

    NAME: ClassVar[str] = "candidates"
    RESULT: ClassVar[str] = "results_hitblow:CandidatesJson"

    def answer(self, budget: Budget = UNLIMITED) -> Knowledge:
        return self.known


@dataclass(frozen=True, slots=True)
class ReviewQuery(OneBoardQuery[Review]):
    """The review of a game of Hit & Blow, turn by turn."""

    seconds: float = own(SECONDS)

    NAME: ClassVar[str] = "review"
    RESULT: ClassVar[str] = "results_hitblow:ReviewJson"

    def answer(self, budget: Budget = UNLIMITED) -> Review:
        return review(self.known, exact.Exact(self.seconds), budget)


@dataclass(frozen=True, slots=True)
class SimulateQuery(OneBoardQuery[Mapping[str, Cost]]):
    """The cost of one policy, or of every policy, played against every secret."""

    policy: str = own(POLICY_OR_ALL)
    seed: int = own(SEED)

    NAME: ClassVar[str] = "simulate"
    GAME_SETTINGS: ClassVar[tuple[Setting, ...]] = CERTAIN_GAME
    CONFLICTS: ClassVar[tuple[Conflict, ...]] = (Conflict(("seed",), unless={"policy": ("random", "all")}),)
    RESULT: ClassVar[str] = "results_strategy:Simulations"

    @property
    def policies(self) -> tuple[str, ...]:
        """The names of the policies to play."""
        return COMPARED if self.policy == "all" else (self.policy,)

    def cost_of(self, policy: str, budget: Budget) -> Cost:
        """Return the cost of a policy.

        The policy `exact` has no time limit here, because with a time limit its total would not be proven.
        """
        return simulate(policy_named(policy, self.seed, seconds=None), self.known, budget)

    def answer(self, budget: Budget = UNLIMITED) -> Mapping[str, Cost]:
        return {name: self.cost_of(name, budget) for name in self.policies}

    def document(self, answer: Mapping[str, Cost]) -> Document:
        from yomikiri.api.results_strategy import CostJson, Simulations

        return Simulations.of(answer) if self.policy == "all" else CostJson.of(answer[self.policy])


class Solved(NamedTuple):
    """A solution. `was_stopped` is True if the budget was spent before the solution was proven."""

    solution: Solution
    was_stopped: bool


@dataclass(frozen=True, slots=True)
class SolveQuery(Query[Solved]):
    """An optimal strategy with its proof, or after `seconds` the best one so far."""

    task: Task
    words: Words = Words.HIT
    memory: int = _MEMORY
    no_ties: bool = False
    seconds: float | None = None
    workers: int | None = None

    NAME: ClassVar[str] = "solve"
    GAME_NAME: ClassVar[Literal["hitblow"]] = "hitblow"
    GAME_SETTINGS: ClassVar[tuple[Setting, ...]] = CERTAIN_GAME
    OWN_SETTINGS: ClassVar[tuple[Setting, ...]] = (
        OBJECTIVE, WITHIN, CONSISTENT, MEMORY, NO_TIES, SECONDS_IN_ALL, WORKERS,
    )  # fmt: skip
    TURNS: ClassVar[tuple[str, ...]] = ("turn", "fact")
    CONFLICTS: ClassVar[tuple[Conflict, ...]] = (
        Conflict(("no-ties",), unless={"objective": (Criterion.EXPECTED, Criterion.WORST)}),
        Conflict(("no-ties", "workers"), beside="weights"),
    )
    RESULT: ClassVar[str] = "results_strategy:SolvedJson"

    @classmethod
    def _about(cls, game: Pairs, **own_values: Any) -> Self:
        described = game_from(game)
        known = described.known
        objective = Objective(*(own_values.pop(name) for name in ("objective", "within", "consistent")))
        return cls(Task(known.rules, known.absent, known.facts, objective, known.prior), described.words, **own_values)

    def answer(
        self,
        budget: Budget = UNLIMITED,
        *,
        pool: Workers | None = None,
        store: Path | None = None,
        stopped: Callable[[SearchBounds], None] = lambda _outcome: None,
    ) -> Solved:
        """Return the strategy. Raises `Stopped` if the budget is spent before a strategy is known.

        `pool` is the worker pool. By default, a pool of `self.workers` threads is created. `search.solve.solve`
        describes the other parameters.
        """
        from yomikiri.hitblow.search.proof.worker_pool import Workers
        from yomikiri.hitblow.search.solution import Solution
        from yomikiri.hitblow.search.solve import solve

        try:
            found = solve(
                self.task,
                memory=self.memory << 20,
                budget=budget.at_most(self.seconds),
                ties=not self.no_ties,
                workers=pool or Workers(self.workers or usable_cores()),
                store=store,
                stopped=stopped,
            )
            return Solved(found, was_stopped=False)
        except Stopped as spent:
            if isinstance(spent.best, Solution):
                return Solved(spent.best, was_stopped=True)
            raise
