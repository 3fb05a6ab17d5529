"""Slow reference implementations for the race, which share only the rules with the package."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product, zip_longest

from yomikiri.hitblow.model.rules import Repeats, Rules, hint

Codes = tuple[str, ...]


class SlowGame:
    """Full enumeration of strategies; guesses with the same partition of a set are evaluated once.

    `cases` contains the weights of the codes; without it, every code has weight 1.
    """

    def __init__(self, rules: Rules, cases: Mapping[str, int] | None = None) -> None:
        self.cases = cases
        codes = map("".join, product(rules.symbols, repeat=rules.digits))
        self.guesses = [code for code in codes if rules.repeats is not Repeats.NONE or len(set(code)) == rules.digits]
        self.hints = {(guess, code): hint(guess, code) for guess in self.guesses for code in self.guesses}
        self.divisions = cache(self._divisions)

    def cells(self, guess: str, codes: Codes) -> tuple[Codes, ...]:
        """Return the cells of a guess, without the hit."""
        found = defaultdict(list)
        for code in codes:
            if code != guess:
                found[self.hints[guess, code]].append(code)
        return tuple(sorted(map(tuple, found.values())))

    def hit(self, cells: Iterable[Codes], codes: Codes) -> int:
        """Return the weight of the code that a guess with these cells hits, or 0."""
        (*rest,) = set(codes) - {code for cell in cells for code in cell}
        return sum(self.cases[code] for code in rest) if self.cases else len(rest)

    def _divisions(self, codes: Codes) -> set[tuple[Codes, ...]]:
        return {cells for guess in self.guesses if (cells := self.cells(guess, codes)) != (codes,)}

    def greatest_payoff(self, codes: Codes, weights: Sequence[int]) -> int:
        """Return the greatest payoff of a strategy if a code found at guess k counts `weights[k - 1]`."""
        return _Worths(self, weights).most(codes, 0)

    def worth_of(self, guess: str, codes: Codes, weights: Sequence[int]) -> int:
        """Return the greatest payoff of a strategy with this first guess."""
        return _Worths(self, weights).of(self.cells(guess, codes), codes, 0)

    def histograms(self, codes: Codes) -> set[tuple[int, ...]]:
        """Return the histograms of all strategies: weights found at guess 1, 2, 3, ..., with one entry per code."""
        return {(*histogram, *(0 for _ in range(len(codes) - len(histogram)))) for histogram in self._shapes(codes)}

    @cache  # noqa: B019
    def _shapes(self, codes: Codes) -> frozenset[tuple[int, ...]]:
        found: set[tuple[int, ...]] = set()
        for cells in self.divisions(codes):
            sums: set[tuple[int, ...]] = {(self.hit(cells, codes),)}
            for cell in cells:
                later = [(0, *shape) for shape in self._shapes(cell)]
                sums = {tuple(map(sum, zip_longest(a, b, fillvalue=0))) for a in sums for b in later}
            found |= sums
        return frozenset(found)


class _Worths:
    def __init__(self, game: SlowGame, weights: Sequence[int]) -> None:
        self.game, self.weights = game, weights
        self.most = cache(self._most)

    def _most(self, codes: Codes, depth: int) -> int:
        if depth == len(self.weights):
            return 0
        return max(self.of(cells, codes, depth) for cells in self.game.divisions(codes))

    def of(self, cells: tuple[Codes, ...], codes: Codes, depth: int) -> int:
        return self.game.hit(cells, codes) * self.weights[depth] + sum(self.most(cell, depth + 1) for cell in cells)
