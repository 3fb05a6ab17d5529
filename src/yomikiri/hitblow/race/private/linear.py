"""Linear programmes. The solver hears of nothing until it is done, so it works in a process that can be ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.apart import apart
from yomikiri.budget import Budget


@dataclass
class Rows:
    """The rows of a sparse matrix, as they come."""

    count: int = 0
    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)

    def add(self, entries: list[tuple[int, float]]) -> None:
        """Add a row of (column, value)."""
        for column, value in entries:
            self.row.append(self.count)
            self.column.append(column)
            self.value.append(value)
        self.count += 1


class Programme(NamedTuple):
    """Make `cost` x as small as possible: n variables x, at least 0 but for the free ones, bound by two matrices."""

    cost: NDArray[np.float64]  # (n,)
    free: NDArray[np.bool_]  # (n,)
    most: Rows  # most x <= 0
    equal: Rows  # equal x = right
    right: NDArray[np.float64]  # (rows of `equal`,)


class Optimum(NamedTuple):
    """The variables at an optimum, and how much each row of `most` holds it back (its dual, not negative)."""

    variables: NDArray[np.float64]
    duals: NDArray[np.float64]


def optimum(programme: Programme, budget: Budget) -> Optimum:
    """An optimum of a programme that has one; raises `Stopped` with nothing."""
    return apart(_solved, programme, budget)


def _solved(programme: Programme) -> Optimum:
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    def matrix(rows: Rows) -> csr_matrix:
        return csr_matrix((rows.value, (rows.row, rows.column)), shape=(rows.count, len(programme.cost)))

    found = linprog(
        programme.cost,
        A_ub=matrix(programme.most),
        b_ub=np.zeros(programme.most.count),
        A_eq=matrix(programme.equal),
        b_eq=programme.right,
        bounds=[(None if free else 0, None) for free in programme.free],
        method="highs",
    )
    assert found.status == 0, found.message
    return Optimum(found.x, -found.ineqlin.marginals)
