"""The workspace of a search: arrays with a row for each depth, so that entering a candidate set allocates no memory.

- A set of codes is a slice of `work.members`. The *current set* of a depth is the set that is being searched there.
  `nodes` contains the state of its search, `set_planes` its bit planes, and the arrays `ranked_*` its guesses in the
  order of their scores.
- The *current guess* is the guess that is being tried at the current set.
- The *score* of a guess at a set is p + w. Here p is the number of different answers that the codes of the set give,
  and w is 1 if the guess is itself one of them, else 0. Only the guess itself can be found at once, and only one code
  of each other cell with the next guess. So the score is the greatest number of guesses that can be saved in total,
  compared with finding every code at the third guess.
- The *limit* of a set is the number of guesses within which all its codes must be found.
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

# Largest number of codes of a candidate set for which the answer of each member to each member is stored
# (`answer_masks`).
MOST_MASKED = 512
# Number of words of `answer_masks` for one guess and 64 members. Word r has one bit for each of the 64 members: 1 if
# the member gives the answer with index r. There are at most 28 answers. The number is a multiple of 8, because vectors
# have eight words.
MASK_WORDS = 32
SIZE_CLASSES = 256  # number of ranges of candidate set sizes; the average cost of a set is recorded for each range
SEEN = 1 << 14  # number of partitions that are remembered, to recognise guesses with equal partitions
CLASSES = 128  # number of sets of interchangeable symbols for which the guesses to try are cached
HASHED_TURNS = 3  # largest number of turns from which the hash of a large candidate set is computed

WORKSPACE_FULL, TABLE_FULL = OWN_REASONS, OWN_REASONS + 1  # reasons why a search stopped

# Modes of a search at depth 0: return the cost, list guesses, or search only the guesses in `given_guesses`.
COST_ONLY, LIST_GUESSES, GIVEN_GUESSES = range(3)


class SearchState:
    """The part of the state of a search that exists once, and not for each depth."""

    table_limit: Int  # limit on the used entries of the transposition table; the search stops there
    table_used: Int  # number of entries of the transposition table that are used
    node_id: Int  # number of the last set (node) whose search has begun
    mode: Int  # mode of the search: COST_ONLY, LIST_GUESSES or GIVEN_GUESSES
    list_limit: Int  # number of guesses to list
    listed: Int  # number of guesses in `listed_guesses`
    # Block of 512 guesses that contained the guess of greatest score in the last scan of a cell. The next scan begins
    # there. The score of a guess is the number of different answers to it, plus 1 if it is in the cell.
    best_block: Int


class NodeState:
    """The state of the search of the current set of one depth."""

    node_id: Int  # number of the candidate set, from `SearchState.node_id`; `order_by_cells` gives the set a new one
    lower: Int  # lower bound of the cost, known before any guess is tried
    upper: Int  # upper bound of the cost, from the transposition table
    bound_bits: Int  # number of bits of the bounds of guesses
    value: Int  # lower bound of the total that all guesses tried now have in common, less `bound_base`
    is_selected: Int  # flag: 1 if `with_bound` contains the guesses whose lower bound is `value`
    word: Int  # index of the word of `with_bound` that contains the next guess to try
    is_unordered: Int  # flag: 1 if the guesses still have to be ordered by the bounds of their cells
    # Upper bound of the scores of all guesses at the candidate set. The score of a guess is the number of different
    # answers to it, plus 1 if it is in the set.
    most_score: Int
    absent: Int  # bit mask of the used symbols that no candidate contains and that may be exchanged with each other


class GuessRanking:
    """The ranking of the guesses at the current candidate set: a list of guesses by descending score.

    The list is sorted only up to the part that was needed so far. The *score* of a guess is the number of different
    answers to it, plus 1 if it is a candidate.
    """

    requests: Int  # number of cells of the candidate set for which a bound was requested
    count: Int  # number of guesses that are sorted by their scores so far
    blocks: Int  # number of blocks of sorted guesses for which bit planes are written
    # 31 - score of the guesses that are sorted next; this number rises from 0, so that the scores descend
    inverted_score: Int


class Goal(NamedTuple):
    """The cost that a search minimises: `guess` times the total number of guesses, plus `last` for each late secret.

    A secret is late if it is found at the last guess that the limit allows. If `consistent`, guesses must be
    candidates.
    """

    guess: int
    last: int
    consistent: bool


class CurrentSet(NamedTuple):
    """A set to search, the codes `Workspace.members[start : start + n]`.

    - `depth`: the depth of the recursion, from 0.
    - `top`: the index from which on `Workspace.members` is free.
    - `limit`: the number of guesses within which all codes must be found.
    - `key`, `check`: the two words of the Zobrist hash of the set.
    """

    depth: Int
    start: Int
    n: Int
    top: Int
    limit: Int
    key: np.uint64
    check: np.uint64


class TurnHistory(NamedTuple):
    """The turns before a candidate set: their number, and two bit masks of symbols.

    - `used`: the symbols in the turns, and those that were distinguishable before the first turn.
    - `absent`: the symbols that no candidate before the first turn contains. Symbols that the rules forbid at the first
      place are left out.
    """

    turns: Int
    used: Int
    absent: Int


class GuessBatch(NamedTuple):
    """A batch of m first guesses. `bound_guess_cells` computes lower bounds of their cells.

    `most_score` must be at least the score of every allowed guess at the candidate set. The score of a guess is the
    number of different answers to it, plus 1 if it is in the set. `lowers` is the array to which the bounds are
    written, with a row for each guess and a column for each answer index.
    """

    most_score: Int
    guesses: Annotated[NDArray[np.int32], "m"]
    lowers: Annotated[NDArray[np.int64], "m", "answer_count"]


class Workspace(NamedTuple):
    """The arrays that a search changes.

    In the shapes, "members" is the number of codes that the array `members` can contain. "words" is the number of words
    with one bit for each guess.
    """

    state: Annotated[RecordArray[SearchState], 1]
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that this thread shares with others: see `shared_words`
    nodes: Annotated[RecordArray[NodeState], "depths"]
    # codes of the candidate sets from the root to the current set, one set after another
    members: Annotated[NDArray[np.int32], "members"]
    member_keys: Annotated[NDArray[np.uint64], "members", 2]  # random words of the codes in `members`, for hashes
    # bit planes of the candidate set at each depth, one bit for each member
    set_planes: Annotated[NDArray[np.uint64], "depths", "planes"]
    # For each depth, guess among the members, and answer: bit mask of the members that give this answer to the guess.
    answer_masks: Annotated[NDArray[np.uint64], "depths", MOST_MASKED * MOST_MASKED // 64 * MASK_WORDS]
    # for each member: the number of different answers that the members give if this member is the guess
    answers_met: Annotated[NDArray[np.int64], "depths", MOST_MASKED]
    # cells of the current guess as bit masks, with one bit for each member of the current candidate set
    cells: Annotated[NDArray[np.uint64], "cells"]
    small_cell: Annotated[NDArray[np.int32], MOST_ANSWERS]  # scratch space: the codes of a small cell
    # Arrays of the cells of the current guess, by depth and answer index, down to `open_cells`.
    size: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]
    start: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]  # start of each cell in `members`
    lower: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]  # lower bound of the cost of each cell
    key: Annotated[NDArray[np.uint64], "depths", 2, MOST_ANSWERS]  # Zobrist hash of each cell
    # Flag of each cell. During the search of the cells, it is 1 if the cost of the cell is known. Before, while
    # `open_guess` computes bounds of the cells, it is 1 if the transposition table has a bound of the cell.
    is_bounded: Annotated[NDArray[np.bool_], "depths", MOST_ANSWERS]
    # answer indices of the cells that have to be searched, the smallest cell first
    open_cells: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]
    # Two bit-sliced numbers of each guess. `inverted_scores` contains 31 - score, where the score of a guess is the
    # number of different answers to it, plus 1 if it is in the set. `bounds` contains the lower bound of the total with
    # this guess, less `bound_base`, which is 3 n - 31 for a set of n codes.
    inverted_scores: Annotated[NDArray[np.uint64], "depths + 1", "scores"]
    bounds: Annotated[NDArray[np.uint64], "depths + 1", "bounds"]
    # Sets of guesses, with one bit for each guess: the arrays down to `kept_guesses`.
    # guesses that are left to try at each current candidate set
    to_try: Annotated[NDArray[np.uint64], "depths", "words"]
    # guesses left to try whose lower bound is the current one (`value` in `NodeState`)
    with_bound: Annotated[NDArray[np.uint64], "depths + 1", "words"]
    permitted: Annotated[NDArray[np.uint64], "words"]  # allowed guesses: every guess, or only the codes of the set
    # those first guesses given by the caller that are not completely searched yet
    given_guesses: Annotated[NDArray[np.uint64], "words"]
    kept_guesses: Annotated[NDArray[np.uint64], "words"]  # scratch space: guesses that still have to be tried
    marks: Annotated[NDArray[np.uint64], 7 * ROWS]  # scratch space for the bounds of all guesses
    counters: Annotated[NDArray[np.uint64], MOST_ANSWERS + 2, COUNTER_BITS * LANES]
    # partitions of the guesses that were tried: number of the candidate set (node) and hash
    seen: Annotated[NDArray[np.uint64], SEEN, 3]
    # each set of interchangeable symbols for which `class_mask` has a row, as a bit mask
    class_of: Annotated[NDArray[np.int64], CLASSES]
    # for each set of symbols in `class_of`: the guesses in which these symbols first occur in increasing order
    class_mask: Annotated[NDArray[np.uint64], CLASSES, "words"]
    rankings: Annotated[RecordArray[GuessRanking], "depths"]
    ranked_guess: Annotated[NDArray[np.int32], "depths", "ranked"]
    ranked_score: Annotated[NDArray[np.int64], "depths", "ranked"]
    ranked_planes: Annotated[NDArray[np.uint64], "depths", "planes"]
    # Sum of (total number of guesses / number of codes) over the solved sets, for each range of set sizes. The average
    # is the typical cost of a code in such a set.
    cost_sum: Annotated[NDArray[np.float64], SIZE_CLASSES]
    # number of solved sets in `cost_sum`, for each range of set sizes; older sets count as fractions
    cost_count: Annotated[NDArray[np.float64], SIZE_CLASSES]
    # Sum of the gains of cells, for each range of cell sizes. The gain of a cell is the rise of its lower bound, in
    # guesses, when a scan of the guesses computes a new bound (`bound_cell`).
    gain_sum: Annotated[NDArray[np.float64], SIZE_CLASSES]
    # number of gains in `gain_sum`, for each range of cell sizes
    gain_count: Annotated[NDArray[np.float64], SIZE_CLASSES]
    # Scratch space: the cells for which `bound_cell` will compute bounds, in this order, and for each of them the
    # expected rise of its bound, in guesses, divided by its number of codes.
    queue: Annotated[NDArray[np.int64], MOST_ANSWERS]
    expected_gain: Annotated[NDArray[np.float64], MOST_ANSWERS]
    # Symmetry group of each current candidate set: number of elements, and the permutation of places and symbol map of
    # each.
    group_size: Annotated[NDArray[np.int64], "depths"]
    group_order: Annotated[NDArray[np.int16], "depths", "elements"]
    group_map: Annotated[NDArray[np.uint8], "depths", "elements", 16]
    # guesses of the first turns before the current candidate set, because large sets may be hashed by their turns
    turn_guess: Annotated[NDArray[np.int32], HASHED_TURNS]
    turn_answer: Annotated[NDArray[np.int32], HASHED_TURNS]
    order_hash: Annotated[NDArray[np.uint64], "elements"]  # scratch space: a hash for each permutation of places
    order_part: Annotated[NDArray[np.uint64], "elements"]
    # guesses listed at depth 0, each with its cost or its bound
    listed_guesses: Annotated[NDArray[np.int64], "guesses", 2]
    # scratch space: the image of each symbol under the permutation that is being tested
    image: Annotated[NDArray[np.int32], 16]


class Search(NamedTuple):
    """The data of a search: code space, transposition table, workspace, and the goal, which is the cost to minimise."""

    game: Planes
    table: TranspositionTable
    work: Workspace
    goal: Goal


@kernel
def shared_target(work: Workspace) -> Int:
    """Return the least cost that other threads have found for the candidate set at depth 0."""
    return np.int64(read(work.shared, ZERO, BEST))


@kernel
def publish_guess(work: Workspace, guess: Int) -> None:
    """Write the number of the guess that is being tried, plus 1, to a word that other threads read."""
    write(work.shared, ZERO, TRYING, np.uint64(guess + 1))


_EACH = np.uint64(0x111111111111)
_COPY = np.uint64(0xFFFF)


@kernel
def answer_index(game: Planes, g: Int, s: Int) -> Int:
    """Return the index of the answer that guess g gets if s is the secret. Both are guess numbers."""
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
    """Write the answer index of guess g for each secret in `codes` (n,) to `indices` (n,)."""
    for i in range(len(codes)):
        indices[i] = answer_index(game, g, codes[i])


@kernel
def symbol_mask(game: Planes, code: Int) -> Int:
    """Return the symbols of a code as a bit mask."""
    return np.int64(game.copies[0, code] & _COPY)
