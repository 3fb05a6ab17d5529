"""The workspace of a search, and the set in hand: arrays with a row for each depth, so that a node allocates nothing.

A set is a stretch of `work.members`. Each set in hand keeps its planes in `current`, and its sorted guesses in the
arrays `ranked_*`.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.occurring import MOST_ANSWERS, ROWS
from yomikiri.hitblow.search.kernels.scan import COUNTER_BITS
from yomikiri.machine.bits import ZERO, Int, popcount
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import BEST, OWN_REASONS, SHARED, TRYING, read, write
from yomikiri.machine.vectors import LANES

MOST_MASKED = 512  # a set of so many codes has the masks of its own answers
MASK_WORDS = 32  # words of a member's masks, 64 members in each
SIZE_CLASSES = 256  # sizes that are told apart where costs are learned by size
SEEN = 1 << 14  # partitions kept to recognise the same one again
CLASSES = 128  # sets of alike symbols whose masks are kept
HASHED_TURNS = 3  # cells after so many turns are named by their turns

# Places in `state`. USED counts the slots taken of the memo, up to SPARE, SERIAL the sets searched. WANTED asks for
# guesses at depth 0: for the first whose cost is below a bound, MOST of them, or for the best of those that stand in
# `given_guesses`; LISTED of them are in `listed_guesses`. FOUND is the block of guesses in which a cell was last told
# apart.
SPARE, USED, SERIAL, WANTED, MOST, LISTED, FOUND = range(7)
WORKSPACE_FULL, TABLE_FULL = OWN_REASONS, OWN_REASONS + 1  # why a search stopped

# Places in `line`, of the set in hand at each depth: its serial number; the bounds known of its cost; how many bits the
# bounds of its guesses have, the least of these, and the word in which the next guess of one bound is looked for; the
# most p + w of any guess, and the symbols used that none of its codes has.
OF_SET, LOWER, ATTAINED, BOUND_BITS, VALUE, WORD, WITHIN, GONE = range(8)
NOTHING, LIST_OPTIMAL, GIVEN_GUESSES = range(3)


class Goal(NamedTuple):
    """What one guess and one secret found at the last guess allowed cost; whether only candidates are guessed."""

    guess: int
    last: int
    consistent: bool


class CurrentSet(NamedTuple):
    """A set that is searched: at its depth `members[start : start + n]`, with the guesses that may be made for it, and
    its name. Members are free from `top`."""

    depth: Int
    start: Int
    n: Int
    top: Int
    limit: Int
    key: np.uint64
    check: np.uint64


class TurnHistory(NamedTuple):
    """What came before a set: how many turns, their symbols, and those known absent from the start, a bit each."""

    turns: Int
    used: Int
    absent: Int


class GuessBatch(NamedTuple):
    """Guesses by which a set is divided, m of them, none of which finds more than `within` codes at once or at the next
    guess; and room for the lower bounds of the cells of each, by slot."""

    within: Int
    guesses: Annotated[NDArray[np.int32], "m"]
    lowers: Annotated[NDArray[np.int64], "m", "answer_count"]


class Workspace(NamedTuple):
    """Where the search writes: members is the room for all sets along a line, words are those of a plane."""

    state: Annotated[NDArray[np.int64], 7]
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that other threads read and write: see `shared_words`
    line: Annotated[NDArray[np.int64], "depths", 8]  # the sets in hand
    members: Annotated[NDArray[np.int32], "members"]  # the sets of codes along the line, one after another
    member_keys: Annotated[
        NDArray[np.uint64], "members", 2
    ]  # random numbers of codes, whose sums name the cells of sets in hand
    set_planes: Annotated[NDArray[np.uint64], "depths", "planes"]  # planes of the sets in hand
    answer_masks: Annotated[
        NDArray[np.uint64], "depths", MOST_MASKED * MOST_MASKED // 64 * MASK_WORDS
    ]  # masks of answers between members of a set in hand
    answers_met: Annotated[NDArray[np.int64], "depths", MOST_MASKED]  # how many different answers a member gets
    cells: Annotated[NDArray[np.uint64], "cells"]  # masks of the cells of the guess in hand
    small_cell: Annotated[NDArray[np.int32], MOST_ANSWERS]  # a small cell
    size: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]  # cells of the guess in hand
    start: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]  # where they begin in `members`
    lower: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]  # the least they cost
    open_cells: Annotated[NDArray[np.int64], "depths", MOST_ANSWERS]  # those that are open, small ones first
    is_solved: Annotated[NDArray[np.bool_], "depths", MOST_ANSWERS]  # those the memo knows
    key: Annotated[NDArray[np.uint64], "depths", 2, MOST_ANSWERS]  # their names
    inverted_scores: Annotated[NDArray[np.uint64], "depths + 1", "scores"]  # 31 - p - w of all guesses
    bounds: Annotated[NDArray[np.uint64], "depths + 1", "bounds"]  # their bounds
    to_try: Annotated[NDArray[np.uint64], "depths", "words"]  # guesses worth a try
    with_bound: Annotated[NDArray[np.uint64], "depths + 1", "words"]  # those of one bound
    permitted: Annotated[NDArray[np.uint64], "words"]  # guesses that may be made
    given_guesses: Annotated[NDArray[np.uint64], "words"]  # the guesses asked for at depth 0 that are still to be tried
    kept_guesses: Annotated[NDArray[np.uint64], "words"]  # scratch, some of them
    marks: Annotated[NDArray[np.uint64], 7 * ROWS]  # scratch of the scans
    counters: Annotated[NDArray[np.uint64], MOST_ANSWERS + 2, COUNTER_BITS * LANES]
    seen: Annotated[NDArray[np.uint64], SEEN, 3]  # partitions tried, by set and name
    class_of: Annotated[NDArray[np.int64], CLASSES]  # sets of alike symbols
    class_mask: Annotated[NDArray[np.uint64], CLASSES, "words"]  # guesses that name them in order
    ranked: Annotated[NDArray[np.int64], "depths", 4]  # of the guesses of a set in hand, sorted: see `bounds`
    ranked_guess: Annotated[NDArray[np.int32], "depths", "ranked"]
    ranked_level: Annotated[NDArray[np.int64], "depths", "ranked"]
    ranked_planes: Annotated[NDArray[np.uint64], "depths", "planes"]
    typical: Annotated[
        NDArray[np.float64], 2, SIZE_CLASSES
    ]  # of sets by size, guesses for each code, and of how many sets
    gain: Annotated[
        NDArray[np.float64], 2, SIZE_CLASSES
    ]  # of cells by size, what looking at them has added, and how often
    queue: Annotated[
        NDArray[np.int64], MOST_ANSWERS
    ]  # scratch, the cells that wait to be looked at, and what is hoped for
    hope: Annotated[NDArray[np.float64], MOST_ANSWERS]
    group_size: Annotated[NDArray[np.int64], "depths"]  # elements
    group_order: Annotated[NDArray[np.int16], "depths", "elements"]  # their permutations of places
    group_map: Annotated[NDArray[np.uint8], "depths", "elements", 16]  # where they take each symbol
    turn_guess: Annotated[NDArray[np.int32], HASHED_TURNS]  # the first turns
    turn_answer: Annotated[NDArray[np.int32], HASHED_TURNS]
    order_hash: Annotated[NDArray[np.uint64], "elements"]  # scratch, a number for each order of places
    order_part: Annotated[NDArray[np.uint64], "elements"]
    listed_guesses: Annotated[NDArray[np.int64], "guesses", 2]  # guesses listed at depth 0, with costs or bounds
    name: Annotated[NDArray[np.int32], 16]  # new names of symbols while they are renamed


@kernel
def shared_target(work: Workspace) -> Int:
    """What others say by now that a cost need be less than."""
    return np.int64(read(work.shared, ZERO, BEST))


@kernel
def publish_guess(work: Workspace, guess: Int) -> None:
    """Tell others which guess is tried."""
    write(work.shared, ZERO, TRYING, np.uint64(guess + 1))


_EACH = np.uint64(0x111111111111)
_COPY = np.uint64(0xFFFF)


@kernel
def answer_index(game: Planes, g: Int, s: Int) -> Int:
    """The slot of the answer to guess g when the secret is s."""
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
    """The slots of the answers to guess g when the secret is each of `codes` (n,): written to `indices` (n,)."""
    for i in range(len(codes)):
        indices[i] = answer_index(game, g, codes[i])


@kernel
def symbol_mask(game: Planes, code: Int) -> Int:
    """The symbols of a code, one bit each."""
    return np.int64(game.copies[0, code] & _COPY)
