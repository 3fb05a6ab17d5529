"""Data of the search on a table: the answers of n secrets to g guesses, the current set, the workspace.

Every secret is one of the guesses, and only that guess wins against it. A secret has a *weight*, and costs its weight
times the number of guesses that a strategy takes to find it. Secrets are numbered from the heaviest down, so every set
of secrets is in that order. Sets are slices of `members`; `partition` shows where the cells of a guess are written.

The *saving* of a guess at a set is an upper bound of what it saves of three guesses for every secret. At most one
secret of each cell, the heaviest, is found at the next guess, which saves one guess, and a win saves two:

    cost of the guess >= 3 * (weight of the set) - saving

A saving never grows if secrets are taken away, so the savings at a set limit those at each of its subsets.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.guessing.kernels.transposition_table import TranspositionTable
from yomikiri.machine.arrays import RecordArray
from yomikiri.machine.bits import Int
from yomikiri.machine.shared_words import OWN_REASONS, SHARED

MOST_BITS = 512  # for up to this many different answers, the answers to a guess are the bits of one vector
SEEN = 1 << 12  # partitions recorded; a power of two
WORKSPACE_FULL, TABLE_FULL = OWN_REASONS, OWN_REASONS + 1  # why a search stopped


class AnswerTable(NamedTuple):
    """The answers of a game: n secrets, g guesses, s >= g the distance between two rows."""

    answer_count: int  # answer indices; the win is the last
    answers: Annotated[NDArray[np.uint16], "n * s"]  # the answer index of secret i to guess k is at i * s + k
    between: Annotated[NDArray[np.uint16], "n", "n"]  # by guess and secret, for guesses that are secrets
    own: Annotated[NDArray[np.int64], "n"]  # the guess that names the secret
    weight: Annotated[NDArray[np.int64], "n"]
    keys: Annotated[NDArray[np.uint64], "n", 2]  # random words whose sums are Zobrist hashes
    bits: Annotated[NDArray[np.uint64], "bits"]  # the bit of each answer, eight words each; empty if not used
    # Classes of secrets, and the saving of every guess at each class: an upper limit of its saving at any subset.
    class_members: Annotated[NDArray[np.uint64], "classes", "(n + 63) // 64"]
    class_saving: Annotated[NDArray[np.int64], "classes", "g"]
    # The symbols of the guesses in a game of hard mode, otherwise no row.
    symbols: Annotated[NDArray[np.uint8], "places", "g"]


class TableState:
    """The state of a search on a table, and its settings."""

    node_id: Int  # of the last node entered
    table_used: Int  # entries of the transposition table taken so far
    table_limit: Int  # the search stops when it has taken this many entries
    candidates_only: Int  # 1 if only guesses that can be the secret are allowed
    guess_limit: Int  # guesses from depth 0 on after which every secret must be found
    stamp: Int  # the last number written to `stamps`


class TableSet(NamedTuple):
    """A current set, `members[start : start + n]`: its depth, the weight of its secrets, and its Zobrist hash."""

    depth: Int
    start: Int
    n: Int
    whole: Int
    key: np.uint64
    check: np.uint64


class TableWorkspace(NamedTuple):
    """The arrays that a search writes to."""

    state: Annotated[RecordArray[TableState], 1]
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that other threads read and write: see `shared_words`
    members: Annotated[NDArray[np.int32], "members"]  # the sets on the path, one after another
    set_answers: Annotated[NDArray[np.uint16], "n"]  # the answers of the set that is being divided
    row: Annotated[NDArray[np.int64], "n"]  # where the row of each member of a set begins in `answers`
    bonus: Annotated[NDArray[np.int64], "g"]  # the saving of a win, for guesses that are members of a set
    limit: Annotated[NDArray[np.int64], "g"]  # upper limits of the saving of each guess at a set
    stamps: Annotated[NDArray[np.int64], "answer_count"]  # marks answers that occurred
    best: Annotated[NDArray[np.int64], "depths"]  # the best guess at a set
    tried: Annotated[NDArray[np.int64], "depths"]  # the guess that divides a set
    saving: Annotated[NDArray[np.int64], "depths + 1", "g"]  # row d: limits of savings at a set of depth d
    guess: Annotated[NDArray[np.int64], "depths", "g"]  # the guesses left for a set
    bound: Annotated[NDArray[np.int64], "depths", "g"]  # their lower bounds
    size: Annotated[NDArray[np.int64], "depths", "answer_count"]  # sizes of cells
    start: Annotated[NDArray[np.int64], "depths", "answer_count"]  # their starts in `members`
    weight: Annotated[NDArray[np.int64], "depths", "answer_count"]  # the weights of all their secrets
    lower: Annotated[NDArray[np.int64], "depths", "answer_count"]  # lower bounds of their costs
    key: Annotated[NDArray[np.uint64], "depths", 2, "answer_count"]  # their Zobrist hashes
    order: Annotated[NDArray[np.int64], "depths", "answer_count"]  # open cells, the smallest first
    seen: Annotated[NDArray[np.uint64], SEEN, 3]  # partitions of guesses that were tried: node id and hash


class TableProblem(NamedTuple):
    """A search on a table: the answers, the transposition table and the workspace."""

    table: AnswerTable
    transpositions: TranspositionTable
    work: TableWorkspace
