"""The bound table: bounds of the costs of cells of one game. Stored bounds only become tighter.

Equivalent cells share one entry, because the key contains their canonical turns (`symmetry.canonical`). The *share* of
a proof is an estimate of the part that is done, from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from yomikiri.common.errors import N_, CheckError
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns


class BoundKey(NamedTuple):
    """The key of bounds: the canonical turns of a cell, the kind of cost, the limit, and a first guess or ""."""

    cost: Count
    limit: int | None
    turns: tuple[Turn, ...]
    guess: str = ""

    @classmethod
    def of(cls, cell: Subproblem) -> BoundKey:
        """Return the key of a subproblem. Its upper bound is not part of the key."""
        return cls(cell.count, cell.limit, canonical_turns(cell).turns)


@dataclass(frozen=True, slots=True)
class CostBounds:
    """The bounds of a cost. `best` is a first guess that attains the upper bound, or "".

    `split` is True if the cell or guess is split into tasks.
    """

    lower: int = 0
    upper: int = IMPOSSIBLE
    best: str = ""
    split: bool = False

    @property
    def exact(self) -> bool:
        """True if the lower and the upper bound are equal."""
        return self.lower == self.upper

    def tightened_by(self, other: CostBounds) -> CostBounds:
        """Return the greater of the two lower bounds with the less of the two upper bounds.

        If one of the given bounds is false, the lower bound of the result can exceed the upper one.
        """
        closer = self if self.upper <= other.upper else other
        best = closer.best or (self.best or other.best if self.upper == other.upper else "")
        return CostBounds(max(self.lower, other.lower), closer.upper, best, self.split or other.split)


NOTHING = CostBounds()


def contradiction(key: BoundKey, known: CostBounds) -> CheckError:
    """Return the error for a lower bound above the upper bound, which only a wrong result can cause."""
    return CheckError(
        N_(
            "results contradict each other at {place}: at least {lower}, at most {upper}; a worker returns wrong "
            "results"
        ),
        place=" ".join(map(str, key.turns)) + (f" {key.guess}" if key.guess else "") or "-",
        lower=known.lower,
        upper=known.upper,
    )


@dataclass(frozen=True, slots=True)
class Effort:
    """The CPU time, the nodes and the worker of a result."""

    seconds: float = 0.0
    nodes: int = 0
    worker: str = ""


NO_EFFORT = Effort()


class BoundTable:
    """Bounds in memory. The subclass `ProofStore` also writes them to a file."""

    is_persistent = False

    def __init__(self) -> None:
        self._known: dict[BoundKey, CostBounds] = {}

    def known(self, key: BoundKey) -> CostBounds:
        """Return the bounds with this key, or trivial bounds."""
        return self._known.get(key, NOTHING)

    def spent(self, count: Count) -> float:
        """Return the CPU seconds of earlier runs for this kind of cost: 0, because this table is in memory only."""
        return 0.0

    def begin(self, count: Count) -> float | None:
        """Begin a proof of a kind of cost.

        Returns the part of this proof that an earlier run has done (0 to 1), or None if that is unknown, as in memory.
        """
        return None

    def learn(self, key: BoundKey, known: CostBounds, effort: Effort = NO_EFFORT) -> None:
        """Tighten the bounds with this key, and record the effort.

        Raises `CheckError` if the bounds contradict each other.
        """
        before = self.known(key)
        if before.tightened_by(known) != before or effort != NO_EFFORT:
            self._store(key, known, effort)
        self._merge(key, known)

    def _merge(self, key: BoundKey, known: CostBounds) -> None:
        together = self._known[key] = self.known(key).tightened_by(known)
        if together.lower > together.upper:
            raise contradiction(key, together)

    def save(self, share: float | None = None) -> None:
        """Do nothing, because this table is in memory only.

        `ProofStore` writes all changes since the last call, and `share`, the part of the proof that is done (0 to 1).
        """

    def _store(self, key: BoundKey, known: CostBounds, effort: Effort) -> None:
        """Do nothing, because this table is in memory only."""
