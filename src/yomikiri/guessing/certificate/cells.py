"""The choice of the bounds in a certificate: which cells of a guess get a bound, and how large it is.

The *cost* of a guess or a cell is the total number of guesses until each secret is found. A certificate proves a lower
bound of the cost of a guess. The checker computes a *cheap bound* of the cost of each cell, from the size of the cell.
If the sum of the cheap bounds is too small, the certificate states better bounds for some of the cells. When the
certificate is written, a search proves these better bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

_CALL_NODES = 20.0  # estimated overhead of one call of `search`, in search nodes
_MOST_CHOICES = 1 << 12  # the greatest number of partial choices that `choose_bounds` compares


@dataclass
class Cell:
    """A cell of a guess, with lower bounds of its cost: the number of guesses, added up over the codes in the cell.

    `answer` is the index of the cell's answer. `rows` are the codes, as row numbers in the checker's table of answers.
    `cheap` is the lower bound that the checker computes by itself, and `lower` is the best bound so far. `work` is the
    effort spent on the cell, in search nodes. `exact` is True if `lower` is the cost of the cell.
    """

    answer: int
    rows: Any
    cheap: int
    lower: int
    work: float
    exact: bool = False
    # lower bound of the cost, from the number of cells into which each guess divides this cell; 0 if not computed
    seen: int = 0
    # each proven lower bound of the cell's cost, with the work on the cell until this bound was proven
    steps: list[tuple[int, float]] = field(default_factory=list)

    def raise_to(self, bound: int) -> int:
        """Record a proven lower bound of the cost, if it is better than the best bound so far (`lower`).

        Returns by how many guesses the new bound exceeds the best one so far, or 0 if it is not better.
        """
        gained = max(0, bound - self.lower)
        if gained:
            self.lower = bound
            self.steps.append((bound, self.work))
        return gained


def raise_bounds(cells: Sequence[Cell], missing: int, search: Callable[[Cell], tuple[int, int]]) -> None:
    """Raise the lower bounds of cells until their sum exceeds the sum of the cheap bounds by at least `missing`.

    All bounds are numbers of guesses. A *cheap bound* is one that the checker computes by itself.

    `search(cell)` returns (bound, nodes). `bound` is a lower bound greater than `cell.lower`, or equal to it if
    `cell.lower` is the cost of the cell. `nodes` is the number of nodes that the search has entered. Each call of
    `search` is for the cell with the least work so far, so that no exact cost is computed without need. Requires that
    the exact costs of the cells together exceed the cheap bounds by at least `missing`.
    """
    gained = sum(cell.lower - cell.cheap for cell in cells)
    while gained < missing:
        open_cells = [cell for cell in cells if not cell.exact]
        assert open_cells, "the cells cost less"
        cell = min(open_cells, key=lambda cell: cell.work)
        found, nodes = search(cell)
        cell.work += _CALL_NODES + nodes
        cell.exact = found <= cell.lower
        gained += cell.raise_to(found)


def choose_bounds(cells: Sequence[Cell], missing: int) -> list[tuple[Cell, int]]:
    """Choose bounds of cells that exceed their cheap bounds by at least `missing` together, with the least work.

    `cells` are the cells of one guess. `Cell.steps` contains the proven bounds of a cell, and the work for each of
    them. Returns the chosen cells, each with its bound. All other cells keep their cheap bounds, which the checker
    computes by itself. This is a knapsack problem, solved by dynamic programming. If the weights of the secrets differ,
    there may be too many sums of bounds to compare. Some are then left out, and the chosen bounds may take a little
    more work than the least possible.
    """
    # Key: by how much a choice of bounds exceeds the cheap bounds in total.
    # Value: the least work for this, and the choice, as pairs (index of the cell, bound).
    best: dict[int, tuple[float, tuple[tuple[int, int], ...]]] = {0: (0.0, ())}
    for i, cell in enumerate(cells):
        new, choices = dict(best), sorted(best.items())
        for bound, work in ((bound, work) for bound, work in cell.steps if bound > cell.cheap):
            for gained, (before, chosen) in choices:
                to, cost = min(missing, gained + bound - cell.cheap), before + work
                if to not in new or cost < new[to][0]:
                    new[to] = cost, (*chosen, (i, bound))
        if len(new) > _MOST_CHOICES:
            # The greatest sum always remains, so that the bounds suffice in the end.
            kept = sorted(new)[:: -(len(new) // _MOST_CHOICES + 1)]
            new = {gained: new[gained] for gained in kept}
        best = new
    assert missing in best, "bounds are not enough"
    return [(cells[i], bound) for i, bound in best[missing][1]]
