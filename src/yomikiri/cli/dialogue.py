"""Talking with a person at a terminal or a program through pipes: the same lines, a prompt only for the person."""

from __future__ import annotations

import io
import sys
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

import click

from yomikiri.cli.terminal import padded, say
from yomikiri.errors import YomikiriError
from yomikiri.hitblow.notation import split_command
from yomikiri.wording import _, sentence


class Dialogue:
    """Reads answers line by line and says things on standard output."""

    def __init__(self) -> None:
        self._input = sys.stdin
        if isinstance(self._input, io.TextIOWrapper):
            self._input.reconfigure(errors="replace")
        self.interactive = self._input.isatty()
        if self.interactive:
            _line_editing()

    def ask(self, prompt: str) -> str | None:
        """The next line that is not blank, trimmed; None at the end of input."""
        while True:
            line = self._typed(prompt) if self.interactive else self._input.readline()
            if not line:
                return None
            if line.strip():
                return line.strip()

    def _typed(self, prompt: str) -> str:
        try:
            return input(prompt) + "\n"
        except EOFError:
            click.echo()
            return ""

    def say(self, text: str = "") -> None:
        """Say one thing."""
        say(text)

    def complain(self, error: YomikiriError) -> None:
        """Say what was wrong with a line; the dialogue goes on."""
        self.say(_("error: {message}").format(message=sentence(error)))

    def confirm(self, question: str, choices: str) -> str:
        """One of the letters in `choices`, which the question names; the first if nothing was typed."""
        while True:
            try:
                answer = input(f"{question} ").strip()
            except EOFError:
                return choices[0]
            letter = unicodedata.normalize("NFKC", answer).casefold()[:1]
            if not letter or letter in choices:
                return letter or choices[0]


class Spoken(NamedTuple):
    """What is called by name, with the rest of the line, and how `help` shows it."""

    run: Callable[[str], None]
    usage: str
    meaning: str


class Conversation(ABC):
    """Lines of a person, one by one until `quit` or the end of input: a command by its name, or what a game hears.

    What is wrong with a line is said, and the conversation goes on.
    """

    dialogue: Dialogue

    @abstractmethod
    def show(self) -> None:
        """Say where the game stands, before the first line is asked for."""

    @abstractmethod
    def hear(self, line: str) -> None:
        """Take a line that is no command."""

    @property
    @abstractmethod
    def heard(self) -> Sequence[tuple[str, str]]:
        """Lines that are no commands, as `help` shows them, with what each means."""

    @property
    @abstractmethod
    def commands(self) -> dict[str, Spoken]:
        """The commands by name besides `help` and `quit`, in the order in which `help` shows them."""

    @property
    @abstractmethod
    def leaving(self) -> str:
        """What `quit` does, as `help` shows it."""

    def prompt(self) -> str:
        """What a person at a terminal is asked with."""
        return "> "

    def talk(self) -> None:
        """Show and listen until `quit` or the end of input."""
        self.show()
        while (line := self.dialogue.ask(self.prompt())) is not None:
            name, rest = split_command(line)
            if name == "quit":
                return
            try:
                if name == "help":
                    self._help()
                elif command := self.commands.get(name):
                    command.run(rest)
                else:
                    self.hear(line)
            except YomikiriError as error:
                self.dialogue.complain(error)

    def _help(self) -> None:
        commands = [(usage, meaning) for _run, usage, meaning in self.commands.values()]
        for usage, meaning in (*self.heard, *commands, ("quit", self.leaving)):
            self.dialogue.say(f"  {padded(usage, 16)}{meaning}")


def _line_editing() -> None:
    """Arrow keys and history where the platform has them; importing the module is what switches them on."""
    if sys.platform != "win32":
        import readline  # noqa: F401
