"""The search for uneven secrets agrees with a plain recursion, and with itself however it is set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import combinations
from math import gcd
from random import Random

import numpy as np
import pytest
from tests.hitblow.search.kernels import by_kernels

from yomikiri.budget import Budget, Progress, Slice, Stopped
from yomikiri.hitblow.codes import all_guesses, all_secrets, decode_all
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Repeats, Rules, Turn, hint
from yomikiri.hitblow.search.memo import check
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.hitblow.search.uneven import UnevenSearch
from yomikiri.hitblow.search.uneven_bounds import CROWDED, MASKED, REFINED, SERIAL, SHARED
from yomikiri.hitblow.strategy.strategy import Node, Task

RULES = [
    Rules(3, "01234"),
    Rules(3, "012345"),
    Rules(2, "012345"),
    Rules(4, "01234"),
    Rules(2, "0123", Repeats.ALL),
    Rules(2, "0123", Repeats.GUESS),
    Rules(1, "012345"),
]
KINDS: list[Callable[[Random], int]] = [
    lambda _random: 1,
    lambda random: random.randint(1, 3),
    lambda random: random.randint(1, 100),
    lambda random: 10**6 // random.randint(1, 1000),
    lambda random: 1 << random.randrange(20),
    lambda random: random.choice((10**6 - random.randrange(3), 1 + random.randrange(2))),
]


class Plain:
    """The least weighted total by the rules alone: every guess for every set."""

    def __init__(self, rules: Rules, weights: dict[str, int]) -> None:
        self.weights, self.guesses = weights, decode_all(rules, all_guesses(rules))
        self.hint = cache(hint)
        self.least = cache(self._least)

    def after(self, guess: str, codes: frozenset[str]) -> int | None:
        """The least total if that guess comes first; None if it tells nothing."""
        cells = defaultdict(set)
        for code in codes:
            cells[self.hint(guess, code)].add(code)
        if len(cells) == 1 and guess not in codes:
            return None
        whole = sum(self.weights[code] for code in codes)
        return whole + sum(self.least(frozenset(cell)) for cell in cells.values() if cell != {guess})

    def _least(self, codes: frozenset[str]) -> int:
        totals = (self.after(guess, codes) for guess in self.guesses)
        return min(total for total in totals if total is not None)


def test_a_guess_is_not_taken_for_one_that_divided_another_set() -> None:
    """Cells are masks of few bits here, numbers as small as those that are given to sets one after another."""
    known = Knowledge(Rules(3, "012345"))
    search = UnevenSearch(known)
    answers = search._position.table.answers
    sets = {}
    for cells in ((0, 0, 1, 1), (0, 0, 1)):  # the masks 3 and 12, and 3 and 4
        sets[cells] = next(
            (np.array(members, dtype=np.int32), guess)
            for guess, row in enumerate(answers.tolist())
            for members in combinations(range(0, 120, 5), len(cells))
            if [row[member] == row[members[-1]] for member in members] == list(map(bool, cells))
            and row[members[0]] == row[members[1]]
            and search._position.table.slots - 1 not in {row[member] for member in members}
        )
    for (members, guess), serial in zip(sets.values(), (4, 12), strict=True):
        search._work.state[SERIAL] = serial - 1
        bound, _cells = search._opened(members, guess, IMPOSSIBLE)
        assert bound < IMPOSSIBLE, f"guess {guess} divides the set {serial}"


def weighted_total(tree: Node, weights: dict[str, int]) -> int:
    return sum(weight * sum(1 for _ in tree.guesses(code)) for code, weight in weights.items())


def position(rules: Rules, random: Random, most: int) -> list[str]:
    """Some codes: any, or those that fit a few turns."""
    codes = decode_all(rules, all_secrets(rules))
    if random.random() < 0.4:
        return sorted(random.sample(codes, random.randint(1, min(most, len(codes)))), key=codes.index)
    secret, guesses = random.choice(codes), decode_all(rules, all_guesses(rules))
    while len(codes) > most:
        guess = random.choice(guesses)
        codes = [code for code in codes if hint(guess, code) == hint(guess, secret)]
    return codes


def searching(rules: Rules, weights: dict[str, int], budget: Budget | None = None) -> UnevenSearch:
    known = Knowledge(rules, prior=tuple(weights.items()))
    return UnevenSearch(known, budget or Budget())


def small(random: Random, most: int) -> tuple[Rules, dict[str, int]]:
    rules, kind = random.choice(RULES), random.choice(KINDS)
    weights = {code: kind(random) for code in position(rules, random, most)}
    common = gcd(*weights.values())
    return rules, {code: weight // common for code, weight in weights.items()}


@pytest.mark.parametrize("seed", range(6))
def test_totals_and_trees_are_those_of_a_plain_recursion(seed: int) -> None:
    random = Random(seed)
    for _ in range(20):
        rules, weights = small(random, 9)
        asked, plain = searching(rules, weights), Plain(rules, weights)
        codes = frozenset(weights)
        least = plain.least(codes)
        assert asked.least() == least, (rules, weights)
        assert weighted_total(asked.tree(), weights) == least
        guess = random.choice(plain.guesses)
        after = plain.after(guess, codes)
        expected = sum(weights.values()) + least if after is None else after
        assert asked.total_after(guess) == expected
        assert asked.total_after(guess, expected) >= expected, "below its cost it is only a bound"
        bounds = {code: bound for bound, code in asked.guesses()}
        for guess in plain.guesses:
            after = plain.after(guess, codes)
            # Of guesses that are alike one is listed, and none for a single code, of which it tells nothing.
            assert after is None or bounds.get(guess, after) <= after, (rules, weights, guess)
        totals = [after for guess in bounds if (after := plain.after(guess, codes)) is not None]
        assert len(codes) == 1 or min(totals) == least


SETTINGS: list[dict[int, int]] = [
    {},
    {CROWDED: 0, MASKED: 0, SHARED: 10**9},
    {CROWDED: 10**9, REFINED: 0, SHARED: 4},
    {CROWDED: 10, MASKED: 20, REFINED: 10**9, SHARED: 10},
]


@pytest.mark.parametrize("seed", range(8))
def test_large_positions_cost_the_same_however_the_search_is_set(seed: int) -> None:
    random = Random(seed)
    rules, kind = random.choice((Rules(), Rules(4, "1234567"))), random.choice(KINDS)
    weights = {code: kind(random) for code in position(rules, random, 110)}
    totals = set()
    for setting in SETTINGS:
        asked = searching(rules, weights)
        for place, value in setting.items():
            asked._work.state[place] = value
        totals.add(asked.least())
    assert len(totals) == 1
    total = totals.pop()
    assert weighted_total(asked.tree(), weights) == total


@pytest.mark.parametrize("seed", range(2))
def test_a_stopped_search_goes_on_with_what_it_learned(seed: int) -> None:
    random = Random(seed)
    codes = Knowledge(facts=(Turn.parse("012:1H0B"),)).codes()
    weights = {code: random.randint(1, 100) for code in codes}
    total = searching(Rules(), weights).least()
    asked, stops = searching(Rules(), weights), 0
    while True:
        asked._slice = Slice(20)
        try:
            assert asked.ask(Budget(states=5)).least() == total
            break
        except Stopped:
            stops += 1
    assert stops > 1
    check(asked._memo.table)


def test_even_weights_cost_what_the_exact_search_finds() -> None:
    known = Knowledge(facts=tuple(map(Turn.parse, ("012:1H0B", "134:0H1B"))))
    assert UnevenSearch(known).least() == by_kernels(known).least()
    (move,) = UnevenSearch(known).moves(1)
    assert move == by_kernels(known).moves(1)[0]


@pytest.mark.parametrize("seed", range(6))
def test_guesses_that_are_left_out_cost_as_much_as_those_that_speak_for_them(seed: int) -> None:
    rules, random = Rules(2, "01234"), Random(seed)
    heavy = set(random.sample(rules.symbols, 2))
    weights = {code: 1 + 6 * len(heavy & set(code)) for code in rules.secrets()}
    search = UnevenSearch(Knowledge(rules, prior=tuple(weights.items())))
    listed = [guess for _bound, guess in search.guesses()]
    plain, every = Plain(rules, weights), frozenset(weights)
    assert len(listed) < len(plain.guesses) / 4
    assert min(map(search.total_after, listed)) == plain.least(every)
    each = {plain.after(guess, every) for guess in plain.guesses}
    assert {plain.after(guess, every) for guess in listed} == each


@pytest.mark.parametrize("seed", range(8))
def test_what_is_proven_from_nothing_rises_to_the_least_total(seed: int) -> None:
    random, told = Random(seed), list[Progress]()
    rules, kind = random.choice(RULES), random.choice(KINDS[1:])
    weights = {code: kind(random) for code in rules.secrets()}
    least = searching(rules, weights).least()
    common = gcd(*weights.values())
    found = solve(Task(rules, prior=tuple(weights.items())), budget=Budget(progress=told.append))
    assert found.strategy is not None
    assert found.strategy.cost.total_guesses == found.strategy.proof.lower_bound
    assert found.strategy.cost.total_guesses in (least, least * common)
    lower, upper = [progress.lower or 0 for progress in told], [progress.upper or 0 for progress in told]
    assert lower == sorted(lower)
    assert upper == sorted(upper, reverse=True)
    assert all(low <= least * common for low in lower)
    assert all(high >= least for high in upper)
