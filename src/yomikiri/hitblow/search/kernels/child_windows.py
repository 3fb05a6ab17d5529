"""Child windows: limits on the cost up to which each cell of a guess is searched.

The bound of a guess is the cost of the guess itself plus the bounds of its cells. A guess is *refuted* when its bound
reaches the cost to beat. The *spare cost* of a guess is the cost to beat less the bound of the guess. Several cells may
be able to refute a guess, and the search does not know which. If it gave one cell the whole spare cost, it would often
solve that cell completely for no use. So each cell first gets a window: the bound of the cell plus a share of the spare
cost.

The share of a cell is its *weight* divided by the sum of the weights of all open cells that are not yet searched in
this round. The weight grows with the difference between the typical cost and the bound of the cell. It is smaller for
large cells, which take longer. Typical costs are learned during the search. The windows change no result.
"""

from __future__ import annotations

from math import ceil, log, log2, sqrt

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.kernels.workspace import SIZE_CLASSES, Goal, Workspace
from yomikiri.machine.bits import Int
from yomikiri.machine.kernel import kernel

_WHOLE = 40  # limit on the codes of a set whose cells are searched up to the greatest cost that can matter
_FIRST = 4.0  # weight of the initial estimate of a typical cost, as a number of recorded sets
_KEPT = 64.0  # limit on the recorded sets of similar size; then sums are halved, so that newer sets count more
# First estimate of how much the lower bound of a cell rises if every guess at the cell is bounded. The unit is one
# guess.
_EXPECTED = 0.5


@kernel
def _size_class(n: Int) -> Int:
    return n if n < 32 else min(SIZE_CLASSES - 1, 32 + int(12 * log2(n / 32)))


@kernel
def _unit(goal: Goal) -> Int:
    """Return the larger of the two costs of the goal: that of a guess, and the extra cost of a late secret.

    A secret is *late* if it is found at the last guess that the limit allows. Costs divided by the result are numbers
    of guesses, or numbers of late secrets if the goal compares these first.
    """
    return max(1, goal.guess, goal.last)


@kernel
def typical_cost(work: Workspace, n: Int) -> float:
    """Return the typical cost of a set of n codes, in guesses, as the search has learned it so far."""
    k = _size_class(n)
    first = 2 + 0.3 * log(n)
    mean: float = n * (work.cost_sum[k] + _FIRST * first) / (work.cost_count[k] + _FIRST)
    return mean


@kernel
def record_cost(work: Workspace, n: Int, cost: Int) -> None:
    """Record the exact cost of a set of n codes, to learn the typical costs."""
    k = _size_class(n)
    work.cost_sum[k] += cost / n
    work.cost_count[k] += 1
    if work.cost_count[k] > _KEPT:
        work.cost_sum[k] /= 2
        work.cost_count[k] /= 2


@kernel
def cell_weight(work: Workspace, goal: Goal, n: Int, lower: Int) -> float:
    """Return the weight of a cell of n codes with the lower bound `lower`.

    In each round, the open cells of a guess share the spare cost, the cost to beat less the bound of the guess, in
    proportion to their weights.
    """
    over: float = max(0.7, typical_cost(work, n) - lower / _unit(goal)) / sqrt(n)
    return over


@kernel
def child_window(whole: Int, spare: Int, part: float) -> Int:
    """Return the part of the spare cost for a cell, at least 1: the fraction `part`, or all of it in a small set.

    The spare cost is the cost to beat less the bound of the guess. `whole` is the number of codes of the set that
    contains the cell.
    """
    return spare if whole <= _WHOLE else max(1, ceil(spare * min(1.0, part)))


@kernel
def record_gain(work: Workspace, goal: Goal, n: Int, added: Int) -> None:
    """Record by how much (`added`) the bound of a cell of n codes rose when all guesses at the cell were bounded."""
    k = _size_class(n)
    work.gain_sum[k] += max(0, added) / _unit(goal)
    work.gain_count[k] += 1


@kernel
def _expected_gain(work: Workspace, n: Int) -> float:
    """Return the expected increase of the bound of a cell when all its guesses are bounded, per code of the cell."""
    k = _size_class(n)
    mean: float = (work.gain_sum[k] + _FIRST * _EXPECTED) / (work.gain_count[k] + _FIRST) / n
    return mean


@kernel
def enqueue(work: Workspace, size: NDArray[np.int64], waiting: Int, r: Int) -> Int:
    """Insert cell r into `work.queue`, which contains `waiting` cells.

    The cells are sorted by the expected increase of their bounds per code, the greatest first. Returns the new number
    of cells.
    """
    queue, gain = work.queue, _expected_gain(work, size[r])
    at = waiting
    while at > 0 and work.expected_gain[at - 1] < gain:
        queue[at], work.expected_gain[at] = queue[at - 1], work.expected_gain[at - 1]
        at -= 1
    queue[at], work.expected_gain[at] = r, gain
    return waiting + 1
