"""Rough bounds hold, close in on the least total, and come with a strategy that attains the upper one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from yomikiri.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search.engine import Engine
from yomikiri.hitblow.search.proof import crew, rough, tree
from yomikiri.hitblow.search.proof.crew import Workers
from yomikiri.hitblow.search.proof.ledger import Ledger
from yomikiri.hitblow.search.proof.names import name_of
from yomikiri.hitblow.search.proof.rough import Breadth, Rough, promising
from yomikiri.hitblow.search.solve import Solution, solve
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Count, Subproblem
from yomikiri.hitblow.strategy.strategy import Evidence, Task, cost

SETS = [
    Subproblem(Rules(3, "01234")),
    Subproblem(Rules(3, "0123", Repeats.ALL)),
    Subproblem(Rules(4, "01234567"), turns=(Turn.parse("0123:0H2B"), Turn.parse("1045:1H1B"))),
    Subproblem(Rules(3, "01234567"), absent="3", turns=(Turn.parse("012:1H0B"),)),
    Subproblem(Rules(3, "01234"), consistent=True),
]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets that others would solve are looked at roughly."""
    monkeypatch.setattr(rough, "QUICK", 6)
    monkeypatch.setattr(rough, "_POOL", 10)
    monkeypatch.setattr(rough, "BREADTHS", (Breadth((1, 1, 1), 0, 0.99), Breadth((4, 2, 1), 8, 0.98)))


def engine_of(cell: Subproblem) -> Engine:
    return Engine(cell.rules, cell.absent, consistent=cell.consistent, memory=1 << 24)


@pytest.mark.parametrize("cell", SETS)
def test_the_bounds_hold_and_a_longer_look_proves_them(cell: Subproblem) -> None:
    least = engine_of(cell).run(cell)
    look = Rough(engine_of(cell), cell)
    assert not look.look(Budget(states=0), 1.0)
    assert look.bounds[0] <= least <= look.bounds[1]
    assert look.look(UNLIMITED, 60.0)
    assert look.bounds == (least, least)


@pytest.mark.parametrize("cell", SETS)
def test_the_upper_bound_is_what_its_strategy_costs(cell: Subproblem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rough, "_raise", lambda _self, _budget: None)
    engine, ledger = engine_of(cell), Ledger()
    look = Rough(engine, cell)
    look.look(UNLIMITED, 60.0)
    for place, known in look.found():
        ledger.learn(place, known)

    def known_guess(part: Subproblem) -> str:
        name = name_of(part)
        best = ledger.known(look.found()[0][0]._replace(turns=name.turns)).best
        return best and name.renaming.back(best)

    grown = engine.quick_tree(cell, known_guess)
    secrets = Knowledge(cell.rules, cell.absent, cell.turns).codes()
    assert engine.run(cell) <= cost(grown, secrets).total_guesses == look.bounds[1]


def test_what_is_not_below_a_cost_that_is_known_is_not_claimed() -> None:
    cell = SETS[0]
    least = engine_of(cell).run(cell)
    look = Rough(engine_of(cell), replace(cell, upper=least))
    look.look(UNLIMITED, 60.0)
    assert look.bounds == (least, IMPOSSIBLE)


def test_promising_guesses_tell_something_and_come_by_their_estimates() -> None:
    engine, cell = engine_of(SETS[1]), SETS[1]
    found = promising(engine, cell, 5)
    assert found == sorted(found)
    assert len(found) == 3  # all that differ
    assert all(len(engine.divided(cell, guess)) > 1 for _, guess in found)


def test_a_proof_that_looks_roughly_first_ends_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "SPLIT", 100)
    monkeypatch.setattr(tree, "WHOLE", 10)
    task = Task(Rules(4, "0123456"))
    costs = []
    for workers in (1, Workers(2, alone=0.0, longest=1.0), Workers(1, alone=0.0)):
        strategy = solve(task, workers=workers).strategy
        assert strategy
        costs.append((strategy.cost.total_guesses, strategy.cost.max_guesses, strategy.cost.histogram[-1]))
    assert costs == [(3639, 6, 6)] * 3


def test_a_proof_that_is_stopped_has_the_strategy_of_the_rough_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "SPLIT", 100)
    monkeypatch.setattr(tree, "WHOLE", 10)
    monkeypatch.setattr(Rough, "_raise", lambda _self, _budget: None)
    monkeypatch.setattr(crew, "ROUGH", 0.5)
    told: list[Progress] = []
    budget = Budget(cancelled=lambda: any(each.upper is not None for each in told), progress=told.append)
    with pytest.raises(Stopped) as stopped:
        solve(Task(Rules(4, "0123456")), budget=budget, workers=Workers(2, alone=0.0))
    best = stopped.value.best
    assert isinstance(best, Solution)
    assert best.strategy
    assert best.strategy.proof.kind is Evidence.HEURISTIC
    assert best.strategy.proof.lower_bound <= 3639 <= best.strategy.cost.total_guesses < 3700


def test_only_the_least_total_without_a_limit_is_looked_at_roughly() -> None:
    cell = Subproblem(Rules(3, "0123456"))
    for other in (replace(cell, limit=5), replace(cell, count=Count.LAST, limit=5)):
        proof = tree.ProofTree(engine_of(cell), other, Ledger())
        proof.split(proof.root)
        assert proof.look_roughly(1.0) == 0
    proof = tree.ProofTree(engine_of(cell), cell, Ledger())
    proof.split(proof.root)
    proof._large = []
    assert proof.look_roughly(1.0) == 0  # all its cells are small
