"""Subproblems can be pickled and solved separately, and the costs of the cells add up to the cost of the whole."""

import pickle
from dataclasses import replace

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.subproblem import Count, Subproblem

RULES = Rules()
CELL = Subproblem(RULES, "9", (Turn.parse("012:0H1B"),), consistent=True, count=Count.LAST, limit=6, upper=900 << 20)


def engine(subproblem: Subproblem) -> SearchEngine:
    return SearchEngine(subproblem.rules, subproblem.absent, consistent=subproblem.consistent, memory=1 << 20)


def test_a_subproblem_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(CELL)) == CELL


def test_cells_of_a_best_guess_sum_to_the_whole() -> None:
    whole = Subproblem(RULES)
    one = engine(whole)
    total = one.run(whole)
    assert total == 3575
    cells = one.divided(whole, one.best_guess(whole, total))
    assert 720 + sum(engine(cell).run(cell) for cell in cells) == total


def test_subproblem_is_exact_below_its_upper_bound() -> None:
    subproblem = Subproblem(RULES, turns=(Turn.parse("012:1H0B"),))
    exact = engine(subproblem).run(subproblem)
    for upper in (exact - 40, exact - 1, exact):
        assert upper <= engine(subproblem).run(replace(subproblem, upper=upper)) <= exact
    assert engine(subproblem).run(replace(subproblem, upper=exact + 1)) == exact


def test_a_limit_that_cannot_be_kept_is_impossible() -> None:
    subproblem = Subproblem(RULES, limit=5)
    assert engine(subproblem).run(subproblem) >= IMPOSSIBLE
    assert engine(subproblem).run(replace(subproblem, count=Count.NOTHING)) >= IMPOSSIBLE
    assert engine(subproblem).run(replace(subproblem, count=Count.NOTHING, limit=6)) == 0
