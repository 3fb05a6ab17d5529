"""What a search makes as small as possible: whole numbers, compared one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What comes first.

    - `expected`: least total of guesses over all secrets; then least maximum; then fewest secrets at that maximum
    - `worst`: least maximum; then least total
    - `within`: least total of those strategies that need no more than so many guesses for any secret
    """

    EXPECTED = "expected"
    WORST = "worst"
    WITHIN = "within"


class Proof(StrEnum):
    """How sure a cost is: nothing is less, it is only the best found, or there is no strategy at all."""

    OPTIMAL = "optimal"
    HEURISTIC = "heuristic"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class Objective:
    """What to minimise; `limit` is the most guesses of `within`, `consistent` allows candidates only as guesses."""

    kind: Kind = Kind.EXPECTED
    limit: int | None = None
    consistent: bool = False

    def __post_init__(self) -> None:
        assert (self.kind is Kind.WITHIN) == (self.limit is not None), "a limit belongs to `within`, and only there"

    @classmethod
    def within(cls, limit: int, *, consistent: bool = False) -> Objective:
        """Least total with no secret beyond `limit` guesses."""
        return cls(Kind.WITHIN, limit, consistent)
