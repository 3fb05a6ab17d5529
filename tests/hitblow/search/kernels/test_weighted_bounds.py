"""Bounds with weights agree with the formulas, to their unit, and are valid."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from random import Random

import numpy as np
import pytest
from tests.hitblow.search.test_weighted_codes import KINDS, Plain, searching, small

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.search.kernels.weighted_bounds import excess_of_mask, least_bound, list_guesses, scan, write_masks
from yomikiri.hitblow.search.kernels.weighted_workspace import WeightedSet
from yomikiri.hitblow.search.weighted_codes import WeightedCodesSearch

GAMES = Rules(), Rules(4, "0123456"), Rules(5, "012345"), Rules(2, "0123456")


def kept(search: WeightedCodesSearch, guess: int, members: list[int], *, crowded: bool) -> int:
    """Return 3 W less the bound of a guess: the heaviest of each cell and that of the win, less codes beyond s."""
    table, weight = search._position.table, search._position.weight
    cells = defaultdict(list)
    for member in members:
        cells[int(table.answers[guess, member])].append(int(weight[member]))
    win = cells.get(table.answer_count - 1, [0])[0]
    late = sum(sum(cell[table.answer_count :]) for cell in cells.values()) if crowded else 0
    return sum(cell[0] for cell in cells.values() if cell) + win - late


def large(seed: int) -> tuple[WeightedCodesSearch, list[int], WeightedSet]:
    """Return a search of a large position, and a current set of some of its members."""
    random = Random(seed)
    rules, kind = GAMES[seed % 4], random.choice(KINDS)
    codes = list(rules.secrets())
    search = searching(rules, {code: kind(random) for code in random.sample(codes, min(len(codes), 120))})
    members = sorted(random.sample(range(len(search._all)), random.choice((3, 20, 30, len(search._all) // 2))))
    return search, members, search._lay(np.array(members, dtype=np.int32), 0)


@pytest.mark.parametrize(("seed", "crowded"), [*product(range(8), (False, True))])
def test_scan_agrees_with_the_formula_to_its_unit(seed: int, crowded: bool) -> None:
    search, members, current = large(seed)
    search._work.state[0].counted_above = 0 if crowded else 10**9
    unit = scan(search._position, search._work, current, -1)
    for guess in range(0, len(search._table.codes), 37):
        exact = kept(search, guess, members, crowded=crowded)
        spare = 0 if unit == 0 else (len(members) + 1) << unit
        assert exact <= int(search._work.kept[guess]) << unit <= exact + spare
    assert unit > 0 or current.whole < 1 << 16


@pytest.mark.parametrize("seed", range(8))
def test_no_bound_is_higher_than_the_cost(seed: int) -> None:
    random = Random(seed)
    rules, weights = small(random, 11)
    search, plain, codes = searching(rules, weights), Plain(rules, weights), frozenset(weights)
    n, least = len(weights), plain.least(frozenset(weights))
    each = sorted(weights, key=lambda code: -weights[code])
    position_, work = search._position, search._work
    current = search._lay(search._all, 0)
    write_masks(position_, work, 0, current)
    for cell in random.sample(range(1, 1 << n), min(40, (1 << n) - 1)):
        part = [code for i, code in enumerate(each) if cell >> i & 1]
        weight, cost = sum(weights[code] for code in part), plain.least(frozenset(part))
        beyond, exact = excess_of_mask(position_, 0, np.uint64(cell), work.each[0], work.mask[0])
        lower = 2 * weight - weights[part[0]] + beyond
        assert lower == cost if exact else lower <= cost
    for crowded, refined in product((0, 100), (0, 3, 1000)):
        work.state[0].counted_above, work.state[0].refined_guesses = crowded, refined
        assert least_bound(position_, work, current, search._start.used, IMPOSSIBLE) <= max(least, 2 * current.whole)
        listed = list_guesses(position_, work, current, search._start.used, IMPOSSIBLE)
        assert listed == len(search._table.codes)
        for k in range(listed):
            after = plain.after(plain.guesses[work.guess[0, k]], codes)
            assert after is None or work.bound[0, k] <= after
