"""What is known of the cells of a game, by their names: bounds that only ever close in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from yomikiri.common.errors import N_, CheckError
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns


class BoundKey(NamedTuple):
    """What bounds are about: a cell by its name, the kind of cost, the guesses that are left; and the first guess, if
    it is given."""

    cost: Count
    limit: int | None
    turns: tuple[Turn, ...]
    guess: str = ""

    @classmethod
    def of(cls, cell: Subproblem) -> BoundKey:
        """What is asked of a subproblem, but for its upper bound."""
        return cls(cell.count, cell.limit, canonical_turns(cell).turns)


@dataclass(frozen=True, slots=True)
class CostBounds:
    """Bounds of a cost, a first guess that attains the upper one, and whether the place was too large for one
    question."""

    lower: int = 0
    upper: int = IMPOSSIBLE
    best: str = ""
    split: bool = False

    @property
    def exact(self) -> bool:
        """Whether the cost is known, or that there is none."""
        return self.lower == self.upper

    def tightened_by(self, other: CostBounds) -> CostBounds:
        """What is known by both; the bounds may cross if one of them is false."""
        closer = self if self.upper <= other.upper else other
        best = closer.best or (self.best or other.best if self.upper == other.upper else "")
        return CostBounds(max(self.lower, other.lower), closer.upper, best, self.split or other.split)


NOTHING = CostBounds()


def contradiction(key: BoundKey, known: CostBounds) -> CheckError:
    """The error for bounds that cross."""
    return CheckError(
        N_(
            "answers contradict each other on {place}: at least {lower}, at most {upper}; a worker is not to be trusted"
        ),
        place=" ".join(map(str, key.turns)) + (f" {key.guess}" if key.guess else "") or "-",
        lower=known.lower,
        upper=known.upper,
    )


@dataclass(frozen=True, slots=True)
class Effort:
    """What an answer took."""

    seconds: float = 0.0
    nodes: int = 0
    worker: str = ""


NO_EFFORT = Effort()


class BoundTable:
    """What is known, in memory; `Store` also keeps it in a file: it `is_persistent`."""

    is_persistent = False

    def __init__(self) -> None:
        self._known: dict[BoundKey, CostBounds] = {}

    def known(self, key: BoundKey) -> CostBounds:
        """What is known of a place."""
        return self._known.get(key, NOTHING)

    def spent(self, count: Count) -> float:
        """The seconds that earlier runs took for a kind of cost."""
        return 0.0

    def begin(self, count: Count) -> float | None:
        """Begin a proof of a kind of cost, and return the share of it that an earlier run did, if it is known."""
        return None

    def learn(self, key: BoundKey, known: CostBounds, effort: Effort = NO_EFFORT) -> None:
        """Take in what is certain of a place, and what it took to find; raises a `CheckError`."""
        before = self.known(key)
        if before.tightened_by(known) != before or effort != NO_EFFORT:
            self._store(key, known, effort)
        self._merge(key, known)

    def _merge(self, key: BoundKey, known: CostBounds) -> None:
        together = self._known[key] = self.known(key).tightened_by(known)
        if together.lower > together.upper:
            raise contradiction(key, together)

    def save(self, share: float | None = None) -> None:
        """Keep what was learned since the last time, all of it or nothing. `share` is roughly how much is proven."""

    def _store(self, key: BoundKey, known: CostBounds, effort: Effort) -> None:
        """Nothing outlives this process."""
