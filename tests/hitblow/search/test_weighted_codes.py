"""The search for secrets of unequal weights agrees with a plain recursion, and with itself under other settings.

Also tests `hitblow/search/weighted.py`: the search that `WeightedCodesSearch` uses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from math import gcd
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.hitblow.search.by_kernels import by_kernels

from yomikiri.common.budget import Budget, Progress, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.growing_table import check
from yomikiri.guessing.kernels.transposition_table import find
from yomikiri.hitblow.model.codes import all_guesses, all_secrets, decode_all
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn, hint
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.search.weighted_codes import WeightedCodesSearch, pair_classes
from yomikiri.hitblow.strategy.strategy import Node, Task
from yomikiri.machine import running
from yomikiri.machine.shared_words import STOP, STOP_REQUESTED

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
    """The least weighted total by the rules only, with every guess for every set."""

    def __init__(self, rules: Rules, weights: dict[str, int]) -> None:
        self.weights, self.guesses = weights, decode_all(rules, all_guesses(rules))
        self.hint = cache(hint)
        self.least = cache(self._least)

    def after(self, guess: str, codes: frozenset[str]) -> int | None:
        """Return the least total with that guess first, or None if it leaves all codes in one cell."""
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


def weighted_total(tree: Node, weights: dict[str, int]) -> int:
    return sum(weight * sum(1 for _ in tree.guesses(code)) for code, weight in weights.items())


def position(rules: Rules, random: Random, most: int) -> list[str]:
    """Return some codes: any, or those that fit a few turns."""
    codes = decode_all(rules, all_secrets(rules))
    if random.random() < 0.4:
        return sorted(random.sample(codes, random.randint(1, min(most, len(codes)))), key=codes.index)
    secret, guesses = random.choice(codes), decode_all(rules, all_guesses(rules))
    while len(codes) > most:
        guess = random.choice(guesses)
        codes = [code for code in codes if hint(guess, code) == hint(guess, secret)]
    return codes


def searching(rules: Rules, weights: dict[str, int], budget: Budget | None = None) -> WeightedCodesSearch:
    known = Knowledge(rules, prior=tuple(weights.items()))
    return WeightedCodesSearch(known, budget or Budget())


def small(random: Random, most: int) -> tuple[Rules, dict[str, int]]:
    rules, kind = random.choice(RULES), random.choice(KINDS)
    weights = {code: kind(random) for code in position(rules, random, most)}
    common = gcd(*weights.values())
    return rules, {code: weight // common for code, weight in weights.items()}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (3, 4, 5))])
def test_totals_and_trees_agree_with_a_plain_recursion(seed: int) -> None:
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
            # Only one of several equivalent guesses is listed. For a single code, uninformative guesses are omitted.
            assert after is None or bounds.get(guess, after) <= after, (rules, weights, guess)
        totals = [after for guess in bounds if (after := plain.after(guess, codes)) is not None]
        assert len(codes) == 1 or min(totals) == least


@pytest.mark.parametrize("seed", range(8))
def test_tree_attains_the_total_of_large_sets(seed: int) -> None:
    random = Random(seed)
    rules, kind = random.choice((Rules(), Rules(4, "1234567"))), random.choice(KINDS)
    weights = {code: kind(random) for code in position(rules, random, 110)}
    search = searching(rules, weights)
    assert weighted_total(search.tree(), weights) == search.least()


def runs_within_budgets(seed: int, budgets: Iterable[Budget]) -> Iterator[tuple[WeightedCodesSearch, int]]:
    """Run one search with each budget in turn, and yield (search, total), or (search, 0) if it was stopped."""
    random = Random(seed)
    codes = Knowledge(facts=(Turn.parse("012:1H0B"),)).codes()
    weights = {code: random.randint(1, 100) for code in codes}
    total, asked = searching(Rules(), weights).least(), searching(Rules(), weights)
    for budget in budgets:
        found = 0
        with suppress(Stopped):
            found = asked.with_budget(budget).least()
            assert found == total
        check(asked._search.transpositions.table)
        yield asked, found


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_stopped_search_resumes_from_its_table(seed: int) -> None:
    stops, entered = 0, 0
    for asked, found in runs_within_budgets(seed, (Budget(states=int(1.4**step)) for step in range(-1, 60))):
        if found:
            break
        assert asked.nodes - entered == int(1.4 ** (stops - 1)), "a budget of states is kept exactly"
        stops, entered = stops + 1, asked.nodes
    assert stops > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2))])
def test_table_bounds_are_valid_after_any_stop(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is stopped at many polls, also during scans and lists of guesses.

    The kernel stops itself after `polls` polls (checks of the stop flag). Then the bounds in the table must agree with
    a separate search of each set.
    """
    random = Random(seed)
    weights = {code: random.randint(1, 100) for code in decode_all(RULES[1], all_secrets(RULES[1]))}
    whole = searching(RULES[1], weights)
    total = whole.least()
    sets = {name(whole, members): members for members in subsets(whole, random)}
    known = {each: whole._least(members, whole._start) for each, members in sets.items()}
    met = 0
    for polls in [*range(1, 60), *range(60, 3000, 97)]:
        asked = searching(RULES[1], weights)
        monkeypatch.setattr(asked._search, "_poll_limit", lambda _n, polls=polls: polls)
        monkeypatch.setattr(running, "run", stopped_at_once)
        with suppress(Stopped):
            assert asked.least() == total
        for (key, seal), cost in known.items():
            lower, upper = find(asked._search.transpositions.table, key, seal)
            assert lower <= cost <= upper
            met += lower > 0
    assert met > 100


def stopped_at_once(kernel: Callable[[], object], words: NDArray[np.uint64], *_: object) -> tuple[object, bool]:
    """A replacement of `run` that requests a stop before the kernel begins."""
    words[0, STOP] = STOP_REQUESTED
    return kernel(), True


def name(search: WeightedCodesSearch, members: NDArray[np.int32]) -> tuple[np.uint64, np.uint64]:
    """Return the key of a set in the transposition table."""
    key, seal = search._table.keys[members].sum(axis=0, dtype=np.uint64)
    return key, seal


def subsets(search: WeightedCodesSearch, random: Random) -> list[NDArray[np.int32]]:
    """Return the whole set, the cells of all guesses, and the cells of some guesses in these."""
    count, sets = len(all_guesses(search._rules)), [search._all]
    for guesses in (count, 1):
        for members in [*sets]:
            for guess in random.sample(range(count), guesses):
                indices = search._answers[members, guess]
                sets += [
                    cell for index in set(indices.tolist()) if 3 < len(cell := members[indices == index]) < len(members)
                ]
    return sets


def test_search_stops_during_a_scan() -> None:
    """The stop is requested during the first node: no bound is written, and the next request succeeds."""
    weights = {code: 1 + i % 7 for i, code in enumerate(decode_all(Rules(), all_secrets(Rules())))}
    asked = searching(Rules(), weights)
    for ask in (asked.least, lambda: asked._by_bound(asked._all, asked._start, IMPOSSIBLE), asked.guesses):
        for spent in (Budget(cancelled=lambda: True), Budget.within(0.0)):
            asked.with_budget(spent)
            with pytest.raises(Stopped):
                ask()
    assert not asked._search.transpositions.table.any()


def test_building_tables_observes_the_budget() -> None:
    polls = iter(range(5))
    spent = Budget(cancelled=lambda: next(polls) == 4)
    with pytest.raises(Stopped):
        WeightedCodesSearch(Knowledge(Rules(4)), spent)
    with pytest.raises(Stopped):
        pair_classes(all_guesses(Rules()), Budget.within(0.0))


def test_uniform_weights_cost_what_the_exact_search_finds() -> None:
    known = Knowledge(facts=tuple(map(Turn.parse, ("012:1H0B", "134:0H1B"))))
    assert WeightedCodesSearch(known).least() == by_kernels(known).least()
    (move,) = WeightedCodesSearch(known).moves(1)
    assert move == by_kernels(known).moves(1)[0]


@pytest.mark.parametrize("seed", range(6))
def test_omitted_guesses_cost_as_much_as_their_representatives(seed: int) -> None:
    rules, random = Rules(2, "01234"), Random(seed)
    heavy = set(random.sample(rules.symbols, 2))
    weights = {code: 1 + 6 * len(heavy & set(code)) for code in rules.secrets()}
    search = WeightedCodesSearch(Knowledge(rules, prior=tuple(weights.items())))
    listed = [guess for _bound, guess in search.guesses()]
    plain, every = Plain(rules, weights), frozenset(weights)
    assert len(listed) < len(plain.guesses) / 4
    assert min(map(search.total_after, listed)) == plain.least(every)
    each = {plain.after(guess, every) for guess in plain.guesses}
    assert {plain.after(guess, every) for guess in listed} == each


@pytest.mark.parametrize("seed", range(4))
def test_symbols_distinguished_by_turns_are_not_permuted(seed: int) -> None:
    rules, random = Rules(2, "01234"), Random(seed)
    codes = list(rules.secrets())
    prior = {code: 1 + 6 * ("4" in code) for code in codes}
    made = random.choice(codes)
    known = Knowledge(rules, facts=(Turn(made, hint(made, random.choice(codes))),), prior=tuple(prior.items()))
    weights = {code: prior[code] for code in known.codes()}
    plain, every = Plain(rules, weights), frozenset(weights)
    search = WeightedCodesSearch(known)
    totals = {plain.after(guess, every) for _bound, guess in search.guesses()}
    assert totals >= {plain.after(guess, every) for guess in plain.guesses} - {None} or len(every) == 1


@pytest.mark.parametrize("seed", range(8))
def test_proven_bound_rises_to_the_least_total(seed: int) -> None:
    random, reports = Random(seed), list[Progress]()
    rules, kind = random.choice(RULES), random.choice(KINDS[1:])
    weights = {code: kind(random) for code in rules.secrets()}
    least = searching(rules, weights).least()
    common = gcd(*weights.values())
    found = solve(Task(rules, prior=tuple(weights.items())), budget=Budget(progress=reports.append))
    assert found.strategy is not None
    assert found.strategy.cost.total_guesses == found.strategy.proof.lower_bound
    assert found.strategy.cost.total_guesses in (least, least * common)
    lower, upper = [progress.lower or 0 for progress in reports], [progress.upper or 0 for progress in reports]
    assert lower == sorted(lower)
    assert upper == sorted(upper, reverse=True)
    assert all(low <= least * common for low in lower)
    assert all(high >= least for high in upper)
