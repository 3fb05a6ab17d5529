"""Totals that others have published, up to 4 of 10, and one game that is small enough for the slow search.

These are the slowest tests of the search. The numbers have their sources in hitblow-search.md.
"""

from dataclasses import replace

import pytest
from tests.reference.search import Reference

from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.strategy.strategy import Criterion, Evidence, Objective, Proof, Task

SYMBOLS = "0123456789"


def rules(digits: int, symbols: int, repeats: str = "none") -> Rules:
    return Rules(digits, SYMBOLS[:symbols], Repeats(repeats))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "objective", "total", "most", "last"),
    [
        (Task(rules(3, 10)), Objective(), 3575, 7, 1),
        (Task(rules(3, 10)), Objective(within=6), 3576, 6, 168),
        (Task(rules(3, 10)), Objective(Criterion.WORST), 3576, 6, 168),
        (Task(rules(4, 6, "all")), Objective(), 5625, 6, 1),
        (Task(rules(4, 6, "all")), Objective(Criterion.LAST), 5627, 5, 539),
        pytest.param(Task(rules(4, 10)), Objective(Criterion.LAST), 26450, 7, 50, marks=pytest.mark.release),
        pytest.param(Task(rules(4, 9)), Objective(), 14914, 7, 3, marks=pytest.mark.release),
        pytest.param(Task(rules(4, 7, "all")), Objective(), 11228, 6, 114, marks=pytest.mark.release),
    ],
)
def test_the_fewest_secrets_at_the_maximum(game: Task, objective: Objective, total: int, most: int, last: int) -> None:
    strategy = solve(replace(game, objective=objective)).strategy
    assert strategy is not None
    assert (strategy.cost.total_guesses, strategy.cost.max_guesses, strategy.cost.histogram[-1]) == (total, most, last)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "objective", "total", "most"),
    [
        (Task(rules(3, 10)), Objective(), 3575, 7),
        (Task(rules(3, 10)), Objective(Criterion.WORST), 3576, 6),
        (Task(rules(3, 10), "7"), Objective(), 2337, 6),
        (Task(rules(3, 10, "guess")), Objective(), 3575, 7),
        (Task(rules(4, 6)), Objective(), 1446, 5),
        (Task(rules(4, 8)), Objective(), 7817, 6),
        pytest.param(Task(rules(4, 9)), Objective(), 14914, 7, marks=pytest.mark.exhaustive),
        pytest.param(Task(rules(4, 10)), Objective(), 26274, 7, marks=pytest.mark.exhaustive),
        (Task(rules(4, 6, "all")), Objective(), 5625, 6),
        (Task(rules(4, 6, "all")), Objective(within=5), 5626, 5),
        pytest.param(Task(rules(4, 7, "all")), Objective(), 11228, 6, marks=pytest.mark.exhaustive),
        (Task(rules(5, 6)), Objective(), 3434, 6),
    ],
)
def test_the_total_and_the_maximum(game: Task, objective: Objective, total: int, most: int) -> None:
    strategy = solve(replace(game, objective=objective)).strategy
    assert strategy is not None
    assert strategy.proof == Proof(Evidence.OPTIMAL, total)
    assert (strategy.cost.total_guesses, strategy.cost.max_guesses) == (total, most)


@pytest.mark.parametrize(
    ("game", "limit"), [(Task(rules(3, 10)), 5), (Task(rules(4, 6, "all")), 4), (Task(rules(4, 9)), 5)]
)
def test_too_few_guesses_are_proven_impossible(game: Task, limit: int) -> None:
    assert solve(replace(game, objective=Objective(within=limit))).strategy is None


def test_three_of_six_agrees_with_the_slow_search() -> None:
    """All first guesses are equal up to renaming, so the slow search tries only one."""
    slow = Reference(rules(3, 6))
    codes = tuple(range(120))
    strategy = solve(Task(rules(3, 6))).strategy
    assert strategy is not None
    assert (strategy.cost.total_guesses, 0) == slow.cost(0, codes, len(codes))
