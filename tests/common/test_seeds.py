"""Choices that follow from a seed. tests/hitblow/practice/test_play.py compares `chosen` with another program."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from yomikiri.common.errors import InputError
from yomikiri.common.seeds import check_seed, drawn


def test_draws_follow_the_weights():
    weights = np.array([1, 0, 3], dtype=np.int64)
    counts = Counter(drawn(str(seed), "test", weights) for seed in range(4000))
    assert set(counts) == {0, 2}
    assert abs(counts[0] - 1000) < 150


def test_seed_of_other_characters_is_refused():
    assert check_seed("tea-2") == "tea-2"
    for seed in ("", "a b", "é", "x" * 41):
        with pytest.raises(InputError, match="expected 1 to 40 letters"):
            check_seed(seed)
