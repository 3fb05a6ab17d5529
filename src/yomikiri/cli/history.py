"""The states of a game in a session, with the way back and forth between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from yomikiri.common.errors import N_, TurnError

S = TypeVar("S")


@dataclass(frozen=True)
class History(Generic[S]):
    """The game as it stands, `now`, with the states that `undo` and `redo` go to; the nearest of each are last."""

    now: S
    before: tuple[S, ...] = ()
    after: tuple[S, ...] = ()

    def step(self, state: S) -> History[S]:
        """After an action; what was undone cannot be redone any more."""
        return History(state, (*self.before, self.now))

    def undo(self, undone: Callable[[S], S]) -> History[S]:
        """Before the last action, or with what `undone` makes of the game where there was none."""
        earlier = self.before[-1] if self.before else undone(self.now)
        return History(earlier, self.before[:-1], (*self.after, self.now))

    def redo(self) -> History[S]:
        """After the action that was undone last; raises a `TurnError`."""
        if not self.after:
            raise TurnError(N_("nothing to redo: nothing was taken back"))
        return History(self.after[-1], (*self.before, self.now), self.after[:-1])
