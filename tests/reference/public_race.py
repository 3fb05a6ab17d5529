"""Brute-force reference of the public race: sets of codes and all guesses, without bounds or symmetry."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

from yomikiri.hitblow.model.rules import Repeats, Rules, hint

Codes = frozenset[str]


def codes_of(rules: Rules, absent: str = "") -> Codes:
    """Return all secrets without the absent symbols."""
    texts = ("".join(text) for text in product(rules.symbols, repeat=rules.digits))
    distinct = rules.repeats is not Repeats.ALL
    return frozenset(t for t in texts if not set(t) & set(absent) and (not distinct or len(set(t)) == rules.digits))


def guesses_of(rules: Rules) -> list[str]:
    """Return all guesses in order."""
    return sorted(codes_of(replace(rules, repeats=Repeats.ALL) if rules.repeats is Repeats.GUESS else rules))


class BruteRace:
    """Winning chances of the side to move for any two sets of candidates; a draw counts one half.

    The first player seeks a secret with `rules`, the second player one with `second` or the same rules. `equal` gives
    both players equal turns. `closing` means that the second player is to move.
    """

    def __init__(self, rules: Rules, second: Rules | None = None, *, equal: bool = False) -> None:
        self.equal = equal
        self.seats = equal or second is not None  # otherwise both seats are equivalent
        self.guesses = guesses_of(rules)
        self.guesses_of = (self.guesses, guesses_of(second or rules))
        self.options = cache(self._options)
        self.win = cache(self._win)
        self.draws = cache(self._draws)

    def partition(self, codes: Codes, guess: str) -> tuple[bool, frozenset[Codes]]:
        """Return whether a guess can hit, and its other cells."""
        cells: dict[object, set[str]] = {}
        for code in codes - {guess}:
            cells.setdefault(hint(guess, code), set()).add(code)
        return guess in codes, frozenset(map(frozenset, cells.values()))

    def tells(self, codes: Codes, guess: str) -> bool:
        """Return True if a guess is informative."""
        return self.partition(codes, guess) != (False, frozenset([codes]))

    def chance(self, guess: str, mine: Codes, theirs: Codes, closing: bool = False) -> Fraction:
        """Return the winning chance with a guess."""
        return self._chance(*self.partition(mine, guess), mine, theirs, closing)

    def _options(self, codes: Codes, closing: bool = False) -> set[tuple[bool, frozenset[Codes]]]:
        return {self.partition(codes, guess) for guess in self.guesses_of[closing] if self.tells(codes, guess)}

    def _after(self, closing: bool) -> bool:
        return self.seats and not closing

    def _chance(self, hit: bool, cells: frozenset[Codes], mine: Codes, theirs: Codes, closing: bool) -> Fraction:
        won = Fraction(1)
        if self.equal and not closing:  # the other side can still draw with its last guess
            won -= Fraction(1, 2 * len(theirs))
        total = won * hit
        for cell in cells:
            total += len(cell) * (1 - self.win(theirs, cell, self._after(closing)))
        return total / len(mine)

    def _win(self, mine: Codes, theirs: Codes, closing: bool = False, passed: bool = False) -> Fraction:
        chances = [self._chance(*option, mine, theirs, closing) for option in self.options(mine, closing)]
        if not passed:  # no pass after a pass
            chances.append(1 - self.win(theirs, mine, self._after(closing), True))
        return max(chances)

    def _draws(self, mine: Codes, theirs: Codes, closing: bool = False) -> tuple[Fraction, Fraction]:
        """Return the least and the greatest draw probability over all best strategies of both sides."""
        best = self.win(mine, theirs, closing)
        found = []
        for hit, cells in self.options(mine, closing):
            if self._chance(hit, cells, mine, theirs, closing) == best:
                least = most = Fraction(hit and self.equal and not closing, len(theirs))
                for cell in cells:
                    low, high = self.draws(theirs, cell, not closing)
                    least, most = least + len(cell) * low, most + len(cell) * high
                found.append((least / len(mine), most / len(mine)))
        return min(least for least, _ in found), max(most for _, most in found)
