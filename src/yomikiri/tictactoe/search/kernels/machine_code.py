"""Functions that call the compiled search. There is one version for sets of one 64-bit word, and one for two words.

The module `compiled` defines the compiled functions, from the Python code of `alphabeta`. The sets are bit masks of
cells or lines. A set of two words takes two array elements, the lower half first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.bits import Int
from yomikiri.machine.kernel import entry_of
from yomikiri.machine.shared_words import SHARED
from yomikiri.tictactoe.search.kernels import alphabeta, pairing, transposition_table
from yomikiri.tictactoe.search.layout import WORD

Words = Annotated[NDArray[np.uint64], "words"]
Numbers = Annotated[NDArray[np.int64], "numbers"]
Shared = Annotated[NDArray[np.uint64], 1, SHARED]
Fractions = Annotated[NDArray[np.float64], "numbers"]

_COMPILED = "yomikiri.tictactoe.search.kernels.compiled"


class ArrayTables(NamedTuple):
    """The constant tables of a board as numpy arrays, as the compiled search needs them.

    `arrays.Tables` describes the fields.
    """

    weights: Numbers
    lightness: Fractions
    lines: Words
    through: Words
    starts: Words
    ends: Words
    sums: Numbers


class ArrayStack(NamedTuple):
    """The stack of the search as numpy arrays, as the compiled search needs it. `arrays.Stack` describes the fields."""

    sets: Words
    numbers: Numbers
    moves: Numbers
    scores: Fractions
    pair_sets: Words
    pair_numbers: Numbers


@entry_of(f"{_COMPILED}:fill_sums")
def fill_sums(weights: Numbers, sums: Numbers) -> None:
    """Compute a board's table of alternating sums w1 - w2 + w3 - ..., by the compiled `pairing.fill_sums`."""
    pairing.fill_sums(weights, sums)  # type: ignore[arg-type]


@entry_of(f"{_COMPILED}:search_words")
def search_words(
    tables: ArrayTables,
    stack: ArrayStack,
    table: Words,
    totals: Numbers,
    shared: Shared,
    turn_ends: Int,
    most_filled: Int,
) -> Int:
    """Run the compiled search `alphabeta.search` for a board with at most 64 lines.

    There are two compiled versions of the search. This one is for boards whose sets of lines, which are bit masks, fit
    into one 64-bit word.
    """
    return alphabeta.search(tables, stack, table, totals, shared, turn_ends, most_filled)  # type: ignore[arg-type]


@entry_of(f"{_COMPILED}:search_pairs")
def search_pairs(
    tables: ArrayTables,
    stack: ArrayStack,
    table: Words,
    totals: Numbers,
    shared: Shared,
    turn_ends: Int,
    most_filled: Int,
) -> Int:
    """Run the compiled search `alphabeta.search` for a board with 65 to 128 lines.

    There are two compiled versions of the search. This one is for boards whose sets of lines, which are bit masks, need
    two 64-bit words.
    """
    return alphabeta.search(tables, stack, table, totals, shared, turn_ends, most_filled)  # type: ignore[arg-type]


@entry_of(f"{_COMPILED}:move_words")
def move_words(old: Words, new: Words, totals: Numbers, begin: Int, end: Int) -> None:
    """Copy the stored states to a larger transposition table, for boards with at most 64 lines.

    There are two compiled versions of this function. This one is for boards whose sets of lines, which are bit masks,
    fit into one 64-bit word.
    """
    transposition_table.move_entries(old, new, totals, begin, end)  # type: ignore[arg-type]


@entry_of(f"{_COMPILED}:move_pairs")
def move_pairs(old: Words, new: Words, totals: Numbers, begin: Int, end: Int) -> None:
    """Copy the stored states to a larger transposition table, for boards with 65 to 128 lines.

    There are two compiled versions of this function. This one is for boards whose sets of lines, which are bit masks,
    need two 64-bit words.
    """
    transposition_table.move_entries(old, new, totals, begin, end)  # type: ignore[arg-type]


def words_of(sets: Sequence[int]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return an array of words for a sequence of sets: two 64-bit words per set, first the lower half of the set.

    A set is given as a bit mask of up to 128 bits.
    """
    return np.array([part for each in sets for part in (each & (1 << WORD) - 1, each >> WORD)], np.uint64)
