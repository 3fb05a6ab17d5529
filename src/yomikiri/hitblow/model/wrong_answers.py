"""Hints that may be wrong: how many, how often, and what a line may have been told for.

A line tells a guess and its hint. Where a code would have answered otherwise, a slip was made if the code is the
secret: the hint was miscounted or mistyped, or the guess was. How likely each slip is says a table of points,
`12` for every hint that is one off, and so on. They are an assumption, not a measurement:

    told 345 1H1B, the secret 354, whose hint is 1H2B      12 (one blow fewer) + 1 (any other hint)

A slip of P points is made in `rate * P / 100` of all lines, and a line is right in `1 - rate` of them. Only the ratio
of both counts, so that weights are whole numbers: with a rate of 1/20 a right line weighs 1900 beside points.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import gcd

from yomikiri.common.enums import number_within, shown, whole
from yomikiri.common.errors import N_, InputError
from yomikiri.common.lazy import NDArray, np
from yomikiri.hitblow.model.codes import Codes, answers_to, hint_number, numbered_hint
from yomikiri.hitblow.model.rules import Hint, Rules, Turn

NEIGHBOUR = 12  # one hit or blow more or fewer, or a hit taken for a blow
EXCHANGED = 15  # hits told as blows, and blows as hits
ANY = 1  # any other hint, and these as well
SWAPPED = 5  # two digits of the guess, for each pair
KEY = 2  # a neighbouring key for a digit of the guess, for each place and key
_HUNDRED = 100
_KEYS = ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")

MOST = 9
_PER_THOUSAND = 1000


@dataclass(frozen=True, slots=True)
class Slips:
    """At most `most` turns may be wrong, each at a `rate` from 0.001 to 0.5, rounded to thousandths.

    Raises an `InputError`.

    >>> Slips(1).odds
    (1900, 1)
    """

    most: int = 0
    rate: float = 0.05

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "most", whole(self.most, "slips", 0, MOST))
        except InputError:
            raise InputError(
                N_("slips {given!r}: expected a whole number from 0 to 9"), given=shown(self.most)
            ) from None
        try:
            rate = number_within(self.rate, "slip-rate", 0.001, 0.5)
        except InputError:
            raise not_a_rate(f"{self.rate:g}" if isinstance(self.rate, float) else shown(self.rate)) from None
        object.__setattr__(self, "rate", round(rate, 3))

    @classmethod
    def read(cls, given: Slips | int, parameter: str) -> Slips:
        """Return the slips that a parameter gives, also as their number. Raises an `InputError`."""
        if isinstance(given, cls):
            return given
        return cls(whole(given, parameter, 0, MOST))

    @property
    def odds(self) -> tuple[int, int]:
        """What a right line weighs, and a slip for each of its points."""
        wrong = round(self.rate * _PER_THOUSAND)
        right = _HUNDRED * (_PER_THOUSAND - wrong)
        return right // gcd(right, wrong), wrong // gcd(right, wrong)


def not_a_rate(given: str) -> InputError:
    """The error for what is not how often a turn is wrong."""
    return InputError(N_("slip-rate {given!r}: expected a number from 0.001 to 0.5"), given=given)


def hint_points(rules: Rules, real: Hint, told: Hint) -> int:
    """How likely the hint `real` is told as another one. Nobody overlooks a win."""
    if real == rules.win:
        return ANY
    hits, blows = told.hits - real.hits, told.blows - real.blows
    neighbour = abs(hits) + abs(blows) == 1 or (abs(hits) == 1 and hits == -blows)
    exchanged = (told.hits, told.blows) == (real.blows, real.hits)
    return ANY + NEIGHBOUR * neighbour + EXCHANGED * exchanged


@lru_cache(maxsize=256)
def guesses_for(rules: Rules, told: str) -> tuple[tuple[str, int], ...]:
    """The guesses that may be told as another one, with the points of that."""
    found: Counter[str] = Counter()
    for left, right in combinations(range(len(told)), 2):
        swapped = [*told]
        swapped[left], swapped[right] = told[right], told[left]
        found["".join(swapped)] += SWAPPED
    for place, symbol in enumerate(told):
        for key in _beside(symbol, rules.symbols):
            found[told[:place] + key + told[place + 1 :]] += KEY
    return tuple((guess, points) for guess, points in found.items() if guess != told and rules.is_guess(guess))


def _beside(symbol: str, symbols: str) -> str:
    """The symbols whose keys are next to that of a symbol."""
    pairs = [pair for row in _KEYS for pair in pairwise(row)]
    return "".join(
        other for other in symbols for pair in pairs if sorted(pair) == sorted((symbol.lower(), other.lower()))
    )


def points(rules: Rules, turn: Turn, codes: Codes) -> NDArray[np.float64]:
    """The points of the slips that made `turn` what it is, for each code as the secret: shape (n,); 0 where it agrees.

    There is always some slip that may have been made.
    """
    given = hint_number(rules, turn.hint)
    answers = answers_to(rules, turn.guess, codes)
    of_hint = [hint_points(rules, numbered_hint(rules, number), turn.hint) for number in range((rules.digits + 1) ** 2)]
    found: NDArray[np.float64] = np.array(of_hint, dtype=np.float64)[answers]
    for guess, each in guesses_for(rules, turn.guess):
        found[answers_to(rules, guess, codes) == given] += each
    found[answers == given] = 0
    return found
