"""The order of the guesses at a set, by bounds from their cells, compared with costs from the slow search."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.reference.search import Reference

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.growing_table import new_table
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.search.code_space import build_planes
from yomikiri.hitblow.search.kernels.bounds import FREE
from yomikiri.hitblow.search.kernels.guesses import order_by_cells
from yomikiri.hitblow.search.kernels.recursion import begin_set
from yomikiri.hitblow.search.kernels.scan import SCORE_BITS
from yomikiri.hitblow.search.kernels.workspace import (
    HASHED_TURNS,
    CurrentSet,
    Goal,
    Search,
    TurnHistory,
    Workspace,
)
from yomikiri.hitblow.search.workspaces import new_workspace


@pytest.mark.parametrize("count", [30, 45])
def test_order_by_cells_keeps_valid_bounds_and_all_good_guesses(count: int) -> None:
    rules, goal, table = Rules(3, "01234"), Goal(1, 0, False), new_table(1 << 12)
    game, slow = build_planes(rules), Reference(rules, consistent=False)
    work = new_workspace(game, 4096, 20)
    codes = tuple(sorted(random.Random(count).sample(range(len(slow.guesses)), count)))
    work.members[:count] = codes
    work.group_size[0] = 1
    used, key = (1 << game.symbols) - 1, np.uint64(1)
    costs = [slow.cost(guess, codes, count)[0] for guess in range(len(slow.guesses))]
    best = min(costs) + 2
    current, history = CurrentSet(0, 0, count, count, FREE, key, key), TurnHistory(HASHED_TURNS + 1, used, 0)
    search = Search(game, table, work, goal)
    assert begin_set(search, current, history, IMPOSSIBLE) == -1
    one_step = bounds_of(work, len(costs))
    order_by_cells(search, current, history, best)
    base = 3 * count - (1 << SCORE_BITS) + 1
    two_steps = bounds_of(work, len(costs))
    kept = [guess for guess in range(len(costs)) if bit(work.to_try[0], guess)]
    assert all(base + two_steps[guess] <= costs[guess] for guess in kept)
    assert all(two_steps[guess] >= one_step[guess] for guess in kept)
    assert any(two_steps[guess] > one_step[guess] for guess in kept)
    assert work.nodes[0].value == min(two_steps[guess] for guess in kept)
    assert min(costs[guess] for guess in kept) == min(costs)


def bounds_of(work: Workspace, count: int) -> list[int]:
    """Return the bounds of all guesses at depth 0 as stored: less 3 n - 31, where n is the number of codes."""
    rows = work.bounds[0].reshape(-1, work.to_try.shape[1])[: work.nodes[0].bound_bits]
    return [sum(bit(row, guess) << k for k, row in enumerate(rows)) for guess in range(count)]


def bit(plane: NDArray[np.uint64], guess: int) -> int:
    """Return the bit of a guess."""
    return int(plane[guess >> 6]) >> (guess & 63) & 1
