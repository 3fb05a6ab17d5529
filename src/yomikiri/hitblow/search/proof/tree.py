"""A parallel branch-and-bound proof: a tree of cells and first guesses with bounds, and the work that can be done now.

- A cell is *open* for a target if its cost is not proven and may be below the target.
- A *task* is a unit of work for one worker (`task`). A small cell is one task.
- A larger cell is *split* into its first guesses. These are divided into tasks, a few for each worker. A guess that is
  too much for one task is split into its cells.

The bounds determine the work and its targets:

- At a cell, the tasks search the guesses whose lower bound is below the target and below the best known cost. If no
  cost is known, and there are several workers or the guesses have large cells, they search only the most promising
  guess.
- At a guess, the tasks search its cells in rounds. In each round, a cell is searched up to a limit on its cost, its
  *child window*.

Every result is valid by itself, so the proof never waits for one. Bounds that arrive late, or twice, tighten the bounds
or change nothing. Cells that are equivalent under a symmetry, or by the order of their turns, are one node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil, sqrt
from typing import NamedTuple

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof.bound_table import NO_EFFORT, BoundKey, BoundTable, CostBounds, contradiction
from yomikiri.hitblow.search.proof.parts import (
    CellNode,
    CellProbe,
    GuessNode,
    WorkItem,
    probes_from_above,
    probes_from_below,
)
from yomikiri.hitblow.search.proof.probes import promising, typical_costs
from yomikiri.hitblow.search.proof.task import TaskResult
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns

SPLIT = 2000  # A cell of at most this number of codes is first tried as one task. A larger one is split at once.
BATCHES_PER_WORKER = 4  # The guesses at a cell are divided into this number of tasks for each worker.


class _Demand(NamedTuple):
    """A request for work.

    `among` is the number of workers that share the work. If `eager` is True, the result includes work that may turn out
    to be useless.
    """

    among: int
    eager: bool


class ProofTree:
    """The proof of the least cost of a subproblem, if that cost is below the upper bound of the subproblem.

    `engine` lists guesses and divides cells, but solves nothing. The tree reads the bounds of cells from `bound_table`,
    and writes every tighter bound to it. Listing the guesses of a large cell takes seconds, so `open` and `probe` raise
    `Stopped` if `budget` is exhausted.
    """

    def __init__(
        self, engine: SearchEngine, subproblem: Subproblem, bound_table: BoundTable, budget: Budget = UNLIMITED
    ) -> None:
        self._engine, self._bound_table, self._budget = engine, bound_table, budget
        self._cells: dict[tuple[Turn, ...], CellNode] = {}
        self._changes = 0  # number of times that a bound was tightened
        self.target = subproblem.upper
        self._probed: GuessNode | None = None  # first guess whose cells get beam searches
        # beam searches of large cells; None before the first call of `probe`
        self._above: list[CellProbe] | None = None
        self._below: dict[GuessNode, list[CellProbe]] = {}
        self._longest_probe = 0.0
        self.root = self._cell(replace(subproblem, upper=IMPOSSIBLE))
        self._typical = typical_costs(engine.answer_count, self.root.size)

    @property
    def done(self) -> bool:
        """True if the proof is complete.

        Then either the least cost is proven, or it is proven that no strategy costs less than the target.
        """
        return not self.root.is_open(self.target)

    @property
    def cost(self) -> int:
        """The least cost if it is proven and below the target, otherwise a lower bound.

        Once the proof is done, a lower bound is at least the target.
        """
        return self.root.lower

    def open(self, *, among: int = 1, eager: bool = False) -> Iterator[WorkItem]:
        """Yield work for `among` workers, the most useful first. Work that other tasks are doing is left out.

        If `eager` is False, all of this work is likely to be useful, whatever the results of pending tasks are. If it
        is True, the work may also turn out to be useless.
        """
        for probe in sorted(self._due_probes, key=lambda probe: -probe.gain_rate):
            if not probe.pending:
                yield WorkItem(probe.cell, (), probe.cell.upper, probe)
        if self.is_probing and not eager:
            return
        while True:
            before, found = self._changes, False
            for item in self._open(self.root, self.target, _Demand(among, eager)):
                found = True
                yield item
            # If no work was found but bounds were tightened, look again, because other work may be open now.
            if found or self._changes == before:
                return

    @property
    def is_probing(self) -> bool:
        """True if a probe, a sequence of quick searches that bound a large cell, comes before all other work now."""
        return any(self._due_probes)

    @property
    def _due_probes(self) -> Iterator[CellProbe]:
        """Yield the probes of large cells whose next search is expected to fit into the time set by `probe`.

        A *probe* is a sequence of quick searches that tighten one bound of the cost of a cell. The first beam search of
        a cell is always included, because it supplies the first known strategy.
        """
        below = self._probes_below() if self._longest_probe and not self.done else ()
        for probe in (*(self._above or ()), *below):
            if not probe.is_over and (probe.seconds_needed < self._longest_probe or probe.is_first_beam):
                yield probe

    def _probes_below(self) -> list[CellProbe]:
        """Return the probes that raise the lower bounds of the cells of one first guess.

        That is the first guess with the least lower bound. Only this guess matters, because the least lower bound of
        the first guesses is that of the whole proof.
        """
        while (least := min(self.root.choices, key=lambda choice: choice.lower)) not in self._below:
            self.split(least)  # Splitting may raise the bound of the guess above that of another one.
            self._below[least] = probes_from_below(least.cells)
        return self._below[least]

    def _open(self, cell: CellNode, target: int, demand: _Demand) -> Iterator[WorkItem]:
        if not cell.is_open(target):
            return
        target = min(target, cell.upper)
        if not cell.split:
            if not cell.pending:
                yield WorkItem(cell, (), target)
            return
        choices = [choice for choice in self._choices(cell, target) if choice.lower < min(target, choice.upper)]
        if cell is self.root and self._probed in choices:
            # While the bounds of the first guess with beam searches are not equal, work only on its cells. The cost
            # that the beam searches found is not the least one, so refuting the other guesses by that cost would take
            # longer.
            choices = [self._probed]
        elif target >= IMPOSSIBLE and choices and (demand.among > 1 or self._is_large(choices[0])):
            # Without a cost to beat, other guesses are refuted late, so work on one guess only. Several workers on
            # several guesses would not be faster.
            choices = [next((choice for choice in choices if choice.split or choice.pending), choices[0])]
            if not choices[0].pending:
                self.split(choices[0])
        waiting: list[GuessNode] = []
        large: list[GuessNode] = []
        for choice in choices:
            if choice.split:
                yield from self._open_cells(choice, min(target, cell.upper), demand)
                attains = choice.upper == cell.upper < IMPOSSIBLE
                if demand.among == 1 and attains and choice.lower < min(target, choice.upper):
                    # The best known strategy at the cell begins with this guess. Solve the guess before yielding work
                    # at the others, because its cost may be so low that their bounds exclude them.
                    return
            elif not choice.pending:
                (large if self._is_large(choice) else waiting).append(choice)
        batches = 1 if demand.among == 1 else BATCHES_PER_WORKER * demand.among
        for i in range(min(batches, len(waiting))):
            yield WorkItem(cell, tuple(waiting[i::batches]), target)
        for choice in large:
            self.split(choice)
            yield from self._open_cells(choice, min(target, cell.upper), demand)

    def _open_cells(self, choice: GuessNode, best: int, demand: _Demand) -> Iterator[WorkItem]:
        """Yield the work at the cells of a guess. In each round, a cell is searched up to a limit on its cost."""
        cells = choice.cells
        # If no cost to beat is known, several workers begin with the largest cell, whose search takes longest.
        if best >= IMPOSSIBLE:
            for cell in cells[::-1] if demand.among > 1 else cells:
                yield from self._open(cell, best, demand)
            return
        spare = best - self._least(choice)
        if not any(cell.is_open(share) for cell, share in zip(cells, choice.windows, strict=False)):
            choice.windows = self._child_windows(choice, spare)
        for cell, share in zip(cells, choice.windows, strict=True):
            yield from self._open(cell, min(share, cell.lower + spare), demand)
        if demand.eager:  # Also yield work up to the limits of the next round, as if this round were over.
            for cell, share in zip(cells, self._child_windows(choice, spare), strict=True):
                yield from self._open(cell, min(share, cell.lower + spare), demand)

    def _choices(self, cell: CellNode, target: int) -> list[GuessNode]:
        """Return the guesses listed at a cell, by one-step bound, then in code order.

        First lists all guesses whose bound is below the target, if this was not done before.
        """
        unit = cell.subproblem.count.guess
        if cell.listed < target:
            total = -(-target // unit)
            present = {choice.guess for choice in cell.choices}
            for bound, guess in self._engine.guesses(replace(cell.subproblem, upper=total), budget=self._budget):
                if guess not in present:
                    known = self._bound_table.known(self._key(cell, guess))
                    choice = GuessNode(cell, guess, max(bound * unit, known.lower), known.upper)
                    cell.choices.append(choice)
                    if known.split:
                        self.split(choice)
            cell.listed = min(total * unit, IMPOSSIBLE)
            self._tighten_cell(cell)
        return cell.choices

    def _is_large(self, choice: GuessNode) -> bool:
        cell = choice.owner
        if cell.size <= SPLIT:
            return False
        choice.largest = choice.largest or int(self._engine.sizes(cell.subproblem, choice.guess).max())
        return choice.largest > SPLIT

    def share(self) -> float:
        """Return an estimate of the part of the proof that is done, from 0 to 1.

        All guesses at a cell have equal weights. The weights of the cells of a guess are the squares of their sizes.
        """
        return self._share(self.root, self.target)

    def _share(self, cell: CellNode, target: int) -> float:
        if not cell.is_open(target):
            return 1.0
        if not cell.split or not cell.choices:
            return 0.0
        target = min(target, cell.upper)
        return sum(self._guess_share(choice, target) for choice in cell.choices) / len(cell.choices)

    def _guess_share(self, choice: GuessNode, best: int) -> float:
        if choice.lower >= min(best, choice.upper):
            return 1.0
        weights = [cell.size**2 for cell in choice.cells]
        limits = (best - (choice.lower - cell.lower) for cell in choice.cells)
        done = (self._share(cell, limit) for cell, limit in zip(choice.cells, limits, strict=True))
        return sum((weight * part for weight, part in zip(weights, done, strict=True)), 0.0) / max(1, sum(weights))

    def take(self, item: WorkItem, result: TaskResult) -> None:
        """Tighten the bounds by the result of a task, and split the cell if the task did not finish it.

        `item` is the work item from which the task was made. Raises `CheckError` if bounds contradict each other.
        """
        cell = item.cell
        before = cell.lower, cell.upper
        for key, known in result.found:
            self._merge(key, known)
        if item.choices:
            self._take_guesses(item, result)
            return
        split = not result.finished and item.can_be_split
        best = cell.name.permutation.of(result.guess)
        self._bound_table.learn(self._key(cell), CostBounds(*result.bounds, best, split), result.effort)
        cell.split |= split
        self._tighten_to(cell, *result.bounds, result.guess, is_stored=True)
        if item.probe:
            closer = cell.lower - before[0] + min(before[1] - cell.upper, cell.upper - cell.lower)
            item.probe.took(result.effort.seconds, closer)

    def _take_guesses(self, item: WorkItem, result: TaskResult) -> None:
        """Tighten the bounds of the guesses of a work item by the result of its task.

        A guess that was too much for the task is split. So is the best guess, because the bounds of its cells are worth
        storing.
        """
        cell, (lower, upper) = item.cell, result.bounds
        stuck = result.left[0] if result.is_stuck else ""
        left, effort = set(result.left), result.effort
        for choice in item.choices:
            known = CostBounds(
                0 if choice.guess in left else lower,
                upper if choice.guess == result.guess else IMPOSSIBLE,
                split=choice.guess == stuck,
            )
            self._bound_table.learn(self._key(cell, choice.guess), known, effort)
            effort = NO_EFFORT
            if known.split or known.upper < IMPOSSIBLE:
                self.split(choice)
            self._tighten_guess(choice, known.lower, known.upper)
        self._tighten_cell(cell)

    def probe(self, longest: float) -> None:
        """Let large cells be *probed* from now on, before all other work: by quick searches that tighten their bounds.

        Has an effect only if the root is split, the proof is not done, the cost is a total, and there is no limit on
        guesses. A probe gets another search only if that is expected to take less than `longest` seconds. Beam
        searches, which find strategies, are for the cells of the most promising first guess. Searches that raise lower
        bounds are for the cells of the first guess with the least lower bound.
        """
        root = self.root
        if not root.split or root.subproblem.count is not Count.TOTAL or root.subproblem.limit is not None or self.done:
            return
        self._longest_probe = longest
        if self._above is None:
            self._above = []
            [(_, guess)] = promising(self._engine, root.subproblem, 1, self._budget)
            for choice in self._choices(root, self.target):
                if choice.guess == guess:
                    self.split(choice)
                    self._probed, self._above = choice, probes_from_above(choice.cells)

    def split(self, part: CellNode | GuessNode) -> None:
        """Split a cell into its guesses, or a guess into its cells, which get tasks from now on."""
        if isinstance(part, CellNode):
            part.split = True
        elif not part.cells:
            owner = part.owner
            cells = self._engine.divided(owner.subproblem, part.guess)
            part.cells = [self._cell(cell) for cell in cells]
            # A guess that leaves all codes in one cell is useless.
            if len(cells) == 1 and part.cells[0].size == owner.size:
                part.cells = []
                self._tighten_guess(part, IMPOSSIBLE, IMPOSSIBLE)
            else:
                for cell in part.cells:
                    cell.above.append(part)
                self._tighten_guess(part, 0, IMPOSSIBLE)
            self._tighten_cell(owner)

    def learn_bounds(self, item: WorkItem, lower: int, upper: int) -> None:
        """Tighten the bounds of a cell while a task is still searching it.

        Has no effect for a task that searches only some first guesses, because its bounds do not hold for the whole
        cell.
        """
        if not item.choices:
            self._tighten_to(item.cell, lower, upper)

    def _merge(self, key: BoundKey, known: CostBounds) -> None:
        """Tighten the stored bounds of the cell with this key. The cell need not be part of this proof yet."""
        if cell := self._cells.get(key.turns):
            self._tighten_to(cell, known.lower, known.upper, cell.name.permutation.back(known.best))
        else:
            self._bound_table.learn(key, known)

    def _cell(self, subproblem: Subproblem) -> CellNode:
        name = canonical_turns(subproblem)
        if name.turns not in self._cells:
            size = len(self._engine.codes(subproblem.turns))
            self._cells[name.turns] = cell = CellNode(subproblem, name, size, 0)
            unit = subproblem.count.guess
            total = self._bound_table.known(BoundKey(Count.TOTAL, None, name.turns))
            known = self._bound_table.known(self._key(cell))
            cell.lower = max(known.lower, max(self._engine.ideal(size), total.lower) * unit)
            cell.upper = known.upper
            cell.best = name.permutation.back(known.best)
            cell.split = WorkItem(cell, (), 0).can_be_split and (known.split or size > SPLIT)
            if cell.lower > cell.upper:
                raise contradiction(self._key(cell), CostBounds(cell.lower, cell.upper))
        return self._cells[name.turns]

    def _key(self, cell: CellNode, guess: str = "") -> BoundKey:
        return BoundKey(cell.subproblem.count, cell.subproblem.limit, cell.name.turns, cell.name.permutation.of(guess))

    def _tighten_to(self, cell: CellNode, lower: int, upper: int, best: str = "", *, is_stored: bool = False) -> None:
        """Tighten the bounds of a cell, and then those of all guesses and cells above it.

        The new bounds are also written to the bound table, unless `is_stored` is True because the caller has done so.
        """
        before = cell.lower, cell.upper, cell.best
        if upper < cell.upper or (upper == cell.upper and not cell.best):
            cell.upper, cell.best = upper, best
        cell.lower = max(cell.lower, lower)
        if (cell.lower, cell.upper, cell.best) == before:
            return
        self._changes += 1
        if not is_stored:
            best = cell.name.permutation.of(cell.best)
            self._bound_table.learn(self._key(cell), CostBounds(cell.lower, cell.upper, best))
        if cell.lower > cell.upper:
            raise contradiction(self._key(cell), CostBounds(cell.lower, cell.upper))
        for choice in cell.above:
            self._tighten_guess(choice, 0, IMPOSSIBLE)
            self._tighten_cell(choice.owner)

    def _tighten_guess(self, choice: GuessNode, lower: int, upper: int) -> None:
        """Tighten the bounds of a guess by `lower` and `upper`, and by the bounds of its cells."""
        if choice.cells:
            base = choice.owner.size * choice.owner.subproblem.count.guess
            lower = max(lower, self._least(choice))
            upper = min(upper, base + sum(cell.upper for cell in choice.cells))
        lower, upper = min(max(lower, choice.lower), IMPOSSIBLE), min(upper, choice.upper)
        if (lower, upper) != (choice.lower, choice.upper):
            self._changes += 1
            choice.lower, choice.upper = lower, upper
            if lower > upper:
                raise contradiction(self._key(choice.owner, choice.guess), CostBounds(lower, upper))

    def _child_windows(self, choice: GuessNode, spare: int) -> list[int]:
        """Return the costs up to which the cells of a guess are searched in one round, as in `kernels.child_windows`.

        The *spare cost* is the cost to beat less the bound of the guess, and the limit of a cell is its bound plus a
        part of the spare cost. These parts add up to the spare cost or more. So once all cells are searched, the guess
        is refuted, or some cell costs less than its limit and is solved. Hence a guess needs at most as many rounds as
        it has cells, as long as the best cost does not change. The limits change no cost.
        """
        unit = choice.owner.subproblem.count.guess
        weights = [
            0.0 if cell.exact else max(0.7, float(self._typical[cell.size]) - cell.lower / unit) / sqrt(cell.size)
            for cell in choice.cells
        ]
        together = sum(weights) or 1.0
        parts = (max(1, ceil(spare * weight / together)) for weight in weights)
        return [cell.lower + part for cell, part in zip(choice.cells, parts, strict=True)]

    @staticmethod
    def _least(choice: GuessNode) -> int:
        """Return a lower bound of the cost of a guess: the guess itself, plus the lower bounds of its cells."""
        return choice.owner.size * choice.owner.subproblem.count.guess + sum(cell.lower for cell in choice.cells)

    def _tighten_cell(self, cell: CellNode) -> None:
        """Tighten the bounds of a cell from those of its guesses. Guesses outside the list cost at least `listed`."""
        best = min(cell.choices, key=lambda choice: choice.upper, default=None)
        lower = min((choice.lower for choice in cell.choices), default=IMPOSSIBLE)
        upper, guess = (best.upper, best.guess) if best and best.upper < cell.upper else (cell.upper, cell.best)
        self._tighten_to(cell, min(lower, cell.listed), upper, guess)
