"""Probes (quick searches of cells): their bounds are valid, approach the least total, and come with a strategy."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from pathlib import Path
from time import monotonic

import pytest

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof import parts, probes, tree
from yomikiri.hitblow.search.proof.bound_table import BoundKey, BoundTable, CostBounds
from yomikiri.hitblow.search.proof.incumbent import Incumbent
from yomikiri.hitblow.search.proof.probes import BeamWidth, Prober, ProbeStep, promising
from yomikiri.hitblow.search.proof.task import solve_with
from yomikiri.hitblow.search.proof.worker_pool import WorkerPool, Workers
from yomikiri.hitblow.search.solution import Solution
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.hitblow.strategy.strategy import Evidence, Objective, Task
from yomikiri.machine.running import computing

SETS = [
    Subproblem(Rules(3, "01234")),
    Subproblem(Rules(3, "0123", Repeats.ALL)),
    Subproblem(Rules(4, "01234567"), turns=(Turn.parse("0123:0H2B"), Turn.parse("1045:1H1B"))),
    Subproblem(Rules(3, "01234567"), absent="3", turns=(Turn.parse("012:1H0B"),)),
    Subproblem(Rules(3, "01234"), consistent=True),
]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let probes also run on small sets."""
    monkeypatch.setattr(probes, "QUICK", 6)
    monkeypatch.setattr(probes, "_POOL", 10)
    beams = BeamWidth((1, 1, 1), 0, 0.99), BeamWidth((4, 2, 1), 8, 0.98)
    for module in (probes, parts):
        monkeypatch.setattr(module, "BEAM_WIDTHS", beams)


def engine_of(cell: Subproblem) -> SearchEngine:
    return SearchEngine(cell.rules, cell.absent, consistent=cell.consistent, memory=1 << 24)


@pytest.mark.parametrize("cell", SETS)
def test_probe_bounds_hold_and_tighten(cell: Subproblem) -> None:
    least = engine_of(cell).run(cell)
    probe = Prober(engine_of(cell), cell)
    assert not probe.take(ProbeStep(0), Budget(states=0))
    assert probe.bounds[0] <= least <= probe.bounds[1]
    bounds = []
    for step in (ProbeStep(0), ProbeStep(1), ProbeStep(None), ProbeStep(None, seconds=inf)):
        assert probe.take(step, UNLIMITED)
        bounds.append(probe.bounds)
    assert all(lower <= least <= upper for lower, upper in bounds)
    assert bounds[0][0] == bounds[1][0] == 0 < bounds[2][0]
    assert bounds[1][1] < IMPOSSIBLE
    assert bounds[3] == (least, least)


def test_step_begins_at_the_bound_and_completes_a_target() -> None:
    cell = SETS[2]
    least = engine_of(cell).run(cell)
    for lower in (least - 3, least - 1):
        probe = Prober(engine_of(cell), cell)
        probe.take(ProbeStep(None, lower), UNLIMITED)
        assert probe.bounds[0] == lower + 1
    probe.take(ProbeStep(None), UNLIMITED)
    assert probe.bounds == (least, least)


@pytest.mark.parametrize("cell", SETS)
def test_the_upper_bound_is_attained_by_the_known_guesses(cell: Subproblem) -> None:
    engine, bound_table = engine_of(cell), BoundTable()
    probe = Prober(engine, cell)
    probe.take(ProbeStep(0), UNLIMITED)
    probe.take(ProbeStep(1), UNLIMITED)
    for key, known in probe.found():
        bound_table.learn(key, known)

    grown = Incumbent(engine, cell, bound_table, Objective()).finish(0)
    assert grown is not None
    assert engine.run(cell) <= grown.cost.total_guesses <= probe.bounds[1]


def test_probe_claims_no_cost_above_the_upper_bound() -> None:
    cell = SETS[0]
    least = engine_of(cell).run(cell)
    probe = Prober(engine_of(cell), replace(cell, upper=least))
    for step in (ProbeStep(0), ProbeStep(1), ProbeStep(None, seconds=inf)):
        probe.take(step, UNLIMITED)
    assert probe.bounds == (least, IMPOSSIBLE)


def test_promising_guesses_are_sorted_by_estimate() -> None:
    engine, cell = engine_of(SETS[1]), SETS[1]
    found = promising(engine, cell, 5)
    assert found == sorted(found)
    assert len(found) == 3  # there are only three different ones
    assert all(len(engine.divided(cell, guess)) > 1 for _, guess in found)


@pytest.mark.slow
def test_probes_do_not_change_the_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "SPLIT", 100)
    monkeypatch.setattr(parts, "WHOLE", 10)
    task = Task(Rules(4, "0123456"))
    costs = []
    for workers in (1, Workers(2, alone=0.0, longest=1.0), Workers(1, alone=0.0)):
        strategy = solve(task, workers=workers).strategy
        assert strategy
        costs.append((strategy.cost.total_guesses, strategy.cost.max_guesses, strategy.cost.histogram[-1]))
    assert costs == [(3639, 6, 6)] * 3


def test_stopped_proof_has_the_strategy_of_its_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "SPLIT", 100)
    monkeypatch.setattr(parts, "WHOLE", 10)
    monkeypatch.setattr(Prober, "_raise", lambda _self, _seconds, _budget: None)
    reports: list[Progress] = []
    budget = Budget(cancelled=lambda: any(each.upper is not None for each in reports), progress=reports.append)
    with pytest.raises(Stopped) as stopped:
        solve(Task(Rules(4, "0123456")), budget=budget, workers=Workers(2, alone=0.0))
    best = stopped.value.best
    assert isinstance(best, Solution)
    assert best.strategy
    assert best.strategy.proof.kind is Evidence.HEURISTIC
    assert best.strategy.proof.lower_bound <= 3639 <= best.strategy.cost.total_guesses < 3700


def looks(proof: tree.ProofTree) -> list[parts.CellProbe]:
    proof.split(proof.root)
    proof.probe(10.0)
    return [opened.probe for opened in proof.open() if opened.probe]


def test_only_totals_without_a_limit_are_probed() -> None:
    cell = Subproblem(Rules(3, "0123456"))
    for other in (replace(cell, limit=5), replace(cell, count=Count.LAST, limit=5)):
        assert not looks(tree.ProofTree(engine_of(cell), other, BoundTable()))
    assert not looks(tree.ProofTree(engine_of(cell), cell, BoundTable()))  # all its cells are small


def test_probe_of_the_greatest_gain_rate_is_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "WHOLE", 40)
    cell, bound_table = Subproblem(Rules(3, "0123456")), BoundTable()
    proof = tree.ProofTree(engine_of(cell), cell, bound_table)
    first = looks(proof)
    proof.probe(0.0)
    assert [opened.probe for opened in proof.open() if opened.probe] == [probe for probe in first if probe.above]
    assert [probe.above for probe in first] == [True] * (len(first) // 2) + [False] * (len(first) // 2)
    assert first[0].cell.size == max(probe.cell.size for probe in first)
    for i, probe in enumerate(first):
        probe.cell.upper = probe.cell.lower + 10
        probe.took(1.0, i)
    again = looks(proof)
    assert again == first[::-1]
    assert first[0].step == ProbeStep(1)
    assert first[-1].step == ProbeStep(None, first[-1].cell.lower, 1.0)
    first[-1].took(3.0, 100)
    assert looks(proof)[0] is first[-1]
    first[-1].took(5.0, 1000)
    assert first[-1] not in looks(proof)  # its next probe would exceed the limit of 10 seconds
    first[0].took(1.0, 0)
    assert first[0] not in looks(proof)  # there is no wider beam
    proof.probe(0.0)
    assert not [opened for opened in proof.open() if opened.probe]


def test_most_promising_first_guess_is_searched_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sought: list[Subproblem] = []

    def promised(_engine: SearchEngine, cell: Subproblem, _most: int, _budget: Budget) -> list[tuple[float, str]]:
        sought.append(cell)
        return [(0.0, "none that is listed")]

    monkeypatch.setattr(tree, "promising", promised)
    cell = Subproblem(Rules(3, "0123456"))
    proof = tree.ProofTree(engine_of(cell), cell, BoundTable())
    for _ in range(3):
        assert not [probe for probe in looks(proof) if probe.above]
    assert len(sought) == 1


SIZE_CLASSES = [
    Subproblem(Rules(3, "01234", Repeats.ALL)),
    Subproblem(Rules(4, "0123", Repeats.ALL)),
    Subproblem(Rules(3, "01234567"), turns=(Turn.parse("012:0H1B"),)),
]


@pytest.mark.parametrize("cell", SIZE_CLASSES)
def test_probes_from_below_are_at_the_guess_that_bounds_the_cost(
    cell: Subproblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "WHOLE", 10)
    engine, bound_table = engine_of(cell), BoundTable()
    least = engine.run(cell)
    bounds = []
    for _ in range(2):  # a second proof starts from the recorded bounds
        proof = tree.ProofTree(engine, cell, bound_table)
        bounds.append(proof.root.lower)
        while due := [probe for probe in looks(proof) if not probe.above]:
            lowest = min(proof.root.choices, key=lambda choice: choice.lower)
            assert {probe.cell for probe in due} <= set(lowest.cells)
            probe = parts.WorkItem(due[0].cell, (), IMPOSSIBLE, due[0])
            proof.take(probe, solve_with(engine, probe.as_task(inf, 1 << 24), UNLIMITED, best=True))
            bounds.append(proof.root.lower)
    assert bounds == sorted(bounds)
    one_step = [bound for bound, _ in engine.guesses(cell)]
    # above the second guess's bound from one step, so more than one guess was probed
    assert one_step[1] < bounds[-1] <= least
    assert sum(choice.split for choice in proof.root.choices) > 1


def test_proof_of_many_first_guesses_survives_repeated_stops(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tree, "SPLIT", 50)
    monkeypatch.setattr(parts, "WHOLE", 10)
    task, least, store = Task(Rules(4, "0123", Repeats.ALL)), 905, tmp_path / "proof.store"
    bounds = [0]
    for states in (1, 10, 40, 80):
        for workers in (1, Workers(2, alone=0.0)):
            with pytest.raises(Stopped) as stopped:
                solve(task, budget=Budget(states=states), workers=workers, store=store)
            best = stopped.value.best
            assert isinstance(best, Solution)
            assert best.strategy
            bounds.append(best.strategy.proof.lower_bound)
    assert bounds == sorted(bounds)
    assert bounds[1] < bounds[-1] <= least
    for workers in (1, Workers(2, alone=0.0)):
        for kept in (None, store):
            strategy = solve(task, workers=workers, store=kept).strategy
            assert strategy
            assert strategy.cost.total_guesses == strategy.proof.lower_bound == least


class LimitRecordingProof(tree.ProofTree):
    """A proof that records the time limit of its probes."""

    longest = 0.0

    def probe(self, longest: float) -> None:
        self.longest = longest


@pytest.mark.parametrize(("looked", "ends", "least", "most"), [
    (40.0, True, 900, 1000), (60.0, True, 0, 0), (4.0, False, 0.5, 2), (6.0, False, 0, 0),
])  # fmt: skip
def test_probes_take_half_of_a_timed_proof_and_a_twentieth_of_others(
    looked: float, ends: bool, least: float, most: float
) -> None:
    cell = Subproblem(Rules(3, "0123456"))
    proof = LimitRecordingProof(engine_of(cell), cell, BoundTable())
    asked = WorkerPool(engine_of(cell), BoundTable(), 0, Workers())
    asked._begun, asked._probed = computing() - 100, looked
    asked._probe_large_cells(proof, Budget(monotonic() + 1000) if ends else UNLIMITED)
    assert least <= proof.longest <= most


def test_known_strategy_skips_the_narrow_beams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "WHOLE", 40)
    monkeypatch.setattr(parts, "_BEGUN", 1)
    cell, bound_table = Subproblem(Rules(3, "0123456")), BoundTable()
    first = looks(tree.ProofTree(engine_of(cell), cell, bound_table))[0].cell
    bound_table.learn(BoundKey(Count.TOTAL, None, first.name.turns), CostBounds(0, 1000))
    again = [probe for probe in looks(tree.ProofTree(engine_of(cell), cell, bound_table)) if probe.above]
    assert [probe.number for probe in again] == [1] + [0] * (len(again) - 1)
