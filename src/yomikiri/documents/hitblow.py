"""The documents of Hit & Blow on one board: advice, candidates, a review, and what strategies cost."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta
from msgspec.structs import asdict

from yomikiri.documents import UNSET, Count, Part, Share, UnsetType
from yomikiri.hitblow.items import Item, Measure
from yomikiri.hitblow.policies import POLICIES
from yomikiri.hitblow.policies.base import Unproven
from yomikiri.hitblow.rules import Repeats
from yomikiri.hitblow.strategy.file import head
from yomikiri.hitblow.strategy.strategy import Evidence, Kind

if TYPE_CHECKING:
    from yomikiri.hitblow import advice, knowledge, rules
    from yomikiri.hitblow import judgement as reviews
    from yomikiri.hitblow.items import ItemAdvice
    from yomikiri.hitblow.search.proof.summary import Summary
    from yomikiri.hitblow.search.solve import Solution
    from yomikiri.hitblow.strategy import strategy as strategies
    from yomikiri.hitblow.strategy.strategy import Strategy, Task

HINT = "^[0-9]+H[0-9]+B$"

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
    """Which item to play before the guess, if any: what the turn is then worth, and without an item."""

    play: Item | None
    symbol: str
    place: int
    takes_turn: bool
    measure: Measure
    value: float
    without: float


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
    return ItemUse(item, symbol, place, shown.takes_turn, shown.measure, shown.value, shown.without)


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


class Review(Part):
    """A game judged; what was not proven is null."""

    turns: list[Judgement]
    later_turns: list[str]
    found: bool
    start_expected_guesses: float | None
    loss: float | None
    luck: float | None
    skill: Annotated[int, Meta(ge=0, le=100, description="100 for best play; null unless every turn is proven")] | None
    luckiness: Annotated[int, Meta(ge=0, le=100, description="50 on average, by how likely better hints were")]
    next: Suggestion | None


def review(judged: reviews.Review) -> Review:
    """A game judged turn by turn."""
    return Review(
        [_judgement(turn) for turn in judged.turns],
        [str(turn) for turn in judged.later],
        judged.found,
        _number(judged.start),
        _number(judged.loss),
        _number(judged.luck),
        judged.skill,
        judged.luckiness,
        None if judged.next is None else suggestion(judged.next),
    )


def _judgement(judged: reviews.Judgement) -> Judgement:
    return Judgement(
        turn=str(judged.turn),
        count=judged.count,
        left=judged.left,
        played=_figures(judged.played),
        best=_figures(judged.best),
        loss=_number(judged.loss),
        luck=_number(judged.luck),
        chance=float(judged.chance),
        rank=float(judged.rank),
        bits=judged.bits,
        expected_bits=judged.expected_bits,
        proof=Evidence.HEURISTIC if judged.loss is None else Evidence.OPTIMAL,
        unproven=judged.unproven or UNSET,
    )


def _number(exact: Fraction | None) -> float | None:
    return None if exact is None else float(exact)


# --- strategies -------------------------------------------------------------------------------------------------------


class GameRules(Part):
    """The rules of a secret."""

    digits: int
    symbols: str
    repeats: Repeats
    no_leading: str | UnsetType = UNSET


class Start(Part):
    """What is known before the first guess: `facts` go on where the turns end, if anything else is known."""

    absent: str
    turns: list[str]
    facts: list[str] | UnsetType = UNSET
    weights: dict[str, int] | UnsetType = UNSET


class Objective(Part):
    """What a strategy is for."""

    kind: Kind
    within: int | None
    consistent: bool


class Cost(Part):
    """What a strategy costs over all secrets."""

    secrets: Count
    total_guesses: Count
    mean: float
    max_guesses: Count
    histogram: list[Count]


class FileCost(Part):
    """The cost of a strategy, as its file has it: whole numbers alone."""

    secrets: Count
    total_guesses: Count
    max_guesses: Count
    histogram: list[Count]


class FileProof(Part):
    """How sure it is that no strategy costs less."""

    kind: Evidence
    lower_bound: Count


class Node(Part):
    """A guess, and what follows after each of its hints; the winning one has nothing below it."""

    guess: str
    on: dict[Annotated[str, Meta(pattern=HINT)], Node] | UnsetType = UNSET


class StrategyFile(Part):
    """A strategy file; docs/strategy-files.md describes it, and `strategy.file` reads it with more care."""

    format: Literal["yomikiri-strategy"]
    version: Literal[1]
    rules: GameRules
    start: Start
    objective: Objective
    cost: FileCost
    proof: FileProof
    tree: Node


class Simulations(Part):
    """What each policy costs."""

    policies: dict[str, Cost]


class Solved(Part):
    """What a search proved, and what it took; null stands for figures of a strategy that there is not.

    `ties` is false where only the total was asked for, and left out otherwise.
    """

    rules: GameRules
    start: Start
    objective: Objective
    secrets: Count
    total_guesses: Count | None
    mean: float | None
    max_guesses: Count | None
    histogram: list[Count] | None
    proof: Literal["optimal", "heuristic", "impossible"]
    lower_bound: Count | None
    nodes: Count
    cpu_seconds: float
    tie_break_cpu_seconds: float
    ties: bool | UnsetType = UNSET


class Verified(Part):
    """A strategy file that is what it says; that nothing costs less is not checked."""

    valid: Literal[True]
    rules: GameRules
    start: Start
    objective: Objective
    secrets: Count
    total_guesses: Count
    mean: float
    max_guesses: Count
    histogram: list[Count]
    proof: Evidence
    lower_bound: Count
    proof_checked: Literal[False]


class Unverified(Part):
    """A strategy file that is not what it says."""

    valid: Literal[False]
    error: str


class ProofCell(Part):
    """A cell of the first guess of a kept proof; null where no strategy is known."""

    hint: str
    codes: Count
    lower: Count
    upper: Count | None


class StoredProof(Part):
    """What a kept proof has found; null stands for what is not known.

    `ties` says whether the tie-breaks are settled as far as they were asked for; `share` is roughly how much of the
    proof is done, `seconds` what all answers took, and `seconds_left` what is still to come at that rate.
    """

    rules: GameRules
    absent: str
    facts: list[str]
    consistent: bool
    proven: bool
    lower: Count
    upper: Count | None
    ties: bool | None
    guess: str
    cells: list[ProofCell]
    answers: Count
    nodes: Count
    seconds: float
    workers: Count
    share: float | None
    seconds_left: float | None


def stored_proof(summary: Summary) -> StoredProof:
    """What a kept proof has found."""
    return StoredProof(
        game_rules(summary.rules),
        summary.absent,
        list(summary.facts),
        summary.consistent,
        summary.proven,
        summary.lower,
        summary.upper,
        summary.ties,
        summary.guess,
        [ProofCell(str(cell.hint), cell.codes, cell.lower, cell.upper) for cell in summary.cells],
        summary.answers,
        summary.nodes,
        summary.seconds,
        summary.workers,
        summary.share,
        summary.left,
    )


def cost(counted: strategies.Cost) -> Cost:
    """What a strategy costs over all secrets."""
    return Cost(counted.secrets, counted.total_guesses, counted.mean, counted.max_guesses, list(counted.histogram))


def simulations(costs: Mapping[str, strategies.Cost]) -> Simulations:
    """What each policy costs."""
    return Simulations({name: cost(counted) for name, counted in costs.items()})


_PROOFS: dict[Evidence, Literal["optimal", "heuristic"]]
_PROOFS = {Evidence.OPTIMAL: "optimal", Evidence.HEURISTIC: "heuristic"}


def solved(solution: Solution) -> Solved:
    """What a search proved, and what it took."""
    found = solution.strategy
    counted = found.cost if found else None
    return Solved(
        *_task(solution.task),
        secrets=counted.secrets if counted else sum(1 for _ in solution.task.secrets()),
        total_guesses=counted.total_guesses if counted else None,
        mean=counted.mean if counted else None,
        max_guesses=counted.max_guesses if counted else None,
        histogram=list(counted.histogram) if counted else None,
        proof=_PROOFS[found.proof.kind] if found else "impossible",
        lower_bound=found.proof.lower_bound if found else None,
        nodes=solution.nodes,
        cpu_seconds=solution.cpu_seconds,
        tie_break_cpu_seconds=solution.tie_break_cpu_seconds,
        ties=UNSET if solution.ties else False,
    )


def verified(strategy: Strategy, counted: strategies.Cost) -> Verified:
    """A strategy file that is what it says, by its counted cost."""
    return Verified(
        True,
        *_task(strategy.task),
        secrets=counted.secrets,
        total_guesses=counted.total_guesses,
        mean=counted.mean,
        max_guesses=counted.max_guesses,
        histogram=list(counted.histogram),
        proof=strategy.proof.kind,
        lower_bound=strategy.proof.lower_bound,
        proof_checked=False,
    )


def game_rules(rules: rules.Rules) -> GameRules:
    """The rules of a secret."""
    return GameRules(rules.digits, rules.symbols, rules.repeats, rules.no_leading or UNSET)


def _task(task: Task) -> tuple[GameRules, Start, Objective]:
    """A task as it stands in a strategy file, too."""
    part = head(task)
    return GameRules(**part["rules"]), Start(**part["start"]), Objective(**part["objective"])
