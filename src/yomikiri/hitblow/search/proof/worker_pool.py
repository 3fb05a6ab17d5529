"""Scheduler: runs the tasks of a proof in this thread first, then on a pool of workers.

The interface to workers is `concurrent.futures.Executor`: threads of this process (the kernels release the interpreter
lock), processes, or a cluster.

- A task that takes more than `Workers.longest` seconds of computing ends with the bounds so far, and its cell is split.
  Tasks with given guesses may take longer.
- A *pending* task has been sent and is not solved. It is also split if a worker is idle.
- A task whose worker fails is sent again.
- A share of the results is checked: any free worker solves the task again, without earlier results and with the guesses
  in another order.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from random import Random
from time import monotonic, sleep

from yomikiri.common.budget import Budget, Progress, Stopped, notice
from yomikiri.common.errors import N_
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof.bound_table import BoundTable
from yomikiri.hitblow.search.proof.forecast import Forecast
from yomikiri.hitblow.search.proof.parts import CellNode, CellProbe, GuessNode, WorkItem
from yomikiri.hitblow.search.proof.task import (
    MOST_OVERTIME,
    ProofTask,
    TaskResult,
    discard_engines,
    share_table,
    solve_task,
    solve_with,
)
from yomikiri.hitblow.search.proof.tree import ProofTree
from yomikiri.hitblow.search.symmetry.canonical import CodePermutation, random_permutation
from yomikiri.machine.running import computing

ALONE = 10.0  # seconds of a proof before workers are started
LONGEST = 10.0  # limit on a task, in seconds of computing
CHECKED = 50  # one of this number of results, chosen at random, is checked
PATIENCE = 120.0  # If workers have failed for this number of seconds without a success, the proof goes on without them.
_SPLIT_AFTER = 2.0  # seconds after which a pending task may be split for an idle worker
_RECHECK_TIMES = 10  # A check of a task without given guesses may take this many times `Workers.longest`.
# Limits on the probes of a proof, as fractions of all computing: with a time limit, and without one. A *probe* is a
# sequence of quick searches that tighten one bound of a large cell. Without a time limit, probes only have to supply a
# first cost to beat.
_PROBED_IF_TIMED, _PROBED = 0.5, 0.05
_STOP_SECONDS = 5.0  # seconds within which a stopped thread returns
_REPORT_SECONDS, _WAIT = 0.2, 0.02  # seconds between two progress reports, and between two checks of the budget
_PAUSE = 0.05  # seconds of the first pause after a failure; each further pause is twice as long


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers of a proof: threads of this process, or workers of an executor.

    - `count` is the number of threads, which start when the search has run for `alone` seconds. If it is 1, this thread
      does all the work. With an `executor`, it is the number of its workers, which are used from the beginning. The
      executor stays open.
    - `longest` limits a task, in seconds of computing.
    - `checked`: one result in this number is checked; 0 checks none. Results of this thread are not checked.
    - `patience`: workers that fail are tried again for this many seconds; then the proof continues without them.

    An executor may lose a task. So a task is sent again if there is no result after `patience` seconds plus a multiple
    of `longest`. A late result still counts.
    """

    count: int = 1
    executor: Executor | None = None
    alone: float = ALONE
    longest: float = LONGEST
    checked: int = CHECKED
    patience: float = PATIENCE


@dataclass(slots=True)
class _Pending:
    """A task that was sent to a worker at the time `since` and is not solved. `item` is the work item of the task.

    If this task checks the result of another task, `permutation` maps the cell of the checked task to the cell of this
    task. Otherwise `permutation` is None.
    """

    item: WorkItem
    task: ProofTask
    since: float
    permutation: CodePermutation | None = None
    # parts of the proof that this task marks as pending
    parts: list[CellNode | GuessNode | CellProbe] = field(default_factory=list)

    def attained(self) -> int:
        """Return the current upper bound of the cell of the task, or IMPOSSIBLE if the task checks a result.

        The worker skips first guesses that cannot cost less than this bound.
        """
        return IMPOSSIBLE if self.permutation else self.item.cell.upper

    def mark_pending(self) -> None:
        """Mark the parts of the work item as pending, so that no other task works on them."""
        self.parts = list(self.item.parts)
        for part in self.parts:
            part.pending += 1

    def release(self, first: int = 0) -> None:
        """Release the parts of the work item from index `first` on, so that other tasks can do them."""
        for part in self.parts[first:]:
            part.pending -= 1
        del self.parts[first:]


class WorkerPool:
    """A scheduler for the proofs of one game, one proof after the other.

    The workers are threads, processes, or other machines. `nodes` is the number of search nodes that they have entered,
    and `seconds` is their CPU time.
    """

    def __init__(self, engine: SearchEngine, bound_table: BoundTable, memory: int, workers: Workers) -> None:
        self._engine, self._bound_table, self._memory, self._workers = engine, bound_table, memory, workers
        share_table(engine, memory)
        self._stored = bound_table.is_persistent
        self._executor, self._alone_until = workers.executor, monotonic() + workers.alone
        self._over = threading.Event()
        self._threads: ThreadPoolExecutor | None = None
        self._pending: dict[Future[TaskResult], _Pending] = {}
        self._overdue: dict[Future[TaskResult], _Pending] = {}
        self._failing, self._pause = 0.0, _PAUSE
        self._chance = Random()
        # Seconds that this thread and all workers had computed when this proof began, and seconds that its probes have
        # taken since then. A probe is a sequence of quick searches that tighten one bound of a large cell.
        self._begun = self._probed = 0.0
        self.nodes, self.seconds = 0, 0.0
        self.forecast = Forecast()

    def prove(self, tree: ProofTree, budget: Budget, tell: Callable[[], None]) -> None:
        """Solve tasks until the proof is done. Calls `tell` when bounds may have changed.

        Raises `Stopped` if the budget is exhausted.
        """
        count = tree.root.subproblem.count
        self.forecast = Forecast(share=self._bound_table.begin(count))
        self._begun, self._probed = self._computing, 0.0
        before = self._bound_table.spent(count) - self._begun

        def show() -> None:
            """Report the progress. The store is saved first, so that it contains every bound that is reported."""
            if self._stored or self._executor:
                workers = self._workers.count if self._executor else 1
                self.forecast.update(tree, len(self._pending) or 1, (before + self._computing) / workers)
            self._bound_table.save(self.forecast.share)
            tell()

        while not tree.done:
            if self._executor is None:
                self._solve_alone(tree, budget, show)
            else:
                self._solve_together(tree, budget, show)

    def close(self) -> None:
        """Stop all pending tasks, and shut the workers down."""
        self._over.set()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
        discard_engines(self._engine, self._memory)

    @property
    def _may_start_workers(self) -> bool:
        return self._workers.count > 1

    def _solve_alone(self, tree: ProofTree, budget: Budget, show: Callable[[], None]) -> None:
        """Solve the next task in this thread."""
        if not self._may_start_workers and monotonic() >= self._alone_until:
            self._probe_large_cells(tree, budget)
        item = next(tree.open(), None)
        if item is None:
            assert tree.done, "a proof that is not done has something to ask"
            return
        longest = self._workers.longest if self._stored and item.can_be_split else inf
        alone = self._alone_until - monotonic()
        left = alone if item.can_be_split and (self._may_start_workers or alone > 0) else inf
        left = left if item.choices else min(longest, left)

        def report_bounds(_: Progress) -> None:
            tree.learn_bounds(item, *self._engine.known(item.subproblem))
            show()

        task = item.as_task(longest, self._memory)
        own = replace(budget.at_most(max(left, 0.0) if left < inf else None), progress=report_bounds)
        result, stopped = solve_with(self._engine, task, own, best=self._stored), False
        if not result.finished:
            stopped = budget.spent(self._engine.nodes)
            if not stopped and monotonic() >= self._alone_until and self._may_start_workers:
                self._start()
        self._take(tree, item, result)
        show()
        if stopped:
            raise Stopped

    @property
    def _computing(self) -> float:
        """The seconds that this thread and all workers have computed."""
        return self.seconds + computing()

    def _probe_large_cells(self, tree: ProofTree, budget: Budget) -> None:
        """Let the proof probe large cells, in a limited part of all computing time.

        A *probe* is a sequence of quick searches that tighten one bound of a large cell.
        """
        ends = budget.until < inf
        unused = (_PROBED_IF_TIMED if ends else _PROBED) * (self._computing - self._begun) - self._probed
        left = budget.until - monotonic() if ends else unused
        tree.probe(left if unused >= 0 else 0.0)

    def _take(self, tree: ProofTree, item: WorkItem, result: TaskResult) -> None:
        if item.probe:
            self._probed += result.effort.seconds
        tree.take(item, result)

    def _start(self) -> None:
        """Start the threads of this process that solve tasks."""
        self._threads = ThreadPoolExecutor(self._workers.count, thread_name_prefix="yomikiri")
        self._executor = self._threads

    def _solve_together(self, tree: ProofTree, budget: Budget, show: Callable[[], None]) -> None:
        """Keep all workers busy until the proof is done and all checks have returned."""
        waiting: deque[WorkItem] = deque()
        try:
            while not tree.done or any(flight.permutation for flight in self._pending.values()):
                if budget.spent(self._engine.nodes + self.nodes):
                    raise Stopped
                self._probe_large_cells(tree, budget)
                if tree.is_probing:
                    waiting.clear()  # Quick searches of large cells come before all other work.
                self._fill_workers(tree, waiting)
                if self._executor is None:
                    return
                assert self._pending or self._failing or tree.done, "a proof that is not done has something to ask"
                for future in self._wait_for_results(budget):
                    self._receive(tree, future)
                    self._bound_table.save()
                self._drop_overdue()
                show()
        finally:
            self._cancel_pending(tree)

    def _wait_for_results(self, budget: Budget) -> set[Future[TaskResult]]:
        """Wait until a result arrives, a report is due, or the budget is exhausted. Returns the results, if any."""
        due, landed = monotonic() + _REPORT_SECONDS, set[Future[TaskResult]]()
        while not landed and monotonic() < due and not budget.spent(self._engine.nodes + self.nodes):
            landed, _ = wait([*self._pending, *self._overdue], timeout=_WAIT, return_when=FIRST_COMPLETED)
        return landed

    def _cancel_pending(self, tree: ProofTree) -> None:
        """Cancel all pending tasks. Threads of this process stop soon, and their results are still used."""
        for future in self._pending:
            future.cancel()
        if self._threads is not None and not tree.done:
            self._over.set()
            for future in wait(self._pending, timeout=_STOP_SECONDS).done:
                if not future.cancelled():
                    self._receive(tree, future)
            self._bound_table.save()
        for flight in self._pending.values():
            flight.release()
        self._pending.clear()
        self._overdue.clear()

    def _drop_overdue(self) -> None:
        """Make the work of overdue tasks available again: an executor has accepted them and not returned them in time.

        Their results are still used if they arrive later.
        """
        now = monotonic()
        for future, flight in list(self._pending.items()):
            probe = flight.item.probe
            times = 2 * MOST_OVERTIME if flight.item.choices else _RECHECK_TIMES
            seconds = self._workers.patience + times * max(
                self._workers.longest, probe.seconds_needed if probe else 0.0
            )
            if self._threads is None and now - flight.since > seconds:
                self._overdue[future] = self._pending.pop(future)
                self._overdue[future].release()

    def _fill_workers(self, tree: ProofTree, waiting: deque[WorkItem]) -> None:
        """Send tasks until every worker has one and some tasks wait for the next free worker.

        Tasks whose results may turn out to be useless are sent only while a worker is idle.
        """
        count = self._workers.count
        most = count + count // 4 + 1
        while self._executor is not None and len(self._pending) < most:
            if not waiting:
                waiting.extend(islice(tree.open(among=count), most))
            if not waiting:
                if len(self._pending) >= count:
                    return
                waiting.extend(islice(tree.open(among=count, eager=True), most))
                if not waiting and not self._split_largest(tree):
                    return
                continue
            if waiting[0].choices and len(self._pending) >= count:
                # A task that is limited to some first guesses waits here for an idle worker. It may take minutes, and
                # by the time it begins, a better cost to beat may be known.
                return
            if item := waiting.popleft().refreshed():
                seconds = self._workers.longest if item.can_be_split else inf
                task = item.as_task(seconds, self._memory)
                if not self._send(_Pending(item, task, monotonic())):
                    return

    def _send(self, flight: _Pending) -> bool:
        """Send a task to a worker. Returns False if that fails."""
        assert self._executor is not None
        try:
            if self._threads is None:
                future = self._executor.submit(solve_task, flight.task)
            else:
                future = self._threads.submit(solve_task, flight.task, self._over.is_set, flight.attained)
        except (BrokenExecutor, RuntimeError, OSError) as error:
            self._handle_failure(error)
            return False
        flight.mark_pending()
        self._pending[future] = flight
        return True

    def _split_largest(self, tree: ProofTree) -> bool:
        """Split the largest task that has been pending for some time. Returns False if all are recent or small."""
        late = monotonic() - min(_SPLIT_AFTER, self._workers.longest / 2)
        flights = [
            flight
            for flight in self._pending.values()
            if flight.since < late and flight.item.can_be_split and flight.parts and not flight.item.first.split
        ]
        if not flights:
            return False
        flight = max(flights, key=lambda flight: (len(flight.parts), flight.item.cell.size))
        if len(flight.parts) > 1:
            flight.release((len(flight.parts) + 1) // 2)
        else:
            tree.split(flight.item.first)
        return True

    def _receive(self, tree: ProofTree, future: Future[TaskResult]) -> None:
        """Process the result of a task, or the failure of its worker."""
        if future in self._pending:
            flight = self._pending.pop(future)
            flight.release()
        else:
            flight = self._overdue.pop(future)
        try:
            result = future.result()
        except (Exception, CancelledError) as error:
            self._handle_failure(error)
            return
        self._failing, self._pause = 0.0, _PAUSE
        self.nodes, self.seconds = self.nodes + result.effort.nodes, self.seconds + result.effort.seconds
        if flight.permutation:
            back = flight.permutation.back
            guess, left = back(result.guess), tuple(map(back, result.left))
            tree.take(flight.item, replace(result, guess=guess, left=left, is_stuck=False, finished=True))
            return
        self._take(tree, flight.item, result)
        if result.finished and self._workers.checked and self._chance.random() * self._workers.checked < 1:
            self._check(flight, result)

    def _check(self, flight: _Pending, result: TaskResult) -> None:
        """Send a task again as a check, with a target (a cost to beat) that shows whether the result is right.

        If the cost is known, the target is that cost plus one, and the check must find the same cost. Otherwise the
        target is the lower bound, and the check must find no lower cost.
        """
        lower, upper = result.bounds
        target = min(lower + 1 if lower == upper else lower, IMPOSSIBLE)
        permutation = random_permutation(flight.task.cell, self._chance)
        cell = replace(flight.task.cell, turns=permutation.turns(flight.task.cell.turns), upper=target)
        guesses = tuple(map(permutation.of, flight.task.guesses))
        seconds = self._workers.longest * (1 if guesses else _RECHECK_TIMES)
        task = ProofTask(cell, guesses, seconds, self._memory, from_scratch=True)
        self._send(_Pending(replace(flight.item, probe=None), task, monotonic(), permutation))

    def _handle_failure(self, error: BaseException) -> None:
        """Process the failure of a worker. The work of its task becomes available again.

        Pauses for a short time. If the executor is broken, or workers have failed for `patience` seconds, the proof
        continues without workers instead.
        """
        now = monotonic()
        self._failing = self._failing or now
        lost = isinstance(error, BrokenExecutor) or now - self._failing >= self._workers.patience
        if not lost:
            self._pause = min(1.0, 2 * self._pause)
            sleep(self._pause)
        elif self._executor is not None:
            reason = str(error) or type(error).__name__
            notice(N_("the workers have failed ({reason}); the proof goes on without them"), reason=reason)
            self._executor, self._alone_until = None, inf
