"""The data of the weighted search: a position as a table, its weights and steps, the current set, the workspace.

Every candidate has a *weight*, and every guess a *step*: the cost, per unit of weight, for each code that was not found
before it. A code of weight w that guess k finds (from 0) costs w (step[0] + ... + step[k]), and a strategy costs the
sum over all codes. So one search serves two purposes:

    weighted secrets                       every step is 1: the least weighted total
    payoffs w1 >= w2 >= ... by guess       steps 0, w1 - w2, w2 - w3, ...: the greatest payoff, as its loss from w1

Candidates are numbered from the heaviest down, so every set is in that order too. In the *table* of a position,
`answers` contains the answer index of each of them for every guess. Only answers that occur have an index; the last is
the win. Sets of candidates are slices of `members` (see `partition`).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.arrays import RecordArray
from yomikiri.machine.bits import Int
from yomikiri.machine.kernel import kernel
from yomikiri.machine.shared_words import OWN_REASONS, SHARED

Members = NDArray[np.int32]  # candidates by number

SEEN = 1 << 12  # partitions recorded; a power of two
LANES = 16  # answer indices whose marks fit a number
WORD = 64  # sets of up to this many codes have their subsets as masks of a word
CLASSES = 1 << 10  # sets of interchangeable symbols whose guesses are kept
AHEAD = 5  # steps that the bounds of a set read
WORKSPACE_FULL, TABLE_FULL = OWN_REASONS, OWN_REASONS + 1  # why a search stopped


class WeightedState:
    """The state of a weighted search, and settings that do not change its results."""

    node_id: Int  # of the last node entered
    table_used: Int  # entries of the transposition table taken so far
    table_limit: Int  # the search stops when it has taken this many entries
    masked_up_to: Int  # guesses at sets of up to this many codes are bounded by the masks of their cells
    counted_above: Int  # scans of larger sets count the cells that have many codes
    refined_guesses: Int  # guesses at a set that is not entered whose bounds are raised by their cells
    windowed_above: Int  # cells of larger sets are searched with child windows first
    has_uniform: Int  # 1 if uniform totals of some cells are known
    prefers_hits: Int  # 1 if of guesses with equal bounds those that can be the secret come first


class AnswerTable(NamedTuple):
    """The candidates of a position and all guesses: c candidates, g guesses, d digits."""

    answer_count: int  # answers that occur; the win is the last
    answers: Annotated[NDArray[np.uint8], "g", "c"]  # answer indices
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # symbols
    own: Annotated[NDArray[np.int64], "c"]  # the numbers of the candidates among the guesses
    between: Annotated[NDArray[np.uint8], "c", "c"]  # answer indices between candidates
    keys: Annotated[NDArray[np.uint64], "c", 2]  # random words whose sums are Zobrist hashes


class WeightedPosition(NamedTuple):
    """A position with weights and steps: c candidates, the heaviest first, g guesses."""

    table: AnswerTable
    weight: Annotated[NDArray[np.int64], "c"]
    symbols: Annotated[NDArray[np.int64], "g"]  # the symbols of each guess, a bit each
    marks: Annotated[
        NDArray[np.uint16], "answer_count / LANES", "c", "g"
    ]  # the bit of a guess's answer among LANES slots
    # Guesses that differ from an earlier one only by symbols that no candidate has; empty if there are none.
    redundant: Annotated[NDArray[np.bool_], "g"]
    step: Annotated[NDArray[np.int64], "depths + AHEAD"]
    salt: Annotated[NDArray[np.uint64], "depths + AHEAD"]  # makes the keys of sets before different steps different
    last: int  # the last guess whose step is not 0


class WeightedSet(NamedTuple):
    """A current set, `members[start : start + n]`: its depth, the weight of all its codes, and its Zobrist hash."""

    depth: Int
    start: Int
    n: Int
    whole: Int
    key: np.uint64
    check: np.uint64


class WeightedWorkspace(NamedTuple):
    """The arrays that a search writes to."""

    state: Annotated[RecordArray[WeightedState], 1]
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that other threads read and write: see `shared_words`
    members: Annotated[NDArray[np.int32], "members"]  # the sets on the path, one after another
    set_answers: Annotated[NDArray[np.uint8], "candidates"]  # the answers of the set that is being divided
    kept: Annotated[NDArray[np.int32], "guesses"]  # the cost that each guess saves: see `scan`
    peak: Annotated[NDArray[np.int32], "(guesses + 63) // 64"]  # the greatest of these among 64 guesses
    first: Annotated[NDArray[np.uint16], "guesses"]  # scratch of the scan
    again: Annotated[NDArray[np.uint16], "guesses"]
    met: Annotated[NDArray[np.uint16], "guesses"]
    counts: Annotated[NDArray[np.uint16], 6, "guesses"]
    class_of: Annotated[NDArray[np.int64], CLASSES]  # sets of interchangeable symbols
    # the first of each class of guesses that they make equivalent
    class_mask: Annotated[NDArray[np.bool_], CLASSES, "guesses"]
    guess: Annotated[NDArray[np.int64], "depths", "guesses"]  # the guesses left for a set
    bound: Annotated[NDArray[np.int64], "depths", "guesses"]  # their lower bounds
    size: Annotated[NDArray[np.int64], "depths", "answer_count"]  # sizes of cells
    start: Annotated[NDArray[np.int64], "depths", "answer_count"]  # their starts in `members`
    weight: Annotated[NDArray[np.int64], "depths", "answer_count"]  # the weights of all their codes
    lower: Annotated[NDArray[np.int64], "depths", "answer_count"]  # lower bounds of their costs
    key: Annotated[NDArray[np.uint64], "depths", 2, "answer_count"]  # their Zobrist hashes
    order: Annotated[NDArray[np.int64], "depths", "answer_count"]  # open cells, the heaviest on average first
    seen: Annotated[NDArray[np.uint64], SEEN, 3]  # partitions of guesses that were tried: node id and hash
    # For a set of up to WORD codes, by depth; the last row is for a set that is not entered.
    mask: Annotated[
        NDArray[np.uint64], "depths + 1", WORD, "answer_count"
    ]  # by member and answer index, the members that give it that answer
    each: Annotated[NDArray[np.int64], "depths + 1", WORD]  # the weights of its members
    cell: Annotated[NDArray[np.uint64], "answer_count"]  # the cells of a guess as masks


@kernel
def in_order(code: NDArray[np.uint8], alike: Int) -> bool:
    """Return True if a code names the given symbols (a bit each) in increasing order.

    Symbols that no turn has used are interchangeable, and so are the absent ones. Exchanging two of them maps the
    candidates to themselves, so one guess of each class is enough.
    """
    left = alike
    for i in range(len(code)):
        bit = np.int64(1) << np.int64(code[i])
        if left & bit:
            if bit != left & -left:
                return False
            left ^= bit
    return True


@kernel
def allowed(position: WeightedPosition, work: WeightedWorkspace, used: Int) -> Int:
    """Return the row of `work.class_mask` with the guesses to try after turns with the `used` symbols.

    It contains one guess of each class. Returns -1 if all guesses are tried.
    """
    fresh = (1 << 16) - 1 & ~used
    if fresh & (fresh - 1) == 0:
        fresh = 0  # one symbol alone is always in order
        if len(position.redundant) == 0:
            return -1
    row = fresh % CLASSES
    if work.class_of[row] != fresh:
        work.class_of[row] = fresh
        for g in range(len(work.kept)):
            gone = len(position.redundant) > 0 and position.redundant[g]
            work.class_mask[row, g] = not gone and in_order(position.table.codes[g], fresh)
    return row
