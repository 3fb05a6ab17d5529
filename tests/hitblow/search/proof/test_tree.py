"""A proof, a tree of cells and guesses, finds the cost of one whole search, in whatever order its tasks finish.

Also tests `hitblow/search/proof/parts.py`: work items.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from math import inf
from random import Random

import pytest

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.errors import CheckError
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof import parts, probes
from yomikiri.hitblow.search.proof import tree as trees
from yomikiri.hitblow.search.proof.bound_table import BoundTable
from yomikiri.hitblow.search.proof.parts import WorkItem
from yomikiri.hitblow.search.proof.task import ProofTask, TaskResult, solve_with
from yomikiri.hitblow.search.proof.tree import ProofTree
from yomikiri.hitblow.search.subproblem import Count, Subproblem

GAMES = [
    Subproblem(Rules(3, "0123456")),
    Subproblem(Rules(3, "0123", Repeats.ALL)),
    Subproblem(Rules(3, "01234567"), absent="3", turns=(Turn.parse("012:0H1B"),)),
    Subproblem(Rules(3, "012345"), consistent=True),
]


@pytest.fixture(autouse=True)
def split_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "SPLIT", 12)
    monkeypatch.setattr(parts, "WHOLE", 4)


def new_engine(subproblem: Subproblem) -> SearchEngine:
    return SearchEngine(subproblem.rules, subproblem.absent, consistent=subproblem.consistent, memory=1 << 24)


def answered(engine: SearchEngine, opened: WorkItem, budget: Budget = UNLIMITED) -> TaskResult:
    return solve_with(engine, ProofTask(opened.subproblem, opened.guesses), budget, best=True)


def settled(subproblem: Subproblem, bound_table: BoundTable | None = None) -> ProofTree:
    """Run a proof by solving one task after another."""
    proof = ProofTree(new_engine(subproblem), subproblem, BoundTable() if bound_table is None else bound_table)
    engine = new_engine(subproblem)
    while not proof.done:
        if (opened := next(proof.open(), None)) is None:
            assert proof.done
            break
        proof.take(opened, answered(engine, opened))
    return proof


def settled_at_random(subproblem: Subproblem, seed: int) -> ProofTree:
    """Run a proof with many pending tasks, solved in any order, some twice, some unfinished or split."""
    chance = Random(seed)
    among = seed + 1
    proof, engine = ProofTree(new_engine(subproblem), subproblem, BoundTable()), new_engine(subproblem)
    pending: list[WorkItem] = []
    while not proof.done:
        for opened in islice(proof.open(among=among, eager=chance.random() < 0.5), chance.randint(1, 8)):
            for part in opened.parts:
                part.pending += 1
            pending.append(opened)
        chance.shuffle(pending)
        for opened in [pending.pop() for _ in range(chance.randint(0, len(pending)))]:
            for part in opened.parts:
                part.pending -= 1
            if chance.random() < 0.2 and opened.can_be_split:
                proof.take(
                    opened,
                    TaskResult((0, IMPOSSIBLE), left=opened.guesses, is_stuck=bool(opened.choices), finished=False),
                )
                continue
            few = Budget(states=engine.nodes + 3) if opened.choices and chance.random() < 0.3 else UNLIMITED
            answer = answered(engine, opened, few)
            proof.take(opened, answer)
            if chance.random() < 0.1:
                proof.take(opened, answer)
        if pending and chance.random() < 0.1 and pending[0].can_be_split:
            proof.split(pending[0].first)
    return proof


@pytest.mark.slow
@pytest.mark.parametrize("count", Count)
@pytest.mark.parametrize("limit", [None, 3, 4, 5])
@pytest.mark.parametrize("game", GAMES, ids=["3 of 7", "3 of 4, repeats", "after a turn", "consistent"])
def test_cost_is_that_of_the_whole_search(game: Subproblem, limit: int | None, count: Count) -> None:
    subproblem = replace(game, limit=limit, count=count)
    whole = new_engine(game).run(subproblem)
    assert settled(subproblem).cost == whole
    if 0 < whole < IMPOSSIBLE:
        just, more = replace(subproblem, upper=whole), replace(subproblem, upper=whole + 1)
        assert settled(just).cost >= whole, "a bound that is not below it"
        assert settled(more).cost == whole


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=["3 of 7", "3 of 4, repeats", "after a turn", "consistent"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2))])
def test_cost_does_not_depend_on_the_order_of_results(game: Subproblem, seed: int) -> None:
    for subproblem in (game, *(replace(game, count=count, limit=5) for count in (Count.LAST, Count.FEWEST))):
        whole = new_engine(game).run(subproblem)
        proof = settled_at_random(subproblem, seed)
        assert proof.cost == whole
        assert all(cell.lower <= cell.upper for cell in proof._cells.values())


def test_known_bounds_make_no_tasks() -> None:
    bound_table = BoundTable()
    settled(GAMES[0], bound_table)
    assert ProofTree(new_engine(GAMES[0]), GAMES[0], bound_table).done


def test_tree_bounds_hold_and_tighten() -> None:
    game = GAMES[0]
    whole, engine = new_engine(game).run(game), new_engine(game)
    proof = ProofTree(new_engine(game), game, BoundTable())
    seen = [(0, IMPOSSIBLE)]
    while not proof.done:
        if (opened := next(proof.open(), None)) is None:
            assert proof.done
            break
        proof.take(opened, answered(engine, opened))
        lower, upper = proof.root.lower, proof.root.upper
        assert seen[-1][0] <= lower <= whole <= upper <= seen[-1][1]
        seen.append((lower, upper))
    assert len(set(seen)) > 3


def test_strategy_is_built_from_the_proof() -> None:
    proof = settled(GAMES[0])
    root = proof.root
    assert root.exact
    best = next(choice for choice in root.choices if choice.guess == root.best)
    assert best.upper == root.upper == root.size + sum(cell.upper for cell in best.cells)


def test_cells_get_child_windows_until_the_guess_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "SPLIT", 1000)
    game = replace(GAMES[0], upper=new_engine(GAMES[0]).run(GAMES[0]))
    proof = ProofTree(new_engine(game), game, BoundTable())
    proof.split(proof.root)
    next(proof.open())
    choice = max(proof.root.choices, key=lambda choice: game.upper - choice.lower)
    proof.split(choice)

    def round_of() -> list[WorkItem]:
        return [opened for opened in proof.open() if opened.cell in choice.cells]

    first = round_of()
    assert len(first) > 2
    assert sum(opened.target - opened.cell.lower for opened in first) >= game.upper - choice.lower
    assert all(opened.target < opened.cell.lower + game.upper - choice.lower for opened in first)
    *others, solved = first
    proof.take(solved, TaskResult((solved.cell.lower, solved.cell.lower)))
    assert [opened.target for opened in round_of()] == [opened.target for opened in others], "the same round"
    for opened in others:
        proof.take(opened, TaskResult((opened.target, IMPOSSIBLE)))
    assert choice.lower < game.upper
    second = round_of()
    assert {opened.cell.name for opened in second} == {opened.cell.name for opened in others}
    for opened in second:
        proof.take(opened, TaskResult((opened.target, IMPOSSIBLE)))
    assert choice.lower >= game.upper


def test_one_worker_first_proves_the_guess_of_the_best_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trees, "SPLIT", 1000)
    game = GAMES[2]
    proof = ProofTree(new_engine(game), game, BoundTable())
    proof.split(proof.root)
    next(proof.open())
    choice = proof.root.choices[1]
    proof.split(choice)
    for cell in choice.cells:
        proof.take(WorkItem(cell, (), IMPOSSIBLE), TaskResult((cell.lower, 5 * cell.size), finished=False))
    assert choice.upper == proof.root.upper > choice.lower
    assert not any(opened.cell is proof.root for opened in proof.open(among=1))
    assert any(opened.cell is proof.root for opened in proof.open(among=2))


def test_contradicting_results_end_the_proof() -> None:
    game = replace(GAMES[0], turns=(Turn.parse("012:0H2B"),))
    engine = new_engine(game)
    cost = engine.run(game)
    for first, second in (((cost, cost), (cost + 1, IMPOSSIBLE)), ((cost, IMPOSSIBLE), (cost - 1, cost - 1))):
        proof = ProofTree(engine, game, BoundTable())
        opened = WorkItem(proof.root, (), IMPOSSIBLE)
        proof.take(opened, TaskResult(first))
        with pytest.raises(CheckError, match="at 012:0H2B: at least"):
            proof.take(opened, TaskResult(second))


@pytest.mark.slow
def test_probed_first_guess_is_proven_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(probes, "QUICK", 4)
    game = Subproblem(Rules(3, "0123456789"), turns=(Turn.parse("012:0H1B"),))
    engine = new_engine(game)
    proof = ProofTree(new_engine(game), game, BoundTable())
    proof.probe(inf)
    for opened in [opened for opened in proof.open() if opened.probe and opened.probe.above]:
        proof.take(opened, solve_with(engine, opened.as_task(inf, 1 << 24), UNLIMITED, best=True))
    proof.probe(0.0)
    while proof.root.upper >= IMPOSSIBLE:
        small = min(proof.open(among=2), key=lambda opened: opened.cell.size)
        proof.take(small, answered(engine, small))
    assert proof.root.lower < proof.root.upper < IMPOSSIBLE
    assert len({opened.cell.subproblem.turns[1].guess for opened in proof.open(among=2)}) == 1
