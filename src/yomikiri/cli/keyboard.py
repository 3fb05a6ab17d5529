"""The keyboard of a terminal: key by key, and the line editor with history, Tab, Ctrl-C and Ctrl-L.

While a line is edited, Ctrl-C and Ctrl-L are bound to end the line with a mark (`INTERRUPT`, `REDRAW`). Unlike signals,
two of them in one write are two.
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
_SECONDS_UNHEARD = 0.2  # for which Ctrl-C goes unheard, at most


class Redraw(Exception):
    """The screen has to be drawn again while a line is edited, because of Ctrl-L, a resize, or `fg`. `begun` is the
    line so far."""

    def __init__(self, begun: str) -> None:
        super().__init__(begun)
        self.begun = begun


class Interrupt(KeyboardInterrupt):
    """Ctrl-C while a line is edited; `begun` is the line so far."""

    def __init__(self, begun: str) -> None:
        super().__init__(begun)
        self.begun = begun


def edit_line(prompt: str, begun: str, is_drawn: bool) -> str:
    """Ask a person for a line that they have `begun`, and return it.

    Raises an `Interrupt`, an `EOFError` and, if the screen `is_drawn`, a `Redraw`.
    """
    with ExitStack() as stack:
        stack.enter_context(_noting_interrupts())
        if is_drawn:
            stack.enter_context(_redrawing())
        else:
            stack.enter_context(_waking(lambda: None))
        stack.enter_context(_prefilled(begun))
        line = input(prompt)
    for mark, raised in ((_INTERRUPT, Interrupt), (_REDRAW, Redraw)):
        if mark in line and sys.platform != "win32":
            import readline

            with suppress(ValueError):  # it is not kept in the history
                readline.remove_history_item(readline.get_current_history_length() - 1)
            raise raised(line.replace(mark, ""))
    return line


@contextmanager
def key_by_key(
    keyboard: int, edited: bool = False, resumed: Callable[[], None] = lambda: None
) -> Iterator[tuple[Callable[[], bool], Callable[[], AbstractContextManager[None]]]]:
    """Have the terminal hand over each key as it is pressed, and show none.

    Gives what says whether one waits, and what shows keys for a while as before. Where lines are `edited`, each is
    handed over as it is pressed then, too: the terminal would take a Ctrl-D in the instant before the line editor
    begins for the end of a line, and the editor would never see it. Ctrl-C is then a key, not a signal. After Ctrl-Z
    and `fg` the terminal is put in the same mode again, and `resumed` is called.
    """
    try:
        import termios
    except ImportError:  # Windows, whose consoles tell without more
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
    def shown() -> Iterator[None]:
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
            yield lambda: bool(select.select([keyboard], [], [], 0)[0]), shown
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)


def start_line_editor(known: Callable[[], Sequence[str]]) -> None:
    """Arrow keys, history and Tab where the platform has them; importing the module is what switches them on."""
    if sys.platform == "win32":
        return
    import readline

    def complete(begun: str, number: int) -> str | None:
        first = readline.get_begidx() == 0
        found = [f"{word} " for word in known() if first and word.startswith(begun)]
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    if not _binds_keys():
        readline.parse_and_bind("bind ^I rl_complete")
        return
    readline.parse_and_bind("tab: complete")
    # Quoted by Ctrl-V and followed by Enter. The editor chooses the key map of vi again at the start of each line, but
    # not that of Emacs, which is therefore the last.
    for keymap, inserting in (("vi-command", "i"), ("vi-insert", ""), ("emacs", "")):
        readline.parse_and_bind(f"set keymap {keymap}")
        for key in ("c", "l"):
            readline.parse_and_bind(rf'"\C-{key}": "{inserting}\C-v\C-{key}\C-m"')


def _binds_keys() -> bool:
    """Return True if the line editor is GNU readline, which can bind keys to others."""
    if sys.platform == "win32":
        return False
    import readline

    return "libedit" not in (readline.__doc__ or "")


@contextmanager
def interrupts_heard_by(note: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Have Ctrl-C heard by `note` alone; where interrupts are ignored, or are somebody else's, they stay so."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not ours or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _noting_interrupts() -> Iterator[None]:
    """While a line is edited, raise an `Interrupt` with what was typed by then."""
    if sys.platform == "win32":
        yield
        return

    def note(_signal: int, _frame: FrameType | None) -> None:
        raise Interrupt(_typed())

    with interrupts_heard_by(note):
        yield


@contextmanager
def _redrawing() -> Iterator[None]:
    """While a line is edited, raise a `Redraw` when the window has another size, or the program is resumed."""
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
    """Return the columns and lines of the window as they are now, whatever the environment says."""
    try:
        return tuple(os.get_terminal_size(sys.__stdout__.fileno()))  # type: ignore[union-attr, return-value]
    except (OSError, ValueError, AttributeError):
        return 0, 0


def _typed() -> str:
    """The line so far."""
    import readline

    return readline.get_line_buffer()


@contextmanager
def _prefilled(begun: str) -> Iterator[None]:
    """Begin the next line with this text."""
    if not begun or sys.platform == "win32":
        yield
        return
    import readline

    readline.set_startup_hook(lambda: readline.insert_text(begun))
    try:
        yield
    finally:
        readline.set_startup_hook(None)


@contextmanager
def _handling(number: int, handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Handle a signal meanwhile."""
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
    """While a line is edited, `check` now and then, and have signals heard that come in the instant before the line
    editor waits for a key.

    It asks for signals only when one cuts its waiting short, so a Ctrl-C just before that would be heard with the next
    key. A timer cuts the waiting short; what is being read or written goes on.
    """
    if sys.platform == "win32" or signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGALRM, lambda _signal, _frame: check())
    signal.siginterrupt(signal.SIGALRM, False)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS_UNHEARD, _SECONDS_UNHEARD)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
