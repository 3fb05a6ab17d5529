"""Arrays of the search: the tables of a board, the stack of the states on the path, and the indices of their elements.

In the version of the search that runs as Python, the arrays are lists. In the compiled version they are NumPy arrays:
of 64-bit words for sets (bit masks), and of 64-bit numbers. The stack has a *frame* for each state on the path: `SETS`
elements of its array of sets, and `NUMBERS` elements of its array of numbers.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from yomikiri.tictactoe.search.kernels.sets import Counts, Numbers, State

# The array `totals` contains the settings and results of a whole search. The constants FILLED to LONG are its indices:
# FILLED: number of entries in use in the transposition table.
# VALUE: result of the search, a bound of the value of the position with which the search begins.
# WON: least number of points that a completed line is worth, which is more than any sum of weights.
# STEP: 1 if a line is worth more the sooner it is completed, otherwise 0.
# RULES: set of pruning rules in use, as an integer with one bit for each rule.
# LONG: 1 if moves are tried in the order for long searches, otherwise 0.
FILLED, VALUE, WON, STEP, RULES, LONG = range(6)
TOTALS = LONG + 1  # length of the array `totals`
# Offsets of the sets in a frame of the stack:
# EMPTY, MINE, THEIRS: the state. The function `enter` replaces it by the state after its forced moves.
# PLANE_0 to PLANE_3: the number of empty cells of each line, as bit planes (`sets.Counts`).
# TESTED: cells for which the test of the rule LOOK_AHEAD failed. HASH: hash of the state.
EMPTY, MINE, THEIRS, PLANE_0, PLANE_1, PLANE_2, PLANE_3, TESTED, HASH = range(9)
SETS = 9
# Offsets of the numbers in a frame of the stack:
# NEED: the gain that the search asks about: can the side to move gain at least this number from now on?
# BEST: best value of the moves searched so far. MOVE: this best move, by rank.
# NEXT: index of the next move to try. COUNT: number of moves.
# OFFSET, SIGN: the state before its forced moves has the value OFFSET + SIGN * v, if v is the value after them.
# UNPAIRABLE: 1 if the rule PAIRING need not be tried, because LOOK_AHEAD made the same test without success.
NEED, BEST, MOVE, NEXT, COUNT, OFFSET, SIGN, UNPAIRABLE = range(8)
NUMBERS = 8
# Limit on the number of cells of a board (8x8), and therefore on the number of moves in a state.
CELLS = 64


class Tables(NamedTuple):
    """Constant tables of a board. The *rank* of a cell is its position in the order of weights, the heaviest first.

    Line i - 1 is the *predecessor* of line i if the two lines share all cells but one. Usually line i is then line i -
    1, shifted by one cell.

    - `weights`: the weight of each cell by rank.
    - `lightness`: 0 for the heaviest cell to 1 for the lightest, by rank.
    - `lines`: the set of cells of each line.
    - `through`: the set of lines through each cell, by rank.
    - `starts`: for each cell, by rank, the set of lines that lack the cell although their predecessor contains it.
    - `ends`: for each cell, by rank, the set of lines that contain the cell although their predecessor lacks it.
    - `sums`: alternating sums w1 - w2 + w3 - ... of all subsets of each block of nine cells (see `pairing`).

    For example, in a row of the cells a, b, c, d let line 0 be abc and line 1 be bcd. Then line 0 is the predecessor of
    line 1, and line 1 is in `starts` of a and in `ends` of d.
    """

    weights: Sequence[int]
    lightness: Sequence[float]
    lines: Sequence[int]
    through: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    sums: Numbers


class Stack(NamedTuple):
    """The stack of the search: the data of the states on the path (`sets` and `numbers`), and their moves (`moves`).

    The other arrays are working space: `scores` for sorting the moves of one state, `pair_sets` and `pair_numbers` for
    the bound of the rule PAIRING, which matches the empty cells in pairs.
    """

    sets: Numbers
    numbers: Numbers
    moves: Numbers
    scores: MutableSequence[float]
    pair_sets: Numbers
    pair_numbers: Numbers


class SearchNode(NamedTuple):
    """A state on the search path, with the number of empty cells of each line, and the gain that the search asks about.

    - `need`: this gain: can the side to move gain at least this number from now on?
    - `may_pair`: False if the bound of the rule PAIRING is already known to be too weak, so that the rule is not tried.
    - `state_hash`: the hash of the state.
    - `ahead`: True if the side to move gains at least `need` in greedy play: both sides always take the heaviest cell.
    """

    state: State
    counts: Counts
    need: int
    may_pair: bool
    state_hash: int
    ahead: bool


def state_of(stack: Stack, depth: int) -> State:
    """Return the state at index `depth` of the search path: the empty cells, and the open lines of each side."""
    start = SETS * depth
    return State(stack.sets[start + EMPTY], stack.sets[start + MINE], stack.sets[start + THEIRS])


def counts_of(stack: Stack, depth: int) -> Counts:
    """Return the number of empty cells of each line, as bit planes, at index `depth` of the search path."""
    start = SETS * depth
    return Counts(
        stack.sets[start + PLANE_0],
        stack.sets[start + PLANE_1],
        stack.sets[start + PLANE_2],
        stack.sets[start + PLANE_3],
    )


def write_state(stack: Stack, depth: int, state: State, counts: Counts) -> None:
    """Write a state, and the number of empty cells of each line, to the stack at `depth` of the search path."""
    sets, start = stack.sets, SETS * depth
    sets[start + EMPTY], sets[start + MINE], sets[start + THEIRS] = state.empty, state.mine, state.theirs
    sets[start + PLANE_0], sets[start + PLANE_1] = counts.plane_0, counts.plane_1
    sets[start + PLANE_2], sets[start + PLANE_3] = counts.plane_2, counts.plane_3
