"""Data of the search on a table: the answers of n secrets to g guesses, the current candidate set, the workspace.

Every secret is one of the guesses, and only that guess wins against it. A secret has a *weight*, and costs its weight
times the number of guesses that a strategy takes to find it. Secrets are sorted by weight, the heaviest first, so every
set of secrets is in that order. Sets are slices of `members`; `partition` shows where the cells of a guess are written.

Suppose that every secret of a set takes three guesses: this costs 3 * (weight of the set). After a guess, the second
guess finds at most one secret of each cell, at best the heaviest. This secret then takes two guesses instead of three.
The *saving* of the guess is the sum of the weights of these secrets, over all cells. If the guess itself is a secret of
the set, it may win, so that its winning cell takes one guess only. The second guess that is saved there is the *bonus*
of the guess: its weight, or 0 if it is not a member of the set. So the two numbers give a lower bound:

    cost of the guess >= 3 * (weight of the set) - saving - bonus

The arrays of savings do not contain the bonuses, which have an array of their own. A saving never grows if secrets are
taken away, so the savings at a set limit those at each of its subsets.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.kernels.transposition_table import TranspositionTable
from yomikiri.machine.arrays import RecordArray
from yomikiri.machine.bits import Int
from yomikiri.machine.shared_words import OWN_REASONS, SHARED

MOST_BITS = 512  # largest number of different answers that fit into one vector as bits
ANSWER_BITS = 16  # number of answers that one word of `answer_bits` can represent, with one bit for each
BLOCK = 256  # number of guesses that are scanned together, so that `met` and `sums` stay in the fastest cache
WORD = 64  # largest number of secrets of a small set, whose subsets are bit masks of one word
SEEN = 1 << 12  # number of entries of the table of partitions (`seen`); a power of two
WORKSPACE_FULL, TABLE_FULL = OWN_REASONS, OWN_REASONS + 1  # reasons why a search stopped


class AnswerTable(NamedTuple):
    """The answers of n secrets to g guesses. The distance between two rows of `answers` is s >= g."""

    answer_count: int  # number of answer indices; the last index is the winning answer
    answers: Annotated[NDArray[np.uint16], "n * s"]  # the answer index of secret i to guess k is at i * s + k
    # Answer index of each secret (column) to each secret as a guess (row).
    between: Annotated[NDArray[np.uint16], "n", "n"]
    own: Annotated[NDArray[np.int64], "n"]  # for each secret, the index of the guess that is equal to it
    weight: Annotated[NDArray[np.int64], "n"]
    # Two random words for each secret; the sums over a candidate set are its Zobrist hash.
    keys: Annotated[NDArray[np.uint64], "n", 2]
    # For each answer, a vector of eight words in which only the bit of this answer is 1. Empty if there are too many
    # answers or if weights differ. Then the search marks the answers that occur in `stamps` instead.
    bits: Annotated[NDArray[np.uint64], "bits"]
    # The answers are divided into groups of ANSWER_BITS. For each group, secret and guess, there is a word of 16 bits.
    # The bit of the answer is 1, and all other bits are 0. If the answer is in another group, the whole word is 0. The
    # array is empty if there are too many answers or words.
    answer_bits: Annotated[NDArray[np.uint16], "groups", "n", "s"]
    # Classes: some sets of secrets, such as all secrets with a certain symbol, as bit sets. The saving of a guess (the
    # sum of the heaviest weights of its cells) at a class is an upper limit of its saving at each subset of the class.
    class_members: Annotated[NDArray[np.uint64], "classes", "(n + 63) // 64"]
    class_saving: Annotated[NDArray[np.int64], "classes", "g"]
    # Symbols of the guesses, by place, in hard mode. No row in other games.
    symbols: Annotated[NDArray[np.uint8], "places", "g"]
    # cost of guess 1, 2, ... per unit of weight; the last element holds for all later guesses
    step: Annotated[NDArray[np.int64], "steps"]
    # Symbols of the guesses, by guess, if some symbols are interchangeable. No row in other games.
    codes: Annotated[NDArray[np.uint8], "g", "places"]


class TableState:
    """Counters and settings of a search that uses an answer table."""

    node_id: Int  # id of the last node that the search entered
    table_used: Int  # number of entries that the search has added to the transposition table
    table_limit: Int  # number of entries after which the search stops, so that the table can grow
    candidates_only: Int  # 1 if only guesses that can be the secret are allowed
    guess_limit: Int  # limit on the number of guesses for each secret, counted from depth 0
    stamp: Int  # last number written to the array `stamps`
    # 1 if lower bounds of the costs of cells influence the order of the guesses; 0 if the order follows from the
    # savings alone
    by_cells: Int
    unused: Int  # bit mask of the symbols that no secret contains


class TableSet(NamedTuple):
    """A set of candidates, `members[start : start + n]`, with its depth, total weight and Zobrist hash."""

    depth: Int
    start: Int
    n: Int
    whole: Int
    key: np.uint64
    check: np.uint64


class TableWorkspace(NamedTuple):
    """The arrays that a search on an answer table writes to."""

    state: Annotated[RecordArray[TableState], 1]
    # Words that stop the search and count its nodes: see `machine.shared_words`.
    shared: Annotated[NDArray[np.uint64], 1, SHARED]
    # Candidate sets from the root to the current node, one after another.
    members: Annotated[NDArray[np.int32], "members"]
    set_answers: Annotated[NDArray[np.uint16], "n"]  # answer of each member of the set to the guess that divides it
    # index in `answers` at which the row of each member of a candidate set begins
    row: Annotated[NDArray[np.int64], "n"]
    # Bonus of each guess: its weight if it is a member of the candidate set, otherwise 0. If guesses differ in cost,
    # the weight is multiplied by the cost of the second guess.
    bonus: Annotated[NDArray[np.int64], "g"]
    # for each guess, an upper limit of its saving at the current candidate set (the sum of the heaviest weights of its
    # cells)
    limit: Annotated[NDArray[np.int64], "g"]
    # Four guesses are scanned together. The number at index 4 * r + j belongs to answer r and to guess j of the four:
    # the number of the last scan (`TableState.stamp`) in which that answer occurred. Each scan has a new number, so it
    # need not clear the array.
    stamps: Annotated[NDArray[np.int64], "4 * answer_count"]
    met: Annotated[NDArray[np.uint16], BLOCK]  # answers seen so far, as bits, for each guess of a block
    # saving of each guess of a block, in multiples of a unit that makes it fit 16 bits (see `scan`)
    sums: Annotated[NDArray[np.uint16], BLOCK]
    # For a small candidate set: `each[i]` is the weight of member i. `near[g, s]` is the answer index if member g is
    # the guess, and member s the secret.
    each: Annotated[NDArray[np.int64], WORD]
    near: Annotated[NDArray[np.uint8], WORD, WORD]
    # cells of a guess at a small candidate set, as bit masks of members
    cell: Annotated[NDArray[np.uint64], "answer_count"]
    interchangeable: Annotated[
        NDArray[np.int64], "depths + 1"
    ]  # interchangeable symbols at the set of a depth, as a bit mask
    best: Annotated[NDArray[np.int64], "depths"]  # best guess so far, for the set of each depth
    tried: Annotated[NDArray[np.int64], "depths"]  # guess that is being tried, for the set of each depth
    # Savings of all guesses at the candidate sets on the path, or upper limits of them. Row d + 1 is for the set of
    # depth d, and row 0 for the set of all secrets. The saving of a guess is the sum of the heaviest weights of its
    # cells.
    saving: Annotated[NDArray[np.int64], "depths + 1", "g"]
    guess: Annotated[NDArray[np.int64], "depths", "g"]  # guesses not yet tried, for the set of each depth
    bound: Annotated[NDArray[np.int64], "depths", "g"]  # lower bound of the cost of each guess in `guess`
    # Size of each cell of the guess that is being tried, for each depth.
    size: Annotated[NDArray[np.int64], "depths", "answer_count"]
    start: Annotated[NDArray[np.int64], "depths", "answer_count"]  # start of each cell in `members`
    weight: Annotated[NDArray[np.int64], "depths", "answer_count"]  # sum of the weights of the secrets of each cell
    lower: Annotated[NDArray[np.int64], "depths", "answer_count"]  # lower bound of the cost of each cell
    key: Annotated[NDArray[np.uint64], "depths", 2, "answer_count"]  # Zobrist hash of each cell, two words
    # Answer indices of the cells that have to be searched, in the order of the search.
    order: Annotated[NDArray[np.int64], "depths", "answer_count"]
    # Hash table of the partitions into which earlier guesses divided candidate sets. An entry consists of the node id
    # of the set, and of the two words of the partition's hash.
    seen: Annotated[NDArray[np.uint64], SEEN, 3]


class TableProblem(NamedTuple):
    """A search on a table: the answers, the transposition table and the workspace."""

    table: AnswerTable
    transpositions: TranspositionTable
    work: TableWorkspace
