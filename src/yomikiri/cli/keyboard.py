"""The keyboard of a terminal: single keys, and a line editor with history, Tab, Ctrl-C and Ctrl-L.

While the user edits a line with GNU readline, Ctrl-C and Ctrl-L insert a mark (`_INTERRUPT`, `_REDRAW`) and end the
line. Marks are used instead of signals, because two signals in a row may be merged into one.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from importlib import import_module
from types import FrameType
from typing import Any

_INTERRUPT, _REDRAW = "\x03", "\x0c"
_SECONDS_BETWEEN_POLLS = 0.2  # longest delay before Ctrl-C takes effect


class Redraw(Exception):
    """Raised during line editing when the screen must be drawn again: after Ctrl-L, a resize, or `fg`.

    `line_so_far` is the text typed so far.
    """

    def __init__(self, line_so_far: str) -> None:
        super().__init__(line_so_far)
        self.line_so_far = line_so_far


class Interrupt(KeyboardInterrupt):
    """Ctrl-C during line editing; `line_so_far` is the text typed so far."""

    def __init__(self, line_so_far: str) -> None:
        super().__init__(line_so_far)
        self.line_so_far = line_so_far


def edit_line(prompt: str, initial_text: str, is_drawn: bool) -> str:
    """Prompt for a line, with `initial_text` as its initial text, and return it.

    Raises an `Interrupt` at Ctrl-C, an `EOFError` at Ctrl-D, and a `Redraw` at Ctrl-L. If `is_drawn`, the screen is
    redrawn in place, so a resize and `fg` also raise a `Redraw`.
    """
    with ExitStack() as stack:
        stack.enter_context(_raising_interrupts())
        if is_drawn:
            stack.enter_context(_redrawing())
        else:
            stack.enter_context(_waking(lambda: None))
        stack.enter_context(_prefilled(initial_text))
        line = input(prompt)
    for mark, raised in ((_INTERRUPT, Interrupt), (_REDRAW, Redraw)):
        if mark in line and sys.platform != "win32":
            import readline

            # Remove the line from the history, because it contains the character for Ctrl-C or Ctrl-L.
            with suppress(ValueError):
                readline.remove_history_item(readline.get_current_history_length() - 1)
            raise raised(line.replace(mark, ""))
    return line


@contextmanager
def key_by_key(
    keyboard: int, edited: bool = False, resumed: Callable[[], None] = lambda: None
) -> Iterator[tuple[Callable[[], bool], Callable[[], AbstractContextManager[None]]]]:
    """Switch the terminal with the file descriptor `keyboard` to single keys without echo.

    Yields two functions. The first returns True if a key is waiting. The second returns a context manager that shows
    keys again for the duration of its block. After Ctrl-Z and `fg`, the mode is restored and `resumed` is called.

    `edited` means that a line editor runs in the blocks of this context manager. The terminal then passes on single
    keys in these blocks too. In line mode, the terminal would treat a Ctrl-D just before the editor starts as the end
    of a line, and the editor would never see it. If the editor is GNU readline, Ctrl-C in these blocks is a key, not a
    signal.
    """
    try:
        import termios
    except ImportError:  # Windows, where the console reports keys in any mode
        msvcrt: Any = import_module("msvcrt")
        yield msvcrt.kbhit, nullcontext
        return
    before, by_key = termios.tcgetattr(keyboard), termios.tcgetattr(keyboard)
    by_key[3] &= ~(termios.ICANON | termios.ECHO)
    echoed = [*before]
    if edited:
        echoed[3] &= ~termios.ICANON
        if _binds_keys():
            echoed[6] = [*echoed[6]]
            echoed[6][termios.VINTR] = bytes([os.fpathconf(keyboard, "PC_VDISABLE")])

    @contextmanager
    def echoing() -> Iterator[None]:
        termios.tcsetattr(keyboard, termios.TCSANOW, echoed)
        try:
            yield
        finally:
            termios.tcsetattr(keyboard, termios.TCSANOW, by_key)

    def resume(_signal: int, _frame: FrameType | None) -> None:
        termios.tcsetattr(keyboard, termios.TCSANOW, by_key)
        resumed()

    termios.tcsetattr(keyboard, termios.TCSANOW, by_key)
    try:
        with _handling(signal.SIGCONT, resume):
            yield lambda: bool(select.select([keyboard], [], [], 0)[0]), echoing
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)


def start_line_editor(known: Callable[[], Sequence[str]]) -> None:
    """Enable arrow keys, history and Tab completion, if the system has a line editor.

    `known` returns the words that Tab completes at the start of a line. Importing `readline` enables the editor.
    """
    if sys.platform == "win32":
        return
    import readline

    def complete(prefix: str, number: int) -> str | None:
        first = readline.get_begidx() == 0
        found = [f"{word} " for word in known() if first and word.startswith(prefix)]
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    if not _binds_keys():
        readline.parse_and_bind("bind ^I rl_complete")
        return
    readline.parse_and_bind("tab: complete")
    # Each key inserts itself (quoted by Ctrl-V) and then presses Enter. The key map that is set last stays selected. In
    # vi mode, the editor selects its own map at the start of each line. In Emacs mode it does not, so the map of Emacs
    # comes last.
    for keymap, inserting in (("vi-command", "i"), ("vi-insert", ""), ("emacs", "")):
        readline.parse_and_bind(f"set keymap {keymap}")
        for key in ("c", "l"):
            readline.parse_and_bind(rf'"\C-{key}": "{inserting}\C-v\C-{key}\C-m"')


def _binds_keys() -> bool:
    """Return True if the line editor is GNU readline, which can bind one key to others."""
    if sys.platform == "win32":
        return False
    import readline

    return "libedit" not in (readline.__doc__ or "")


@contextmanager
def handle_interrupts(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Call `handler` on Ctrl-C instead of raising KeyboardInterrupt.

    Nothing changes if interrupts are ignored, if another handler is installed, or outside the main thread.
    """
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not ours or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _raising_interrupts() -> Iterator[None]:
    """Raise an `Interrupt` with the line so far on Ctrl-C during line editing."""
    if sys.platform == "win32":
        yield
        return

    def raise_interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise Interrupt(_typed())

    with handle_interrupts(raise_interrupt):
        yield


@contextmanager
def _redrawing() -> Iterator[None]:
    """Raise a `Redraw` during line editing when the window changes its size or the program resumes after Ctrl-Z."""
    if sys.platform == "win32":
        yield
        return
    size = window_size()

    def resume(_signal: int, _frame: FrameType | None) -> None:
        raise Redraw(_typed())

    def check() -> None:
        if window_size() != size:
            raise Redraw(_typed())

    with _handling(signal.SIGCONT, resume), _waking(check):
        yield


def window_size() -> tuple[int, int]:
    """Return the current columns and lines of the window, ignoring the environment; (0, 0) if unknown."""
    try:
        return tuple(os.get_terminal_size(sys.__stdout__.fileno()))  # type: ignore[union-attr, return-value]
    except (OSError, ValueError, AttributeError):
        return 0, 0


def _typed() -> str:
    """Return the text of the line that the user is editing."""
    import readline

    return readline.get_line_buffer()


@contextmanager
def _prefilled(initial_text: str) -> Iterator[None]:
    """Start the next edited line with the text `initial_text`."""
    if not initial_text or sys.platform == "win32":
        yield
        return
    import readline

    readline.set_startup_hook(lambda: readline.insert_text(initial_text))
    try:
        yield
    finally:
        readline.set_startup_hook(None)


@contextmanager
def _handling(number: int, handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Install a signal handler for the duration of the block. Does nothing outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@contextmanager
def _waking(check: Callable[[], None]) -> Iterator[None]:
    """Call `check` at intervals during line editing, so that pending signals are handled promptly.

    The line editor handles signals only when one interrupts its wait for a key, so a Ctrl-C just before the wait would
    not take effect until the next key. A timer interrupts the wait; reads and writes are restarted.
    """
    if sys.platform == "win32" or signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGALRM, lambda _signal, _frame: check())
    signal.siginterrupt(signal.SIGALRM, False)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS_BETWEEN_POLLS, _SECONDS_BETWEEN_POLLS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
