"""Atomic words that threads share, and polls of kernels."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from tests.machine.made import compiled

from yomikiri.machine.bits import Int
from yomikiri.machine.kernel import kernel
from yomikiri.machine.shared_words import (
    OUT_OF_POLLS,
    POLLS,
    SHARED,
    STOP,
    STOP_REQUESTED,
    UNTIL,
    WATCHED,
    must_stop,
    read,
    stopped,
    write,
)

HALVES = np.uint64((1 << 32) + 1)  # multiplying by this gives a word with two equal halves


def count_torn_reads(words: Annotated[NDArray[np.uint64], "rows", "columns"], first: Int, rounds: Int) -> Int:
    """Write words with two equal halves to one place and count torn reads."""
    torn = 0
    for i in range(rounds):
        write(words, np.uint64(1), 2, np.uint64(first + i) * HALVES)
        word = read(words, np.uint64(1), 2)
        torn += word >> np.uint64(32) != word & np.uint64(0xFFFFFFFF)
    return torn


def test_concurrent_writes_of_a_word_are_not_torn() -> None:
    words = np.zeros((3, 4), dtype=np.uint64)
    used = compiled(count_torn_reads)
    assert used(words, 1, 1) == 0
    assert np.flatnonzero(words).tolist() == [1 * 4 + 2]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda first: used(words, first, 200_000), (1, 10**6, 10**9))) == [0] * 3


def test_poll_reads_only_the_stop_word() -> None:
    words = np.zeros((1, SHARED), dtype=np.uint64)
    assert not must_stop(words)
    assert not words.any(), "no polls are counted"
    words[0, STOP] = STOP_REQUESTED
    assert must_stop(words)
    assert stopped(words)


def test_watched_search_counts_its_polls() -> None:
    words = np.zeros((1, SHARED), dtype=np.uint64)
    words[0, [STOP, POLLS]] = WATCHED, 2
    assert [must_stop(words) for _ in range(3)] == [False, False, True]
    assert words[0, STOP] == OUT_OF_POLLS
    assert stopped(words)


def test_watched_search_reads_the_clock() -> None:
    words = np.zeros((1, SHARED), dtype=np.uint64)
    words[0, [STOP, POLLS, UNTIL]] = WATCHED, 100, 1
    assert [must_stop(words) for _ in range(16)] == [*[False] * 15, True], "at every 16th poll"
    assert words[0, STOP] == STOP_REQUESTED


@kernel
def is_even(n: Int) -> bool:
    if n == 0:
        return True
    return is_odd(n - 1)


@kernel
def is_odd(n: Int) -> bool:
    if n == 0:
        return False
    return is_even(n - 1)


def parity(n: Int) -> bool:
    return is_even(n)


def test_kernels_can_call_each_other() -> None:
    run = compiled(parity)
    assert [run(n) for n in range(5)] == [True, False, True, False, True]
