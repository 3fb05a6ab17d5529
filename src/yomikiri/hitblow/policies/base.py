"""What chooses the next guess: one small interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from yomikiri.errors import ContradictionError
from yomikiri.hitblow.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class Choice:
    """The guess of a policy, the next best ones in order, and whether only a sample was looked at.

    `best_candidate` is the best guess that could be right, where the policy compares guesses and chose another.
    """

    guess: str
    alternatives: tuple[str, ...] = ()
    sampled: bool = False
    best_candidate: str | None = None


class Policy(Protocol):
    """Chooses a guess from knowledge, and always the same one from the same knowledge."""

    @property
    def name(self) -> str:
        """The name it is asked for by."""

    def choose(self, known: Knowledge) -> Choice:
        """The next guess; raises `ContradictionError` when no candidate is left."""


def require_candidates(known: Knowledge) -> None:
    """Raise `ContradictionError` when nothing fits the turns."""
    if not known.count:
        raise ContradictionError(" ".join(map(str, known.turns)))
