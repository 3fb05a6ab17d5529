"""The answers that codes give to guesses, against hints counted one by one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.reference.hitblow import plain_hint

from yomikiri.hitblow.rules import Repeats, Rules
from yomikiri.hitblow.search.planes import Planes, build_planes
from yomikiri.hitblow.search.workspace import (
    NEAR,
    Workspace,
    answer,
    answer_in_hand,
    answers,
    is_perfect_cell,
    new_workspace,
    symbols_of,
    take_in_hand,
)

GAMES = [
    Rules(3, "012345"),
    Rules(3, "0123", Repeats.GUESS),
    Rules(4, "0123", Repeats.ALL),
    Rules(6, "01", Repeats.ALL),
]
START = 7


def texts(rules: Rules, game: Planes) -> list[str]:
    return ["".join(rules.symbols[symbol] for symbol in code) for code in game.codes]


def slot(guess: str, secret: str) -> int:
    hits, blows = plain_hint(guess, secret)
    common = hits + blows
    return common * (common + 1) // 2 + hits


def some_set(game: Planes, size: int) -> tuple[Workspace, NDArray[np.int32]]:
    """A set of codes in hand at depth 0, not at the very beginning of the members."""
    work = new_workspace(game, 4096, 2)
    codes = np.random.default_rng(size).permutation(len(game.codes))[:size].astype(np.int32)
    work.members[START : START + len(codes)] = codes
    take_in_hand(game, work, 0, START, len(codes))
    return work, codes


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_the_slot_of_an_answer_says_its_hits_and_blows(rules: Rules) -> None:
    game = build_planes(rules)
    text = texts(rules, game)
    every, slots = np.arange(len(text), dtype=np.int32), np.empty(len(text), dtype=np.int64)
    for guess in range(0, len(text), 5):
        wanted = [slot(text[guess], secret) for secret in text]
        assert [answer(game, guess, secret) for secret in every] == wanted
        answers(game, guess, every, slots)
        assert slots.tolist() == wanted


@pytest.mark.parametrize("size", [1, 17, NEAR, NEAR + 50])
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_a_set_in_hand_answers_all_at_once(rules: Rules, size: int) -> None:
    game = build_planes(rules)
    text = texts(rules, game)
    work, codes = some_set(game, size)
    for guess in range(0, len(text), 3):
        answer_in_hand(game, work, START, len(codes), guess)
        assert work.answers[: len(codes)].tolist() == [slot(text[guess], text[code]) for code in codes]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_a_small_set_in_hand_has_a_table_of_its_own_answers(rules: Rules) -> None:
    game = build_planes(rules)
    text = texts(rules, game)
    work, codes = some_set(game, 50)
    table = work.near[0, : len(codes), : len(codes)]
    assert table.tolist() == [[slot(text[one], text[other]) for other in codes] for one in codes]


@pytest.mark.parametrize("whole", [60, NEAR + 1])
def test_a_cell_is_perfect_if_a_member_tells_it_apart_whether_its_set_has_a_table_or_not(whole: int) -> None:
    game = build_planes(GAMES[0])
    text = texts(GAMES[0], game)
    found = set()
    for seed in range(200):
        work, codes = some_set(game, 60)
        size = 2 + seed % 7
        local = np.random.default_rng(seed).permutation(60)[:size]
        work.members[500 : 500 + size], work.local[500 : 500 + size] = codes[local], local
        cell = [text[code] for code in codes[local]]
        perfect = any(len({slot(member, code) for code in cell}) == size for member in cell)
        assert is_perfect_cell(game, work, 0, whole, 500, size) is perfect
        found.add((size, perfect))
    assert len(found) > 10


def test_symbols_are_one_bit_each() -> None:
    rules = Rules(3, "0123", Repeats.ALL)
    game = build_planes(rules)
    for number, code in enumerate(texts(rules, game)):
        assert symbols_of(game, number) == sum(1 << rules.symbols.index(symbol) for symbol in set(code))
