"""Forecast of a proof: the *share* that is done, an estimate from 0 to 1, and the remaining time."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from yomikiri.hitblow.search.proof.tree import ProofTree

_SECONDS_BETWEEN_ESTIMATES = 5.0  # seconds between two estimates of the part of the proof that is done
_KNOWN = 0.3  # part of a proof that must be done before its remaining time is precise enough to show


def seconds_left(seconds: float, share: float | None) -> float | None:
    """Return the remaining seconds of a proof that has done the part `share` (0 to 1) of its work in `seconds`.

    Returns None if `share` is unknown or too small for an estimate.
    """
    return None if share is None or share < _KNOWN else seconds * (1 - share) / share


@dataclass(slots=True)
class Forecast:
    """Forecast of a proof: the remaining time, and the part that is done.

    `tasks` is the number of tasks in progress, and `left` is the remaining time in seconds. `share` is an estimate from
    0 to 1. `share` and `left` are None if they are unknown. A proof that continues from a store begins with the stored
    value of `share`, because the estimates from its incomplete new tree are too low at first.
    """

    tasks: int = 0
    share: float | None = None
    left: float | None = None
    _due: float = 0.0

    def update(self, tree: ProofTree, tasks: int, seconds: float) -> None:
        """Update the forecast after `seconds` of work.

        The part of the proof that is done is estimated only every few seconds, because the estimate visits the whole
        tree of the proof.
        """
        self.tasks = tasks
        now = monotonic()
        if now >= self._due:
            self._due, self.share = now + _SECONDS_BETWEEN_ESTIMATES, max(self.share or 0.0, tree.share())
            self.left = seconds_left(seconds, self.share)
