"""The exact search of a position with kernels; see `position` for what it answers.

One engine is kept, so that the next question of the same game finds what the last one learned.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from yomikiri.budget import UNLIMITED, Budget, Progress
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Rules
from yomikiri.hitblow.search.engine import Engine, compile_kernels
from yomikiri.hitblow.search.grow import optimal_tree
from yomikiri.hitblow.search.position import Move, PositionSearch
from yomikiri.hitblow.search.solve import MEMORY
from yomikiri.hitblow.search.split import cells_of
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Subproblem
from yomikiri.hitblow.strategy.tree import Node, cost


@lru_cache(maxsize=1)
def _engine(rules: Rules, absent: str) -> Engine:
    compile_kernels()
    return Engine(rules, absent, consistent=False, memory=MEMORY)


class KernelSearch(PositionSearch):
    """The search from a position by the engine of its game."""

    def __init__(self, known: Knowledge, budget: Budget = UNLIMITED) -> None:
        self._known = known
        self._engine = engine = _engine(known.rules, known.absent)
        self._subproblem = Subproblem(known.rules, known.absent, known.turns)
        before = engine.effort.nodes  # what the engine did for others does not count
        self._budget = budget.part(lambda: Progress(states=engine.effort.nodes - before))

    def least(self) -> int:
        """The least total of guesses over all candidates."""
        return self._engine.run(self._subproblem, self._budget).lower

    def moves(self, most: int, below: int = IMPOSSIBLE) -> list[Move]:
        """The `most` guesses of least total."""
        found: list[Move] = []
        for bound, guess in self._engine.guesses(self._subproblem):
            worst = found[-1].total_guesses if len(found) == most else below
            if bound >= worst:
                break
            total = self.total_after(guess, worst)
            if total < worst:
                found = sorted([*found, Move(guess, total)], key=lambda move: move.total_guesses)[:most]
        return found

    def total_after(self, guess: str, below: int = IMPOSSIBLE) -> int:
        """The total is one guess a candidate and the least totals of the cells."""
        engine = self._engine
        cells = cells_of(engine, self._subproblem, guess)
        lowers = [engine.ideal(len(engine.codes(cell.turns))) for cell in cells]
        total = self._known.count + sum(lowers)
        for cell, lower in zip(cells, lowers, strict=True):
            if total >= below:
                break
            upper = IMPOSSIBLE if below == IMPOSSIBLE else below - (total - lower)
            total += max(engine.run(replace(cell, upper=upper), self._budget).lower, lower) - lower
        return total

    def max_guesses(self, guess: str) -> int:
        """The most guesses after `guess`, by the tree that the engine grows."""
        cells = cells_of(self._engine, self._subproblem, guess)
        branches = ((cell.turns[-1].hint, optimal_tree(self._engine, cell, self._budget)) for cell in cells)
        return cost(Node(guess, tuple(branches)), self._known.codes()).max_guesses
