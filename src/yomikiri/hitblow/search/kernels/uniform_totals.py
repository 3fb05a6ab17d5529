"""Bounds of a set of weighted codes from uniform totals.

The *uniform total* of a set is its least total of guesses if all codes have the same weight.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.partition import count_cells, gather_answers
from yomikiri.guessing.kernels.transposition_table import TranspositionTable, put
from yomikiri.hitblow.search.kernels.weighted_workspace import WeightedPosition, WeightedSet, WeightedWorkspace
from yomikiri.machine.bits import ZERO, Int
from yomikiri.machine.kernel import entry

# least total of each cell of each guess if all codes had the same weight (uniform total)
Totals = Annotated[NDArray[np.int64], "guesses", "answer_count"]


@entry
def seed_uniform_totals(
    position: WeightedPosition,
    uniform_table: TranspositionTable,
    work: WeightedWorkspace,
    current: WeightedSet,
    uniform: Totals,
) -> None:
    """Write the totals of the cells of all guesses at a set, if all weights were equal, to `uniform_table`.

    Only cells with more codes than there are answer indices are written.
    """
    table, members, size, key = position.table, work.members, work.size[0], work.key[0]
    for g in range(len(uniform)):
        row = table.answers[g]
        gather_answers(row, members, current.start, current.n, work.set_answers)
        count_cells(work.set_answers, current.n, table.answer_count, size)
        for r in range(table.answer_count):
            key[0, r] = key[1, r] = ZERO
        for i in range(current.start, current.start + current.n):
            r, s = row[members[i]], members[i]
            key[0, r] += table.keys[s, 0]
            key[1, r] += table.keys[s, 1]
        for r in range(table.answer_count - 1):
            if table.answer_count < size[r] < current.n:
                put(uniform_table, key[0, r], key[1, r], size[r], uniform[g, r], IMPOSSIBLE)


@entry
def least_by_uniform(position: WeightedPosition, work: WeightedWorkspace, current: WeightedSet, uniform: Totals) -> Int:
    """Return a lower bound of the cost of a set, from the totals of the cells of each guess if all weights were equal.

    The bound of a cell is that of `bound_by_uniform`. A code that cannot be found within three guesses counts as found
    at the fourth.
    """
    table, members, weight = position.table, work.members, position.weight
    size, lower, last, answer_count = work.size[0], work.lower[0], work.weight[0], position.table.answer_count
    third = answer_count + (answer_count - 1) * (answer_count - 1)
    least = np.int64(IMPOSSIBLE)
    for g in range(len(uniform)):
        row = table.answers[g]
        for r in range(answer_count):
            size[r] = lower[r] = 0
        for i in range(current.start, current.start + current.n):
            r, each = row[members[i]], weight[members[i]]
            level = 1 if size[r] == 0 else 2 if size[r] < answer_count else 3 if size[r] < third else 4
            lower[r] += level * each
            size[r] += 1
            last[r] = each
        total = current.whole
        for r in range(answer_count - 1):
            if size[r] == current.n:
                total = np.int64(IMPOSSIBLE)
            elif size[r] > 0:
                levels = 2 * size[r] - 1 + max(0, size[r] - answer_count) + max(0, size[r] - third)
                total += lower[r] + last[r] * (uniform[g, r] - levels)
        least = min(least, total)
    return least
