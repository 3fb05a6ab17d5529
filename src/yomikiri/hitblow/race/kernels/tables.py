"""Arrays of the race kernels: the code space of a game, the workspace, and the tables of results.

Hints are numbered from 0 in the order of `Rules.hints`, so the win is the last one. For three digits:

    0H0B 0   0H1B 1   0H2B 2   0H3B 3   1H0B 4   1H1B 5   1H2B 6   2H0B 7   3H0B 8

Tables only grow, so that numbers stay valid.

The *form* of a candidate set is everything about it that can affect the race: its size and its options. An *option* is
the effect of a guess: whether it can hit, and the forms of its other cells. Forms are numbered from 1. The first ones,
up to the number of hints, are the forms of *separable* sets of that size (docs/theory/race-public.md). Options and
cells are stored consecutively:

    form f      options first[f, 0] to first[f, 1]
    option o    hit[o], cells begin[o] to begin[o + 1], by size and then number

A *partial form* belongs to a single large set whose options have not been computed. It has the codes of the set, and as
its only option that of one guess, which gives a fixed strategy. When a search needs its options, they replace this one,
and the form is *expanded*. The arrays `sketched` and `listed` keep these states under the names of the file format.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.bits import ONE, Int
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import OWN_REASONS, SHARED


class RaceGame(NamedTuple):
    """The code space of one game, constant for the kernels: g guesses, d digits, s symbols."""

    digits: int
    symbols: int
    hints: int  # number of hints; the last one is the win
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # the symbol at each place
    values: Annotated[NDArray[np.int32], "g"]  # the code as a number in base s
    number: Annotated[NDArray[np.int32], "s ** d"]  # the guess with this value, or -1
    answers: Annotated[NDArray[np.uint8], "g", "g"]  # the hint to a guess (row) from a code (column)
    # The hints of a code as bits, for eight guesses per word.
    signs: Annotated[NDArray[np.uint64], "g", "planes", "words"]
    # Two random words for each value. Their sums are the hashes of sets.
    names: Annotated[NDArray[np.uint64], "s ** d", 2]
    radix: Annotated[NDArray[np.int64], "d"]  # place values of the number


DEPTHS = 40  # sets on a path, each a cell of the one before
SEEN = 1 << 11  # size of the table of partitions seen for the current set
NEAR = 1 << 15  # size of the cache of sets by their codes, which avoids renaming a repeated set

# Entries of `state`: the number of visited sets (SET_COUNT); LISTING to request the options of the set at depth 0; and
# the size above which sets get a partial form (EXPAND_LIMIT).
SET_COUNT, LISTING, EXPAND_LIMIT = range(3)
# Reasons why the search stopped.
OUT_OF_WORKSPACE, OUT_OF_TABLES, TOO_DEEP, PASS_PAYS, OUT_OF_OPTIONS = range(OWN_REASONS, OWN_REASONS + 5)
BETWEEN = 64  # guesses between two polls


class RaceWorkspace(NamedTuple):
    """Workspace for computing forms. Members and options are stacks along the current path."""

    state: Annotated[NDArray[np.int64], 3]
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that other threads read and write: see `shared_words`
    members: Annotated[NDArray[np.int32], "members"]  # the sets on the path, consecutively
    answers: Annotated[NDArray[np.uint8], "guesses"]  # answers of the set being divided
    packed: Annotated[NDArray[np.uint64], "guesses + 1"]  # answers of a small set to every guess; the last word is 0
    partition_code: Annotated[NDArray[np.uint64], "guesses + 1"]  # encoded partition of a small set by each guess
    start: Annotated[NDArray[np.int64], "depths", "hints"]  # where the cells of the current guess begin in `members`
    size: Annotated[NDArray[np.int64], "depths", "hints"]
    cells: Annotated[NDArray[np.int64], "depths", "hints"]  # the non-empty cells except the hit, small ones first
    form: Annotated[NDArray[np.int32], "depths", "hints"]  # their forms
    equivalent: Annotated[NDArray[np.int64], "depths", "symbols"]  # the previous symbol of the same class, or -1
    sums: Annotated[NDArray[np.uint64], "hints"]  # sums of the hashes of the codes in each cell
    # Partitions seen for the current set, by hash, and a guess with each.
    seen_partition: Annotated[NDArray[np.uint64], SEEN]
    seen_guess: Annotated[NDArray[np.int32], SEEN]
    paired: Annotated[NDArray[np.int64], 2, "hints"]  # correspondence between the answers to two guesses
    near_name: Annotated[NDArray[np.uint64], NEAR, 2]
    near_form: Annotated[NDArray[np.int32], NEAR]
    stamp: Annotated[NDArray[np.int64], "guesses"]  # the number of the last set marked to contain each code
    # The options of the sets on the path, consecutively, and their cells.
    option_guess: Annotated[NDArray[np.int32], "options"]
    option_hit: Annotated[NDArray[np.uint8], "options"]
    option_name: Annotated[NDArray[np.uint64], "options", 2]
    option_kept: Annotated[NDArray[np.uint8], "options"]
    option_begin: Annotated[NDArray[np.int32], "options + 1"]
    cell: Annotated[NDArray[np.int32], "8 * options"]
    cell_size: Annotated[NDArray[np.int32], "8 * options"]
    later: Annotated[NDArray[np.int32], "options"]  # guesses still to be processed
    met: Annotated[NDArray[np.uint64], "planes", "words"]  # the hints of a set, as in `RaceGame.signs`
    distinct: Annotated[NDArray[np.uint64], "words"]  # number of different hints, one byte per guess
    sizes: Annotated[NDArray[np.int64], "hints"]
    # Scratch space for hashing.
    counted: Annotated[NDArray[np.int64], "digits", "symbols"]
    weights: Annotated[NDArray[np.uint64], 4, "max(digits, symbols)"]
    order: Annotated[NDArray[np.int64], "digits"]
    rank: Annotated[NDArray[np.int64], "symbols"]


class Frame(NamedTuple):
    """A set on the search path, `members[start : start + n]`, and the first free entries of the stacks above it."""

    start: Int
    n: Int
    top: Int  # of `members`
    first: Int  # of the options
    later: Int  # of `later`


class Survey(NamedTuple):
    """Statistics of the guesses at a set.

    `two` is the largest number of codes found within two guesses, `three` an upper bound for three guesses, and `alone`
    as in `Tables`.
    """

    two: Int
    three: Int
    alone: Int


GUESSES = 16  # length of finish distributions; the last three entries represent any larger number of guesses
# Each form has the finish distributions of a few fixed strategies: the one with the least total, and those that
# maximise the sum over the secrets of x^k, where k is the guess that finds the secret, for these values of x.
HASTE = (0.25, 0.5, 0.75)
PACES = 1 + len(HASTE)

# Entries of `used`.
SETS, FORMS, OPTIONS, CELLS, CODES = range(5)


class Tables(NamedTuple):
    """Results so far: hashed sets, forms with options and cells, and the codes of partial forms."""

    perfect: int  # forms up to this number are separable
    used: Annotated[NDArray[np.int64], 5]  # number of used entries of each kind
    set_name: Annotated[NDArray[np.uint64], "sets", 2]
    set_form: Annotated[NDArray[np.int32], "sets"]
    set_at: Annotated[NDArray[np.int32], "2 * sets"]  # set numbers by hash, open addressing, -1 if empty
    form_name: Annotated[NDArray[np.uint64], "forms", 2]  # 0 for separable and partial forms
    form_at: Annotated[NDArray[np.int32], "2 * forms"]  # form numbers by hash
    size: Annotated[NDArray[np.int32], "forms"]  # number of codes
    first: Annotated[NDArray[np.int32], "forms", 2]
    listed: Annotated[NDArray[np.uint8], "forms"]  # 1 if the form is expanded
    sketched: Annotated[NDArray[np.int64], "forms"]  # where the codes of a partial form begin in `code`
    code: Annotated[NDArray[np.int16], "codes"]
    hit: Annotated[NDArray[np.uint8], "options"]
    begin: Annotated[NDArray[np.int32], "options + 1"]
    cell: Annotated[NDArray[np.int32], "cells"]  # forms
    # upper bound on the codes found within this number of guesses
    within: Annotated[NDArray[np.int32], "forms", GUESSES]
    pace: Annotated[NDArray[np.int32], "forms", PACES, GUESSES]  # codes that a fixed strategy finds with each guess
    worth: Annotated[NDArray[np.float64], "forms", PACES]  # the maximised sum of each of these strategies
    alone: Annotated[NDArray[np.int32], "forms"]  # maximum of 2 x hit + cells over the options


@kernel
def find(names: NDArray[np.uint64], places: NDArray[np.int32], key: np.uint64, check: np.uint64) -> Int:
    """Return the index in `places` of the entry with this hash, or of the empty entry (-1) for it."""
    mask = np.uint64(len(places) - 1)
    i = key & mask
    while places[i] >= 0 and (names[places[i], 0] != key or names[places[i], 1] != check):
        i = (i + ONE) & mask
    return np.int64(i)


@entry
def number(tables: Tables, begin: Int, sets: Int, forms: Int) -> None:
    """Enter the sets and the forms from `begin` up to these numbers into the hash tables."""
    for i in range(begin, sets):
        name = tables.set_name[i]
        tables.set_at[find(tables.set_name, tables.set_at, name[0], name[1])] = i
    for i in range(begin, forms):
        name = tables.form_name[i]
        if name[0]:
            tables.form_at[find(tables.form_name, tables.form_at, name[0], name[1])] = i
