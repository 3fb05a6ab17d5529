"""Undo and redo in a session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from yomikiri.common.errors import N_, TurnError

S = TypeVar("S")


@dataclass(frozen=True)
class History(Generic[S]):
    """The current state of a game, and the states that `undo` and `redo` return to.

    In `before` and `after`, the state nearest to the current one is the last.
    """

    now: S
    before: tuple[S, ...] = ()
    after: tuple[S, ...] = ()

    def step(self, state: S) -> History[S]:
        """Return the history after an action that leads to `state`. It has nothing to redo."""
        return History(state, (*self.before, self.now))

    def undo(self, undone: Callable[[S], S]) -> History[S]:
        """Return the history before the last action.

        If no earlier state is stored, `undone` computes the earlier state from the current one.
        """
        earlier = self.before[-1] if self.before else undone(self.now)
        return History(earlier, self.before[:-1], (*self.after, self.now))

    def redo(self) -> History[S]:
        """Return the history with the last undone action restored; raise a `TurnError` if there is none."""
        if not self.after:
            raise TurnError(N_("nothing to redo: use 'undo' first"))
        return History(self.after[-1], (*self.before, self.now), self.after[:-1])
