"""A transposition table that grows while memory allows, and that threads share."""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.search.kernels.transposition_table import (
    _LOWER,
    _SHIFT,
    _WORDS,
    WAYS,
    TranspositionTable,
    _cover,
    move,
)
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.shared_words import NO_END, STOP, STOP_REQUESTED

_SMALLEST = 1 << 12  # entries of a new memo


_FIRST = 1 << 16  # and what it begins with where there is memory


_FULL = 7 / 8  # the part of a table that is full when a search stops for it to grow


_MOVED = 1 << 14  # slots that are moved between two looks at the budget, some milliseconds


_PARTS = 32  # a search takes at least such a part of the table before it stops to say so


def new_table(entries: int) -> TranspositionTable:
    """An empty table: shape (entries, 4); `entries` is a power of two, at least WAYS."""
    return np.zeros((entries, _WORDS), dtype=np.uint64)


class GrowingTable:
    """A memo that grows while it may; threads may share it.

    `memory` bounds it, in bytes for each thread. Where a search ends and more than half of it is full, it doubles. A
    search that nearly fills it stops for it to become four times as large: asked again, it finds what the memo kept,
    but takes the way there once more. What is written to a `table` that was replaced is lost, so those who search with
    it are told to stop, and ask for the table anew.
    """

    def __init__(self, memory: int) -> None:
        self._memory, self._threads, self._lock = memory, 0, Lock()
        self._readers: list[NDArray[np.uint64]] = []
        self.table: TranspositionTable = new_table(_SMALLEST)
        self.table = new_table(_SMALLEST * self._may_grow(_FIRST // _SMALLEST))
        self.used = 0

    def join(self) -> None:
        """A thread is going to share it, while its maker waits."""
        with self._lock:
            self._threads += 1

    def read_by(self, words: NDArray[np.uint64]) -> None:
        """Searches with these words, (1, SHARED), are to be told when the table is replaced."""
        with self._lock:
            self._readers.append(words)

    @property
    def spare(self) -> int:
        """How many slots a search may take before it stops and says so; NO_END where the table grows no more.

        Each thread has its part of what is left until the table is nearly full, and at least a part of the table, so
        that it is not stopped over and over again.
        """
        with self._lock:
            if self._may_grow(2) == 1:
                return NO_END
            left = int(_FULL * len(self.table)) - self.used
            return max(left // max(self._threads, 1), len(self.table) // _PARTS) + 1

    def took(self, answer_count: int, budget: Budget = UNLIMITED) -> None:
        """So many empty slots were taken by a search that has ended, or stopped.

        Where the budget is spent before the table has grown, it stays as it is until this is told of more slots.
        """
        if not answer_count:
            return
        with self._lock:
            self.used += answer_count
            times = 4 if self.used > int(_FULL * len(self.table)) else 1
            while self.used * 2 > times * len(self.table):
                times *= 2
            times = self._may_grow(times)
            if times == 1:
                return
            wider, used = new_table(times * len(self.table)), 0
            for begin in range(0, len(self.table), _MOVED):
                if budget.spent():
                    return
                used += move(self.table, wider, begin, min(begin + _MOVED, len(self.table)))
            self.table, self.used = wider, used
            for words in self._readers:
                words[0, STOP] = STOP_REQUESTED

    def _may_grow(self, times: int) -> int:
        """How many times as large the table may become, up to so many; powers of two."""
        while times > 1 and times * self.table.nbytes > max(self._threads, 1) * self._memory:
            times //= 2
        return times


def check(transpositions: TranspositionTable) -> int:
    """Assert what holds of every memo that one thread wrote; returns how many entries are taken.

    Bounds do not cross, an entry is found under its name, and none of its name stands in another slot.
    """
    taken = np.flatnonzero(transpositions[:, 2])
    names = {int(i): int(transpositions[i, 1] ^ _cover(transpositions[i, 2], transpositions[i, 3])) for i in taken}
    for i in names:
        key, lower, upper = transpositions[i, 0], transpositions[i, 2] & _LOWER, transpositions[i, 3]
        assert transpositions[i, 2] >> _SHIFT > 0, f"no codes in slot {i}"
        assert lower <= upper <= IMPOSSIBLE, f"bounds of slot {i}: {lower} to {upper}"
        ways = [int(key + np.uint64(way)) % len(transpositions) for way in range(WAYS)]
        same = [
            way for way in ways if transpositions[way, 2] and transpositions[way, 0] == key and names[way] == names[i]
        ]
        assert same == [i], f"slot {i} is found in {same}"
    return len(taken)
