"""Rules about which guesses may be used after the turns so far: any, candidates only, or Wordle's hard mode."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from yomikiri.common.errors import N_, InputError


class GuessRule(StrEnum):
    """A rule about which guesses may be used.

    - `ANY`: every guess of the game.
    - `CONSISTENT`: candidates, which fit all answers so far.
    - `HARD`: guesses that use everything that the marks have revealed. Hits stay in their places, and each symbol
      occurs at least as often as the marks of any single turn have shown. Symbols that are absent may be used again.
    """

    ANY = "any"
    CONSISTENT = "consistent"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement of hard mode: a symbol at one place, or a symbol at least `count` times.

    For a symbol at one place, `place` is counted from 1. For the other kind, it is 0.
    """

    symbol: str
    place: int = 0
    count: int = 1

    def is_met(self, guess: str) -> bool:
        """Return True if a guess meets the requirement."""
        if self.place:
            return guess[self.place - 1] == self.symbol
        return guess.count(self.symbol) >= self.count


def requirements(guess: str, marks: Sequence[int]) -> list[Requirement]:
    """Return what hard mode requires of later guesses after a guess with these marks (2 hit, 1 blow, 0 neither).

    >>> requirements("erase", (1, 0, 0, 1, 2))
    [Requirement(symbol='e', place=5, count=1), Requirement(symbol='e', place=0, count=2), \
Requirement(symbol='s', place=0, count=1)]
    """
    marked = list(zip(guess, marks, strict=True))
    hits = [Requirement(symbol, place) for place, (symbol, mark) in enumerate(marked, start=1) if mark == 2]
    counts = Counter(symbol for symbol, mark in marked if mark)
    return hits + [
        Requirement(symbol, count=count)
        for symbol, count in counts.items()
        if count > sum(hit.symbol == symbol for hit in hits)
    ]


def repeated_guess(guess: str) -> InputError:
    """Return the error for a policy that repeats a guess although the guess gives no information."""
    return InputError(N_("the policy guesses {guess} again: expected a guess with new information"), guess=guess)
