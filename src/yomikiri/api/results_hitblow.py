"""JSON documents of Hit & Blow on one board: the suggested guess, the candidates, and the review of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Self

from msgspec import Meta
from msgspec.structs import asdict

from yomikiri.api.results import UNSET, Count, Document, Share, UnsetType
from yomikiri.hitblow.model.labels import Item, Unproven, UseMeasure
from yomikiri.hitblow.model.rules import Repeats
from yomikiri.hitblow.policies import POLICIES
from yomikiri.hitblow.strategy.strategy import Evidence

if TYPE_CHECKING:
    from yomikiri.hitblow.advice.items import ItemAdvice
    from yomikiri.hitblow.advice.review import Judgement, Review
    from yomikiri.hitblow.advice.suggestion import Figures, Suggestion
    from yomikiri.hitblow.model.knowledge import Knowledge


class GameRules(Document):
    """The rules of a secret. A code never begins with a symbol of `no_leading`."""

    digits: int
    symbols: str
    repeats: Repeats
    no_leading: str | UnsetType = UNSET


class FiguresJson(Document):
    """The candidates left after a guess, and the number of guesses still needed if the policy knows that number."""

    guess: str
    is_candidate: bool
    cells: Annotated[
        dict[str, Count], Meta(description="Number of candidates for each answer, or the sum of their weights")
    ]
    expected_remaining: Share
    expected_guesses: (
        Annotated[float, Meta(ge=0, description="Guesses still needed on average, this one included")] | UnsetType
    ) = UNSET
    max_guesses: Count | UnsetType | None = UNSET
    proof: Evidence | UnsetType = UNSET

    @classmethod
    def of(cls, source: Figures) -> Self:
        outlook = source.outlook
        if outlook is None:
            return cls.filled(source)
        proof = Evidence.OPTIMAL if outlook.proven else Evidence.HEURISTIC
        return cls.filled(source, max_guesses=outlook.max_guesses, proof=proof)


class ItemUse(Document):
    """The item of Numer0n (a special action) to use before the guess, or null in `play` if none should be used.

    `value` is the value of the turn with this item, and `without` is its value without any item. `measure` says what
    both values are: expected further guesses, expected entropy in bits, or the chance of winning. `error` is the
    standard error of both values, 0 if they are exact. `takes_turn` is true if the item replaces the guess.
    """

    play: Item | None
    symbol: str
    place: int
    takes_turn: bool
    measure: UseMeasure
    value: float
    without: float
    error: float

    @classmethod
    def of(cls, source: ItemAdvice) -> Self:
        use = source.use
        play, symbol, place = (use.item, use.symbol, use.place) if use else (None, "", 0)
        return cls.filled(source, play=play, symbol=symbol, place=place)


class SuggestionJson(FiguresJson, kw_only=True):
    """The suggested guess with its figures, and the next best guesses."""

    policy: Annotated[str, Meta(extra_json_schema={"enum": list(POLICIES)})]
    count: Annotated[int, Meta(ge=0, description="Candidates left")]
    secrets: Annotated[int, Meta(description="Sum of all weights, if some candidates are likelier")] | UnsetType = UNSET
    total_guesses: int | UnsetType = UNSET
    sampled: bool
    unproven: Unproven | UnsetType = UNSET
    item: ItemUse | UnsetType = UNSET
    alternatives: list[FiguresJson]

    @classmethod
    def of(cls, source: tuple[Suggestion, ItemAdvice | None]) -> Self:  # type: ignore[override]
        advice, item = source
        proposed = advice.proposed
        figures = asdict(FiguresJson.of(proposed))
        if advice.unproven:
            figures["proof"] = Evidence.HEURISTIC
        if not proposed.even:
            figures["secrets"] = proposed.total
            figures["total_guesses"] = proposed.outlook and proposed.outlook.total_guesses
        return cls.filled(advice, **figures, item=item)


class Candidate(Document):
    """A code that can be the secret."""

    code: str
    probability: Share


class CandidatesJson(Document):
    """The codes that can still be the secret, and the probability of each symbol in each place.

    `table` maps each symbol to its probabilities, in the order of the places. `by_slips` is missing unless answers may
    be wrong.
    """

    count: Count
    candidates: list[Candidate]
    table: dict[str, list[float]]
    by_slips: (
        Annotated[list[Count], Meta(description="How many fit every turn, how many more if one is wrong, and so on")]
        | UnsetType
    ) = UNSET

    @classmethod
    def of(cls, source: Knowledge) -> Self:
        return cls(
            source.count,
            list(map(Candidate, source.codes(), source.chances().tolist())),
            dict(zip(source.rules.symbols, source.table().tolist(), strict=True)),
            list(source.by_slips) if source.slips.most else UNSET,
        )


class JudgementJson(Document):
    """The review of one turn. A figure is null if it was not proven.

    `count` and `left` are the numbers of candidates before and after the turn. `loss` is the cost of the guess against
    the best one, and `luck` the number of guesses that the answer saved. `chance` is the probability of an answer that
    is at least as informative. `bits` is the information in the answer, and `expected_bits` its expected value.
    """

    turn: str
    count: Count
    left: Count
    played: FiguresJson
    best: FiguresJson
    loss: float | None
    luck: float | None
    chance: float
    rank: float
    bits: float
    expected_bits: float
    proof: Evidence
    unproven: Unproven | UnsetType = UNSET
    told: (
        Annotated[str, Meta(description="The given answer of a wrong turn; `turn` contains the true one")] | UnsetType
    ) = UNSET

    @classmethod
    def of(cls, source: Judgement) -> Self:
        proof = Evidence.HEURISTIC if source.loss is None else Evidence.OPTIMAL
        return cls.filled(source, proof=proof, told=source.stated)


class ReviewJson(Document):
    """The review of a game, turn by turn. A figure is null if it was not proven.

    `later_turns` are the turns after the secret was found, which are not reviewed. `next` is the suggested guess if the
    secret was not found.
    """

    turns: list[JudgementJson]
    later_turns: list[str]
    found: bool
    start_expected_guesses: float | None
    loss: float | None
    luck: float | None
    skill: Annotated[int, Meta(ge=0, le=100, description="100 for best play; null unless every turn is proven")] | None
    luckiness: Annotated[
        int, Meta(ge=0, le=100, description="50 if the answers saved no guesses, 67 for half a guess saved")
    ]
    next: SuggestionJson | None

    @classmethod
    def of(cls, source: Review) -> Self:
        return cls.filled(
            source,
            later_turns=source.later,
            start_expected_guesses=source.start,
            next=source.next and SuggestionJson.of((source.next, None)),
        )
