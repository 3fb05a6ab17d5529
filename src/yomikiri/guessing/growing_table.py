"""A transposition table that grows while memory allows, and that threads share."""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.guessing.kernels.transposition_table import (
    _LOWER,
    _SHIFT,
    _WORDS,
    WAYS,
    TranspositionTable,
    _checksum,
    move,
)
from yomikiri.machine.shared_words import NO_END, STOP, STOP_REQUESTED

_SMALLEST = 1 << 12  # least number of entries of a new table
_FIRST = 1 << 16  # number of entries of a new table if there is memory for them
_FULL = 7 / 8  # when this fraction of the entries is taken, the search stops so that the table can grow
_MOVED = 1 << 14  # number of entries that are moved between two tests of the budget: some milliseconds
# A search may add more than 1 / _PARTS of the size of the table before it has to stop because the table is almost full.
_PARTS = 32


def new_table(entries: int) -> TranspositionTable:
    """Return an empty table: shape (entries, 4), with four words for each entry.

    `entries` is a power of two, at least WAYS, the number of places in which an entry can be. It is 0 for a table that
    is not used.
    """
    return np.zeros((entries, _WORDS), dtype=np.uint64)


class GrowingTable:
    """A transposition table that grows as it fills, and that threads may share.

    The limit of its size is `memory` bytes times the number of threads that share it. If more than half of the entries
    are taken when a search ends, the table doubles in size. If a search almost fills the table, it stops, and the size
    is multiplied by four. Then the search runs again from the start, but finds its earlier results in the table.

    Growth replaces the array `table`. Other threads would lose what they write to the old array, so their searches are
    stopped, too, and run again on the new one.
    """

    def __init__(self, memory: int) -> None:
        self._memory, self._threads, self._lock = memory, 0, Lock()
        self._readers: list[NDArray[np.uint64]] = []
        self.table: TranspositionTable = new_table(_SMALLEST)
        self.table = new_table(_SMALLEST * self._may_grow(_FIRST // _SMALLEST))
        self.used = 0

    def join(self) -> None:
        """Register one more thread that shares the table. Call this before the thread starts."""
        with self._lock:
            self._threads += 1

    def read_by(self, words: NDArray[np.uint64]) -> None:
        """Register a search that has to stop when the table is replaced.

        `words` is the array in which the search finds the signal to stop, shape (1, SHARED): see
        `machine.shared_words`.
        """
        with self._lock:
            self._readers.append(words)

    @property
    def spare(self) -> int:
        """The number of entries that a search may add before it has to stop, NO_END if the table cannot grow.

        The table is almost full when the fraction _FULL of its entries is taken. The entries that may still be added
        until then are divided equally among the threads. Each thread may add at least 1 / _PARTS of the size of the
        table, so that a search does not stop too often.
        """
        with self._lock:
            if self._may_grow(2) == 1:
                return NO_END
            left = int(_FULL * len(self.table)) - self.used
            return max(left // max(self._threads, 1), len(self.table) // _PARTS) + 1

    def took(self, entries: int, budget: Budget = UNLIMITED) -> None:
        """Count the entries that a search has written, and enlarge the table if it is too full.

        If the budget is exhausted while entries are moved, the table keeps its size until the next call.
        """
        if not entries:
            return
        with self._lock:
            self.used += entries
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
        """Return the factor by which the table may grow, at most `times`: a power of two."""
        while times > 1 and times * self.table.nbytes > max(self._threads, 1) * self._memory:
            times //= 2
        return times


def check(transpositions: TranspositionTable) -> int:
    """Assert the invariants of a table that one thread wrote. Returns the number of its entries.

    Bounds do not cross, an entry is found by its hash, and no other entry has the same hash.
    """
    taken = np.flatnonzero(transpositions[:, 2])
    names = {int(i): int(transpositions[i, 1] ^ _checksum(transpositions[i, 2], transpositions[i, 3])) for i in taken}
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
