"""The data of the weighted search: a position as a table, its weights and steps, the current set, the workspace.

Every candidate has a *weight*, and every guess a *step*. The step is the cost of that guess, per unit of weight, for
each code that was not found before. So a code of weight w that guess k finds (from 0) costs w (step[0] + ... +
step[k]), and the cost of a strategy is the sum over all codes. One search serves two purposes:

    weighted secrets                       every step is 1: the least weighted total
    payoffs w1 >= w2 >= ... by guess       steps 0, w1 - w2, w2 - w3, ...: the greatest payoff, as its loss from w1

Candidates are numbered from the heaviest down, and the codes of every set are in that order too. `CandidateTable`
contains the *answer index* of each candidate for every guess. Only answers that occur have an index; the last one is
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

Members = NDArray[np.int32]  # array of candidates, by their numbers

SEEN = 1 << 12  # number of partitions that are remembered, to recognise guesses with equal partitions; a power of two
LANES = 16  # number of answers in a group, each of which is one bit of a number
WORD = 64  # limit on the codes of a set whose subsets are stored as bits of one word
CLASSES = 1 << 10  # number of sets of interchangeable symbols for which the guesses to try are cached
AHEAD = 5  # number of guesses after the deepest one whose costs the bounds may read
WORKSPACE_FULL, TABLE_FULL = OWN_REASONS, OWN_REASONS + 1  # reasons why a search stopped


class WeightedState:
    """The state of a weighted search, and settings that affect its speed but not its results."""

    node_id: Int  # number of the last set (node) whose search has begun
    table_used: Int  # number of entries of the transposition table that are used
    table_limit: Int  # limit on the used entries of the transposition table; the search stops there
    masked_up_to: Int  # limit on the codes of a set whose guesses are bounded by bit masks of their cells
    counted_above: Int  # limit on the codes of a set whose bounds ignore the number of codes in large cells
    # number of guesses at a set whose bounds are raised by bounds of their cells, if the set is not searched
    refined_guesses: Int
    windowed_above: Int  # limit on the codes of a set whose cells are searched up to the whole cost that is left
    has_uniform: Int  # flag: 1 if a table contains the totals of some cells for equal weights
    prefers_hits: Int  # flag: 1 if guesses that can be the secret come before others with the same bound


class CandidateTable(NamedTuple):
    """The answers of a position: c candidates, g guesses of d digits."""

    answer_count: int  # number of different answers that occur; the win is the last one
    answers: Annotated[NDArray[np.uint8], "g", "c"]  # number of the answer for each guess and candidate
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # symbols of each guess
    own: Annotated[NDArray[np.int64], "c"]  # number of each candidate among the guesses
    between: Annotated[NDArray[np.uint8], "c", "c"]  # number of the answer for each pair of candidates
    keys: Annotated[NDArray[np.uint64], "c", 2]  # two random words for each candidate; their sums are Zobrist hashes


class WeightedPosition(NamedTuple):
    """A position: c candidates with weights, the heaviest first, and g guesses, with the cost of each turn (`step`)."""

    table: CandidateTable
    weight: Annotated[NDArray[np.int64], "c"]
    symbols: Annotated[NDArray[np.int64], "g"]  # symbols of each guess as a bit mask
    # bit mask of the answer to each guess from each candidate, by group of LANES answers; 0 if in another group
    marks: Annotated[NDArray[np.uint16], "answer_count / LANES", "c", "g"]
    # Flags: True for guesses that differ from an earlier one only by symbols that no candidate has. May be empty.
    redundant: Annotated[NDArray[np.bool_], "g"]
    step: Annotated[NDArray[np.int64], "depths + AHEAD"]
    # random words by depth for the hashes, because the cost of a set depends on the costs of the guesses that follow
    salt: Annotated[NDArray[np.uint64], "depths + AHEAD"]
    last: int  # number of the last guess that costs anything


class WeightedSet(NamedTuple):
    """A set to search, `members[start : start + n]`: its depth, its total weight `whole`, its Zobrist hash."""

    depth: Int
    start: Int
    n: Int
    whole: Int
    key: np.uint64
    check: np.uint64


class WeightedWorkspace(NamedTuple):
    """The arrays that a weighted search changes."""

    state: Annotated[RecordArray[WeightedState], 1]
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that this thread shares with others: see `shared_words`
    # codes of the sets from the root to the current set, one set after another
    members: Annotated[NDArray[np.int32], "members"]
    set_answers: Annotated[NDArray[np.uint8], "candidates"]  # answers of the current set to the current guess
    kept: Annotated[NDArray[np.int32], "guesses"]  # how much less each guess costs than three guesses for every code
    # largest entry of `kept` in each block of 64 guesses
    peak: Annotated[NDArray[np.int32], "(guesses + 63) // 64"]
    first: Annotated[NDArray[np.uint16], "guesses"]  # scratch space for the bounds of all guesses
    again: Annotated[NDArray[np.uint16], "guesses"]
    met: Annotated[NDArray[np.uint16], "guesses"]
    counts: Annotated[NDArray[np.uint16], 6, "guesses"]
    # set of interchangeable symbols of each row of `class_mask`, as a bit mask
    class_of: Annotated[NDArray[np.int64], CLASSES]
    # flags: True for the first guess of each class of equivalent guesses
    class_mask: Annotated[NDArray[np.bool_], CLASSES, "guesses"]
    guess: Annotated[NDArray[np.int64], "depths", "guesses"]  # guesses that are left to try at the set of each depth
    bound: Annotated[NDArray[np.int64], "depths", "guesses"]  # lower bounds of the costs of the guesses that are left
    size: Annotated[NDArray[np.int64], "depths", "answer_count"]  # size of each cell of the current guess
    start: Annotated[NDArray[np.int64], "depths", "answer_count"]  # start of each cell in `members`
    weight: Annotated[NDArray[np.int64], "depths", "answer_count"]  # weight of all codes of each cell
    lower: Annotated[NDArray[np.int64], "depths", "answer_count"]  # lower bound of the cost of each cell
    key: Annotated[NDArray[np.uint64], "depths", 2, "answer_count"]  # Zobrist hash of each cell
    # numbers of the answers whose cells are still to be searched, the heaviest cell on average first
    order: Annotated[NDArray[np.int64], "depths", "answer_count"]
    # partitions of the guesses that were tried: number of the set (node) and hash
    seen: Annotated[NDArray[np.uint64], SEEN, 3]
    # Arrays for sets of at most WORD codes, by depth; the last row is for a set that is bounded without a search.
    # Bit masks of the members of a set that give a certain answer to a certain member, used as a guess.
    mask: Annotated[NDArray[np.uint64], "depths + 1", WORD, "answer_count"]
    each: Annotated[NDArray[np.int64], "depths + 1", WORD]  # weight of each member
    cell: Annotated[NDArray[np.uint64], "answer_count"]  # cells of the current guess, one bit for each member


@kernel
def in_order(code: NDArray[np.uint8], alike: Int) -> bool:
    """Return True if the symbols of the bit mask `alike` appear in a code in increasing order.

    Symbols that no turn has used are interchangeable, and so are the absent ones. Exchanging two of them maps the
    candidates to themselves, so one guess of each class suffices.
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
    """Return the row of `work.class_mask` for the guesses to try after turns that used some symbols.

    `used` is a bit mask of these symbols. The row contains one guess of each class of equivalent guesses. Returns -1 if
    all guesses have to be tried.
    """
    fresh = (1 << 16) - 1 & ~used
    if fresh & (fresh - 1) == 0:
        fresh = 0  # A single symbol is always in increasing order.
        if len(position.redundant) == 0:
            return -1
    row = fresh % CLASSES
    if work.class_of[row] != fresh:
        work.class_of[row] = fresh
        for g in range(len(work.kept)):
            gone = len(position.redundant) > 0 and position.redundant[g]
            work.class_mask[row, g] = not gone and in_order(position.table.codes[g], fresh)
    return row
