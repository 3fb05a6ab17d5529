"""A pool of processes that check or write the parts of a certificate, and give the results in order.

`CheckProgress` is the progress of a check by several processes. A *scan* compares all guesses with one set of secrets.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult, Pool
from time import monotonic
from typing import Any, Generic, TypeVar

from yomikiri.common.budget import Budget, Progress

T = TypeVar("T")
_WAITING = 4  # limit on the submitted parts whose results have not been received, per worker
_WAIT = 0.1  # seconds between two polls while waiting for a worker


class CertificatePool(Generic[T]):
    """Processes that work on parts of a certificate.

    Each process calls `begin` with `arguments` before its first part. `receive` is called in this process with the
    result of each part, in the order of the parts. `poll` is called several times a second while this process waits for
    a result. If `poll` raises an error, the wait ends with this error.
    """

    def __init__(
        self,
        workers: int,
        begin: Callable[..., object],
        arguments: tuple[Any, ...],
        receive: Callable[[T], object],
        poll: Callable[[], object],
    ) -> None:
        self._workers, self._begin, self._arguments = workers, begin, arguments
        self._receive, self._poll = receive, poll
        self._pool: Pool | None = None
        self._results = deque[AsyncResult[T]]()

    def submit(self, work: Callable[..., T], *arguments: Any) -> None:
        """Submit a part: let a worker process call `work` with `arguments`.

        If more than `_WAITING` results per worker are missing, wait for the oldest of them first.
        """
        # Start workers by spawn: a forked process could wait forever for a lock that a thread of this process holds.
        self._pool = self._pool or get_context("spawn").Pool(self._workers, _begin, (self._begin, *self._arguments))
        self._results.append(self._pool.apply_async(work, arguments))
        while len(self._results) > _WAITING * self._workers:
            self._receive_next()

    def wait_for_all(self) -> None:
        """Wait until the results of all submitted parts have been received."""
        while self._results:
            self._receive_next()

    def close(self) -> None:
        """End the worker processes."""
        if self._pool:
            self._pool.terminate()

    def _receive_next(self) -> None:
        result = self._results.popleft()
        while not result.ready():
            result.wait(_WAIT)
            self._poll()
        self._receive(result.get())


def _begin(begin: Callable[..., object], *arguments: Any) -> None:
    """Initialise a worker process. It ignores SIGINT: the parent receives it too, and then ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begin(*arguments)


@dataclass
class CheckProgress:
    """The progress of checking a certificate: the budget of the check, its start, and the work done so far.

    `begun` is the start in seconds, by the clock `time.monotonic`. `worker_scans` counts the scans of all guesses that
    the worker processes have made, and `worker_lemmas` the lemmas of the certificate that they have checked.
    """

    budget: Budget
    begun: float
    worker_scans: int = 0
    worker_lemmas: int = 0

    def count(self, scans: int) -> None:
        """Check the budget after a scan, and report the progress after every 64th scan.

        `scans` is the number of scans of this process so far. Raises `Stopped` if the budget is exhausted.
        """
        self.budget.check(scans + self.worker_scans)
        if scans % 64 == 0:
            self.report(scans)

    def report(self, scans: int) -> None:
        """Report the progress. `scans` is the number of scans of this process so far."""
        states, seconds = scans + self.worker_scans, monotonic() - self.begun
        self.budget.report(Progress(states=states, done=self.worker_lemmas, seconds=seconds))

    def poll(self, scans: int) -> None:
        """Check the budget and report progress. `scans` is the number of scans of this process so far."""
        self.budget.check(scans + self.worker_scans)
        self.report(scans)
