"""What several threads share is at hand to one of them at a time."""

from __future__ import annotations

from random import Random
from threading import Event, Thread

import pytest
from tests.hitblow.search.test_uneven import searching

from yomikiri.budget import Budget, Stopped
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Rules, Turn
from yomikiri.hitblow.search.plain import plain_search
from yomikiri.hitblow.search.position import kernel_search
from yomikiri.hitblow.search.uneven import uneven_search

RULES = Rules(3, "012345")
KNOWN = Knowledge(RULES, facts=(Turn.parse("012:0H1B"),))


def test_threads_that_ask_the_engine_of_one_game_find_what_each_finds_alone() -> None:
    weights = {code: Random(int(code)).randint(95, 105) for code in RULES.secrets()}
    alone = searching(RULES, weights).guesses()
    found: list[object] = []
    threads = [Thread(target=lambda: found.append(searching(RULES, weights).guesses()), daemon=True) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert found == [alone] * len(threads)


@pytest.mark.parametrize("search", [kernel_search, plain_search, uneven_search])
@pytest.mark.parametrize("held", [kernel_search, plain_search, uneven_search])
def test_a_search_is_lent_to_one_thread_at_a_time_and_waiting_spends_the_budget(held, search) -> None:
    stopped, waited, totals = Event(), Event(), []

    def ask() -> None:
        looks = iter([False, False, True])
        with pytest.raises(Stopped), search(KNOWN, Budget(cancelled=lambda: next(looks))):
            totals.append(0)
        stopped.set()
        waited.wait(60)
        with search(KNOWN) as lent:
            totals.append(lent.least())

    thread = Thread(target=ask, daemon=True)
    with held(KNOWN) as mine:
        thread.start()
        assert stopped.wait(60)
        total = mine.least()
        with held(KNOWN) as again:
            assert again.least() == total
    waited.set()
    thread.join(60)
    assert totals == [total]
