"""Arrays of the race kernels: the code space of a game, the workspace, and the tables of results.

- The *canonical form* of a candidate set, in names `form`, is everything about the set that can affect the race: its
  size and its options. Each canonical form has an index, from 1.
- An *option* is the effect of a guess at a set: whether the guess can be the secret, and the canonical forms of its
  cells without the cell of the hit.
- A set is *separable* if one of its codes, guessed first, separates all others (docs/theory/race-public.md). The index
  of the canonical form of a separable set is the size of the set.
- A *partial form* belongs to a single large set whose options have not been computed. It contains the codes of the set
  and only one option, that of the first guess tried. When a search needs all options, the program computes them and
  stores them instead of this one option. The form is then *expanded*, and keeps its index.
- A *fixed strategy* ignores the other side and maximises its own score. The number of codes that it finds with each
  guess gives bounds of payoffs. The score of fixed strategy 0 is minus the total number of guesses. The score of fixed
  strategy p > 0 is the sum of HASTE[p - 1]^k over all secrets, where k is the number of the guess that finds the
  secret.

Options and cells are stored consecutively. An end index is that of the first element after the range:

    form f      options from first[f, 0], end first[f, 1]
    option o    hit[o], cells from begin[o], end begin[o + 1], by size and then by index of the form

Answers are numbered from 0 in the order of `Rules.hints`, so the win is the last one. For three digits:

    0H0B 0   0H1B 1   0H2B 2   0H3B 3   1H0B 4   1H1B 5   1H2B 6   2H0B 7   3H0B 8

Tables only grow, so that indices stay valid. The array `listed` contains 1 for each expanded form. The array `sketched`
contains where the codes of each partial form begin. These two arrays keep their names because saved files contain them.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.bits import ONE, Int
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import OWN_REASONS, SHARED


class RaceGame(NamedTuple):
    """The codes and answers of one game, constant for the kernels.

    The game has g possible guesses. Each guess has d digits from s symbols. Every code is a possible guess.
    """

    digits: int
    symbols: int
    hints: int  # number of different answers to a guess; answers have the indices 0, 1, 2, ..., and the win is the last
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # symbol of each code (row) at each place (column)
    values: Annotated[NDArray[np.int32], "g"]  # value of each code: its symbols as the digits of a number to the base s
    # for each number: index of the guess whose symbols are the digits of the number to the base s; -1 if there is none
    number: Annotated[NDArray[np.int32], "s ** d"]
    # index of the answer that a guess (row) gets if a code (column) is the secret
    answers: Annotated[NDArray[np.uint8], "g", "g"]
    # Answers as bit masks: for each code, its answers to all guesses. The answers are divided into planes of eight
    # answer indices. Each plane has one byte per guess, and a word contains the bytes of eight guesses. Bit b of the
    # byte in plane p is set if the answer has the index 8 p + b. So exactly one bit is set for each code and guess.
    signs: Annotated[NDArray[np.uint64], "g", "planes", "words"]
    # Two random words of 64 bits for each code. The index of the row is the code read as a number to the base s. The
    # hash of a candidate set is a sum of these words over its codes.
    names: Annotated[NDArray[np.uint64], "s ** d", 2]
    # place value (a power of s) of each digit, if a code is read as a number to the base s
    radix: Annotated[NDArray[np.int64], "d"]


# limit on the number of candidate sets on a search path; each set on the path is a cell of the set before it
DEPTHS = 40
# Number of entries of the hash table that recognises a guess which divides a candidate set as an earlier guess did.
SEEN = 1 << 11
# Number of recent candidate sets in a cache, which saves the slow computation of the hash for the main table.
NEAR = 1 << 15

# SET_COUNT, LISTING and EXPAND_LIMIT are the indices of three numbers in the array `state` of the workspace.
# SET_COUNT: index in `state` of the number of candidate sets visited so far.
# LISTING: index in `state` of a flag: 1 if the search must list all guesses at its first candidate set, otherwise 0.
# EXPAND_LIMIT: index in `state` of a size. For larger sets, only one guess is evaluated at first.
SET_COUNT, LISTING, EXPAND_LIMIT = range(3)
# Reasons why a search stopped early, in order:
# - The workspace is full.
# - The tables are full.
# - The search path is too long.
# - The search failed to prove that a pass (a guess without information) is not better than the other guesses.
# - Only one of the guesses at the candidate set of the side to move has been evaluated, but the search needs all.
OUT_OF_WORKSPACE, OUT_OF_TABLES, TOO_DEEP, PASS_PAYS, OUT_OF_OPTIONS = range(OWN_REASONS, OWN_REASONS + 5)
BETWEEN = 64  # number of guesses that a search processes between two polls of its stop flag


class RaceWorkspace(NamedTuple):
    """Workspace for computing canonical forms of candidate sets: everything about a set that can affect the race.

    A search path leads from a candidate set to one of its cells, then to a cell of that cell, and so on. The workspace
    contains stacks of codes (`members`) and of guesses. Each set on the path has a section of each stack.
    """

    state: Annotated[NDArray[np.int64], 3]
    # stop flag, limits and counters of the search, which other threads read and write too (module `shared_words`)
    shared: Annotated[NDArray[np.uint64], 1, SHARED]
    # stack of codes, as indices in the array of all guesses: it contains the candidate sets on the search path, one
    # after another
    members: Annotated[NDArray[np.int32], "members"]
    # for each code of a candidate set: index of its answer to the guess that is being tried
    answers: Annotated[NDArray[np.uint8], "guesses"]
    # for each guess, one word with the answers of all codes of a small set to this guess, four bits per code. The
    # additional last word is 0. It stands for an imaginary guess to which all codes give the same answer.
    packed: Annotated[NDArray[np.uint64], "guesses + 1"]
    # for each guess, one word of 64 bits that encodes how the guess divides a small candidate set into cells
    partition_code: Annotated[NDArray[np.uint64], "guesses + 1"]
    # for each candidate set on the search path and each cell of the guess that is being tried: where the cell begins in
    # `members`
    start: Annotated[NDArray[np.int64], "depths", "hints"]
    # for each candidate set on the search path and each cell of the guess that is being tried: number of codes in the
    # cell
    size: Annotated[NDArray[np.int64], "depths", "hints"]
    # answer indices of the non-empty cells of the guess that is being tried, smallest cell first, without the win
    cells: Annotated[NDArray[np.int64], "depths", "hints"]
    # for each cell in `cells`: index of its canonical form; `push_option` sorts the indices of equally large cells
    form: Annotated[NDArray[np.int32], "depths", "hints"]
    # for each symbol, the next lower symbol that can be exchanged with it without changing the candidate set, or -1
    equivalent: Annotated[NDArray[np.int64], "depths", "symbols"]
    # for each cell of the guess that is being tried: sum of the hash words of its codes
    sums: Annotated[NDArray[np.uint64], "hints"]
    # Hash table of the ways in which earlier guesses divided the current candidate set. For a small set: the word in
    # `partition_code`. For a large set: a hash of the division, and a guess with this division.
    seen_partition: Annotated[NDArray[np.uint64], SEEN]
    seen_guess: Annotated[NDArray[np.int32], SEEN]
    # Scratch space of `same_partition`, which compares how two guesses divide a candidate set. Row 0 maps the answers
    # to the first guess to the answers to the second guess, and row 1 maps them back; -1 for an answer that has not
    # occurred.
    paired: Annotated[NDArray[np.int64], 2, "hints"]
    # Cache of recent candidate sets: a hash of each set, and the index of its canonical form. This hash is quick to
    # compute. But unlike that of `hash_set`, it changes if places or symbols of the set are permuted.
    near_name: Annotated[NDArray[np.uint64], NEAR, 2]
    near_form: Annotated[NDArray[np.int32], NEAR]
    # for each code: serial number of the last large candidate set that contained the code, as a test of membership
    stamp: Annotated[NDArray[np.int64], "guesses"]
    # The guesses to store for each candidate set on the search path, one set after another, and the cells of these
    # guesses.
    option_guess: Annotated[NDArray[np.int32], "options"]
    option_hit: Annotated[NDArray[np.uint8], "options"]
    option_name: Annotated[NDArray[np.uint64], "options", 2]
    option_kept: Annotated[NDArray[np.uint8], "options"]
    option_begin: Annotated[NDArray[np.int32], "options + 1"]
    cell: Annotated[NDArray[np.int32], "8 * options"]
    cell_size: Annotated[NDArray[np.int32], "8 * options"]
    # stack of guesses, as indices in the array of all guesses. Each has a cell whose canonical form still has to be
    # computed by a search.
    later: Annotated[NDArray[np.int32], "options"]
    # For each guess: bit mask of the answers that occur among the codes of a candidate set. The answers are divided
    # into planes of eight answer indices. Each plane has one byte per guess: bit b of the byte in plane p is set if the
    # answer with index 8 p + b occurs.
    met: Annotated[NDArray[np.uint64], "planes", "words"]
    # number of different answers that the codes of a candidate set give to each guess, one byte per guess
    distinct: Annotated[NDArray[np.uint64], "words"]
    # for each answer to a guess: number of codes of a candidate set that give this answer
    sizes: Annotated[NDArray[np.int64], "hints"]
    # Scratch space of `hash_set`. `find_equivalent_symbols` uses `counted`, too.
    counted: Annotated[NDArray[np.int64], "digits", "symbols"]
    weights: Annotated[NDArray[np.uint64], 4, "max(digits, symbols)"]
    order: Annotated[NDArray[np.int64], "digits"]
    rank: Annotated[NDArray[np.int64], "symbols"]


class Frame(NamedTuple):
    """A candidate set on the search path of the kernels, and the free space of the stacks in the workspace.

    The set is `members[start : start + n]`, where `members` is the stack of codes.
    """

    start: Int  # index in `members`, the workspace's stack of codes, at which the candidate set begins
    n: Int  # number of codes in the candidate set
    top: Int  # first free index in the workspace's stack of codes
    # first free index in the workspace's stack of guesses to store (`option_guess` and the arrays beside it)
    first: Int
    later: Int  # first free index in the workspace's stack `later` of guesses whose cells must be searched


class Survey(NamedTuple):
    """Statistics of all guesses at a large candidate set. They give bounds while only one guess has been evaluated.

    - `two` is the largest number of codes that a strategy finds within two guesses.
    - `three` is an upper bound on the number of codes that a strategy finds within three guesses.
    - `alone` is the greatest payoff to the player who looks for these codes, in a special position. This player's guess
      completes a round, and the opponent is certain to hit in the next round. The payoff is 2 per win and 1 per draw.
      `measure_reach` explains how `alone` follows from the cells of the guesses.
    """

    two: Int
    three: Int
    alone: Int


# Length of arrays that have one element for each number of guesses, from 0. The last element is also for larger
# numbers.
GUESSES = 16
# Numbers f below 1. For each f, there is one fixed strategy: the one with the greatest sum of f^k over the codes, where
# k is the number of the guess that finds the code. One more fixed strategy has the fewest guesses in total.
HASTE = (0.25, 0.5, 0.75)
PACES = 1 + len(HASTE)

# Indices in the array `used`, for the numbers of candidate sets, canonical forms, guesses at sets, cells, and codes.
SETS, FORMS, OPTIONS, CELLS, CODES = range(5)


class RaceTables(NamedTuple):
    """Results of the search so far: candidate sets with their hashes, their canonical forms, and the guesses at them.

    The canonical form of a set is everything about it that can affect the race. Row f of the array `within` belongs to
    the canonical form with index f. Element k of this row is an upper bound on how many codes of a set any strategy
    finds within k guesses. The last three elements of the row (k from GUESSES - 3 on) contain the size of the set, so
    they are bounds for greater numbers of guesses, too. Reason: `bounds` in the module `pairs` reads these elements for
    the last element of `pace`, which also counts codes found later.
    """

    # No separable set has more codes than this. A set is *separable* if one of its codes, guessed first, separates all
    # others. The canonical form of a separable set with n codes has the index n.
    max_separable: int
    # numbers of rows in use for candidate sets, canonical forms, guesses at sets, cells, and codes
    # The number for canonical forms includes row 0, which contains no form.
    used: Annotated[NDArray[np.int64], 5]
    set_name: Annotated[NDArray[np.uint64], "sets", 2]  # hash of each stored candidate set, as two words
    # index of the canonical form of each stored candidate set (everything about the set that can affect the race)
    set_form: Annotated[NDArray[np.int32], "sets"]
    # hash table of the candidate sets, by open addressing: the index of a set, or -1 if the entry is empty
    set_at: Annotated[NDArray[np.int32], "2 * sets"]
    # Hash of each canonical form. It is 0 in two cases, in which no search looks up the form by its hash. A separable
    # set (one code separates all others) has its size as the index of its form. A large set at which only one guess was
    # evaluated at first shares its form with no other set, even after the other guesses have been evaluated.
    form_name: Annotated[NDArray[np.uint64], "forms", 2]
    # hash table of the canonical forms, by open addressing: the index of a form, or -1 if the entry is empty
    form_at: Annotated[NDArray[np.int32], "2 * forms"]
    # for each canonical form: number of codes in a candidate set with this form
    size: Annotated[NDArray[np.int32], "forms"]
    # for each canonical form: index of the first stored guess at its sets, and index after the last stored guess
    first: Annotated[NDArray[np.int32], "forms", 2]
    # for each canonical form: 1 if all useful guesses at its sets are stored, 0 if only one guess is stored
    listed: Annotated[NDArray[np.uint8], "forms"]
    # for each canonical form with only one stored guess: index in the array `code` of the first code of its set
    sketched: Annotated[NDArray[np.int64], "forms"]
    # the codes of the large candidate sets for which only one guess is stored: those of the first set, then of the
    # second, ...
    code: Annotated[NDArray[np.int16], "codes"]
    # for each stored guess at a candidate set: 1 if the guess can be the secret, otherwise 0
    hit: Annotated[NDArray[np.uint8], "options"]
    # for each stored guess: index in the array `cell` at which the cells of the guess begin
    begin: Annotated[NDArray[np.int32], "options + 1"]
    # for each cell of each stored guess: index of the canonical form of the cell
    cell: Annotated[NDArray[np.int32], "cells"]
    # for each canonical form and number k: upper bound on how many codes of a candidate set any strategy finds within k
    # guesses
    within: Annotated[NDArray[np.int32], "forms", GUESSES]
    # for each canonical form, fixed strategy p and number k: how many codes of a candidate set strategy p finds with
    # guess k; the last element also counts the codes found later
    pace: Annotated[NDArray[np.int32], "forms", PACES, GUESSES]
    # for each canonical form and fixed strategy: score of the strategy. Strategy 0: its total number of guesses,
    # negated. Strategy p > 0: the sum of HASTE[p - 1]^k over the codes, each found with a guess k.
    worth: Annotated[NDArray[np.float64], "forms", PACES]
    # for each canonical form: greatest payoff (2 per win, 1 per draw) of the player who looks for the codes, if this
    # player's guess completes a round, and the opponent is certain to hit in the next round
    alone: Annotated[NDArray[np.int32], "forms"]


@kernel
def find(names: NDArray[np.uint64], places: NDArray[np.int32], key: np.uint64, check: np.uint64) -> Int:
    """Look up a hash in a hash table. Returns the index of the entry with this hash, or of the empty entry for it.

    The hash consists of two words, `key` and `check`. `places` is the hash table: its entries are indices of candidate
    sets or canonical forms, or -1 if empty. `names` contains, at each of these indices, the hash of the set or form.
    """
    mask = np.uint64(len(places) - 1)
    i = key & mask
    while places[i] >= 0 and (names[places[i], 0] != key or names[places[i], 1] != check):
        i = (i + ONE) & mask
    return np.int64(i)


@entry
def number(tables: RaceTables, begin: Int, sets: Int, forms: Int) -> None:
    """Add stored candidate sets and canonical forms to the hash tables, so that they can be found by their hashes.

    Adds the sets with the indices from `begin` to `sets` - 1, and the canonical forms from `begin` to `forms` - 1.
    """
    for i in range(begin, sets):
        name = tables.set_name[i]
        tables.set_at[find(tables.set_name, tables.set_at, name[0], name[1])] = i
    for i in range(begin, forms):
        name = tables.form_name[i]
        if name[0]:
            tables.form_at[find(tables.form_name, tables.form_at, name[0], name[1])] = i
