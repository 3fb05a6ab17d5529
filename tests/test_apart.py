"""Work done in another process: its answer comes back, and it ends with whoever waits for it."""

from __future__ import annotations

import time
from math import factorial
from signal import SIGKILL
from subprocess import CalledProcessError, Popen

import pytest

from yomikiri.apart import apart
from yomikiri.budget import UNLIMITED, Budget, Progress, Stopped


def nothing() -> None:
    """Nobody watches."""


def test_the_answer_is_that_of_the_function():
    assert apart(factorial, 20, UNLIMITED) == factorial(20)


def test_a_spent_budget_ends_the_other_process_too(monkeypatch: pytest.MonkeyPatch):
    begun: list[Popen[bytes]] = []

    def begin(*given: object, **more: object) -> Popen[bytes]:
        begun.append(Popen(*given, **more))  # type: ignore[call-overload]
        return begun[-1]

    monkeypatch.setattr("yomikiri.apart.subprocess.Popen", begin)
    told: list[Progress] = []
    with pytest.raises(Stopped):
        apart(time.sleep, 600, Budget(progress=told.append, cancelled=lambda: len(told) > 1))
    assert [worker.returncode for worker in begun] == [-SIGKILL]


def test_a_process_that_fails_gives_no_answer(capfd: pytest.CaptureFixture[str]):
    with pytest.raises(CalledProcessError):
        apart(factorial, -1, UNLIMITED)
    assert "ValueError" in capfd.readouterr().err
