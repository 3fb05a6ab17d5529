"""Vectors of eight 64-bit words inside kernels. A processor with wide registers processes eight words at once.

The compiler finds such vectors in simple loops by itself, but stores them to memory between iterations of an outer
loop. A vector is a value like any other: it supports `&`, `|`, `^` and `~`, and stays in registers. Processors with
narrower registers process it in parts. In Python it is an array of eight words. `compiler/intrinsics.py` contains the
machine code of these functions.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

LANES = 8  # words per vector
BITS = 64 * LANES

Vector: TypeAlias = Any  # a value of 512 bits in compiled code
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]


def load(words: Words, at: int) -> Vector:
    """Return the vector of the eight words from index `at` on."""
    return words[at : at + LANES].copy()


def store(words: Words, at: int, vector: Vector) -> None:
    """Write a vector to the eight words from index `at` on."""
    words[at : at + LANES] = vector


def blank() -> Vector:
    """Return a vector of eight zeros."""
    return np.zeros(LANES, dtype=np.uint64)


def spread(word: np.uint64) -> Vector:
    """Return a vector that contains a word eight times."""
    return np.full(LANES, word, dtype=np.uint64)


def nonzero_words(vector: Vector) -> int:
    """Return how many of the eight words of a vector are not zero."""
    return int(np.count_nonzero(vector))


def ones(vector: Vector) -> int:
    """Return the number of bits set in a vector."""
    return int(np.bitwise_count(vector).sum())
