"""What the priced search reads and writes: a position as a table, its prices, a set in hand, the workspace.

Every candidate has a *weight*, and every guess a *step*: what each code that was not found before it pays for it, per
unit of weight. So a code of weight w that guess k finds (from 0) costs w (step[0] + ... + step[k]), and a strategy
costs the sum of that over all codes. This makes one search of two:

    secrets some of which are likelier    every step is 1: the least weighted total
    payoffs w1 >= w2 >= ... by guess      steps 0, w1 - w2, w2 - w3, ...: the greatest worth, as what it misses of w1

Candidates are numbered from the heaviest down, so every set is in that order too. In the *table* of a position
`answers` holds the slot of every guess's answer for each of them. Only answers that occur have a slot, and the win,
which is the last. Sets of candidates are stretches of `members` (see `partition`).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.arrays import Records
from yomikiri.machine.bits import Int
from yomikiri.machine.kernel import kernel
from yomikiri.machine.shared_words import OWN_REASONS, SHARED

Members = NDArray[np.int32]  # candidates by their number

SEEN = 1 << 12  # partitions remembered within a node; a power of two
LANES = 16  # slots whose marks fit a number
WORD = 64  # the most codes whose subsets are handled as masks of a word
CLASSES = 1 << 10  # sets of alike symbols whose guesses are kept
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

    answer_count: int  # answers that occur, and the win, which is the last
    answers: Annotated[NDArray[np.uint8], "g", "c"]  # slots
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # symbols
    own: Annotated[NDArray[np.int64], "c"]  # the candidates among the guesses
    between: Annotated[NDArray[np.uint8], "c", "c"]  # the slots between candidates
    keys: Annotated[NDArray[np.uint64], "c", 2]  # random numbers whose sums name sets of candidates


class WeightedPosition(NamedTuple):
    """A position and the prices of its codes: c candidates, the heaviest first, g guesses."""

    table: AnswerTable
    weight: Annotated[NDArray[np.int64], "c"]
    symbols: Annotated[NDArray[np.int64], "g"]  # of each guess, a bit each
    marks: Annotated[
        NDArray[np.uint16], "answer_count / LANES", "c", "g"
    ]  # the bit of a guess's answer among LANES slots
    # Guesses like an earlier one, but for the names of symbols that no candidate has; empty where there are none.
    redundant: Annotated[NDArray[np.bool_], "g"]
    step: Annotated[NDArray[np.int64], "depths + AHEAD"]
    salt: Annotated[NDArray[np.uint64], "depths + AHEAD"]  # what tells sets before different steps apart in the memo
    last: int  # the last guess whose step is not 0


class WeightedSet(NamedTuple):
    """A set in hand, `members[start : start + n]`: the guess that is next, the weight of all its codes, its name."""

    depth: Int
    start: Int
    n: Int
    whole: Int
    key: np.uint64
    check: np.uint64


class WeightedWorkspace(NamedTuple):
    """Where a search writes."""

    state: Annotated[Records[WeightedState], 1]
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that other threads read and write: see `shared_words`
    members: Annotated[NDArray[np.int32], "members"]  # the sets along the line, one after another
    set_answers: Annotated[NDArray[np.uint8], "candidates"]  # of the answers of the set that is being divided
    kept: Annotated[NDArray[np.int32], "guesses"]  # by guess, see `scan`
    peak: Annotated[NDArray[np.int32], "(guesses + 63) // 64"]  # the most of it among 64 guesses
    first: Annotated[NDArray[np.uint16], "guesses"]  # its scratch
    again: Annotated[NDArray[np.uint16], "guesses"]
    met: Annotated[NDArray[np.uint16], "guesses"]
    counts: Annotated[NDArray[np.uint16], 6, "guesses"]
    class_of: Annotated[NDArray[np.int64], CLASSES]  # sets of alike symbols,
    class_mask: Annotated[NDArray[np.bool_], CLASSES, "guesses"]  # and of the guesses that they make alike the first
    guess: Annotated[NDArray[np.int64], "depths", "guesses"]  # the guesses that are left of a set, and
    bound: Annotated[NDArray[np.int64], "depths", "guesses"]  # of each what it costs at least
    size: Annotated[NDArray[np.int64], "depths", "answer_count"]  # of cells
    start: Annotated[NDArray[np.int64], "depths", "answer_count"]  # where in `members`
    weight: Annotated[NDArray[np.int64], "depths", "answer_count"]  # of all their codes
    lower: Annotated[NDArray[np.int64], "depths", "answer_count"]  # the least they cost
    key: Annotated[NDArray[np.uint64], "depths", 2, "answer_count"]  # their names
    order: Annotated[NDArray[np.int64], "depths", "answer_count"]  # open cells, the heaviest on average first
    seen: Annotated[NDArray[np.uint64], SEEN, 3]  # partitions tried, by set and name
    # Of a set of up to WORD codes, by depth, the last for one that is not entered:
    mask: Annotated[
        NDArray[np.uint64], "depths + 1", WORD, "answer_count"
    ]  # by member and slot, those that answer it so
    each: Annotated[NDArray[np.int64], "depths + 1", WORD]  # the weights of its members
    cell: Annotated[NDArray[np.uint64], "answer_count"]  # the cells of a guess as masks


@kernel
def in_order(code: NDArray[np.uint8], alike: Int) -> bool:
    """Whether a code names the symbols `alike` (a bit each) from the lowest on.

    Symbols that no turn has used are alike, and so are the absent ones: exchanging two of them turns the candidates
    into themselves, so one guess of each kind is enough.
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
    """The row of `work.class_mask` with the guesses to try, one of each kind, where turns have used such symbols.

    It is -1 where all are tried.
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
