"""A stopped search leaves valid bounds and blocks no other search, for each way to stop it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from yomikiri.common.budget import Budget, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.growing_table import GrowingTable
from yomikiri.guessing.kernels.transposition_table import TranspositionTable
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search import engine as engines
from yomikiri.hitblow.search.engine import FirstGuessResult, SearchEngine
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.machine import running
from yomikiri.machine.running import run
from yomikiri.machine.shared_words import STOP


def engine(rules: Rules, *, memory: int = 1 << 24) -> SearchEngine:
    return SearchEngine(rules, "", consistent=False, memory=memory)


@pytest.mark.parametrize("few", [True, False])
def test_a_budget_of_nodes_is_kept_exactly(few: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_FEW", 10**6 if few else 0)
    subproblem = Subproblem(Rules(4, "0123456"))
    asked, entered = engine(subproblem.rules), 0
    for states in (1, 2, 5, 11, 30):
        with pytest.raises(Stopped):
            asked.run(subproblem, Budget(states=states))
        assert asked.nodes == states > entered
        entered = states
    whole = engine(subproblem.rules)
    assert asked.run(subproblem, Budget(states=10**6)) == whole.run(subproblem)


def stopped_at_once(ask: Callable[[], int], words: NDArray[np.uint64], *_: object) -> tuple[int, bool]:
    """A replacement of `run` that requests a stop before the kernel begins."""
    words[0, STOP] = 1
    return ask(), True


@pytest.mark.parametrize("turn", ["0123:0H2B", "0123:1H1B"])
def test_bounds_hold_after_a_stop_at_any_poll(turn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run may take a few more polls than the one before, until the search ends."""
    monkeypatch.setattr(engines, "_FEW", 10**6)
    monkeypatch.setattr(running, "run", stopped_at_once)
    subproblem = Subproblem(Rules(4, "0123456"), turns=(Turn.parse(turn),))
    own = {cell: engine(subproblem.rules).run(cell) for cell in engine(subproblem.rules).divided(subproblem, "0456")}
    monkeypatch.setattr(engines, "_SHORT", 1 << 40)
    cost = engine(subproblem.rules).run(subproblem)
    for looks in range(1, 200, 7):
        monkeypatch.setattr(engines, "_SHORT", looks)
        asked = engine(subproblem.rules, memory=0)
        with suppress(Stopped):
            assert asked.run(subproblem) == cost
        lower, upper = asked.known(subproblem)
        assert lower <= cost <= upper
        guess, found = asked.attained(subproblem)
        assert found >= cost or not guess
        for cell, least in own.items():
            lower, upper = asked.known(cell)
            assert lower <= least <= upper


def test_search_stopped_before_it_begins_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "run", stopped_at_once)
    subproblem = Subproblem(Rules(4, "0123456789"))
    asked = engine(subproblem.rules)
    for ask in (asked.run, asked.guesses, lambda cell: asked.best_guess(cell, 26274)):
        with pytest.raises(Stopped):
            ask(subproblem)
    assert asked.least_of(subproblem, ["0123"]) == FirstGuessResult(IMPOSSIBLE, "", ("0123",))
    assert asked.nodes == 0
    assert not asked.transpositions.table.any()


@pytest.mark.parametrize("looks", range(8))
def test_ordering_by_cells_is_complete_or_has_no_effect(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the ordering of the guesses at a set of 1,440 codes is stopped, all given guesses remain to be searched.

    `looks` is the number of guesses ordered before the last stop. By then the bounds of all cells are in the table, so
    that each guess takes one poll.
    """
    subproblem = Subproblem(Rules(4, "0123456789"), turns=(Turn.parse("0123:0H1B"),))
    asked = engine(subproblem.rules)
    given = [guess for _, guess in asked.guesses(subproblem, 12)]
    monkeypatch.setattr(engines, "_FEW", 10**6)
    monkeypatch.setattr(running, "run", stopped_at_once)
    for allowed in (3 + 8 * looks, 200, 3 + looks):  # the first three polls are those of the node itself
        monkeypatch.setattr(engines, "_SHORT", allowed)
        tried = asked.least_of(replace(subproblem, upper=8000), given)
        if allowed == 200:
            assert asked.trying, "the guesses are ordered, and some cells are searched"
        else:
            assert asked.trying == 0
            assert tried == FirstGuessResult(8000, "", tuple(given))


def test_interrupt_ends_the_kernel_and_loses_no_bounds() -> None:
    subproblem = Subproblem(Rules(4, "0123456789"), turns=(Turn.parse("0123:0H2B"),))
    asked = engine(subproblem.rules)
    threads = threading.active_count()

    def interrupt() -> bool:
        if asked.nodes > 2:
            signal.raise_signal(signal.SIGINT)
        return False

    with pytest.raises(KeyboardInterrupt):
        asked.run(subproblem, Budget(cancelled=interrupt))
    assert threading.active_count() == threads, "its thread has ended"
    before = asked.nodes
    assert before > 2
    whole = engine(subproblem.rules)
    assert asked.run(subproblem) == whole.run(subproblem)
    assert asked.nodes < before + whole.nodes, "what it found was kept"


def test_a_search_that_is_cancelled_stops_within_a_node() -> None:
    """A set of 5,040 codes takes many seconds: each node, and each ordering of guesses, takes a part of that."""
    subproblem = Subproblem(Rules(4, "0123456789"))
    asked = engine(subproblem.rules)
    looks: list[int] = []

    def cancelled() -> bool:
        looks.append(asked.nodes)
        return asked.nodes > 3

    with pytest.raises(Stopped):
        asked.run(subproblem, Budget(cancelled=cancelled))
    assert max(looks) > 3


def test_threads_that_use_one_engine_wait_for_each_other() -> None:
    subproblem = Subproblem(Rules(4, "01234567"))
    asked = engine(subproblem.rules)
    cells = [cell for cell in asked.divided(subproblem, "0123") if asked.count(cell) > 60]
    costs = [engine(subproblem.rules).run(cell) for cell in cells]

    def ask(turn: int) -> list[tuple[int, str]]:
        order = cells[turn:] + cells[:turn]
        found = {cell: (cost := asked.run(cell), asked.best_guess(cell, cost)) for cell in order}
        return [found[cell] for cell in cells]

    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(ask, range(3)))
    alone = engine(subproblem.rules)
    assert together == [[(cost, alone.best_guess(cell, cost)) for cell, cost in zip(cells, costs, strict=True)]] * 3


def test_waiting_for_an_engine_uses_the_budget() -> None:
    subproblem = Subproblem(Rules(4, "0123456789"), turns=(Turn.parse("0123:0H2B"),))
    asked = engine(subproblem.rules)
    calls: list[object] = []

    def other() -> None:
        spent = iter([False, True])  # the budget is spent while the search waits, not before
        for ask in (asked.run, asked.guesses):
            with pytest.raises(Stopped):
                ask(subproblem, budget=Budget(cancelled=iter([True]).__next__))
        assert asked.least_of(subproblem, ["0456"], Budget(cancelled=lambda: next(spent))).left == ("0456",)
        calls.append(None)

    def meanwhile() -> bool:
        if not calls:
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
        return bool(calls)

    with pytest.raises(Stopped):
        asked.run(subproblem, Budget(cancelled=meanwhile))
    assert calls


def test_search_reads_a_table_that_was_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread replaces the table after the search has read it. The search writes its bounds to the new table."""
    subproblem = Subproblem(Rules(4, "01234567"))
    transpositions = GrowingTable(1 << 26)
    asked, other = (SearchEngine(subproblem.rules, "", consistent=False, memory=transpositions) for _ in range(2))
    before, asks = transpositions.table, list[TranspositionTable]()

    def replaced(*given: Any) -> tuple[int, bool]:
        """Replace the table from another thread just after the first search has read it."""
        if not asks:
            transpositions.took(len(transpositions.table))
        asks.append(transpositions.table)
        return run(*given)

    monkeypatch.setattr(running, "run", replaced)
    cost = asked.run(subproblem)
    assert len(asks) == 2
    assert not before.any(), "nothing is found for a table that nobody reads"
    assert other.known(subproblem) == (cost, cost)
