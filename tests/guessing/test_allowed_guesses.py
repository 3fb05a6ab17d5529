"""The guesses that the guess rule allows, against a plain check of each guess."""

import random
from itertools import product

import numpy as np
from tests.reference.guessing import uses

from yomikiri.guessing.allowed_guesses import AllowedGuesses
from yomikiri.guessing.answers import MARKS

CODES = list(map("".join, product("abc", repeat=3)))
SYMBOLS = np.array([[ord(code[place]) - ord("a") for code in CODES] for place in range(3)], dtype=np.uint8)
OWN = np.array([5, 2], dtype=np.intp)


def test_hard_mode_allows_the_guesses_that_use_every_answer():
    chance, numbers = random.Random(1), dict[str, int]()
    allowed = AllowedGuesses(SYMBOLS, len(CODES))
    for _ in range(200):
        secret, index, expected = chance.randrange(len(CODES)), 0, list(range(len(CODES)))
        for _turn in range(3):
            guess = chance.choice(expected)
            answer = numbers.setdefault(MARKS.answer(CODES[guess], CODES[secret]), len(numbers))
            index = allowed.after(index, guess, answer, secret)
            expected = [k for k in expected if uses(CODES[guess], CODES[secret], CODES[k])]
            assert allowed.at(index, OWN).tolist() == expected


def test_other_rules_allow_all_guesses_or_the_candidates():
    no_symbols = np.zeros((0, len(CODES)), dtype=np.uint8)
    every = AllowedGuesses(no_symbols, len(CODES))
    assert every.after(0, 1, 2, 3) == 0
    assert every.at(0, OWN).tolist() == list(range(len(CODES)))
    assert AllowedGuesses(no_symbols, len(CODES), candidates_only=True).at(0, OWN).tolist() == [2, 5]
