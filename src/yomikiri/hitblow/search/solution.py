"""Results of `solve`: a strategy with its proof, the bounds known when a search stops, and the time of the search."""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.hitblow.strategy.strategy import Strategy, Task
from yomikiri.machine.running import computing


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """Bounds of the least total when a search stops.

    The least total is at least `lower`. The best strategy found so far has the total `upper` and the first guess
    `guess`. Without a strategy, `upper` is None and `guess` is empty.
    """

    lower: int
    upper: int | None = None
    guess: str = ""


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of `solve`: a strategy with its proof, or None if there is provably no strategy within the limit.

    - `cpu_seconds` is the time of the proof of the least total. For `Criterion.WORST` it includes the proof of the
      least maximum number of guesses, and for `Criterion.LAST` also that of the fewest secrets that take the maximum.
    - `tie_break_cpu_seconds` is the time of the tie-breaks, which choose among the strategies of equal cost.
    - `tree_cpu_seconds` is the time of building the tree.
    - `ties` is False if tie-breaks were not requested.

    The times include all workers and earlier runs in the store, but not compiling.
    """

    task: Task
    strategy: Strategy | None
    nodes: int
    cpu_seconds: float
    tie_break_cpu_seconds: float
    tree_cpu_seconds: float
    ties: bool = True


class Clock:
    """Stopwatch for the CPU time of this thread and its workers, by purpose: proof, tie-break or tree."""

    def __init__(self) -> None:
        self.laps = {"proof": 0.0, "tie-break": 0.0, "tree": 0.0}
        self._last = computing()
        self._elsewhere = 0.0

    def lap(self, name: str) -> None:
        """Add the time since the last lap to the purpose `name`."""
        now = computing()
        self.laps[name] += now - self._last + self._elsewhere
        self._last, self._elsewhere = now, 0.0

    def add(self, seconds: float) -> None:
        """Add the computing time of workers, in seconds, to the time since the last lap."""
        self._elsewhere += seconds

    def total(self) -> float:
        """Return the time of all purposes so far."""
        return sum(self.laps.values()) + computing() - self._last + self._elsewhere
