"""Guesses with a part of their answer, or with marks, which give more information than the answer.

Marks are one letter per place: H(it), B(low) or M(iss). This module is plain Python, so that strategies can be verified
without NumPy.

    secret  3 1 4
    guess   4 1 5      B H M: the 4 is elsewhere, the 1 is right, there is no 5
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from yomikiri.hitblow.model.rules import Answered, Hint, Rules, Words, hint, impossible

HIT, BLOW, MISS = "H", "B", "M"


def marks(guess: str, secret: str) -> str:
    """Return the marks of a guess, one letter for each place: H for a hit, B for a blow, M for a miss.

    If the guess repeats a symbol, the hits of this symbol are marked first. The other places with this symbol are then
    marked from left to right: blows until every occurrence of the symbol in the secret is used up, and misses after
    that.
    """
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
    """Return the number of hits and blows in the marks of a guess: `HBM` contains one hit and one blow."""
    return Hint(pattern.count(HIT), pattern.count(BLOW))


@lru_cache(maxsize=8)
def patterns(digits: int) -> tuple[str, ...]:
    """Return all possible sequences of marks, such as `HBM`, for codes with this number of digits.

    If all places but one are hits, the last place cannot be a blow, because all other places of the secret are taken by
    the hits. This excludes 3 of the 27 sequences for three digits.
    """
    every = ("".join(letters) for letters in product(HIT + BLOW + MISS, repeat=digits))
    return tuple(p for p in every if marks_hint(p) != Hint(digits - 1, 1))


@dataclass(frozen=True, slots=True)
class PartTurn(Answered):
    """A guess with part of its answer: only the hits, `012:1H_`, only the blows, `012:_1B`, or nothing, `012:?`.

    `hits` or `blows` is None if this number is unknown.
    """

    guess: str
    hits: int | None = None
    blows: int | None = None

    def __str__(self) -> str:
        if self.hits is not None:
            return f"{self.guess}:{self.hits}H_"
        return f"{self.guess}:?" if self.blows is None else f"{self.guess}:_{self.blows}B"

    def answer(self, words: str) -> str:
        hits, blows = Words(words).letters
        return str(self).rpartition(":")[2].replace("B", blows).replace("H", hits)

    def holds(self, code: str) -> bool:
        actual = hint(self.guess, code)
        return self.hits in (None, actual.hits) and self.blows in (None, actual.blows)

    @property
    def found(self) -> bool:
        return self.hits == len(self.guess)


@dataclass(frozen=True, slots=True)
class SumTurn(Answered):
    """A guess with part of its answer, only the sum of hits and blows: `012:=2`.

    The field `common` contains the sum.
    """

    guess: str
    common: int

    def __str__(self) -> str:
        return f"{self.guess}:={self.common}"

    def holds(self, code: str) -> bool:
        actual = hint(self.guess, code)
        return actual.hits + actual.blows == self.common


@dataclass(frozen=True, slots=True)
class MarkedTurn(Answered):
    """A guess with marks, such as `012:HBM`: one letter for each place, H for a hit, B for a blow, M for a miss."""

    guess: str
    marks: str

    def __str__(self) -> str:
        return f"{self.guess}:{self.marks}"

    def check(self, rules: Rules) -> None:
        rules.check_guess(self.guess)
        if self.marks not in patterns(rules.digits):
            raise impossible(self)

    def holds(self, code: str) -> bool:
        return marks(self.guess, code) == self.marks

    @property
    def found(self) -> bool:
        return set(self.marks) == {"H"}


_PARTS = (
    (re.compile(r"([0-9])H_"), lambda guess, found: PartTurn(guess, hits=int(found[1]))),
    (re.compile(r"_([0-9])B"), lambda guess, found: PartTurn(guess, blows=int(found[1]))),
    (re.compile(r"\?"), lambda guess, _found: PartTurn(guess)),
    (re.compile(r"=([0-9])"), lambda guess, found: SumTurn(guess, int(found[1]))),
    (re.compile(r"([HBM]+)"), lambda guess, found: MarkedTurn(guess, found[1])),
)


def answered(guess: str, answer: str) -> Answered | None:
    """Combine a guess, such as `012`, and the text of a partial answer or of marks, such as `=2`, into a fact.

    Returns None for any other text.
    """
    for form, made in _PARTS:
        if found := form.fullmatch(answer):
            return made(guess, found)
    return None
