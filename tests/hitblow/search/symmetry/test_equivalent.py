"""Symmetries of the candidates at the start of a search, for every kind of fact, such as absent symbols."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import prod
from random import Random

import pytest
from tests.hitblow.model.test_facts import knowledge_of, mixtures

from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.search.symmetry.equivalent import start_symmetry


def test_symmetries_map_the_candidates_to_themselves():
    for seed in range(100):
        known, codes = mixtures(Rules(3, "01567"), seed, 3)
        found, start = start_symmetry(known.start), set(known.start.codes())
        fresh = [symbol for i, symbol in enumerate("01567") if found.interchangeable >> i & 1]
        for order in permutations(range(3)):
            kept = {"".join(code[at] for at in order) for code in start} == start
            assert kept == (order in found.orders)
        for one, other in pairwise(fresh):
            swapped = str.maketrans({one: other, other: one})
            assert {code.translate(swapped) for code in start} == start
        assert set(codes) <= start


@pytest.mark.parametrize(
    ("tokens", "fresh", "orders"),
    [
        ("", "0123456789", 6),
        ("absent=7", "012345689", 6),
        ("012:0H1B absent=7", "012345689", 6),
        ("high=LHH", "01234", 2),
        ("at=5@2", "012346789", 2),
        ("slash=9", "12345678", 6),
        ("has=3", "012456789", 6),
    ],
)
def test_symmetries_under_some_facts(tokens: str, fresh: str, orders: int):
    found = start_symmetry(knowledge_of(tokens).start)
    assert [str(i) for i in range(10) if found.interchangeable >> i & 1] == list(fresh)
    assert len(found.orders) == orders


@pytest.mark.parametrize("seed", range(20))
def test_representatives_are_equal_for_equivalent_guesses(seed: int):
    rules, random = Rules(3, "012345"), Random(seed)
    by_symbol = {symbol: random.randint(1, 2) for symbol in rules.symbols}
    last = random.random() < 0.5  # then the last place is not like the others
    prior = tuple(
        (code, prod(map(by_symbol.__getitem__, code)) * (2 if last and code[-1] == "0" else 1))
        for code in rules.secrets()
        if "5" not in code or seed % 3
    )
    known = Knowledge(rules, prior=prior)
    found = start_symmetry(known)
    spoken = {guess: found.representative([*map(int, guess)]) for guess in rules.secrets()}
    assert len(set(spoken.values())) < len(spoken)
    for guess, representative in spoken.items():
        written = "".join(map(str, representative))
        assert sorted(known.cells(written).items()) == sorted(known.cells(guess).items())
        assert found.representative(representative) == representative
