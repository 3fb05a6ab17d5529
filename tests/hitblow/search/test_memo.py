"""The memo keeps bounds by name, narrows them, and gives up the cheapest entry when it is full."""

import numpy as np
import pytest

from yomikiri.hitblow.rules import Rules, Turn
from yomikiri.hitblow.search.engine import Engine
from yomikiri.hitblow.search.memo import WAYS, check, find, move, new_memo, put
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Count, Subproblem
from yomikiri.hitblow.search.workspace import USED


def key(number: int) -> np.uint64:
    return np.uint64(number)


def test_what_is_put_is_found_under_its_whole_name_only() -> None:
    memo = new_memo(16)
    assert put(memo, key(5), key(7), 10, 20, 30) == 1
    assert find(memo, key(5), key(7)) == (20, 30)
    assert find(memo, key(5), key(8)) == find(memo, key(21), key(7)) == (0, IMPOSSIBLE)


def test_bounds_only_narrow() -> None:
    memo = new_memo(16)
    for lower, upper in ((20, 30), (10, 40), (25, IMPOSSIBLE)):
        put(memo, key(5), key(7), 10, lower, upper)
    assert find(memo, key(5), key(7)) == (25, 30)


def test_when_neighbours_are_full_the_set_of_fewest_codes_goes() -> None:
    memo = new_memo(16)
    sizes = [50, 9, 30, 40]
    taken = [put(memo, key(3), key(second), size, 1, 2) for second, size in enumerate(sizes)]
    assert taken == [1] * WAYS
    assert put(memo, key(3), key(99), 5, 1, 2) == 0
    assert find(memo, key(3), key(99)) == (1, 2)
    assert [find(memo, key(3), key(second))[0] for second in range(WAYS)] == [1, 0, 1, 1]


def test_a_wider_memo_keeps_every_entry() -> None:
    memo, wider = new_memo(64), new_memo(256)
    random = np.random.default_rng(3).integers(0, 1 << 63, size=(20, 2), dtype=np.uint64)
    for number, (name, second) in enumerate(random):
        put(memo, name, second, number + 1, number + 1, number + 2)
        check(memo)
    assert move(memo, wider) == check(memo) == check(wider)
    assert all(find(wider, name, second) == find(memo, name, second) for name, second in random)


def test_the_cost_of_the_impossible_fits() -> None:
    memo = new_memo(16)
    put(memo, key(1), key(2), 5040, IMPOSSIBLE, IMPOSSIBLE)
    assert find(memo, key(1), key(2)) == (IMPOSSIBLE, IMPOSSIBLE)


def test_a_memo_is_sound_after_every_step_however_full() -> None:
    memo, taken = new_memo(32), 0
    random = np.random.default_rng(5)
    for _ in range(400):
        lower = int(random.integers(1, 50))
        codes = int(random.integers(1, 30))
        name = np.uint64(random.integers(0, 40)), np.uint64(random.integers(0, 2))
        taken += put(memo, *name, codes, min(lower, 25), max(lower, 25))
        assert check(memo) == taken


@pytest.mark.parametrize(
    ("place", "value"), [(0, 1), (3, 1), (3, IMPOSSIBLE + 1), (2, 7)], ids=["key", "upper", "beyond", "codes"]
)
def test_damage_to_an_entry_is_seen(place: int, value: int) -> None:
    memo = new_memo(16)
    put(memo, key(5), key(7), 10, 20, 30)
    check(memo)
    memo[5, place] = value
    with pytest.raises(AssertionError):
        check(memo)


def test_the_memo_of_a_search_is_sound_whatever_was_asked() -> None:
    rules = Rules(digits=3, symbols="0123456")
    engine = Engine(rules, "", consistent=False, memory=1 << 20)
    for subproblem in (
        Subproblem(rules),
        Subproblem(rules, limit=5, count=Count.LAST),
        Subproblem(rules, limit=4, count=Count.NOTHING),
        Subproblem(rules, turns=(Turn.parse("012:1H0B"),), upper=80),
    ):
        engine.run(subproblem)
        assert check(engine._memo) == engine._work.state[USED]
