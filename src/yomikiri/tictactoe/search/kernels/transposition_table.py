"""Transposition table of the search: bounds of the values of states, and the move to try first.

The table is an array. An *entry* has six elements, which are read together: the three sets of a state (its empty cells,
and the lines that each side can still complete, as bit masks), a lower and an upper bound of its value, and the move.
All six are integers of the type of these bit masks. Entries come in pairs, and a state can be in either entry of the
pair that its hash selects.
"""

from __future__ import annotations

from collections.abc import Sequence

from yomikiri.tictactoe.search.kernels.arrays import FILLED
from yomikiri.tictactoe.search.kernels.pairing import NO_BOUND
from yomikiri.tictactoe.search.kernels.sets import ZERO, Numbers, State, hashed, number, popcount, word

ENTRY = 6  # number of array elements that one entry of the transposition table takes
# Offsets in a table entry: of the lower bound of a value, of the upper bound, and of the move to try first.
LOWER, UPPER, TRY = 3, 4, 5
NO_MOVE = -1  # Number stored in an entry of the transposition table instead of a move if there is no move to try first.


def find(table: Sequence[int], state_hash: int, state: State) -> int:
    """Return the array index at which a state's entry begins in the transposition table, or -1 if there is no entry.

    The argument `state_hash` contains the hash of the state. Two entries are compared, because a hash selects a pair of
    entries.
    """
    first = pair_of(table, state_hash)
    for entry in (first, first + ENTRY):
        if table[entry] == state.empty and table[entry + 1] == state.mine and table[entry + 2] == state.theirs:
            return entry
    return -1


def recall(table: Sequence[int], state_hash: int, state: State, need: int) -> tuple[int, int]:
    """Look up a state in the transposition table. Return a bound of its value, and the move to try first.

    The bound shows whether the side to move can gain `need`. It is `NO_BOUND` if the stored bounds do not show this.
    The move is `NO_MOVE` if the state is not stored, or if it was stored without a move.
    """
    entry = find(table, state_hash, state)
    if entry < 0:
        return NO_BOUND, NO_MOVE
    lower, upper, move = number(table[entry + LOWER]), number(table[entry + UPPER]), number(table[entry + TRY])
    if lower >= need:
        return lower, move
    return (upper if upper < need else NO_BOUND), move


def remember(table: Numbers, totals: Numbers, state_hash: int, state: State, lower: int, upper: int, move: int) -> None:
    """Store bounds of the value of a state, and the move to try first, in the transposition table.

    If the state is already stored, the tighter of the old and the new bounds are kept. Otherwise the hash of the state,
    `state_hash`, selects two entries of the table. The new state replaces the first of these entries, unless the state
    there has more empty cells than the new one. In that case the new state replaces the second entry. `totals[FILLED]`
    counts the entries in use.
    """
    entry = find(table, state_hash, state)
    if entry < 0:
        entry = pair_of(table, state_hash)
        if popcount(table[entry]) > popcount(state.empty):
            entry += ENTRY
        if table[entry] == ZERO:
            totals[FILLED] += 1
        table[entry], table[entry + 1], table[entry + 2] = state.empty, state.mine, state.theirs
        table[entry + LOWER], table[entry + UPPER] = word(-NO_BOUND), word(NO_BOUND)
    table[entry + LOWER] = word(max(number(table[entry + LOWER]), lower))
    table[entry + UPPER] = word(min(number(table[entry + UPPER]), upper))
    table[entry + TRY] = word(move)


def pair_of(table: Sequence[int], state_hash: int) -> int:
    """Return the array index of the first of the two table entries in which a state may be stored.

    The argument `state_hash` contains the hash of the state. The number of pairs of entries is a power of two.
    """
    return ENTRY * number(state_hash & hash_mask(len(table) // ENTRY))


def hash_mask(entries: int) -> int:
    """Return the bit mask that converts the hash of a state to the index of an entry in the transposition table.

    `entries` is the number of entries, a power of two. The resulting index is even: the state is stored in this entry
    or in the next one.
    """
    return entries - 2


def move_entries(old: Numbers, new: Numbers, totals: Numbers, begin: int, end: int) -> None:
    """Copy the entries with the indices from `begin` to `end` - 1 of a transposition table to a larger table.

    `old` is the table and `new` the larger one. `totals[FILLED]` counts the entries in use in the larger table.
    """
    for entry in range(ENTRY * begin, ENTRY * end, ENTRY):
        state = State(old[entry], old[entry + 1], old[entry + 2])
        if state.empty != ZERO:
            state_hash = hashed(state.empty, state.mine, state.theirs)
            lower, upper = number(old[entry + LOWER]), number(old[entry + UPPER])
            remember(new, totals, state_hash, state, lower, upper, number(old[entry + TRY]))
