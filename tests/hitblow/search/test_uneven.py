"""The search for uneven secrets agrees with a plain recursion, and with itself however it is set."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from random import Random

import numpy as np
import pytest

from yomikiri.budget import Budget
from yomikiri.hitblow.codes import all_guesses, all_secrets, decode_all
from yomikiri.hitblow.rules import Repeats, Rules, hint
from yomikiri.hitblow.search.uneven import UnevenSearch
from yomikiri.hitblow.strategy.strategy import Node

RULES = [
    Rules(3, "01234"),
    Rules(3, "012345"),
    Rules(2, "012345"),
    Rules(4, "01234"),
    Rules(2, "0123", Repeats.ALL),
    Rules(2, "0123", Repeats.GUESS),
    Rules(1, "012345"),
]
KINDS = [
    lambda _random: 1,
    lambda random: random.randint(1, 3),
    lambda random: random.randint(1, 100),
    lambda random: 10**6 // random.randint(1, 1000),
    lambda random: 1 << random.randrange(20),
    lambda random: random.choice((10**6 - random.randrange(3), 1 + random.randrange(2))),
]


class Plain:
    """The least weighted total by the rules alone: every guess for every set."""

    def __init__(self, rules: Rules, weights: dict[str, int]) -> None:
        self.weights, self.guesses = weights, decode_all(rules, all_guesses(rules))
        self.hint = cache(hint)
        self.least = cache(self._least)

    def after(self, guess: str, codes: frozenset[str]) -> int | None:
        """The least total if that guess comes first; None if it tells nothing."""
        cells = defaultdict(set)
        for code in codes:
            cells[self.hint(guess, code)].add(code)
        if len(cells) == 1 and guess not in codes:
            return None
        whole = sum(self.weights[code] for code in codes)
        return whole + sum(self.least(frozenset(cell)) for cell in cells.values() if cell != {guess})

    def _least(self, codes: frozenset[str]) -> int:
        totals = (self.after(guess, codes) for guess in self.guesses)
        return min(total for total in totals if total is not None)


def weighted_total(tree: Node, weights: dict[str, int]) -> int:
    return sum(weight * sum(1 for _ in tree.guesses(code)) for code, weight in weights.items())


def position(rules: Rules, random: Random, most: int) -> list[str]:
    """Some codes: any, or those that fit a few turns."""
    codes = decode_all(rules, all_secrets(rules))
    if random.random() < 0.4:
        return sorted(random.sample(codes, random.randint(1, min(most, len(codes)))), key=codes.index)
    secret, guesses = random.choice(codes), decode_all(rules, all_guesses(rules))
    while len(codes) > most:
        guess = random.choice(guesses)
        codes = [code for code in codes if hint(guess, code) == hint(guess, secret)]
    return codes


def searching(rules: Rules, weights: dict[str, int], budget: Budget | None = None) -> UnevenSearch:
    index = dict(zip(decode_all(rules, all_secrets(rules)), all_secrets(rules), strict=True))
    rows = np.array([index[code] for code in weights])
    return UnevenSearch(rules, rows, np.array([*weights.values()]), budget or Budget())


def small(random: Random, most: int) -> tuple[Rules, dict[str, int]]:
    rules, kind = random.choice(RULES), random.choice(KINDS)
    return rules, {code: kind(random) for code in position(rules, random, most)}


@pytest.mark.parametrize("seed", range(6))
def test_totals_and_trees_are_those_of_a_plain_recursion(seed: int) -> None:
    random = Random(seed)
    for _ in range(20):
        rules, weights = small(random, 9)
        asked, plain = searching(rules, weights), Plain(rules, weights)
        codes = frozenset(weights)
        least = plain.least(codes)
        assert asked.least() == least, (rules, weights)
        assert weighted_total(asked.tree(), weights) == least
        guess = random.choice(plain.guesses)
        after = plain.after(guess, codes)
        expected = sum(weights.values()) + least if after is None else after
        assert asked.total_after(guess) == expected
        assert asked.total_after(guess, expected) >= expected, "below its cost it is only a bound"
        bounds = {code: bound for bound, code in asked.guesses()}
        for guess in plain.guesses:
            after = plain.after(guess, codes)
            assert after is None or bounds[guess] <= after, (rules, weights, guess)
