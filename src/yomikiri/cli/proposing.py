"""A guess is proposed within a moment, and the whole advice takes its place while a person types nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, TypeVar

from yomikiri.budget import Budget, Stopped
from yomikiri.cli.terminal import Dialogue
from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.match.assistant import MatchAssistant
from yomikiri.wording import _
from yomikiri.wording import hitblow as wording

A = TypeVar("A", Assistant, MatchAssistant)
_MOMENT = 0.3  # seconds after which a person sees a guess, proven or not


class Shown(NamedTuple, Generic[A]):
    """The advice that is shown, line by line, and the game whose advice it is, which has the budget it was found in."""

    state: A
    lines: tuple[str, ...]

    @property
    def is_open(self) -> bool:
        """Whether there may be better advice."""
        return wording.searching_on() in self.lines


@dataclass
class Proposing(Generic[A]):
    """Shows the advice of one game after the other. `lines` makes the sentences of it, with what `sureness` says;
    `budget` is what the whole advice may spend."""

    dialogue: Dialogue
    lines: Callable[[A], Iterable[str]]
    budget: Budget
    shown: Shown[A] | None = None  # of the game as it stands; whoever shows another state takes it away

    def propose(self, state: A) -> A:
        """Show the advice: to a person what is found in a moment. An answer alone is for the guess of the game that is
        returned."""
        if self.dialogue.watched:
            with suppress(Stopped):
                self.shown = self._found(state, self.budget.at_most(_MOMENT))
        self.shown = self.shown or self._found(state, self.budget)
        self.dialogue.say(*self.shown.lines)
        return self.shown.state

    def sureness(self, state: A, sure: str | None) -> Iterable[str]:
        """How sure the advice is that has just been found; where its budget is spent, there may be better."""
        if self.dialogue.watched and state.budget.spent():
            return (wording.searching_on(),)
        return (sure,) if sure else ()

    def wait(self, state: A, prompt: str) -> A:
        """Look for the whole advice until the person types, and show it; return the game whose advice is shown."""
        if self.shown is None:
            return state
        if self.shown.is_open:
            whole = None
            with self.dialogue.until_typed(prompt) as typed:
                with suppress(Stopped):
                    whole = self._found(self.shown.state, Budget(cancelled=typed))
                came = typed()
            if whole and not came:
                self._replace(whole)
        return self.shown.state

    def settle(self, state: A) -> A:
        """Wait for the whole advice, if there may be better than what is shown; return the game whose advice it is."""
        if self.shown is None:
            return state
        if self.shown.is_open:
            self._replace(self._found(self.shown.state, self.budget))
        return self.shown.state

    def _found(self, state: A, budget: Budget) -> Shown[A]:
        searched: A = replace(state, budget=budget)
        return Shown(searched, tuple(self.lines(searched)))

    def _replace(self, whole: Shown[A]) -> None:
        """Say what the whole advice tells beyond that which is shown."""
        assert self.shown
        news = [line for line in whole.lines if line not in self.shown.lines]
        self.dialogue.say(*(news or [_("The search has ended, and this guess stays.")]))
        self.shown = whole
