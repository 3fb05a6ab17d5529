"""JSON documents of strategies of Hit & Blow: the strategy file, its cost, and its proof."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from msgspec import Meta
from msgspec.structs import asdict

from yomikiri.api.results import UNSET, Count, Document, UnsetType
from yomikiri.api.results_hitblow import GameRules
from yomikiri.hitblow.strategy.file import head
from yomikiri.hitblow.strategy.strategy import Criterion, Evidence, Support

if TYPE_CHECKING:
    from yomikiri.hitblow.certificate.checker import CertificateGame
    from yomikiri.hitblow.search.proof.summary import Summary
    from yomikiri.hitblow.search.solution import Solution
    from yomikiri.hitblow.strategy.strategy import Cost, Strategy, Task


class Start(Document):
    """The knowledge before the first guess.

    `turns` contains the turns at the beginning. `facts` contains all pieces of knowledge after them, from the first one
    that is not a turn, such as the result of a Numer0n item. `facts` is missing if there is no such knowledge.
    """

    absent: str
    turns: list[str]
    facts: list[str] | UnsetType = UNSET
    weights: dict[str, int] | UnsetType = UNSET


class ObjectiveJson(Document):
    """The objective of a strategy: the cost to minimise, and restrictions.

    `within` is the maximum number of guesses for any secret, or null. If `consistent`, every guess must be a candidate.
    """

    kind: Criterion
    within: int | None
    consistent: bool


class CostJson(Document):
    """The cost of a strategy over all secrets. `histogram` is the number of secrets found at guess 1, 2, 3, ..."""

    secrets: Count
    total_guesses: Count
    mean: float
    max_guesses: Count
    histogram: list[Count]


class FileCost(Document):
    """The cost of a strategy as its file states it, in whole numbers only.

    `histogram` contains the number of secrets found at guess 1, 2, 3, ...
    """

    secrets: Count
    total_guesses: Count
    max_guesses: Count
    histogram: list[Count]


class FileProof(Document):
    """The claim of a strategy file that no strategy costs less than `lower_bound`.

    `kind` says whether the strategy of the file is proven optimal. `evidence` says how: by a certificate that a checker
    accepted, or by a search. It is `best known` if the strategy is not proven optimal.
    """

    kind: Evidence
    lower_bound: Count
    evidence: Support | UnsetType = UNSET


class NodeJson(Document):
    """A guess, and the next node for each answer. `on` is missing if the guess is the only secret left."""

    guess: str
    on: dict[Annotated[str, Meta(pattern="^[0-9]+H[0-9]+B$")], NodeJson] | UnsetType = UNSET


class StrategyFile(Document):
    """A strategy file. Its description is in docs/reference/strategy-files.md.

    `strategy.file` reads such files, and checks more than this schema.
    """

    format: Literal["yomikiri-strategy"]
    version: Literal[1, 2]
    rules: GameRules
    start: Start
    objective: ObjectiveJson
    cost: FileCost
    proof: FileProof
    tree: NodeJson


class Simulations(Document):
    """The cost of each policy."""

    policies: dict[str, CostJson]

    @classmethod
    def of(cls, source: Mapping[str, Cost]) -> Self:
        return cls({name: CostJson.of(cost) for name, cost in source.items()})


class SolvedJson(Document):
    """The result of a search, and its effort. The figures of the strategy are null if no strategy exists.

    `ties` is false if tie-breaks were not requested, and is missing otherwise.
    """

    rules: GameRules
    start: Start
    objective: ObjectiveJson
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

    @classmethod
    def of(cls, source: tuple[Solution, bool]) -> Self:
        solution, _stopped = source
        values = _task(solution.task) | {"ties": UNSET if solution.ties else False}
        if solution.strategy:
            return cls.filled(solution, **values, **_claims(solution.strategy))
        values |= dict.fromkeys(("total_guesses", "mean", "max_guesses", "histogram", "lower_bound"))
        secrets = sum(1 for _ in solution.task.secrets())
        return cls.filled(solution, **values, secrets=secrets, proof="impossible", evidence=Support.PROVEN)


class Verified(Document):
    """A strategy file whose claims are correct.

    `proof_checked` is true if a certificate of the lower bound was accepted.
    """

    valid: Literal[True]
    rules: GameRules
    start: Start
    objective: ObjectiveJson
    secrets: Count
    total_guesses: Count
    mean: float
    max_guesses: Count
    histogram: list[Count]
    proof: Evidence
    evidence: Support
    lower_bound: Count
    proof_checked: bool

    @classmethod
    def of(cls, source: Strategy, *, checked: bool = False) -> Self:
        """Build the document of a verified strategy. `checked` is True if a certificate of its bound was accepted."""
        values = _task(source.task) | _claims(source)
        if checked:
            values["evidence"] = Support.CHECKED
        return cls(True, **values, proof_checked=checked)


class Unverified(Document):
    """A strategy file whose claims are wrong."""

    valid: Literal[False]
    error: str


class ProofCell(Document):
    """The candidates that give one answer to the first guess of a stored proof.

    `codes` is the number of these candidates. `lower` and `upper` are bounds of the least number of guesses after the
    first one, added up over these candidates. `upper` is null if no strategy is known.
    """

    hint: str
    codes: Count
    lower: Count
    upper: Count | None


class StoredProof(Document):
    """The progress of a proof that is stored in a file. Null means that a value is not known.

    A tie-break is the search, among the strategies with the least total, for one that is best by other criteria. `ties`
    is null if no tie-break has begun. Otherwise `ties` is true if the last tie-break is proven.

    `answers` is the number of results of workers. `share` is an estimate of the part of the proof that is done, from 0
    to 1. `seconds` is the CPU time of all results so far, and `seconds_left` an estimate of the remaining CPU time.
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

    @classmethod
    def of(cls, source: Summary) -> Self:
        unproven = Support.BOUND if source.upper is None else Support.BEST_KNOWN
        return cls.filled(source, evidence=Support.PROVEN if source.proven else unproven, seconds_left=source.left)


class Accepted(Document):
    """An accepted certificate: no strategy of this game takes fewer guesses.

    Each symbol is written as its 0-based index. `lemmas` is the number of bounds that the certificate states for sets
    of secrets. `leaves` is the number of bounds with a short proof: for one set of secrets, the checker computes how
    each guess splits this set.
    """

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

    @classmethod
    def of(cls, source: CertificateGame) -> Self:
        return cls.filled(
            source,
            accepted=True,
            evidence=Support.CHECKED,
            digits=source.p,
            symbols=source.q,
            absent=source.absent.strip("-"),
            secrets=len(source.own),
            total_guesses=source.total,
        )


class NotAccepted(Document):
    """A rejected certificate. `accepted` is null if the check stopped before a decision."""

    accepted: Literal[False] | None
    error: str


def _task(task: Task) -> dict[str, Any]:
    """Return the rules, the start and the objective of a task as documents, as in a strategy file."""
    part = head(task)
    kinds = {"rules": GameRules, "start": Start, "objective": ObjectiveJson}
    return {name: kind(**part[name]) for name, kind in kinds.items()}


def _claims(strategy: Strategy) -> dict[str, Any]:
    """Return the fields on the cost of a strategy, and on the evidence that no strategy has a smaller total."""
    proof = strategy.proof
    cost = asdict(CostJson.of(strategy.cost))
    return cost | {"proof": proof.kind, "evidence": proof.evidence, "lower_bound": proof.lower_bound}
