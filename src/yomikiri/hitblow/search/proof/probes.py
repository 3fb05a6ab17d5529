"""Probes of a large candidate set: quick bounds of its least total, which become tighter with each step.

- From above, a *beam search* tries only the guesses with the best estimates at each set, and solves small sets. It
  returns the cost of some strategy.
- From below, a search proves that the total is at least a *target*, which rises in small steps. If the target is far
  below the least total, the search takes little time. A target half a percent higher takes about five times as long.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof.bound_table import BoundKey, BoundTable, CostBounds
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns
from yomikiri.hitblow.search.trees import QUICK
from yomikiri.machine.running import computing


@dataclass(frozen=True, slots=True)
class BeamWidth:
    """The effort of a beam search.

    - `tried`: the numbers of guesses to try at the candidate set itself, at its cells, and at all sets below.
    - `solved`: the limit on the codes of a set that is solved exactly.
    - `hope`: a factor below 1 that makes estimates optimistic.

    A guess is dropped as soon as its optimistic total reaches the total of the best guess. The optimistic total is the
    cost of the cells searched so far, plus the estimates of the other cells times `hope` times r. The ratio r is the
    total of the best guess so far, divided by the estimate of that total. Before there is a best guess, r is 0, so no
    guess is dropped.
    """

    tried: tuple[int, int, int]
    solved: int
    hope: float


BEAM_WIDTHS = (
    BeamWidth((5, 5, 5), 60, 0.99),
    BeamWidth((5, 5, 5), 200, 0.99),
    BeamWidth((20, 6, 5), 300, 0.985),
    BeamWidth((30, 10, 5), 400, 0.985),
    BeamWidth((60, 20, 8), 600, 0.98),
    BeamWidth((120, 40, 10), 800, 0.98),
)
# `promising` estimates the cells of only this number of guesses, those with the least lower bounds.
_POOL = 600
_STEP = 256  # The target of a search from below exceeds the proven lower bound by 1 / _STEP of this bound.


@dataclass(frozen=True, slots=True)
class ProbeStep:
    """A step of a probe: one beam search, or a series of searches that raise the lower bound.

    `beam` is the index of the beam search, or None for the other kind. Each search of a series proves that the least
    total is at least a target. The targets rise from the bound `lower` until the step has taken `seconds` of computing.
    """

    beam: int | None
    lower: int = 0
    seconds: float = 0.0


@cache
def typical_costs(answer_count: int, most: int) -> NDArray[np.float64]:
    """Return estimates of the least total of a candidate set, indexed by its number of codes, from 0 to `most`.

    `answer_count` is the number of different answers. The estimate assumes that a guess divides a set into
    `answer_count` / 2 cells.
    """
    n = np.arange(1, most + 1)
    levels = np.log(n) / log(max(answer_count, 3) / 2)
    cost = n * np.maximum(2.0 + 0.5 * levels, 1.15 + levels)
    cost[:2] = (1, 3)[:most]
    return np.concatenate([[0.0], np.maximum(cost, 2 * n - 1)])


def promising(
    engine: SearchEngine, subproblem: Subproblem, most: int, budget: Budget = UNLIMITED
) -> list[tuple[float, str]]:
    """Return the `most` first guesses with the least estimated totals, as (estimate, guess) pairs.

    Raises `Stopped` if the budget is exhausted.
    """
    count = engine.count(subproblem)
    typical = typical_costs(engine.answer_count, count)
    ranked = []
    whole = replace(subproblem, count=Count.TOTAL, limit=None, upper=IMPOSSIBLE)
    for _, guess in engine.guesses(whole, _POOL, budget):
        sizes = engine.sizes(subproblem, guess)
        if max(sizes) < count:
            ranked.append((count + float(typical[sizes[:-1]].sum()), guess))
    return sorted(ranked)[:most]


class Prober:
    """Short searches of a candidate set that tighten the bounds of its least total.

    They also tighten the bounds of the cells in the strategies that they find for the set.
    """

    def __init__(self, engine: SearchEngine, cell: Subproblem) -> None:
        self._engine, self._cell = engine, cell
        self._bound_table = BoundTable()
        self._done: set[BoundKey] = set()

    @property
    def bounds(self) -> tuple[int, int]:
        """The proven bounds of the least total of the candidate set, (lower, upper)."""
        known = self._known(self._cell)
        return known.lower, known.upper

    def found(self) -> tuple[tuple[BoundKey, CostBounds], ...]:
        """Return the proven bounds of the candidate set, and of the larger cells in the best strategy found.

        The bounds of each cell come with the key of the cell.
        """
        found = {BoundKey.of(self._cell): self._known(self._cell)}
        self._collect(self._cell, found)
        return tuple(found.items())

    def take(self, step: ProbeStep, budget: Budget) -> bool:
        """Do one beam search or one series of searches that raise the lower bound.

        Returns False if the budget is exhausted before that ends.
        """
        self._store_bounds(self._cell, step.lower)
        try:
            if step.beam is None:
                self._raise(step.seconds, budget)
            else:
                self._done.clear()
                self._beam(self._cell, BEAM_WIDTHS[step.beam], 0, IMPOSSIBLE, budget)
        except Stopped:
            return False
        return True

    def _beam(self, cell: Subproblem, breadth: BeamWidth, depth: int, below: int, budget: Budget) -> int:
        """Return the total of the best strategy that a beam search finds for a candidate set, if it is below `below`.

        Otherwise the result is a number of at least `below`. `depth` is the number of guesses before the set in this
        beam search; it determines how many guesses are tried.
        """
        known = self._known(cell)
        if known.lower == known.upper or (key := BoundKey.of(cell)) in self._done:
            return known.upper
        count = self._engine.count(cell)
        if count <= max(QUICK, breadth.solved):
            cost = self._engine.run(replace(cell, upper=below), budget)
            if count > QUICK and cost < below:
                self._store_bounds(cell, cost, cost, self._engine.best_guess(cell, cost))
            return cost
        best, rate = min(known.upper, cell.upper), 0.0
        typical = typical_costs(self._engine.answer_count, count)
        tried = breadth.tried[min(depth, len(breadth.tried) - 1)]
        for estimate, guess in promising(self._engine, cell, tried, budget):
            total, left = float(count), estimate - count
            for part in self._engine.divided(cell, guess):
                left -= float(typical[self._engine.count(part)])
                below = max(1, ceil(best - total - left * rate * breadth.hope))
                total += self._beam(part, breadth, depth + 1, below, budget)
                if total + left * rate * breadth.hope >= best:
                    break
            else:
                best, rate = int(total), total / estimate
                self._store_bounds(cell, 0, best, guess)
        self._done.add(key)
        return best

    def _raise(self, seconds: float, budget: Budget) -> None:
        """Raise the lower bound of the cell to one target after another, until its cost is known or the time is over.

        The search of the last target is completed, because its results would be lost otherwise.
        """
        count, begun = self._engine.count(self._cell), computing()
        while (known := self._known(self._cell)).lower < (upper := min(known.upper, self._cell.upper)):
            lower = max(known.lower, self._engine.ideal(count))
            target = min(lower + max(1, lower // _STEP), upper)
            cost = self._engine.run(replace(self._cell, upper=target), budget)
            if cost < target:
                self._store_bounds(self._cell, cost, cost, self._engine.best_guess(self._cell, cost))
            else:
                self._store_bounds(self._cell, cost)
            if computing() - begun >= seconds:
                return

    def _collect(self, cell: Subproblem, found: dict[BoundKey, CostBounds]) -> None:
        known = self._known(cell)
        if known.best:
            found[BoundKey.of(cell)] = known
            for part in self._engine.divided(cell, canonical_turns(cell).permutation.back(known.best)):
                self._collect(part, found)

    def _known(self, cell: Subproblem) -> CostBounds:
        return self._bound_table.known(BoundKey.of(cell))

    def _store_bounds(self, cell: Subproblem, lower: int, upper: int = IMPOSSIBLE, guess: str = "") -> None:
        self._bound_table.learn(
            BoundKey.of(cell), CostBounds(lower, upper, canonical_turns(cell).permutation.of(guess))
        )
