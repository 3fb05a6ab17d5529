"""What `solve` finds: an answer with its proof, what is certain where it stops, and the time it took."""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.hitblow.strategy.strategy import Strategy, Task
from yomikiri.machine.running import computing


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """What is certain of the least total when a search stops: it is `lower` or more, and some strategy takes `upper`,
    None where none is known; `guess` is the first of such a strategy, "" where it is not known."""

    lower: int
    upper: int | None = None
    guess: str = ""


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer of `solve`: a strategy with its proof, or none, which is proven impossible within the limit.

    `cpu_seconds` is what the proof of the least total took (and before it of the least maximum, for `Kind.WORST`, and
    of the fewest secrets at it, for `Kind.LAST`), `tie_break_cpu_seconds` what the tie-breaks took beyond it,
    `tree_cpu_seconds` the making of the tree. Compiling is in none of them; the time of all who helped is, and so is
    what a store says that earlier runs took. `ties` says whether the tie-breaks were asked for.
    """

    task: Task
    strategy: Strategy | None
    nodes: int
    cpu_seconds: float
    tie_break_cpu_seconds: float
    tree_cpu_seconds: float
    ties: bool = True


class Clock:
    """CPU time of this thread, and of those who help it, kept by what it was spent on."""

    def __init__(self) -> None:
        self.laps = {"proof": 0.0, "tie-break": 0.0, "tree": 0.0}
        self._last = computing()
        self._elsewhere = 0.0

    def lap(self, name: str) -> None:
        """Count the time since the last lap."""
        now = computing()
        self.laps[name] += now - self._last + self._elsewhere
        self._last, self._elsewhere = now, 0.0

    def add(self, seconds: float) -> None:
        """Count time that others spent."""
        self._elsewhere += seconds

    def total(self) -> float:
        """All time so far."""
        return sum(self.laps.values()) + computing() - self._last + self._elsewhere
