"""Progress on one line of a terminal, and what Ctrl-C does."""

from __future__ import annotations

import re
import signal
import sys
from types import SimpleNamespace

import pytest

from yomikiri.budget import Progress
from yomikiri.cli.main import _tell
from yomikiri.cli.terminal import _key_by_key, interruptible, live_line, searching
from yomikiri.cli.text import EMPTIED, width


def test_progress_stays_on_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    def sentence(told: Progress) -> str:
        return "局面 " * told.states

    with live_line("読み切っています" * 9, sentence) as show:
        show(Progress(states=20))
    lines = re.split(r"\r\x1b\[K", capsys.readouterr().err)
    assert len(lines) == 3
    assert all(0 < width(line) < 30 for line in lines[:2])
    assert lines[2] == ""


STOPPING = "Stopping; what was found is being put together. Ctrl-C again ends it at once."


def test_an_interrupt_during_a_search_only_spends_its_budget_and_a_second_one_is_as_usual():
    before = signal.getsignal(signal.SIGINT)
    with searching("", str) as budget:
        assert not budget.spent()
        signal.raise_signal(signal.SIGINT)
        assert budget.spent()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_who_interrupts_a_search_is_told_at_once_and_a_notice_does_not_run_into_the_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with searching("Starting", str) as budget:
        _tell("{given} is gone", {"given": "it"})
        signal.raise_signal(signal.SIGINT)
        assert budget.spent()
        assert budget.spent()
    said = "Starting", "it is gone\n", STOPPING, ""
    assert capsys.readouterr().err == EMPTIED.join(said)


def test_what_was_known_when_a_search_was_interrupted_stays_on_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with searching("Starting", lambda progress: f"at least {progress.lower}") as budget:
        budget.report(Progress(lower=1))
        budget.report(Progress(lower=2))  # too soon to be shown on the live line
        signal.raise_signal(signal.SIGINT)
        assert budget.spent()
        budget.report(Progress(lower=3))  # of what is put together
    said = "Starting", "at least 1", "at least 2\n", STOPPING, ""
    assert capsys.readouterr().err == EMPTIED.join(said)


def test_after_a_search_an_interrupt_is_as_before():
    with pytest.raises(ZeroDivisionError), interruptible():
        raise ZeroDivisionError
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interruptible() as came:
            signal.raise_signal(signal.SIGINT)
            assert not came()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_where_there_is_no_termios_a_console_tells_whether_a_key_was_pressed(monkeypatch: pytest.MonkeyPatch):
    """As on Windows."""
    pressed = iter([False, True])
    monkeypatch.setitem(sys.modules, "termios", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(kbhit=lambda: next(pressed)))
    with _key_by_key(0) as (waiting, _shown):
        assert [waiting(), waiting()] == [False, True]
