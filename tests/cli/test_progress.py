"""Progress on one line, and what an interrupt does to a search."""

from __future__ import annotations

import re
import signal
import sys

import pytest

from yomikiri.budget import Progress
from yomikiri.cli.progress import interruptible, live_line, searching
from yomikiri.cli.terminal import width


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


def test_an_interrupt_during_a_search_only_spends_its_budget_and_a_second_one_is_as_usual():
    before = signal.getsignal(signal.SIGINT)
    with searching("", str) as budget:
        assert not budget.spent()
        signal.raise_signal(signal.SIGINT)
        assert budget.spent()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


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
