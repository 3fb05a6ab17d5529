"""Bounds of the cost of a set that need no search are at most the cost that the slow search finds."""

from __future__ import annotations

import random
from collections import Counter as Times

import numpy as np
import pytest
from tests.examples import before_release
from tests.reference.search import IMPOSSIBLE as NONE
from tests.reference.search import Reference

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.growing_table import new_table
from yomikiri.guessing.kernels.partition import CodeSlice
from yomikiri.hitblow.model.codes import cell_sizes, hint_number
from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.search.code_space import build_planes
from yomikiri.hitblow.search.kernels.bounds import (
    FREE,
    bound_cell,
    bound_in_table,
    clear_ranking,
    cost_by_size,
    cost_of_small_set,
    cost_of_total,
    effective_limit,
    greatest_score_in_cell,
    table_key,
)
from yomikiri.hitblow.search.kernels.current_set import is_separable, load_set
from yomikiri.hitblow.search.kernels.scan import scan_scores
from yomikiri.hitblow.search.kernels.workspace import CurrentSet, Goal, Search
from yomikiri.hitblow.search.subproblem import Count
from yomikiri.hitblow.search.workspaces import new_workspace

GAMES = [Rules(2, "01234"), Rules(3, "0123"), Rules(2, "0123", Repeats.GUESS), Rules(2, "0123", Repeats.ALL)]
START, CELL = 5, 700


@pytest.mark.slow
@pytest.mark.parametrize("consistent", [False, True])
@pytest.mark.parametrize("counts", [Count.TOTAL, Count.LAST, Count.FEWEST])
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_closed_forms_and_bounds_agree_with_the_slow_search(rules: Rules, counts: Count, consistent: bool) -> None:
    """Formulas give the exact cost, and bounds by one guess do not exceed it, with and without a limit of guesses."""
    game, slow, chance = build_planes(rules), Reference(rules, consistent=consistent), random.Random(3)
    work = new_workspace(game, 4096, 2)
    goal = Goal(counts.guess, counts.last, consistent)
    met: Times[str] = Times()
    secrets = [number for number, code in enumerate(slow.guesses) if len(set(code)) == len(code)]
    if rules.repeats is Repeats.ALL:
        secrets = list(slow.every)
    for _ in range(150 if before_release() else 50):
        codes = tuple(sorted(chance.sample(secrets, chance.randrange(1, min(9, len(secrets))))))
        n = len(codes)
        for limit in (1, 2, 3, 4, FREE):
            allowed = min(limit, n + 1)
            total, last = slow.fewest(codes, allowed)[::-1] if counts is Count.FEWEST else slow.least(codes, allowed)
            cost = IMPOSSIBLE if NONE in ((total, last), (last, total)) else counts.cost(total, last)
            allowed = effective_limit(limit, n)
            assert allowed == (FREE if limit > n else limit)
            work.members[START : START + n] = codes
            assert cost_of_total(game, goal, n, allowed, slow.least(codes, n)[0]) <= cost
            settled = cost_by_size(game, goal, n, allowed)
            if settled < 0:
                settled = cost_of_small_set(goal, n, allowed, is_separable(game, work.members, START, n))
            assert settled in (-1, cost)
            met["settled" if settled == cost else "open"] += 1
            if settled < 0:
                table = new_table(64)
                key, check = np.uint64(77), np.uint64(78)
                lower = bound_cell(
                    Search(game, table, work, goal), CurrentSet(1, START, n, 0, allowed, key, check), 0, IMPOSSIBLE
                )
                assert lower <= cost
                met["looked"] += 1
                assert bound_in_table(Search(game, table, work, goal), n, key, check, allowed) == lower, "it is noted"
    assert min(met.values()) > 50
    assert len(met) == 3


def test_table_keys_differ_by_cost_and_limit() -> None:
    goals = [Goal(count.guess, count.last, False) for count in Count]
    names = {int(table_key(np.uint64(77), limit, goal)) for goal in goals for limit in range(1, 1000)}
    assert len(names) == len(goals) * 999
    assert {int(table_key(np.uint64(77), FREE, goal)) for goal in goals} == {77}, (
        "then it is a total, whatever the goal"
    )


def test_the_costs_of_a_goal_identify_its_kind() -> None:
    assert len({count.guess + count.value[1] for count in Count}) == len(Count)
    assert all(count.guess + count.value[1] < 1 << 32 for count in Count)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        Rules(2, "01234567"),
        Rules(3, "012345"),
        pytest.param(Rules(3, "0123456789"), marks=pytest.mark.exhaustive),
        pytest.param(Rules(4, "01234", Repeats.ALL), marks=pytest.mark.exhaustive),
        pytest.param(Rules(5, "012345"), marks=pytest.mark.exhaustive),
    ],
    ids=str,
)
def test_greatest_score_in_cell_agrees_with_all_guesses(rules: Rules) -> None:
    game, chance = build_planes(rules), random.Random(len(rules.symbols))
    work = new_workspace(game, 2048, 2)
    every, win = range(len(game.codes)), hint_number(rules, rules.win)
    for _ in range(20):
        codes = sorted(chance.sample(every, chance.randrange(5, min(400, len(every)))))
        work.members[START : START + len(codes)] = codes
        scan_scores(
            game, CodeSlice(work.members, START, len(codes)), 1, work.marks, work.inverted_scores[1], work.shared
        )
        load_set(game, work, 1, START, len(codes))
        clear_ranking(work, 1)
        sizes = cell_sizes(game.codes, game.codes[codes])
        whole = ((sizes > 0).sum(axis=1) + sizes[:, win]).max()
        for _ in range(20):
            cell = sorted(chance.sample(codes, chance.randrange(3, min(30, len(codes)))))
            work.members[CELL : CELL + len(cell)] = cell
            sizes = cell_sizes(game.codes, game.codes[cell])
            most = ((sizes > 0).sum(axis=1) + sizes[:, win]).max()
            assert most <= whole, "no more than in the whole"
            assert greatest_score_in_cell(game, work, 1, CodeSlice(work.members, CELL, len(cell)), 99, 0) == most
            assert greatest_score_in_cell(game, work, 1, CodeSlice(work.members, CELL, len(cell)), most, 0) == most
            needed = chance.randrange(3, 20)
            found = greatest_score_in_cell(game, work, 1, CodeSlice(work.members, CELL, len(cell)), 99, needed)
            assert found == most or most <= found <= needed
