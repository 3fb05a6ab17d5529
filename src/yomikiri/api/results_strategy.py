"""The documents of strategies of Hit & Blow: their file, what they cost, what was proven of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import asdict

from yomikiri.api.results import UNSET, Count, Part, UnsetType, filled
from yomikiri.api.results_hitblow import HINT, GameRules, game_rules
from yomikiri.hitblow.strategy.file import head
from yomikiri.hitblow.strategy.strategy import Criterion, Evidence, Support

if TYPE_CHECKING:
    from yomikiri.hitblow.certificate.checker import Game
    from yomikiri.hitblow.search.proof.summary import Summary
    from yomikiri.hitblow.search.solution import Solution
    from yomikiri.hitblow.strategy import strategy as strategies
    from yomikiri.hitblow.strategy.strategy import Strategy, Task


class Start(Part):
    """What is known before the first guess: `facts` go on where the turns end, if anything else is known."""

    absent: str
    turns: list[str]
    facts: list[str] | UnsetType = UNSET
    weights: dict[str, int] | UnsetType = UNSET


class Objective(Part):
    """What a strategy is for."""

    kind: Criterion
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
    evidence: Support | UnsetType = UNSET


class Node(Part):
    """A guess, and what follows after each of its hints; the winning one has nothing below it."""

    guess: str
    on: dict[Annotated[str, Meta(pattern=HINT)], Node] | UnsetType = UNSET


class StrategyFile(Part):
    """A strategy file; strategy-files.md describes it, and `strategy.file` reads it with more care."""

    format: Literal["yomikiri-strategy"]
    version: Literal[1, 2]
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
    evidence: Support
    lower_bound: Count | None
    nodes: Count
    cpu_seconds: float
    tie_break_cpu_seconds: float
    ties: bool | UnsetType = UNSET


class Verified(Part):
    """A strategy file that is what it says; that nothing costs less is checked where a certificate was given."""

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
    evidence: Support
    lower_bound: Count
    proof_checked: bool


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
    evidence: Support
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
    cells = [ProofCell(str(cell.hint), cell.codes, cell.lower, cell.upper) for cell in summary.cells]
    known = {"rules": game_rules(summary.rules), "facts": list(summary.facts), "seconds_left": summary.left}
    unproven = Support.BEST_KNOWN if summary.upper is not None else Support.BOUND
    evidence = Support.PROVEN if summary.proven else unproven
    return filled(StoredProof, summary, **known, evidence=evidence, cells=cells)


def cost(counted: strategies.Cost) -> Cost:
    """What a strategy costs over all secrets."""
    return filled(Cost, counted, histogram=list(counted.histogram))


def simulations(costs: Mapping[str, strategies.Cost]) -> Simulations:
    """What each policy costs."""
    return Simulations({name: cost(counted) for name, counted in costs.items()})


def solved(solution: Solution) -> Solved:
    """What a search proved, and what it took."""
    task, found = _task(solution.task), solution.strategy
    ties = UNSET if solution.ties else False
    if found:
        told: dict[str, Any] = {"proof": found.proof.kind, "evidence": found.proof.evidence}
        told |= {"lower_bound": found.proof.lower_bound, **asdict(cost(found.cost))}
    else:
        told = dict.fromkeys(("total_guesses", "mean", "max_guesses", "histogram", "lower_bound"))
        told |= {"secrets": sum(1 for _ in solution.task.secrets()), "proof": "impossible"}
        told["evidence"] = Support.PROVEN
    return filled(Solved, solution, *task, **told, ties=ties)


def verified(strategy: Strategy, counted: strategies.Cost, *, checked: bool = False) -> Verified:
    """A strategy file that is what it says, by its counted cost; and whether its bound was checked."""
    proof = strategy.proof
    evidence = Support.CHECKED if checked else proof.evidence
    figures = {**asdict(cost(counted)), "proof": proof.kind, "evidence": evidence, "lower_bound": proof.lower_bound}
    return Verified(True, *_task(strategy.task), **figures, proof_checked=checked)


class Accepted(Part):
    """A certificate that was accepted: no strategy of this game takes less; symbols are told by their number."""

    accepted: Literal[True]
    evidence: Support
    digits: Count
    symbols: Count
    repeats: str
    absent: str
    turns: list[str]
    secrets: Count
    total_guesses: Count
    lemmas: Count
    leaves: Count


class NotAccepted(Part):
    """A certificate that was rejected, or null where that was not decided in time."""

    accepted: Literal[False] | None
    error: str


def accepted(game: Game) -> Accepted:
    """A certificate that was accepted."""
    told = game.p, game.q, game.repeats, game.absent.strip("-"), game.turns, len(game.own), game.total
    return Accepted(True, Support.CHECKED, *told, game.lemmas, game.leaves)


def _task(task: Task) -> tuple[GameRules, Start, Objective]:
    """A task as it stands in a strategy file, too."""
    part = head(task)
    return GameRules(**part["rules"]), Start(**part["start"]), Objective(**part["objective"])
