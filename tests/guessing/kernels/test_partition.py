"""Partitions of a set of codes by the answers to a guess, compared with lists and sets in plain Python.

Also tests separable sets: those in which one member, guessed first, separates all the others.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
from tests.reference.hitblow import every_code, plain_hint

from yomikiri.guessing.kernels.partition import (
    CodeSlice,
    count_cells,
    divide,
    hash_cells,
    hash_partition,
    insert_by_size,
    insert_by_weight,
    is_new,
    is_separable,
    largest_cell,
)

MOST_ANSWERS = 10
START, TOP = 3, 60


def test_module_example() -> None:
    """The example in the docstring of the module: codes 02 10 12 21 have the indices 0 to 3, and the guess is 12."""
    members = np.zeros(8, dtype=np.int32)
    members[:4] = range(4)
    answers = np.array([1, 0, 3, 1], dtype=np.uint8)
    size, where = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    count_cells(answers, 4, 4, size)
    divide(CodeSlice(members, 0, 4), answers, 4, 4, size, where)
    assert size.tolist() == [1, 2, 0, 1]
    assert where.tolist() == [4, 5, 7, 7]
    assert members[4:].tolist() == [1, 0, 3, 2]


def test_divide_sorts_by_answer_and_partitions_have_distinct_hashes() -> None:
    chance, keys = random.Random(2), np.random.default_rng(2).integers(0, 1 << 64, size=(50, 2), dtype=np.uint64)
    members = np.zeros(200, dtype=np.int32)
    size, where = np.zeros(MOST_ANSWERS, dtype=np.int64), np.zeros(MOST_ANSWERS, dtype=np.int64)
    key, looked = np.zeros((2, MOST_ANSWERS), dtype=np.uint64), np.zeros(50, dtype=np.uint8)
    codes = chance.sample(range(50), 12)
    members[START : START + 12] = codes
    names: tuple[dict[int, frozenset[tuple[frozenset[int], bool]]], ...] = ({}, {})
    for _ in range(2000):
        row = np.array([chance.choice((0, 4, MOST_ANSWERS - 1)) for _ in range(50)], dtype=np.uint8)
        looked[:12] = row[codes]
        wanted = [[code for code in codes if row[code] == r] for r in range(MOST_ANSWERS)]
        count_cells(looked, 12, MOST_ANSWERS, size)
        assert size.tolist() == list(map(len, wanted))
        assert largest_cell(MOST_ANSWERS, size) == max(map(len, wanted))
        divide(CodeSlice(members, START, 12), looked, TOP, MOST_ANSWERS, size, where)
        name = hash_cells(members, keys, MOST_ANSWERS, size, where, key)
        assert hash_partition(MOST_ANSWERS, size, key) == name
        for r, cell in enumerate(wanted):
            at = slice(where[r], where[r] + size[r])
            assert members[at].tolist() == cell, "the order of the set is kept"
            assert key[:, r].tolist() == (keys[cell].sum(axis=0).tolist() if cell else [0, 0])
        # The winning cell differs from another cell of the same codes, because the game ends there.
        parts = frozenset((frozenset(cell), r == MOST_ANSWERS - 1) for r, cell in enumerate(wanted) if cell)
        for half, known in zip(name, names, strict=True):
            assert known.setdefault(int(half), parts) == parts
    assert all(len(set(known.values())) == len(known) > 500 for known in names)


def test_partition_is_new_once_for_each_set() -> None:
    """All node ids and hashes are small numbers, so that different partitions collide in the table of those seen."""
    chance, seen = random.Random(4), np.zeros((4, 3), dtype=np.uint64)
    last: dict[int, tuple[int, int, int]] = {}
    again = 0
    for _ in range(3000):
        node_id, key, check = facts = chance.randrange(1, 6), chance.randrange(6), chance.randrange(3)
        new = is_new(seen, np.uint64(node_id), np.uint64(key), np.uint64(check))
        assert new == (last.get(key % 4) != facts)
        last[key % 4] = facts
        again += not new
    assert again > 20


def test_cells_are_sorted_by_size_then_insertion() -> None:
    size = np.array([4, 1, 3, 1, 4, 2])
    order = np.zeros(6, dtype=np.int64)
    cells = 0
    for r in range(6):
        cells = insert_by_size(order, cells, size, r)
    assert order.tolist() == sorted(range(6), key=lambda r: size[r])


def test_cells_are_sorted_by_mean_weight_then_size_then_insertion() -> None:
    size, weight = np.array([4, 1, 3, 1, 4, 2]), np.array([8, 2, 9, 2, 4, 4])
    order = np.zeros(6, dtype=np.int64)
    cells = 0
    for r in range(6):
        cells = insert_by_weight(order, cells, weight, size, r)
    assert order.tolist() == [2, 1, 3, 5, 0, 4]


def test_set_is_separable_if_a_member_separates_all_others() -> None:
    codes, chance = every_code("01234", 3, repeats=False), random.Random(3)
    hints = sorted({plain_hint(one, other) for one in codes for other in codes})
    table = np.array([[hints.index(plain_hint(one, other)) for other in codes] for one in codes], dtype=np.uint8)
    found: Counter[bool] = Counter()
    for _ in range(500):
        chosen = chance.sample(range(len(codes)), chance.randrange(1, 8))
        numbers = np.array([0, 0, *chosen], dtype=np.int32)
        perfect = any(len({plain_hint(codes[one], codes[other]) for other in chosen}) == len(chosen) for one in chosen)
        assert is_separable(table, numbers, 2, len(chosen)) is perfect
        found[perfect] += 1
    assert min(found.values()) > 50
