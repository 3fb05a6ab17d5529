"""Arrays of the search: the tables of a board, the stack of the states on the path, and the indices of their elements.

In Python the arrays are lists, in machine code arrays of words and numbers (`machine_code`). The stack has a *frame*
for each state on the path: `SETS` elements of its array of sets, and `NUMBERS` elements of its array of numbers.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from yomikiri.tictactoe.search.kernels.sets import Counts, Numbers, State

# Indices in `totals`, the numbers of the whole search. FILLED: the number of filled table entries.
# VALUE: the resulting bound. WON: the value of a line. STEP: 1 if a line is worth more the sooner it comes.
# RULES: the pruning rules. LONG: 1 for the order of moves of a long search.
FILLED, VALUE, WON, STEP, RULES, LONG = range(6)
TOTALS = 6
# Indices of the sets and of the numbers in a frame, the data of one state on the search path.
EMPTY, MINE, THEIRS, PLANE_0, PLANE_1, PLANE_2, PLANE_3, TESTED, HASH = range(9)
SETS = 9
NEED, BEST, MOVE, NEXT, COUNT, OFFSET, SIGN, UNPAIRABLE = range(8)
NUMBERS = 8
# Limit on the cells of a board, and so on the moves of a state.
CELLS = 64


class Tables(NamedTuple):
    """Constant tables of a board. A *rank* numbers the cells from the heaviest to the lightest.

    - `weights`: the weight of each cell by rank.
    - `lightness`: 0 for the heaviest cell to 1 for the lightest, by rank.
    - `lines`: the set of cells of each line.
    - `through`: the set of lines through each cell, by rank.
    - `starts`, `ends`: for each cell, lines without it whose predecessor has it, and lines with it whose predecessor
      has not.
    - `sums`: alternating sums of the subsets of each block of cells (see `pairing`).
    """

    weights: Sequence[int]
    lightness: Sequence[float]
    lines: Sequence[int]
    through: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    sums: Numbers


class Stack(NamedTuple):
    """The stack of the search: the frames of the states on the path, with their moves.

    `scores`, `pair_sets` and `pair_numbers` are working space for ordering the moves of one state, and for one pairing
    bound.
    """

    sets: Numbers
    numbers: Numbers
    moves: Numbers
    scores: MutableSequence[float]
    pair_sets: Numbers
    pair_numbers: Numbers


class SearchNode(NamedTuple):
    """A state on the path, with the number of empty cells of each line, and the gain `need` in question.

    - `may_pair`: False if the pairing bound is known to be too weak.
    - `place`: the hash of the state.
    - `ahead`: True if greedy play would reach the gain.
    """

    state: State
    counts: Counts
    need: int
    may_pair: bool
    place: int
    ahead: bool


def state_of(stack: Stack, depth: int) -> State:
    """Return the state in the frame at `depth`."""
    start = SETS * depth
    return State(stack.sets[start + EMPTY], stack.sets[start + MINE], stack.sets[start + THEIRS])


def counts_of(stack: Stack, depth: int) -> Counts:
    """Return the numbers of empty cells of the lines, from the frame at `depth`."""
    start = SETS * depth
    return Counts(
        stack.sets[start + PLANE_0],
        stack.sets[start + PLANE_1],
        stack.sets[start + PLANE_2],
        stack.sets[start + PLANE_3],
    )


def write_state(stack: Stack, depth: int, state: State, counts: Counts) -> None:
    """Write a state, and the numbers of empty cells of its lines, to the frame at `depth`."""
    sets, start = stack.sets, SETS * depth
    sets[start + EMPTY], sets[start + MINE], sets[start + THEIRS] = state.empty, state.mine, state.theirs
    sets[start + PLANE_0], sets[start + PLANE_1] = counts.plane_0, counts.plane_1
    sets[start + PLANE_2], sets[start + PLANE_3] = counts.plane_2, counts.plane_3
