"""Subproblems: parts of a search that can be sent to another process and solved there alone.

A subproblem asks for the least cost of the codes that fit some turns. Its `upper` bound is what makes subproblems share
progress: the better the best strategy known above it, the sooner a subproblem may answer "not less than that".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from yomikiri.hitblow.model.rules import Fact, Rules, Turn

IMPOSSIBLE = 1 << 43  # the cost of codes that no strategy finds within the limit
# What is counted first comes before what is counted after it, for totals below 2 ** 23 and fewer than 2 ** 20 codes.
_STEPS = 1 << 20, 1 << 23


class Count(Enum):
    """What a cost counts; `value` is (cost of a guess for one secret, more for a secret found at the last guess
    allowed).

    Costs add up over the cells of a guess, so each kind of tree is searched in the same way.
    """

    TOTAL = (1, 0)
    LAST = (_STEPS[0], 1)  # the total, then the secrets found at the limit
    FEWEST = (1, _STEPS[1])  # the secrets found at the limit, then the total
    NOTHING = (0, 0)  # only whether there is a strategy within the limit

    @property
    def guess(self) -> int:
        """Cost of one guess for one secret."""
        return self.value[0]

    @property
    def last(self) -> int:
        """What a secret that is found at the limit costs more."""
        return self.value[1]

    @property
    def first(self) -> int:
        """What one of what is counted first costs: a guess, or a secret found at the limit; 0 where nothing is."""
        return max(self.value)

    def cost(self, total: int, last: int) -> int:
        """What a total of guesses costs with so many secrets found at the limit."""
        return total * self.guess + last * self.last


@dataclass(frozen=True, slots=True)
class Subproblem:
    """The codes that fit `turns` and what was known before them, `absent` symbols and `facts`; the guesses left for
    them (`limit`), and the bound below which a cost is of use."""

    rules: Rules
    absent: str = ""
    turns: tuple[Turn, ...] = ()
    consistent: bool = False
    count: Count = Count.TOTAL
    limit: int | None = None
    upper: int = IMPOSSIBLE
    facts: tuple[Fact, ...] = ()

    def after(self, turn: Turn) -> Subproblem:
        """The subproblem of the codes that a turn leaves, with one guess less."""
        return replace(self, turns=(*self.turns, turn), limit=None if self.limit is None else self.limit - 1)


def no_other_guess() -> int:
    """What other first guesses are known to cost, where none is known."""
    return IMPOSSIBLE
