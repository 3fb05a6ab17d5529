"""Questions about a game of Hit & Blow on one board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self

from yomikiri.ask.question import A, Question
from yomikiri.budget import UNLIMITED, Budget
from yomikiri.errors import N_
from yomikiri.hitblow.advice import Advice
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.game import GAME, UNCERTAIN, Game, Pairs, game_of, weights_of
from yomikiri.hitblow.items import ASKING, ItemAdvice, Items
from yomikiri.hitblow.judgement import Review as Judged
from yomikiri.hitblow.judgement import review
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies import DEFAULT_POLICY, POLICIES, Policy, exact, policy_named
from yomikiri.hitblow.policies.base import ALTERNATIVES as USUAL_ALTERNATIVES
from yomikiri.hitblow.policies.base import simulate
from yomikiri.hitblow.strategy.strategy import Cost
from yomikiri.settings import Group, Idle, Kind, Setting
from yomikiri.wording.contradictions import consistent

if TYPE_CHECKING:
    from yomikiri.documents import Part

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
    """The game on one board that names and values tell, the weights of its secrets included; raises an `InputError`."""
    pairs = tuple(pairs)
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
        from yomikiri.documents import hitblow as documents

        return documents.suggestion(*answer)


@dataclass(frozen=True, slots=True)
class Candidates(OneBoard[Knowledge]):
    """The codes that fit, and the chance of each symbol in each place."""

    NAME: ClassVar[str] = "candidates"

    def answer(self, budget: Budget = UNLIMITED) -> Knowledge:
        return self.known

    def document(self, answer: Knowledge) -> Part:
        from yomikiri.documents import hitblow as documents

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
        from yomikiri.documents import hitblow as documents

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

    def played(self, policy: str, budget: Budget = UNLIMITED) -> Cost:
        """What the policy of that name costs; proven play takes the time it needs, or its total would prove nothing."""
        return simulate(policy_named(policy, self.seed, seconds=None), self.known, budget)

    def answer(self, budget: Budget = UNLIMITED) -> Mapping[str, Cost]:
        return {name: self.played(name, budget) for name in self.policies}

    def document(self, answer: Mapping[str, Cost]) -> Part:
        from yomikiri.documents import strategies as documents

        return documents.simulations(dict(answer)) if self.policy == "all" else documents.cost(answer[self.policy])
