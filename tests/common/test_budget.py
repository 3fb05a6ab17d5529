"""Budgets of time and states, cancellation, and progress reports."""

from __future__ import annotations

import pickle
import time
from functools import lru_cache

import pytest

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped


def test_unlimited_budget_is_never_spent():
    assert not UNLIMITED.spent(1 << 60)
    UNLIMITED.check(1 << 60)


def test_budget_is_spent_after_its_seconds():
    assert Budget.within(0.0).spent()
    assert not Budget.within(1000.0).spent()
    soon = Budget.within(0.01)
    time.sleep(0.02)
    with pytest.raises(Stopped):
        soon.check()


def test_budget_is_spent_after_its_states():
    budget = Budget(states=10)
    assert [budget.spent(states) for states in (0, 9, 10, 11)] == [False, False, True, True]


def test_budget_is_spent_when_cancelled():
    cancelled = False
    budget = Budget(cancelled=lambda: cancelled)
    assert not budget.spent()
    cancelled = True
    assert budget.spent()


def test_report_calls_the_progress_callback():
    reports: list[Progress] = []
    Budget(progress=reports.append).report(Progress(1, 2, states=3))
    assert reports == [Progress(1, 2, 3)]


def test_stopped_keeps_the_best_result_when_pickled():
    stopped = pickle.loads(pickle.dumps(Stopped(42)))
    assert stopped.best == 42


def test_at_most_takes_the_shorter_time():
    assert Budget.within(1000.0).at_most(0.0).spent()
    assert Budget.within(0.0).at_most(1000.0).spent()
    assert Budget.within(0.0).at_most(None).spent()
    assert not UNLIMITED.at_most(None).spent()


def test_part_counts_and_reports_the_work_of_the_whole():
    reports: list[Progress] = []
    whole = Progress(states=4)
    part = Budget(states=5, progress=reports.append).part(lambda: whole)
    assert not part.spent(100), "its own states do not count"
    part.report(Progress(states=100))
    assert reports == [whole]
    whole = Progress(states=5)
    assert part.spent()
    for spent in (Budget.within(0.0), Budget(cancelled=lambda: True)):
        assert spent.part(Progress).spent()
    assert not Budget(cancelled=lambda: False).part(lambda: whole).spent()


def test_left_counts_the_states_of_the_whole():
    assert UNLIMITED.left(7) is None
    assert [Budget(states=5).left(states) for states in (0, 4, 5, 9)] == [5, 1, 0, 0]
    looked_at = 3
    part = Budget(states=5).part(lambda: Progress(states=looked_at))
    assert part.left(100) == 2, "its own states do not count"
    assert part.part(lambda: Progress(states=0)).left() == 2, "nor do those of a part of it"
    looked_at = 6
    assert part.left() == 0


def test_cached_results_do_not_depend_on_the_budget():
    @lru_cache
    def answer(question: int, budget: Budget) -> int:
        budget.check()
        asked.append(question)
        return -question

    asked: list[int] = []
    with pytest.raises(Stopped):
        answer(1, Budget.within(0.0))
    assert answer(1, UNLIMITED) == answer(1, Budget(states=3)) == answer(1, Budget.within(0.0)) == -1
    assert asked == [1]
