"""What is known of sets of codes already met: a table of bounded size, which threads may share.

An entry is four words: the name of the set (and of the limit on its guesses), its seal, the lower bound with the number
of codes above it, and the upper bound. It may stand in any of WAYS neighbouring slots. When all are taken, the entry of
the fewest codes goes: it was the cheapest to find. So the table only ever saves work, and no result depends on its
size.

Threads read and write one table without waiting for each other. Words are read and written whole (`read`, `write`), but
what a thread reads of an entry may come from several threads, and from different times. The seal is the second half of
the name, covered by a scattered number of both bounds: what does not belong together does not open under the name that
is asked for, but for one chance in 2^64: it is as good as not there. (A mere `xor` of the words would not do, being the
same for bounds 20 to 31 and 52 to 63.) What two threads write at once may be lost, or stand twice; bounds that open are
right, whoever found them.
"""

from __future__ import annotations

from threading import Lock
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import ZERO, Int, mix
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import NO_END, STOP, read, write

WAYS = 4
_WORDS = 4  # of an entry
_SMALLEST = 1 << 12  # entries of a new memo
_FIRST = 1 << 16  # and what it begins with where there is memory
_FULL = 7 / 8  # the part of a table that is full when a search stops for it to grow
_MOVED = 1 << 14  # slots that are moved between two looks at the budget, some milliseconds
_PARTS = 32  # a search takes at least such a part of the table before it stops to say so
_LOWER = np.uint64((1 << 44) - 1)
_SHIFT = np.uint64(44)

Memo = Annotated[NDArray[np.uint64], "entries", 4]


def new_memo(entries: int) -> Memo:
    """An empty table: shape (entries, 4); `entries` is a power of two, at least WAYS."""
    return np.zeros((entries, _WORDS), dtype=np.uint64)


class GrowingMemo:
    """A memo that grows while it may; threads may share it.

    `memory` bounds it, in bytes for each thread. Where a search ends and more than half of it is full, it doubles. A
    search that nearly fills it stops for it to become four times as large: asked again, it finds what the memo kept,
    but takes the way there once more. What is written to a `table` that was replaced is lost, so those who search with
    it are told to stop, and ask for the table anew.
    """

    def __init__(self, memory: int) -> None:
        self._memory, self._threads, self._lock = memory, 0, Lock()
        self._readers: list[NDArray[np.uint64]] = []
        self.table: Memo = new_memo(_SMALLEST)
        self.table = new_memo(_SMALLEST * self._may_grow(_FIRST // _SMALLEST))
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

    def took(self, slots: int, budget: Budget = UNLIMITED) -> None:
        """So many empty slots were taken by a search that has ended, or stopped.

        Where the budget is spent before the table has grown, it stays as it is until this is told of more slots.
        """
        if not slots:
            return
        with self._lock:
            self.used += slots
            times = 4 if self.used > int(_FULL * len(self.table)) else 1
            while self.used * 2 > times * len(self.table):
                times *= 2
            times = self._may_grow(times)
            if times == 1:
                return
            wider, used = new_memo(times * len(self.table)), 0
            for begin in range(0, len(self.table), _MOVED):
                if budget.spent():
                    return
                used += move(self.table, wider, begin, min(begin + _MOVED, len(self.table)))
            self.table, self.used = wider, used
            for words in self._readers:
                words[0, STOP] = 1

    def _may_grow(self, times: int) -> int:
        """How many times as large the table may become, up to so many; powers of two."""
        while times > 1 and times * self.table.nbytes > max(self._threads, 1) * self._memory:
            times //= 2
        return times


def check(memo: Memo) -> int:
    """Assert what holds of every memo that one thread wrote; returns how many entries are taken.

    Bounds do not cross, an entry is found under its name, and none of its name stands in another slot.
    """
    taken = np.flatnonzero(memo[:, 2])
    names = {int(i): int(memo[i, 1] ^ _cover(memo[i, 2], memo[i, 3])) for i in taken}
    for i in names:
        key, lower, upper = memo[i, 0], memo[i, 2] & _LOWER, memo[i, 3]
        assert memo[i, 2] >> _SHIFT > 0, f"no codes in slot {i}"
        assert lower <= upper <= IMPOSSIBLE, f"bounds of slot {i}: {lower} to {upper}"
        ways = [int(key + np.uint64(way)) % len(memo) for way in range(WAYS)]
        same = [way for way in ways if memo[way, 2] and memo[way, 0] == key and names[way] == names[i]]
        assert same == [i], f"slot {i} is found in {same}"
    return len(taken)


@kernel
def _cover(two: np.uint64, three: np.uint64) -> np.uint64:
    """What hides the second half of a name: a scattered number of the two words that hold the bounds."""
    return mix(two ^ mix(three))


@entry
def find(memo: Memo, key: np.uint64, check: np.uint64) -> tuple[Int, Int]:
    """(lower, upper) bounds known of a set; (0, IMPOSSIBLE) for one that is not there."""
    mask = np.uint64(memo.shape[0] - 1)
    for way in range(np.uint64(WAYS)):
        i = (key + way) & mask
        if read(memo, i, 0) == key:
            two, three = read(memo, i, 2), read(memo, i, 3)
            if two != ZERO and read(memo, i, 1) == check ^ _cover(two, three):
                return np.int64(two & _LOWER), np.int64(three)
    return np.int64(0), np.int64(IMPOSSIBLE)


@entry
def put(memo: Memo, key: np.uint64, check: np.uint64, codes: Int, lower: Int, upper: Int) -> Int:
    """Note bounds of a set of so many codes. Returns 1 if an empty slot was taken, else 0."""
    mask = np.uint64(memo.shape[0] - 1)
    size = np.uint64(min(codes, (1 << 20) - 1))
    slot = key & mask
    fewest = np.int64(1 << 20)
    for way in range(np.uint64(WAYS)):
        i = (key + way) & mask
        two, three = read(memo, i, 2), read(memo, i, 3)
        if two == ZERO:
            slot, fewest = i, np.int64(-1)
            break
        if read(memo, i, 0) == key and read(memo, i, 1) == check ^ _cover(two, three):
            slot, fewest = i, np.int64(0)
            lower, upper = max(lower, np.int64(two & _LOWER)), min(upper, np.int64(three))
            break
        if np.int64(two >> _SHIFT) < fewest:
            slot, fewest = i, np.int64(two >> _SHIFT)
    two, three = np.uint64(lower) | (size << _SHIFT), np.uint64(upper)
    write(memo, slot, 0, key)
    write(memo, slot, 1, check ^ _cover(two, three))
    write(memo, slot, 2, two)
    write(memo, slot, 3, three)
    return 1 if fewest < 0 else 0


@entry
def move(old: Memo, new: Memo, begin: Int, end: Int) -> Int:
    """Put the entries in the slots from `begin` to `end` of one table into another; returns how many slots they take.

    One that is being written meanwhile may be taken in under a name that nothing has.
    """
    used = 0
    for i in range(np.uint64(begin), np.uint64(end)):
        two, three = read(old, i, 2), read(old, i, 3)
        if two != ZERO:
            check = read(old, i, 1) ^ _cover(two, three)
            used += put(new, read(old, i, 0), check, np.int64(two >> _SHIFT), np.int64(two & _LOWER), np.int64(three))
    return used
