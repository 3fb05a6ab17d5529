"""Seeds of games and puzzles: text from which choices follow, the same on every computer."""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import count

from yomikiri.common.errors import N_, InputError
from yomikiri.common.lazy import NDArray, np

FORMAT = 1
"""The version of the computation of choices. Another version gives other secrets."""

_WORDS = 1 << 32

SEED = "[0-9A-Za-z-]{1,40}"
"""The regular expression of a seed."""


def check_seed(seed: str) -> str:
    """Return the seed if it is 1 to 40 letters, digits and `-`. Raises an `InputError` otherwise."""
    if not re.fullmatch(SEED, seed):
        raise InputError(N_("seed {given!r}: expected 1 to 40 letters, digits or '-'"), given=seed)
    return seed


def chosen(seed: str, purpose: str, among: int) -> int:
    """Return a number from 0 to `among` - 1 that follows from a seed and a purpose. All numbers are equally likely.

    `among` is at most 2^32. The number comes from the first 32 bits of a SHA-256 digest. The last few of the 2^32
    values would make small remainders likelier, so they are rejected, and the next digest is used.

    >>> chosen("tea", "example", 720)
    279
    """
    for attempt in count():
        digest = sha256(f"yomikiri {FORMAT}\n{seed}\n{purpose}\n{attempt}".encode()).digest()
        number = int.from_bytes(digest[:4])
        if number < _WORDS // among * among:
            return number % among
    raise AssertionError("a digest is even at some time")


def drawn(seed: str, purpose: str, weights: NDArray[np.int64]) -> int:
    """Return an index into `weights`, shape (n,), that follows from a seed and a purpose.

    The probability of each index is proportional to its weight.
    """
    sums = weights.cumsum()
    return int(sums.searchsorted(chosen(seed, purpose, _WORDS) * int(sums[-1]) // _WORDS, side="right"))
