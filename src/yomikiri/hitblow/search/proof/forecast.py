"""Forecast of a proof: the proven share, and the time to come."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from yomikiri.hitblow.search.proof.tree import ProofTree

_LOOKS = 5.0  # seconds between two updates of the share
_KNOWN = 0.3  # smallest share at which the forecast is precise enough to show


def seconds_left(seconds: float, share: float | None) -> float | None:
    """Return the seconds that a proof may still take if `seconds` brought it to `share`. None for a low share."""
    return None if share is None or share < _KNOWN else seconds * (1 - share) / share


@dataclass(slots=True)
class Forecast:
    """The number of tasks being solved, an estimate of the share of the proof that is done, and the seconds left.

    A proof that continues from a store begins with the share in the store, because its new tree is less complete for a
    while. `share` and `left` are None if they are not known.
    """

    asked: int = 0
    share: float | None = None
    left: float | None = None
    _due: float = 0.0

    def update(self, tree: ProofTree, asked: int, seconds: float) -> None:
        """Update the forecast after `seconds` of work.

        The share is updated every few seconds only, because it needs a walk through the proof.
        """
        self.asked = asked
        now = monotonic()
        if now >= self._due:
            self._due, self.share = now + _LOOKS, max(self.share or 0.0, tree.share())
            self.left = seconds_left(seconds, self.share)
