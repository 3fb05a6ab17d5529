"""A guess is proposed within a moment, and the whole advice takes its place while a person types nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from yomikiri.cli.terminal import Dialogue, interruptible
from yomikiri.common.budget import Budget, Stopped
from yomikiri.hitblow.model.notation import is_guess, parse_guess
from yomikiri.wording import _

if TYPE_CHECKING:
    from yomikiri.hitblow.advice.assistant import Assistant
    from yomikiri.hitblow.match.assistant import MatchAssistant
    from yomikiri.hitblow.model.rules import Rules

A = TypeVar("A", "Assistant", "MatchAssistant")  # by their names: who plays alone loads nothing of a match
_MOMENT = 0.3  # seconds after which a person sees a guess, proven or not


class Shown(NamedTuple, Generic[A]):
    """The advice that is shown, line by line, and the game whose advice it is, which has the budget it was found in;
    `is_open` says whether there may be better advice."""

    state: A
    lines: tuple[str, ...]
    is_open: bool


@dataclass
class Proposing(Generic[A]):
    """Shows the advice of one game after the other. `lines` makes the lines of it, with how sure it is or, where the
    search for it goes on or was ended, a sentence that says so; `budget` is what the whole advice may spend."""

    dialogue: Dialogue
    lines: Callable[[A, str], Iterable[str]]
    budget: Budget
    shown: Shown[A] | None = None  # of the game as it stands
    instead: str = ""  # the guess that the person made in place of the one that is proposed

    def take_away(self) -> None:
        """Another state of the game is shown."""
        self.shown, self.instead = None, ""

    def hear(self, line: str, rules: Rules) -> bool:
        """At a screen a guess alone is the one that was made, and its answer is asked for: whether the line is one."""
        if not self.dialogue.draws or not is_guess(line, rules):
            return False
        self.instead = parse_guess(line, rules)
        return True

    def guess(self, state: A) -> str:
        """The guess that an answer alone is for."""
        return self.instead or state.advice.proposed.guess

    def propose(self, state: A) -> A:
        """Show the advice: to a person what is found in a moment. An answer alone is for the guess of the game that is
        returned."""
        if self.dialogue.watched:
            with suppress(Stopped):
                self.shown = self._found(state, self.budget.at_most(_MOMENT))
        self.shown = self.shown or self._found(state, self.budget)
        self.dialogue.say(*self.shown.lines)
        return self.shown.state

    def wait(self, state: A, prompt: str) -> A:
        """Look for the whole advice until the person types, and show it; return the game whose advice is shown."""
        if self.shown is None:
            return state
        if self.shown.is_open:
            whole = None
            with self.dialogue.until_typed(prompt) as typed, interruptible() as ended:
                with suppress(Stopped):
                    whole = self._found(self.shown.state, Budget(cancelled=lambda: typed() or ended()))
                came = typed()
            if ended():
                self.keep()
            elif whole and not came:
                self._replace(whole)
        return self.shown.state

    def keep(self) -> None:
        """Look for no better advice than what is shown: the person has pressed Enter, or Ctrl-C."""
        if self.shown and self.shown.is_open:
            state, told = self.shown.state, _("Not proven: the search was ended.")
            self.shown = Shown(state, tuple(self.lines(state, told)), is_open=False)
            self._put(())

    def settle(self, state: A) -> A:
        """Wait for the whole advice, if there may be better than what is shown; return the game whose advice it is."""
        if self.shown is None:
            return state
        if self.shown.is_open:
            self._replace(self._found(self.shown.state, self.budget))
        return self.shown.state

    def _found(self, state: A, budget: Budget) -> Shown[A]:
        searched: A = replace(state, budget=budget)
        assert searched.advice, "it is sought before it is said whether there may be better"
        is_open = self.dialogue.watched and searched.budget.spent()
        told = _("Not proven yet: the search goes on until you type.") if is_open else ""
        return Shown(searched, tuple(self.lines(searched, told)), is_open)

    def _replace(self, whole: Shown[A]) -> None:
        """Say what the whole advice tells beyond that which is shown."""
        assert self.shown
        news = [line for line in whole.lines if line not in self.shown.lines]
        self.shown = whole
        self._put(news or [_("The search has ended, and this guess stays.")])

    def _put(self, news: Iterable[str]) -> None:
        """Put the advice in the place of what was shown, or say what is new of it where nothing can be replaced."""
        if not self.dialogue.draws:
            self.dialogue.say(*news)
        elif self.shown:
            with self.dialogue.body():
                self.dialogue.say(*self.shown.lines)
