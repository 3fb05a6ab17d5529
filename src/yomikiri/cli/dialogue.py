"""Talking with a person at a terminal or a program through pipes: the same lines, a prompt only for the person."""

from __future__ import annotations

import io
import sys
import unicodedata

import click

from yomikiri.cli.terminal import say
from yomikiri.errors import YomikiriError
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
        """One of the letters in `choices`; the first one for an empty line or the end of input."""
        while True:
            try:
                answer = input(f"{question} [{'/'.join(choices)}] ").strip()
            except EOFError:
                return choices[0]
            letter = unicodedata.normalize("NFKC", answer).casefold()[:1]
            if not letter or letter in choices:
                return letter or choices[0]


def _line_editing() -> None:
    """Arrow keys and history where the platform has them; importing the module is what switches them on."""
    if sys.platform != "win32":
        import readline  # noqa: F401
