"""Arrays of the race kernels: the code space of a game, the workspace, and the tables of results.

- The *canonical form* of a candidate set, in names `form`, is everything about the set that can affect the race: its
  size and its options. Canonical forms are numbered from 1.
- An *option* is the effect of a guess on a set: whether it can hit, and the canonical forms of its other cells.
- A set is *separable* if one of its codes, guessed first, separates all others (docs/theory/race-public.md). The
  canonical form of a separable set has the size of the set as its number.
- A *partial form* belongs to a single large set whose options have not been computed. It contains the codes of the set
  and only one option, that of the first guess tried. When a search needs all options, they replace this one: the
  partial form is *expanded* to a canonical form.
- A *fixed strategy* for a set always plays the best option by a certain measure, without regard to the other side. The
  number of codes that it finds with each guess gives bounds.

Options and cells are stored consecutively:

    form f      options first[f, 0] to first[f, 1]
    option o    hit[o], cells begin[o] to begin[o + 1], by size and then number of the form

Answers are numbered from 0 in the order of `Rules.hints`, so the win is the last one. For three digits:

    0H0B 0   0H1B 1   0H2B 2   0H3B 3   1H0B 4   1H1B 5   1H2B 6   2H0B 7   3H0B 8

Tables only grow, so that numbers stay valid. The arrays `listed` (form is expanded) and `sketched` (codes of a partial
form) have the names of the file format.
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
    hints: int  # number of different answers; the win has the last number
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # symbol of each code at each place
    values: Annotated[NDArray[np.int32], "g"]  # value of each code: its digits read in base s
    number: Annotated[NDArray[np.int32], "s ** d"]  # guess with each value, or -1
    # number of the answer to each guess (row) from each code (column)
    answers: Annotated[NDArray[np.uint8], "g", "g"]
    # The answers of each code as bits, in planes of eight answers; one byte per guess, eight guesses per word.
    signs: Annotated[NDArray[np.uint64], "g", "planes", "words"]
    # Two random words for each code, by its value. Sums of the words of codes are the hashes of sets.
    names: Annotated[NDArray[np.uint64], "s ** d", 2]
    radix: Annotated[NDArray[np.int64], "d"]  # place values of base s, from the first digit on


DEPTHS = 40  # limit on the sets on a search path, each a cell of the one before
SEEN = 1 << 11  # number of entries in the table of partitions seen for the current set
NEAR = 1 << 15  # number of entries in the cache of sets by their own codes, which saves the hash of a repeated set

# Indices into `state`. SET_COUNT: the number of visited sets. LISTING: 1 to request all guesses at the set at depth 0.
# EXPAND_LIMIT: the largest size of a set at which all guesses are evaluated at once.
SET_COUNT, LISTING, EXPAND_LIMIT = range(3)
# Reasons why the computation stopped.
OUT_OF_WORKSPACE, OUT_OF_TABLES, TOO_DEEP, PASS_PAYS, OUT_OF_OPTIONS = range(OWN_REASONS, OWN_REASONS + 5)
BETWEEN = 64  # number of guesses processed between two checks whether the search must stop


class RaceWorkspace(NamedTuple):
    """Workspace for computing canonical forms. `members` and the guesses are stacks for the sets on the search path."""

    state: Annotated[NDArray[np.int64], 3]
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that this thread shares with others: see `shared_words`
    members: Annotated[NDArray[np.int32], "members"]  # codes of the sets on the path, one set after another
    answers: Annotated[NDArray[np.uint8], "guesses"]  # answers of the current set to the current guess
    # answers of a small set to each guess, four bits per code; the last word is 0
    packed: Annotated[NDArray[np.uint64], "guesses + 1"]
    partition_code: Annotated[NDArray[np.uint64], "guesses + 1"]  # partition of a small set by each guess, as one word
    start: Annotated[NDArray[np.int64], "depths", "hints"]  # start of each cell of the current guess in `members`
    size: Annotated[NDArray[np.int64], "depths", "hints"]
    cells: Annotated[NDArray[np.int64], "depths", "hints"]  # non-empty cells except the hit, ordered by size
    # canonical forms of the non-empty cells except the hit, in the order of `cells`
    form: Annotated[NDArray[np.int32], "depths", "hints"]
    # next lower symbol that is interchangeable with each symbol, or -1
    equivalent: Annotated[NDArray[np.int64], "depths", "symbols"]
    sums: Annotated[NDArray[np.uint64], "hints"]  # sum of the hash words of the codes in each cell
    # Hash table of the partitions seen for the current set: the hash of each partition, and a guess that gives it.
    seen_partition: Annotated[NDArray[np.uint64], SEEN]
    seen_guess: Annotated[NDArray[np.int32], SEEN]
    paired: Annotated[NDArray[np.int64], 2, "hints"]  # one-to-one mapping between the answers to two guesses
    near_name: Annotated[NDArray[np.uint64], NEAR, 2]
    near_form: Annotated[NDArray[np.int32], NEAR]
    # number of the last set that was marked to contain each code
    stamp: Annotated[NDArray[np.int64], "guesses"]
    # Guesses to keep for the sets on the search path, one set after another, and the cells of these guesses.
    option_guess: Annotated[NDArray[np.int32], "options"]
    option_hit: Annotated[NDArray[np.uint8], "options"]
    option_name: Annotated[NDArray[np.uint64], "options", 2]
    option_kept: Annotated[NDArray[np.uint8], "options"]
    option_begin: Annotated[NDArray[np.int32], "options + 1"]
    cell: Annotated[NDArray[np.int32], "8 * options"]
    cell_size: Annotated[NDArray[np.int32], "8 * options"]
    later: Annotated[NDArray[np.int32], "options"]  # guesses whose cells still need a search
    # answers that occur in a set, as bits like `RaceGame.signs`
    met: Annotated[NDArray[np.uint64], "planes", "words"]
    # number of different answers to each guess, one byte per guess
    distinct: Annotated[NDArray[np.uint64], "words"]
    sizes: Annotated[NDArray[np.int64], "hints"]
    # Scratch space for the hash of a candidate set.
    counted: Annotated[NDArray[np.int64], "digits", "symbols"]
    weights: Annotated[NDArray[np.uint64], 4, "max(digits, symbols)"]
    order: Annotated[NDArray[np.int64], "digits"]
    rank: Annotated[NDArray[np.int64], "symbols"]


class Frame(NamedTuple):
    """A set on the search path, `members[start : start + n]`, and the first free index of each stack above the set."""

    start: Int
    n: Int
    top: Int  # first free index of `members`
    first: Int  # first free index of the stack of guesses to keep
    later: Int  # first free index of the stack of guesses whose cells need a search


class Survey(NamedTuple):
    """Statistics of all guesses at a large set, for bounds before the guesses are evaluated.

    `two` is the largest number of codes found within two guesses, and `three` is an upper bound for three guesses.
    `alone` is the maximum of the number of cells, plus two if the guess can hit, as in `RaceTables`.
    """

    two: Int
    three: Int
    alone: Int


# length of finish distributions, in guesses; the last three entries represent all larger numbers of guesses
GUESSES = 16
# A fixed strategy for a set ignores the other side. Fixed strategy 0 minimises the total number of guesses.
# Fixed strategy p > 0 maximises the sum of HASTE[p - 1]^k over the secrets, where guess k finds the secret.
HASTE = (0.25, 0.5, 0.75)
PACES = 1 + len(HASTE)

# Indices into `used`: numbers of stored sets, canonical forms, guesses at sets, cells, and codes of large sets.
SETS, FORMS, OPTIONS, CELLS, CODES = range(5)


class RaceTables(NamedTuple):
    """Results so far: the candidate sets by hash, their canonical forms, and the guesses at them with their cells."""

    perfect: int  # limit on the size of a set of which one code, guessed first, separates all others
    used: Annotated[NDArray[np.int64], 5]  # numbers of used entries: sets, canonical forms, guesses, cells, codes
    set_name: Annotated[NDArray[np.uint64], "sets", 2]
    set_form: Annotated[NDArray[np.int32], "sets"]
    # hash table with the numbers of candidate sets, by open addressing; -1 if the entry is empty
    set_at: Annotated[NDArray[np.int32], "2 * sets"]
    # hash of each canonical form; 0 if one code separates all others, and if only one guess was evaluated
    form_name: Annotated[NDArray[np.uint64], "forms", 2]
    # hash table with the numbers of canonical forms, by open addressing; -1 if the entry is empty
    form_at: Annotated[NDArray[np.int32], "2 * forms"]
    size: Annotated[NDArray[np.int32], "forms"]  # number of codes in a set with this canonical form
    first: Annotated[NDArray[np.int32], "forms", 2]
    # flag: 1 if all useful guesses at a set are stored, 0 if only one guess is
    listed: Annotated[NDArray[np.uint8], "forms"]
    # start in `code` of the codes of a large set, if only one guess at the set is stored
    sketched: Annotated[NDArray[np.int64], "forms"]
    code: Annotated[NDArray[np.int16], "codes"]
    hit: Annotated[NDArray[np.uint8], "options"]
    begin: Annotated[NDArray[np.int32], "options + 1"]
    cell: Annotated[NDArray[np.int32], "cells"]  # canonical form of each cell, as a number
    # upper bound on the codes that any strategy finds within each number of guesses
    within: Annotated[NDArray[np.int32], "forms", GUESSES]
    pace: Annotated[NDArray[np.int32], "forms", PACES, GUESSES]  # codes that each fixed strategy finds with each guess
    worth: Annotated[NDArray[np.float64], "forms", PACES]  # value of the sum that each fixed strategy maximises
    # maximum over all guesses of the number of cells, plus two if the guess can hit
    alone: Annotated[NDArray[np.int32], "forms"]


@kernel
def find(names: NDArray[np.uint64], places: NDArray[np.int32], key: np.uint64, check: np.uint64) -> Int:
    """Return the index in the hash table `places` of the entry with this hash, or of the empty entry for it.

    `names` contains the hashes, and `places` the numbers of candidate sets or canonical forms, or -1.
    """
    mask = np.uint64(len(places) - 1)
    i = key & mask
    while places[i] >= 0 and (names[places[i], 0] != key or names[places[i], 1] != check):
        i = (i + ONE) & mask
    return np.int64(i)


@entry
def number(tables: RaceTables, begin: Int, sets: Int, forms: Int) -> None:
    """Add new entries to the hash tables: candidate sets and canonical forms, from the numbers in `begin` on.

    `sets` and `forms` are the numbers after the last new entries.
    """
    for i in range(begin, sets):
        name = tables.set_name[i]
        tables.set_at[find(tables.set_name, tables.set_at, name[0], name[1])] = i
    for i in range(begin, forms):
        name = tables.form_name[i]
        if name[0]:
            tables.form_at[find(tables.form_name, tables.form_at, name[0], name[1])] = i
