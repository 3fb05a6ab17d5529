"""The documents of Hit & Blow on one board: advice, candidates and a review."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta
from msgspec.structs import asdict

from yomikiri.api.results import UNSET, Count, Part, Share, UnsetType, filled
from yomikiri.hitblow.advice.items import Item, UseMeasure
from yomikiri.hitblow.model.rules import Repeats
from yomikiri.hitblow.policies import POLICIES
from yomikiri.hitblow.policies.base import Unproven
from yomikiri.hitblow.strategy.strategy import Evidence

if TYPE_CHECKING:
    from yomikiri.hitblow.advice import review as reviews
    from yomikiri.hitblow.advice import suggestion as advice
    from yomikiri.hitblow.advice.items import ItemAdvice
    from yomikiri.hitblow.model import knowledge
    from yomikiri.hitblow.model.rules import Rules

HINT = "^[0-9]+H[0-9]+B$"


class GameRules(Part):
    """The rules of a secret."""

    digits: int
    symbols: str
    repeats: Repeats
    no_leading: str | UnsetType = UNSET


def game_rules(rules: Rules) -> GameRules:
    """The rules of a secret."""
    return GameRules(rules.digits, rules.symbols, rules.repeats, rules.no_leading or UNSET)


# --- advice -----------------------------------------------------------------------------------------------------------


class Figures(Part):
    """What a guess does, and what it still takes where the policy says so."""

    guess: str
    is_candidate: bool
    cells: Annotated[dict[str, Count], Meta(description="Candidates left after each hint")]
    expected_remaining: Share
    expected_guesses: (
        Annotated[float, Meta(ge=0, description="Guesses still needed on average, this one included")] | UnsetType
    ) = UNSET
    max_guesses: Count | UnsetType | None = UNSET
    proof: Evidence | UnsetType = UNSET


class ItemUse(Part):
    """Which item to play before the guess, if any: what the turn is then worth, and without an item.

    `error` is the standard error of both figures, 0 unless they come from samples.
    """

    play: Item | None
    symbol: str
    place: int
    takes_turn: bool
    measure: UseMeasure
    value: float
    without: float
    error: float


class Suggestion(Figures, kw_only=True):
    """The next guess with its figures, and the next best ones."""

    policy: Annotated[str, Meta(extra_json_schema={"enum": list(POLICIES)})]
    count: Annotated[int, Meta(ge=0, description="Candidates left")]
    secrets: Annotated[int, Meta(description="All weights together, where some are likelier")] | UnsetType = UNSET
    total_guesses: int | UnsetType = UNSET
    sampled: bool
    unproven: Unproven | UnsetType = UNSET
    item: ItemUse | UnsetType = UNSET
    alternatives: list[Figures]


def item_use(shown: ItemAdvice | None) -> ItemUse | UnsetType:
    """Which item to play, where there are any."""
    if shown is None:
        return UNSET
    item, symbol, place = (shown.use.item, shown.use.symbol, shown.use.place) if shown.use else (None, "", 0)
    return ItemUse(item, symbol, place, shown.takes_turn, shown.measure, shown.value, shown.without, shown.error)


def suggestion(shown: advice.Advice, items: ItemAdvice | None = None) -> Suggestion:
    """The next guess with its figures, and the next best ones."""
    proposed = asdict(_figures(shown.proposed))
    outlook, uneven = shown.proposed.outlook, not shown.proposed.even
    if shown.unproven:
        proposed["proof"] = Evidence.HEURISTIC
    return Suggestion(
        **proposed,
        policy=shown.policy,
        count=shown.count,
        secrets=shown.proposed.total if uneven else UNSET,
        total_guesses=outlook.total_guesses if uneven and outlook else UNSET,
        sampled=shown.sampled,
        unproven=shown.unproven or UNSET,
        item=item_use(items),
        alternatives=[_figures(other) for other in shown.alternatives],
    )


def _figures(shown: advice.Figures) -> Figures:
    cells = {str(hint): size for hint, size in shown.cells}
    known, expected = shown.outlook, shown.expected_guesses
    if known is None or expected is None:
        return Figures(shown.guess, shown.is_candidate, cells, shown.expected_remaining)
    proof = Evidence.OPTIMAL if known.proven else Evidence.HEURISTIC
    return Figures(shown.guess, shown.is_candidate, cells, shown.expected_remaining, expected, known.max_guesses, proof)


# --- what can be the secret -------------------------------------------------------------------------------------------


class Candidate(Part):
    """A code that can be the secret."""

    code: str
    probability: Share


class Candidates(Part):
    """What can still be the secret, and the chance of each symbol in each place."""

    count: Count
    candidates: list[Candidate]
    table: dict[str, list[float]]
    by_slips: (
        Annotated[list[Count], Meta(description="How many fit every turn, how many more if one is wrong, and so on")]
        | UnsetType
    ) = UNSET


def candidates(known: knowledge.Knowledge) -> Candidates:
    """What can still be the secret, and the chance of each symbol in each place."""
    return Candidates(
        known.count,
        [Candidate(code, chance) for code, chance in zip(known.codes(), known.chances().tolist(), strict=True)],
        dict(zip(known.rules.symbols, known.table().tolist(), strict=True)),
        list(known.by_slips) if known.slips.most else UNSET,
    )


# --- a game judged ----------------------------------------------------------------------------------------------------


class Judgement(Part):
    """One turn judged; what was not proven is null."""

    turn: str
    count: Count
    left: Count
    played: Figures
    best: Figures
    loss: float | None
    luck: float | None
    chance: float
    rank: float
    bits: float
    expected_bits: float
    proof: Evidence
    unproven: Unproven | UnsetType = UNSET
    told: Annotated[str, Meta(description="the hint of a wrong turn; turn has what the secret answers")] | UnsetType = (
        UNSET
    )


class Review(Part):
    """A game judged; what was not proven is null."""

    turns: list[Judgement]
    later_turns: list[str]
    found: bool
    start_expected_guesses: float | None
    loss: float | None
    luck: float | None
    skill: Annotated[int, Meta(ge=0, le=100, description="100 for best play; null unless every turn is proven")] | None
    luckiness: Annotated[int, Meta(ge=0, le=100, description="50 where hints saved nothing; half a guess saved is 67")]
    next: Suggestion | None


def review(judged: reviews.Review) -> Review:
    """A game judged turn by turn."""
    return filled(
        Review,
        judged,
        turns=[_judgement(turn) for turn in judged.turns],
        later_turns=[str(turn) for turn in judged.later],
        start_expected_guesses=_number(judged.start),
        loss=_number(judged.loss),
        luck=_number(judged.luck),
        next=None if judged.next is None else suggestion(judged.next),
    )


def _judgement(judged: reviews.Judgement) -> Judgement:
    return filled(
        Judgement,
        judged,
        turn=str(judged.turn),
        played=_figures(judged.played),
        best=_figures(judged.best),
        loss=_number(judged.loss),
        luck=_number(judged.luck),
        chance=float(judged.chance),
        rank=float(judged.rank),
        proof=Evidence.HEURISTIC if judged.loss is None else Evidence.OPTIMAL,
        unproven=judged.unproven or UNSET,
    )


def _number(exact: Fraction | None) -> float | None:
    return None if exact is None else float(exact)
