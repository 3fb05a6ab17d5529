"""What is written at a terminal: cut and broken to its columns, progress on one line; and what Ctrl-C does."""

from __future__ import annotations

import re
import signal
import sys
from types import SimpleNamespace

import click
import pytest
from tests.cli.run import run
from tests.terminal import Terminal

from yomikiri.budget import Progress
from yomikiri.cli.main import _tell
from yomikiri.cli.terminal import EMPTIED, _key_by_key, cut, interruptible, live_line, searching, width, wrapped


@pytest.mark.parametrize("text", ["a line of plain letters", "局面を読み切っています", "mixed 局面 and letters", ""])
def test_text_is_cut_to_the_columns_it_may_take(text: str):
    for columns in range(1, 40):
        shown = cut(text, columns)
        assert width(shown) <= columns
        assert shown == text if width(text) <= columns else shown == text[: len(shown) - 1] + "…"


LONG = (
    "6 手目は 378（候補 6 通り）。378 の勝率は「66.67 %」、147 では 56.67 % です。 No word is broken, whatever comes."
)


@pytest.mark.parametrize("columns", range(12, 90))
@pytest.mark.parametrize("margin", ["", "  "])
def test_what_is_said_breaks_between_words_and_japanese_letters(columns: int, margin: str):
    lines = wrapped(margin + LONG, columns).split("\n")
    assert all(width(line) <= columns for line in lines)
    assert all(line.startswith(margin) and line == line.rstrip() for line in lines)
    assert "".join("".join(lines).split()) == "".join(LONG.split())
    assert all(any(word in line for line in lines) for word in ("66.67", "broken,", "whatever"))
    assert not any(line.lstrip()[0] in "、。）」" or line[-1] in "（「" for line in lines)
    assert len(lines) <= 2 + 2 * width(LONG) // columns


def test_a_list_keeps_its_columns():
    assert wrapped("  why [345]     why this guess", 24) == "  why [345]     why this\n                guess"
    assert wrapped("  答え          予想の答え", 22) == "  答え          予想の\n                答え"


def test_what_fits_stays_as_it_is_and_bold_letters_take_no_room():
    assert wrapped("  a  b \nc", 7) == "  a  b \nc"
    styled = click.style("012", bold=True)
    assert wrapped(f"1. Guess {styled} (720 candidates).", 28) == f"1. Guess {styled} (720\ncandidates)."
    assert wrapped(f"1. Guess {styled} now", 16) == f"1. Guess {styled} now"


def test_a_terminal_of_60_columns_shows_no_line_that_is_longer_and_a_pipe_whole_ones():
    analysis = ("tictactoe", "analyze", "--board=-2,0,-1/-1,-1,0/-1,-1,-2")
    with Terminal(*analysis, COLUMNS="60") as terminal:
        assert terminal.wait() == 0
        shown = terminal.shown.rpartition("\x1b[K")[2].replace("\r", "").splitlines()  # after the progress
    assert max(map(width, shown)) <= 60
    whole = run(*analysis).stdout.splitlines()
    assert max(map(width, whole)) > 100
    assert " ".join(" ".join(shown).split()) == " ".join(" ".join(whole).split())


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
    with _key_by_key(0) as waiting:
        assert [waiting(), waiting()] == [False, True]
