"""Eight words of 64 bits as one value inside kernels: what a wide processor works on at a time.

The compiler finds such values in simple loops by itself, but writes them to memory from one round of an outer loop to
the next. A vector is a value like any other: `&`, `|`, `^` and `~` work on it, and it stays in registers; a processor
with narrower ones takes it in parts. Uncompiled it is an array of eight words; `compiler/intrinsics.py` has what these
functions are in machine code.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

LANES = 8  # words of a vector
BITS = 64 * LANES

Vector: TypeAlias = Any  # a value of 512 bits in compiled code
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]


def load(words: Words, at: int) -> Vector:
    """The vector of the eight words that begin at a place."""
    return words[at : at + LANES].copy()


def store(words: Words, at: int, vector: Vector) -> None:
    """Write a vector to the eight words that begin at a place."""
    words[at : at + LANES] = vector


def blank() -> Vector:
    """The vector without any bit."""
    return np.zeros(LANES, dtype=np.uint64)


def spread(word: np.uint64) -> Vector:
    """The vector of one word eight times."""
    return np.full(LANES, word, dtype=np.uint64)


def taken(vector: Vector) -> int:
    """How many of the eight words have a bit set."""
    return int(np.count_nonzero(vector))


def ones(vector: Vector) -> int:
    """How many bits the vector has set."""
    return int(np.bitwise_count(vector).sum())
