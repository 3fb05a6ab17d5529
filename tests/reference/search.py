"""Slow reference implementation of the exact search, which shares only the rules with it.

It evaluates every guess for every set of codes. The only bound is 2 n - 1 for n codes, because one code at most is
found at the first guess and all others need two or more.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import product

from yomikiri.hitblow.model.rules import Repeats, Rules, hint

Codes = tuple[int, ...]  # numbers of codes among the guesses, ascending
IMPOSSIBLE = (10**9, 0)


class Reference:
    """Least costs of sets of codes with arbitrary or consistent guesses."""

    def __init__(self, rules: Rules, *, consistent: bool = False) -> None:
        self.consistent = consistent
        self.guesses = [
            "".join(code)
            for code in product(rules.symbols, repeat=rules.digits)
            if rules.repeats is not Repeats.NONE or len(set(code)) == rules.digits
        ]
        self.hints = [[hint(guess, secret) for secret in self.guesses] for guess in self.guesses]
        self.every = range(len(self.guesses))
        self.least = cache(self._least)
        self.fewest = cache(self._fewest)

    def numbers(self, codes: list[str]) -> Codes:
        """Return the numbers of codes given as text."""
        return tuple(sorted(self.guesses.index(code) for code in codes))

    def cells(self, guess: int, codes: Codes) -> list[Codes]:
        """Return the cells of a guess, without the hit."""
        cells = defaultdict(list)
        for code in codes:
            if code != guess:
                cells[self.hints[guess][code]].append(code)
        return [tuple(cell) for cell in cells.values()]

    def _least(self, codes: Codes, limit: int) -> tuple[int, int]:
        """Return the least total within `limit` guesses, and for it the fewest codes found at guess `limit`."""
        if limit == 0:
            return IMPOSSIBLE
        if len(codes) == 1:
            return 1, int(limit == 1)
        if limit > len(codes):  # informative guesses reduce the codes, so the limit has no effect
            return self.least(codes, len(codes))[0], 0
        divided = [(guess, self.cells(guess, codes)) for guess in (codes if self.consistent else self.every)]
        bounded = [(sum(2 * len(cell) - 1 for cell in cells), guess, cells) for guess, cells in divided]
        best = IMPOSSIBLE
        for bound, guess, cells in sorted(bounded):
            if (len(codes) + bound, 0) >= best:
                break
            if cells != [codes]:  # only informative guesses
                best = min(best, self.cost(guess, codes, limit))
        return best

    def _fewest(self, codes: Codes, limit: int) -> tuple[int, int]:
        """Return the fewest codes found at guess `limit`, and for it the least total; without a bound."""
        if limit == 0:
            return IMPOSSIBLE
        if len(codes) == 1:
            return int(limit == 1), 1
        if limit > len(codes):
            return 0, self.least(codes, len(codes))[0]
        best = IMPOSSIBLE
        for guess in codes if self.consistent else self.every:
            if (cells := self.cells(guess, codes)) == [codes]:
                continue
            costs = [self.fewest(cell, limit - 1) for cell in sorted(cells, key=len)]
            if IMPOSSIBLE not in costs:
                lasts, totals = zip(*costs, strict=True) if costs else ((), ())
                best = min(best, (sum(lasts), len(codes) + sum(totals)))
        return best

    def cost(self, guess: int, codes: Codes, limit: int) -> tuple[int, int]:
        """Return (least total, fewest codes found at guess `limit`) of the trees with this first guess."""
        cells = self.cells(guess, codes)
        total, last = len(codes), int(guess in codes and limit == 1)
        for cell in sorted(cells, key=len):
            cell_total, cell_last = self.least(cell, limit - 1)
            if (cell_total, cell_last) == IMPOSSIBLE:
                return IMPOSSIBLE
            total, last = total + cell_total, last + cell_last
        return total, last

    def expected(self, codes: Codes) -> tuple[int, int, int]:
        """Return the least total, for it the least maximum, and for both the fewest codes at the maximum."""
        total = self.least(codes, len(codes))[0]
        limit = next(n for n in range(1, len(codes) + 1) if self.least(codes, n)[0] == total)
        return total, limit, self.least(codes, limit)[1]

    def worst(self, codes: Codes) -> tuple[int, int, int]:
        """Return the least maximum, for it the least total, and for both the fewest codes at the maximum."""
        limit = self._maximum(codes)
        return limit, *self.least(codes, limit)

    def last(self, codes: Codes) -> tuple[int, int, int]:
        """Return the least maximum, for it the fewest codes at the maximum, and for both the least total."""
        limit = self._maximum(codes)
        return limit, *self.fewest(codes, limit)

    def _maximum(self, codes: Codes) -> int:
        return next(n for n in range(1, len(codes) + 1) if self.least(codes, n) != IMPOSSIBLE)
