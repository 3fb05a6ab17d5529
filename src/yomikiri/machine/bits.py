"""Arithmetic on 64-bit words inside kernels. All operands are uint64, because numba converts mixed types to floats."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from yomikiri.machine.kernel import entry, kernel

# An int64 in compiled code; in Python, any integer.
Int: TypeAlias = Any

ZERO = np.uint64(0)
ONE = np.uint64(1)
_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_SUM = np.uint64(0x0101010101010101)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel
def byte_counts(x: np.uint64) -> np.uint64:
    """Return a word whose bytes contain the numbers of bits that are set in the corresponding bytes of x."""
    x = x - ((x >> np.uint64(1)) & _PAIRS)
    x = (x & _FOURS) + ((x >> np.uint64(2)) & _FOURS)
    return (x + (x >> np.uint64(4))) & _BYTES


@kernel
def popcount(x: np.uint64) -> np.uint64:
    """Return the number of bits that are set. The compiler recognises this pattern and emits one instruction."""
    return (byte_counts(x) * _SUM) >> np.uint64(56)


@kernel
def lowest(x: np.uint64) -> np.uint64:
    """Return the 0-based position of the lowest bit that is set. x must not be zero."""
    return popcount((x & (ZERO - x)) - ONE)


@entry
def mix(x: np.uint64) -> np.uint64:
    """Return a hash of a word."""
    x = (x ^ (x >> np.uint64(32))) * _GOLDEN
    x = (x ^ (x >> np.uint64(29))) * _GOLDEN
    return x ^ (x >> np.uint64(32))
