"""Equivalent cells have the same canonical turns and the same cost, so bounds of a cell hold for all of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from yomikiri.hitblow.model.rules import Repeats, Rules, Turn, hint
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns, random_permutation

GAMES = [Rules(3, "0123456"), Rules(4, "012345"), Rules(3, "0123", Repeats.ALL), Rules(3, "01234", Repeats.GUESS)]


def some_cell(rules: Rules, turns: int, chance: Random) -> Subproblem:
    """Return the cell after random turns, with the answers of a random secret so that the cell is not empty."""
    codes = ["".join(code) for code in product(rules.symbols, repeat=rules.digits)]
    codes = [code for code in codes if rules.repeats is Repeats.ALL or len(set(code)) == rules.digits]
    secret, *guesses = chance.choices(codes, k=turns + 1)
    return Subproblem(rules, turns=tuple(Turn(guess, hint(guess, secret)) for guess in guesses))


@pytest.mark.parametrize("rules", GAMES, ids=["3 of 7", "4 of 6", "3 of 4, repeats", "3 of 5, repeats in guesses"])
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_equivalent_cells_have_one_name_and_one_cost(rules: Rules, turns: int) -> None:
    chance, engine = Random(turns), SearchEngine(rules, "", consistent=False, memory=0)
    for _ in range(5):
        cell = some_cell(rules, turns, chance)
        other = replace(cell, turns=random_permutation(cell, chance).turns(cell.turns))
        shuffled = Subproblem(rules, turns=tuple(chance.sample(other.turns, turns)))
        assert canonical_turns(cell).turns == canonical_turns(shuffled).turns
        named = Subproblem(rules, turns=canonical_turns(cell).turns)
        assert engine.run(cell) == engine.run(shuffled) == engine.run(named)


def test_permutations_of_names_are_invertible() -> None:
    chance = Random(0)
    for rules in GAMES:
        cell = some_cell(rules, 2, chance)
        name = canonical_turns(cell)
        assert sorted(name.permutation.turns(cell.turns), key=str) == sorted(name.turns, key=str)
        for turn in cell.turns:
            assert name.permutation.back(name.permutation.of(turn.guess)) == turn.guess


def test_facts_make_symbols_distinguishable() -> None:
    """If symbols are absent or other facts are known at the start, not every renaming preserves this knowledge."""
    cell = Subproblem(Rules(3, "012345"), absent="0", turns=(Turn.parse("543:0H1B"),))
    assert canonical_turns(cell).turns == cell.turns
    assert random_permutation(cell, Random(0)).of("543") == "543"


def test_the_lowest_list_of_turns_is_canonical() -> None:
    cell = Subproblem(Rules(), turns=(Turn.parse("345:0H1B"), Turn.parse("512:1H0B")))
    assert " ".join(map(str, canonical_turns(cell).turns)) == "012:0H1B 134:1H0B"
