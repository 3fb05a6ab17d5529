"""The documents of strategies of Hit & Blow: their file, what they cost, what was proven of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta
from msgspec.structs import asdict

from yomikiri.documents import UNSET, Count, Part, UnsetType, filled
from yomikiri.documents.hitblow import HINT, GameRules, game_rules
from yomikiri.hitblow.strategy.file import head
from yomikiri.hitblow.strategy.strategy import Evidence, Kind

if TYPE_CHECKING:
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
    cells = [ProofCell(str(cell.hint), cell.codes, cell.lower, cell.upper) for cell in summary.cells]
    known = {"rules": game_rules(summary.rules), "facts": list(summary.facts), "seconds_left": summary.left}
    return filled(StoredProof, summary, **known, cells=cells)


def cost(counted: strategies.Cost) -> Cost:
    """What a strategy costs over all secrets."""
    return filled(Cost, counted, histogram=list(counted.histogram))


def simulations(costs: Mapping[str, strategies.Cost]) -> Simulations:
    """What each policy costs."""
    return Simulations({name: cost(counted) for name, counted in costs.items()})


_PROOFS: dict[Evidence, Literal["optimal", "heuristic"]]
_PROOFS = {Evidence.OPTIMAL: "optimal", Evidence.HEURISTIC: "heuristic"}


def solved(solution: Solution) -> Solved:
    """What a search proved, and what it took."""
    task, found = _task(solution.task), solution.strategy
    ties = UNSET if solution.ties else False
    if found:
        told = {"proof": _PROOFS[found.proof.kind], "lower_bound": found.proof.lower_bound, **asdict(cost(found.cost))}
    else:
        told = dict.fromkeys(("total_guesses", "mean", "max_guesses", "histogram", "lower_bound"))
        told |= {"secrets": sum(1 for _ in solution.task.secrets()), "proof": "impossible"}
    return filled(Solved, solution, *task, **told, ties=ties)


def verified(strategy: Strategy, counted: strategies.Cost) -> Verified:
    """A strategy file that is what it says, by its counted cost."""
    proof = strategy.proof
    figures = {**asdict(cost(counted)), "proof": proof.kind, "lower_bound": proof.lower_bound}
    return Verified(True, *_task(strategy.task), **figures, proof_checked=False)


def _task(task: Task) -> tuple[GameRules, Start, Objective]:
    """A task as it stands in a strategy file, too."""
    part = head(task)
    return GameRules(**part["rules"]), Start(**part["start"]), Objective(**part["objective"])
