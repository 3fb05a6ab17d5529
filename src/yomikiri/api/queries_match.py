"""Queries about two players who guess each other's secret in Hit & Blow: a match in play, and a race.

A *race* is a match before its first guess. Its value is the first player's chance of winning under best play by both
sides, with a draw counted as one half.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, Self

from yomikiri.api.queries_hitblow import CERTAIN_GAME, ITEM_TAKES_TURN, ITEMS, SECONDS, game_from, require_consistent
from yomikiri.api.query import A, GameState, Pairs, Query, own
from yomikiri.api.shared_settings import SECONDS_IN_ALL, SEED
from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.common.errors import N_, InputError
from yomikiri.hitblow.advice.items import Items
from yomikiri.hitblow.match.advice import Advisor
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.hitblow.match.match import Match, Side
from yomikiri.hitblow.match.notation import EQUAL_TURNS, MATCH, OWN_RULES, SIDES, match_of, match_pairs, split_pair
from yomikiri.hitblow.match.opponents import DEFAULT_OPPONENT, OPPONENTS, opponent_named
from yomikiri.hitblow.model.game import WEIGHTS, WORDS, rules_of, weights_of, words_of
from yomikiri.hitblow.model.rules import Words
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.race.terms import Reveals, Terms, Value
from yomikiri.hitblow.race.value import Information, race_value
from yomikiri.settings import Conflict, HelpHeading, Kind, Setting
from yomikiri.wording import use_words

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

OPPONENT = Setting("opponent", N_("Model of the opponent."), Kind.WORD, default=DEFAULT_OPPONENT, words=OPPONENTS,
                   group=HelpHeading.KNOWN)  # fmt: skip
FINISHES = Setting(
    "finishes",
    N_("For --opponent custom: how many secrets they find with guess 1, 2, 3, ..."),
    default="",
    group=HelpHeading.KNOWN,
)
MATCH_SECONDS = replace(SECONDS, help=N_("Time limit in seconds for solving the match."))
MATCH_ITEMS = replace(ITEMS, help=N_("Your unused items: high,slash,target,shuffle,change,double."))
INFORMATION = Setting("information", N_("The information that each player has."), Kind.WORD,
                      default=str(Information.PUBLIC), words=tuple(Information))  # fmt: skip
REVEALS = Setting("reveals", N_("The side that reveals symbols not in its own secret."), Kind.WORD,
                  default=str(Reveals.NONE), words=tuple(Reveals))  # fmt: skip
REVEALED = Setting("revealed", N_("The number of revealed symbols; 1 by default."), Kind.INTEGER, least=1, most=15)
EQUAL_ROUNDS = replace(
    EQUAL_TURNS,
    help=N_("Both players get the same number of guesses; finding both secrets in one round is a draw."),
    default=False,
)


def match_from(pairs: Pairs) -> Match:
    """Return the match that (name, value) pairs describe, including the weights of the secrets.

    Raises an `InputError` for an unknown name or an invalid value.
    """
    pairs = tuple(pairs)
    match = match_of((name, value) for name, value in pairs if name != WEIGHTS.name)
    return replace(match, prior=weights_of(dict(pairs), match.rules, match.absent))


@dataclass(frozen=True, slots=True)
class TwoBoardsQuery(Query[A], Generic[A]):
    """A query about a match of Hit & Blow."""

    match: Match
    words: Words

    GAME_NAME: ClassVar[Literal["match"]] = "match"
    GAME_SETTINGS: ClassVar[tuple[Setting, ...]] = MATCH
    TURNS: ClassVar[tuple[str, ...]] = tuple(SIDES)

    @classmethod
    def _about(cls, game: Pairs, **own_values: Any) -> Self:
        game = tuple(game)
        words = words_of(dict(game))
        use_words(words)
        return cls(match=match_from(game), words=words, **own_values)

    @classmethod
    def turns(cls, texts: Iterable[str]) -> list[tuple[str, str]]:
        return list(map(split_pair, texts))


@dataclass(frozen=True, slots=True)
class OpenMatchQuery(TwoBoardsQuery[GameState]):
    """A query that opens a session for a match of Hit & Blow."""

    NAME: ClassVar[str] = "open-match"
    RESULT: ClassVar[str] = "results:OpenedJson"

    def answer(self, budget: Budget = UNLIMITED) -> GameState:
        turns = (f"{side}={turn}" for side, turn in match_pairs(self.match) if side in SIDES)
        mine, theirs = (self.match.known(side).count for side in Side)
        return GameState(self.GAME_NAME, tuple(turns), mine, theirs, MatchAssistant(self.match).finished)


@dataclass(frozen=True, slots=True)
class MatchQuery(TwoBoardsQuery[MatchAssistant]):
    """The state of a match, and the guess that wins most often."""

    opponent: str = own(OPPONENT)
    finishes: str = own(FINISHES)
    seconds: float = own(MATCH_SECONDS)
    seed: int = own(SEED)
    items: str = own(MATCH_ITEMS)
    item_takes_turn: bool = own(ITEM_TAKES_TURN)

    NAME: ClassVar[str] = "match"
    CONFLICTS: ClassVar[tuple[Conflict, ...]] = (
        Conflict(("finishes",), unless={"opponent": ("custom",)}),
        Conflict(("seed",), unless={"opponent": ("consistent", "perfect")}),
    )
    RESULT: ClassVar[str] = "results_match:MatchJson"

    def assistant(self, budget: Budget = UNLIMITED) -> MatchAssistant:
        """Return the assistant for this match: it computes the advice on first use."""
        plain = Exact(self.seconds)
        advisor = Advisor(opponent_named(self.opponent, plain, self.finishes, self.seed), plain, self.seconds)
        mine = Items.from_options(self.items, self.item_takes_turn, self.match.rules, len(self.match.facts))
        return MatchAssistant(self.match, advisor, budget, mine)

    def answer(self, budget: Budget = UNLIMITED) -> MatchAssistant:
        """Return the assistant, which computes its advice on first use.

        Raises a `ContradictionError` if no code fits the answers of a board.
        """
        assistant = self.assistant(budget)
        require_consistent(assistant, self.words)
        return assistant


class Raced(NamedTuple):
    """The value of a race, a match before its first guess.

    `terms` are the rules of the race, and `information` says which answers each player sees and uses. `was_stopped` is
    True if the budget was spent before the value was exact.
    """

    terms: Terms
    information: str
    value: Value
    was_stopped: bool


@dataclass(frozen=True, slots=True)
class RaceQuery(Query[Raced]):
    """The value of a race, a match before its first guess.

    If the search does not end within `seconds`, the result contains the bounds found so far.
    """

    terms: Terms
    information: str
    seconds: float | None

    NAME: ClassVar[str] = "race"
    GAME_NAME: ClassVar[Literal["hitblow"]] = "hitblow"
    GAME_SETTINGS: ClassVar[tuple[Setting, ...]] = (
        *(setting for setting in CERTAIN_GAME if setting is not WORDS),
        *OWN_RULES,
    )
    OWN_SETTINGS: ClassVar[tuple[Setting, ...]] = (INFORMATION, REVEALS, REVEALED, EQUAL_ROUNDS, SECONDS_IN_ALL)
    TURNS: ClassVar[tuple[str, ...]] = ("turn", "fact")
    CONFLICTS: ClassVar[tuple[Conflict, ...]] = (
        Conflict(("revealed",), unless={"reveals": (Reveals.FIRST, Reveals.SECOND)}),
    )
    RESULT: ClassVar[str] = "results_match:RaceJson"

    @classmethod
    def _about(cls, game: Pairs, **own_values: Any) -> Self:
        game = tuple(game)
        described = game_from(game)
        if described.facts:
            fact = str(described.facts[0])
            raise InputError(N_("a race has no turns yet: leave out {given}"), given=fact)
        terms = Terms(
            described.rules,
            described.absent,
            Reveals(own_values["reveals"]),
            own_values["revealed"] or 1,
            own_values["equal_turns"],
            rules_of(dict(game), "secret-", described.rules),
            described.prior,
        )
        return cls(terms, own_values["information"], own_values["seconds"])

    def answer(self, budget: Budget = UNLIMITED, *, store: Path | None = None) -> Raced:
        """Return the value of the race.

        `store` is a file that keeps the progress of the search, so that a later call with this file continues it.
        Raises an `InputError` if `store` is given and the race is not public. In a public race, both players see all
        guesses and answers.
        """
        try:
            found = race_value(
                self.terms, Information(self.information), budget=budget.at_most(self.seconds), store=store
            )
            return Raced(self.terms, self.information, found, was_stopped=False)
        except Stopped as spent:
            if spent.best is None:
                raise
            return Raced(self.terms, self.information, spent.best, was_stopped=True)
