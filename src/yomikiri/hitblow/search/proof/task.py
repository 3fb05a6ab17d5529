"""Tasks: units of proof work that any thread, process or machine with this program can solve.

A task is a cell with a target. The worker finds out whether a strategy costs less than the target, and if so, the least
cost. A task may be limited to *given guesses* as first guesses. The bounds in its result are valid in any case, so
results may arrive in any order, late, or twice.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.growing_table import GrowingTable
from yomikiri.hitblow.model.rules import Fact, Rules
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof.bound_table import NO_EFFORT, BoundKey, CostBounds, Effort
from yomikiri.hitblow.search.proof.probes import Prober, ProbeStep
from yomikiri.hitblow.search.subproblem import Count, Subproblem, no_other_guess
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns
from yomikiri.hitblow.search.trees import QUICK
from yomikiri.machine.running import computing

# A task that is restricted to given first guesses may take this many times its `seconds`.
MOST_OVERTIME = 30

Bounds = tuple[int, int]  # lower and upper bound of a cost; the upper one is IMPOSSIBLE if no strategy is known


@dataclass(frozen=True, slots=True)
class ProofTask:
    """The task to find the least cost of `cell`, if that is below `cell.upper`.

    If `guesses` is not empty, the strategy must begin with one of these guesses. `memory` limits the transposition
    table, in bytes. If `from_scratch`, no earlier results are used.

    `seconds` is the CPU time for the task. When it is over, the task returns the bounds so far. A task with `guesses`
    first finishes the search of the current guess, but takes at most MOST_OVERTIME times `seconds`.

    If there is a `step`, the task is only to tighten one bound of the cost. The step is a beam search for a good
    strategy, or a series of searches that raise the lower bound (see `probes`).
    """

    cell: Subproblem
    guesses: tuple[str, ...] = ()
    seconds: float = inf
    memory: int = 0
    from_scratch: bool = False
    step: ProbeStep | None = None


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The result of a task: bounds of its cost, which are equal if the cost is known.

    - `guess` is a first guess that attains the cost, if one was requested and found.
    - `left` are the given guesses whose search is not finished. The guess that was being searched at the end comes
      first. The bounds do not apply to these guesses.
    - `is_stuck` is True if not one of the given guesses was finished in MOST_OVERTIME times the `seconds` of the task.
    - `found` contains proven bounds of other cells, by their keys. For a probe (a short search for bounds), it includes
      the cell of the task itself.
    - `finished` is False if the time ended the work.
    - `effort` is the CPU time of this thread and its kernels, and the number of search nodes that they entered.
    """

    bounds: Bounds
    guess: str = ""
    left: tuple[str, ...] = ()
    is_stuck: bool = False
    found: tuple[tuple[BoundKey, CostBounds], ...] = ()
    finished: bool = True
    effort: Effort = NO_EFFORT


def solve_task(
    task: ProofTask,
    cancelled: Callable[[], bool] = UNLIMITED.cancelled,
    attained: Callable[[], int] = no_other_guess,
) -> TaskResult:
    """Solve a task with an idle engine of this process, or with a new engine.

    The search calls `attained` for the current upper bound of the cell, which other tasks may lower. If the task has
    first guesses given by the caller, those that cannot cost less are not searched to the end.
    """
    with _borrowed_engine(task) as engine:
        begun = computing()

        def spent() -> bool:
            return cancelled() or computing() - begun >= task.seconds

        budget = Budget(cancelled=cancelled if task.guesses else spent)
        return solve_with(engine, task, budget, best=True, attained=attained)


# rules, absent symbols, facts (pieces of knowledge, such as turns), True if every guess must be a candidate, and bytes
# of the transposition table
Game = tuple[Rules, str, tuple[Fact, ...], bool, int]


@dataclass(frozen=True, slots=True)
class _SharedEngines:
    """The idle engines of one game in this process, and the transposition table that they share."""

    transpositions: GrowingTable
    idle: list[SearchEngine] = field(default_factory=list)


_shared: dict[Game, _SharedEngines] = {}


def share_table(engine: SearchEngine, memory: int) -> None:
    """Let all tasks of this game in this process use the transposition table of `engine`."""
    _shared[*engine.about, memory] = _SharedEngines(engine.transpositions)


def discard_engines(engine: SearchEngine, memory: int) -> None:
    """Discard all idle engines of this game in this process. Later tasks do not use their transposition table."""
    _shared.pop((*engine.about, memory), None)


@contextmanager
def _borrowed_engine(task: ProofTask) -> Iterator[SearchEngine]:
    """Provide an engine to one task, as a context manager.

    The next task of the game can use the engine, unless the task is `from_scratch`.
    """
    cell = task.cell
    about = cell.rules, cell.absent, cell.facts, cell.consistent, task.memory
    new = _SharedEngines(GrowingTable(task.memory))
    engines = new if task.from_scratch else _shared.setdefault(about, new)
    try:
        engine = engines.idle.pop()
    except IndexError:
        engines.transpositions.join()
        engine = SearchEngine(
            cell.rules, cell.absent, cell.facts, consistent=cell.consistent, memory=engines.transpositions
        )
    try:
        yield engine
    finally:
        engines.idle.append(engine)


def _worker_name() -> str:
    """Return the name of this worker: machine, process and thread."""
    return f"{_host()}/{os.getpid()}/{threading.get_ident() & 0xFFFFFF:x}"


@cache
def _host() -> str:
    return socket.gethostname()


def solve_with(
    engine: SearchEngine,
    task: ProofTask,
    budget: Budget,
    *,
    best: bool,
    attained: Callable[[], int] = no_other_guess,
) -> TaskResult:
    """Solve a task with an engine until the budget is exhausted.

    A task that is restricted to given first guesses always returns the best of them. Any other task returns a first
    guess only if `best` is set and a best guess is found in time. The search calls `attained` for the current upper
    bound of the cell, which other tasks may lower. First guesses that cannot cost less are not searched to the end.
    """
    nodes, begun = engine.nodes, computing()
    result = _solve(engine, task, budget, best, attained)
    return replace(result, effort=Effort(computing() - begun, engine.nodes - nodes, _worker_name()))


def _solve(
    engine: SearchEngine, task: ProofTask, budget: Budget, best: bool, attained: Callable[[], int]
) -> TaskResult:
    cell = task.cell
    if task.step:
        prober = Prober(engine, cell)
        finished = prober.take(task.step, budget)
        return TaskResult(prober.bounds, found=prober.found(), finished=finished)
    if task.guesses:
        return _solve_guesses(engine, task, budget, attained)
    try:
        cost = engine.run(cell, budget)
    except Stopped:
        bounds, (guess, cost) = engine.known(cell), engine.attained(cell)
        return TaskResult(bounds, guess if best and cost == bounds[1] else "", finished=False)
    if cost >= cell.upper:
        return TaskResult((cost, IMPOSSIBLE))
    return TaskResult((cost, cost), _first_guess(engine, cell, cost, budget) if best else "")


def _solve_guesses(engine: SearchEngine, task: ProofTask, budget: Budget, attained: Callable[[], int]) -> TaskResult:
    """Solve a task that is restricted to given first guesses.

    The result includes the bounds of the cells of two guesses: the best one, and the one that was being searched at the
    end.
    """
    cell, begun, last = task.cell, computing(), 0

    def late() -> bool:
        return computing() - begun >= MOST_OVERTIME * task.seconds or budget.cancelled()

    def spent() -> bool:
        nonlocal last
        if computing() - begun >= task.seconds:
            trying = engine.trying
            # When the time is over, wait until the search begins with another guess, so that the search of the current
            # guess is finished.
            last = last or trying
            if trying != last:
                return True
        return late()

    tried = engine.least_of(cell, task.guesses, replace(budget, cancelled=spent), attained)
    stuck = len(tried.left) == len(task.guesses) and computing() - begun >= MOST_OVERTIME * task.seconds
    found: dict[BoundKey, CostBounds] = {}
    for guess in filter(None, (tried.guess, *tried.left[:1])):
        for part in engine.divided(replace(cell, upper=IMPOSSIBLE), guess):
            lower, upper = engine.known(part)
            # The transposition table contains no guesses. The code below searches for one only if the cost is exact. So
            # an upper bound that is not exact is not used, because no guess that attains it is known.
            if lower < upper:
                upper = IMPOSSIBLE
            if engine.count(part) > QUICK and (lower, upper) != (0, IMPOSSIBLE):
                best = _first_guess(engine, part, lower, replace(budget, cancelled=late)) if lower == upper else ""
                found[BoundKey.of(part)] = CostBounds(lower, upper, canonical_turns(part).permutation.of(best))
    bounds = tried.cost, tried.cost if tried.guess else IMPOSSIBLE
    return TaskResult(bounds, tried.guess, tried.left, stuck, tuple(found.items()), finished=not tried.left)


def _first_guess(engine: SearchEngine, cell: Subproblem, cost: int, budget: Budget) -> str:
    """Return a first guess that attains the least cost of a cell, or "".

    The result is "" if there is no such guess, or no time to find it. For a candidate set that was searched before,
    finding the guess takes a small part of the time of that search.
    """
    if cost >= IMPOSSIBLE or cell.count is Count.NOTHING:
        return ""
    try:
        return engine.best_guess(cell, cost, budget)
    except Stopped:
        return ""
