"""Costs of guesses that differ by depth, against an oracle that tries every guess."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.guessing.test_position_search import repeated

from yomikiri.common.budget import UNLIMITED
from yomikiri.guessing.answers import ANSWER_KINDS
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.game import Game
from yomikiri.guessing.position_table import PositionTable
from yomikiri.guessing.search import SearchStage, TableSearch

Set = tuple[int, ...]
WEIGHTS = (1, 1, 1), (1, 2, 3, 5, 30), (100, 101, 102), (30_000, 30_001, 900_000)
STEPS = (0, 1, 2, 7), (0, 0, 1), (1, 1, 2), (5_000, 70_001, 123_456)


class Oracle:
    """The least costs of sets by trying every guess."""

    def __init__(self, answers: NDArray[np.uint16], own: list[int], weights: list[int], steps: list[int]) -> None:
        self.answers, self.own, self.weights, self.steps = answers, own, weights, steps
        self.least = cache(self._least)

    def after(self, members: Set, depth: int, guess: int) -> int | None:
        """Return the least cost of a set with `guess` first, or None if all secrets stay in one cell."""
        cells = defaultdict(list)
        for member in members:
            if self.own[member] != guess:
                cells[self.answers[member, guess]].append(member)
        if [*map(len, cells.values())] == [len(members)]:
            return None
        step = self.steps[min(depth, len(self.steps) - 1)]
        rest = sum(self.least(tuple(cell), min(depth + 1, len(self.steps) - 1)) for cell in cells.values())
        return step * sum(self.weights[member] for member in members) + rest

    def _least(self, members: Set, depth: int) -> int:
        found = (self.after(members, depth, guess) for guess in range(self.answers.shape[1]))
        return min(cost for cost in found if cost is not None)


def random_search(seed: int) -> tuple[TableSearch, Oracle]:
    chance = Random(seed)
    places, symbols = chance.randint(2, 4), chance.randint(2, 4)
    codes = repeated(places, symbols)
    chance.shuffle(codes)
    count = chance.randint(1, min(9, len(codes)))
    pool = chance.choice(WEIGHTS)
    secrets = {code: chance.choice(pool) for code in codes[:count]}
    game = Game(secrets, codes[count:][: chance.randint(0, 12)], chance.choice([*ANSWER_KINDS.values()]))
    made = PositionTable(game.start)
    steps = [1]
    if chance.random() < 0.9:
        each = chance.choice(STEPS)
        steps = [*(chance.choice(each) for _ in range(chance.randint(0, 5))), max(each), 0]
    table = made.table._replace(step=np.array(steps, dtype=np.int64))
    search = TableSearch(table, UNLIMITED, by_savings=chance.random() < 0.5)
    answers = table.answers.reshape(count, -1)[:, : len(made.guesses)]
    return search, Oracle(answers, made.own, made.weights, steps)


def check_costs(seeds: range) -> None:
    for seed in seeds:
        search, oracle = random_search(seed)
        chance, count = Random(seed), len(oracle.own)
        for _ in range(3):
            members = tuple(sorted(chance.sample(range(count), chance.randint(1, count))))
            at = SearchStage(chance.randint(0, len(oracle.steps) - 1))
            least, each = oracle.least(members, at.depth), np.array(members, dtype=np.int32)
            assert search.cost(each, IMPOSSIBLE, at) == least, (seed, members, at)
            limit = chance.randint(0, least)
            assert limit <= search.cost(each, limit, at) <= least, (seed, members, at)
            costs = [oracle.after(members, at.depth, guess) for guess in range(oracle.answers.shape[1])]
            bounds = search.ordered(each, IMPOSSIBLE, at)
            assert len(bounds) == len(costs)
            assert all((costs[guess] or bound) >= bound for bound, guess in bounds)
            first = next(guess for _bound, guess in bounds if costs[guess] == least)
            if len(members) > 2:
                assert search.best_guess(each, at) == first, (seed, members, at)
            guess = chance.randrange(len(costs))
            if (cost := costs[guess]) is not None:
                assert search.cost_by_windows(each, guess, IMPOSSIBLE, at) == cost, (seed, members, at, guess)


def test_costs_by_depth_agree_with_an_oracle() -> None:
    check_costs(range(300))


@pytest.mark.exhaustive
def test_costs_by_depth_of_more_games_agree_with_an_oracle() -> None:
    check_costs(range(300, 3_000))
