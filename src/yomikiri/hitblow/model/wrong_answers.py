"""Answers that may be wrong: how many, how often, and which other answer or guess a turn may have been.

If a code contradicts a turn and is nevertheless the secret, then a mistake was made: the answer was miscounted or
mistyped, or the guess was mistyped. Each mistake has a number of *points*: a mistake with twice as many points is twice
as probable. The numbers are an assumption, not a measurement:

    entered 345 1H1B, the secret is 354, whose answer is 1H2B      15 points
        1 (any other answer) + 12 (one blow fewer) + 2 (346 mistyped as 345: the answer to 346 is 1H1B)

A mistake of P points occurs in `rate * P / 100` of all turns, and a turn is right in `1 - rate` of them. Only the ratio
of the two matters, so all weights are whole numbers: with a rate of 1/20, a right turn has the weight 1900 and a wrong
turn the weight of its points.
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

NEIGHBOUR = 12
"""Points of an answer with one hit or blow too many or too few, or with a hit counted as a blow or the reverse.

*Points* say how probable a mistake is: a mistake with twice as many points is twice as probable.
"""

EXCHANGED = 15
"""Points of entering an answer with the numbers of hits and blows exchanged, such as 1H2B for 2H1B."""

ANY = 1
"""Points of entering any wrong answer. Typical mistakes get more points in addition."""

SWAPPED = 5
"""Points of entering a guess with two of its digits exchanged, for each pair of digits."""

KEY = 2
"""Points of mistyping one digit of a guess by a neighbouring key, for each digit and each such key."""
_HUNDRED = 100
_KEYS = ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")

MOST = 9
_PER_THOUSAND = 1000


@dataclass(frozen=True, slots=True)
class Slips:
    """An assumption about wrong answers: at most `most` turns are wrong, and any turn is wrong with probability `rate`.

    `most` is from 0 to 9. `rate` is from 0.001 to 0.5 and is rounded to thousandths. Raises an `InputError` for other
    values.

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
        """Return the assumption about wrong answers that an argument contains.

        The argument may also be a whole number, the limit on the number of wrong turns. Raises an `InputError` that
        names the argument `parameter`.
        """
        if isinstance(given, cls):
            return given
        return cls(whole(given, parameter, 0, MOST))

    @property
    def odds(self) -> tuple[int, int]:
        """Two whole numbers without a common divisor: R for right turns, and W for wrong turns.

        The probability of a code is proportional to a product: its prior weight, times one number for each turn. The
        number is R if the turn fits the code. If not, the turn was entered by mistake, and the number is W times the
        relative probability of this mistake, compared with other mistakes.
        """
        wrong = round(self.rate * _PER_THOUSAND)
        right = _HUNDRED * (_PER_THOUSAND - wrong)
        return right // gcd(right, wrong), wrong // gcd(right, wrong)


def not_a_rate(given: str) -> InputError:
    """Return the error for a probability of wrong turns outside the accepted range."""
    return InputError(N_("slip-rate {given!r}: expected a number from 0.001 to 0.5"), given=given)


def hint_points(rules: Rules, real: Hint, entered: Hint) -> int:
    """Return how probable it is, compared with other mistakes, to enter the answer `entered` if `real` is right.

    The result is a whole number of *points*: a mistake with twice as many points is twice as probable. If the right
    answer is the win, the result is only `ANY`, the points of any wrong answer, because players recognise a win.
    """
    if real == rules.win:
        return ANY
    hits, blows = entered.hits - real.hits, entered.blows - real.blows
    neighbour = abs(hits) + abs(blows) == 1 or (abs(hits) == 1 and hits == -blows)
    exchanged = (entered.hits, entered.blows) == (real.blows, real.hits)
    return ANY + NEIGHBOUR * neighbour + EXCHANGED * exchanged


@lru_cache(maxsize=256)
def guesses_for(rules: Rules, entered: str) -> tuple[tuple[str, int], ...]:
    """Return the guesses that a player may have mistyped as `entered`, each with the points of this mistake.

    Points say how probable a mistake is: a mistake with twice as many points is twice as probable.
    """
    found: Counter[str] = Counter()
    for left, right in combinations(range(len(entered)), 2):
        swapped = [*entered]
        swapped[left], swapped[right] = entered[right], entered[left]
        found["".join(swapped)] += SWAPPED
    for place, symbol in enumerate(entered):
        for key in _beside(symbol, rules.symbols):
            found[entered[:place] + key + entered[place + 1 :]] += KEY
    return tuple((guess, points) for guess, points in found.items() if guess != entered and rules.is_guess(guess))


def _beside(symbol: str, symbols: str) -> str:
    """Return the `symbols` whose keys are next to the key of `symbol` on a keyboard."""
    pairs = [pair for row in _KEYS for pair in pairwise(row)]
    return "".join(
        other for other in symbols for pair in pairs if sorted(pair) == sorted((symbol.lower(), other.lower()))
    )


def points(rules: Rules, turn: Turn, codes: Codes) -> NDArray[np.float64]:
    """Return, for each code, its number of *points*: how easily a player enters `turn` by mistake. Shape (n,).

    Suppose that the code is the secret. If `turn` fits the code, there is no mistake, and the code has 0 points.
    Otherwise some mistakes lead from a right turn to `turn`, for example a blow that was not counted. Each of these
    mistakes adds some points, the more the likelier the mistake is, and the sum is at least 1. Points are not
    probabilities, because only their ratios matter.
    """
    given = hint_number(rules, turn.hint)
    answers = answers_to(rules, turn.guess, codes)
    of_hint = [hint_points(rules, numbered_hint(rules, number), turn.hint) for number in range((rules.digits + 1) ** 2)]
    found: NDArray[np.float64] = np.array(of_hint, dtype=np.float64)[answers]
    for guess, each in guesses_for(rules, turn.guess):
        found[answers_to(rules, guess, codes) == given] += each
    found[answers == given] = 0
    return found
