"""From subproblems to the least cost of a whole game: large subproblems are split into the cells of their guesses.

The cells of one guess are independent, and what joins them is one number: what is left of the best cost known when
 the lower bounds of all the others are taken off. It only falls, so a subproblem sent out with an old one is still
right.
"""

from __future__ import annotations

from dataclasses import replace

from yomikiri.budget import Budget, Progress
from yomikiri.hitblow.rules import Turn
from yomikiri.hitblow.search.engine import Engine
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Count, Subproblem

SPLIT = 2000  # subproblems of more codes are split


class Search:
    """The least cost of a subproblem, with bounds that can be read while it is worked on.

    `lower` and `best` are costs, `guess` the first guess of a tree that costs `best` where it is known. The budget is
    told of them as totals of guesses, and of the nodes of the engine.
    """

    def __init__(self, engine: Engine, subproblem: Subproblem, budget: Budget) -> None:
        self.lower, self.best, self.guess = 0, subproblem.upper, ""
        self.subproblem, self._engine = subproblem, engine
        self._budget, self._slices = budget, replace(budget, progress=self._heard)

    def run(self) -> int:
        """The least cost, if below the subproblem's upper bound; else a lower bound that is at least that.

        Raises `Stopped`; the bounds then say what is certain.
        """
        return self._least(self.subproblem)

    def _least(self, subproblem: Subproblem) -> int:
        few = len(self._engine.codes(subproblem.turns)) <= SPLIT
        if few or subproblem.count is Count.NOTHING or (subproblem.limit is not None and subproblem.limit <= 2):
            return self._engine.run(subproblem, self._slices).lower
        best = subproblem.upper
        unit = subproblem.count.guess
        guesses = self._engine.guesses(subproblem)
        for place, (bound, guess) in enumerate(guesses):
            if bound * unit >= best:
                break
            others = guesses[place + 1][0] * unit if place + 1 < len(guesses) else IMPOSSIBLE
            cost = self._cost(subproblem, guess, best, others)
            if cost < best:
                best = cost
                if subproblem is self.subproblem:
                    self.best, self.guess = best, guess
        return best

    def _cost(self, subproblem: Subproblem, guess: str, best: int, others: int) -> int:
        """The cost of a subproblem if `guess` comes first, if below `best`; else a bound that is not.

        `others` bounds the guesses still to come. Large cells are first asked only whether they take their share of
        what is left, which shows more cheaply that there is not enough.
        """
        subproblems = cells_of(self._engine, subproblem, guess)
        sizes = [len(self._engine.codes(cell.turns)) for cell in subproblems]
        lowers = [self._engine.ideal(size) * subproblem.count.guess for size in sizes]
        total = len(self._engine.codes(subproblem.turns)) * subproblem.count.guess + sum(lowers)
        spare = best - total
        for sharing in (True, False) if best < IMPOSSIBLE else (False,):
            for i, cell in enumerate(subproblems):
                upper = best - (total - lowers[i])
                if sharing:
                    upper = min(upper, lowers[i] + 1 + spare * sizes[i] // sum(sizes))
                lower = max(lowers[i], self._least(replace(cell, upper=upper)))
                total, lowers[i] = total + lower - lowers[i], lower
                if subproblem is self.subproblem:
                    self.lower = max(self.lower, min(total, best, others))
                    self._tell(self._engine.effort.nodes)
                if total >= best:
                    return total
        return total

    def _heard(self, progress: Progress) -> None:
        """A slice of work is done. A subproblem that is not split has its bounds in the memo alone."""
        lower, best = self._engine.known(self.subproblem)
        self.lower, self.best = max(self.lower, lower), min(self.best, best)
        self._tell(progress.states)

    def _tell(self, nodes: int) -> None:
        unit = self.subproblem.count.guess
        best = None if not unit or self.best >= IMPOSSIBLE else self.best // unit
        self._budget.report(Progress(self.lower // unit if unit else 0, best, nodes))


def cells_of(engine: Engine, subproblem: Subproblem, guess: str) -> list[Subproblem]:
    """The subproblems that a guess leaves, small ones first."""
    limit = None if subproblem.limit is None else subproblem.limit - 1
    cells = engine.cells(subproblem.turns, guess)
    cells.pop(subproblem.rules.win, None)
    by_size = sorted(cells, key=lambda answer: len(cells[answer]))
    return [replace(subproblem, turns=(*subproblem.turns, Turn(guess, answer)), limit=limit) for answer in by_size]
