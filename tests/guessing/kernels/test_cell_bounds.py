"""Bounds of cells agree with costs that are found by trying every guess."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from tests.reference import guessing as reference

from yomikiri.common.budget import UNLIMITED
from yomikiri.guessing.answers import HITS_BLOWS
from yomikiri.guessing.game import Game
from yomikiri.guessing.kernels.answer_table import TableSet
from yomikiri.guessing.kernels.cell_bounds import bound_by_members, child_window, has_masks, raise_bound, write_near
from yomikiri.guessing.kernels.scan import find_rows
from yomikiri.guessing.position_search import PositionSearch
from yomikiri.guessing.search import TableSearch

CODES = ["".join(code) for code in permutations("01234", 2)]


def random_search(seed: int) -> tuple[PositionSearch, TableSearch, TableSet]:
    """Return a search of up to nine weighted codes of two digits, with the set of all."""
    chance = random.Random(seed)
    secrets = chance.sample(CODES, chance.randint(1, 9))
    weights = [chance.choice((1, 2, 3, 10, 11, 70_000)) for _ in secrets]
    position = PositionSearch(Game(dict(zip(secrets, weights, strict=True)), CODES, HITS_BLOWS).start)
    search = TableSearch(position.table, UNLIMITED)
    return position, search, search._write_set(np.arange(len(secrets), dtype=np.int32))


def least_cost(position: PositionSearch, chosen: list[int]) -> int:
    """Return the least cost of the secrets with the indices `chosen`, where every code may be a guess."""
    weights = {position.secrets[i]: position.weights[i] for i in chosen}
    least = reference.least_cost(weights, CODES, HITS_BLOWS.answer)
    assert least is not None
    return least


@pytest.mark.slow
def test_bound_by_members_is_a_bound_and_exact_if_it_says_so():
    exact = 0
    for seed in range(150):
        position, search, current = random_search(seed)
        bound, is_cost = bound_by_members(search._table, search._work, current)
        least = least_cost(position, list(range(current.n)))
        assert bound == least if is_cost else bound <= least, seed
        exact += is_cost
    assert 50 < exact < 150


def test_bound_counts_third_guesses_of_large_sets():
    """Two digits of five have five answers or fewer. Of nine secrets, the four lightest take three guesses at least."""
    game = Game({code: 10 - k for k, code in enumerate(CODES[:9])}, CODES, HITS_BLOWS)
    search = TableSearch(PositionSearch(game.start).table, UNLIMITED)
    current = search._write_set(np.arange(9, dtype=np.int32))
    count, weights = search._table.answer_count, range(10, 1, -1)
    assert count < 9
    expected = 2 * sum(weights) - 10 + sum(weights[count:])
    assert bound_by_members(search._table, search._work, current) == (expected, False)


@pytest.mark.slow
def test_raised_bounds_hold_and_exceed_those_of_the_savings():
    raised = 0
    for seed in range(60):
        position, search, current = random_search(seed)
        table, work = search._table, search._work
        assert has_masks(table, current)
        find_rows(table, work, current)
        write_near(table, work, current)
        savings = search.start_savings
        for guess, code in enumerate(position.guesses):
            bonus = position.weights[position.secrets.index(code)] if code in position.secrets else 0
            bound = 3 * current.whole - int(savings[guess]) - bonus
            better = raise_bound(table, work, current, guess, bound, 1 << 60)
            cells: dict[str, list[int]] = {}
            for i, secret in enumerate(position.secrets):
                if secret != code:
                    cells.setdefault(HITS_BLOWS.answer(code, secret), []).append(i)
            cost = current.whole + sum(least_cost(position, cell) for cell in cells.values())
            assert bound <= better <= cost, (seed, code)
            assert raise_bound(table, work, current, guess, bound, bound) == bound
            raised += better > bound
    assert raised > 50


def test_child_windows_share_the_spare_cost_by_weight():
    assert child_window(30, 60, 100) == 51
    assert child_window(1, 60, 0) == 1
