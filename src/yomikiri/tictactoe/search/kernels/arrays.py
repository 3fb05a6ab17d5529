"""Arrays of the search: the tables of a board, the stack of the states on the path, and their indices.

In Python the arrays are lists, in machine code arrays of words and numbers (`machine_code`). All states on the path are
in one array of sets and one of numbers, with a frame per state.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from yomikiri.tictactoe.search.kernels.sets import Counts, Numbers, State

# Elements of `totals`, the numbers of the whole search: the filled entries of the table, the result, the value of a
# line, 1 if a line is worth more the sooner it comes, the pruning rules, and 1 for the order of moves of a long search.
FILLED, VALUE, WON, STEP, RULES, LONG = range(6)
TOTALS = 6
# Elements of a frame: sets, and numbers.
EMPTY, MINE, THEIRS, PLANE_0, PLANE_1, PLANE_2, PLANE_3, TESTED, HASH = range(9)
SETS = 9
NEED, BEST, MOVE, NEXT, COUNT, OFFSET, SIGN, UNPAIRABLE = range(8)
NUMBERS = 8
# A board has at most 64 cells, and a state at most as many moves.
CELLS = 64


class Tables(NamedTuple):
    """A board: weights and lines through a cell by rank, the cells of each line, alternating sums by block and subset.

    `lightness` is from 0 for the heaviest cell to 1 for the lightest; `starts` and `ends` are for `tightest`, by rank.
    """

    weights: Sequence[int]
    lightness: Sequence[float]
    lines: Sequence[int]
    through: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    sums: Numbers


class Stack(NamedTuple):
    """The frames of the states on the path with their moves, and space for one pairing bound and one order of moves."""

    sets: Numbers
    numbers: Numbers
    moves: Numbers
    scores: MutableSequence[float]
    pair_sets: Numbers
    pair_numbers: Numbers


class Node(NamedTuple):
    """A state on the path with the counts of its lines, and the gain in question.

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
    """Return the state of the frame at `depth`."""
    start = SETS * depth
    return State(stack.sets[start + EMPTY], stack.sets[start + MINE], stack.sets[start + THEIRS])


def counts_of(stack: Stack, depth: int) -> Counts:
    """Return the counts of the frame at `depth`."""
    start = SETS * depth
    return Counts(
        stack.sets[start + PLANE_0],
        stack.sets[start + PLANE_1],
        stack.sets[start + PLANE_2],
        stack.sets[start + PLANE_3],
    )


def write_state(stack: Stack, depth: int, state: State, counts: Counts) -> None:
    """Write a state and its counts to the frame at `depth`."""
    sets, start = stack.sets, SETS * depth
    sets[start + EMPTY], sets[start + MINE], sets[start + THEIRS] = state.empty, state.mine, state.theirs
    sets[start + PLANE_0], sets[start + PLANE_1] = counts.plane_0, counts.plane_1
    sets[start + PLANE_2], sets[start + PLANE_3] = counts.plane_2, counts.plane_3
