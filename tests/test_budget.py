"""A budget ends a search in time, after so many states, or at a call; and tells nothing but what was asked."""

from __future__ import annotations

import pickle
import time
from functools import lru_cache

import pytest

from yomikiri.budget import UNLIMITED, Budget, Progress, Slice, Stopped


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


def test_the_shorter_of_two_times_counts():
    assert Budget.within(1000.0).at_most(0.0).spent()
    assert Budget.within(0.0).at_most(1000.0).spent()
    assert Budget.within(0.0).at_most(None).spent()
    assert not UNLIMITED.at_most(None).spent()


def test_a_part_is_spent_and_told_by_what_the_whole_has_done():
    heard: list[Progress] = []
    whole = Progress(states=4)
    part = Budget(states=5, progress=heard.append).part(lambda: whole)
    assert not part.spent(100), "its own states do not count"
    part.report(Progress(states=100))
    assert heard == [whole]
    whole = Progress(states=5)
    assert part.spent()
    for spent in (Budget.within(0.0), Budget(cancelled=lambda: True)):
        assert spent.part(Progress).spent()
    assert not Budget(cancelled=lambda: False).part(lambda: whole).spent()


def test_what_is_remembered_does_not_hang_on_what_it_could_spend():
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


def test_slices_grow_and_shrink_to_a_fifth_of_a_second(monkeypatch: pytest.MonkeyPatch):
    clock = 0.0
    monkeypatch.setattr("yomikiri.budget.thread_time", lambda: clock)
    work, sizes = Slice(10, first=100), []
    for per_state in [0.0001] * 8 + [0.1] * 3:
        sizes.append(work.begin(UNLIMITED))
        clock += sizes[-1] * per_state
        work.end()
    assert sizes[:5] == [100, 200, 400, 800, 1600], "at most twice as much at once"
    assert sizes[5:9] == pytest.approx([2000] * 4, abs=10)
    assert sizes[9:] == [10, 10], "never less than the least"
    assert Slice(7).begin(UNLIMITED) == 7


def test_a_slice_is_no_longer_than_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("yomikiri.budget.monotonic", lambda: 100.0)
    work = Slice(10, first=1000)
    assert work.begin(Budget(until=101.0)) == 1000
    assert work.begin(Budget(until=100.125)) == 625
    assert work.begin(Budget(until=99.0)) == 10
