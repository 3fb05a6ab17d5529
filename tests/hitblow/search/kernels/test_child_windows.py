"""Windows of cells: the parts of the spare cost (the cost to beat less the bound of a guess) that cells may use."""

from __future__ import annotations

import random

import pytest

from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.search.code_space import build_planes
from yomikiri.hitblow.search.kernels.child_windows import (
    cell_weight,
    child_window,
    enqueue,
    record_cost,
    record_gain,
    typical_cost,
)
from yomikiri.hitblow.search.kernels.workspace import Goal
from yomikiri.hitblow.search.workspaces import new_workspace

GAME = build_planes(Rules(2, "0123"))


def test_typical_cost_follows_recorded_costs() -> None:
    work = new_workspace(GAME, 64, 2)
    before = typical_cost(work, 100)
    assert 200 < before < 500, "nothing is known yet"
    for _ in range(500):
        record_cost(work, 100, 390)
        record_cost(work, 20, 50)
    assert typical_cost(work, 100) == pytest.approx(390, rel=0.02)
    assert typical_cost(work, 20) == pytest.approx(50, rel=0.02)
    assert typical_cost(work, 3000) > typical_cost(work, 2000) > 2000, "of other sizes nothing is learned"


def test_child_windows_are_positive_and_within_the_spare_cost() -> None:
    chance = random.Random(4)
    for _ in range(1000):
        whole, spare, part = chance.randrange(3, 5000), chance.randrange(1, 1 << 40), chance.random()
        assert 1 <= child_window(whole, spare, part) <= spare
        assert child_window(30, spare, part) == spare, "few codes are asked for all"


def test_cells_far_below_their_typical_cost_weigh_most() -> None:
    work = new_workspace(GAME, 64, 2)
    goal = Goal(1, 0, False)
    assert (
        cell_weight(work, goal, 100, 200) > cell_weight(work, goal, 100, 300) >= cell_weight(work, goal, 100, 1000) > 0
    )
    assert cell_weight(work, Goal(1 << 20, 1, False), 100, 200 << 20) == cell_weight(work, goal, 100, 200)


def test_cells_with_the_greatest_gain_are_scanned_first() -> None:
    work, chance = new_workspace(GAME, 64, 2), random.Random(2)
    for n, added in ((5, 0), (20, 4), (60, 3), (9, 3)):
        for _ in range(100):
            record_gain(work, Goal(1, 0, False), n, added)
    work.size[0, :4] = 5, 20, 60, 9
    for _ in range(20):
        waiting = 0
        for r in chance.sample(range(4), 4):
            waiting = enqueue(work, work.size[0], waiting, r)
        assert work.queue[:4].tolist() == [3, 1, 2, 0], "three for nine codes, four for twenty, three for sixty"
