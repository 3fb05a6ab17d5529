"""Subproblems: units of a search that another process can solve alone.

The result of a subproblem is the least cost of the codes that fit some turns. Its `upper` bound lets subproblems share
progress: with a better known strategy above it, a subproblem ends sooner with "not less than that".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Fact, Rules, Turn

# Factors that make costs lexicographic, for totals below 2 ** 23 and fewer than 2 ** 20 codes.
_STEPS = 1 << 20, 1 << 23


class Count(Enum):
    """Kinds of costs, as (cost of one guess for one secret, extra cost of a secret found at the last guess).

    Costs add up over the cells of a guess, so one search finds them all.
    """

    TOTAL = (1, 0)
    LAST = (_STEPS[0], 1)  # the total, then the secrets found at the limit
    FEWEST = (1, _STEPS[1])  # the secrets found at the limit, then the total
    NOTHING = (0, 0)  # only whether there is a strategy within the limit

    @property
    def guess(self) -> int:
        """The cost of one guess for one secret."""
        return self.value[0]

    @property
    def last(self) -> int:
        """The extra cost of a secret that takes the maximum number of guesses."""
        return self.value[1]

    @property
    def first(self) -> int:
        """The cost of one unit of the criterion that is compared first, 0 if there is no cost.

        The unit is a guess, or a secret found at the limit.
        """
        return max(self.value)

    def cost(self, total: int, last: int) -> int:
        """Return the cost of `total` guesses if `last` secrets take the maximum number of guesses."""
        return total * self.guess + last * self.last


@dataclass(frozen=True, slots=True)
class Subproblem:
    """The codes that fit `turns` and the knowledge before them (`absent` symbols and `facts`).

    `limit` is the number of guesses left, and only costs below `upper` are of use.
    """

    rules: Rules
    absent: str = ""
    turns: tuple[Turn, ...] = ()
    consistent: bool = False
    count: Count = Count.TOTAL
    limit: int | None = None
    upper: int = IMPOSSIBLE
    facts: tuple[Fact, ...] = ()

    def after(self, turn: Turn) -> Subproblem:
        """Return the subproblem after a turn, with one guess less."""
        return replace(self, turns=(*self.turns, turn), limit=None if self.limit is None else self.limit - 1)


def no_other_guess() -> int:
    """Return IMPOSSIBLE, the cost of other first guesses for a caller without other first guesses."""
    return IMPOSSIBLE
