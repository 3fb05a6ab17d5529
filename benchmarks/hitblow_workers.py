"""Scaling of a proof with 1, 2, 16, ... workers, in virtual time.

    python benchmarks/hitblow_workers.py 5 8 --longest 2
    python benchmarks/hitblow_workers.py 5 9 01234:1H2B --workers 1 2 128
    python benchmarks/hitblow_workers.py 5 9 01234:0H3B --workers 1 2 --threads

A request is one search: does a strategy for a set of secrets cost less than its target, a given number of guesses? All
requests run in this thread, one after another, and the computing time of each counts as the time of a worker. Results
arrive at the virtual moment at which they would arrive. The computing time of the main thread between two results
counts too. So the measured time is that of a machine with as many idle cores, and a network without delay. It does not
depend on the load of this machine.

Up to ENGINES workers have their own transposition tables; beyond that, some share one. The quick inexact searches of
large sets that begin a proof are omitted, for any number of workers. As on remote workers, a request keeps its target
if a better strategy is found meanwhile. Threads of one process share a table, and lower the target at once. `--threads`
measures them in real time, which needs as many idle cores.

The columns per number of workers: seconds until the total is proven, speed-up over the first row, idle share of the
workers, computing time of all requests, their nodes (which do not depend on the load), number of requests, their median
and maximum, and the busy share of the main thread.
"""

from __future__ import annotations

import argparse
import heapq
import statistics
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from typing import Any

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof import task, worker_pool
from yomikiri.hitblow.search.proof.bound_table import BoundTable
from yomikiri.hitblow.search.proof.task import TaskResult
from yomikiri.hitblow.search.proof.tree import ProofTree
from yomikiri.hitblow.search.proof.worker_pool import WorkerPool, Workers
from yomikiri.hitblow.search.subproblem import Subproblem

ENGINES = 64


class Virtual(Executor):
    """Workers in virtual time; `refreshed` is the moment at which the last result was processed."""

    def __init__(self, count: int) -> None:
        self.refreshed, self.asking, self._since = 0.0, 0.0, time.thread_time()
        self.lengths: list[float] = []
        self.nodes = 0
        self._free = [(0.0, worker) for worker in range(count)]
        self._flying: list[tuple[float, int, Future[Any], TaskResult]] = []
        self._engines: dict[int, Any] = {}

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a request now; its future completes when the result arrives."""
        self._charge()
        free, worker = heapq.heappop(self._free)
        task._shared.clear()
        task._shared.update(self._engines.get(worker % ENGINES, {}))
        answer = fn(*args, **kwargs)
        self._engines[worker % ENGINES] = dict(task._shared)
        end = max(free, self.refreshed) + answer.effort.seconds
        heapq.heappush(self._free, (end, worker))
        self.lengths.append(answer.effort.seconds)
        self.nodes += answer.effort.nodes
        future: Future[Any] = Future()
        heapq.heappush(self._flying, (end, len(self.lengths), future, answer))
        self._since = time.thread_time()
        return future

    def wait(self, _flying: Iterable[Any], **_settings: Any) -> tuple[set[Future[Any]], set[Future[Any]]]:
        """Return the first result to arrive, and those that arrived while the main thread was busy."""
        self._charge()
        landed: set[Future[Any]] = set()
        while self._flying and (not landed or self._flying[0][0] <= self.refreshed):
            end, _number, future, answer = heapq.heappop(self._flying)
            self.refreshed = max(self.refreshed, end)
            future.set_result(answer)
            landed.add(future)
        return landed, set()

    def clock(self) -> float:
        """Return the virtual time."""
        return self.refreshed

    def _charge(self) -> None:
        took = time.thread_time() - self._since
        self._since += took
        self.refreshed += took
        self.asking += took


class Plain(WorkerPool):
    """A pool of workers that omits the quick inexact searches of large cells."""

    def _probe_large_cells(self, _tree: ProofTree, _budget: Budget) -> None:
        pass


def measure(cell: Subproblem, count: int, longest: float, memory: int) -> tuple[int, Virtual]:
    engine = SearchEngine(cell.rules, "", consistent=False, memory=memory)
    virtual = Virtual(count)
    vars(worker_pool).update(wait=virtual.wait, monotonic=virtual.clock)
    bound_table = BoundTable()
    tree = ProofTree(engine, cell, bound_table)
    Plain(engine, bound_table, memory, Workers(count, virtual, longest=longest, checked=0)).prove(
        tree, UNLIMITED, lambda: None
    )
    return tree.cost, virtual


def measure_threads(cell: Subproblem, count: int, longest: float, memory: int) -> tuple[int, float, float, int]:
    """Return the cost, the seconds until it is proven, the CPU seconds of all threads, and their nodes."""
    engine = SearchEngine(cell.rules, "", consistent=False, memory=memory)
    bound_table = BoundTable()
    tree = ProofTree(engine, cell, bound_table)
    workers = Plain(engine, bound_table, memory, Workers(count, alone=0.0, longest=longest, checked=0))
    begun, computed = time.monotonic(), time.process_time()
    workers.prove(tree, UNLIMITED, lambda: None)
    took, computed = time.monotonic() - begun, time.process_time() - computed
    workers.close()
    return tree.cost, took, computed, engine.nodes + workers.nodes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("digits", type=int)
    parser.add_argument("symbols", type=int)
    parser.add_argument("turns", nargs="*")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 16, 128, 1024])
    parser.add_argument("--longest", type=float, default=10.0, help="seconds that a question may take")
    parser.add_argument("--memory", type=int, default=64, help="MiB of transposition table for each worker")
    parser.add_argument("--threads", action="store_true", help="threads of this process, in real time")
    told = parser.parse_args()
    rules = Rules(told.digits, "0123456789abcdef"[: told.symbols])
    cell = Subproblem(rules, turns=tuple(map(Turn.parse, told.turns)))
    if told.threads:
        print("| threads | seconds | speed-up | computing | nodes |")
        print("| ---: | ---: | ---: | ---: | ---: |")
        base = 0.0
        for count in told.workers:
            total, seconds, computing, nodes = measure_threads(cell, count, told.longest, told.memory << 20)
            base = base or seconds
            print(f"| {count:,} | {seconds:.2f} | {base / seconds:.2f} | {computing:.1f} | {nodes:,} |", flush=True)
        print(f"\ntotal {total}")
        return
    print("| workers | seconds | speed-up | idle | computing | nodes | questions | median | longest | asking |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    base = 0.0
    for count in told.workers:
        total, virtual = measure(cell, count, told.longest, told.memory << 20)
        lengths, took = virtual.lengths, virtual.refreshed
        base = base or took
        computing = sum(lengths)
        # A request that is unfinished at the end of the proof counts up to that moment.
        busy = computing - sum(max(0.0, end - took) for end, *_rest in virtual._flying)
        print(
            f"| {count:,} | {took:.2f} | {base / took:.2f} | {1 - busy / (took * count):.0%} | {computing:.1f} | "
            f"{virtual.nodes:,} | {len(lengths):,} | {statistics.median(lengths):.3f} | {max(lengths):.2f} | "
            f"{virtual.asking / took:.0%} |",
            flush=True,
        )
    print(f"\ntotal {total}")


if __name__ == "__main__":
    main()
