"""The answers that codes give to guesses, against hints counted one by one."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.hitblow import plain_hint

from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.search.code_space import build_planes
from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.workspace import answer_index, answer_indices, symbol_mask

GAMES = [
    Rules(3, "012345"),
    Rules(3, "0123", Repeats.GUESS),
    Rules(4, "0123", Repeats.ALL),
    Rules(6, "01", Repeats.ALL),
]


def texts(rules: Rules, game: Planes) -> list[str]:
    return ["".join(rules.symbols[symbol] for symbol in code) for code in game.codes]


def index(guess: str, secret: str) -> int:
    hits, blows = plain_hint(guess, secret)
    common = hits + blows
    return common * (common + 1) // 2 + hits


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_answer_index_encodes_hits_and_blows(rules: Rules) -> None:
    game = build_planes(rules)
    text = texts(rules, game)
    every, indices = np.arange(len(text), dtype=np.int32), np.empty(len(text), dtype=np.int64)
    for guess in range(0, len(text), 5):
        wanted = [index(text[guess], secret) for secret in text]
        assert [answer_index(game, guess, secret) for secret in every] == wanted
        answer_indices(game, guess, every, indices)
        assert indices.tolist() == wanted


def test_symbols_are_one_bit_each() -> None:
    rules = Rules(3, "0123", Repeats.ALL)
    game = build_planes(rules)
    for number, code in enumerate(texts(rules, game)):
        assert symbol_mask(game, number) == sum(1 << rules.symbols.index(symbol) for symbol in set(code))
