"""Words of 64 bits that threads share inside kernels: read and written whole, in no order that others could rely on.

To the compiler a plain access promises that no other thread writes there at the time: it might read a word twice and
take both for the same. In machine code these are atomic accesses without an order ("monotonic" to LLVM, "relaxed" in
C), which on today's processors are the same instructions; see `compiler/intrinsics.py`.

A search in a thread of its own shares a row of them with whoever waits for it: see `running`.
"""

from __future__ import annotations

import numpy as np

from yomikiri.machine.vectors import Words

# The words of a search. Others write STOP, which tells it to return, and BEST, what its answer need be less than. It
# writes NODES, how many it has entered, and TRYING, the guess that it is at (0 for none, else 1 more than it).
STOP, BEST, NODES, TRYING = range(4)
SHARED = 4  # words in all


def read(words: Words, row: np.uint64 | int, column: int) -> np.uint64:
    """The word in a row and column of an array of words, (rows, columns)."""
    word: np.uint64 = words[row, column]
    return word


def write(words: Words, row: np.uint64 | int, column: int, word: np.uint64) -> None:
    """Write a word there."""
    words[row, column] = word
