"""A guess beside the best one: what it gave away, the grade for that, and the groups that each makes of the numbers
left.

A guess is weighed in the game it belongs to: in guesses on average where only the board counts, in the chance of
winning in a match. Grades by what was given away:

    guesses    0 best    < 0.10 good    < 0.25 inaccuracy    mistake from there
    chance     0 best    < 3 % good     < 10 % inaccuracy    mistake from there

`tests/hitblow/learning/test_marked.py` holds the limits against players of different strength.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from yomikiri.enums import Grade, Named
from yomikiri.hitblow.advice import Figures
from yomikiri.hitblow.judgement import LITTLE
from yomikiri.hitblow.rules import Answered, Hint


class Unit(Named):
    """What a guess is weighed in: the guesses still needed on average, or the chance of winning, draws counted half."""

    GUESSES = "guesses"
    CHANCE = "chance"


# What a good guess and an inaccuracy give away less than.
_LIMITS = {Unit.GUESSES: (LITTLE, Fraction(1, 4)), Unit.CHANCE: (Fraction(3, 100), Fraction(1, 10))}


def grade_of(cost: Fraction, unit: Unit, *, found: bool = False) -> Grade:
    """The grade for what a guess gave away; `found` says that it found the secret.

    >>> grade_of(Fraction(1, 4), Unit.GUESSES)
    Grade.MISTAKE
    """
    good, inaccurate = _LIMITS[unit]
    if not cost:
        return Grade.BEST
    if cost < good:
        return Grade.GOOD
    if found:
        return Grade.RISKY
    return Grade.INACCURACY if cost < inaccurate else Grade.MISTAKE


@dataclass(frozen=True, slots=True)
class Split:
    """Into which groups a guess parts the numbers left: the hint and the size of each, the largest first."""

    guess: str
    cells: tuple[tuple[Hint, int], ...]

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return len(self.cells)

    @property
    def largest(self) -> int:
        """How many numbers the largest holds."""
        return self.cells[0][1]


def split_of(shown: Figures) -> Split:
    """The groups of a guess."""
    sizes = zip((hint for hint, _size in shown.cells), shown.left, strict=True)
    return Split(shown.guess, tuple(sorted(sizes, key=lambda cell: (-cell[1], cell[0]))))


@dataclass(frozen=True, slots=True)
class Weighed:
    """A guess and the best one, itself where none is better, with what each is worth in that unit: the guesses that it
    still takes, itself included, or the chance of winning with it. None where that is only estimated."""

    unit: Unit
    played: Figures
    best: Figures
    worth: Fraction | None
    best_worth: Fraction | None

    @property
    def cost(self) -> Fraction | None:
        """What the guess gave away, never negative; None where that is only estimated."""
        if self.worth is None or self.best_worth is None:
            return None
        return abs(self.best_worth - self.worth)

    @property
    def forced(self) -> bool:
        """Whether there was nothing to decide: the one number left was guessed."""
        return self.played.count == 1 and self.played.is_candidate

    @property
    def splits(self) -> tuple[Split, Split]:
        """The groups of the guess and of the best one."""
        return split_of(self.played), split_of(self.best)

    @property
    def scale(self) -> int:
        """The largest group of either, so that both are shown to one scale."""
        return max(split.largest for split in self.splits)

    def grade(self, *, found: bool = False) -> Grade | None:
        """The grade; None where the cost is only estimated, or the guess was forced."""
        return None if self.cost is None or self.forced else grade_of(self.cost, self.unit, found=found)


@dataclass(frozen=True, slots=True)
class Marked:
    """One of my turns, weighed: the `number` of the guess, from 1, and the line of the game, from 1.

    `left` is how many numbers there were after it.
    """

    number: int
    line: int
    turn: Answered
    left: int
    weighed: Weighed

    @property
    def grade(self) -> Grade | None:
        """The grade of the guess; None where its cost is only estimated, or it was forced."""
        return self.weighed.grade(found=self.turn.found)

    @property
    def cost(self) -> Fraction | None:
        """What the guess gave away; None where that is only estimated."""
        return self.weighed.cost
