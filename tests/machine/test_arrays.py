"""Allocation of workspaces with declared dtypes and shapes, and records in arrays."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.machine.made import compiled

from yomikiri.machine.arrays import RecordArray, allocated, random_words
from yomikiri.machine.bits import Int

SLOTS = 3


class Workspace(NamedTuple):
    depths: int
    state: Annotated[NDArray[np.int64], SLOTS]
    bound: Annotated[NDArray[np.float64], "depths + 1", "max(guesses, 2)", SLOTS]


def test_allocated_fields_have_their_declared_types_and_shapes() -> None:
    made = allocated(Workspace, depths=4, guesses=5)
    assert isinstance(made, Workspace)
    assert (made.depths, made.state.dtype.name, made.bound.dtype.name) == (4, "int64", "float64")
    assert (made.state.shape, made.bound.shape) == ((3,), (5, 5, 3))
    assert not made.state.any()
    assert not made.bound.any()


def test_missing_size_is_an_error() -> None:
    with pytest.raises(NameError, match="guesses"):
        allocated(Workspace, depths=4)


def test_random_words_depend_on_the_name_only() -> None:
    words = random_words("these", 1000, 2)
    assert (words.shape, words.dtype.name) == ((1000, 2), "uint64")
    assert (words == random_words("these", 1000, 2)).all()
    assert len(np.unique(np.concatenate((words, random_words("those", 1000, 2))))) == 4000
    bits = np.unpackbits(words.view(np.uint8).reshape(2000, 8), axis=1).mean(axis=0)
    assert abs(bits - 0.5).max() < 0.06  # five standard deviations of 2,000 tosses of a fair coin


class Entry:
    count: Int
    total: Int


class Entries(NamedTuple):
    entries: Annotated[RecordArray[Entry], "rows"]


def add_to_entry(work: Entries, row: Int, number: Int) -> Int:
    entry = work.entries[row]
    entry.count += 1
    entry.total += number
    return entry.total


def test_kernels_write_the_fields_of_records() -> None:
    work, as_python = allocated(Entries, rows=3), allocated(Entries, rows=3)
    run = compiled(add_to_entry)
    for row, number in ((1, 5), (2, 7), (1, 6)):
        assert run(work, row, number) == add_to_entry(as_python, row, number)
    assert work.entries[1].total == 11
    assert [(entry.count, entry.total) for entry in map(work.entries.__getitem__, range(3))] == [
        (0, 0),
        (2, 11),
        (1, 7),
    ]


def test_records_share_the_memory_of_their_array() -> None:
    before, after = allocated(Entries, rows=2).entries, allocated(Entries, rows=2).entries
    row = before[1]
    row.count, row.total = 3, 9
    assert before[1].count == 3
    after[:] = before
    row.count = 4
    assert [(after[i].count, after[i].total) for i in range(2)] == [(0, 0), (3, 9)]
