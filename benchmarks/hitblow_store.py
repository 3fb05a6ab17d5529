"""Overhead of a store and of Dask in a long proof, as shares of the total computing time.

    python benchmarks/hitblow_store.py
    python benchmarks/hitblow_store.py 5 8 01234:1H1B --longest 0.5

A store is a file in which the bounds found by a proof are kept. The total of a game, or of the rest of a game after
some turns, is proven twice: by two threads with a store, and by one worker of a Dask scheduler on 127.0.0.1
(`pip install 'yomikiri[cluster]'`).

The cost of the store is the time that the main thread spends on records and transactions. The cost of Dask is the CPU
time of worker, scheduler and main process up to the last result, less the time of the searches. It includes work of the
main process that would also occur without Dask, but not the idle time of these processes, which is measured separately.
The benchmark takes longer on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from yomikiri.common.errors import InputError
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search.proof.cluster import Cluster
from yomikiri.hitblow.search.proof.store import ProofStore, read_store
from yomikiri.hitblow.search.proof.task import TaskResult
from yomikiri.hitblow.search.proof.worker_pool import Workers
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.strategy.strategy import Task

_IDLE = 10.0  # seconds without requests
_TICKS = os.sysconf("SC_CLK_TCK")


def store_costs(task: Task, longest: float, path: Path) -> str:
    """Prove with a store, and count its computing time."""
    spent = 0.0

    def counted(method: Callable[..., None]) -> Callable[..., None]:
        def count(*args: Any) -> None:
            nonlocal spent
            begun = time.thread_time()
            method(*args)
            spent += time.thread_time() - begun

        return count

    for name in ("_keep", "save"):
        setattr(ProofStore, name, counted(getattr(ProofStore, name)))
    seconds = solve(task, ties=False, store=path, workers=Workers(2, alone=0.0, longest=longest)).cpu_seconds
    answers = sum(1 for record in read_store(path).records if record.effort.worker)
    kept = f"{answers:,} answers, {path.stat().st_size:,} bytes"
    return f"store: {spent:.3f} s of {seconds:.1f} s of computing, {spent / seconds:.2%}; {kept}"


class Counting(Cluster):
    """A cluster that counts the results of requests and their computing time.

    It also records the time of the last result, and the computing time of some processes at that moment.
    """

    def __init__(self, address: str, processes: list[int]) -> None:
        super().__init__(address)
        self.processes, self.answers, self.seconds, self.whole, self.last = processes, 0, 0.0, 0.0, 0.0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a request, and count its result."""
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(self._count)
        return future

    def _count(self, future: Future[TaskResult]) -> None:
        if not future.cancelled() and not future.exception():
            self.answers, self.seconds = self.answers + 1, self.seconds + future.result().effort.seconds
            self.whole, self.last = _computed(self.processes), time.monotonic()


def dask_costs(task: Task, longest: float, log: Path) -> str:
    """Prove with one worker of a Dask scheduler, and count the CPU time of all processes that no search uses."""
    with _dask(log) as (address, processes), _connected(address, processes) as cluster:
        solve(Rules(3), workers=Workers(1, cluster))  # load all modules first
        cluster.answers, cluster.seconds = 0, 0.0
        before = _computed(processes)
        time.sleep(_IDLE)
        idle, before, begun = (_computed(processes) - before) / _IDLE, _computed(processes), time.monotonic()
        solve(task, ties=False, workers=Workers(1, cluster, longest=longest))
        idle *= cluster.last - begun
        whole = cluster.whole - before - idle
        beyond = whole - cluster.seconds
    return (
        f"Dask:  {beyond:.2f} s of {whole:.1f} s of computing, {beyond / whole:.2%}; {cluster.answers:,} answers; "
        f"while nothing is asked, {idle / (cluster.last - begun):.3f} s a second"
    )


@contextmanager
def _dask(log: Path) -> Iterator[tuple[str, list[int]]]:
    """Start a scheduler and a worker; return the address and the processes, including this one."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address, here = f"tcp://127.0.0.1:{port}", ("--host", "127.0.0.1", "--no-dashboard")
    commands = ("scheduler", "--port", str(port), *here), ("worker", address, "--nthreads", "1", "--no-nanny", *here)
    with log.open("wb") as said:
        started = [
            subprocess.Popen([sys.executable, "-m", "dask", *each], stdout=said, stderr=said) for each in commands
        ]
    try:
        yield address, [os.getpid(), *(each.pid for each in started)]
    finally:
        for each in started:
            each.kill()
            each.wait()


def _connected(address: str, processes: list[int]) -> Counting:
    """Return the cluster once the scheduler accepts connections."""
    for _ in range(120):
        try:
            return Counting(address, processes)
        except InputError:
            time.sleep(0.5)
    raise SystemExit("the scheduler does not come up")


def _computed(processes: list[int]) -> float:
    """Return the CPU seconds of some processes."""
    fields = [Path(f"/proc/{each}/stat").read_text(encoding="utf-8").rpartition(")")[2].split() for each in processes]
    return sum(int(each[11]) + int(each[12]) for each in fields) / _TICKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("digits", type=int, nargs="?", default=5)
    parser.add_argument("symbols", type=int, nargs="?", default=8)
    parser.add_argument("turns", nargs="*")
    parser.add_argument("--longest", type=float, default=1.0, help="seconds that a question may take")
    told = parser.parse_args()
    task = Task(Rules(told.digits, "0123456789"[: told.symbols]), facts=tuple(map(Turn.parse, told.turns)))
    with tempfile.TemporaryDirectory() as folder:
        print(store_costs(task, told.longest, Path(folder, "proof.store")), flush=True)
        print(dask_costs(task, told.longest, Path(folder, "dask.log")))


if __name__ == "__main__":
    main()
