"""Bounds of a set of weighted codes from uniform totals.

The *uniform total* of a set is its least total of guesses if all codes have the same weight. Each weight is the sum of
two parts: the weight of the lightest code of the set, and the rest. Together, the first parts cost at least the
lightest weight times the uniform total. The other parts cost least if guess 1 finds 1 code, guess 2 finds s - 1 codes,
guess 3 finds (s - 1)^2 codes, and so on, the heaviest codes first, where s is the number of answers.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.answer_table import TableProblem, TableSet
from yomikiri.guessing.kernels.table_recursion import store_bounds
from yomikiri.machine.bits import ZERO, Int
from yomikiri.machine.kernel import entry, kernel

# least total of each cell of each guess if all codes had the same weight (uniform total)
Totals = Annotated[NDArray[np.int64], "guesses", "answer_count"]


@kernel
def _bound_cells(problem: TableProblem, current: TableSet, guess: Int, totals: Totals) -> None:
    """Write the sizes, hashes and lower bounds of the cells of a guess to the workspace.

    They are written at the depth of the candidate set that the guess divides. The codes of the set must be sorted by
    weight, the heaviest first. A code that cannot be found within three guesses counts as found at the fourth.
    """
    table, work, depth = problem.table, problem.work, current.depth
    stride, count = len(table.answers) // len(table.weight), table.answer_count
    size, lower, weight, key = work.size[depth], work.lower[depth], work.weight[depth], work.key[depth]
    third = count + (count - 1) * (count - 1)
    for r in range(count):
        size[r] = lower[r] = weight[r] = 0
        key[0, r] = key[1, r] = ZERO
    for i in range(current.start, current.start + current.n):
        s = np.int64(work.members[i])
        r = table.answers[s * stride + guess]
        level = 1 if size[r] == 0 else 2 if size[r] < count else 3 if size[r] < third else 4
        lower[r] += level * table.weight[s]
        size[r] += 1
        # overwritten by each code of cell r, so that the weight of its last and lightest code remains
        weight[r] = table.weight[s]
        key[0, r] += table.keys[s, 0]
        key[1, r] += table.keys[s, 1]
    for r in range(count):
        if size[r] > 0:
            levels = 2 * size[r] - 1 + max(0, size[r] - count) + max(0, size[r] - third)
            lower[r] += weight[r] * (totals[guess, r] - levels)


@entry
def note_cells(problem: TableProblem, current: TableSet, totals: Totals) -> None:
    """Write lower bounds of the large cells of all guesses at a candidate set to the transposition table.

    A cell is large if it has more codes than there are answers. `totals` contains the least total of each cell if all
    codes had the same weight.
    """
    count, work, depth = problem.table.answer_count, problem.work, current.depth
    for guess in range(len(totals)):
        _bound_cells(problem, current, guess, totals)
        size, lower, key = work.size[depth], work.lower[depth], work.key[depth]
        for r in range(count - 1):
            if count < size[r] < current.n:
                cell = TableSet(depth + 1, 0, size[r], 0, key[0, r], key[1, r])
                store_bounds(problem, cell, lower[r], np.int64(IMPOSSIBLE))


@entry
def note_set(problem: TableProblem, current: TableSet, totals: Totals) -> None:
    """Write a lower bound of the cost of a candidate set to the transposition table: the least bound of any guess.

    The bound of a guess is computed from the bounds of its cells. `totals` contains the uniform total of each cell of
    each guess: the least total if all codes had the same weight.
    """
    count, work, least = problem.table.answer_count, problem.work, np.int64(IMPOSSIBLE)
    for guess in range(len(totals)):
        _bound_cells(problem, current, guess, totals)
        size, lower, total = work.size[current.depth], work.lower[current.depth], current.whole
        for r in range(count - 1):
            total += np.int64(IMPOSSIBLE) if size[r] == current.n else lower[r]
        least = min(least, total)
    store_bounds(problem, current, least, np.int64(IMPOSSIBLE))
