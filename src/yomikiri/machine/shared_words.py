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

# The words of a search. Other threads write STOP, which stops it, and BEST, the cost that it has to beat. It writes
# NODES, the number of nodes entered, and TRYING, 1 plus the guess that it is trying, or 0. It stops by itself when it
# has entered MOST_NODES nodes.
#
# A search that no other thread can stop is WATCHED: it counts its polls down in POLLS, and reads the clock at every few
# polls, which it counts in SINCE, to stop at UNTIL (0 for no such time). Otherwise a poll reads STOP alone. Only other
# threads write that word until the search ends, so it stays in the cache of the processor.
STOP, BEST, NODES, TRYING, MOST_NODES, POLLS, UNTIL, SINCE = range(8)
SHARED = 8  # words in all

_BETWEEN = 16  # polls for each reading of the clock, which takes as long as some polls

# Values of STOP: 0 to go on, WATCHED to go on and count, STOP_REQUESTED if another thread stopped the search, otherwise
# the reason why it stopped itself. Each search numbers its own reasons from OWN_REASONS on.
STOP_REQUESTED, OUT_OF_NODES, OUT_OF_POLLS, OWN_REASONS = range(1, 5)
WATCHED = 1 << 8
_WATCHED = np.uint64(WATCHED)
_REASON = np.uint64(WATCHED - 1)
NO_END = 1 << 62  # more nodes or polls than a search can have


def read(words: Words, row: np.uint64 | int, column: int) -> np.uint64:
    """Return the word in a row and column of an array of words, (rows, columns)."""
    word: np.uint64 = words[row, column]
    return word


def write(words: Words, row: np.uint64 | int, column: int, word: np.uint64) -> None:
    """Write a word in a row and column of an array of words."""
    words[row, column] = word


def clock() -> np.uint64:
    """Return the nanoseconds of `time.monotonic`."""
    return np.uint64(monotonic_ns())


@kernel
def _is_late(words: Words) -> bool:
    """Return True if the time of a watched search is over; it then stops. Reads the clock at every 16th call."""
    until = read(words, ZERO, UNTIL)
    if until == ZERO:
        return False
    since = read(words, ZERO, SINCE) + ONE
    write(words, ZERO, SINCE, since % np.uint64(_BETWEEN))
    if since < np.uint64(_BETWEEN) or clock() < until:
        return False
    stop(words, STOP_REQUESTED)
    return True


@kernel
def should_stop(words: Words) -> bool:
    """Return True if the search must stop. Like `must_stop`, but not counted as a poll."""
    word = read(words, ZERO, STOP)
    return bool(word != ZERO) if word != _WATCHED else _is_late(words)


@kernel
def stopped(words: Words) -> bool:
    """Return True if the search must stop, without a poll.

    This remains True until the search has returned, because STOP is not reset while it runs. So work that was left
    undone for this reason is never taken for done later.
    """
    return bool(read(words, ZERO, STOP) & _REASON != ZERO)


@kernel
def must_stop(words: Words) -> bool:
    """Poll: return True if the search must stop. Kernels call this wherever some time has passed."""
    word = read(words, ZERO, STOP)
    if word != _WATCHED:
        return bool(word != ZERO)
    polls = read(words, ZERO, POLLS)
    if polls == ZERO:
        stop(words, OUT_OF_POLLS)
        return True
    write(words, ZERO, POLLS, polls - ONE)
    return _is_late(words)


@kernel
def stop(words: Words, why: int) -> None:
    """Stop the search for the reason `why`, one of those that its kernels define."""
    write(words, ZERO, STOP, np.uint64(why))


@kernel
def enter_node(words: Words) -> bool:
    """Count a node that the search enters. Returns False, and the node is not entered, if the search must stop."""
    if must_stop(words):
        return False
    nodes = read(words, ZERO, NODES)
    if nodes >= read(words, ZERO, MOST_NODES):
        stop(words, OUT_OF_NODES)
        return False
    write(words, ZERO, NODES, nodes + ONE)
    return True
