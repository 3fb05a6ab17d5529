"""Hashes of sets are equal exactly for equivalent sets."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from tests.hitblow.race.kernels.test_tables import GAMES, Numbers, some_sets

from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.race.kernels.set_hash import hash_set
from yomikiri.hitblow.race.public.tables import game_of, new_workspace


def named(rules: Rules, codes: Numbers) -> tuple[int, int]:
    game = game_of(rules)
    work = new_workspace(game, 4 * len(game.codes), 64)
    work.members[: len(codes)] = codes
    key, check_word = hash_set(game, work, 0, len(codes))
    return int(key), int(check_word)


@pytest.mark.parametrize("rules", [pytest.param(GAMES[0], marks=pytest.mark.exhaustive), *GAMES[1:]], ids=str)
def test_equivalent_sets_have_equal_hashes_and_others_different_ones(rules: Rules):
    """Equivalent sets differ by permutations of places and symbols. Rarely, their hashes differ too."""
    game, chance = game_of(rules), random.Random(4)
    same = asked = 0
    least: dict[tuple[int, int], frozenset[bytes]] = {}
    for codes in some_sets(rules, 60, 8):
        image = game.codes[codes][:, chance.sample(range(rules.digits), rules.digits)]
        image = np.array(chance.sample(range(game.symbols), game.symbols), dtype=np.uint8)[image]
        same += named(rules, codes) == named(rules, game.number[image @ game.radix])
        asked += 1
        least.setdefault(named(rules, codes), orbit(rules, codes))
        assert least[named(rules, codes)] == orbit(rules, codes), "one name for sets that are no images of each other"
    assert same > 0.7 * asked


def orbit(rules: Rules, codes: Numbers) -> frozenset[bytes]:
    """Return all images of a set under permutations of places and symbols."""
    game = game_of(rules)
    images = set()
    for places in permutations(range(rules.digits)):
        for symbols in permutations(range(game.symbols)):
            image = np.array(symbols, dtype=np.uint8)[game.codes[codes][:, places]]
            images.add(np.sort(game.number[image @ game.radix]).tobytes())
    return frozenset(images)
