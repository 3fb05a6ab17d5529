"""The memo keeps bounds by name, narrows them, and gives up the cheapest entry when it is full."""

import numpy as np

from yomikiri.hitblow.search.memo import WAYS, find, move, new_memo, put
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE


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
    taken = [put(memo, key(3), key(check), size, 1, 2) for check, size in enumerate(sizes)]
    assert taken == [1] * WAYS
    assert put(memo, key(3), key(99), 5, 1, 2) == 0
    assert find(memo, key(3), key(99)) == (1, 2)
    assert [find(memo, key(3), key(check))[0] for check in range(WAYS)] == [1, 0, 1, 1]


def test_a_wider_memo_keeps_every_entry() -> None:
    memo, wider = new_memo(64), new_memo(256)
    random = np.random.default_rng(3).integers(0, 1 << 63, size=(20, 2), dtype=np.uint64)
    for number, (name, check) in enumerate(random):
        put(memo, name, check, number, number + 1, number + 2)
    assert move(memo, wider) == np.count_nonzero(memo[:, 2])
    assert all(find(wider, name, check) == find(memo, name, check) for name, check in random)


def test_the_cost_of_the_impossible_fits() -> None:
    memo = new_memo(16)
    put(memo, key(1), key(2), 5040, IMPOSSIBLE, IMPOSSIBLE)
    assert find(memo, key(1), key(2)) == (IMPOSSIBLE, IMPOSSIBLE)
