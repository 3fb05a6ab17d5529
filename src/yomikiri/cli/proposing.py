"""Suggestions in a session: shown at once, and replaced by the full advice if the user has not begun to type."""

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

# These types are imported for annotations only, because the match is slow to import.
A = TypeVar("A", "Assistant", "MatchAssistant")
_MOMENT = 0.3  # seconds of search before the first suggestion, proven or not


class ShownAdvice(NamedTuple, Generic[A]):
    """The advice that the screen shows: the state of the game with this advice, and its lines of text.

    `is_open` is True if a longer search may find better advice.
    """

    state: A
    lines: tuple[str, ...]
    is_open: bool


@dataclass
class Proposing(Generic[A]):
    """The suggestions of a session.

    `lines` formats the advice of a state. Its second argument is a sentence about a search that continues or was
    stopped, or "". `budget` limits the search for the full advice.
    """

    dialogue: Dialogue
    lines: Callable[[A, str], Iterable[str]]
    budget: Budget
    shown: ShownAdvice[A] | None = None  # None if the current state has no suggestion
    own_guess: str = ""  # the guess that the user made instead of the suggestion

    def discard_suggestion(self) -> None:
        """Discard the suggestion, because the state of the game has changed."""
        self.shown, self.own_guess = None, ""

    def accept_guess(self, line: str, rules: Rules) -> bool:
        """Replace the suggested guess by `line` if this is a guess without an answer; return True in this case.

        This is possible only if the screen is redrawn in place.
        """
        if not self.dialogue.draws or not is_guess(line, rules):
            return False
        self.own_guess = parse_guess(line, rules)
        return True

    def guess(self, state: A) -> str:
        """Return the guess to which a typed answer belongs if the user types no guess with it."""
        return self.own_guess or state.advice.proposed.guess

    def propose(self, state: A) -> A:
        """Show a suggestion, and return the state with it. At a terminal, this is the best one found in 0.3 seconds."""
        if self.dialogue.is_terminal:
            with suppress(Stopped):
                self.shown = self._search(state, self.budget.at_most(_MOMENT))
        self.shown = self.shown or self._search(state, self.budget)
        self.dialogue.say(*self.shown.lines)
        return self.shown.state

    def wait(self, state: A, prompt: str) -> A:
        """Search for the full advice until the user types, and show the advice if the search ends first.

        Returns the state with the advice on the screen.
        """
        if self.shown is None:
            return state
        if self.shown.is_open:
            whole = None
            with self.dialogue.until_typed(prompt) as typed, interruptible() as ended:
                with suppress(Stopped):
                    whole = self._search(self.shown.state, Budget(cancelled=lambda: typed() or ended()))
                was_typed = typed()
            if ended():
                self.keep_suggestion()
            elif whole and not was_typed:
                self._replace(whole)
        return self.shown.state

    def keep_suggestion(self) -> None:
        """Stop improving the suggestion, because the user has pressed Enter or Ctrl-C."""
        if self.shown and self.shown.is_open:
            state, remark = self.shown.state, _("Not proven: the search was stopped.")
            self.shown = ShownAdvice(state, tuple(self.lines(state, remark)), is_open=False)
            self._redraw(())

    def finish_search(self, state: A) -> A:
        """Finish the search for the full advice. Returns the state with the advice on the screen."""
        if self.shown is None:
            return state
        if self.shown.is_open:
            self._replace(self._search(self.shown.state, self.budget))
        return self.shown.state

    def _search(self, state: A, budget: Budget) -> ShownAdvice[A]:
        searched: A = replace(state, budget=budget)
        assert searched.advice, "it is sought before it is said whether there may be better"
        is_open = self.dialogue.is_terminal and searched.budget.spent()
        remark = _("Not proven yet: the search continues until you type.") if is_open else ""
        return ShownAdvice(searched, tuple(self.lines(searched, remark)), is_open)

    def _replace(self, whole: ShownAdvice[A]) -> None:
        """Show the full advice, or only what is new in it."""
        assert self.shown
        news = [line for line in whole.lines if line not in self.shown.lines]
        self.shown = whole
        self._redraw(news or [_("The search is over. The suggestion stays the same.")])

    def _redraw(self, news: Iterable[str]) -> None:
        """Draw the new advice over the old one. If the screen is not redrawn in place, print only the lines `news`."""
        if not self.dialogue.draws:
            self.dialogue.say(*news)
        elif self.shown:
            with self.dialogue.body():
                self.dialogue.say(*self.shown.lines)
