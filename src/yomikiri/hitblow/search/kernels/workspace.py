"""The workspace of a search: arrays with a row for each depth, so that entering a node allocates no memory.

A set of codes is a slice of `work.members`. The set that is being searched at a depth is the *current set* of that
depth: `nodes` contains the state of its search, `set_planes` its bit planes, and the arrays `ranked_*` its guesses in
the order of their scores.

The *score* of a guess at a set is p + w: the number p of different answers that its codes give, plus w = 1 if the guess
is itself one of them. A guess finds at most one code of each cell within two guesses, so the score is the greatest
number of codes that it can find at once or with the next guess.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.kernels.transposition_table import TranspositionTable
from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.occurring import MOST_ANSWERS, ROWS
from yomikiri.hitblow.search.kernels.scan import COUNTER_BITS
from yomikiri.machine.arrays import RecordArray
from yomikiri.machine.bits import ZERO, Int, popcount
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import BEST, OWN_REASONS, SHARED, TRYING, read, write
from yomikiri.machine.vectors import LANES

MOST_MASKED = 512  # sets of up to this many codes have masks of the answers between their members
MASK_WORDS = 32  # words of such a mask for 64 members
SIZE_CLASSES = 256  # classes of set sizes for which typical costs are learned
SEEN = 1 << 14  # partitions kept to recognise a guess that divides a set like an earlier one
CLASSES = 128  # sets of interchangeable symbols whose masks of guesses are kept
HASHED_TURNS = 3  # large sets after up to this many turns are hashed by the turns

WORKSPACE_FULL, TABLE_FULL = OWN_REASONS, OWN_REASONS + 1  # why a search stopped

# What a search does at depth 0: return the cost, list guesses, or search the guesses in `given_guesses` only.
COST_ONLY, LIST_GUESSES, GIVEN_GUESSES = range(3)


class SearchState:
    """The state of a search as a whole."""

    table_limit: Int  # the search stops when it has taken this many entries of the transposition table
    table_used: Int  # entries of the table taken so far
    node_id: Int  # of the last node entered
    mode: Int  # COST_ONLY, LIST_GUESSES or GIVEN_GUESSES
    list_limit: Int  # how many guesses to list
    listed: Int  # how many guesses `listed_guesses` contains
    best_block: Int  # the block of guesses with the greatest score at the cell that was bounded last


class NodeState:
    """The state of the search of the current set of one depth."""

    node_id: Int
    lower: Int  # bounds of the cost known before any guess is tried
    upper: Int
    bound_bits: Int  # bits of the bounds of its guesses
    value: Int  # the bound of the guesses that are being tried, less `bound_base`
    is_selected: Int  # 1 if `with_bound` contains the guesses of that bound
    word: Int  # the word of `with_bound` that contains the next guess
    is_unordered: Int  # 1 if the guesses are to be ordered by the bounds of their cells
    most_score: Int  # the greatest score of any guess
    absent: Int  # bit set of the used symbols that no candidate contains


class GuessRanking:
    """The guesses at the current set in the order of their scores, as far as they are sorted."""

    requests: Int  # bounds of cells requested so far
    count: Int  # guesses sorted
    blocks: Int  # blocks of them that have planes
    inverted_score: Int  # 31 less the score of the guesses to sort next


class Goal(NamedTuple):
    """The costs that a search minimises: of one guess for one secret, and of a secret found at the last guess.

    `last` is added for a secret that is found at the last guess allowed. If `consistent`, guesses must be candidates.
    """

    guess: int
    last: int
    consistent: bool


class CurrentSet(NamedTuple):
    """A set to search: `members[start : start + n]`, to be found within `limit` guesses, and its Zobrist hash.

    `members` is free from `top` on.
    """

    depth: Int
    start: Int
    n: Int
    top: Int
    limit: Int
    key: np.uint64
    check: np.uint64


class TurnHistory(NamedTuple):
    """The turns before a set: their number, their symbols, and the symbols known absent at the start, a bit each."""

    turns: Int
    used: Int
    absent: Int


class GuessBatch(NamedTuple):
    """The m guesses whose cells need bounds, their greatest score, and the array to write the bounds to."""

    most_score: Int
    guesses: Annotated[NDArray[np.int32], "m"]
    lowers: Annotated[NDArray[np.int64], "m", "answer_count"]


class Workspace(NamedTuple):
    """The arrays that a search writes to.

    `members` is the capacity for all sets on a path, and `words` the number of words of a plane with one bit for each
    guess.
    """

    state: Annotated[RecordArray[SearchState], 1]
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that other threads read and write: see `shared_words`
    nodes: Annotated[RecordArray[NodeState], "depths"]
    members: Annotated[NDArray[np.int32], "members"]  # the sets on the path, one after another
    member_keys: Annotated[NDArray[np.uint64], "members", 2]  # random words of the members of current sets
    set_planes: Annotated[NDArray[np.uint64], "depths", "planes"]  # bit planes of current sets
    # Masks of the answers between members of a current set.
    answer_masks: Annotated[NDArray[np.uint64], "depths", MOST_MASKED * MOST_MASKED // 64 * MASK_WORDS]
    answers_met: Annotated[NDArray[np.int64], "depths", MOST_MASKED]  # number of different answers to a member
    cells: Annotated[NDArray[np.uint64], "cells"]  # masks of the cells of the guess that is being tried
    small_cell: Annotated[NDArray[np.int32], MOST_ANSWERS]  # the codes of a small cell
    # Cells of the guess that is being tried, by answer index:
    size: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]
    start: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]  # in `members`
    lower: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]  # lower bounds of their costs
    key: Annotated[NDArray[np.uint64], "depths", 2, MOST_ANSWERS]  # Zobrist hashes
    is_solved: Annotated[NDArray[np.bool_], "depths", MOST_ANSWERS]
    open_cells: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]  # answer indices of cells to search, by size
    # Bit-sliced numbers, one for each guess: 31 less the score, and lower bounds of the cost less `bound_base`.
    inverted_scores: Annotated[NDArray[np.uint64], "depths + 1", "scores"]
    bounds: Annotated[NDArray[np.uint64], "depths + 1", "bounds"]
    # Sets of guesses, a bit each:
    to_try: Annotated[NDArray[np.uint64], "depths", "words"]  # the guesses to try for a current set
    with_bound: Annotated[NDArray[np.uint64], "depths + 1", "words"]  # those with one bound that are left
    permitted: Annotated[NDArray[np.uint64], "words"]  # guesses that the goal permits
    given_guesses: Annotated[NDArray[np.uint64], "words"]  # guesses to search at depth 0 that are not done
    kept_guesses: Annotated[NDArray[np.uint64], "words"]  # scratch
    marks: Annotated[NDArray[np.uint64], 7 * ROWS]  # scratch of the scans
    counters: Annotated[NDArray[np.uint64], MOST_ANSWERS + 2, COUNTER_BITS * LANES]
    seen: Annotated[NDArray[np.uint64], SEEN, 3]  # partitions of guesses that were tried: node id and hash
    class_of: Annotated[NDArray[np.int64], CLASSES]  # sets of interchangeable symbols
    class_mask: Annotated[NDArray[np.uint64], CLASSES, "words"]  # the guesses that name those in increasing order
    rankings: Annotated[RecordArray[GuessRanking], "depths"]
    ranked_guess: Annotated[NDArray[np.int32], "depths", "ranked"]
    ranked_score: Annotated[NDArray[np.int64], "depths", "ranked"]
    ranked_planes: Annotated[NDArray[np.uint64], "depths", "planes"]
    cost_sum: Annotated[NDArray[np.float64], SIZE_CLASSES]  # guesses for each code, summed over solved sets
    cost_count: Annotated[NDArray[np.float64], SIZE_CLASSES]  # the weight of those sets
    gain_sum: Annotated[NDArray[np.float64], SIZE_CLASSES]  # what scans of cells added to their bounds
    gain_count: Annotated[NDArray[np.float64], SIZE_CLASSES]  # the number of those scans
    queue: Annotated[NDArray[np.int64], MOST_ANSWERS]  # scratch: cells to scan, with the gains expected
    expected_gain: Annotated[NDArray[np.float64], MOST_ANSWERS]
    # The symmetry group of the set at each depth: number of elements, their permutations of places, their symbol maps.
    group_size: Annotated[NDArray[np.int64], "depths"]
    group_order: Annotated[NDArray[np.int16], "depths", "elements"]
    group_map: Annotated[NDArray[np.uint8], "depths", "elements", 16]
    turn_guess: Annotated[NDArray[np.int32], HASHED_TURNS]  # the first turns on the path
    turn_answer: Annotated[NDArray[np.int32], HASHED_TURNS]
    order_hash: Annotated[NDArray[np.uint64], "elements"]  # scratch: a hash for each permutation of places
    order_part: Annotated[NDArray[np.uint64], "elements"]
    listed_guesses: Annotated[NDArray[np.int64], "guesses", 2]  # guesses listed at depth 0, with costs or bounds
    name: Annotated[NDArray[np.int32], 16]  # scratch: images of symbols


class Search(NamedTuple):
    """A search: the code space, the transposition table, the workspace and the goal."""

    game: Planes
    table: TranspositionTable
    work: Workspace
    goal: Goal


@kernel
def shared_target(work: Workspace) -> Int:
    """Return the cost that other threads have found for the set at depth 0."""
    return np.int64(read(work.shared, ZERO, BEST))


@kernel
def publish_guess(work: Workspace, guess: Int) -> None:
    """Show other threads which guess is being tried."""
    write(work.shared, ZERO, TRYING, np.uint64(guess + 1))


_EACH = np.uint64(0x111111111111)
_COPY = np.uint64(0xFFFF)


@kernel
def answer_index(game: Planes, g: Int, s: Int) -> Int:
    """Return the index of the answer to guess g if the secret is s."""
    x = np.uint64(game.places[g] ^ game.places[s])
    x |= x >> np.uint64(1)
    x |= x >> np.uint64(2)
    wrong = np.int64(popcount(x & _EACH))
    common = np.int64(popcount(game.copies[0, g] & game.copies[0, s]))
    if game.digits > 4:
        common += np.int64(popcount(game.copies[1, g] & game.copies[1, s]))
    return (common * (common + 1) >> 1) + game.digits - wrong


@entry
def answer_indices(
    game: Planes, g: Int, codes: Annotated[NDArray[np.int32], "n"], indices: Annotated[NDArray[np.int64], "n"]
) -> None:
    """Write the indices of the answers to guess g to `indices` (n,), one for each secret in `codes` (n,)."""
    for i in range(len(codes)):
        indices[i] = answer_index(game, g, codes[i])


@kernel
def symbol_mask(game: Planes, code: Int) -> Int:
    """Return the symbols of a code, a bit each."""
    return np.int64(game.copies[0, code] & _COPY)
