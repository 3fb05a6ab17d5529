"""Questions about a game of Hit & Blow on one board: the next guess, the candidates, what was played, and its best
strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self

from yomikiri.api.query import A, Question
from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.errors import N_
from yomikiri.hitblow.advice.assistant import Assistant
from yomikiri.hitblow.advice.items import ASKING, ItemAdvice, Items
from yomikiri.hitblow.advice.review import Review as Judged
from yomikiri.hitblow.advice.review import review
from yomikiri.hitblow.advice.suggestion import Advice
from yomikiri.hitblow.model.game import GAME, UNCERTAIN, Game, Pairs, game_of, weights_of, words_of
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Words
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, Policy, exact, policy_named
from yomikiri.hitblow.policies.base import ALTERNATIVES as USUAL_ALTERNATIVES
from yomikiri.hitblow.policies.simulation import simulate
from yomikiri.hitblow.strategy.strategy import Cost, Criterion, Objective, Task
from yomikiri.settings import Group, Idle, Kind, Setting
from yomikiri.wording import use_words
from yomikiri.wording.contradictions import consistent

if TYPE_CHECKING:
    from yomikiri.api.results import Part

    # numpy comes with them: only what really solves may load it.
    from yomikiri.hitblow.search.proof.worker_pool import Workers
    from yomikiri.hitblow.search.solution import Outcome, Solution

_MEMORY = 256  # MiB

POLICY = Setting("policy", N_("The policy that chooses the guess."), Kind.WORD, default=DEFAULT_POLICY, words=POLICIES)
SECONDS = Setting("seconds", N_("Time limit in seconds for proving a guess, in games other than the presets."),
                  Kind.NUMBER, default=exact.SECONDS, shown=N_("SECONDS"))  # fmt: skip
SECONDS_IN_ALL = replace(SECONDS, help=N_("Stop after so many seconds with the best so far."), default=None)
SEED = Setting("seed", N_("Random seed."), Kind.INTEGER, default=0)
ALTERNATIVES = Setting("alternatives", N_("How many of the next best guesses are told."), Kind.INTEGER,
                       default=USUAL_ALTERNATIVES, least=1, most=100)  # fmt: skip
COMPARE = Setting("compare", N_("Tell the next best guesses even where that takes longer."), Kind.FLAG, default=False)
ITEMS = Setting("items", N_("Your items that are not used yet: high,slash,target."), default="", group=Group.KNOWN,
                shown=N_("NAMES"))  # fmt: skip
ITEM_TAKES_TURN = Setting("item-takes-turn", N_("An item takes the place of the guess of its turn."), Kind.FLAG,
                          default=False, group=Group.GAME)  # fmt: skip
POLICY_OR_ALL = replace(POLICY, help=N_("The policy to play, or all of them for comparison."), words=(*POLICIES, "all"))

OBJECTIVE = Setting(
    "objective",
    N_(
        "What to minimise: the average number of guesses; the worst case and then the average; or the worst "
        "case, then the number of secrets that take so many guesses, then the average."
    ),
    Kind.WORD,
    default=str(Criterion.EXPECTED),
    words=tuple(Criterion),
)
WITHIN = Setting("within", N_("Maximum number of guesses for any secret."), Kind.INTEGER, least=1, most=99)
CONSISTENT = Setting("consistent", N_("Guess only candidates."), Kind.FLAG, default=False)
MEMORY = Setting("memory", N_("Size limit of the transposition table, in MiB; does not affect the result."),
                 Kind.INTEGER, default=_MEMORY, least=1, most=1 << 20)  # fmt: skip
NO_TIES = Setting("no-ties", N_("Prove the total only; of the strategies that attain it take any."), Kind.FLAG,
                  default=False)  # fmt: skip
WORKERS = Setting(
    "workers",
    N_(
        "Number of threads that search, with a table of --memory for each that they share; all processor cores by "
        "default. They start once a proof has taken ten seconds."
    ),
    Kind.INTEGER,
    least=1,
    most=1024,
)

# What only some policies use.
SECONDS_IDLE = Idle(("seconds",), unless={"policy": (exact.NAME,)})
SEED_IDLE = Idle(("seed",), unless={"policy": ("random",)})
ALTERNATIVES_IDLE = Idle(
    ("alternatives",), unless={"policy": tuple(name for name in POLICIES if name not in ("random", "repdigit"))}
)
CERTAIN_GAME = tuple(setting for setting in GAME if setting not in UNCERTAIN)
"""The settings of a game in which every turn is right."""

# Proven play follows the book where there is one.
COMPARED = tuple(name for name in POLICIES if name != "book")


def game_told(pairs: Pairs) -> Game:
    """Return the game on one board that (name, value) pairs describe, with the weights of its secrets.

    Errors from here on are written with the words of the game. Raises an `InputError`.
    """
    pairs = tuple(pairs)
    use_words(words_of(dict(pairs)))
    game = game_of(pairs)
    return replace(game, prior=weights_of(dict(pairs), game.rules, game.absent))


@dataclass(frozen=True, slots=True)
class OneBoard(Question[A], Generic[A]):
    """A question about one board."""

    game: Game

    TELLING: ClassVar[tuple[Setting, ...]] = GAME
    PLAYED: ClassVar[tuple[str, ...]] = ("turn", "fact")

    @classmethod
    def _told(cls, game: Pairs, **own: Any) -> Self:
        return cls(game=game_told(game), **own)

    @property
    def known(self) -> Knowledge:
        """What is known of the secret; raises a `ContradictionError` with the likeliest slip where no code fits."""
        return consistent(self.game)


class Suggested(NamedTuple):
    """The next guess with its reason, and what to do with the items, if there are any."""

    advice: Advice
    items: ItemAdvice | None


@dataclass(frozen=True, slots=True)
class Suggest(OneBoard[Suggested]):
    """The next guess, and which of my items that are left comes first."""

    policy: str
    seconds: float
    seed: int
    alternatives: int
    compare: bool
    items: str
    item_takes_turn: bool

    NAME: ClassVar[str] = "suggest"
    OWN: ClassVar[tuple[Setting, ...]] = (POLICY, SECONDS, SEED, ALTERNATIVES, COMPARE, ITEMS, ITEM_TAKES_TURN)
    IDLE: ClassVar[tuple[Idle, ...]] = (
        SECONDS_IDLE,
        SEED_IDLE,
        ALTERNATIVES_IDLE,
        Idle(("item-takes-turn",), needs="items"),  # on one board mine alone may take the place of a guess
    )

    @property
    def chooser(self) -> Policy:
        """The policy."""
        return policy_named(self.policy, self.seed, self.alternatives, seconds=self.seconds)

    def assistant(self, known: Knowledge, budget: Budget = UNLIMITED) -> Assistant:
        """The game in progress."""
        mine = Items.from_options(self.items, self.item_takes_turn, known.rules, len(known.facts), ASKING)
        return Assistant(known, self.chooser, budget, mine)

    def answer(self, budget: Budget = UNLIMITED) -> Suggested:
        assistant = self.assistant(self.known, budget)
        return Suggested(assistant.compared if self.compare else assistant.advice, assistant.item_advice)

    def document(self, answer: Suggested) -> Part:
        from yomikiri.api import results_hitblow as documents

        return documents.suggestion(*answer)


@dataclass(frozen=True, slots=True)
class Candidates(OneBoard[Knowledge]):
    """The codes that fit, and the chance of each symbol in each place."""

    NAME: ClassVar[str] = "candidates"

    def answer(self, budget: Budget = UNLIMITED) -> Knowledge:
        return self.known

    def document(self, answer: Knowledge) -> Part:
        from yomikiri.api import results_hitblow as documents

        return documents.candidates(answer)


@dataclass(frozen=True, slots=True)
class Review(OneBoard[Judged]):
    """A game judged turn by turn."""

    seconds: float

    NAME: ClassVar[str] = "review"
    OWN: ClassVar[tuple[Setting, ...]] = (SECONDS,)

    def answer(self, budget: Budget = UNLIMITED) -> Judged:
        return review(self.known, exact.Exact(self.seconds), budget)

    def document(self, answer: Judged) -> Part:
        from yomikiri.api import results_hitblow as documents

        return documents.review(answer)


@dataclass(frozen=True, slots=True)
class Simulate(OneBoard[Mapping[str, Cost]]):
    """A policy against every secret, or every policy."""

    policy: str
    seed: int

    NAME: ClassVar[str] = "simulate"
    TELLING: ClassVar[tuple[Setting, ...]] = CERTAIN_GAME
    OWN: ClassVar[tuple[Setting, ...]] = (POLICY_OR_ALL, SEED)
    IDLE: ClassVar[tuple[Idle, ...]] = (Idle(("seed",), unless={"policy": ("random", "all")}),)

    @property
    def policies(self) -> tuple[str, ...]:
        """The names of the policies to play."""
        return COMPARED if self.policy == "all" else (self.policy,)

    def played(self, policy: str, budget: Budget) -> Cost:
        """What the policy of that name costs; proven play takes the time it needs, or its total would prove nothing."""
        return simulate(policy_named(policy, self.seed, seconds=None), self.known, budget)

    def answer(self, budget: Budget = UNLIMITED) -> Mapping[str, Cost]:
        return {name: self.played(name, budget) for name in self.policies}

    def document(self, answer: Mapping[str, Cost]) -> Part:
        from yomikiri.api import results_strategy as documents

        return documents.simulations(dict(answer)) if self.policy == "all" else documents.cost(answer[self.policy])


class Solved(NamedTuple):
    """What was found, and whether the budget was spent before all of it was."""

    solution: Solution
    stopped: bool


@dataclass(frozen=True, slots=True)
class Solve(Question[Solved]):
    """An optimal strategy, proven; after `seconds` the best so far."""

    task: Task
    words: Words = Words.HIT
    memory: int = _MEMORY
    no_ties: bool = False
    seconds: float | None = None
    workers: int | None = None

    NAME: ClassVar[str] = "solve"
    TELLING: ClassVar[tuple[Setting, ...]] = CERTAIN_GAME
    OWN: ClassVar[tuple[Setting, ...]] = (OBJECTIVE, WITHIN, CONSISTENT, MEMORY, NO_TIES, SECONDS_IN_ALL, WORKERS)
    PLAYED: ClassVar[tuple[str, ...]] = ("turn", "fact")
    IDLE: ClassVar[tuple[Idle, ...]] = (
        Idle(("no-ties",), unless={"objective": (Criterion.EXPECTED, Criterion.WORST)}),
        Idle(("no-ties", "workers"), beside="weights"),
    )

    @classmethod
    def _told(cls, game: Pairs, **own: Any) -> Self:
        told = game_told(game)
        known = told.known
        aim = Objective(Criterion(own.pop("objective")), own.pop("within"), own.pop("consistent"))
        return cls(Task(known.rules, known.absent, known.facts, aim, known.prior), told.words, **own)

    def answer(
        self,
        budget: Budget = UNLIMITED,
        *,
        crew: Workers | None = None,
        store: Path | None = None,
        stopped: Callable[[Outcome], None] = lambda _outcome: None,
    ) -> Solved:
        """The strategy; raises `Stopped` where none is known when the budget is spent.

        `crew` works on it, by default so many threads as are asked for. See `search.solve.solve` for the others.
        """
        from yomikiri.hitblow.search.proof.worker_pool import Workers, usable_cores
        from yomikiri.hitblow.search.solution import Solution
        from yomikiri.hitblow.search.solve import solve

        try:
            found = solve(
                self.task,
                memory=self.memory << 20,
                budget=budget.at_most(self.seconds),
                ties=not self.no_ties,
                workers=crew or Workers(self.workers or usable_cores()),
                store=store,
                stopped=stopped,
            )
            return Solved(found, stopped=False)
        except Stopped as spent:
            if isinstance(spent.best, Solution):
                return Solved(spent.best, stopped=True)
            raise

    def document(self, answer: Solved) -> Part:
        from yomikiri.api import results_strategy as documents

        return documents.solved(answer.solution)
