"""Questions about two boards of Hit & Blow: a match in play, and the race before its first guess."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from yomikiri.api.queries_hitblow import CERTAIN_GAME, ITEM_TAKES_TURN, ITEMS, SECONDS, SECONDS_IN_ALL, SEED, game_told
from yomikiri.api.query import Question
from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.advice.items import Items
from yomikiri.hitblow.match import match as matches
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.notation import EQUAL_TURNS, MATCH, OWN_RULES, SIDES, match_of
from yomikiri.hitblow.match.opponents import DEFAULT_OPPONENT, OPPONENTS, opponent_named
from yomikiri.hitblow.model.game import WEIGHTS, WORDS, Pairs, rules_of, weights_of, words_of
from yomikiri.hitblow.model.rules import Words
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.race.terms import Reveals, Terms, Value
from yomikiri.hitblow.race.value import Information, race_value
from yomikiri.settings import Group, Idle, Kind, Setting
from yomikiri.wording import use_words
from yomikiri.wording.contradictions import require_consistent

if TYPE_CHECKING:
    from pathlib import Path

    from yomikiri.api.results import Part

OPPONENT = Setting("opponent", N_("How the opponent plays."), Kind.WORD, default=DEFAULT_OPPONENT, words=OPPONENTS,
                   group=Group.KNOWN)  # fmt: skip
FINISHES = Setting(
    "finishes",
    N_("For --opponent custom: how often they find a secret with guess 1, 2, 3, ..."),
    default="",
    group=Group.KNOWN,
)
MATCH_SECONDS = replace(SECONDS, help=N_("Time limit in seconds for solving the match."))
MATCH_ITEMS = replace(ITEMS, help=N_("Your items that are not used yet: high,slash,target,shuffle,change,double."))
INFORMATION = Setting("information", N_("What the players see of each other."), Kind.WORD,
                      default=str(Information.PUBLIC), words=tuple(Information))  # fmt: skip
REVEALS = Setting("reveals", N_("Who reveals symbols that are not in their own secret."), Kind.WORD,
                  default=str(Reveals.NONE), words=tuple(Reveals))  # fmt: skip
REVEALED = Setting("revealed", N_("How many symbols are revealed; 1 by default."), Kind.INTEGER, least=1, most=15)
EQUAL_ROUNDS = replace(
    EQUAL_TURNS,
    help=N_("Both players get the same number of guesses; finding both secrets in one round is a draw."),
    default=False,
)


def match_told(pairs: Pairs) -> matches.Match:
    """The match that names and values tell, the weights of their secrets included; raises an `InputError`."""
    pairs = tuple(pairs)
    match = match_of((name, value) for name, value in pairs if name != WEIGHTS.name)
    return replace(match, prior=weights_of(dict(pairs), match.rules, match.absent))


@dataclass(frozen=True, slots=True)
class Match(Question[MatchAssistant]):
    """The state of a match, and the guess that wins most often."""

    match: matches.Match
    words: Words
    opponent: str
    finishes: str
    seconds: float
    seed: int
    items: str
    item_takes_turn: bool

    NAME: ClassVar[str] = "match"
    TELLING: ClassVar[tuple[Setting, ...]] = MATCH
    OWN: ClassVar[tuple[Setting, ...]] = (OPPONENT, FINISHES, MATCH_SECONDS, SEED, MATCH_ITEMS, ITEM_TAKES_TURN)
    PLAYED: ClassVar[tuple[str, ...]] = tuple(SIDES)
    IDLE: ClassVar[tuple[Idle, ...]] = (
        Idle(("finishes",), unless={"opponent": ("custom",)}),
        Idle(("seed",), unless={"opponent": ("consistent", "perfect")}),
    )

    @classmethod
    def _told(cls, game: Pairs, **own: Any) -> Self:
        game = tuple(game)
        words = words_of(dict(game))
        use_words(words)
        return cls(match=match_told(game), words=words, **own)

    def assistant(self, budget: Budget = UNLIMITED) -> MatchAssistant:
        """The match in progress."""
        plain = Exact(self.seconds)
        advisor = Advisor(opponent_named(self.opponent, plain, self.finishes, self.seed), plain, self.seconds)
        mine = Items.from_options(self.items, self.item_takes_turn, self.match.rules, len(self.match.facts))
        return MatchAssistant(self.match, advisor, budget, mine)

    def answer(self, budget: Budget = UNLIMITED) -> MatchAssistant:
        """The match with its advice, which is worked out when it is read; a contradiction is raised."""
        assistant = self.assistant(budget)
        require_consistent(assistant, self.words)
        return assistant

    def document(self, answer: MatchAssistant) -> Part:
        from yomikiri.api import results_match as documents

        return documents.match(answer)


class Raced(NamedTuple):
    """The value of a race, and whether the budget was spent before it was known exactly."""

    value: Value
    stopped: bool


@dataclass(frozen=True, slots=True)
class Race(Question[Raced]):
    """What a race is worth before its first guess; after `seconds` the bounds so far."""

    terms: Terms
    information: str

    seconds: float | None

    NAME: ClassVar[str] = "race"
    TELLING: ClassVar[tuple[Setting, ...]] = (
        *(setting for setting in CERTAIN_GAME if setting is not WORDS),
        *OWN_RULES,
    )
    OWN: ClassVar[tuple[Setting, ...]] = (INFORMATION, REVEALS, REVEALED, EQUAL_ROUNDS, SECONDS_IN_ALL)
    PLAYED: ClassVar[tuple[str, ...]] = ("turn", "fact")
    IDLE: ClassVar[tuple[Idle, ...]] = (Idle(("revealed",), unless={"reveals": (Reveals.FIRST, Reveals.SECOND)}),)

    @classmethod
    def _told(cls, game: Pairs, **own: Any) -> Self:
        game = tuple(game)
        told = game_told(game)
        if told.facts:
            raise InputError(N_("a race is solved before its first turn: leave out {given}"), given=str(told.facts[0]))
        terms = Terms(
            told.rules,
            told.absent,
            Reveals(own["reveals"]),
            own["revealed"] or 1,
            own["equal_turns"],
            rules_of(dict(game), "secret-", told.rules),
            told.prior,
        )
        return cls(terms, own["information"], own["seconds"])

    def answer(self, budget: Budget = UNLIMITED, *, store: Path | None = None) -> Raced:
        """The value; with a `store`, a file, the work on a public race is kept there, and goes on from it."""
        try:
            found = race_value(
                self.terms, Information(self.information), budget=budget.at_most(self.seconds), store=store
            )
            return Raced(found, stopped=False)
        except Stopped as spent:
            if spent.best is None:
                raise
            return Raced(spent.best, stopped=True)

    def document(self, answer: Raced) -> Part:
        from yomikiri.api import results_match as documents

        return documents.race(self.terms, self.information, answer.value)
