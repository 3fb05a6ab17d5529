"""Words of 64 bits that threads share inside kernels: read and written whole, in no order that others could rely on.

To the compiler a plain access promises that no other thread writes there at the time: it might read a word twice and
take both for the same. In machine code these are atomic accesses without an order ("monotonic" to LLVM, "relaxed" in
C), which on today's processors are the same instructions; see `compiler/intrinsics.py`.

A search in a thread of its own shares a row of them with whoever waits for it: see `running`.
"""

from __future__ import annotations

from time import monotonic_ns

import numpy as np

from yomikiri.machine.bits import ONE, ZERO
from yomikiri.machine.kernel import kernel
from yomikiri.machine.vectors import Words

# The words of a search. Others write STOP, which tells it to return, and BEST, what its answer need be less than. It
# writes NODES, how many it has entered, and TRYING, the guess that it is at (0 for none, else 1 more than it). It stops
# by itself at MOST_NODES nodes, and after so many LOOKS at these words. Where nobody else can write STOP it reads the
# clock itself, at every few looks, which it counts in SINCE, and stops at UNTIL (0 for no such time).
STOP, BEST, NODES, TRYING, MOST_NODES, LOOKS, UNTIL, SINCE = range(8)
SHARED = 8  # words in all

_BETWEEN = 16  # looks between two at the clock, which takes as long as some of them

# What STOP says: 0 to go on; that somebody else told the search to stop; or why it stops by itself. Each search counts
# its own reasons on from OWN_REASONS.
TOLD, OUT_OF_NODES, OUT_OF_LOOKS, OWN_REASONS = range(1, 5)
NO_END = 1 << 62  # more nodes or looks than there can be


def read(words: Words, row: np.uint64 | int, column: int) -> np.uint64:
    """The word in a row and column of an array of words, (rows, columns)."""
    word: np.uint64 = words[row, column]
    return word


def write(words: Words, row: np.uint64 | int, column: int, word: np.uint64) -> None:
    """Write a word there."""
    words[row, column] = word


def clock() -> np.uint64:
    """The nanoseconds of `time.monotonic`."""
    return np.uint64(monotonic_ns())


@kernel
def told(words: Words) -> bool:
    """Whether somebody else has told the search to stop, or the clock does."""
    until = read(words, ZERO, UNTIL)
    if until != ZERO:
        since = read(words, ZERO, SINCE) + ONE
        write(words, ZERO, SINCE, since % np.uint64(_BETWEEN))
        if since == np.uint64(_BETWEEN) and clock() >= until:
            stop(words, TOLD)
    return bool(read(words, ZERO, STOP) != ZERO)


@kernel
def stopped(words: Words) -> bool:
    """Whether the search is to stop, or stops by itself.

    Once it is so it remains so until the search has returned, for STOP is not taken back while it runs. So what was
    left undone because of that is never taken for done by a later look.
    """
    return bool(read(words, ZERO, STOP) != ZERO)


@kernel
def must_stop(words: Words) -> bool:
    """The same, asked wherever some time has passed: it is one of the LOOKS."""
    looks = read(words, ZERO, LOOKS)
    if looks == ZERO:
        if not stopped(words):
            stop(words, OUT_OF_LOOKS)
        return True
    write(words, ZERO, LOOKS, looks - ONE)
    return told(words)


@kernel
def stop(words: Words, why: int) -> None:
    """The search stops by itself."""
    write(words, ZERO, STOP, np.uint64(why))


@kernel
def enter_node(words: Words) -> bool:
    """Count one more node that the search enters; False, and it is not entered, where the search must stop."""
    if must_stop(words):
        return False
    nodes = read(words, ZERO, NODES)
    if nodes >= read(words, ZERO, MOST_NODES):
        stop(words, OUT_OF_NODES)
        return False
    write(words, ZERO, NODES, nodes + ONE)
    return True
