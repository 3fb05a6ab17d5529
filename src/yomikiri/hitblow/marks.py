"""Marks: the answer place by place, H(it), B(low) or M(iss), and which marks a hint may stand for.

secret  3 1 4
guess   4 1 5      B H M: the 4 is elsewhere, the 1 is right, there is no 5
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product

from yomikiri.hitblow.rules import Hint

HIT, BLOW, MISS = "H", "B", "M"


def marks(guess: str, secret: str) -> str:
    """One letter a place. Of a repeated symbol the hits are marked first, then blows from left to right, as many as
    the secret holds."""
    unmatched = Counter(s for g, s in zip(guess, secret, strict=True) if g != s)
    letters = []
    for g, s in zip(guess, secret, strict=True):
        if g == s:
            letters.append(HIT)
        elif unmatched[g]:
            unmatched[g] -= 1
            letters.append(BLOW)
        else:
            letters.append(MISS)
    return "".join(letters)


def marks_hint(pattern: str) -> Hint:
    """The hint that sums up the marks."""
    return Hint(pattern.count(HIT), pattern.count(BLOW))


@lru_cache(maxsize=8)
def patterns(digits: int) -> tuple[str, ...]:
    """Every pattern that can occur between codes of different symbols: 24 for three digits, of 27 thinkable.

    A single blow needs a place to go to that is not a hit and not its own, so all hits but one and a blow cannot be.
    """
    every = ("".join(letters) for letters in product(HIT + BLOW + MISS, repeat=digits))
    return tuple(p for p in every if marks_hint(p) != Hint(digits - 1, 1))
