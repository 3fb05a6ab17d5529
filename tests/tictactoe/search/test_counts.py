from random import Random

import pytest

from yomikiri.tictactoe.search.counts import at_most, fewer, full

LINES = 11


def test_counts_fall_by_one_and_are_compared_for_all_lines_at_once():
    random = Random(1)
    for length in range(1, 9):
        plain = [length] * LINES
        counts = full((1 << LINES) - 1, length)
        while any(plain):
            taken = {line for line in range(LINES) if plain[line] and random.random() < 0.5}
            counts = fewer(counts, sum(1 << line for line in taken))
            plain = [count - (line in taken) for line, count in enumerate(plain)]
            among = random.getrandbits(LINES)
            for limit in range(8):
                expected = sum(1 << line for line in range(LINES) if among >> line & 1 and plain[line] <= limit)
                assert at_most(counts, limit, among) == expected


@pytest.mark.parametrize("limit", range(8))
def test_eight_is_more_than_every_limit(limit: int):
    assert at_most(full(1, 8), limit, 1) == 0
