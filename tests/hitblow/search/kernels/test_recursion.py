"""The search of random sets of codes agrees with the slow search.

The sets are not the candidates after turns, so they have no symmetry. Some are so large that every bound is used: the
bounds of large sets apply from twenty codes with two digits, and from forty with three.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.examples import before_release
from tests.reference.search import Reference

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.growing_table import check, new_table
from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.search.code_space import build_planes
from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.bounds import FREE
from yomikiri.hitblow.search.kernels.recursion import search_set
from yomikiri.hitblow.search.kernels.workspace import HASHED_TURNS, CurrentSet, Goal, Search, TurnHistory, Workspace
from yomikiri.hitblow.search.workspaces import new_workspace
from yomikiri.machine.shared_words import stopped


def least(game: Planes, work: Workspace, codes: tuple[int, ...], upper: int, limit: int, goal: Goal) -> int:
    """Return the result of the search of a set, from an empty table."""
    work.members[: len(codes)] = codes
    work.group_size[0] = 1
    work.group_order[0, 0] = 0
    work.group_map[0, 0] = range(16)
    used = (1 << game.symbols) - 1
    table, turns, n = new_table(1 << 12), HASHED_TURNS + 1, len(codes)
    key, other = game.keys[list(codes)].sum(axis=0, dtype=np.uint64)
    cost = int(
        search_set(
            Search(game, table, work, goal),
            CurrentSet(0, 0, n, n, limit, key, other),
            TurnHistory(turns, used, 0),
            upper,
        )
    )
    assert not stopped(work.shared)
    check(table)
    return cost


def compare(rules: Rules, sets: int, *, consistent: bool = False) -> None:
    """Compare random sets of all sizes, with and without limits, for the exact cost and for a bound."""
    game, slow, chance = build_planes(rules), Reference(rules, consistent=consistent), random.Random(sets)
    work = new_workspace(game, 4096, 20)
    every = range(len(slow.guesses))
    for _ in range(sets):
        codes = tuple(sorted(chance.sample(every, chance.randrange(3, len(every) + 1))))
        limit = chance.choice((FREE, FREE, FREE, 3, 4, 5))
        wanted = slow.least(codes, min(limit, len(codes)))
        within = 0 if limit == FREE or wanted[0] < 10**9 else IMPOSSIBLE
        assert least(game, work, codes, IMPOSSIBLE, limit, Goal(0, 0, consistent)) == within
        for goal in (Goal(1, 0, consistent), Goal(1 << 20, 1, consistent)):
            total = IMPOSSIBLE if wanted[0] >= 10**9 else wanted[0] * goal.guess + wanted[1] * goal.last
            if limit > len(codes):
                total = IMPOSSIBLE if wanted[0] >= 10**9 else wanted[0] * goal.guess
            assert least(game, work, codes, IMPOSSIBLE, limit, goal) == total
            if total < IMPOSSIBLE:
                assert least(game, work, codes, total + 1, limit, goal) == total
                short = chance.choice((total, total - goal.guess, total - 3 * goal.guess))
                assert short <= least(game, work, codes, short, limit, goal) <= total, "a bound that is not below it"


@pytest.mark.parametrize("consistent", [False, True])
def test_random_sets_of_two_digits(consistent: bool) -> None:
    compare(Rules(2, "012345"), 100, consistent=consistent)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("rules", "sets"),
    [
        (Rules(2, "012345"), 2000),
        (Rules(2, "0123456"), 120),
        (Rules(2, "01234", Repeats.ALL), 1000),
        (Rules(3, "0123"), 1000),
        (Rules(3, "01234"), 40),
    ],
    ids=str,
)
def test_random_sets_of_larger_games(rules: Rules, sets: int) -> None:
    compared = sets if before_release() else sets // 8
    compare(rules, compared)
    compare(rules, compared // 4, consistent=True)
