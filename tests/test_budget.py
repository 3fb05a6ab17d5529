"""A budget ends a search in time, after so many states, or at a call; and tells nothing but what was asked."""

from __future__ import annotations

import pickle
import time

import pytest

from yomikiri.budget import UNLIMITED, Budget, Progress, Stopped


def test_the_unlimited_budget_is_never_spent():
    assert not UNLIMITED.spent(1 << 60)
    UNLIMITED.check(1 << 60)


def test_it_is_spent_after_its_seconds():
    assert Budget.within(0.0).spent()
    assert not Budget.within(1000.0).spent()
    soon = Budget.within(0.01)
    time.sleep(0.02)
    with pytest.raises(Stopped):
        soon.check()


def test_it_is_spent_after_its_states():
    budget = Budget(states=10)
    assert [budget.spent(states) for states in (0, 9, 10, 11)] == [False, False, True, True]


def test_it_is_spent_when_it_is_cancelled():
    cancelled = False
    budget = Budget(cancelled=lambda: cancelled)
    assert not budget.spent()
    cancelled = True
    assert budget.spent()


def test_progress_reaches_whoever_listens():
    heard: list[Progress] = []
    Budget(progress=heard.append).report(Progress(1, 2, states=3))
    assert heard == [Progress(1, 2, 3)]


def test_what_was_stopped_carries_the_best_so_far():
    stopped = pickle.loads(pickle.dumps(Stopped(42)))
    assert stopped.best == 42
