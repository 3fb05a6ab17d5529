"""Arrays of the race kernels: the code space of a game, the workspace, and the tables of results.

- The *canonical form* of a candidate set, in names `form`, is everything about the set that can affect the race: its
  size and its options. Canonical forms are numbered from 1.
- An *option* is the effect of a guess at a set: whether it can be the secret, and the canonical forms of its other
  cells.
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
    """The codes and answers of one game, constant for the kernels: g guesses, each of d digits with s symbols."""

    digits: int
    symbols: int
    hints: int  # number of different answers, which are numbered from 0; the win is the last one
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # symbol of each code at each place
    values: Annotated[NDArray[np.int32], "g"]  # value of each code: its symbols read as a number to the base s
    # number of each guess, by its value (its symbols read as a number to the base s); -1 if no guess has the value
    number: Annotated[NDArray[np.int32], "s ** d"]
    # number of the answer to each guess (row) if each code (column) is the secret
    answers: Annotated[NDArray[np.uint8], "g", "g"]
    # answers as bits, in *planes* of eight answer numbers: plane p has a bit for each of the answers 8 p to 8 p + 7
    # In plane p, code c has a byte for each guess: bit b is set if c gives answer number 8 p + b to the guess.
    # A word of 64 bits contains the bytes that one code has for eight guesses in one plane.
    signs: Annotated[NDArray[np.uint64], "g", "planes", "words"]
    # Two random words of 64 bits for each code, by its value. The hash of a set is the sum of the words of its codes.
    names: Annotated[NDArray[np.uint64], "s ** d", 2]
    radix: Annotated[NDArray[np.int64], "d"]  # place values of numbers to the base s, that of the first digit first


DEPTHS = 40  # limit on the length of a search path, in candidate sets; each set is a cell of the one before
# number of entries in the hash table that recognises a guess dividing the current set like an earlier guess
SEEN = 1 << 11
# number of entries in a cache of recent candidate sets, which avoids the slow hash under symmetry for a repeated set
NEAR = 1 << 15

# SET_COUNT, LISTING and EXPAND_LIMIT are indices into the array `state` of the workspace (class RaceWorkspace).
# `state[SET_COUNT]` is the number of candidate sets visited so far.
# `state[LISTING]` is 1 if the search must list all guesses at the set with which it begins, otherwise 0.
# `state[EXPAND_LIMIT]`: if a set has more codes than this, only one guess is evaluated at first, otherwise all guesses.
SET_COUNT, LISTING, EXPAND_LIMIT = range(3)
# Reasons why a kernel stopped before its computation was complete, as numbers.
OUT_OF_WORKSPACE, OUT_OF_TABLES, TOO_DEEP, PASS_PAYS, OUT_OF_OPTIONS = range(OWN_REASONS, OWN_REASONS + 5)
BETWEEN = 64  # number of guesses processed between two checks whether the search must stop


class RaceWorkspace(NamedTuple):
    """Workspace for computing canonical forms. A *canonical form* is everything about a set that can affect the race.

    A search path leads from a candidate set to one of its cells, then to a cell of that cell, and so on. The workspace
    contains stacks of codes (`members`) and of guesses. Each set on the path has a section of each stack.
    """

    state: Annotated[NDArray[np.int64], 3]
    # stop flag, limits and counters of the search, which other threads read and write too (module `shared_words`)
    shared: Annotated[NDArray[np.uint64], 1, SHARED]
    # numbers of the codes of the candidate sets on the search path, one set after another
    members: Annotated[NDArray[np.int32], "members"]
    answers: Annotated[NDArray[np.uint8], "guesses"]  # answer of each code of the current set to the current guess
    # answers of a small set to each guess: one word per guess, four bits per code; an additional last word is 0
    packed: Annotated[NDArray[np.uint64], "guesses + 1"]
    # division of a small set by each guess, encoded as one word per guess
    partition_code: Annotated[NDArray[np.uint64], "guesses + 1"]
    # index in `members` at which each cell of the current guess starts
    start: Annotated[NDArray[np.int64], "depths", "hints"]
    size: Annotated[NDArray[np.int64], "depths", "hints"]
    # answer numbers of the non-empty cells of a guess, without the win, ordered by the size of the cell
    cells: Annotated[NDArray[np.int64], "depths", "hints"]
    # numbers of the canonical forms of the non-empty cells of a guess, without the win, ordered by the size of the cell
    form: Annotated[NDArray[np.int32], "depths", "hints"]
    # for each symbol, the next lower symbol that is interchangeable with it, or -1
    equivalent: Annotated[NDArray[np.int64], "depths", "symbols"]
    # for each cell of the current guess, the sum of the hash words of its codes
    sums: Annotated[NDArray[np.uint64], "hints"]
    # Hash table of the divisions of the current set by earlier guesses: the hash of each division, and a guess with it.
    seen_partition: Annotated[NDArray[np.uint64], SEEN]
    seen_guess: Annotated[NDArray[np.int32], SEEN]
    # for each answer to one guess, the equivalent answer to another guess; and the reverse (see `same_partition`)
    paired: Annotated[NDArray[np.int64], 2, "hints"]
    near_name: Annotated[NDArray[np.uint64], NEAR, 2]
    near_form: Annotated[NDArray[np.int32], NEAR]
    # for each code, the serial number of the last large candidate set that contained the code, for membership tests
    stamp: Annotated[NDArray[np.int64], "guesses"]
    # Guesses to keep for the sets on the search path, one set after another, and the cells of these guesses.
    option_guess: Annotated[NDArray[np.int32], "options"]
    option_hit: Annotated[NDArray[np.uint8], "options"]
    option_name: Annotated[NDArray[np.uint64], "options", 2]
    option_kept: Annotated[NDArray[np.uint8], "options"]
    option_begin: Annotated[NDArray[np.int32], "options + 1"]
    cell: Annotated[NDArray[np.int32], "8 * options"]
    cell_size: Annotated[NDArray[np.int32], "8 * options"]
    # numbers of the guesses with a cell whose canonical form is still unknown and needs a search
    later: Annotated[NDArray[np.int32], "options"]
    # for each guess, a bit mask of the answers that the codes of a set give to it, in planes of eight answers each
    met: Annotated[NDArray[np.uint64], "planes", "words"]
    # for each guess, the number of different answers that the codes of a set give, one byte per guess
    distinct: Annotated[NDArray[np.uint64], "words"]
    sizes: Annotated[NDArray[np.int64], "hints"]
    # Scratch space of `hash_set`, which computes a hash of a candidate set that no symmetry changes.
    counted: Annotated[NDArray[np.int64], "digits", "symbols"]
    weights: Annotated[NDArray[np.uint64], 4, "max(digits, symbols)"]
    order: Annotated[NDArray[np.int64], "digits"]
    rank: Annotated[NDArray[np.int64], "symbols"]


class Frame(NamedTuple):
    """A candidate set on the search path of the kernels, and the free space of the stacks in the workspace.

    The set is `members[start : start + n]`, where `members` is the stack of codes.
    """

    start: Int
    n: Int
    top: Int  # first free index of the stack of codes
    first: Int  # first free index of the stack of guesses that are kept for sets on the path
    later: Int  # first free index of the stack of guesses whose cells need a search


class Survey(NamedTuple):
    """Statistics of all guesses at a large set, for bounds before the guesses are evaluated.

    `two` is the largest number of codes found within two guesses, and `three` is an upper bound for three guesses.
    `alone` is the greatest payoff (2 per win, 1 per draw) to the player who looks for these codes, if the opponent is
    certain to hit in the next turn. `measure_reach` explains how it follows from the cells of the guesses.
    """

    two: Int
    three: Int
    alone: Int


# length of arrays with an entry for each number of guesses; the last entry also counts all larger numbers
# The last three entries of `RaceTables.within` are the size of the set, which is a bound for any number of guesses.
GUESSES = 16
# A fixed strategy for a set ignores the other side. Fixed strategy 0 minimises the total number of guesses.
# Fixed strategy p > 0 maximises the sum of HASTE[p - 1]^k over all secrets, where k is the number of guesses needed.
HASTE = (0.25, 0.5, 0.75)
PACES = 1 + len(HASTE)

# Indices into the array `used` of RaceTables, which counts the stored sets, forms, guesses at sets, cells and codes.
SETS, FORMS, OPTIONS, CELLS, CODES = range(5)


class RaceTables(NamedTuple):
    """Results so far: the candidate sets by hash, their canonical forms, and the guesses at them with their cells."""

    # largest size of a separable set, which is a set of which one code, guessed first, separates all others
    perfect: int
    used: Annotated[NDArray[np.int64], 5]  # numbers of stored sets, canonical forms, guesses, cells, codes
    set_name: Annotated[NDArray[np.uint64], "sets", 2]
    set_form: Annotated[NDArray[np.int32], "sets"]
    # hash table with the numbers of candidate sets, by open addressing; -1 if the entry is empty
    set_at: Annotated[NDArray[np.int32], "2 * sets"]
    # hash of each canonical form; 0 for separable sets, and for large sets at which only one guess is evaluated
    form_name: Annotated[NDArray[np.uint64], "forms", 2]
    # hash table with the numbers of canonical forms, by open addressing; -1 if the entry is empty
    form_at: Annotated[NDArray[np.int32], "2 * forms"]
    size: Annotated[NDArray[np.int32], "forms"]  # number of codes of a set with each canonical form
    first: Annotated[NDArray[np.int32], "forms", 2]
    # flag: 1 if all useful guesses at a set are stored, 0 if only one guess is
    listed: Annotated[NDArray[np.uint8], "forms"]
    # for a large set at which only one guess is stored: index of the set's first code in the array `code`
    sketched: Annotated[NDArray[np.int64], "forms"]
    code: Annotated[NDArray[np.int16], "codes"]
    hit: Annotated[NDArray[np.uint8], "options"]
    begin: Annotated[NDArray[np.int32], "options + 1"]
    cell: Annotated[NDArray[np.int32], "cells"]  # number of the canonical form of each cell of each guess
    # upper bound on the number of codes of a set that any strategy finds within each number of guesses
    within: Annotated[NDArray[np.int32], "forms", GUESSES]
    # number of codes of a set that each fixed strategy finds with its first guess, second guess, and so on
    pace: Annotated[NDArray[np.int32], "forms", PACES, GUESSES]
    # score of each fixed strategy: minus its total number of guesses, or a sum in which codes found early count more
    worth: Annotated[NDArray[np.float64], "forms", PACES]
    # greatest payoff (2 per win, 1 per draw) to the player who looks for these codes if the opponent hits next turn
    alone: Annotated[NDArray[np.int32], "forms"]


@kernel
def find(names: NDArray[np.uint64], places: NDArray[np.int32], key: np.uint64, check: np.uint64) -> Int:
    """Look up a hash in a hash table. Returns the index of its entry, or of an empty entry where it can be stored.

    The hash consists of two words, `key` and `check`. `places` is the hash table: its entries are numbers of candidate
    sets or canonical forms, or -1 if empty. `names` contains the hash of each of these numbers.
    """
    mask = np.uint64(len(places) - 1)
    i = key & mask
    while places[i] >= 0 and (names[places[i], 0] != key or names[places[i], 1] != check):
        i = (i + ONE) & mask
    return np.int64(i)


@entry
def number(tables: RaceTables, begin: Int, sets: Int, forms: Int) -> None:
    """Add stored candidate sets and canonical forms to the hash tables, so that they can be found by their hashes.

    Adds the sets with the numbers from `begin` to `sets` - 1, and the canonical forms from `begin` to `forms` - 1.
    """
    for i in range(begin, sets):
        name = tables.set_name[i]
        tables.set_at[find(tables.set_name, tables.set_at, name[0], name[1])] = i
    for i in range(begin, forms):
        name = tables.form_name[i]
        if name[0]:
            tables.form_at[find(tables.form_name, tables.form_at, name[0], name[1])] = i
