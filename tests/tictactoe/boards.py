"""Boards for tests: a seeded sample with many wins for both players, and single examples."""

from __future__ import annotations

from functools import cache

import numpy as np
from tests.reference.tictactoe import plain_winners

from yomikiri.tictactoe.batch import winners

# A board that only edge openings win, and the second example of the contest, ABC349 E.
EDGE_ONLY = ((-2, 0, -1), (-1, -1, 0), (-1, -1, -2))
AOKI = ((-1, 1, 0), (-4, -2, -5), (-4, -1, -5))

_SPANS = ((-9, -1), (-(10**9), -1), (-9, 0), (-(10**9), 10**9), (-3, 3))


@cache
def balanced_boards(each: int, seed: int = 1) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return (weights, sign of the winner) for at least `each` wins of the first player and of the second, and draws.

    The first player wins 99.5 % of boards with uniform weights, so most of these weights are negative, and the
    program's `winners` selects the boards. The returned winners come from brute force only.
    """
    random = np.random.default_rng(seed)
    kept: dict[int, list[tuple[int, ...]]] = {1: [], -1: [], 0: []}
    while len(kept[1]) < each or len(kept[-1]) < each:
        drawn = np.concatenate([random.integers(low, high, (200, 9), endpoint=True) for low, high in _SPANS])
        for weights, winner in zip(drawn.tolist(), winners(drawn).tolist(), strict=True):
            if len(kept[winner]) < each:
                kept[winner].append(tuple(weights))
    boards = [weights for taken in kept.values() for weights in taken]
    found = plain_winners(boards)
    assert found.count(1) >= each <= found.count(-1)
    return tuple(zip(boards, found, strict=True))


def rows(weights: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return nine weights as three rows."""
    return weights[0:3], weights[3:6], weights[6:9]
