"""The bit planes of the code space agree with the rules, for every guess and secret."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.hitblow import plain_hint

from yomikiri.hitblow.model.rules import MAX_DIGITS, Repeats, Rules
from yomikiri.hitblow.search.code_space import build_planes, count_answer_indices, ideal_totals
from yomikiri.machine.vectors import LANES

GAMES = [
    Rules(1, "012"),
    Rules(2, "012", Repeats.ALL),
    Rules(3, "01234"),
    Rules(3, "012", Repeats.GUESS),
    Rules(4, "012", Repeats.ALL),
    Rules(5, "01", Repeats.ALL),
]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_planes_sum_to_the_answers_of_every_guess(rules: Rules) -> None:
    game = build_planes(rules)
    words = game.planes.reshape(game.blocks, game.rows, LANES).swapaxes(0, 1).reshape(game.rows, -1).copy()
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, : len(game.codes)].astype(int)
    text = ["".join(rules.symbols[symbol] for symbol in code) for code in game.codes]
    for secret, rows in zip(text, game.row // LANES, strict=True):
        hits, common = bits[rows[:MAX_DIGITS]].sum(axis=0), bits[rows[MAX_DIGITS:]].sum(axis=0)
        wanted = [plain_hint(guess, secret) for guess in text]
        assert list(zip(hits.tolist(), (common - hits).tolist(), strict=True)) == wanted


def test_module_example() -> None:
    game = build_planes(Rules(2, "012", Repeats.ALL))
    bits = np.unpackbits(game.planes.reshape(game.rows, LANES).view(np.uint8), axis=1, bitorder="little")[:, :9]
    secret = [code.tolist() for code in game.codes].index([1, 2])
    rows = ["".join(map(str, bits[game.row[secret, place] // LANES])) for place in (0, 1, MAX_DIGITS, MAX_DIGITS + 1)]
    assert rows == ["000111000", "001001001", "010111010", "001001111"]


def test_planes_have_one_bit_for_each_guess() -> None:
    game = build_planes(Rules(3, "01234"))
    every = np.unpackbits(game.every.view(np.uint8), bitorder="little")
    assert every.sum() == every[:60].sum() == 60


def test_answer_indices_are_the_hints_and_one_unused() -> None:
    for digits in range(1, 7):
        assert count_answer_indices(digits) == len(Rules(digits, "0123456789").hints) + 1


def test_ideal_totals_fill_a_tree_from_the_top() -> None:
    assert ideal_totals(8, 2).tolist() == [0, 1, 3, 5, 8, 11, 14, 17, 21]
    assert ideal_totals(4, 1).tolist() == [0, 1, 3, 6, 10]


def test_capacities_are_those_of_full_trees() -> None:
    game = build_planes(Rules(3, "0123456789"))
    assert game.capacity.tolist() == [0, 1, 9, 73, 585, 720, 720, 720]
