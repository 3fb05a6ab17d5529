"""Child windows: limits on the cost up to which each cell of a guess is searched.

The bound of a guess is the cost of the guess itself plus the bounds of its cells. A guess is *refuted* when its bound
reaches the cost to beat. The *spare cost* of a guess is the cost to beat less the bound of the guess. Several cells may
be able to refute a guess, and the search does not know which. If it gave one cell the whole spare cost, it would often
solve that cell completely for no use. So each cell first gets a window: the bound of the cell plus a share of the spare
cost.

A cell is *open* while its cost is not known. The open cells of a guess are searched in rounds: in each round, every
open cell is searched once, up to its window. The share of a cell is its *weight* divided by the sum of the weights of
all open cells that are not yet searched in this round. The weight grows with the difference between the typical cost
and the bound of the cell. It is smaller for large cells, which take longer. Typical costs are learned during the
search. The windows change no result.
"""

from __future__ import annotations

from math import ceil, log, log2, sqrt

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.kernels.workspace import SIZE_CLASSES, Goal, Workspace
from yomikiri.machine.bits import Int
from yomikiri.machine.kernel import kernel

# In a set of at most this number of codes, the limit on the cost of each cell is its bound plus the whole spare cost,
# not only a share. The spare cost is the cost to beat less the bound of the guess.
_WHOLE = 40
# The averages of costs and of gains begin with an estimate, which counts as much as this number of recorded values.
_FIRST = 4.0
# When the costs of more than this number of sets of similar size are recorded, their sum and their number are halved,
# so that newer costs count more in the average.
_KEPT = 64.0
# First estimate of the gain of a cell: by how much its lower bound of the cost rises when `bound_cell` looks at the
# cells of each guess.
_EXPECTED = 0.5


@kernel
def _size_class(n: Int) -> Int:
    return n if n < 32 else min(SIZE_CLASSES - 1, 32 + int(12 * log2(n / 32)))


@kernel
def _unit(goal: Goal) -> Int:
    """Return the unit for weights and gains of cells: the greater of `goal.guess` and `goal.last`, but at least 1.

    Here `goal.guess` is the cost of a guess, and `goal.last` is the extra cost of a late secret. A secret is *late* if
    it is found at the last guess that the limit allows. A cost divided by the unit is about a number of guesses, or a
    number of late secrets if a late secret costs more than a guess. So weights and gains do not depend on the scale of
    the costs.
    """
    return max(1, goal.guess, goal.last)


@kernel
def typical_cost(work: Workspace, n: Int) -> float:
    """Return an estimate of the total number of guesses for a set of n codes, learned from the sets solved so far."""
    k = _size_class(n)
    first = 2 + 0.3 * log(n)
    mean: float = n * (work.cost_sum[k] + _FIRST * first) / (work.cost_count[k] + _FIRST)
    return mean


@kernel
def record_cost(work: Workspace, n: Int, cost: Int) -> None:
    """Record the exact total of a set of n codes, from which `typical_cost` learns."""
    k = _size_class(n)
    work.cost_sum[k] += cost / n
    work.cost_count[k] += 1
    if work.cost_count[k] > _KEPT:
        work.cost_sum[k] /= 2
        work.cost_count[k] /= 2


@kernel
def cell_weight(work: Workspace, goal: Goal, n: Int, lower: Int) -> float:
    """Return the weight of a cell of n codes with the lower bound `lower`.

    The *spare cost* of a guess is the cost to beat less the bound of the guess. The cells whose costs are not known are
    searched in rounds. In each round, the spare cost is divided among these cells in proportion to their weights.
    """
    over: float = max(0.7, typical_cost(work, n) - lower / _unit(goal)) / sqrt(n)
    return over


@kernel
def child_window(whole: Int, spare: Int, part: float) -> Int:
    """Return the share of the spare cost that a cell gets: the fraction `part` of `spare`, rounded up, but at least 1.

    The spare cost is the cost to beat less the bound of the guess. `whole` is the number of codes of the candidate set
    that contains the cell. If that set is small, the cell gets the whole spare cost.
    """
    return spare if whole <= _WHOLE else max(1, ceil(spare * min(1.0, part)))


@kernel
def record_gain(work: Workspace, goal: Goal, n: Int, added: Int) -> None:
    """Record the gain of a cell of n codes: `added`, the rise of its lower bound by `bound_cell`, as a cost."""
    k = _size_class(n)
    work.gain_sum[k] += max(0, added) / _unit(goal)
    work.gain_count[k] += 1


@kernel
def _expected_gain(work: Workspace, n: Int) -> float:
    """Return the expected gain of a cell of n codes, divided by n.

    The *gain* is the rise of the lower bound of the cell, in guesses, when `bound_cell` scans the guesses at it.
    """
    k = _size_class(n)
    mean: float = (work.gain_sum[k] + _FIRST * _EXPECTED) / (work.gain_count[k] + _FIRST) / n
    return mean


@kernel
def enqueue(work: Workspace, size: NDArray[np.int64], waiting: Int, r: Int) -> Int:
    """Insert cell r into `work.queue`, the list of cells to bound next, which contains `waiting` cells.

    Cells with a greater expected gain per code (`_expected_gain`) come first. Returns the new number of cells.
    """
    queue, gain = work.queue, _expected_gain(work, size[r])
    at = waiting
    while at > 0 and work.expected_gain[at - 1] < gain:
        queue[at], work.expected_gain[at] = queue[at - 1], work.expected_gain[at - 1]
        at -= 1
    queue[at], work.expected_gain[at] = r, gain
    return waiting + 1
