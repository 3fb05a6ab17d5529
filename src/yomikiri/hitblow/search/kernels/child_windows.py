"""What sets typically cost, learned as the search goes on: how much each cell of a guess is asked for.

Several cells of a guess may refuse it, and nobody knows beforehand which. If the search asked one cell for all that is
left, it would often solve that cell to the end for nothing. So it asks each cell for a share first: the more, the
further the typical cost lies above the bound, and less for large cells, since asking them takes longer. The shares
change no result.
"""

from __future__ import annotations

from math import ceil, log, log2, sqrt

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.kernels.workspace import SIZE_CLASSES, Goal, Workspace
from yomikiri.machine.bits import Int
from yomikiri.machine.kernel import kernel

_WHOLE = 40  # the cells of sets of up to so many codes are asked for all that is left
_FIRST = 4.0  # how many sets the first guess at a typical cost counts for
_KEPT = 64.0  # so many sets are remembered: then each counts half
_EXPECTED = 0.5  # what a look at a cell is expected to add to its bound before any was looked at


@kernel
def _size_class(n: Int) -> Int:
    return n if n < 32 else min(SIZE_CLASSES - 1, 32 + int(12 * log2(n / 32)))


@kernel
def _unit(goal: Goal) -> Int:
    """What counts as one of what costs are made of."""
    return max(1, goal.guess, goal.last)


@kernel
def typical_cost(work: Workspace, n: Int) -> float:
    """What a set of n codes typically costs, in guesses."""
    k = _size_class(n)
    first = 2 + 0.3 * log(n)
    mean: float = n * (work.cost_sum[k] + _FIRST * first) / (work.cost_count[k] + _FIRST)
    return mean


@kernel
def record_cost(work: Workspace, n: Int, cost: Int) -> None:
    """Note what a set of n codes costs."""
    k = _size_class(n)
    work.cost_sum[k] += cost / n
    work.cost_count[k] += 1
    if work.cost_count[k] > _KEPT:
        work.cost_sum[k] /= 2
        work.cost_count[k] /= 2


@kernel
def cell_weight(work: Workspace, goal: Goal, n: Int, lower: Int) -> float:
    """How much a cell of n codes counts whose cost is at least `lower`."""
    over: float = max(0.7, typical_cost(work, n) - lower / _unit(goal)) / sqrt(n)
    return over


@kernel
def child_window(whole: Int, spare: Int, part: float) -> Int:
    """What a cell is asked for beyond its bound, of what a set of `whole` codes has to spare."""
    return spare if whole <= _WHOLE else max(1, ceil(spare * min(1.0, part)))


@kernel
def record_gain(work: Workspace, goal: Goal, n: Int, added: Int) -> None:
    """Note what a look at a cell of n codes has added to its bound."""
    k = _size_class(n)
    work.gain_sum[k] += max(0, added) / _unit(goal)
    work.gain_count[k] += 1


@kernel
def _expected_gain(work: Workspace, n: Int) -> float:
    """What a look at a cell of n codes may be expected to add, for each code."""
    k = _size_class(n)
    mean: float = (work.gain_sum[k] + _FIRST * _EXPECTED) / (work.gain_count[k] + _FIRST) / n
    return mean


@kernel
def enqueue(work: Workspace, size: NDArray[np.int64], waiting: Int, r: Int) -> Int:
    """Add a cell to so many in `work.queue`, in the order in which to look at them; returns how many there are now."""
    queue, gain = work.queue, _expected_gain(work, size[r])
    at = waiting
    while at > 0 and work.expected_gain[at - 1] < gain:
        queue[at], work.expected_gain[at] = queue[at - 1], work.expected_gain[at - 1]
        at -= 1
    queue[at], work.expected_gain[at] = r, gain
    return waiting + 1
