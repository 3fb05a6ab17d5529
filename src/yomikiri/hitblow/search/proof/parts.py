"""What a proof is made of, and what may be asked: cells, first guesses, rough looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from yomikiri.hitblow.search.proof.probes import BEAM_WIDTHS, ProbeStep
from yomikiri.hitblow.search.proof.task import ProofTask
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import CanonicalTurns

WHOLE = 200  # cells of so few codes are never split: their guesses are quicker tried than asked about
_LONGER = 2.5  # times as long as the one before a step at a large cell is expected to take
_CUT = 4  # times as long it may take
_HOPED = 0.01  # of the gap of a cell a step may close even if the one before closed nothing
_FIRST = 1.0  # seconds of the first step from below
_BEGUN = 2  # the first beam for a cell of which a strategy is known


@dataclass(slots=True, eq=False)
class CellNode:
    """The codes that some turns leave. Bounds of their cost, and the guesses whose bounds are below `listed`."""

    subproblem: Subproblem  # without an upper bound
    name: CanonicalTurns
    size: int
    lower: int
    upper: int = IMPOSSIBLE
    best: str = ""  # a first guess that attains `upper`, where one is known
    split: bool = False
    pending: int = 0  # questions about it that are not answered yet
    listed: int = 0
    choices: list[GuessNode] = field(default_factory=list)
    above: list[GuessNode] = field(default_factory=list)

    @property
    def exact(self) -> bool:
        """Whether its cost is known."""
        return self.lower == self.upper

    def is_open(self, target: int) -> bool:
        """Whether it is not known yet if it costs less than that, or what."""
        return self.lower < min(target, self.upper)


@dataclass(slots=True, eq=False)
class GuessNode:
    """A first guess for a cell, bounds of what it costs, and the cells that it leaves once it is split."""

    owner: CellNode
    guess: str
    lower: int
    upper: int = IMPOSSIBLE
    pending: int = 0
    largest: int = 0  # codes of its largest cell, once they were counted
    cells: list[CellNode] = field(default_factory=list)
    windows: list[int] = field(default_factory=list)  # what each of them is asked in this round

    @property
    def split(self) -> bool:
        """Whether its cells are asked about instead."""
        return bool(self.cells)

    def is_open(self, target: int) -> bool:
        """Whether it is not known yet if its owner costs less than that by it, or what; nor are its cells asked about
        instead."""
        return not self.split and self.lower < min(target, self.upper)


@dataclass(slots=True, eq=False)
class CellProbe:
    """A large cell as it is looked at roughly from one side, in steps: the number of the next one, and how long the
    last one took and how much closer it brought the bounds."""

    cell: CellNode
    above: bool
    number: int = 0
    seconds: float = 0.0
    gained: int = 0
    pending: int = 0

    @property
    def is_over(self) -> bool:
        """Whether there is no next step."""
        return self.cell.exact or (self.above and self.number >= len(BEAM_WIDTHS))

    @property
    def is_first_beam(self) -> bool:
        """Whether the next step is the first beam at a cell of which no strategy is known."""
        return self.above and self.number == 0

    @property
    def seconds_needed(self) -> float:
        """About how many seconds the next step takes, 0 if nobody can tell."""
        return _LONGER * self.seconds

    @property
    def gain_rate(self) -> float:
        """What the next step is expected to gain in a second: as much as the last one, which took less time."""
        hoped = self.gained + _HOPED * (self.cell.upper - self.cell.lower)
        return hoped / self.seconds_needed if self.seconds_needed else inf

    @property
    def step(self) -> ProbeStep:
        """The next step."""
        return ProbeStep(self.number) if self.above else ProbeStep(None, self.cell.lower, max(_FIRST, self.seconds))

    def took(self, seconds: float, gained: int) -> None:
        """The next step was taken."""
        self.number, self.seconds, self.gained = self.number + 1, seconds, gained


def probes_from_above(cells: Iterable[CellNode]) -> list[CellProbe]:
    """Rough looks from above at those cells that are large."""
    return [CellProbe(cell, True, _BEGUN if cell.upper < IMPOSSIBLE else 0) for cell in _large(cells)]


def probes_from_below(cells: Iterable[CellNode]) -> list[CellProbe]:
    """Rough looks from below at those cells that are large."""
    return [CellProbe(cell, False) for cell in _large(cells)]


def _large(cells: Iterable[CellNode]) -> list[CellNode]:
    return sorted((cell for cell in cells if cell.size > WHOLE and not cell.exact), key=lambda cell: -cell.size)


@dataclass(frozen=True, slots=True)
class WorkItem:
    """What may be asked now: about a cell, or about some of its guesses; or the next step of a rough look at a cell."""

    cell: CellNode
    choices: tuple[GuessNode, ...]
    target: int
    probe: CellProbe | None = None

    @property
    def parts(self) -> Sequence[CellNode | GuessNode | CellProbe]:
        """What it is about."""
        return self.choices or (self.probe or self.cell,)

    @property
    def first(self) -> CellNode | GuessNode:
        """The cell, or the first of its guesses."""
        return self.choices[0] if self.choices else self.cell

    @property
    def subproblem(self) -> Subproblem:
        """The cell with its target."""
        return replace(self.cell.subproblem, upper=self.target)

    @property
    def guesses(self) -> tuple[str, ...]:
        """The first guesses, if any are given."""
        return tuple(choice.guess for choice in self.choices)

    def as_task(self, seconds: float, memory: int) -> ProofTask:
        """It as it is asked, of one who may take so many seconds; a step takes what it needs."""
        if self.probe:
            return ProofTask(
                self.subproblem, seconds=_CUT * self.probe.seconds_needed or inf, memory=memory, step=self.probe.step
            )
        return ProofTask(self.subproblem, self.guesses, seconds, memory)

    def refreshed(self) -> WorkItem | None:
        """The same without what is known by now, or asked already; None if nothing is left."""
        target = min(self.target, self.cell.upper)
        if self.choices:
            choices = tuple(choice for choice in self.choices if choice.is_open(target) and not choice.pending)
            return replace(self, choices=choices, target=target) if choices else None
        part = self.probe or self.cell
        wanted = not self.probe.is_over if self.probe else self.cell.is_open(target)
        return replace(self, target=target) if wanted and not part.pending else None

    @property
    def can_be_split(self) -> bool:
        """Whether it is more than one question can be asked to answer."""
        if self.probe or self.cell.subproblem.count is Count.NOTHING or self.cell.size <= WHOLE:
            return False
        return self.cell.subproblem.limit is None or self.cell.subproblem.limit > 2
