"""How far a proof is, and how long it may still take."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from yomikiri.hitblow.search.proof.tree import ProofTree

_LOOKS = 5.0  # seconds between two looks at how much is done
_KNOWN = 0.3  # the share from which on the time left is shown: before that it is a guess


def seconds_left(seconds: float, share: float | None) -> float | None:
    """Return how many seconds a proof may still take, if `seconds` brought it to `share`. None for a low share."""
    return None if share is None or share < _KNOWN else seconds * (1 - share) / share


@dataclass(slots=True)
class Forecast:
    """How many questions are being answered, roughly how much of a proof is done, and how many seconds it may take.

    A proof that continues from a store begins with the share that the store contains. Its tree is built again, so the
    tree contains less for a while. `share` and `left` are None if they are not known.
    """

    asked: int = 0
    share: float | None = None
    left: float | None = None
    _due: float = 0.0

    def update(self, tree: ProofTree, asked: int, seconds: float) -> None:
        """Look again, after `seconds` of work. The share is updated every few seconds, since that takes a walk through
        the proof."""
        self.asked = asked
        now = monotonic()
        if now >= self._due:
            self._due, self.share = now + _LOOKS, max(self.share or 0.0, tree.share())
            self.left = seconds_left(seconds, self.share)
