"""A solve that is stopped, however early, gives a strategy that is right, with a bound that holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from tests.examples import before_release

from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.guessing.search import TableSearch
from yomikiri.hitblow.model.prior import Prior
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search.solution import Solution
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.strategy.strategy import Criterion, Evidence, Objective, Task
from yomikiri.hitblow.strategy.verify import verify
from yomikiri.machine import running


def weights(rules: Rules, seed: int, least: int, most: int) -> Prior:
    random = Random(seed)
    return tuple((code, random.randint(least, most)) for code in rules.secrets())


HAND, FOUR, TWO = Rules(4, "0123", Repeats.GUESS), Rules(4, "0123", Repeats.ALL), Rules(2, "012345678")
TASKS = {
    "even": Task(FOUR),
    "worst": Task(FOUR, objective=Objective(Criterion.WORST)),
    "worst, with less in total by then": Task(Rules(4, "012345", Repeats.ALL), objective=Objective(Criterion.WORST)),
    "last": Task(FOUR, objective=Objective(Criterion.LAST)),
    "within": Task(FOUR, objective=Objective(within=9)),
    "within the least": Task(Rules(4, "012345", Repeats.ALL), objective=Objective(within=5)),
    "worst within": Task(FOUR, objective=Objective(Criterion.WORST, within=9)),
    "consistent": Task(FOUR, objective=Objective(consistent=True)),
    "facts": Task(Rules(3, "01234567"), "3", (Turn.parse("012:0H1B"),)),
    "nearly even": Task(HAND, prior=weights(HAND, 1, 95, 105)),
    "uneven": Task(Rules(3, "012345"), prior=weights(Rules(3, "012345"), 1, 1, 30)),
    "by even totals": Task(TWO, prior=weights(TWO, 1, 95, 105)),
}


def stopped_at(task: Task, budget: Budget) -> tuple[bool, Any]:
    """Return (whether the budget is exhausted, the result so far)."""
    try:
        return False, solve(task, budget=budget)
    except Stopped as stopped:
        return True, stopped.best


def moments() -> Iterator[int]:
    """Yield 0, 1, 2, 3, ..., then longer and longer steps, which are shorter with --all."""
    states = 0
    while True:
        yield states
        states += 1 + (states // 2 if before_release() else states)


LONG = {"within the least", "worst, with less in total by then"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.exhaustive] if name in LONG else []) for name in TASKS]
)
def test_solve_stopped_at_any_moment_has_a_strategy(name: str) -> None:
    task = TASKS[name]
    whole = solve(task).strategy
    assert whole is not None
    for states in moments():
        stopped, found = stopped_at(task, Budget(states=states))
        assert isinstance(found, Solution)
        assert found.strategy is not None
        if not stopped:
            assert states > 20
            break
        assert found.strategy.task == task
        assert found.strategy.proof.kind is Evidence.HEURISTIC
        assert found.strategy.proof.lower_bound <= whole.cost.total_guesses
        verify(found.strategy)


@pytest.mark.parametrize("seed", range(6))
def test_nearly_uniform_weights_report_progress_early(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def telling(kernel: Callable[[], object], _words: object, budget: Budget, _look: object) -> tuple[object, bool]:
        budget.report(Progress())
        return kernel(), False

    monkeypatch.setattr(running, "run", telling)
    monkeypatch.setattr(TableSearch, "_poll_limit", lambda *_: 0)
    reports: list[Progress] = []
    strategy = solve(Task(HAND, prior=weights(HAND, seed, 95, 105)), budget=Budget(progress=reports.append)).strategy
    assert strategy is not None
    assert reports[0].upper is None, "no strategy is known yet"
    assert all(known.lower is not None and known.lower <= strategy.cost.total_guesses for known in reports)
    assert verify(strategy) == strategy.cost
