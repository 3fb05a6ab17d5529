"""Operations on 64-bit words, compared with Python integers."""

from __future__ import annotations

import random

import numpy as np

from yomikiri.machine.bits import lowest, mix, popcount

CHANCE = random.Random(6)
WORDS = [
    0,
    1,
    2**63,
    2**64 - 1,
    *(1 << CHANCE.randrange(64) for _ in range(20)),
    *(CHANCE.getrandbits(64) for _ in range(200)),
]


def test_popcount_counts_bits():
    assert [int(popcount(np.uint64(word))) for word in WORDS] == [word.bit_count() for word in WORDS]


def test_lowest_finds_the_lowest_bit():
    assert [int(lowest(np.uint64(word))) for word in WORDS[1:]] == [
        (word & -word).bit_length() - 1 for word in WORDS[1:]
    ]


def test_mix_depends_on_every_bit():
    """Flipping any bit must flip about half of the result, and different words must stay different."""
    for word in WORDS:
        mixed = int(mix(np.uint64(word)))
        turned = [(int(mix(np.uint64(word ^ (1 << bit)))) ^ mixed).bit_count() for bit in range(64)]
        assert min(turned) > 5
        assert 26 < sum(turned) / 64 < 38
    assert len({int(mix(np.uint64(word))) for word in range(10_000)}) == 10_000
