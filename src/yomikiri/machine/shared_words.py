"""Words of 64 bits that threads share inside kernels. Each access is to a whole word, in no guaranteed order.

With a plain access, the compiler assumes that no other thread writes the word meanwhile. It may then turn one read into
two, and assume that both give the same value. So in machine code, the functions of this module make atomic accesses
without an order ("monotonic" in LLVM, "relaxed" in C). On today's processors, these compile to the same instructions as
plain accesses. See `compiler/intrinsics.py`.

A search that runs in a thread of its own shares a small array of such words with the thread that waits for it: see
`running`.
"""

from __future__ import annotations

from time import monotonic_ns

import numpy as np

from yomikiri.machine.bits import ONE, ZERO
from yomikiri.machine.kernel import kernel
from yomikiri.machine.vectors import Words

# The words of a search: the columns of its row in an array. Other threads write STOP, which stops the search, and BEST,
# the cost that the search has to beat. The search writes NODES, the number of nodes entered, and TRYING, 1 plus the
# index of the guess that it is trying, or 0. The search stops by itself when it has entered MOST_NODES nodes.
#
# If no other thread can stop a search, its word STOP has the value WATCHED: its own polls check the limits. Each poll
# decrements POLLS, and the search stops when no polls are left. SINCE counts the polls since the last reading of the
# clock. The search stops at the time UNTIL (in nanoseconds, 0 for no limit).
#
# In any other search, a poll only reads STOP. No thread writes STOP until the search has to stop, so this word stays in
# the cache of the processor, and the poll is fast.
STOP, BEST, NODES, TRYING, MOST_NODES, POLLS, UNTIL, SINCE = range(8)
SHARED = 8  # words in all

_BETWEEN = 16  # number of polls between two readings of the clock, because one reading takes as long as some polls

# Values of STOP: 0 to continue, WATCHED to continue and count polls, STOP_REQUESTED if another thread stopped the
# search. Other values are the reason why the search stopped itself. Each kind of search numbers its own reasons from
# OWN_REASONS on.
STOP_REQUESTED, OUT_OF_NODES, OUT_OF_POLLS, OWN_REASONS = range(1, 5)
WATCHED = 1 << 8
_WATCHED = np.uint64(WATCHED)
_REASON = np.uint64(WATCHED - 1)
NO_END = 1 << 62  # more nodes or polls than a search can have


def read(words: Words, row: np.uint64 | int, column: int) -> np.uint64:
    """Return the word in a row and a column of `words`, shape (rows, columns)."""
    word: np.uint64 = words[row, column]
    return word


def write(words: Words, row: np.uint64 | int, column: int, word: np.uint64) -> None:
    """Write a word to a row and a column of `words`, shape (rows, columns)."""
    words[row, column] = word


def clock() -> np.uint64:
    """Return the time of `time.monotonic` in nanoseconds."""
    return np.uint64(monotonic_ns())


@kernel
def _is_late(words: Words) -> bool:
    """Stop a WATCHED search if its time is over, and return True in that case.

    No other thread can stop such a search. Only every 16th call reads the clock.
    """
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
    """Return True if the search must stop. Unlike `must_stop`, a call does not count as a poll."""
    word = read(words, ZERO, STOP)
    return bool(word != ZERO) if word != _WATCHED else _is_late(words)


@kernel
def stopped(words: Words) -> bool:
    """Return True if the search has been stopped, without reading the clock or counting a poll.

    This remains True until the search has returned, because STOP is not reset while it runs. So work that was left
    undone for this reason is never taken for done later.
    """
    return bool(read(words, ZERO, STOP) & _REASON != ZERO)


@kernel
def must_stop(words: Words) -> bool:
    """Poll: return True if the search must stop. Kernels call this so often that they stop soon after a request."""
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
    """Stop the search for the reason `why`, one of the values of STOP."""
    write(words, ZERO, STOP, np.uint64(why))


@kernel
def enter_node(words: Words) -> bool:
    """Count a node that the search enters, and return True. If the search must stop, only return False."""
    if must_stop(words):
        return False
    nodes = read(words, ZERO, NODES)
    if nodes >= read(words, ZERO, MOST_NODES):
        stop(words, OUT_OF_NODES)
        return False
    write(words, ZERO, NODES, nodes + ONE)
    return True
