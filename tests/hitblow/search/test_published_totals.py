"""Totals that others have proven or measured, up to 4 of 10, and a space that takes the slow search a while.

The slowest tests of the search; the numbers have their sources in docs/search.md.
"""

import pytest

from reference_search import Reference
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Repeats, Rules
from yomikiri.hitblow.search.objectives import Kind, Objective, Proof
from yomikiri.hitblow.search.solve import solve

SYMBOLS = "0123456789"


def rules(digits: int, symbols: int, repeats: str = "none") -> Rules:
    return Rules(digits, SYMBOLS[:symbols], Repeats(repeats))


@pytest.mark.parametrize(
    ("known", "objective", "histogram"),
    [
        (Knowledge(rules(3, 10)), Objective(), (1, 4, 23, 150, 356, 185, 1)),
        (Knowledge(rules(3, 10)), Objective(Kind.WORST), (1, 4, 24, 148, 355, 188)),
        (Knowledge(rules(3, 10)), Objective.within(6), (1, 4, 24, 148, 355, 188)),
        (Knowledge(rules(4, 6, "all")), Objective(), (1, 8, 91, 646, 549, 1)),
    ],
)
def test_the_whole_distribution(known: Knowledge, objective: Objective, histogram: tuple[int, ...]) -> None:
    solution = solve(known, objective)
    assert solution.proof is Proof.OPTIMAL
    assert solution.cost is not None
    assert solution.cost.histogram == histogram


@pytest.mark.parametrize(
    ("known", "objective", "total", "most"),
    [
        (Knowledge(rules(3, 10)), Objective(), 3575, 7),
        (Knowledge(rules(3, 10)), Objective(Kind.WORST), 3576, 6),
        (Knowledge(rules(3, 10), "7"), Objective(), 2337, 6),
        (Knowledge(rules(3, 10, "guess")), Objective(), 3575, 7),
        (Knowledge(rules(4, 6)), Objective(), 1446, 6),
        (Knowledge(rules(4, 8)), Objective(), 7817, 6),
        (Knowledge(rules(4, 9)), Objective(), 14914, 7),
        (Knowledge(rules(4, 10)), Objective(), 26274, 7),
        (Knowledge(rules(4, 6, "all")), Objective(), 5625, 6),
        (Knowledge(rules(4, 6, "all")), Objective.within(5), 5626, 5),
        (Knowledge(rules(4, 7, "all")), Objective(), 11228, 6),
        (Knowledge(rules(5, 6)), Objective(), 3434, 6),
    ],
)
def test_the_total_and_the_maximum(known: Knowledge, objective: Objective, total: int, most: int) -> None:
    solution = solve(known, objective)
    assert solution.proof is Proof.OPTIMAL
    assert solution.lower_bound == total
    assert solution.cost is not None
    assert (solution.cost.total_guesses, solution.cost.max_guesses) == (total, most)


@pytest.mark.parametrize(
    ("known", "limit"), [(Knowledge(rules(3, 10)), 5), (Knowledge(rules(4, 6, "all")), 4), (Knowledge(rules(4, 9)), 5)]
)
def test_too_few_guesses_are_proven_impossible(known: Knowledge, limit: int) -> None:
    assert solve(known, Objective.within(limit)).proof is Proof.IMPOSSIBLE


def test_three_of_six_agrees_with_the_slow_search() -> None:
    slow = Reference(rules(3, 6))
    codes = tuple(range(120))
    solution = solve(rules(3, 6))
    assert solution.cost is not None
    assert (solution.cost.total_guesses, 0) == slow.least(codes, len(codes))
