"""Terminal input and output: progress, Ctrl-C, and a dialogue with the user."""

from __future__ import annotations

import io
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout

import click

from yomikiri.cli.files import read_line
from yomikiri.cli.keyboard import (
    Interrupt,
    Redraw,
    edit_line,
    handle_interrupts,
    key_by_key,
    start_line_editor,
    window_size,
)
from yomikiri.cli.text import Screen, can_draw, cut, erase_sequence, say, window, window_lines, wrapped
from yomikiri.common.budget import Budget, Progress
from yomikiri.common.enums import fold
from yomikiri.common.errors import YomikiriError
from yomikiri.wording import _, sentence

_SECONDS_BETWEEN_LINES = 0.2
_MARGIN = 3  # columns kept free after a progress line: the terminal shows ^C there, and a wrapped line cannot be erased


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error, at a terminal only.

    Yields the function that updates the bar. Its argument is the number of steps done, of `total`.
    """
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
    """Show progress as one line on standard error, updated in place and erased at the end.

    Yields the function that updates the line with a progress report, which `sentence` converts to text. The line is cut
    to the window. A terminal that cannot erase lines shows only the text `starting`. Without a terminal, nothing is
    shown.
    """
    if not sys.stderr.isatty() or not can_draw():
        if sys.stderr.isatty():
            click.echo(cut(starting, window() - _MARGIN), err=True)
        yield lambda _progress: None
        return
    last = 0.0

    def show(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= _SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            _renew(sentence(progress))

    click.echo(cut(starting, window() - _MARGIN), nl=False, err=True)
    try:
        yield show
    finally:
        click.echo(erase_sequence(), nl=False, err=True)


def _renew(line: str) -> None:
    """Replace the last progress line."""
    click.echo(erase_sequence() + cut(line, window() - _MARGIN), nl=not can_draw(), err=True)


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C set a flag instead of raising.

    Yields a function that returns the flag; a second Ctrl-C raises as usual.
    """
    is_interrupted = False

    def set_flag(_signal: int, _frame: object) -> None:
        nonlocal is_interrupted
        is_interrupted = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    with handle_interrupts(set_flag):
        yield lambda: is_interrupted


@contextmanager
def searching(starting: str, sentence: Callable[[Progress], str]) -> Iterator[Budget]:
    """Yield a budget that Ctrl-C cancels, and show the progress of the search as one line.

    At Ctrl-C, the last progress is printed once more, wrapped to the window, and remains.
    """
    is_stopping, latest = False, Progress()

    def should_stop() -> bool:
        nonlocal is_stopping
        if cancelled() and not is_stopping:
            is_stopping = True
            if sys.stderr.isatty():
                if latest != Progress():
                    click.echo(erase_sequence() + wrapped(sentence(latest), window()), err=True)
                _renew(_("Stopping: building the answer. Press Ctrl-C again to stop at once."))
        return is_stopping

    def report(progress: Progress) -> None:
        nonlocal latest
        latest = progress
        if not is_stopping:
            show(progress)

    with interruptible() as cancelled, live_line(starting, sentence) as show:
        yield Budget(cancelled=should_stop, progress=report)


@contextmanager
def set_aside(line: str) -> Iterator[None]:
    """Erase the progress line of `searching` while the block prints. Then show `line` in its place."""
    shown = sys.stderr.isatty()
    if shown:
        click.echo(erase_sequence(), nl=False, err=True)
    yield
    if shown:
        _renew(line)


class Dialogue:
    """A dialogue with the user: it reads lines and prints text.

    If the terminal allows it, the text is drawn as a screen.

    The keys are the same in every game. Ctrl-C clears a line that the user has begun. On an empty line, a second Ctrl-C
    quits. Ctrl-D quits. Tab completes a command. Keys typed while the program is busy are read afterwards.
    """

    draws = False
    """True if the screen is redrawn in place."""

    has_errors = False
    """True if an error has been printed."""

    def __init__(self) -> None:
        self._input, self._output = sys.stdin, sys.stdout
        self._typed_ahead: list[str] = []  # lines typed at the end of a page, which `ask` returns next
        if isinstance(self._input, io.TextIOWrapper):
            self._input.reconfigure(errors="replace")
        self.interactive = self._input.isatty()
        self.is_terminal = self.interactive and sys.stdout.isatty()
        self.draws = self.is_terminal and can_draw()
        self.screen = Screen()
        self.completions: Sequence[str] = ()  # the words for Tab completion
        if self.interactive:
            start_line_editor(lambda: self.completions)

    # --- input --------------------------------------------------------------------------------------------------------

    def ask(self, prompt: str, blank: bool = False) -> str | None:
        """Return the next line without surrounding spaces; None at the end of the input.

        Empty lines are skipped unless the screen is drawn or `blank` is True.
        """
        if self._typed_ahead:
            return self._typed_ahead.pop()
        while True:
            line = self._typed(prompt) if self.interactive else read_line(self._input)
            if not line:
                return None
            if line.strip() or self.draws or blank:
                return line.strip()

    def _typed(self, prompt: str) -> str:
        leaving, line_so_far = False, ""
        while True:
            try:
                if self.draws:
                    self.screen.draw()
                with self._echoing():
                    return edit_line(prompt, line_so_far, is_drawn=self.draws) + "\n"
            except EOFError:
                click.echo()
                return ""
            except Redraw as redraw:
                line_so_far = redraw.line_so_far
                self.screen.keep_notes()
            except KeyboardInterrupt as interrupt:
                click.echo()
                line_so_far = ""
                was_begun = isinstance(interrupt, Interrupt) and interrupt.line_so_far
                if leaving and not was_begun:
                    raise
                leaving = not was_begun
                if leaving:
                    self.note(_("Press Ctrl-C again to quit."))

    @contextmanager
    def hiding_keys(self) -> Iterator[None]:
        """Echo keys only during line editing, so that keys typed early never appear in the middle of other text."""
        if not self.interactive:
            yield
            return
        with key_by_key(self._input.fileno(), edited=self.is_terminal) as (_waiting, self._echoing):
            try:
                yield
            finally:
                self._echoing = nullcontext

    _echoing: Callable[[], AbstractContextManager[None]] = nullcontext

    @contextmanager
    def until_typed(self, prompt: str) -> Iterator[Callable[[], bool]]:
        """Show the prompt while the block works. Yields a function that returns True once the user has pressed a key.

        The key is not shown yet. The next call of `ask` shows and reads it.
        """
        is_typed, size = False, window_size()

        def show() -> None:
            if self.draws:
                self.screen.draw()
                self.screen.keep_notes()
            click.echo(prompt, nl=False)

        def typed() -> bool:
            nonlocal is_typed, size
            if self.draws and size != window_size():
                size = window_size()
                show()
            is_typed = is_typed or waiting()
            return is_typed

        with key_by_key(self._input.fileno(), resumed=show) as (waiting, _shown):
            show()
            try:
                yield typed
            finally:
                click.echo(erase_sequence(), nl=not can_draw())

    # --- output -------------------------------------------------------------------------------------------------------

    def say(self, *texts: str) -> None:
        """Print texts."""
        say(*texts)

    def show_pages(self, lines: Sequence[str]) -> None:
        """Print lines, one page at a time if they do not fit the window.

        Input at the end of a page, other than Enter and q, becomes the next line of the dialogue.
        """
        pages = _pages([wrapped(line, window()).split("\n") for line in lines], window_lines() - 2)
        above = len(self.screen.frame()) + len(self.screen.body) + 1 if self.draws else 0
        if not self.is_terminal or above + sum(map(len, pages)) < window_lines():
            self.say(*lines)
            return
        with redirect_stdout(self._output), self.screen.set_aside():
            for number, page in enumerate(pages, start=1):
                more = number < len(pages)
                if self.draws:
                    self.screen.body = page
                else:
                    self.say(*page)
                    if not more:
                        break
                typed = self.ask(_("Enter shows more, q goes back > ") if more else _("Enter goes back > "), blank=True)
                if typed is None or fold(typed) in ("q", "quit"):
                    break
                if typed:
                    self._typed_ahead.append(typed)
                    break

    def note(self, text: str) -> None:
        """Print a reply to the user's last line.

        If the screen is redrawn in place, the reply appears at the next drawing.
        """
        if self.draws:
            self.screen.notes.append(text)
        else:
            self.say(text)

    def body(self) -> AbstractContextManager[None]:
        """Return a context manager that captures printed text as the body of the screen: the state of the game.

        The context manager has no effect if the screen is not redrawn in place.
        """
        return self.screen.keeping_body() if self.draws else nullcontext()

    def notes(self) -> AbstractContextManager[None]:
        """Return a context manager that captures printed text as the notes of the screen: the reply to the last line.

        The context manager has no effect if the screen is not redrawn in place.
        """
        return self.screen.keeping_notes() if self.draws else nullcontext()

    def complain(self, error: YomikiriError) -> None:
        """Print an error. The first error of the session also mentions `help`."""
        help_line = [] if self.has_errors else [_("'help' lists all you can type.")]
        self.has_errors = True
        self.say_errors(_("error: {message}").format(message=sentence(error)), *help_line)

    def say_errors(self, *texts: str) -> None:
        """Print texts on standard output at a terminal, on standard error otherwise."""
        if self.interactive:
            self.say(*texts)
            return
        for text in texts:
            click.echo(text, err=True)


def _pages(blocks: Sequence[Sequence[str]], height: int) -> list[list[str]]:
    """Distribute blocks of lines over pages of at most `height` lines. A longer block gets a longer page of its own."""
    pages: list[list[str]] = [[]]
    for block in blocks:
        if pages[-1] and len(pages[-1]) + len(block) > height:
            pages.append([])
        pages[-1] += block
    return pages
