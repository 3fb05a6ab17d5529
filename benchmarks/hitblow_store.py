"""What a store and Dask cost a long proof, as shares of all computing.

    python benchmarks/hitblow_store.py
    python benchmarks/hitblow_store.py 5 8 01234:1H1B --longest 0.5

The total of a game, or of what turns leave of it, is proven twice: by two threads with a store, and by one worker of a
Dask scheduler (`pip install 'yomikiri[cluster]'`), both started here on 127.0.0.1. The store costs what the thread that
asks computes to write records and end transactions. Dask costs what worker, scheduler and the asking process compute
beyond the answers, up to the last one: also what the asking process would compute without Dask; but not what they
compute in so long a time while nothing is asked, which is told apart. On a busy machine it takes long.
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

_IDLE = 10.0  # seconds for which nothing is asked
_TICKS = os.sysconf("SC_CLK_TCK")


def store_costs(task: Task, longest: float, path: Path) -> str:
    """Prove with a store, and count what it computes."""
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
    """A cluster that counts the answers, their computing time, and when the last one came, and what some processes had
    computed by then."""

    def __init__(self, address: str, processes: list[int]) -> None:
        super().__init__(address)
        self.processes, self.answers, self.seconds, self.whole, self.last = processes, 0, 0.0, 0.0, 0.0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Ask, and count the answer when it comes."""
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(self._count)
        return future

    def _count(self, future: Future[TaskResult]) -> None:
        if not future.cancelled() and not future.exception():
            self.answers, self.seconds = self.answers + 1, self.seconds + future.result().effort.seconds
            self.whole, self.last = _computed(self.processes), time.monotonic()


def dask_costs(task: Task, longest: float, log: Path) -> str:
    """Prove with one worker of a Dask scheduler, and count what all processes compute beyond the answers."""
    with _dask(log) as (address, processes), _connected(address, processes) as cluster:
        solve(Rules(3), workers=Workers(1, cluster))  # so that all is loaded
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
    """A scheduler and a worker of it, their address, and their processes and this one."""
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
    """The cluster, as soon as it answers."""
    for _ in range(120):
        try:
            return Counting(address, processes)
        except InputError:
            time.sleep(0.5)
    raise SystemExit("the scheduler does not come up")


def _computed(processes: list[int]) -> float:
    """The seconds that some processes have computed."""
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
