"""A game in progress at a terminal or through pipes: listen line by line, save the game, take a saved one up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import click

from yomikiri.cli.dialogue import Dialogue
from yomikiri.cli.terminal import padded
from yomikiri.errors import YomikiriError
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.match.match import Match
from yomikiri.hitblow.notation import split_command
from yomikiri.hitblow.rules import Rules, Turn
from yomikiri.saves import Keeper
from yomikiri.wording import _, ngettext

G = TypeVar("G", Knowledge, Match)
_LISTED = 60


class Sitting(ABC, Generic[G]):
    """One sitting at a game that can be saved. Subclasses say what is shown and what a line means."""

    dialogue: Dialogue
    keeper: Keeper[G]
    refused: bool = False
    """Whether the disk has refused to keep the game."""

    @property
    @abstractmethod
    def saved(self) -> G:
        """What is kept on disk."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether the game is over, so that nothing need be kept."""

    @property
    @abstractmethod
    def commands(self) -> Mapping[str, Callable[[str], None]]:
        """What is called by name, with the rest of the line."""

    @abstractmethod
    def heard(self, line: str) -> None:
        """Take a line that is no command."""

    @abstractmethod
    def show(self) -> None:
        """Say where the game stands."""

    @abstractmethod
    def resume(self, saved: G) -> None:
        """Go on with a saved game."""

    def prompt(self) -> str:
        """What a person at a terminal is asked with."""
        return "> "

    def run(self, rules: Rules, resume: bool) -> None:
        """Take up the saved game of those rules if that is wanted, then talk."""
        if not self.saved.turns:
            self._offer_saved(rules, resume)
        self.talk()

    def talk(self) -> None:
        """Show and listen until `quit` or the end of input."""
        self.show()
        while (line := self.dialogue.ask(self.prompt())) is not None:
            try:
                name, rest = split_command(line)
                if name == "quit":
                    break
                if command := self.commands.get(name):
                    command(rest)
                else:
                    self.heard(line)
            except YomikiriError as error:
                self.dialogue.complain(error)
        if self.saved.turns and not self.finished and self._kept:
            self.dialogue.say(_("The game is saved; --resume takes it up again."))

    def new_game(self) -> None:
        """Leave this game's file behind if it is not over: what comes is another game."""
        if self.finished:
            self.keeper.drop()
        else:
            self.keeper.release()

    def list_candidates(self, head: str, known: Knowledge) -> None:
        """Say the first candidates after `head`."""
        more = " …" if known.count > _LISTED else ""
        self.dialogue.say(f"{head}: {' '.join(known.codes(_LISTED))}{more}".rstrip(": "))

    def explain(self, *commands: tuple[str, str]) -> None:
        """Say what each command means, a line each."""
        for command, meaning in commands:
            self.dialogue.say(f"  {padded(command, 16)}{meaning}")

    def keep(self) -> None:
        """Save the game; a finished one needs no file. A disk that refuses is said once and stops nothing."""
        if not self._kept:
            return
        try:
            if self.finished:
                self.keeper.drop()
            else:
                self.keeper.keep(self.saved)
        except OSError as error:
            self.refused = True
            click.echo(_("The game cannot be saved: {reason}").format(reason=error.strerror or error), err=True)

    @property
    def _kept(self) -> bool:
        """Whether the game is saved: a person's is, a program's only where it has taken up a saved one."""
        return not self.refused and (self.dialogue.interactive or self.keeper.path is not None)

    def _offer_saved(self, rules: Rules, resume: bool) -> None:
        """Take up the saved game if asked to, or if the person at the terminal wants to."""
        if not resume and not self.dialogue.interactive:
            return
        saved = self.keeper.latest(rules)
        if saved is None:
            if resume:
                self.dialogue.say(_("There is no saved game of these rules."))
            return
        if not resume:
            choice = self._wanted(saved.game.turns)
            if choice == "d":
                saved.path.unlink(missing_ok=True)
            if choice != "y":
                return
        if self.keeper.take_up(saved):
            self.resume(saved.game)

    def _wanted(self, turns: tuple[Turn, ...]) -> str:
        count = len(turns)
        question = ngettext(
            "A game of {count} line is saved ({turns}). Take it up? (yes, no, delete it)",
            "A game of {count} lines is saved ({turns}). Take it up? (yes, no, delete it)",
            count,
        )
        return self.dialogue.confirm(question.format(count=count, turns=" ".join(map(str, turns))), "ynd")
