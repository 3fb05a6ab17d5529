"""The bound table: bounds of the costs of cells of one game. Stored bounds only become tighter.

Equivalent cells share one entry, because the key contains their canonical turns: the turns after a permutation of
places and symbols that is the same for all of them (`symmetry.canonical`). The table also keeps the *share* of a proof,
an estimate of the part that is done, from 0 to 1.
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
    """The key of bounds in the bound table.

    - `cost`: the kind of cost, such as the total.
    - `limit`: the limit on the number of guesses, or None.
    - `turns`: the canonical turns of the cell, which are the same for equivalent cells.
    - `guess`: the first guess to which the bounds apply, or "" for the whole cell.
    """

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
        """True if the cost is proven: the lower and the upper bound are equal."""
        return self.lower == self.upper

    def tightened_by(self, other: CostBounds) -> CostBounds:
        """Return the tightest bounds from two pairs of bounds: the greater lower bound, and the smaller upper bound.

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
    """The effort for a result: CPU time in seconds, search nodes, and the name of the worker that computed it."""

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
        """Return the bounds with this key, or bounds from 0 to IMPOSSIBLE if there are none."""
        return self._known.get(key, NOTHING)

    def spent(self, count: Count) -> float:
        """Return the CPU seconds of earlier runs for this kind of cost: 0, because this table is in memory only."""
        return 0.0

    def begin(self, count: Count) -> float | None:
        """Begin the proof of a kind of cost.

        Returns the part of this proof (0 to 1) that an earlier run has done, or None if that is unknown. It is always
        unknown for this table, which is in memory only.
        """
        return None

    def learn(self, key: BoundKey, known: CostBounds, effort: Effort = NO_EFFORT) -> None:
        """Tighten the bounds with this key, and record the effort of computing them.

        Raises `CheckError` if the bounds contradict the known ones.
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
