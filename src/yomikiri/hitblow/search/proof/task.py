"""One question, and who answers it: any thread, process or machine that has the program, alone.

A question is a cell with a target: is there a strategy that costs less, and what does the best cost? It may name some
first guesses, which are a part of the work. The answer is bounds of the cost that are right whoever asked, so that
answers may come in any order, late, or twice.
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
from yomikiri.hitblow.model.rules import Fact, Rules
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.growing_table import GrowingTable
from yomikiri.hitblow.search.proof.bound_table import NO_EFFORT, BoundKey, CostBounds, Effort
from yomikiri.hitblow.search.proof.probes import Prober, ProbeStep
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Count, Subproblem, no_other_guess
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns
from yomikiri.hitblow.search.trees import QUICK
from yomikiri.machine.running import computing

MOST_OVERTIME = 30  # times as long as it should may a question about guesses take for one of them

Bounds = tuple[int, int]  # a lower bound of a cost, and an upper one: IMPOSSIBLE if none is known


@dataclass(frozen=True, slots=True)
class ProofTask:
    """What the codes of `cell` cost, if one of `guesses` comes first where some are given, if that is below
    `cell.upper`.

    The work ends after so many `seconds` of CPU time with what is certain by then; where guesses are given it goes on
    until one is tried to the end, up to AT_MOST times as long. `memory` bounds the memo, in bytes; one that is asked
    `from_scratch` is answered without anything that was found before. One with a `step` asks for closer bounds, and
    takes the time it needs.
    """

    cell: Subproblem
    guesses: tuple[str, ...] = ()
    seconds: float = inf
    memory: int = 0
    from_scratch: bool = False
    step: ProbeStep | None = None


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Bounds of the cost that was asked for: the cost itself if they meet.

    `guess` is a first guess that attains it, if it was asked for and found. Of the guesses that were given those that
    are `left` are not tried to the end, the one that was being tried first: the bounds are of the others. It was
    `is_stuck` if all its time went into that one. `found` is what else is certain; `finished` says that nothing is
    left to do. The `effort` is what this thread, and kernels that it waited for, computed for it.
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
    """Answer a question with an engine of this process that is idle, or a new one.

    `attained` tells what the cell is known to cost at most by now: guesses that are given need be better than that.
    """
    with _borrowed_engine(question) as engine:
        begun = computing()

        def spent() -> bool:
            return cancelled() or computing() - begun >= question.seconds

        budget = Budget(cancelled=cancelled if question.guesses else spent)
        return solve_with(engine, question, budget, best=True, attained=attained)


Game = tuple[Rules, str, tuple[Fact, ...], bool, int]  # with the bytes of a memo for each engine


@dataclass(frozen=True, slots=True)
class _SharedEngines:
    """The engines of one game in this process: the idle ones, and the memo that all share."""

    transpositions: GrowingTable
    idle: list[SearchEngine] = field(default_factory=list)


_shared: dict[Game, _SharedEngines] = {}


def share_table(engine: SearchEngine, memory: int) -> None:
    """Let those who answer questions of this game in this process share the memo of an engine."""
    _shared[*engine.about, memory] = _SharedEngines(engine.transpositions)


def discard_engines(engine: SearchEngine, memory: int) -> None:
    """Let go of all idle engines of this game."""
    _shared.pop((*engine.about, memory), None)


@contextmanager
def _borrowed_engine(question: ProofTask) -> Iterator[SearchEngine]:
    """An engine for one question; it is left to the next one about its game, unless it is to have found nothing
    before."""
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
    """Who answers: machine, process and thread."""
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
    """The answer of an engine, with a `best` first guess if it is asked for, or what is certain when the budget is
    spent."""
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
    """The least cost after one of the guesses that are given; and what is known of the cells of the one that attains
    it, and of the one that was being tried."""
    cell, begun, last = question.cell, computing(), 0

    def late() -> bool:
        return computing() - begun >= MOST_OVERTIME * question.seconds or budget.cancelled()

    def spent() -> bool:
        nonlocal last
        if computing() - begun >= question.seconds:
            trying = engine.trying
            last = last or trying  # when the time was over; it is done as soon as another one is tried
            if trying != last:
                return True
        return late()

    tried = engine.least_of(cell, question.guesses, replace(budget, cancelled=spent), attained)
    stuck = len(tried.left) == len(question.guesses) and computing() - begun >= MOST_OVERTIME * question.seconds
    found: dict[BoundKey, CostBounds] = {}
    for guess in filter(None, (tried.guess, *tried.left[:1])):
        for part in engine.divided(replace(cell, upper=IMPOSSIBLE), guess):
            lower, upper = engine.known(part)
            if lower < upper:  # no guess that attains the upper bound is at hand
                upper = IMPOSSIBLE
            if engine.count(part) > QUICK and (lower, upper) != (0, IMPOSSIBLE):
                best = _first_guess(engine, part, lower, replace(budget, cancelled=late)) if lower == upper else ""
                found[BoundKey.of(part)] = CostBounds(lower, upper, canonical_turns(part).permutation.of(best))
    bounds = tried.cost, tried.cost if tried.guess else IMPOSSIBLE
    return TaskResult(bounds, tried.guess, tried.left, stuck, tuple(found.items()), finished=not tried.left)


def _first_guess(engine: SearchEngine, cell: Subproblem, cost: int, budget: Budget) -> str:
    """A first guess that attains the least cost of a cell, if there is one, and time to look for it: that of a set that
    was just searched is found in a small part of the time of the search."""
    if cost >= IMPOSSIBLE or cell.count is Count.NOTHING:
        return ""
    try:
        return engine.best_guess(cell, cost, budget)
    except Stopped:
        return ""
