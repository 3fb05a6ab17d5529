"""Kernels in threads: results, budgets, limits of nodes, errors and interrupts."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from time import sleep, thread_time
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.machine import running
from yomikiri.machine.running import Runner, _Running, computing, run
from yomikiri.machine.shared_words import NODES, OWN_REASONS, SHARED, STOP, enter_node, must_stop, stop, stopped

Words = NDArray[np.uint64]


class Kernel:
    """A Python kernel that counts nodes until a stop is requested."""

    def __init__(self) -> None:
        self.words: Words = np.zeros((1, SHARED), dtype=np.uint64)
        self.ended = False

    def __call__(self) -> int:
        while not self.words[0, STOP]:
            self.words[0, NODES] += np.uint64(1)
            sleep(0.001)
        sleep(0.03)  # a real kernel also needs some time to end
        self.ended = True
        return int(self.words[0, NODES])


def after(polls: int, then: Callable[[], Any]) -> Callable[[], bool]:
    """Return a `cancelled` callback that calls `then` at one poll."""
    seen = iter(range(polls + 1))

    def look() -> bool:
        return bool(then()) if next(seen, None) == polls else False

    return look


def test_run_returns_the_result_of_the_kernel() -> None:
    assert run(lambda: 7, Kernel().words, UNLIMITED) == (7, False)


def test_run_raises_the_error_of_the_kernel() -> None:
    def fails() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(fails, Kernel().words, UNLIMITED)


def test_kernel_with_a_spent_budget_stops_and_returns_its_result() -> None:
    kernel = Kernel()
    nodes, spent = run(kernel, kernel.words, Budget(cancelled=after(3, lambda: True)))
    assert (nodes, spent, kernel.ended) == (kernel.words[0, NODES], True, True)
    assert nodes > 0


def test_progress_is_reported_during_a_run() -> None:
    kernel = Kernel()
    reports: list[Progress] = []
    run(kernel, kernel.words, Budget(cancelled=lambda: len(reports) > 2, progress=reports.append))
    assert 0 < reports[0].states <= reports[1].states <= reports[2].states


class Counting:
    """A kernel that counts nodes up to a number with the functions of real kernels."""

    def __init__(self, runner: Runner, most: int) -> None:
        self.words, self.most, self.threads = runner.words, most, list[int]()

    def __call__(self) -> int:
        self.threads.append(threading.get_ident())
        while int(self.words[0, NODES]) < self.most:
            if not enter_node(self.words):
                return -1
        return int(self.words[0, NODES])


def test_node_limit_is_exact() -> None:
    runner = Runner()
    for polls in (0, 3, 1000):
        for states in (0, 1, 2, 5):
            before = runner.nodes
            with pytest.raises(Stopped):
                runner.run(Counting(runner, before + 6), Budget(states=before + states), polls)
            assert runner.nodes - before == states
        before = runner.nodes
        assert runner.run(Counting(runner, before + 6), Budget(states=before + 6), polls) == (before + 6, 0)
        assert runner.run(Counting(runner, before + 12), UNLIMITED, polls) == (before + 12, 0)


def test_node_limit_of_a_part_counts_the_whole() -> None:
    one, other = Runner(), Runner()
    budget = Budget(states=7).part(lambda: Progress(states=one.nodes + other.nodes))
    assert one.run(Counting(one, 5), budget) == (5, 0)
    with pytest.raises(Stopped):
        other.run(Counting(other, 5), budget)
    assert (one.nodes, other.nodes) == (5, 2)


def test_short_runs_use_the_calling_thread_and_long_ones_another() -> None:
    own = threading.get_ident()
    for polls, threads in ((0, [False]), (10, [True]), (9, [True, False]), (1, [True, False])):
        runner = Runner()
        kernel = Counting(runner, 10)
        assert runner.run(kernel, UNLIMITED, polls) == (10, 0)
        assert [thread == own for thread in kernel.threads] == threads, polls


def test_run_returns_the_reason_of_a_kernel_that_stops_itself() -> None:
    runner = Runner()
    for polls in (0, 5):
        assert runner.run(lambda: stop(runner.words, OWN_REASONS + 1), UNLIMITED, polls) == (None, OWN_REASONS + 1)
        assert runner.run(lambda: stopped(runner.words), UNLIMITED, polls) == (False, 0), "the next one begins anew"


def test_runner_raises_stopped_if_the_budget_is_spent() -> None:
    runner = Runner()

    def waits() -> None:
        while not must_stop(runner.words):
            sleep(0.001)

    with pytest.raises(Stopped):
        runner.run(waits, Budget(cancelled=after(3, lambda: True)))
    with pytest.raises(Stopped):
        runner.run(lambda: pytest.fail("nothing is left to spend"), Budget.within(0.0))


def interrupted() -> None:
    signal.raise_signal(signal.SIGINT)


def cleared() -> None:
    raise LookupError


@pytest.mark.parametrize(("raised", "by"), [(KeyboardInterrupt, interrupted), (LookupError, cleared)])
def test_error_while_waiting_is_raised_after_the_kernel_has_ended(
    raised: type[BaseException], by: Callable[[], None]
) -> None:
    for where in ("look", "cancelled", "progress"):
        kernel, threads = Kernel(), threading.active_count()
        calls: dict[str, Any] = {where: after(3, by)}
        look = calls.pop("look", lambda: None)
        if "progress" in calls:
            calls["progress"] = lambda _, by=calls["progress"]: by()
        with pytest.raises(raised):
            run(kernel, kernel.words, Budget(**calls), look)
        assert kernel.ended, where
        assert threading.active_count() <= threads + 1


def test_further_interrupts_wait_for_the_kernel_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, waits = Kernel(), []

    class Interrupted:
        """A lock that interrupts the waiting thread twice before the kernel has ended."""

        def __init__(self) -> None:
            self._lock = threading.Lock()

        def acquire(self, timeout: float = -1) -> bool:
            if kernel.words[0, STOP]:
                waits.append(kernel.ended)
                if len(waits) < 3:
                    interrupted()
            return self._lock.acquire(timeout=timeout)

        def release(self) -> None:
            self._lock.release()

    monkeypatch.setattr(running, "Lock", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(kernel, kernel.words, Budget(cancelled=after(3, interrupted)))
    assert waits == [False] * 3
    assert kernel.ended


def test_abandoned_kernel_does_not_start() -> None:
    begun: list[None] = []
    one = _Running(lambda: begun.append(None))
    one.end()
    one.work()
    assert not begun
    other = _Running(lambda: begun.append(None))
    other.work()
    other.end()
    assert begun


def test_computing_counts_kernel_time_of_the_calling_thread_only() -> None:
    own: list[float] = []
    seen: list[float] = []

    def busy() -> None:
        while thread_time() < 0.05 or len(set(seen)) < 2:  # until the waiting thread has polled twice
            pass
        own.append(thread_time())

    def others() -> None:
        run(busy, Kernel().words, UNLIMITED)

    before = computing()
    run(busy, Kernel().words, UNLIMITED, lambda: seen.append(computing()))
    assert computing() - before >= own[0] >= 0.05
    assert seen == sorted(seen)
    assert seen[-1] > seen[0] >= before
    before, thread = computing(), threading.Thread(target=others)
    thread.start()
    thread.join()
    assert own[1] >= 0.05
    assert computing() - before < own[1]
