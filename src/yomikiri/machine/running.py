"""A kernel in a thread of its own, which can be stopped.

Kernels let go of the interpreter, and know nothing of budgets. So one runs in a thread of its own while its caller
waits, in short waits: looks whether the budget is spent, tells how far the search has come, and takes interrupts. To
stop it the caller sets a word that the kernel reads wherever some time has passed (`machine.shared_words`). What
it learned stands in its arrays, so that whoever asks again soon gets to where it was.

Where there is one thread, in a browser, a kernel runs in that of its caller, and looks at the clock itself.
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
    LOOKS,
    MOST_NODES,
    NO_END,
    NODES,
    OUT_OF_LOOKS,
    OUT_OF_NODES,
    SHARED,
    STOP,
    TOLD,
    UNTIL,
)

R = TypeVar("R")

_FIRST_WAIT, _LONGEST_WAIT = 0.001, 0.02  # seconds between two looks at the budget
_TELLS = 0.1  # seconds between two words on progress


def run(
    kernel: Callable[[], R], words: NDArray[np.uint64], budget: Budget, look: Callable[[], None] = lambda: None
) -> tuple[R, bool]:
    """What a kernel returns, and whether it was told to stop because the budget is spent.

    It reads STOP in `words` (1, SHARED), and writes NODES, which are told as progress; how many it may enter it counts
    itself. `look` is called at every look at the budget. Whatever is raised meanwhile, an interrupt above all, stops
    the kernel as well. When this returns or raises the kernel has ended, so that its arrays may be used again.

    Without threads it stops by itself at the end of the budget's time; nothing is told or looked at meanwhile.
    """
    if not host.threads():
        return _run_here(kernel, words, budget)
    running = _Running(kernel)
    wait, due, spent, before = _FIRST_WAIT, monotonic() + _TELLS, False, _mine.running
    try:
        _mine.running = running
        Thread(target=running.work).start()
        while not running.over.acquire(timeout=wait):
            look()
            if not spent and budget.spent():
                spent = True
                words[0, STOP] = 1
            if monotonic() >= due:
                due = monotonic() + _TELLS
                budget.report(Progress(states=int(words[0, NODES])))
            wait = min(2 * wait, _LONGEST_WAIT)
    except BaseException:
        words[0, STOP] = 1
        running.end()
        raise
    finally:
        _mine.running = before
        _mine.seconds += running.seconds()
    return running.result(), spent


def _run_here(kernel: Callable[[], R], words: NDArray[np.uint64], budget: Budget) -> tuple[R, bool]:
    """The same in this thread."""
    if budget.spent():
        words[0, STOP] = TOLD
    words[0, UNTIL] = 0 if budget.until == inf else max(1, int(budget.until * 1e9))
    try:
        found = kernel()
    finally:
        words[0, UNTIL] = 0
    return found, bool(words[0, STOP] == TOLD)


class Runner:
    """Runs the kernels of one search, one after another, which share its `words`, (1, SHARED), with it."""

    def __init__(self) -> None:
        self.words = np.zeros((1, SHARED), dtype=np.uint64)
        self.words[0, [MOST_NODES, LOOKS]] = NO_END

    @property
    def nodes(self) -> int:
        """The nodes that were entered so far."""
        return int(self.words[0, NODES])

    def run(
        self, kernel: Callable[[], R], budget: Budget, looks: int = 0, look: Callable[[], None] = lambda: None
    ) -> tuple[R, int]:
        """What a kernel returns, and its own reason to stop, 0 if it came to its end.

        The states of the budget are nodes, which the kernel keeps to exactly. Raises `Stopped` when it is spent. A
        thread takes longer to begin than many questions to be answered. So the kernel may first take so many `looks` at
        its words in the thread that asks, a few milliseconds; if it needs more it is asked again, in a thread of its
        own, and `look` is called at every look at the budget.
        """
        words = self.words[0]
        for most in (looks, NO_END) if looks else (NO_END,):
            nodes = int(words[NODES])
            budget.check(nodes)
            left = budget.left(nodes)
            words[MOST_NODES] = NO_END if left is None else nodes + left
            words[LOOKS], words[STOP] = most, 0
            found, spent = (kernel(), False) if most < NO_END else run(kernel, self.words, budget, look)
            why = int(words[STOP])
            if spent or why == OUT_OF_NODES:
                raise Stopped
            if why != OUT_OF_LOOKS:
                break
        return found, why


def computing() -> float:
    """The seconds of CPU time of this thread and of all kernels that it ran, up to now of one that it waits for."""
    return thread_time() + _mine.seconds + (_mine.running.seconds() if _mine.running else 0.0)


class _Running(Generic[R]):
    """A kernel that is to run in another thread; `over` can be taken once it has ended."""

    def __init__(self, kernel: Callable[[], R]) -> None:
        self._kernel, self.over = kernel, Lock()
        self.over.acquire()
        self._first: dict[str, str] = {}  # who came first: the thread, or a caller who no longer wants it to begin
        self._clock: Callable[[], float] = float
        self._returned: list[R] = []
        self._raised: BaseException | None = None

    def work(self) -> None:
        """Run it: what the thread does."""
        if self._first.setdefault("came", "thread") != "thread":
            return
        begun, clock = thread_time(), _clock_of_this_thread()
        self._clock = lambda: clock() - begun
        try:
            self._returned.append(self._kernel())
        except BaseException as error:  # it is the caller's
            self._raised = error
        finally:
            took = thread_time() - begun
            self._clock = lambda: took
            self.over.release()

    def end(self) -> None:
        """See that it does not begin, or wait until it has ended, however often one interrupts."""
        while True:
            try:
                if self._first.setdefault("came", "caller") == "thread":
                    self.over.acquire()
                    self.over.release()
                return
            except KeyboardInterrupt:
                continue

    def seconds(self) -> float:
        """The CPU time that it took so far."""
        try:
            return self._clock()
        except OSError:  # its thread has just ended, and has left the sum
            return self._clock()

    def result(self) -> R:
        """What it returned; raises what it raised."""
        if self._raised is not None:
            raise self._raised
        return self._returned[0]


def _clock_of_this_thread() -> Callable[[], float]:
    """What tells any thread the CPU time of this one while it lives; where the system cannot, the time that passes.

    A thread names its own clock, since naming that of one that has ended is undefined.
    """
    if hasattr(time, "pthread_getcpuclockid"):
        clock = time.pthread_getcpuclockid(get_ident())
        return lambda: time.clock_gettime(clock)
    behind = monotonic() - thread_time()
    return lambda: monotonic() - behind


class _Mine(local):
    """Of each thread: the kernel that it waits for, and the CPU time of those that it waited for."""

    running: _Running[Any] | None = None
    seconds = 0.0


_mine = _Mine()
