"""Linear programs: optima with dual proofs, budgets and interrupts."""

from __future__ import annotations

from signal import SIGINT, raise_signal
from threading import enumerate as running_threads

import numpy as np
import pytest

from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.hitblow.race.linear import Program, Rows, optimum


def matrix(rows: list[list[float]]) -> Rows:
    sparse = Rows()
    for row in rows:
        sparse.add([(column, value) for column, value in enumerate(row) if value])
    return sparse


def game(size: int) -> Program:
    """Return the linear program of a random square matrix game: maximize the value v of a mixture of rows."""
    payments = np.random.default_rng(1).random((size, size))
    cost, free = np.zeros(size + 1), np.zeros(size + 1, dtype=bool)
    cost[size], free[size] = -1, True
    most = matrix([[*(-column), 1.0] for column in payments.T])
    return Program(cost, free, most, matrix([[*np.ones(size), 0.0]]), np.ones(1))


def test_duals_prove_the_optimum():
    """In a matrix game, the guaranteed values of the row mixture and of the column mixture (duals) are equal."""
    size = 30
    payments = np.random.default_rng(1).random((size, size))
    found = optimum(game(size))
    mixture, value = found.variables[:size], found.variables[size]
    assert mixture.min() > -1e-9
    assert mixture.sum() == pytest.approx(1)
    assert (mixture @ payments).min() == pytest.approx(value)
    assert found.duals.min() > -1e-9
    assert found.duals.sum() == pytest.approx(1)
    assert (payments @ found.duals).max() == pytest.approx(value)


def test_free_variables_and_right_sides_are_respected():
    """The constraints are x + y = 3 and x - y <= 0; the second program has a free variable."""
    most, equal, right = matrix([[1.0, -1.0]]), matrix([[1.0, 1.0]]), np.array([3.0])
    cost = np.array([-1.0, 0.0])
    assert optimum(Program(cost, np.zeros(2, bool), most, equal, right)).variables.tolist() == [1.5, 1.5]
    free = np.array([True, False])
    below = optimum(Program(np.array([1.0, 2.0]), free, most, matrix([[1.0, 0.0]]), np.array([-2.0]))).variables
    assert below.tolist() == [-2.0, 0.0]


def test_optimum_stops_with_its_budget():
    """The solver stops at once, and its thread ends soon after."""
    before, hard = set(running_threads()), game(700)
    reports: list[Progress] = []
    with pytest.raises(Stopped):
        optimum(hard, Budget(cancelled=lambda: bool(reports), progress=reports.append))
    assert reports
    for thread in set(running_threads()) - before:
        thread.join()


def test_interrupt_ends_a_running_solver():
    def interrupted(_: Progress) -> None:
        raise_signal(SIGINT)

    with pytest.raises(KeyboardInterrupt):
        optimum(game(300), Budget(progress=interrupted))
