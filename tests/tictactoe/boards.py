"""Boards that tests play on: a seeded sample that holds both verdicts alike, and others by kind."""

from __future__ import annotations

from functools import cache
from random import Random

from tests.reference import plain_winners

# Won by an edge opening only, and the board of the contest's second example.
EDGE_ONLY = ((-2, 0, -1), (-1, -1, 0), (-1, -1, -2))
AOKI = ((-1, 1, 0), (-4, -2, -5), (-4, -1, -5))

_NEGATIVE = ((-9, -1), (-(10**9), -1), (-9, 0))
_MIXED = ((-(10**9), 10**9), (-3, 3))


@cache
def balanced_boards(each: int, seed: int = 1) -> tuple[tuple[tuple[int, ...], int], ...]:
    """(weights, winner's sign by brute force) of `each` boards for either player and up to `each` draws.

    Uniform weights are won by the first player in 99.5 % of boards, so most here are negative.
    """
    random = Random(seed)
    kept: dict[int, list[tuple[int, ...]]] = {1: [], -1: [], 0: []}
    while len(kept[1]) < each or len(kept[-1]) < each:
        low, high = random.choice(_NEGATIVE if len(kept[1]) == each else _NEGATIVE + _MIXED)
        weights = tuple(random.randint(low, high) for _ in range(9))
        (winner,) = plain_winners([weights])
        if len(kept[winner]) < each:
            kept[winner].append(weights)
    return tuple((weights, winner) for winner, boards in kept.items() for weights in boards)


def rows(weights: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Nine weights as three rows."""
    return weights[0:3], weights[3:6], weights[6:9]
