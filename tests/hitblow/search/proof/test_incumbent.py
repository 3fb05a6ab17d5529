"""The incumbent is kept current while a proof runs, and is ready soon after the proof stops."""

from __future__ import annotations

from pathlib import Path
from threading import enumerate as running_threads

import pytest

from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.proof import incumbent as module
from yomikiri.hitblow.search.proof.bound_table import BoundKey, BoundTable, CostBounds
from yomikiri.hitblow.search.proof.incumbent import Incumbent
from yomikiri.hitblow.search.proof.worker_pool import Workers
from yomikiri.hitblow.search.solution import Solution
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns
from yomikiri.hitblow.strategy.strategy import Criterion, Evidence, Node, Objective, Proof, Strategy, Task, cost
from yomikiri.hitblow.strategy.verify import verify

GAME, LONG, LARGE = Rules(4, "01234567"), Rules(5, "01234567"), Rules(5, "012345678")
Guesses = list[tuple[int, str]]
REPEATS = Rules(4, "01234", Repeats.ALL)


def incumbent_of(
    rules: Rules, bound_table: BoundTable | None = None, criterion: Criterion = Criterion.EXPECTED
) -> Incumbent:
    engine = SearchEngine(rules, "", consistent=False, memory=1 << 22)
    return Incumbent(engine, Subproblem(rules), bound_table or BoundTable(), Objective(criterion))


def checked(rules: Rules, incumbent: Incumbent, searching: float, within: float = 1e9) -> int:
    """Let the incumbent build its last strategy, check the strategy, and return its total.

    The incumbent searches for better guesses for `searching` seconds, and gives up after `within` seconds.
    """
    grown = incumbent.finish(searching, within)
    assert grown is not None
    verify(Strategy(Task(rules), grown.tree, grown.cost, Proof(Evidence.HEURISTIC, 1)))
    assert grown.cost == cost(grown.tree, rules.secrets())
    return grown.cost.total_guesses


@pytest.mark.slow
@pytest.mark.parametrize("rules", [GAME, REPEATS, Rules(3, "0123456789", no_leading="0"), Rules(1, "012")])
def test_incumbent_is_a_strategy_however_little_time_there_is(rules: Rules) -> None:
    totals = [checked(rules, incumbent_of(rules), *time) for time in ((0, 0), (0,), (1e9,))]
    assert totals == sorted(totals, reverse=True)


def test_first_pass_out_of_time_gives_nothing_for_a_game_of_too_many_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST", GAME.secret_count - 1)
    assert incumbent_of(GAME).finish(0, 0) is None
    monkeypatch.setattr(module, "_MOST", GAME.secret_count)
    assert incumbent_of(GAME).finish(0, 0) is not None


def test_pass_out_of_time_leaves_the_strategy_of_the_last_one() -> None:
    incumbent = incumbent_of(GAME)
    total = checked(GAME, incumbent, 0)
    assert checked(GAME, incumbent, 0, 0) == total


@pytest.mark.parametrize("criterion", Criterion)
def test_worse_strategy_never_replaces_the_incumbent(criterion: Criterion) -> None:
    bound_table = BoundTable()
    incumbent = incumbent_of(GAME, bound_table, criterion)
    best = incumbent.finish(0)
    start, name = Subproblem(GAME), canonical_turns(Subproblem(GAME))
    bound_table.learn(BoundKey.of(start), CostBounds(0, 10**6, name.permutation.of("0123")))
    for cell in SearchEngine(GAME, "", consistent=False, memory=1 << 22).divided(start, "0123"):
        bound_table.learn(
            BoundKey.of(cell), CostBounds(0, 10**6, canonical_turns(cell).permutation.of("0123"))
        )  # repeats the first guess, so it gives no information
        break
    assert best is not None
    assert incumbent.finish(0) == best


@pytest.mark.slow
def test_known_guesses_make_the_incumbent_optimal() -> None:
    whole = solve(GAME).strategy
    assert whole is not None
    bound_table = BoundTable()

    def learn(part: Subproblem, node: Node) -> None:
        best = canonical_turns(part).permutation.of(node.guess)
        bound_table.learn(BoundKey.of(part), CostBounds(0, 10**5 - len(part.turns), best))
        for answer, below in node.branches:
            learn(part.after(Turn(node.guess, answer)), below)

    learn(Subproblem(GAME), whole.tree)
    assert checked(GAME, incumbent_of(GAME, bound_table), 0) == whole.cost.total_guesses


def stopped_solve(
    budget: Budget, workers: Workers | int = 1, store: Path | None = None, rules: Rules = LONG
) -> Solution:
    with pytest.raises(Stopped) as stopped:
        solve(Task(rules), budget=budget, ties=False, workers=workers, store=store)
    assert isinstance(stopped.value.best, Solution)
    return stopped.value.best


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let the thread that improves the incumbent start at once; return the list of the totals after its passes."""
    totals: list[int] = []
    monkeypatch.setattr(module, "SOON", 0.0)
    monkeypatch.setattr(module, "_LEAST_REST", 0.0)
    monkeypatch.setattr(module, "_REST", 0.0)
    one_pass = Incumbent._pass

    def counted(incumbent: Incumbent, searching: float, within: float = 1e9) -> None:
        one_pass(incumbent, searching, within)
        assert incumbent._best is not None
        totals.append(incumbent._best.cost.total_guesses)

    monkeypatch.setattr(Incumbent, "_pass", counted)
    return totals


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "bound"),
    [(LONG, 26_000), pytest.param(LARGE, 65_000, marks=pytest.mark.exhaustive)],
    ids=["5 of 8", "5 of 9"],
)
@pytest.mark.parametrize("workers", [1, Workers(2, alone=0.0)], ids=["alone", "threads"])
def test_thread_keeps_the_incumbent_while_the_proof_runs(
    workers: Workers | int, rules: Rules, bound: int, passes: list[int]
) -> None:
    best = stopped_solve(Budget(cancelled=lambda: len(passes) >= 2), workers, rules=rules)
    assert best.strategy is not None
    assert passes == sorted(passes, reverse=True)
    verify(best.strategy)
    assert best.strategy.cost.total_guesses <= passes[1]
    assert best.strategy.proof.lower_bound > bound
    assert best.tree_cpu_seconds > 0


@pytest.mark.slow
def test_resumed_proof_is_stopped_with_a_strategy_no_worse_than_before(tmp_path: Path, passes: list[int]) -> None:
    totals = []
    for _run in range(2):
        passes.clear()
        best = stopped_solve(Budget(cancelled=lambda: len(passes) >= 3), store=tmp_path / "proof.store")
        assert best.strategy is not None
        totals.append(best.strategy.cost.total_guesses)
    assert totals[1] <= totals[0]


@pytest.mark.slow
def test_thread_ends_with_the_proof(passes: list[int]) -> None:
    solve(Task(GAME))
    stopped_solve(Budget(cancelled=lambda: len(passes) >= 1))
    assert not [thread for thread in running_threads() if thread.name == "yomikiri-incumbent"]


def test_cancelled_proof_stops_listing_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets, guesses = list[Budget](), SearchEngine.guesses

    def noted(engine: SearchEngine, cell: Subproblem, most: int | None = None, budget: Budget = UNLIMITED) -> Guesses:
        budgets.append(budget)
        return guesses(engine, cell, most, budget)

    monkeypatch.setattr(SearchEngine, "guesses", noted)
    monkeypatch.setattr(Incumbent, "finish", lambda *_: None)
    with pytest.raises(Stopped):
        solve(Task(LARGE), budget=Budget(cancelled=lambda: bool(budgets)))
    assert budgets
    assert all(budget.spent() for budget in budgets)
