"""The exact search agrees with the slow one on every objective, and observes limits of budget and memory.

Also tests `hitblow/search/solution.py`: results and their times.
"""

import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import count, pairwise
from math import inf
from threading import Event
from typing import Any

import pytest
from tests.examples import before_release
from tests.reference.search import IMPOSSIBLE, Reference

from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.common.errors import ContradictionError
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search import engine
from yomikiri.hitblow.search import solve as solving
from yomikiri.hitblow.search.proof import tree
from yomikiri.hitblow.search.proof.incumbent import BuiltTree, Incumbent
from yomikiri.hitblow.search.solution import SearchBounds, Solution
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.strategy.strategy import Criterion, Evidence, Node, Objective, Proof, Strategy, Task
from yomikiri.hitblow.strategy.verify import verify

EXPECTED, WORST, LAST = Criterion
PLAIN = Objective()
SPENT = Budget.within(0)


def rules(digits: int, symbols: int, repeats: str = "none") -> Rules:
    return Rules(digits, "0123456789abcdef"[:symbols], Repeats(repeats))


def known(of: Rules, *turns: str, absent: str = "") -> Knowledge:
    return Knowledge(of, absent, tuple(map(Turn.parse, turns)))


# Positions that are small enough for the slow search.
SMALL = [
    known(rules(1, 1)),
    known(rules(1, 7)),
    known(rules(2, 2)),
    known(rules(2, 3)),
    known(rules(2, 4)),
    known(rules(2, 5)),
    pytest.param(known(rules(2, 7)), marks=pytest.mark.exhaustive),
    known(rules(3, 3)),
    known(rules(3, 4)),
    known(rules(4, 4)),
    known(rules(2, 3, "guess")),
    known(rules(2, 5, "guess")),
    known(rules(3, 3, "guess")),
    known(rules(1, 4, "all")),
    known(rules(2, 4, "all")),
    known(rules(3, 2, "all")),
    known(rules(3, 3, "all")),
    known(rules(4, 2, "all")),
    known(rules(5, 2, "all")),
    pytest.param(known(rules(6, 2, "all")), marks=pytest.mark.exhaustive),
    known(rules(2, 6), absent="4"),
    known(rules(2, 6), absent="14"),
    known(rules(3, 5), absent="0"),
    known(rules(2, 4, "all"), absent="3"),
    known(rules(2, 5, "guess"), absent="2"),
    known(rules(3, 5), "012:0H2B"),
    known(rules(3, 5), "401:1H1B"),
    known(rules(3, 6), "012:1H0B"),
    known(rules(3, 6), "012:0H1B", "345:0H2B"),
    known(rules(3, 6), "012:0H1B", "345:0H2B", "503:1H1B"),
    known(rules(3, 3, "all"), "001:1H0B"),
    known(rules(3, 5, "guess"), "000:0H0B", absent="4"),
    known(rules(4, 5), "0123:2H1B"),
    pytest.param(known(rules(5, 5), "01234:1H4B", "12340:1H4B"), marks=pytest.mark.exhaustive),
    pytest.param(known(rules(6, 3, "all"), "001122:2H4B", "012012:2H4B"), marks=pytest.mark.exhaustive),
]


def named(spot: Knowledge) -> str:
    absent = f"-{spot.absent}" if spot.absent else ""
    turns = "".join(f" {turn}" for turn in spot.turns)
    return f"{spot.rules.digits} of {len(spot.rules.symbols)} {spot.rules.repeats.value}{absent}{turns}"


def task(spot: Knowledge, objective: Objective = PLAIN) -> Task:
    return Task(spot.rules, spot.absent, spot.turns, objective)


def solve(spot: Knowledge, objective: Objective = PLAIN, **options: Any) -> Strategy | None:
    return solving.solve(task(spot, objective), **options).strategy


def solved(spot: Knowledge, objective: Objective = PLAIN, **options: Any) -> Strategy:
    strategy = solve(spot, objective, **options)
    assert strategy is not None
    return strategy


@cache
def reference(of: Rules, consistent: bool) -> Reference:
    return Reference(of, consistent=consistent)


def attained(strategy: Strategy) -> tuple[int, int, int]:
    return strategy.cost.total_guesses, strategy.cost.max_guesses, strategy.cost.histogram[-1]


@pytest.mark.parametrize(
    "consistent", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["any guess", "consistent"]
)
@pytest.mark.parametrize("spot", SMALL, ids=named)
def test_every_objective_costs_what_the_slow_search_finds(spot: Knowledge, consistent: bool) -> None:
    slow = reference(spot.rules, consistent)
    codes = slow.numbers(spot.codes())
    total, most, last = slow.expected(codes)
    expected = solved(spot, Objective(EXPECTED, consistent=consistent))
    assert attained(expected) == (total, most, last)
    assert expected.proof == Proof(Evidence.OPTIMAL, total)
    least_most, least_total, last = slow.worst(codes)
    worst = solved(spot, Objective(WORST, consistent=consistent))
    assert attained(worst) == (least_total, least_most, last)
    assert worst.proof == Proof(Evidence.OPTIMAL, least_total)
    least_most, fewest, total = slow.last(codes)
    fewest_last = solved(spot, Objective(LAST, consistent=consistent))
    assert attained(fewest_last) == (total, least_most, fewest)
    assert fewest_last.proof == Proof(Evidence.OPTIMAL, total)
    for within in range(most + 2):
        least = slow.least(codes, within)
        if least == IMPOSSIBLE:
            assert solve(spot, Objective(EXPECTED, within, consistent)) is None
            assert solve(spot, Objective(WORST, within, consistent)) is None
            assert solve(spot, Objective(LAST, within, consistent)) is None
        else:
            strategy = solved(spot, Objective(EXPECTED, within, consistent))
            assert strategy.proof == Proof(Evidence.OPTIMAL, least[0])
            assert strategy.cost.total_guesses == least[0]
            assert strategy.cost.max_guesses <= within


def test_tree_has_a_branch_for_each_possible_hint() -> None:
    def check(tree: Node, spot: Knowledge) -> None:
        left = set(spot.cells(tree.guess)) - {spot.rules.win}
        assert [answer for answer, _ in tree.branches] == sorted(left)
        for answer, branch in tree.branches:
            check(branch, spot.after(Turn(tree.guess, answer)))

    for spot in (known(rules(3, 6)), known(rules(3, 6), "012:0H1B"), known(rules(2, 5, "all"), absent="3")):
        check(solved(spot).tree, spot)


@pytest.mark.slow
@pytest.mark.parametrize("objective", [Objective(), Objective(WORST), Objective(LAST), Objective(within=6)])
def test_table_size_changes_neither_cost_nor_tree(objective: Objective) -> None:
    for spot in (known(rules(3, 8)), known(rules(4, 5, "all"))):
        assert solve(spot, objective, memory=0) == solve(spot, objective)


def test_splitting_changes_neither_cost_nor_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    spots = (known(rules(3, 7)), known(rules(3, 4, "all")), known(rules(3, 8), "012:0H1B"))
    whole = [solve(spot, Objective(kind)) for spot in spots for kind in Criterion]
    monkeypatch.setattr(tree, "SPLIT", 20)
    assert [solve(spot, Objective(kind)) for spot in spots for kind in Criterion] == whole


def test_absent_symbols_cost_as_much_as_missing_ones() -> None:
    totals = [solved(spot).cost.total_guesses for spot in (known(rules(3, 9)), known(rules(3, 10), absent="4"))]
    assert totals == [2337, 2337]


def best_when_stopped(position: Knowledge, objective: Objective = PLAIN, budget: Budget = SPENT) -> Solution:
    with pytest.raises(Stopped) as stopped:
        solve(position, objective, budget=budget)
    best = stopped.value.best
    assert isinstance(best, Solution)
    return best


@pytest.mark.slow
def test_exhausted_budget_gives_the_incumbent_and_a_valid_bound() -> None:
    position = known(rules(4, 8) if before_release() else rules(4, 7))
    whole = solving.solve(task(position))
    nodes, total = whole.nodes, whole.strategy.cost.total_guesses if whole.strategy else 0
    for budget in (SPENT, *(Budget(states=states) for states in (1, nodes // 3, nodes - 1))):
        best = best_when_stopped(position, budget=budget)
        assert best.strategy is not None
        assert best.strategy.proof.kind is Evidence.HEURISTIC
        assert best.strategy.proof.lower_bound <= total <= best.strategy.cost.total_guesses
        assert verify(best.strategy).secrets == position.count


@pytest.mark.parametrize(
    "kind",
    [
        Criterion.LAST,
        *(pytest.param(kind, marks=pytest.mark.exhaustive) for kind in Criterion if kind is not Criterion.LAST),
    ],
)
def test_stopped_is_called_before_the_tree_is_built(kind: Criterion, monkeypatch: pytest.MonkeyPatch) -> None:
    position = known(rules(4, 7))
    whole = solving.solve(task(position, Objective(kind)))
    assert whole.strategy
    total, first = whole.strategy.cost.total_guesses, set[str]()
    finish = Incumbent.finish
    outcomes: list[SearchBounds] = []

    def finished(incumbent: Incumbent, searching: float, within: float = inf) -> BuiltTree | None:
        assert len(outcomes) == 1
        return finish(incumbent, searching, within)

    monkeypatch.setattr(Incumbent, "finish", finished)
    for nodes in (
        1,
        *(whole.nodes * part // 10 for part in range(1, 10, 1 if before_release() else 4)),
        whole.nodes - 1,
    ):
        outcomes.clear()
        with pytest.raises(Stopped):
            solving.solve(task(position, Objective(kind)), budget=Budget(states=nodes), stopped=outcomes.append)
        [outcome] = outcomes
        assert outcome.lower <= total
        if outcome.upper is None:
            assert outcome.guess == ""
        else:
            assert outcome.upper >= total
            first.add(outcome.guess)
    assert first - {""} if kind is Criterion.EXPECTED else True


def test_search_stops_after_its_number_of_nodes() -> None:
    for states in (1, 7, 100):
        searched = engine.SearchEngine(rules(4, 9), "", consistent=False, memory=1 << 22)
        with pytest.raises(Stopped):
            searched.run(Subproblem(rules(4, 9)), Budget(states=states))
        assert searched.nodes == states


def test_bounds_of_a_stopped_search_serve_the_next_one() -> None:
    searched = engine.SearchEngine(rules(4, 7), "", consistent=False, memory=1 << 22)
    fresh = engine.SearchEngine(rules(4, 7), "", consistent=False, memory=1 << 22)
    total = fresh.run(Subproblem(rules(4, 7)))
    for states in count(fresh.nodes // 3, fresh.nodes // 3):
        try:
            found = searched.run(Subproblem(rules(4, 7)), Budget(states=states))
            break
        except Stopped:
            assert states < 2 * fresh.nodes
    assert found == total


def test_another_thread_may_cancel_a_search() -> None:
    cancelled, begun = Event(), Event()
    budget = Budget(cancelled=cancelled.is_set, progress=lambda _progress: begun.set())
    with ThreadPoolExecutor(1) as pool:
        solving_it = pool.submit(best_when_stopped, known(rules(5, 8)), budget=budget)
        assert begun.wait(600)
        cancelled.set()
        best = solving_it.result(600)
    assert best.strategy is not None
    assert best.nodes > 0


def test_best_is_none_without_a_strategy_within_the_limit() -> None:
    with pytest.raises(Stopped) as stopped:
        solve(known(rules(4, 9)), Objective(within=5), budget=SPENT)
    assert stopped.value.best is None


@pytest.mark.slow
def test_progress_never_passes_the_proven_total() -> None:
    seen: list[Progress] = []
    solve(known(rules(4, 9)), budget=Budget(progress=seen.append))
    assert seen
    assert all(a.states <= b.states and a.seconds <= b.seconds for a, b in pairwise(seen))
    assert all(progress.lower is not None and progress.lower <= 14914 for progress in seen)
    assert all(progress.upper is None or progress.upper >= 14914 for progress in seen)


def test_contradictory_turns_have_no_strategy() -> None:
    with pytest.raises(ContradictionError):
        solve(known(rules(3, 10), "012:3H0B", "345:3H0B"))


def test_a_solution_survives_pickling() -> None:
    solution = solving.solve(Task(rules(2, 4)))
    assert pickle.loads(pickle.dumps(solution)) == solution


def test_workspace_grows_for_deep_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    spots = (known(rules(1, 12)), known(rules(3, 8)), known(rules(2, 9), "01:0H0B"))
    roomy = [solve(spot) for spot in spots]
    monkeypatch.setattr(engine, "_DEPTHS", 2)
    assert [solve(spot) for spot in spots] == roomy
