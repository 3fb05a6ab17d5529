"""Independent search of the least total for 3 of 10, if only candidates are guessed.

It shares no code with the package: it computes the answers itself and uses one bound. The transposition table merges
sets that are equal up to permutations of places and digits. Some equivalent sets have different keys and are searched
twice, which only costs time.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

Codes = tuple[str, ...]

CODES = tuple("".join(code) for code in permutations("0123456789", 3))
HINTS = 9  # number of possible answers, including the winning one


def hint(guess: str, secret: str) -> tuple[int, int]:
    hits = sum(g == s for g, s in zip(guess, secret, strict=True))
    return hits, len(set(guess) & set(secret)) - hits


def ideal(count: int) -> int:
    """Return a lower bound of the total of `count` codes: 1 found at guess 1, 8 at guess 2, 64 at guess 3, ..."""
    total, width, depth = 0, 1, 1
    while count > 0:
        found = min(width, count)
        total += found * depth
        count -= found
        width *= HINTS - 1
        depth += 1
    return total


def name(codes: Codes) -> tuple[tuple[int, ...], ...]:
    """Return a key of a set; sets with equal keys are equivalent under permutations of places and digits."""
    names = []
    for places in permutations(range(3)):
        turned = [tuple(code[place] for place in places) for code in codes]
        digits = sorted({digit for code in turned for digit in code})
        digits.sort(key=lambda digit: [sum(code[place] == digit for code in turned) for place in range(3)])
        number = {digit: i for i, digit in enumerate(digits)}
        names.append(tuple(sorted(tuple(number[digit] for digit in code) for code in turned)))
    return min(names)


class ConsistentSearch:
    """Branch-and-bound search of least totals."""

    def __init__(self) -> None:
        self.known: dict[tuple[tuple[int, ...], ...], tuple[int, bool]] = {}

    def least(self, codes: Codes, upper: int) -> int:
        """Return the least total of a set if it is below `upper`, otherwise a lower bound of at least `upper`."""
        if len(codes) == 1:
            return 1
        key = name(codes)
        bound, exact = self.known.get(key, (0, False))
        if exact or bound >= upper:
            return bound
        best = upper
        for lower, cells in sorted((self.divided(guess, codes) for guess in codes), key=lambda divided: divided[0]):
            if lower >= best:
                break
            total = lower
            for cell in cells:
                total += self.least(cell, best - total + ideal(len(cell))) - ideal(len(cell))
                if total >= best:
                    break
            best = min(best, total)
        self.known[key] = (best, best < upper)
        return best

    def divided(self, guess: str, codes: Iterable[str]) -> tuple[int, list[Codes]]:
        """Return a lower bound of the total with this guess, and its cells in order of size."""
        cells: dict[tuple[int, int], list[str]] = {}
        count = 0
        for code in codes:
            count += 1
            if code != guess:
                cells.setdefault(hint(guess, code), []).append(code)
        parts = sorted(map(tuple, cells.values()), key=len)
        return count + sum(ideal(len(part)) for part in parts), parts


def least_total() -> int:
    """Return the least total for all 720 secrets. All first guesses are equivalent to 012."""
    search = ConsistentSearch()
    _bound, cells = search.divided("012", CODES)
    return len(CODES) + sum(search.least(cell, 10**6) for cell in cells)
