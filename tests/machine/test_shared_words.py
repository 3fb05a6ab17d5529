"""Words that threads share are read and written whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from tests.machine.made import compiled

from yomikiri.machine.bits import Int
from yomikiri.machine.shared_words import read, write

HALVES = np.uint64((1 << 32) + 1)  # both halves of a word times this are equal


def use(words: Annotated[NDArray[np.uint64], "rows", "columns"], first: Int, rounds: Int) -> Int:
    """Write words of two equal halves to one place, and count those read there that have not."""
    torn = 0
    for i in range(rounds):
        write(words, np.uint64(1), 2, np.uint64(first + i) * HALVES)
        word = read(words, np.uint64(1), 2)
        torn += word >> np.uint64(32) != word & np.uint64(0xFFFFFFFF)
    return torn


def test_a_word_is_written_to_its_place_and_read_whole_while_others_write() -> None:
    words = np.zeros((3, 4), dtype=np.uint64)
    used = compiled(use)
    assert used(words, 1, 1) == 0
    assert np.flatnonzero(words).tolist() == [1 * 4 + 2]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda first: used(words, first, 200_000), (1, 10**6, 10**9))) == [0] * 3
