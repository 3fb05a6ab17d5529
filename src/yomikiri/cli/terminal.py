"""A terminal and who sits at it: progress, Ctrl-C, and a dialogue line by line."""

from __future__ import annotations

import io
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from yomikiri.budget import Budget, Progress
from yomikiri.cli.files import read_line
from yomikiri.cli.text import EMPTIED, cut, say, window, wrapped
from yomikiri.enums import fold, not_listed
from yomikiri.errors import YomikiriError
from yomikiri.wording import _, sentence

_SECONDS_BETWEEN_LINES = 0.2


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error while something long goes on; nothing where no person is watching."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def live_line(starting: str, sentence: Callable[[Progress], str]) -> Iterator[Callable[[Progress], None]]:
    """Progress as a sentence on one line, renewed and in the end removed; nothing where no person is watching.

    What does not fit the window is cut: a line that wraps could not be removed.
    """
    if not sys.stderr.isatty():
        yield lambda _progress: None
        return
    last = 0.0

    def show(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= _SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            _renew(sentence(progress))

    click.echo(cut(starting, window() - 1), nl=False, err=True)
    try:
        yield show
    finally:
        click.echo(EMPTIED, nl=False, err=True)


def _renew(line: str) -> None:
    """Put a line in the place of the last one."""
    click.echo(EMPTIED + cut(line, window() - 1), nl=False, err=True)


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """While a search goes on, Ctrl-C only spends its budget: gives what says whether it came. A second one is as
    usual."""
    before, came = signal.getsignal(signal.SIGINT), False

    def note(_signal: int, _frame: object) -> None:
        nonlocal came
        came = True
        signal.signal(signal.SIGINT, before)

    # Where interrupts are ignored, or are somebody else's, they stay so.
    ours = before is signal.default_int_handler and threading.current_thread() is threading.main_thread()
    if ours:
        signal.signal(signal.SIGINT, note)
    try:
        yield lambda: came
    finally:
        if ours:
            signal.signal(signal.SIGINT, before)


@contextmanager
def searching(starting: str, sentence: Callable[[Progress], str]) -> Iterator[Budget]:
    """A budget that Ctrl-C spends, and whose progress a live line shows; the last of it stays when Ctrl-C comes."""
    told, latest = False, Progress()

    def stopping() -> bool:
        nonlocal told
        if cancelled() and not told:
            told = True
            if sys.stderr.isatty():
                if latest != Progress():
                    click.echo(EMPTIED + wrapped(sentence(latest), window()), err=True)
                _renew(_("Stopping; what was found is being put together. Ctrl-C again ends it at once."))
        return told

    def heard(progress: Progress) -> None:
        nonlocal latest
        latest = progress
        if not told:
            show(progress)

    with interruptible() as cancelled, live_line(starting, sentence) as show:
        yield Budget(cancelled=stopping, progress=heard)


@contextmanager
def set_aside(line: str) -> Iterator[None]:
    """Say something in the place of the line that `searching` shows; then another takes its place."""
    shown = sys.stderr.isatty()
    if shown:
        click.echo(EMPTIED, nl=False, err=True)
    yield
    if shown:
        _renew(line)


class Dialogue:
    """Reads answers line by line and says things on standard output."""

    def __init__(self) -> None:
        self._input, self._helped = sys.stdin, False
        if isinstance(self._input, io.TextIOWrapper):
            self._input.reconfigure(errors="replace")
        self.interactive = self._input.isatty()
        self.watched = self.interactive and sys.stdout.isatty()
        if self.interactive:
            _line_editing()

    def ask(self, prompt: str) -> str | None:
        """The next line that is not blank, trimmed; None at the end of input."""
        while True:
            line = self._typed(prompt) if self.interactive else read_line(self._input)
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

    @contextmanager
    def until_typed(self, prompt: str) -> Iterator[Callable[[], bool]]:
        """Ask a person who is watching, and go on with something else until they press a key: gives what says whether
        they have. What they type is not shown yet; `ask` shows and reads it."""
        came = False

        def typed() -> bool:
            nonlocal came
            came = came or waiting()
            return came

        with _key_by_key(self._input.fileno()) as waiting:
            click.echo(prompt, nl=False)
            try:
                yield typed
            finally:
                click.echo(EMPTIED, nl=False)

    def say(self, *texts: str) -> None:
        """Say each of them."""
        say(*texts)

    def complain(self, error: YomikiriError) -> None:
        """Say what was wrong with a line, and the first time where help is; the dialogue goes on."""
        self.say(_("error: {message}").format(message=sentence(error)))
        if not self._helped:
            self._helped = True
            self.say(_("'help' lists what can be typed."))

    def confirm(self, question: str, choices: str, most: int = 0) -> str:
        """One of the letters in `choices`, which the question names, the first if nothing was typed; or a number from 1
        to `most`."""
        while True:
            try:
                answer = input(f"{question} ").strip()
            except EOFError:
                return choices[0]
            answer, given = fold(answer), answer
            if answer.isdecimal() and 1 <= int(answer) <= most:
                return answer
            letter = answer[:1]
            if not letter or letter in choices:
                return letter or choices[0]
            known = [*choices, *([f"1-{most}"] if most else [])]
            self.say(_("error: {message}").format(message=sentence(not_listed(given, known))))


@contextmanager
def _key_by_key(keyboard: int) -> Iterator[Callable[[], bool]]:
    """Have the terminal hand over each key as it is pressed, and show none: gives what says whether one waits."""
    try:
        import termios
    except ImportError:  # Windows, whose consoles tell without more
        msvcrt: Any = import_module("msvcrt")
        yield msvcrt.kbhit
        return
    before, by_key = termios.tcgetattr(keyboard), termios.tcgetattr(keyboard)
    by_key[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(keyboard, termios.TCSANOW, by_key)
    try:
        yield lambda: bool(select.select([keyboard], [], [], 0)[0])
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)


def _line_editing() -> None:
    """Arrow keys and history where the platform has them; importing the module is what switches them on."""
    if sys.platform != "win32":
        import readline  # noqa: F401
