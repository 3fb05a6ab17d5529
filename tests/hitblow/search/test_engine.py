"""The methods of the engine, for sets of codes, costs and guesses, agree with the slow search."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from tests.examples import before_release
from tests.reference.search import Reference

from yomikiri.common.budget import Budget, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn, hint
from yomikiri.hitblow.search import engine as engines
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.kernels.bounds import FREE, table_key
from yomikiri.hitblow.search.kernels.workspace import Goal
from yomikiri.hitblow.search.subproblem import Count, Subproblem

RULES = Rules(3, "01234")
TURNS = (Turn.parse("012:0H1B"),)


def engine(rules: Rules = RULES, absent: str = "", *, consistent: bool = False, memory: int = 1 << 24) -> SearchEngine:
    return SearchEngine(rules, absent, consistent=consistent, memory=memory)


@pytest.mark.parametrize("consistent", [False, True])
def test_subproblems_agree_with_the_slow_search(consistent: bool) -> None:
    asked, slow = engine(consistent=consistent), Reference(RULES, consistent=consistent)
    for answer in asked.cells((), "012"):
        subproblem = Subproblem(RULES, turns=(Turn("012", answer),), consistent=consistent)
        codes = slow.numbers(Knowledge(RULES, "", subproblem.turns).codes())
        least = slow.least(codes, len(codes))[0]
        assert asked.run(subproblem) == least
        assert asked.run(replace(subproblem, limit=0)) > 10**6, "without a guess nothing is found"
        best = slow.guesses.index(asked.best_guess(subproblem, least))
        assert slow.cost(best, codes, len(codes))[0] == least


def test_bounds_of_different_limits_are_not_confused() -> None:
    """Keys of one set differ if the limits or the kinds of cost differ."""
    asked = Subproblem(Rules(4, "012345"))
    for limit in (44, 100):
        one = engine(asked.rules)
        assert one.run(replace(asked, count=Count.NOTHING, limit=limit + 256)) == 0
        assert one.run(replace(asked, limit=limit)) == 1446
    limits = [*range(1, 400), 1 << 20, 1 << 24]
    names = {
        int(table_key(np.uint64(0), limit, Goal(count.guess, count.value[1], False)))
        for limit in limits
        for count in Count
        if limit != FREE
    }
    assert len(names) == (len(limits) - 1) * len(Count)


def test_large_cells_come_first_if_only_the_limit_counts() -> None:
    asked = engine(Rules(4))
    assert asked.run(Subproblem(asked.rules, count=Count.NOTHING, limit=6)) >= IMPOSSIBLE
    assert asked.nodes < 5000  # with small cells first, 20,891 nodes


GIVEN_GAMES = [
    (Rules(3, "01234"), False, 120 if before_release() else 40, 70),
    (Rules(3, "01234"), True, 30, 40),
    (Rules(2, "0123", Repeats.ALL), False, 60, 12),
    pytest.param(Rules(4, "01234"), False, 300, 110, marks=pytest.mark.release),
]


@pytest.mark.parametrize(("rules", "consistent", "times", "most"), GIVEN_GAMES)
def test_given_first_guesses_cost_the_same_after_stops(
    rules: Rules, consistent: bool, times: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The given guesses can be equivalent or uninformative.

    No guess whose search was completed costs less than the result.
    """
    slow, chance = Reference(rules, consistent=consistent), Random(times)
    asked = engine(rules, consistent=consistent)
    for _ in range(times):
        if chance.random() < 0.3:
            asked = engine(rules, consistent=consistent, memory=0)
            monkeypatch.setattr(engines, "_SHORT", chance.choice((0, 1, 5, 300)))
        secret = chance.choice(slow.guesses)
        turns = tuple(Turn(guess, hint(guess, secret)) for guess in chance.sample(slow.guesses, chance.randrange(3)))
        codes = slow.numbers(Knowledge(rules, "", turns).codes())
        if not 2 <= len(codes) <= most:
            continue
        limit, count = chance.choice([(None, Count.TOTAL), (3, Count.TOTAL), (3, Count.LAST), (4, Count.LAST)])
        subproblem = Subproblem(rules, turns=turns, consistent=consistent, limit=limit, count=count)
        kinds = [slow.guesses[code] for code in codes] if consistent else slow.guesses
        given = chance.sample(kinds, min(len(kinds), chance.choice((1, 2, 8, 30))))
        costs = {}
        for guess in given:
            number = slow.guesses.index(guess)
            tells = slow.cells(number, codes) != [codes]
            total, last = slow.cost(number, codes, min(limit or 99, len(codes))) if tells else (10**9, 0)
            last = 0 if limit is not None and limit > len(codes) else last
            costs[guess] = IMPOSSIBLE if total >= 10**9 else total * count.guess + last * count.value[1]
        least = min(costs.values())
        upper = min(IMPOSSIBLE, chance.choice((IMPOSSIBLE, least + 1, least, least + count.guess)))
        best, found, left = upper, "", tuple(given)
        while left:
            budget = Budget(states=asked.nodes + chance.choice((1, 3, 10, 1000)))
            tried = asked.least_of(replace(subproblem, upper=best), left, budget)
            done = set(left) - set(tried.left)
            assert all(costs[guess] >= min(best, tried.cost) for guess in done), "none costs less than is said"
            if tried.guess:
                assert tried.cost == costs[tried.guess] < best
                assert tried.guess in done
                best, found = tried.cost, tried.guess
            left = tried.left
        assert (best, bool(found)) == ((least, True) if least < upper else (upper, False))


def test_bounds_of_guesses_hold_and_are_sorted() -> None:
    asked, slow = engine(), Reference(RULES)
    subproblem = Subproblem(RULES, turns=TURNS)
    codes = slow.numbers(Knowledge(RULES, "", TURNS).codes())
    listed = asked.guesses(subproblem)
    assert listed == sorted(listed)
    costs = {guess: slow.cost(slow.guesses.index(guess), codes, len(codes))[0] for _bound, guess in listed}
    assert all(bound <= costs[guess] for bound, guess in listed)
    assert min(costs.values()) == slow.least(codes, len(codes))[0], "no best guess is missing but for its mirror images"


def test_no_tree_costs_less_than_the_ideal() -> None:
    assert [engine().ideal(count) for count in (0, 1, 2, 9, 10)] == [0, 1, 3, 17, 20]


def test_exhausted_budget_loses_no_bounds() -> None:
    subproblem = Subproblem(Rules(3, "0123456789"))
    asked = engine(subproblem.rules)
    with pytest.raises(Stopped):
        asked.run(subproblem, Budget(states=1))
    spent = asked.nodes
    assert spent > 0
    assert asked.run(subproblem) == 3575
    assert asked.nodes > spent
    assert asked.known(subproblem) == (3575, 3575), "the memo has it now"


def test_little_memory_changes_no_cost() -> None:
    subproblem = Subproblem(Rules(3, "01234567"))
    assert engine(subproblem.rules, memory=0).run(subproblem) == engine(subproblem.rules).run(subproblem)


def test_cells_are_subproblems_with_one_guess_less() -> None:
    game = Subproblem(Rules(2, "0123"), limit=4)
    asked = engine(game.rules)
    cells = asked.divided(game, "01")
    sizes = [len(asked.codes(cell.turns)) for cell in cells]
    assert sizes == sorted(sizes)
    assert sum(sizes) == 12 - 1, "the guess itself is found"
    assert {cell.limit for cell in cells} == {3}
    assert {cell.turns[0].guess for cell in cells} == {"01"}


@pytest.mark.parametrize(("rules", "turns"), [(Rules(3, "012345"), ""), (Rules(4, "0123456"), "0123:0H2B")])
def test_cell_bounds_are_at_most_the_costs(rules: Rules, turns: str):
    engine = SearchEngine(rules, "", consistent=False, memory=1 << 22)
    part = Subproblem(rules, turns=tuple(map(Turn.parse, turns.split())))
    guesses = np.arange(0, 100, 7, dtype=np.int32)
    lowers = engine.cell_bounds(part, guesses, IMPOSSIBLE, engine.answer_count)
    assert lowers.shape == (len(guesses), len(engine.hints))
    for guess, row in zip(guesses.tolist(), lowers.tolist(), strict=True):
        cells = engine.cells(part.turns, engine.code(guess))
        for answer, lower in enumerate(row):
            if lower and len(cell := cells[engine.hints[answer]]) < engine.count(part):
                assert len(cell) > 2
                assert lower <= engine.run(part.after(Turn(engine.code(guess), engine.hints[answer])))
    assert lowers.any()
