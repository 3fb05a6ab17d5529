"""The parts of a proof: cells, first guesses, probes of large cells, and work items.

- A *cell* is a set of candidates, given by its turns.
- A *probe* is a sequence of short searches of a large cell: from above (beam searches for better strategies), or from
  below (searches that raise the lower bound).
- A *work item* is work that can be done next.
- A cell or guess is *split* if its parts get tasks instead of the whole.
- A part is *pending* while a task works on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.search.proof.probes import BEAM_WIDTHS, ProbeStep
from yomikiri.hitblow.search.proof.task import ProofTask
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import CanonicalTurns

WHOLE = 200  # limit on the codes of a cell that is not split, because trying its guesses is faster than making tasks
_LONGER = 2.5  # Each search of a large cell is expected to take this many times as long as the search before it.
_CUT = 4  # A search of a large cell ends at this multiple of its expected time, even if it is not finished.
# The expected gain of the next search is that of the last one, plus this fraction of the gap between the bounds.
_HOPED = 0.01
_FIRST = 1.0  # least time for a step that raises the lower bound of a large cell, in seconds; later steps take longer
_BEGUN = 2  # If a strategy is known for a cell, its beam searches begin with this index of `BEAM_WIDTHS` instead of 0.


@dataclass(slots=True, eq=False)
class CellNode:
    """A cell in the proof: its number of codes, bounds of its cost, and the guesses at it (`choices`).

    `choices` contains every guess to try whose lower bound is below `listed`. `above` contains the guesses of which
    this is a cell. `name` contains the canonical turns, which are the same for equivalent cells.
    """

    subproblem: Subproblem  # cell as a subproblem, without an upper bound
    name: CanonicalTurns
    size: int
    lower: int
    upper: int = IMPOSSIBLE
    best: str = ""  # first guess whose cost is `upper`, or ""
    split: bool = False
    pending: int = 0  # number of tasks that work on the cell
    listed: int = 0
    choices: list[GuessNode] = field(default_factory=list)
    above: list[GuessNode] = field(default_factory=list)

    @property
    def exact(self) -> bool:
        """True if the cost of the cell is proven: the lower and the upper bound are equal."""
        return self.lower == self.upper

    def is_open(self, target: int) -> bool:
        """Return True if the cell still needs work: its cost is not proven and may be below `target`."""
        return self.lower < min(target, self.upper)


@dataclass(slots=True, eq=False)
class GuessNode:
    """A first guess at a cell: bounds of its cost, and its cells once it is split."""

    owner: CellNode
    guess: str
    lower: int
    upper: int = IMPOSSIBLE
    pending: int = 0
    largest: int = 0  # number of codes of the largest cell; 0 if it is not computed yet
    cells: list[CellNode] = field(default_factory=list)
    windows: list[int] = field(default_factory=list)  # cost up to which each cell is searched now

    @property
    def split(self) -> bool:
        """True if the cells of the guess get tasks, instead of the guess itself."""
        return bool(self.cells)

    def is_open(self, target: int) -> bool:
        """Return True if the guess is not split, its cost is not proven, and this cost may be below `target`."""
        return not self.split and self.lower < min(target, self.upper)


@dataclass(slots=True, eq=False)
class CellProbe:
    """A probe of a large cell: a sequence of short searches (steps) that tighten one bound of its cost.

    If `above`, the steps are beam searches, which lower the upper bound. Otherwise they raise the lower bound. `number`
    is the index (from 0) of the next step. `seconds` is the time that the last step took, and `gained` is how far this
    step moved the bound. `pending` is the number of tasks in progress for this probe.
    """

    cell: CellNode
    above: bool
    number: int = 0
    seconds: float = 0.0
    gained: int = 0
    pending: int = 0

    @property
    def is_over(self) -> bool:
        """True if the probe, a sequence of short searches, has no search left."""
        return self.cell.exact or (self.above and self.number >= len(BEAM_WIDTHS))

    @property
    def is_first_beam(self) -> bool:
        """True if the next step is the first beam search of a cell without a known strategy."""
        return self.above and self.number == 0

    @property
    def seconds_needed(self) -> float:
        """The estimated time of the next short search, in seconds; 0 if there is no estimate."""
        return _LONGER * self.seconds

    @property
    def gain_rate(self) -> float:
        """The expected gain per second of the next short search, estimated from the last one."""
        hoped = self.gained + _HOPED * (self.cell.upper - self.cell.lower)
        return hoped / self.seconds_needed if self.seconds_needed else inf

    @property
    def step(self) -> ProbeStep:
        """The next short search of the large cell: a beam search for a strategy, or one that raises the lower bound."""
        return ProbeStep(self.number) if self.above else ProbeStep(None, self.cell.lower, max(_FIRST, self.seconds))

    def took(self, seconds: float, gained: int) -> None:
        """Record the time and the gain of the short search that has ended."""
        self.number, self.seconds, self.gained = self.number + 1, seconds, gained


def probes_from_above(cells: Iterable[CellNode]) -> list[CellProbe]:
    """Return a probe from above, which is a sequence of beam searches, for each large cell."""
    return [CellProbe(cell, True, _BEGUN if cell.upper < IMPOSSIBLE else 0) for cell in _large(cells)]


def probes_from_below(cells: Iterable[CellNode]) -> list[CellProbe]:
    """Return a probe from below, which is a sequence of searches that raise the lower bound, for each large cell."""
    return [CellProbe(cell, False) for cell in _large(cells)]


def _large(cells: Iterable[CellNode]) -> list[CellNode]:
    return sorted((cell for cell in cells if cell.size > WHOLE and not cell.exact), key=lambda cell: -cell.size)


@dataclass(frozen=True, slots=True)
class WorkItem:
    """Work that can be done next: a cell, some guesses at a cell (`choices`), or one short search of a large cell.

    The work looks for costs below `target`, the cost to beat.
    """

    cell: CellNode
    choices: tuple[GuessNode, ...]
    target: int
    probe: CellProbe | None = None

    @property
    def parts(self) -> Sequence[CellNode | GuessNode | CellProbe]:
        """The parts of the proof on which this work item works: guesses, a sequence of short searches, or a cell."""
        return self.choices or (self.probe or self.cell,)

    @property
    def first(self) -> CellNode | GuessNode:
        """The cell to work on, or the first of the guesses if the work is limited to some guesses."""
        return self.choices[0] if self.choices else self.cell

    @property
    def subproblem(self) -> Subproblem:
        """The subproblem of the cell, with the target as its upper bound.

        A search of it looks only for a cost below the target.
        """
        return replace(self.cell.subproblem, upper=self.target)

    @property
    def guesses(self) -> tuple[str, ...]:
        """The first guesses to which the work is limited; empty if all guesses are allowed."""
        return tuple(choice.guess for choice in self.choices)

    def as_task(self, seconds: float, memory: int) -> ProofTask:
        """Return the task for a worker, which may take `seconds` of computing.

        If the work is a short search of a large cell (a step of a probe), `seconds` is ignored. The task may then take
        several times the expected time of the search, or any time if there is no estimate.
        """
        if self.probe:
            return ProofTask(
                self.subproblem, seconds=_CUT * self.probe.seconds_needed or inf, memory=memory, step=self.probe.step
            )
        return ProofTask(self.subproblem, self.guesses, seconds, memory)

    def refreshed(self) -> WorkItem | None:
        """Return the work item without the parts that are solved, or that other tasks work on by now.

        Returns None if no part is left.
        """
        target = min(self.target, self.cell.upper)
        if self.choices:
            choices = tuple(choice for choice in self.choices if choice.is_open(target) and not choice.pending)
            return replace(self, choices=choices, target=target) if choices else None
        part = self.probe or self.cell
        wanted = not self.probe.is_over if self.probe else self.cell.is_open(target)
        return replace(self, target=target) if wanted and not part.pending else None

    @property
    def can_be_split(self) -> bool:
        """True if the work may be too much for one task, so that its cell or guess may have to be split."""
        if self.probe or self.cell.subproblem.count is Count.NOTHING or self.cell.size <= WHOLE:
            return False
        return self.cell.subproblem.limit is None or self.cell.subproblem.limit > 2
