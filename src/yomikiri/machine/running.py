"""Execution of a kernel in a thread of its own, so that it can be stopped.

Kernels release the interpreter lock and have no access to budgets. So a kernel runs in a thread of its own, while the
caller waits in short intervals. After each interval, the caller checks the budget, reports progress, and handles
interrupts. To stop the kernel, the caller sets a word that the kernel polls (`machine.shared_words`). Results so far
stay in the kernel's arrays, so that a later call soon reaches the same point.

On a platform with a single thread, such as a browser, a kernel runs in the caller's thread and checks the clock itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from threading import Lock, Thread, get_ident, local
from time import monotonic
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from yomikiri.common import host
from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.common.host import thread_time
from yomikiri.machine.shared_words import (
    MOST_NODES,
    NO_END,
    NODES,
    OUT_OF_NODES,
    OUT_OF_POLLS,
    POLLS,
    SHARED,
    STOP,
    STOP_REQUESTED,
    UNTIL,
    WATCHED,
)

R = TypeVar("R")

_FIRST_WAIT, _LONGEST_WAIT = 0.001, 0.02  # seconds between two checks of the budget
_SECONDS_BETWEEN_REPORTS = 0.1  # seconds between two progress reports


def run(
    kernel: Callable[[], R], words: NDArray[np.uint64], budget: Budget, on_poll: Callable[[], None] = lambda: None
) -> tuple[R, bool]:
    """Run a kernel. Return its result, and True if it was asked to stop because the budget is spent.

    The kernel polls STOP in `words`, shape (1, SHARED), and writes the number of its nodes to NODES, which is reported
    as progress. `on_poll` is called at every check of the budget. Any exception in this thread, such as an interrupt,
    stops the kernel as well. When this function returns or raises, the kernel has ended, so that its arrays can be
    reused.

    Without threads, the kernel stops by itself when the time is over, without progress reports or calls of `on_poll`.
    """
    if not host.threads():
        return _run_here(kernel, words, budget)
    running = _Running(kernel)
    wait, due, spent, before = _FIRST_WAIT, monotonic() + _SECONDS_BETWEEN_REPORTS, False, _mine.running
    try:
        _mine.running = running
        Thread(target=running.work).start()
        while not running.over.acquire(timeout=wait):
            on_poll()
            if not spent and budget.spent():
                spent = True
                words[0, STOP] = STOP_REQUESTED
            if monotonic() >= due:
                due = monotonic() + _SECONDS_BETWEEN_REPORTS
                budget.report(Progress(states=int(words[0, NODES])))
            wait = min(2 * wait, _LONGEST_WAIT)
    except BaseException:
        words[0, STOP] = STOP_REQUESTED
        running.end()
        raise
    finally:
        _mine.running = before
        _mine.seconds += running.seconds()
    return running.result(), spent


def _run_here(kernel: Callable[[], R], words: NDArray[np.uint64], budget: Budget) -> tuple[R, bool]:
    """Run a kernel in this thread. Returns its result, and True if it stopped because the budget is spent."""
    words[0, STOP] = STOP_REQUESTED if budget.spent() else WATCHED
    words[0, UNTIL] = 0 if budget.until == inf else max(1, int(budget.until * 1e9))
    try:
        found = kernel()
    finally:
        words[0, UNTIL] = 0
    return found, bool(words[0, STOP] == STOP_REQUESTED)


class Runner:
    """Runner of the kernels of one search. They share the row `words`, shape (1, SHARED)."""

    def __init__(self) -> None:
        self.words = np.zeros((1, SHARED), dtype=np.uint64)
        self.words[0, [MOST_NODES, POLLS]] = NO_END

    @property
    def nodes(self) -> int:
        """The number of nodes entered so far."""
        return int(self.words[0, NODES])

    def run(
        self, kernel: Callable[[], R], budget: Budget, polls: int = 0, on_poll: Callable[[], None] = lambda: None
    ) -> tuple[R, int]:
        """Run a kernel. Return its result, and the kernel's own reason to stop, or 0 if it finished.

        Each node counts as one state of the budget, and the kernel observes the limit exactly. Raises `Stopped` if the
        budget is spent.

        Starting a thread takes longer than many searches. So the kernel first runs in this thread for `polls` polls, a
        few milliseconds. If it needs more, it is called again in a thread of its own, and `on_poll` is called at every
        check of the budget. If `polls` is 0, it runs in a thread of its own at once.
        """
        words = self.words[0]
        for most in (polls, NO_END) if polls else (NO_END,):
            nodes = int(words[NODES])
            budget.check(nodes)
            left = budget.left(nodes)
            words[MOST_NODES] = NO_END if left is None else nodes + left
            words[POLLS], words[STOP] = most, WATCHED if most < NO_END else 0
            found, spent = (kernel(), False) if most < NO_END else run(kernel, self.words, budget, on_poll)
            why = int(words[STOP]) % WATCHED
            if spent or why == OUT_OF_NODES:
                raise Stopped
            if why != OUT_OF_POLLS:
                break
        return found, why


def computing() -> float:
    """Return the CPU time in seconds of this thread and of all kernels that it ran, including a running one."""
    return thread_time() + _mine.seconds + (_mine.running.seconds() if _mine.running else 0.0)


class _Running(Generic[R]):
    """A kernel to run in another thread. The lock `over` can be acquired once the kernel has ended."""

    def __init__(self, kernel: Callable[[], R]) -> None:
        self._kernel, self.over = kernel, Lock()
        self.over.acquire()
        # Who came first: "thread", which runs the kernel, or "caller", who cancelled it.
        self._first: dict[str, str] = {}
        self._clock: Callable[[], float] = float
        self._returned: list[R] = []
        self._raised: BaseException | None = None

    def work(self) -> None:
        """Run the kernel. This method is called in the thread that was made for the kernel."""
        if self._first.setdefault("came", "thread") != "thread":
            return
        begun, clock = thread_time(), _clock_of_this_thread()
        self._clock = lambda: clock() - begun
        try:
            self._returned.append(self._kernel())
        except BaseException as error:  # to be raised in the caller's thread
            self._raised = error
        finally:
            took = thread_time() - begun
            self._clock = lambda: took
            self.over.release()

    def end(self) -> None:
        """Cancel the kernel if it has not begun, otherwise wait until it has ended. Interrupts are ignored."""
        while True:
            try:
                if self._first.setdefault("came", "caller") == "thread":
                    self.over.acquire()
                    self.over.release()
                return
            except KeyboardInterrupt:
                continue

    def seconds(self) -> float:
        """Return the CPU time of the kernel so far, in seconds."""
        try:
            return self._clock()
        except OSError:  # its thread has just ended and stored its total time
            return self._clock()

    def result(self) -> R:
        """Return the kernel's result, or raise its exception."""
        if self._raised is not None:
            raise self._raised
        return self._returned[0]


def _clock_of_this_thread() -> Callable[[], float]:
    """Return a function that measures this thread's CPU time from any thread, or elapsed time if the system cannot.

    A thread must look up its own clock, because the clock of a thread that has ended is undefined.
    """
    if hasattr(time, "pthread_getcpuclockid"):
        clock = time.pthread_getcpuclockid(get_ident())
        return lambda: time.clock_gettime(clock)
    behind = monotonic() - thread_time()
    return lambda: monotonic() - behind


class _Mine(local):
    """State of each thread: the kernel for which it waits, and the CPU time of its earlier kernels in seconds."""

    running: _Running[Any] | None = None
    seconds = 0.0


_mine = _Mine()
