"""What a kernel knows of a board, and the room it works in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.numba_support.jit import kernel_of
from yomikiri.tictactoe.search.layout import Layout
from yomikiri.tictactoe.search.proof.kernels_ahead import KERNELS, LINES
from yomikiri.tictactoe.search.rules import Rule

kernel = kernel_of(KERNELS)

CELLS = 64

_BLOCK_BITS = 8
_MOVES = CELLS + 1  # one row of moves for each depth, and one for looking ahead

# Slots of `Room.numbers`.
LEFT = 0  # states that may still be looked at in this slice
USED = 1  # slots of the memo that are taken
# Columns of `Stack` beyond the choices.
FREE, UNPAIRED = 28, 29  # of the words
COST, TRIED, CHOICES = 28, 29, 30  # of the numbers

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class Tables(NamedTuple):
    """A board, by rank as in `Layout`; what is beyond its cells and lines is zero."""

    weights: Numbers  # (64,)
    lightness: NDArray[np.float64]  # (64,): 0 for the heaviest cell to 1 for the lightest
    lines: Words  # (64,): the cells of each line
    through: Words  # (64,): the lines through each cell
    alternating: Numbers  # (8, 256): the alternating sum of each set of eight cells
    rules: NDArray[np.bool_]  # (rules,): which are on, in the order of `Rule`


class Stack(NamedTuple):
    """Pairs that are being tried: for each line that was given one, its choices, 28 at most, and where it stands."""

    words: Words  # (64, 32)
    numbers: Numbers  # (64, 32)


class Room(NamedTuple):
    """Scratch memory of one search, and its counters."""

    numbers: Numbers
    moves: Numbers  # (65, 64)
    scores: NDArray[np.float64]  # (64,)
    empty: Words  # (64, 64): the states after each move, at each depth
    mine: Words
    theirs: Words
    need: Numbers
    same: NDArray[np.bool_]  # whether the side to move is still the one that moved
    new: NDArray[np.bool_]  # whether the rules have not been asked yet
    proof: Numbers  # of the side that moved
    disproof: Numbers
    stack: Stack


def tables_of(layout: Layout, rules: Rule) -> Tables:
    """The tables of a board that fits."""
    size = layout.board.size
    weights, lightness = np.zeros(CELLS, np.int64), np.zeros(CELLS)
    lines, through = np.zeros(LINES, np.uint64), np.zeros(CELLS, np.uint64)
    weights[:size] = layout.weights
    spread = max(1, layout.weights[0] - layout.weights[-1])
    lightness[:size] = [(layout.weights[0] - weight) / spread for weight in layout.weights]
    lines[: len(layout.lines)] = layout.lines
    through[:size] = layout.through
    alternating = np.zeros((CELLS // _BLOCK_BITS, 1 << _BLOCK_BITS), np.int64)
    for block, sums in enumerate(alternating):
        first = weights[block * _BLOCK_BITS :]
        for cells in range(1, 1 << _BLOCK_BITS):
            # The heaviest cell counts, and what the others alternate to is taken away.
            heaviest = (cells & -cells).bit_length() - 1
            sums[cells] = first[heaviest] - sums[cells & (cells - 1)]
    return Tables(weights, lightness, lines, through, alternating, np.array([rule in rules for rule in Rule]))


def new_room() -> Room:
    """Room for one search."""
    square = (CELLS, CELLS)
    return Room(
        np.zeros(2, np.int64),
        np.zeros((_MOVES, CELLS), np.int64),
        np.zeros(CELLS),
        np.zeros(square, np.uint64),
        np.zeros(square, np.uint64),
        np.zeros(square, np.uint64),
        np.zeros(square, np.int64),
        np.zeros(square, np.bool_),
        np.zeros(square, np.bool_),
        np.zeros(square, np.int64),
        np.zeros(square, np.int64),
        Stack(np.zeros((LINES, 32), np.uint64), np.zeros((LINES, 32), np.int64)),
    )
