"""Several workers find what one finds: threads, processes or a cluster, also if they fail."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from random import Random
from typing import Any

import pytest

from yomikiri.common.budget import UNLIMITED, Budget, Stopped, listeners
from yomikiri.common.errors import CheckError
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof import parts, tree, worker_pool
from yomikiri.hitblow.search.proof.bound_table import BoundTable, Effort
from yomikiri.hitblow.search.proof.parts import GuessNode, WorkItem
from yomikiri.hitblow.search.proof.task import MOST_OVERTIME, ProofTask, TaskResult, solve_task
from yomikiri.hitblow.search.proof.tree import ProofTree
from yomikiri.hitblow.search.proof.worker_pool import WorkerPool, Workers, _Pending
from yomikiri.hitblow.search.solution import Solution
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.strategy.strategy import Evidence, Task
from yomikiri.hitblow.strategy.verify import verify

GAME = Task(Rules(3, "01234567"))


@pytest.fixture(autouse=True)
def split_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "SPLIT", 40)
    monkeypatch.setattr(parts, "WHOLE", 10)


def check(solution: Solution) -> None:
    """Check that a solution has the least cost of 3 of 8, and a strategy with this cost."""
    assert solution.strategy
    cost = verify(solution.strategy)
    assert (cost.total_guesses, cost.max_guesses, cost.histogram[-1]) == (1449, 6, 3)
    assert solution.strategy.proof.kind is Evidence.OPTIMAL


class ImmediateExecutor(Executor):
    """An executor that calls `by` at once in this thread, instead of the submitted function."""

    def __init__(self, by: Any = solve_task) -> None:
        self.by, self.asked = by, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked += 1
        future: Future[Any] = Future()
        try:
            future.set_result(self.by(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 5])
def test_threads_find_the_same_cost(count: int) -> None:
    solution = solve(GAME, workers=Workers(count, alone=0.0, longest=0.001, checked=5))
    check(solution)
    assert solution.nodes > 0
    assert solution.cpu_seconds > 0


def test_threads_read_better_costs_while_they_search(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[int, bool]] = []

    def asked(question: ProofTask, cancelled: Callable[[], bool], attained: Callable[[], int]) -> TaskResult:
        if question.guesses:
            heard.append((attained(), question.from_scratch))
        return solve_task(question, cancelled, attained)

    monkeypatch.setattr(worker_pool, "solve_task", asked)
    check(solve(GAME, workers=Workers(2, alone=0.0, longest=0.001, checked=2)))
    assert any(cost < IMPOSSIBLE for cost, from_scratch in heard if not from_scratch)
    assert all(cost == IMPOSSIBLE for cost, from_scratch in heard if from_scratch), (
        "a check is of what was asked at the time"
    )


def test_short_proof_starts_no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "ThreadPoolExecutor", None)
    check(solve(GAME, workers=8))


def test_any_executor_works() -> None:
    executor = ImmediateExecutor()
    check(solve(GAME, workers=Workers(3, executor, longest=0.001)))
    assert executor.asked > 10
    with ThreadPoolExecutor(2) as pool:
        check(solve(GAME, workers=Workers(2, pool)))


def test_time_of_all_workers_is_counted() -> None:
    def slowly(question: ProofTask) -> TaskResult:
        return replace(solve_task(question), effort=Effort(100.0))

    executor = ImmediateExecutor(slowly)
    solution = solve(GAME, workers=Workers(2, executor, checked=0))
    assert 100 * executor.asked <= solution.cpu_seconds + solution.tie_break_cpu_seconds <= 100 * executor.asked + 50


@pytest.mark.slow
def test_task_of_a_failed_worker_is_sent_again() -> None:
    chance = Random(1)

    def fails_now_and_then(question: ProofTask) -> TaskResult:
        if chance.random() < 0.2:
            raise MemoryError
        return solve_task(question)

    check(solve(GAME, workers=Workers(2, ImmediateExecutor(fails_now_and_then))))


def test_proof_continues_alone_if_all_workers_fail() -> None:
    def fails(_question: ProofTask) -> TaskResult:
        raise MemoryError("no room")

    messages: list[dict[str, object]] = []
    listeners.append(lambda _message, data: messages.append(data))
    try:
        check(solve(GAME, workers=Workers(2, ImmediateExecutor(fails), patience=0.2)))
    finally:
        listeners.pop()
    assert messages == [{"reason": "no room"}]


def test_overdue_task_is_sent_again_and_late_results_count() -> None:
    class Forgetful(ImmediateExecutor):
        late: tuple[Future[Any], ProofTask] | None = None

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            if self.asked == 3:
                self.asked, self.late = 4, (Future(), args[0])
                return self.late[0]
            if self.asked == 8 and self.late:
                self.late[0].set_result(solve_task(self.late[1]))
            return super().submit(fn, *args, **kwargs)

    executor = Forgetful()
    check(solve(GAME, workers=Workers(2, executor, longest=0.001, patience=0.1)))
    assert executor.late
    assert executor.asked > 8


def test_tasks_of_guesses_have_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "monotonic", lambda: 1000.0)
    engine = SearchEngine(GAME.rules, "", consistent=False, memory=1 << 24)
    cell = Subproblem(GAME.rules)
    root = ProofTree(engine, cell, BoundTable()).root
    team = WorkerPool(engine, BoundTable(), 1 << 24, Workers(2, ImmediateExecutor(), longest=1.0, patience=5.0))
    whole, guesses = WorkItem(root, (), 2000), WorkItem(root, (GuessNode(root, "012", 0),), 2000)
    for opened, seconds, lost in (
        (whole, 14, False),
        (whole, 16, True),
        (guesses, 4 + 2 * MOST_OVERTIME, False),
        (guesses, 6 + 2 * MOST_OVERTIME, True),
    ):
        future: Future[TaskResult] = Future()
        team._pending[future] = _Pending(opened, opened.as_task(1.0, 0), 1000.0 - seconds)
        team._drop_overdue()
        assert (future in team._overdue) is lost
        assert (future in team._pending) is not lost


def test_eager_and_long_tasks_are_sent_to_idle_workers_only() -> None:
    class Watched(ProofTree):
        def open(self, *, among: int = 1, eager: bool = False) -> Iterator[WorkItem]:
            assert not eager or len(team._pending) < 2
            return super().open(among=among, eager=eager)

    def watched(question: ProofTask) -> TaskResult:
        pending = len(team._pending)
        seen.add((bool(question.guesses), pending))
        return solve_task(question)

    seen: set[tuple[bool, int]] = set()
    engine = SearchEngine(GAME.rules, "", consistent=False, memory=1 << 24)
    team = WorkerPool(engine, BoundTable(), 1 << 24, Workers(2, ImmediateExecutor(watched), longest=0.001, checked=0))
    game = Subproblem(GAME.rules, turns=(Turn.parse("012:0H1B"),))
    proof = Watched(engine, game, BoundTable())
    team.prove(proof, UNLIMITED, lambda: None)
    assert proof.cost == engine.run(game)
    assert (False, 2) in seen, "a cell is asked about before the last answer is there"
    assert (True, 1) in seen
    assert (True, 2) not in seen


def solve_or_exit(question: ProofTask) -> TaskResult:
    """Solve a proof task, but kill this process at the third call."""
    solve_or_exit.asked = getattr(solve_or_exit, "asked", 0) + 1  # type: ignore[attr-defined]
    if solve_or_exit.asked == 3:  # type: ignore[attr-defined]
        os.kill(os.getpid(), signal.SIGKILL)
    return solve_task(question)


@pytest.mark.exhaustive
def test_proof_survives_a_killed_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "solve_task", solve_or_exit)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        check(solve(GAME, workers=Workers(2, pool)))


def test_interrupt_returns_the_incumbent_quickly() -> None:
    reports: list[object] = []
    budget = Budget(cancelled=lambda: len(reports) > 3, progress=reports.append)
    with pytest.raises(Stopped) as stopped:
        solve(GAME, budget=budget, workers=Workers(2, ImmediateExecutor(), longest=0.001))
    best = stopped.value.best
    assert isinstance(best, Solution)
    assert best.strategy
    assert best.strategy.proof.lower_bound <= 1449 <= verify(best.strategy).total_guesses


@pytest.mark.parametrize("by", [-1, 1])
@pytest.mark.parametrize("seed", range(3))
def test_worker_that_alters_results_is_detected(by: int, seed: int) -> None:
    """Every result is checked, because the proof is small. By default, one in fifty is."""
    chance = Random(seed)
    changed: list[ProofTask] = []

    def altered(question: ProofTask) -> TaskResult:
        answer = solve_task(question)
        lower, upper = answer.bounds
        # Only finished results are checked, and the altered bounds must be wrong. If the cost is not exact, a lower
        # bound that differs by one can still be right, so it is raised by 1449, the cost of the whole game.
        harmless = not answer.finished or (by < 0 and lower < upper)
        if question.from_scratch or harmless or (changed and chance.random() >= 0.1):
            return answer
        changed.append(question)
        return replace(answer, bounds=(lower + by, upper + by) if lower == upper else (lower + 1449, upper))

    with pytest.raises(CheckError):
        solve(GAME, workers=Workers(2, ImmediateExecutor(altered), longest=0.001, checked=1))
