"""What forms are worked out with: the code space of a game, a workspace, and the tables of what is known.

Hints are numbered from 0 in the order of `Rules.hints`, so the win, all hits, is the last: for three digits

    0H0B 0   0H1B 1   0H2B 2   0H3B 3   1H0B 4   1H1B 5   1H2B 6   2H0B 7   3H0B 8

Tables only grow, so that what is named stays named.

A *form* is what a set of candidates lets its holder do, and nothing else: its size and its options. An *option* is what
a guess does: whether it can hit, and the forms of its other cells. Forms are numbered from 1; the first ones, up to the
number of hints, are the *perfect* sets of that size (race-public.md). Options and cells stand one after another:

    form f      options first[f, 0] to first[f, 1]
    option o    hit[o], cells begin[o] to begin[o + 1], by size and then number

A *sketch* is a form of one large set by itself whose options are not worked out: it has its codes, and as its only
option that of one guess, its *lead*, which makes a fixed strategy of it. When its options are asked for they are
*listed* in place of the lead.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.machine.bits import ONE, Int
from yomikiri.machine.kernel import entry, kernel
from yomikiri.machine.shared_words import OWN_REASONS, SHARED


class RaceGame(NamedTuple):
    """The code space of one game, read-only to the kernels: g guesses, d digits, s symbols."""

    digits: int
    symbols: int
    hints: int  # how many there are; the last is the win
    codes: Annotated[NDArray[np.uint8], "g", "d"]  # the symbol at each place
    values: Annotated[NDArray[np.int32], "g"]  # the code read as a number in base s
    number: Annotated[NDArray[np.int32], "s ** d"]  # the guess of that value, -1 if it is none
    answers: Annotated[NDArray[np.uint8], "g", "g"]  # the hint of a guess (row) against a code (column)
    # The hints that a code gives, a bit each, to eight guesses a word.
    signs: Annotated[NDArray[np.uint64], "g", "planes", "words"]
    # A random word pair for each value; their sums name sets of codes.
    names: Annotated[NDArray[np.uint64], "s ** d", 2]
    radix: Annotated[NDArray[np.int64], "d"]  # what a symbol at each place adds to a value


DEPTHS = 40  # sets along a line, each a cell of the one before
SEEN = 1 << 11  # partitions of a set kept to recognise the same one again
NEAR = 1 << 15  # sets kept under their own codes, so that one met again needs no renaming

# Places in `state`: SERIAL counts the sets looked into; LISTING asks for the options of the set at depth 0; larger sets
# than AT_ONCE are sketched.
SERIAL, LISTING, AT_ONCE = range(3)
# Why the work stopped.
OUT_OF_ROOM, OUT_OF_TABLES, TOO_DEEP, PASS_PAYS, OUT_OF_OPTIONS = range(OWN_REASONS, OWN_REASONS + 5)
BETWEEN = 64  # guesses between two looks whether to stop


class RaceWorkspace(NamedTuple):
    """Where forms are worked out; members and options along a line."""

    state: Annotated[NDArray[np.int64], 3]
    shared: Annotated[NDArray[np.uint64], 1, SHARED]  # words that other threads read and write: see `shared_words`
    members: Annotated[NDArray[np.int32], "members"]  # the sets along the line, one after another
    answers: Annotated[NDArray[np.uint8], "guesses"]  # those of the set that is being divided
    packed: Annotated[NDArray[np.uint64], "guesses + 1"]  # those of a small set to every guess; the last word is 0
    signed: Annotated[NDArray[np.uint64], "guesses + 1"]  # how each guess divides a small set
    start: Annotated[NDArray[np.int64], "depths", "hints"]  # where the cells of the guess in hand begin in `members`
    size: Annotated[NDArray[np.int64], "depths", "hints"]
    cells: Annotated[NDArray[np.int64], "depths", "hints"]  # those not empty but the hit, small ones first
    form: Annotated[NDArray[np.int32], "depths", "hints"]  # their forms
    alike: Annotated[NDArray[np.int64], "depths", "symbols"]  # the symbol before each of those alike, or -1
    sums: Annotated[NDArray[np.uint64], "hints"]  # of the names of the codes in each cell
    # Of the set that is being worked out, partitions by their words, and a guess that made each.
    seen: Annotated[NDArray[np.uint64], SEEN]
    seen_guess: Annotated[NDArray[np.int32], SEEN]
    paired: Annotated[NDArray[np.int64], 2, "hints"]  # the answers to two guesses that go together
    near_name: Annotated[NDArray[np.uint64], NEAR, 2]
    near_form: Annotated[NDArray[np.int32], NEAR]
    stamp: Annotated[NDArray[np.int64], "guesses"]  # the last set that a code was looked for in
    # The options of the sets along the line, one after another, and the cells of each.
    option_guess: Annotated[NDArray[np.int32], "options"]
    option_hit: Annotated[NDArray[np.uint8], "options"]
    option_name: Annotated[NDArray[np.uint64], "options", 2]
    option_kept: Annotated[NDArray[np.uint8], "options"]
    option_begin: Annotated[NDArray[np.int32], "options + 1"]
    cell: Annotated[NDArray[np.int32], "8 * options"]
    cell_size: Annotated[NDArray[np.int32], "8 * options"]
    later: Annotated[NDArray[np.int32], "options"]  # guesses that are still to be looked at
    met: Annotated[NDArray[np.uint64], "planes", "words"]  # the hints that a set gives, as in `RaceGame.signs`
    different: Annotated[NDArray[np.uint64], "words"]  # how many these are, a byte for each guess
    sizes: Annotated[NDArray[np.int64], "hints"]
    # Scratch of the names.
    counted: Annotated[NDArray[np.int64], "digits", "symbols"]
    weights: Annotated[NDArray[np.uint64], 4, "max(digits, symbols)"]
    order: Annotated[NDArray[np.int64], "digits"]
    rank: Annotated[NDArray[np.int64], "symbols"]


GUESSES = 16  # finishing chances are kept for so many guesses; the last three stand for any number
# Each form keeps the finishing counts of a few fixed strategies: that of the least total, and those that make the sum
# of these powers as large as possible, a secret found at guess k counting the k-th power.
HASTE = (0.25, 0.5, 0.75)
PACES = 1 + len(HASTE)

# Places in `used`.
SETS, FORMS, OPTIONS, CELLS, CODES = range(5)


class Tables(NamedTuple):
    """What is known: named sets, forms with their options and cells, the codes of sketches."""

    perfect: int  # forms up to this number are perfect
    used: Annotated[NDArray[np.int64], 5]  # how much of each is taken
    set_name: Annotated[NDArray[np.uint64], "sets", 2]
    set_form: Annotated[NDArray[np.int32], "sets"]
    set_at: Annotated[NDArray[np.int32], "2 * sets"]  # set numbers by name, open addressing, -1 for an empty place
    form_name: Annotated[NDArray[np.uint64], "forms", 2]  # 0 for perfect forms and sketches
    form_at: Annotated[NDArray[np.int32], "2 * forms"]  # form numbers by name
    size: Annotated[NDArray[np.int32], "forms"]  # codes
    first: Annotated[NDArray[np.int32], "forms", 2]
    listed: Annotated[NDArray[np.uint8], "forms"]  # whether the options are all that matter
    sketched: Annotated[NDArray[np.int64], "forms"]  # where the codes of a sketch begin in `code`
    code: Annotated[NDArray[np.int16], "codes"]
    hit: Annotated[NDArray[np.uint8], "options"]
    begin: Annotated[NDArray[np.int32], "options + 1"]
    cell: Annotated[NDArray[np.int32], "cells"]  # forms
    within: Annotated[NDArray[np.int32], "forms", GUESSES]  # no strategy finds more codes within so many guesses
    pace: Annotated[NDArray[np.int32], "forms", PACES, GUESSES]  # codes that a fixed strategy finds at each guess
    worth: Annotated[NDArray[np.float64], "forms", PACES]  # what each of them makes largest
    alone: Annotated[NDArray[np.int32], "forms"]  # the most of 2 x hit + cells, over the options


@kernel
def find(names: NDArray[np.uint64], places: NDArray[np.int32], key: np.uint64, check: np.uint64) -> Int:
    """Where the number of what has that name stands in `places`, or belongs if there is none (-1 stands there)."""
    mask = np.uint64(len(places) - 1)
    i = key & mask
    while places[i] >= 0 and (names[places[i], 0] != key or names[places[i], 1] != check):
        i = (i + ONE) & mask
    return np.int64(i)


@entry
def number(tables: Tables, begin: Int, sets: Int, forms: Int) -> None:
    """Enter the sets and the forms from `begin` up to these numbers by their names."""
    for i in range(begin, sets):
        name = tables.set_name[i]
        tables.set_at[find(tables.set_name, tables.set_at, name[0], name[1])] = i
    for i in range(begin, forms):
        name = tables.form_name[i]
        if name[0]:
            tables.form_at[find(tables.form_name, tables.form_at, name[0], name[1])] = i
