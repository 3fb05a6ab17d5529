"""Grades of guesses, by the number of guesses that a guess loses on average against the best one.

>>> grade_of(Fraction(1, 4))
Grade.MISTAKE
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from yomikiri.common.enums import Grade


class GradeLimits(NamedTuple):
    """Upper limits of the cost of a good guess and of an inaccuracy, both exclusive."""

    good: Fraction
    inaccuracy: Fraction


IN_GUESSES = GradeLimits(Fraction(1, 10), Fraction(1, 4))
"""The limits for a cost in expected guesses."""


def grade_of(cost: Fraction, limits: GradeLimits = IN_GUESSES, *, found: bool = False) -> Grade:
    """Return the grade of a guess that loses `cost` guesses on average.

    `found` is True if the guess found the secret. Then the grade is RISKY instead of INACCURACY or MISTAKE.
    """
    if not cost:
        return Grade.BEST
    if cost < limits.good:
        return Grade.GOOD
    if found:
        return Grade.RISKY
    return Grade.INACCURACY if cost < limits.inaccuracy else Grade.MISTAKE
