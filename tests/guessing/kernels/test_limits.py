"""The guesses that hard mode allows, against a plain check of each guess."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
from tests.reference.guessing import uses

from yomikiri.guessing.kernels.limits import NEVER, disallow, hash_requirements, narrow

CODES = list(map("".join, product("abc", repeat=4)))
SYMBOLS = np.array([[ord(code[place]) - ord("a") for code in CODES] for place in range(4)], dtype=np.uint8)


def test_narrow_keeps_the_allowed_guesses_of_a_list_in_order() -> None:
    chance = random.Random(1)
    for _ in range(200):
        guess, secret = chance.choices(range(len(CODES)), k=2)
        wider = chance.sample(range(len(CODES)), chance.randint(0, len(CODES)))
        padded = np.array([*wider, *[-1] * (len(CODES) - len(wider))], dtype=np.int32)
        allowed = np.zeros(len(CODES), dtype=np.int32)
        count = narrow(SYMBOLS, guess, secret, padded, allowed)
        assert allowed[:count].tolist() == [k for k in wider if uses(CODES[guess], CODES[secret], CODES[k])]
        assert count == len(CODES) or allowed[count] == -1


def test_disallow_marks_the_guesses_that_ignore_an_answer() -> None:
    chance = random.Random(2)
    for _ in range(100):
        guess, secret = chance.choices(range(len(CODES)), k=2)
        limit = np.ones(len(CODES), dtype=np.int64)
        disallow(SYMBOLS, guess, secret, limit)
        assert limit.tolist() == [1 if uses(CODES[guess], CODES[secret], code) else NEVER for code in CODES]


def test_equal_hashes_of_requirements_allow_the_same_guesses() -> None:
    allowed: dict[tuple[int, int], list[int]] = {}
    for guess, secret in product(range(len(CODES)), repeat=2):
        one, other = map(int, hash_requirements(SYMBOLS, guess, secret))
        kept = [k for k in range(len(CODES)) if uses(CODES[guess], CODES[secret], CODES[k])]
        assert allowed.setdefault((one, other), kept) == kept
    assert len(allowed) > 100
