"""What is known of the cells of a game, by their names: bounds that only ever close in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from yomikiri.common.errors import N_, CheckError
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import name_of


class Subject(NamedTuple):
    """What bounds are about: a cell by its name, the kind of cost, the guesses that are left; and the first guess, if
    it is given."""

    cost: Count
    limit: int | None
    turns: tuple[Turn, ...]
    guess: str = ""

    @classmethod
    def of(cls, cell: Subproblem) -> Subject:
        """What is asked of a subproblem, but for its upper bound."""
        return cls(cell.count, cell.limit, name_of(cell).turns)


@dataclass(frozen=True, slots=True)
class Known:
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

    def with_(self, other: Known) -> Known:
        """What is known by both; the bounds may cross if one of them is false."""
        closer = self if self.upper <= other.upper else other
        best = closer.best or (self.best or other.best if self.upper == other.upper else "")
        return Known(max(self.lower, other.lower), closer.upper, best, self.split or other.split)


NOTHING = Known()


def contradiction(place: Subject, known: Known) -> CheckError:
    """The error for bounds that cross."""
    return CheckError(
        N_(
            "answers contradict each other on {place}: at least {lower}, at most {upper}; a worker is not to be trusted"
        ),
        place=" ".join(map(str, place.turns)) + (f" {place.guess}" if place.guess else "") or "-",
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
    """What is known, in memory; `Store` also keeps it in a file: it `lasts`."""

    lasts = False

    def __init__(self) -> None:
        self._known: dict[Subject, Known] = {}

    def known(self, place: Subject) -> Known:
        """What is known of a place."""
        return self._known.get(place, NOTHING)

    def spent(self, count: Count) -> float:
        """The seconds that earlier runs took for a kind of cost."""
        return 0.0

    def begin(self, count: Count) -> float | None:
        """Begin a proof of a kind of cost, and return the share of it that an earlier run did, if it is known."""
        return None

    def learn(self, place: Subject, known: Known, effort: Effort = NO_EFFORT) -> None:
        """Take in what is certain of a place, and what it took to find; raises a `CheckError`."""
        before = self.known(place)
        if before.with_(known) != before or effort != NO_EFFORT:
            self._keep(place, known, effort)
        self._take_in(place, known)

    def _take_in(self, place: Subject, known: Known) -> None:
        together = self._known[place] = self.known(place).with_(known)
        if together.lower > together.upper:
            raise contradiction(place, together)

    def save(self, share: float | None = None) -> None:
        """Keep what was learned since the last time, all of it or nothing. `share` is roughly how much is proven."""

    def _keep(self, place: Subject, known: Known, effort: Effort) -> None:
        """Nothing outlives this process."""
