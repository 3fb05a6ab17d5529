"""Results of `solve`: a strategy with its proof, the bounds known when it stops, and the time it took."""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.hitblow.strategy.strategy import Strategy, Task
from yomikiri.machine.running import computing


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """Bounds of the least total when a search stops.

    It is at least `lower`. A strategy found so far has the total `upper`, and `guess` is its first guess. Without a
    strategy, `upper` is None and `guess` is empty.
    """

    lower: int
    upper: int | None = None
    guess: str = ""


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of `solve`: a strategy with its proof, or None if there is provably no strategy within the limit.

    `cpu_seconds` is the time of the proof of the least total, including the least maximum for `Criterion.WORST`, and
    also the fewest secrets at it for `Criterion.LAST`. `tie_break_cpu_seconds` is the time of the tie-breaks,
    `tree_cpu_seconds` that of building the tree. The times include all workers and earlier runs in the store, but not
    compiling. `ties` is False if tie-breaks were not requested.
    """

    task: Task
    strategy: Strategy | None
    nodes: int
    cpu_seconds: float
    tie_break_cpu_seconds: float
    tree_cpu_seconds: float
    ties: bool = True


class Clock:
    """CPU time of this thread and its helpers, by purpose."""

    def __init__(self) -> None:
        self.laps = {"proof": 0.0, "tie-break": 0.0, "tree": 0.0}
        self._last = computing()
        self._elsewhere = 0.0

    def lap(self, name: str) -> None:
        """Add the time since the last lap to a purpose."""
        now = computing()
        self.laps[name] += now - self._last + self._elsewhere
        self._last, self._elsewhere = now, 0.0

    def add(self, seconds: float) -> None:
        """Add time that helpers spent."""
        self._elsewhere += seconds

    def total(self) -> float:
        """Return all time so far."""
        return sum(self.laps.values()) + computing() - self._last + self._elsewhere
