"""Transposition table: bounds by hash, replacement when it is full, growth, sharing by threads.

Also tests `guessing/kernels/transposition_table.py`: the kernels.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from tests.machine.made import compiled

from yomikiri.common.budget import Budget
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.growing_table import GrowingTable, check, new_table
from yomikiri.guessing.kernels.transposition_table import WAYS, TranspositionTable, find, move, put
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.machine.bits import Int, mix
from yomikiri.machine.shared_words import NO_END, SHARED, STOP


def key(number: int) -> np.uint64:
    return np.uint64(number)


def test_entries_are_found_by_both_words_only() -> None:
    transpositions = new_table(16)
    assert put(transpositions, key(5), key(7), 10, 20, 30) == 1
    assert find(transpositions, key(5), key(7)) == (20, 30)
    assert find(transpositions, key(5), key(8)) == find(transpositions, key(21), key(7)) == (0, IMPOSSIBLE)


def test_bounds_only_narrow() -> None:
    transpositions = new_table(16)
    for lower, upper in ((20, 30), (10, 40), (25, IMPOSSIBLE)):
        put(transpositions, key(5), key(7), 10, lower, upper)
    assert find(transpositions, key(5), key(7)) == (25, 30)


def test_full_neighbours_replace_the_entry_of_fewest_codes() -> None:
    transpositions = new_table(16)
    sizes = [50, 9, 30, 40]
    taken = [put(transpositions, key(3), key(second), size, 1, 2) for second, size in enumerate(sizes)]
    assert taken == [1] * WAYS
    assert put(transpositions, key(3), key(99), 5, 1, 2) == 0
    assert find(transpositions, key(3), key(99)) == (1, 2)
    assert [find(transpositions, key(3), key(second))[0] for second in range(WAYS)] == [1, 0, 1, 1]


def test_larger_table_keeps_every_entry() -> None:
    transpositions, wider = new_table(64), new_table(256)
    random = np.random.default_rng(3).integers(0, 1 << 63, size=(20, 2), dtype=np.uint64)
    for number, (name, second) in enumerate(random):
        put(transpositions, name, second, number + 1, number + 1, number + 2)
        check(transpositions)
    assert (
        move(transpositions, wider, 0, 7) + move(transpositions, wider, 7, len(transpositions))
        == check(transpositions)
        == check(wider)
    )
    assert all(find(wider, name, second) == find(transpositions, name, second) for name, second in random)


def test_the_cost_of_the_impossible_fits() -> None:
    transpositions = new_table(16)
    put(transpositions, key(1), key(2), 5040, IMPOSSIBLE, IMPOSSIBLE)
    assert find(transpositions, key(1), key(2)) == (IMPOSSIBLE, IMPOSSIBLE)


def test_table_is_sound_after_every_step() -> None:
    transpositions, taken = new_table(32), 0
    random = np.random.default_rng(5)
    for _ in range(400):
        lower = int(random.integers(1, 50))
        codes = int(random.integers(1, 30))
        name = np.uint64(random.integers(0, 40)), np.uint64(random.integers(0, 2))
        taken += put(transpositions, *name, codes, min(lower, 25), max(lower, 25))
        assert check(transpositions) == taken


@pytest.mark.parametrize(
    ("place", "value"), [(0, 1), (3, 1), (3, IMPOSSIBLE + 1), (2, 7)], ids=["key", "upper", "beyond", "codes"]
)
def test_damage_to_an_entry_is_seen(place: int, value: int) -> None:
    transpositions = new_table(16)
    put(transpositions, key(5), key(7), 10, 20, 30)
    check(transpositions)
    transpositions[5, place] = value
    with pytest.raises(AssertionError):
        check(transpositions)


def test_table_of_a_search_is_sound() -> None:
    rules = Rules(digits=3, symbols="0123456")
    engine = SearchEngine(rules, "", consistent=False, memory=1 << 20)
    for subproblem in (
        Subproblem(rules),
        Subproblem(rules, limit=5, count=Count.LAST),
        Subproblem(rules, limit=5, count=Count.FEWEST),
        Subproblem(rules, limit=4, count=Count.NOTHING),
        Subproblem(rules, turns=(Turn.parse("012:1H0B"),), upper=80),
    ):
        engine.run(subproblem)
        assert check(engine.transpositions.table) == engine.transpositions.used > 0


# Values of an entry over time: (second word of the hash, codes, lower, upper). As a checksum, the plain XOR of the two
# words with the bounds would be equal for the first three entries, so it would not detect mixed entries.
VERSIONS = [(7, 10, 20, 31), (7, 10, 21, 30), (8, 10, 52, 63), (8, 9, 60, 60), (7, 10, 22, 22)]


@pytest.mark.parametrize("second", [7, 8])
def test_mixed_words_fail_the_checksum(second: int) -> None:
    written = []
    for other, codes, lower, upper in VERSIONS:
        transpositions = new_table(4)
        put(transpositions, key(1), key(other), codes, lower, upper)
        written.append(transpositions[1].copy())
    right = {(lower, upper) for other, _codes, lower, upper in VERSIONS if other == second}
    found = set()
    for words in product(*np.array(written).T):
        transpositions = new_table(4)
        transpositions[1] = words
        found.add(find(transpositions, key(1), key(second)))
        before = transpositions.copy()
        put(transpositions, key(1), key(second), 10, 1, IMPOSSIBLE)  # bounds of a mixed entry are not merged
        assert find(transpositions, key(1), key(second)) in {*right, (1, IMPOSSIBLE)}
        assert (transpositions[1] == before[1]).all() or find(before, key(1), key(second)) in right
    assert found == {*right, (0, IMPOSSIBLE)}


def test_plain_xor_is_no_sufficient_checksum() -> None:
    assert len({(lower | codes << 44) ^ upper for _second, codes, lower, upper in VERSIONS[:3]}) == 1


def write_and_read_bounds(transpositions: TranspositionTable, names: Int, rounds: Int, seed: Int) -> tuple[Int, Int]:
    """Write and read bounds of the cost 1000 + key in random order: return (number found, number wrong)."""
    found, wrong = np.int64(0), np.int64(0)
    for turn in range(rounds):
        chance = mix(np.uint64(turn + (seed << 40)))
        name = np.int64(chance % np.uint64(names))
        second = mix(np.uint64(name))
        cost = 1000 + name
        lower, upper = find(transpositions, np.uint64(name & 3), second)
        found += lower > 0
        wrong += lower > cost or upper < cost or (upper < IMPOSSIBLE and cost - lower != upper - cost)
        room = np.int64(chance >> np.uint64(32)) % 100
        put(transpositions, np.uint64(name & 3), second, 1 + room, cost - room, cost + room)
    return found, wrong


@pytest.mark.parametrize("names", [3, 40])
def test_threads_never_read_wrong_bounds(names: int) -> None:
    """Check that no entry has bounds of two writers.

    Both bounds of one writer are equally far from the cost.
    """
    transpositions, rounds = new_table(8), 400_000
    used = compiled(write_and_read_bounds)  # the test compiles it with the current transposition table
    used(transpositions, names, 10, 9)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda seed: used(transpositions, names, rounds, seed), range(4)))
    assert [wrong for _found, wrong in results] == [0] * 4
    assert all(found > rounds // 20 for found, _wrong in results)


SMALLEST = len(GrowingTable(0).table)


@pytest.mark.slow
def test_table_grows_up_to_its_memory() -> None:
    transpositions = GrowingTable(4 * 32 * SMALLEST - 1)
    assert len(transpositions.table) == 2 * SMALLEST, "it begins with what it may have, up to some size"
    transpositions = GrowingTable(1 << 30)
    first = len(transpositions.table)
    random = np.random.default_rng(3).integers(0, 1 << 63, size=(first, 2), dtype=np.uint64)
    for name, second in random[: first // 3]:
        transpositions.took(put(transpositions.table, name, second, 5, 6, 7))
    assert len(transpositions.table) == first
    for name, second in random:
        transpositions.took(put(transpositions.table, name, second, 5, 6, 7))
    assert len(transpositions.table) == 2 * first, "twice as large once more than half of it is full"
    assert check(transpositions.table) == transpositions.used
    assert sum(find(transpositions.table, name, second) == (6, 7) for name, second in random) == transpositions.used


def test_spare_entries_end_when_the_table_is_nearly_full() -> None:
    transpositions = GrowingTable(32 * SMALLEST)
    assert transpositions.spare == NO_END, "it grows no more"
    transpositions = GrowingTable(1 << 30)
    first = len(transpositions.table)
    assert transpositions.spare != NO_END
    assert first // 2 < transpositions.spare <= first
    transpositions.took(transpositions.spare)
    assert len(transpositions.table) == 4 * first
    for _ in range(3):
        transpositions.join()
    assert transpositions.spare != NO_END
    assert first // 2 < transpositions.spare < 4 * first // 3, "three threads share what is left"


@pytest.mark.parametrize(("threads", "grown"), [(0, 1), (1, 1), (3, 2), (4, 4)])
def test_shared_table_may_use_the_memory_of_all_threads(threads: int, grown: int) -> None:
    transpositions = GrowingTable(32 * SMALLEST)
    for _ in range(threads):
        transpositions.join()
    for _ in range(5):
        transpositions.took(10 * SMALLEST)
    assert len(transpositions.table) == grown * SMALLEST


def test_table_without_time_to_grow_stays_as_it_is() -> None:
    transpositions = GrowingTable(1 << 30)
    table = transpositions.table
    put(table, key(3), key(4), 5, 6, 7)
    transpositions.took(len(table), Budget.within(0.0))
    assert transpositions.table is table
    transpositions.took(1)
    assert len(transpositions.table) > len(table)
    assert find(transpositions.table, key(3), key(4)) == (6, 7)
    assert transpositions.used == 1


def test_replacing_the_table_stops_its_readers() -> None:
    transpositions, words = GrowingTable(1 << 30), np.zeros((1, SHARED), dtype=np.uint64)
    transpositions.read_by(words)
    transpositions.took(10)
    assert not words.any()
    transpositions.took(len(transpositions.table))
    assert words[0, STOP]


def test_engines_share_bounds() -> None:
    rules, transpositions = Rules(digits=3, symbols="01234567"), GrowingTable(1 << 20)
    one, other = (SearchEngine(rules, "", consistent=False, memory=transpositions) for _ in range(2))
    cell = Subproblem(rules, turns=(Turn.parse("012:0H1B"),))
    assert other.known(cell) == (0, IMPOSSIBLE)
    cost = one.run(cell)
    assert other.known(cell) == (cost, cost)
    assert other.run(cell) == cost
    assert other.nodes == 0


def test_engines_sharing_a_table_find_the_same() -> None:
    rules, transpositions = Rules(digits=4, symbols="01234567"), GrowingTable(1 << 18)
    alone = SearchEngine(rules, "", consistent=False, memory=1 << 16)
    cells = [cell for cell in alone.divided(Subproblem(rules), "0123") if alone.count(cell) > 60]
    engines = [SearchEngine(rules, "", consistent=False, memory=transpositions) for _ in range(3)]

    def costs(turn: int) -> list[int]:
        found = {cell: engines[turn].run(cell) for cell in (*cells[turn:], *cells[:turn])}
        return [found[cell] for cell in cells]

    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(costs, range(3)))
    assert together == [[alone.run(cell) for cell in cells]] * 3
