"""Bounds for codes of unequal weights from the least totals for equal weights: these totals and bounds are right."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from tests.hitblow.search.by_kernels import by_kernels
from tests.hitblow.search.test_weighted_codes import Plain, searching, small

from yomikiri.common.budget import UNLIMITED
from yomikiri.guessing.kernels.transposition_table import find
from yomikiri.hitblow.model.codes import all_guesses, decode_all
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Repeats, Rules, Turn, hint
from yomikiri.hitblow.search.kernels.uniform_totals import note_set
from yomikiri.hitblow.search.weighted_codes import WeightedCodesSearch, pair_classes, uniform_totals


@pytest.mark.parametrize("seed", range(8))
def test_bound_by_uniform_total_is_valid(seed: int) -> None:
    random = Random(seed)
    rules, weights = small(random, 9)
    search, plain = searching(rules, weights), Plain(rules, weights)
    even = Plain(rules, dict.fromkeys(weights, 1))
    codes = sorted(weights, key=lambda code: -weights[code])
    for _ in range(20):
        members = np.array(sorted(random.sample(range(len(codes)), random.randint(1, len(codes)))), dtype=np.int32)
        totals = np.zeros((len(plain.guesses), len(search._hints)), dtype=np.int64)
        for (guess, code), (answer, given) in product(enumerate(plain.guesses), enumerate(search._hints)):
            totals[guess, answer] = even.least(frozenset(codes[i] for i in members if hint(code, codes[i]) == given))
        search._search.run_on(members, note_set, totals)
        key, check = search._table.keys[members].sum(axis=0, dtype=np.uint64)
        bound = find(search._search.transpositions.table, key, check)[0]
        assert bound <= plain.least(frozenset(codes[i] for i in members)), (rules, weights, members)


@pytest.mark.parametrize("rules", [Rules(3, "01234"), Rules(2, "012345")])
def test_uniform_totals_agree_with_the_engine(rules: Rules) -> None:
    search, random = WeightedCodesSearch(Knowledge(rules)), Random(1)
    even, codes = uniform_totals(Knowledge(rules), search._hints), decode_all(rules, all_guesses(rules))
    assert even is not None
    for _ in range(60):
        first, then = random.randrange(len(codes)), random.randrange(len(codes))
        hint, answer = random.choice(search._hints[:-1]), random.randrange(len(search._hints))
        known = Knowledge(rules, facts=(Turn(codes[first], hint), Turn(codes[then], search._hints[answer])))
        assert even.after(first, hint, UNLIMITED)[then, answer] == (by_kernels(known).least() if known.count else 0)


def test_pair_classes_are_those_of_symbol_permutations() -> None:
    rules, random = Rules(3, "01234", Repeats.ALL), Random(2)
    names, codes = pair_classes(all_guesses(rules)), decode_all(rules, all_guesses(rules))
    for _ in range(2000):
        (a, b), (c, d) = random.choices(range(len(codes)), k=2), random.choices(range(len(codes)), k=2)
        if random.random() < 0.5:
            names_of = dict(zip(rules.symbols, random.sample(rules.symbols, 5), strict=True))
            c, d = (codes.index("".join(map(names_of.__getitem__, codes[each]))) for each in (a, b))
        pairs = list(zip(codes[a] + codes[b], codes[c] + codes[d], strict=True))
        alike = len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(set(pairs))
        assert (names[a, b] == names[c, d]) == alike


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_uniform_totals_do_not_change_costs(seed: int) -> None:
    random, rules = Random(seed), Rules(2, "012345678") if seed % 2 else Rules(3, "012345")
    spread = (5, 40, 70, 1)[seed]
    weights = {code: random.randint(100 - spread, 100 + spread) for code in rules.secrets()}
    asked, without = searching(rules, weights), searching(rules, weights)
    bounds = {guess: bound for bound, guess in asked.guesses()}
    assert asked._uniform_totals is not None
    least = without.least()
    limit = least + least // 40
    for guess in random.sample(list(bounds), 4):
        total, again = without.total_after(guess, limit), asked.total_after(guess, limit)
        assert again == total if total < limit else again >= limit
        assert bounds[guess] <= total or total >= limit
    assert min(bounds.values()) <= least


def test_uniform_totals_need_a_game_without_facts() -> None:
    rules = Rules(3, "012345")
    hints = WeightedCodesSearch(Knowledge(rules))._hints
    some = tuple((code, 1) for code in list(rules.secrets())[1:])
    for known in (
        Knowledge(rules, absent="5"),
        Knowledge(rules, facts=(Turn.parse("012:1H0B"),)),
        Knowledge(Rules(3, "012345", no_leading="0")),
        Knowledge(Rules(3, "01234", Repeats.GUESS)),
        Knowledge(rules, prior=some),
    ):
        assert uniform_totals(known, hints) is None
