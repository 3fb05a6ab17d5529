"""Hosts without threads, such as browsers: kernels check the clock themselves."""

from __future__ import annotations

import threading
from time import monotonic

import numpy as np
import pytest

from yomikiri.common import host
from yomikiri.common.budget import UNLIMITED, Budget, Stopped
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.machine.running import Runner, run
from yomikiri.machine.shared_words import NODES, SHARED, UNTIL, enter_node
from yomikiri.tictactoe.advice import analyze
from yomikiri.tictactoe.board import Board


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a host on which starting a thread fails."""

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(host, "threads", lambda: False)
    monkeypatch.setattr(threading.Thread, "start", refuse)


def test_endless_kernel_stops_at_its_deadline() -> None:
    runner, begun = Runner(), monotonic()

    def count() -> int:
        while enter_node(runner.words):
            pass
        return 7

    with pytest.raises(Stopped):
        runner.run(count, Budget.within(0.05))
    assert monotonic() - begun >= 0.05
    assert runner.words[0, UNTIL] == 0
    assert runner.nodes > 0


def test_kernel_respects_its_node_limit_without_a_deadline() -> None:
    words = np.zeros((1, SHARED), dtype=np.uint64)
    assert run(lambda: 3, words, UNLIMITED) == (3, False)
    runner = Runner()

    def count() -> None:
        while enter_node(runner.words):
            pass

    with pytest.raises(Stopped):
        runner.run(count, Budget(states=50))
    assert runner.words[0, NODES] == 50


def test_spent_budget_is_reported_and_errors_are_raised() -> None:
    words = np.zeros((1, SHARED), dtype=np.uint64)
    assert run(lambda: 3, words, Budget(cancelled=lambda: True)) == (3, True)

    def fails() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(fails, words, Budget.within(9))
    assert words[0, UNTIL] == 0


def test_search_of_five_digits_stops_in_machine_code() -> None:
    engine = SearchEngine(Rules(5, "0123456789"), "", consistent=False, memory=1 << 24)
    begun = monotonic()
    with pytest.raises(Stopped):
        engine.run(Subproblem(engine.rules), Budget.within(0.2))
    assert monotonic() - begun >= 0.2
    assert engine.nodes > 0


def test_analysis_of_a_6x6_board_stops_in_machine_code() -> None:
    rows = ([(r * 7 + c * 5) % 11 - 5 for c in range(6)] for r in range(6))
    begun = monotonic()
    with pytest.raises(Stopped):
        analyze(Board(tuple(map(tuple, rows)), 4), Budget.within(0.2))
    assert monotonic() - begun >= 0.2


def test_result_without_threads_equals_result_with_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(4, "0123456789")
    part = Subproblem(rules, turns=(Turn.parse("0123:1H1B"),))

    def least() -> int:
        return SearchEngine(rules, "", consistent=False, memory=1 << 24).run(part, Budget.within(3600))

    alone = least()
    monkeypatch.undo()
    assert alone == least()
