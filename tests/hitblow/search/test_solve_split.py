"""A subproblem that is split costs what it costs whole, and what is told meanwhile is certain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from yomikiri.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.hitblow.rules import Repeats, Rules, Turn
from yomikiri.hitblow.search import solve
from yomikiri.hitblow.search.engine import Engine
from yomikiri.hitblow.search.solve import Search
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Count, Subproblem

GAMES = [
    Subproblem(Rules(3, "0123456")),
    Subproblem(Rules(3, "0123", Repeats.ALL)),
    Subproblem(Rules(3, "01234567"), absent="3", turns=(Turn.parse("012:0H1B"),)),
    Subproblem(Rules(3, "012345"), consistent=True),
]


def new_engine(subproblem: Subproblem) -> Engine:
    return Engine(subproblem.rules, subproblem.absent, consistent=subproblem.consistent, memory=1 << 24)


@pytest.fixture(autouse=True)
def split_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "SPLIT", 12)


@pytest.mark.parametrize("count", Count)
@pytest.mark.parametrize("limit", [None, 3, 4, 5])
@pytest.mark.parametrize("game", GAMES, ids=["3 of 7", "3 of 4, repeats", "after a turn", "consistent"])
def test_the_cost_is_that_of_the_whole(game: Subproblem, limit: int | None, count: Count) -> None:
    subproblem = replace(game, limit=limit, count=count)
    whole = new_engine(game).run(subproblem)
    assert Search(new_engine(game), subproblem, UNLIMITED).run() == whole
    if 0 < whole < IMPOSSIBLE:
        just, more = replace(subproblem, upper=whole), replace(subproblem, upper=whole + 1)
        assert Search(new_engine(game), just, UNLIMITED).run() >= whole, "a bound that is not below it"
        assert Search(new_engine(game), more, UNLIMITED).run() == whole


def test_bounds_close_in_on_the_cost_and_hold_all_the_way() -> None:
    game = Subproblem(Rules(3, "01234567"))
    whole = new_engine(game).run(game)
    told: list[Progress] = []
    search = Search(new_engine(game), game, Budget(progress=told.append))
    assert search.run() == whole
    assert len(told) > 5
    assert all(progress.lower is None or progress.lower <= whole for progress in told)
    assert all(progress.upper is None or progress.upper >= whole for progress in told)
    assert [progress.states for progress in told] == sorted(progress.states for progress in told)


def test_what_is_certain_when_the_budget_is_spent_is_kept() -> None:
    game = Subproblem(Rules(3, "01234567"))
    engine = new_engine(game)
    whole = new_engine(game).run(game)
    search = Search(engine, game, Budget(states=30))
    with pytest.raises(Stopped):
        search.run()
    assert 0 < search.lower <= whole <= search.best
    assert Search(engine, game, UNLIMITED).run() == whole, "the search goes on with what was learned"
