"""A unit of proof work, and its solution by any thread, process or machine that has the program.

A task is a cell with a target: does a strategy cost less, and if so, what is the least cost? It can name first guesses,
which are part of the work. The result contains bounds of the cost that hold in any case, so results may arrive in any
order, late, or twice.
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

MOST_OVERTIME = 30  # a task with given guesses may take this many times its seconds for one guess

Bounds = tuple[int, int]  # lower and upper bound of a cost, IMPOSSIBLE without a strategy


@dataclass(frozen=True, slots=True)
class ProofTask:
    """The task to find the least cost of the codes of `cell`, if it is below `cell.upper`.

    With `guesses`, one of them is the first guess. The work ends after `seconds` of CPU time with the bounds so far.
    With `guesses`, it continues until one of them is done, up to MOST_OVERTIME times as long. `memory` limits the
    transposition table, in bytes. A task `from_scratch` uses no earlier results. A task with a `step` takes a step of a
    probe, and the time it needs.
    """

    cell: Subproblem
    guesses: tuple[str, ...] = ()
    seconds: float = inf
    memory: int = 0
    from_scratch: bool = False
    step: ProbeStep | None = None


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Bounds of the cost of a task. They are equal if the cost is known.

    `guess` is a first guess that attains it, if it was requested and found. Given guesses in `left` are not done, the
    one that was being searched first; the bounds are those of the other guesses. The task `is_stuck` if all its time
    went into that one. `found` are further proven bounds. `finished` is True if the proof is complete. `effort` is the
    computing time of this thread and its kernels.
    """

    bounds: Bounds
    guess: str = ""
    left: tuple[str, ...] = ()
    is_stuck: bool = False
    found: tuple[tuple[BoundKey, CostBounds], ...] = ()
    finished: bool = True
    effort: Effort = NO_EFFORT


def solve_task(
    question: ProofTask,
    cancelled: Callable[[], bool] = UNLIMITED.cancelled,
    attained: Callable[[], int] = no_other_guess,
) -> TaskResult:
    """Solve a task with an idle engine of this process, or a new one.

    `attained` returns the current upper bound of the cell. A given guess is of use only if it costs less.
    """
    with _borrowed_engine(question) as engine:
        begun = computing()

        def spent() -> bool:
            return cancelled() or computing() - begun >= question.seconds

        budget = Budget(cancelled=cancelled if question.guesses else spent)
        return solve_with(engine, question, budget, best=True, attained=attained)


Game = tuple[Rules, str, tuple[Fact, ...], bool, int]  # with the bytes of a transposition table for each engine


@dataclass(frozen=True, slots=True)
class _SharedEngines:
    """The idle engines of one game in this process, and their transposition table."""

    transpositions: GrowingTable
    idle: list[SearchEngine] = field(default_factory=list)


_shared: dict[Game, _SharedEngines] = {}


def share_table(engine: SearchEngine, memory: int) -> None:
    """Let tasks of this game in this process share the transposition table of an engine."""
    _shared[*engine.about, memory] = _SharedEngines(engine.transpositions)


def discard_engines(engine: SearchEngine, memory: int) -> None:
    """Discard all idle engines of this game."""
    _shared.pop((*engine.about, memory), None)


@contextmanager
def _borrowed_engine(question: ProofTask) -> Iterator[SearchEngine]:
    """Lend an engine to one task. The next task of its game can use it, unless the task is `from_scratch`."""
    cell = question.cell
    about = cell.rules, cell.absent, cell.facts, cell.consistent, question.memory
    fresh = _SharedEngines(GrowingTable(question.memory))
    room = fresh if question.from_scratch else _shared.setdefault(about, fresh)
    try:
        engine = room.idle.pop()
    except IndexError:
        room.transpositions.join()
        engine = SearchEngine(
            cell.rules, cell.absent, cell.facts, consistent=cell.consistent, memory=room.transpositions
        )
    try:
        yield engine
    finally:
        room.idle.append(engine)


def _worker_name() -> str:
    """Return the name of this worker: machine, process and thread."""
    return f"{_host()}/{os.getpid()}/{threading.get_ident() & 0xFFFFFF:x}"


@cache
def _host() -> str:
    return socket.gethostname()


def solve_with(
    engine: SearchEngine,
    question: ProofTask,
    budget: Budget,
    *,
    best: bool,
    attained: Callable[[], int] = no_other_guess,
) -> TaskResult:
    """Solve a task with an engine until the budget is exhausted. A first guess is included if `best` is True."""
    nodes, begun = engine.nodes, computing()
    answer = _answer(engine, question, budget, best, attained)
    return replace(answer, effort=Effort(computing() - begun, engine.nodes - nodes, _worker_name()))


def _answer(
    engine: SearchEngine, question: ProofTask, budget: Budget, best: bool, attained: Callable[[], int]
) -> TaskResult:
    cell = question.cell
    if question.step:
        rough = Prober(engine, cell)
        finished = rough.take(question.step, budget)
        return TaskResult(rough.bounds, found=rough.found(), finished=finished)
    if question.guesses:
        return _solve_guesses(engine, question, budget, attained)
    try:
        cost = engine.run(cell, budget)
    except Stopped:
        bounds, (guess, cost) = engine.known(cell), engine.attained(cell)
        return TaskResult(bounds, guess if best and cost == bounds[1] else "", finished=False)
    if cost >= cell.upper:
        return TaskResult((cost, IMPOSSIBLE))
    return TaskResult((cost, cost), _first_guess(engine, cell, cost, budget) if best else "")


def _solve_guesses(
    engine: SearchEngine, question: ProofTask, budget: Budget, attained: Callable[[], int]
) -> TaskResult:
    """Return the least cost after one of the given guesses.

    The result includes the bounds of the cells of the guess that attains it, and of the guess that was being searched.
    """
    cell, begun, last = question.cell, computing(), 0

    def late() -> bool:
        return computing() - begun >= MOST_OVERTIME * question.seconds or budget.cancelled()

    def spent() -> bool:
        nonlocal last
        if computing() - begun >= question.seconds:
            trying = engine.trying
            last = (
                last or trying
            )  # the guess at the end of the time; the search of another one shows that it is complete
            if trying != last:
                return True
        return late()

    tried = engine.least_of(cell, question.guesses, replace(budget, cancelled=spent), attained)
    stuck = len(tried.left) == len(question.guesses) and computing() - begun >= MOST_OVERTIME * question.seconds
    found: dict[BoundKey, CostBounds] = {}
    for guess in filter(None, (tried.guess, *tried.left[:1])):
        for part in engine.divided(replace(cell, upper=IMPOSSIBLE), guess):
            lower, upper = engine.known(part)
            if lower < upper:  # the guess that attains the upper bound is unknown
                upper = IMPOSSIBLE
            if engine.count(part) > QUICK and (lower, upper) != (0, IMPOSSIBLE):
                best = _first_guess(engine, part, lower, replace(budget, cancelled=late)) if lower == upper else ""
                found[BoundKey.of(part)] = CostBounds(lower, upper, canonical_turns(part).permutation.of(best))
    bounds = tried.cost, tried.cost if tried.guess else IMPOSSIBLE
    return TaskResult(bounds, tried.guess, tried.left, stuck, tuple(found.items()), finished=not tried.left)


def _first_guess(engine: SearchEngine, cell: Subproblem, cost: int, budget: Budget) -> str:
    """Return a first guess that attains the least cost of a cell, or "" if there is none or no time to find it.

    For a set that was searched before, finding it takes a small part of the time of the search.
    """
    if cost >= IMPOSSIBLE or cell.count is Count.NOTHING:
        return ""
    try:
        return engine.best_guess(cell, cost, budget)
    except Stopped:
        return ""
