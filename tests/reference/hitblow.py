"""Codes and hints, slow and simple, without the package's own ways of counting."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import permutations, product


def every_code(symbols: str, digits: int, *, repeats: bool) -> list[str]:
    """All codes in order."""
    picks: Iterable[tuple[str, ...]] = product(symbols, repeat=digits) if repeats else permutations(symbols, digits)
    return ["".join(pick) for pick in picks]


def plain_hint(guess: str, secret: str) -> tuple[int, int]:
    """Hits and blows by striking out matched symbols one by one."""
    left_guess, left_secret, hits, blows = [], [], 0, 0
    for g, s in zip(guess, secret, strict=True):
        if g == s:
            hits += 1
        else:
            left_guess.append(g)
            left_secret.append(s)
    for g in left_guess:
        if g in left_secret:
            left_secret.remove(g)
            blows += 1
    return hits, blows


def entropy_bits(sizes: Iterable[int]) -> float:
    """Bits still missing after a hint, on average, in floating point."""
    sizes = list(sizes)
    n = sum(sizes)
    return sum(c / n * math.log2(c) for c in sizes if c)
