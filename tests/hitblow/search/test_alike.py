"""What may be exchanged at the start of a search, under facts of every kind."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from tests.hitblow.test_facts import mixtures, told

from yomikiri.hitblow.rules import Rules
from yomikiri.hitblow.search.alike import alike_in


def test_what_is_exchanged_leaves_the_candidates_as_they_are():
    for seed in range(100):
        known, codes = mixtures(Rules(3, "01567"), seed, 3)
        found, start = alike_in(known.start), set(known.start.codes())
        fresh = [symbol for i, symbol in enumerate("01567") if found.fresh >> i & 1]
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
def test_what_is_alike_under_some_facts(tokens: str, fresh: str, orders: int):
    found = alike_in(told(tokens).start)
    assert [str(i) for i in range(10) if found.fresh >> i & 1] == list(fresh)
    assert len(found.orders) == orders
