"""Linear programs, solved by HiGHS (Huangfu and Hall 2018), which is imported on first use."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Progress

if TYPE_CHECKING:
    from highspy import Highs
    from highspy.highs import HighsCallbackEvent

_POLL_SECONDS = 0.05  # seconds between two checks of the budget while the solver runs


@dataclass
class Rows:
    """The rows of a sparse matrix, built one by one.

    Row i has the elements `values[starts[i] : starts[i + 1]]`, in the columns `columns[starts[i] : starts[i + 1]]`. All
    other elements are 0.
    """

    starts: list[int] = field(default_factory=lambda: [0])
    columns: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    @property
    def count(self) -> int:
        """The number of rows of the matrix so far."""
        return len(self.starts) - 1

    def add(self, entries: list[tuple[int, float]]) -> None:
        """Add a row to the matrix, given by (column, value) pairs with distinct columns; other elements are 0."""
        for column, value in entries:
            self.columns.append(column)
            self.values.append(value)
        self.starts.append(len(self.columns))


class Program(NamedTuple):
    """A linear program: minimise c x over n variables x, subject to A x <= 0 and B x = b.

    The fields contain the vector c (`cost`), the matrices A (`most`) and B (`equal`), and the vector b (`right`).
    Variables are at least 0 unless `free` is True for them.
    """

    cost: NDArray[np.float64]  # coefficient of each variable in the minimised sum: shape (n,)
    free: NDArray[np.bool_]  # True for each variable that may be negative: shape (n,)
    most: Rows  # matrix A of the inequalities A x <= 0, with n columns
    equal: Rows  # matrix B of the equations B x = b, with n columns
    right: NDArray[np.float64]  # right-hand side b of the equations B x = b: one element per row of B


class Optimum(NamedTuple):
    """An optimal solution of a linear program: the variables, and the dual value (at least 0) of each inequality."""

    variables: NDArray[np.float64]
    duals: NDArray[np.float64]


def optimum(program: Program, budget: Budget = UNLIMITED) -> Optimum:
    """Return an optimal solution of a linear program that is feasible and bounded.

    HiGHS runs in a thread of its own. Raises `Stopped` when the budget is exhausted. In this case, or if the user
    presses Ctrl-C, the caller continues at once, but the thread of HiGHS ends only after the current step of the
    algorithm. The longest step is the first one: it takes a second for half a million non-zero elements. The process
    cannot exit before this thread has ended.
    """
    from highspy import HighsModelStatus

    # Use a plain lock and a list, not an `Event`: Ctrl-C inside a method of `Event` would leave the lock of the `Event`
    # broken.
    solver, over, ended = _solver(program), Lock(), list[bool]()
    over.acquire()

    def poll(event: HighsCallbackEvent) -> None:
        if ended:
            event.interrupt()

    def work() -> None:
        try:
            solver.run()
        finally:
            over.release()

    solver.cbSimplexInterrupt.subscribe(poll)
    solver.cbIpmInterrupt.subscribe(poll)
    Thread(target=work).start()
    try:
        # Do not use `Thread.join`: in Python 3.11, `join` treats the thread as finished after Ctrl-C.
        while True:
            budget.check()
            budget.report(Progress())
            if over.acquire(timeout=_POLL_SECONDS):
                break
    finally:
        ended.append(True)
    assert solver.getModelStatus() == HighsModelStatus.kOptimal
    found = solver.getSolution()
    return Optimum(np.array(found.col_value, np.float64), -np.array(found.row_dual[: program.most.count], np.float64))


def _solver(program: Program) -> Highs:
    """Return a HiGHS solver with a linear program loaded. The solver prints nothing and uses one thread."""
    from highspy import Highs, HighsLp, MatrixFormat, kHighsInf

    most, equal = program.most, program.equal
    variables, limits = len(program.cost), np.zeros(most.count)
    model = HighsLp()
    model.num_col_, model.num_row_ = variables, most.count + equal.count
    model.col_cost_ = program.cost
    model.col_lower_ = np.where(program.free, -kHighsInf, 0.0)
    model.col_upper_ = np.full(variables, kHighsInf, np.float64)
    model.row_lower_ = np.concatenate((limits - kHighsInf, program.right))
    model.row_upper_ = np.concatenate((limits, program.right))
    model.a_matrix_.format_ = MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.array(most.starts + [most.starts[-1] + start for start in equal.starts[1:]], np.int32)
    model.a_matrix_.index_ = np.array(most.columns + equal.columns, np.int32)
    model.a_matrix_.value_ = np.array(most.values + equal.values, np.float64)
    solver = Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.passModel(model)
    return solver
