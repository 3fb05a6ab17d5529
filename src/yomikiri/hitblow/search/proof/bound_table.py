"""The bound table: bounds of the cells of one game, by canonical turns. Bounds only become tighter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from yomikiri.common.errors import N_, CheckError
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns


class BoundKey(NamedTuple):
    """The key of bounds: a cell by its canonical turns, the kind of cost, the limit, and an optional first guess."""

    cost: Count
    limit: int | None
    turns: tuple[Turn, ...]
    guess: str = ""

    @classmethod
    def of(cls, cell: Subproblem) -> BoundKey:
        """Return the key of a subproblem, which does not depend on its upper bound."""
        return cls(cell.count, cell.limit, canonical_turns(cell).turns)


@dataclass(frozen=True, slots=True)
class CostBounds:
    """Bounds of a cost, a first guess that attains the upper bound, and whether the cell is split into subproblems."""

    lower: int = 0
    upper: int = IMPOSSIBLE
    best: str = ""
    split: bool = False

    @property
    def exact(self) -> bool:
        """True if the bounds are equal."""
        return self.lower == self.upper

    def tightened_by(self, other: CostBounds) -> CostBounds:
        """Return the tighter of two bounds on each side. The result crosses if one of the two is false."""
        closer = self if self.upper <= other.upper else other
        best = closer.best or (self.best or other.best if self.upper == other.upper else "")
        return CostBounds(max(self.lower, other.lower), closer.upper, best, self.split or other.split)


NOTHING = CostBounds()


def contradiction(key: BoundKey, known: CostBounds) -> CheckError:
    """Return the error for bounds that cross."""
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
    """The time and the nodes that a result took."""

    seconds: float = 0.0
    nodes: int = 0
    worker: str = ""


NO_EFFORT = Effort()


class BoundTable:
    """Bounds in memory. `ProofStore` also writes them to a file, and is therefore persistent."""

    is_persistent = False

    def __init__(self) -> None:
        self._known: dict[BoundKey, CostBounds] = {}

    def known(self, key: BoundKey) -> CostBounds:
        """Return the bounds of a key."""
        return self._known.get(key, NOTHING)

    def spent(self, count: Count) -> float:
        """Return the seconds that earlier runs took for a kind of cost."""
        return 0.0

    def begin(self, count: Count) -> float | None:
        """Begin a proof of a kind of cost. Returns the share that an earlier run did, or None if it is not known."""
        return None

    def learn(self, key: BoundKey, known: CostBounds, effort: Effort = NO_EFFORT) -> None:
        """Tighten the bounds of a key and record the effort. Raises `CheckError` if they cross."""
        before = self.known(key)
        if before.tightened_by(known) != before or effort != NO_EFFORT:
            self._store(key, known, effort)
        self._merge(key, known)

    def _merge(self, key: BoundKey, known: CostBounds) -> None:
        together = self._known[key] = self.known(key).tightened_by(known)
        if together.lower > together.upper:
            raise contradiction(key, together)

    def save(self, share: float | None = None) -> None:
        """Write everything since the last call, atomically. `share` is an estimate of the proven part."""

    def _store(self, key: BoundKey, known: CostBounds, effort: Effort) -> None:
        """No-op: the table in memory is not persisted."""
