"""Simple reference implementations of codes, hints and wrong answers, independent of the package."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import permutations, product


def every_code(symbols: str, digits: int, *, repeats: bool) -> list[str]:
    """Return all codes in order."""
    picks: Iterable[tuple[str, ...]] = product(symbols, repeat=digits) if repeats else permutations(symbols, digits)
    return ["".join(pick) for pick in picks]


def plain_hint(guess: str, secret: str) -> tuple[int, int]:
    """Return hits and blows by removing matched symbols one by one."""
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


def plain_slips(guess: str, answer: tuple[int, int], secret: str, guesses: Iterable[str]) -> dict[object, int]:
    """Return the possible corrections of a wrong turn (the real hint, or a guess in `guesses`) with their points."""
    (hits, blows), (real_hits, real_blows) = answer, plain_hint(guess, secret)
    points = 1
    if (real_hits, real_blows) != (len(guess), 0):
        if (
            abs(hits - real_hits) <= 1
            and abs(blows - real_blows) <= 1
            and abs(hits + blows - real_hits - real_blows) <= 1
        ):
            points += 12
        if (hits, blows) == (real_blows, real_hits):
            points += 15
    found: dict[object, int] = {(real_hits, real_blows): points}
    for other in guesses:
        changed = [place for place in range(len(guess)) if guess[place] != other[place]]
        if not changed or len(changed) > 2 or plain_hint(other, secret) != answer:
            continue
        one, two = guess[changed[0]], other[changed[0]]
        if len(changed) == 2 and [guess[place] for place in changed] == [other[place] for place in reversed(changed)]:
            found[other] = 5
        if len(changed) == 1 and any(
            one + two in row + " " + row[::-1] for row in ("1234567890", "qwertyuiop", "asdfghjkl")
        ):
            found[other] = 2
    return found


def entropy_bits(sizes: Iterable[int]) -> float:
    """Return the expected entropy in bits after an answer."""
    sizes = list(sizes)
    n = sum(sizes)
    return sum(c / n * math.log2(c) for c in sizes if c)
