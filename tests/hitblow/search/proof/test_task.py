"""Results of proof tasks: their bounds are valid, and their guesses have the cost of the upper bound."""

from __future__ import annotations

from dataclasses import replace

import pytest

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof import task
from yomikiri.hitblow.search.proof.bound_table import BoundKey
from yomikiri.hitblow.search.proof.task import (
    ProofTask,
    TaskResult,
    discard_engines,
    share_table,
    solve_task,
    solve_with,
)
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns

RULES = Rules(3, "01234567")
START = Subproblem(RULES, turns=(Turn.parse("012:0H1B"),))


def new_engine() -> SearchEngine:
    return SearchEngine(RULES, "", consistent=False, memory=1 << 24)


def least_after(cell: Subproblem, guess: str) -> int:
    """Return the cost of a cell after a first guess: one guess for every code, and the costs of its cells."""
    engine = new_engine()
    return engine.count(cell) * cell.count.guess + sum(map(engine.run, engine.divided(cell, guess)))


@pytest.mark.parametrize(
    "start", [START, *(replace(START, count=each, limit=5) for each in (Count.LAST, Count.FEWEST))]
)
def test_result_contains_attaining_guesses_of_cells(start: Subproblem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "QUICK", 3)
    engine = new_engine()
    guesses = tuple(guess for _, guess in engine.guesses(replace(start, count=Count.TOTAL, limit=None)))
    answer = solve_with(engine, ProofTask(start, guesses), UNLIMITED, best=True)
    assert answer.bounds[0] == answer.bounds[1] == least_after(start, answer.guess) == new_engine().run(start)
    found = dict(answer.found)
    large = [cell for cell in engine.divided(replace(start, upper=IMPOSSIBLE), answer.guess) if engine.count(cell) > 3]
    assert len(large) > 3
    for cell in large:
        name = canonical_turns(cell)
        known = found[BoundKey(cell.count, cell.limit, name.turns)]
        assert known.lower == known.upper == least_after(cell, name.permutation.back(known.best))


def test_unfinished_result_has_a_guess_attaining_its_bound() -> None:
    begun: list[TaskResult] = []
    for nodes in range(2, 60, 2):
        answer = solve_with(new_engine(), ProofTask(START), Budget(states=nodes), best=True)
        begun += [answer] * (not answer.finished and answer.bounds[1] < IMPOSSIBLE)
        if answer.guess:
            assert least_after(START, answer.guess) <= answer.bounds[1]
    assert begun
    assert all(answer.guess for answer in begun)


def test_results_reach_the_shared_table_unless_from_scratch() -> None:
    engine, memory = new_engine(), 1 << 24
    share_table(engine, memory)
    try:
        from_scratch = solve_task(ProofTask(START, memory=memory, from_scratch=True))
        assert engine.known(START) == (0, IMPOSSIBLE)
        answer = solve_task(ProofTask(START, memory=memory))
        assert answer.effort.nodes == from_scratch.effort.nodes > 0
        assert engine.known(START) == answer.bounds == from_scratch.bounds
        assert solve_task(ProofTask(START, memory=memory, from_scratch=True)).effort.nodes == from_scratch.effort.nodes
    finally:
        discard_engines(engine, memory)
    assert solve_task(ProofTask(START, memory=memory)).effort.nodes == from_scratch.effort.nodes
    discard_engines(engine, memory)


LARGE = Subproblem(Rules(4, "0123456789"), turns=(Turn.parse("0123:0H1B"),))  # 1,440 codes


def test_task_ends_after_its_seconds_of_computing() -> None:
    answer = solve_task(ProofTask(LARGE, seconds=0.05, memory=1 << 24, from_scratch=True))
    assert not answer.finished
    assert answer.effort.seconds >= 0.05
    lower, upper = answer.bounds
    assert 0 < lower < upper


def test_task_of_guesses_completes_the_current_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is over at once, but the task completes the guess that it has begun."""
    monkeypatch.setattr(task, "MOST_OVERTIME", 1e9)
    engine = SearchEngine(LARGE.rules, "", consistent=False, memory=1 << 24)
    guesses = tuple(guess for _, guess in engine.guesses(LARGE, 40))
    answer = solve_task(ProofTask(LARGE, guesses, seconds=1e-6, memory=1 << 24, from_scratch=True))
    assert 0 < len(answer.left) < len(guesses)
    assert answer.bounds[1] < IMPOSSIBLE, "one is known"


def test_task_of_guesses_ends_when_cancelled() -> None:
    engine = SearchEngine(LARGE.rules, "", consistent=False, memory=1 << 24)
    guesses = tuple(guess for _, guess in engine.guesses(LARGE, 40))
    answer = solve_task(ProofTask(LARGE, guesses, memory=1 << 24, from_scratch=True), cancelled=lambda: True)
    assert answer.left == guesses
    assert not answer.is_stuck
