"""Child windows: how much each cell of a guess may cost while the guess is being refuted.

Several cells of a guess may refute it, and it is not known which. If the search gave one cell the whole spare cost, it
would often solve that cell completely for no use. So each cell first gets a window: its bound plus a share of the spare
cost. The share grows with the difference between the typical cost of the cell and its bound, and is smaller for large
cells, which take longer. Typical costs are learned during the search. The windows change no result.
"""

from __future__ import annotations

from math import ceil, log, log2, sqrt

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.kernels.workspace import SIZE_CLASSES, Goal, Workspace
from yomikiri.machine.bits import Int
from yomikiri.machine.kernel import kernel

_WHOLE = 40  # the cells of sets of up to this many codes get the whole spare cost
_FIRST = 4.0  # the weight, in sets, of the first estimate of a typical cost
_KEPT = 64.0  # when this many sets are recorded, their weights are halved
_EXPECTED = 0.5  # the gain of a scan of a cell that is expected before the first scan


@kernel
def _size_class(n: Int) -> Int:
    return n if n < 32 else min(SIZE_CLASSES - 1, 32 + int(12 * log2(n / 32)))


@kernel
def _unit(goal: Goal) -> Int:
    """Return the unit of costs."""
    return max(1, goal.guess, goal.last)


@kernel
def typical_cost(work: Workspace, n: Int) -> float:
    """Return the typical cost of a set of n codes, in guesses."""
    k = _size_class(n)
    first = 2 + 0.3 * log(n)
    mean: float = n * (work.cost_sum[k] + _FIRST * first) / (work.cost_count[k] + _FIRST)
    return mean


@kernel
def record_cost(work: Workspace, n: Int, cost: Int) -> None:
    """Record the cost of a set of n codes."""
    k = _size_class(n)
    work.cost_sum[k] += cost / n
    work.cost_count[k] += 1
    if work.cost_count[k] > _KEPT:
        work.cost_sum[k] /= 2
        work.cost_count[k] /= 2


@kernel
def cell_weight(work: Workspace, goal: Goal, n: Int, lower: Int) -> float:
    """Return the weight of a cell of n codes with a lower bound, by which it gets its share of the spare cost."""
    over: float = max(0.7, typical_cost(work, n) - lower / _unit(goal)) / sqrt(n)
    return over


@kernel
def child_window(whole: Int, spare: Int, part: float) -> Int:
    """Return the part of the spare cost for a cell of a set of `whole` codes with this part of the weights."""
    return spare if whole <= _WHOLE else max(1, ceil(spare * min(1.0, part)))


@kernel
def record_gain(work: Workspace, goal: Goal, n: Int, added: Int) -> None:
    """Record the gain of a scan of a cell of n codes: the increase of its bound."""
    k = _size_class(n)
    work.gain_sum[k] += max(0, added) / _unit(goal)
    work.gain_count[k] += 1


@kernel
def _expected_gain(work: Workspace, n: Int) -> float:
    """Return the expected gain of a scan of a cell of n codes, for each code."""
    k = _size_class(n)
    mean: float = (work.gain_sum[k] + _FIRST * _EXPECTED) / (work.gain_count[k] + _FIRST) / n
    return mean


@kernel
def enqueue(work: Workspace, size: NDArray[np.int64], waiting: Int, r: Int) -> Int:
    """Insert a cell into `work.queue`, which contains `waiting` cells by expected gain. Returns their number."""
    queue, gain = work.queue, _expected_gain(work, size[r])
    at = waiting
    while at > 0 and work.expected_gain[at - 1] < gain:
        queue[at], work.expected_gain[at] = queue[at - 1], work.expected_gain[at - 1]
        at -= 1
    queue[at], work.expected_gain[at] = r, gain
    return waiting + 1
