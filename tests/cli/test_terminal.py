"""The progress line of a terminal, and Ctrl-C during a search."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
from tests.terminal import Terminal

from yomikiri.cli.keyboard import key_by_key
from yomikiri.cli.main import _print_notice
from yomikiri.cli.terminal import interruptible, live_line, searching
from yomikiri.cli.text import width
from yomikiri.common.budget import Progress


def test_progress_stays_on_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")

    def sentence(now: Progress) -> str:
        return "局面 " * now.states

    with live_line("読み切っています" * 9, sentence) as show:
        show(Progress(states=20))
    lines = re.split(r"\r\x1b\[K", capsys.readouterr().err)
    assert len(lines) == 3
    assert all(0 < width(line) < 30 for line in lines[:2])
    assert lines[2] == ""


EMPTIED = "\r\x1b[K"


@pytest.mark.slow
@pytest.mark.parametrize("term", ["dumb", pytest.param("", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(
    ("command", "typed"),
    [
        (("hitblow", "assist"), "0H1B\nwhy\ntable\nreview\nhelp all\n"),
        (("hitblow", "match"), "0H1B\n345 1H1B\nlist\nreview\n"),
        (("hitblow", "daily"), "012\ngive up\n"),
        (("hitblow", "solve", "--digits", "2"), ""),
        (("hitblow", "simulate", "--policy", "entropy"), ""),
        (("tictactoe", "play", "--seed", "3"), "b2\nwhy\n"),
        (("tictactoe", "analyze", "--board", "1,2,3/4,5,6/7,8,9"), ""),
    ],
)
def test_dumb_terminal_gets_no_escape_sequence(command: tuple[str, ...], typed: str, term: str):
    with Terminal(*command, TERM=term, NO_COLOR="") as terminal:
        terminal.type(f"{typed}quit\n\x04")
        terminal.wait(60)
        assert len(terminal.shown) > 100
        assert "\x1b" not in terminal.shown


def test_terminal_without_a_type_gets_no_escape_sequence():
    with Terminal("tictactoe", "play", "--seed", "3", TERM="", NO_COLOR="") as terminal:
        terminal.type("b2\nwhy\nquit\n\x04")
        terminal.wait(60)
        assert len(terminal.shown) > 100
        assert "\x1b" not in terminal.shown


STOPPING = "Stopping: building the answer. Press Ctrl-C again to stop at once."


def test_first_interrupt_spends_the_budget_and_the_second_raises():
    before = signal.getsignal(signal.SIGINT)
    with searching("", str) as budget:
        assert not budget.spent()
        signal.raise_signal(signal.SIGINT)
        assert budget.spent()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_interrupt_is_confirmed_at_once_and_notices_get_their_own_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with searching("Starting", str) as budget:
        _print_notice("{given} is gone", {"given": "it"})
        signal.raise_signal(signal.SIGINT)
        assert budget.spent()
        assert budget.spent()
    said = "Starting", "it is gone\n", STOPPING, ""
    assert capsys.readouterr().err == EMPTIED.join(said)


def test_interrupted_search_leaves_its_last_bounds_on_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with searching("Starting", lambda progress: f"at least {progress.lower}") as budget:
        budget.report(Progress(lower=1))
        budget.report(Progress(lower=2))  # too soon after the first report to be shown
        signal.raise_signal(signal.SIGINT)
        assert budget.spent()
        budget.report(Progress(lower=3))  # while the strategy is being built
    said = "Starting", "at least 1", "at least 2\n", STOPPING, ""
    assert capsys.readouterr().err == EMPTIED.join(said)


def test_interruptible_restores_the_handler_after_an_error():
    with pytest.raises(ZeroDivisionError), interruptible():
        raise ZeroDivisionError
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_interruptible_keeps_interrupts_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interruptible() as came:
            signal.raise_signal(signal.SIGINT)
            assert not came()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_console_without_termios_reports_pressed_keys(monkeypatch: pytest.MonkeyPatch):
    """Windows has `msvcrt` instead of `termios`."""
    pressed = iter([False, True])
    monkeypatch.setitem(sys.modules, "termios", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(kbhit=lambda: next(pressed)))
    with key_by_key(0) as (waiting, _shown):
        assert [waiting(), waiting()] == [False, True]


# Keys pressed just before the line editor waits for input must not be lost. `unheard` sends Ctrl-C to another thread
# than the one that waits, so that it does not interrupt the wait, like a signal that arrives just before.
ASKING = """
import signal, threading, time
from yomikiri.cli.terminal import Dialogue

at_first = signal.getsignal(signal.SIGINT)

def unheard():
    while signal.getsignal(signal.SIGINT) is at_first:
        time.sleep(0.01)
    time.sleep(0.5)
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)

dialogue = Dialogue()
dialogue.draws = False
"""
EARLY_CTRL_C = """
threading.Thread(target=unheard, daemon=True).start()
print(repr(dialogue.ask("first > ")))
"""
EARLY_CTRL_D = """
with dialogue.hiding_keys(), dialogue._echoing():
    print("now", flush=True)
    time.sleep(1)
    print(repr(dialogue.ask("first > ")))
"""


@pytest.mark.parametrize(
    ("code", "cue", "typed", "said"),
    [(EARLY_CTRL_C, "Press Ctrl-C again to quit.", "0H1B\n", "'0H1B'"), (EARLY_CTRL_D, "now", "\x04", "None")],
)
def test_key_just_before_the_line_editor_waits_is_not_lost(code: str, cue: str, typed: str, said: str):
    parent, child = pty.openpty()
    command = [sys.executable, "-c", ASKING + code]
    with subprocess.Popen(
        command, stdin=child, stdout=child, stderr=child, env=os.environ | {"TERM": "dumb"}
    ) as asking:
        try:
            os.close(child)
            shown = _shown(parent, "", cue)
            os.write(parent, typed.encode())
            assert said in _shown(parent, shown, said)
        finally:
            asking.kill()
            os.close(parent)


def _shown(terminal: int, before: str, awaited: str) -> str:
    """Read until `awaited` is shown and return all output; a lost key fails the test by a timeout."""
    while awaited not in before:
        ready, _, _ = select.select([terminal], [], [], 60)
        assert ready, before
        before += os.read(terminal, 4096).decode("utf-8", "replace")
    return before
