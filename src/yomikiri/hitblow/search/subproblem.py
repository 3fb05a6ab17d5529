"""Subproblems: units of a search that another process can solve alone.

A subproblem is the set of codes that fit some turns, and its result is the least cost of this set. The `upper` bound
lets subproblems share progress. If a better strategy is found elsewhere, `upper` is lower, and the search ends sooner,
with the result that the cost is at least `upper`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Fact, Rules, Turn

# A cost can combine two numbers, the total and the number of secrets found at the limit. The number that is compared
# first is multiplied by one of these factors, so that any difference of it outweighs the other number. They are large
# enough for totals below 2 ** 23 and for fewer than 2 ** 20 codes.
_STEPS = 1 << 20, 1 << 23


class Count(Enum):
    """Kinds of costs, as (cost of one guess for one secret, extra cost of a secret found at the last guess).

    Costs of all kinds add up over the cells of a guess, so one search algorithm serves all kinds.
    """

    TOTAL = (1, 0)
    # compares the total first, then the number of secrets found at the last guess that the limit allows
    LAST = (_STEPS[0], 1)
    # compares first the number of secrets found at the last guess that the limit allows, then the total
    FEWEST = (1, _STEPS[1])
    NOTHING = (0, 0)  # counts nothing: the cost is 0 if there is a strategy within the limit, otherwise IMPOSSIBLE

    @property
    def guess(self) -> int:
        """The cost of one guess for one secret."""
        return self.value[0]

    @property
    def last(self) -> int:
        """The extra cost of a secret that is found at the last guess that the limit allows."""
        return self.value[1]

    @property
    def first(self) -> int:
        """The factor of the number that is compared first: the total, or the number of secrets found at the last guess.

        The last guess is the last one that the limit allows. The factor is 0 for the kind `NOTHING`, which counts
        neither.
        """
        return max(self.value)

    def cost(self, total: int, last: int) -> int:
        """Return the cost of `total` guesses if `last` secrets are found at the last guess that the limit allows."""
        return total * self.guess + last * self.last


@dataclass(frozen=True, slots=True)
class Subproblem:
    """The codes that fit `turns` and the knowledge before the turns: `absent` symbols and `facts`.

    `limit` is the number of guesses left, and None stands for no limit. The search needs to find only costs below
    `upper`.
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
        """Return the subproblem after one more turn. Its limit is one guess less."""
        return replace(self, turns=(*self.turns, turn), limit=None if self.limit is None else self.limit - 1)


def no_other_guess() -> int:
    """Return IMPOSSIBLE, because no cost of another first guess is known.

    This is the default of the parameters named `attained` (see `SearchEngine.least_of`).
    """
    return IMPOSSIBLE
