"""What is known of a state at a glance: answered by the rules or from memory, or how hard it looks."""

from __future__ import annotations

import numpy as np

from yomikiri.numba_support.bits import ONE, ZERO, Int, lowest, popcount
from yomikiri.tictactoe.search.proof.memo import DISPROOF, LOWER, NEED, PROOF, UPPER, Memo, find, put
from yomikiri.tictactoe.search.proof.moves import shared_by_twos, write_moves
from yomikiri.tictactoe.search.proof.pairs import NO_BOUND, alternating, held, pairing_bound
from yomikiri.tictactoe.search.proof.tables import CELLS, Room, Tables, kernel
from yomikiri.tictactoe.search.rules import Rule

_FORK, _PAIRING, _LOOK_AHEAD, _STEALING, _WAIVER = (
    list(Rule).index(rule) for rule in (Rule.FORK, Rule.PAIRING, Rule.LOOK_AHEAD, Rule.STEALING, Rule.WAIVER)
)
_NO_VALUE = 1 << 62
# What is answered with yes, with no, not at all.
YES, NO, OPEN = 1, -1, 0
# A proof number that says: there is no proof.
INFINITE = 1 << 40
_MOVES_LOOKED_AHEAD = 6
_LOOKING: Int = np.int64(CELLS)  # the row of moves for looking ahead


@kernel
def glance(
    tables: Tables, memo: Memo, empty: np.uint64, mine: np.uint64, theirs: np.uint64, need: Int
) -> tuple[Int, Int, bool, np.uint64, np.uint64, np.uint64, Int, bool]:
    """Play what must be played, and say of the state then what costs next to nothing.

    Returns the proof and the disproof number for the side then to move, one of them 0 where the state is answered;
    whether `look` may know better; the state with the question for that side; and whether that is the side that was to
    move before.
    """
    same = True
    while True:
        singles = _singles(tables, empty, theirs)
        if _singles(tables, empty, mine) != ZERO:
            return np.int64(0), np.int64(INFINITE), False, empty, mine, theirs, need, same
        if singles == ZERO:
            break
        if singles & (singles - ONE) != ZERO:
            return np.int64(INFINITE), np.int64(0), False, empty, mine, theirs, need, same
        rank = np.int64(lowest(singles))
        empty ^= singles
        mine, theirs, need = theirs & ~tables.through[rank], mine, tables.weights[rank] - need + 1
        same = not same
    proof, disproof = _remembered(tables, memo, empty, mine, theirs, need)
    new = proof < 0
    if new:
        proof, disproof = _guess(tables, empty, mine, theirs, need)
    return proof, disproof, new, empty, mine, theirs, need, same


@kernel
def look(
    tables: Tables, room: Room, memo: Memo, empty: np.uint64, mine: np.uint64, theirs: np.uint64, need: Int
) -> Int:
    """What the rules answer to a state after a glance at it: YES, NO or OPEN."""
    found = _answer(tables, room, empty, mine, theirs, need)
    if found == YES:
        note(memo, room, empty, mine, theirs, need, np.int64(0), np.int64(INFINITE), np.int64(1))
    elif found == NO:
        note(memo, room, empty, mine, theirs, need, np.int64(INFINITE), np.int64(0), np.int64(1))
    return found


@kernel
def note(
    memo: Memo,
    room: Room,
    empty: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    need: Int,
    proof: Int,
    disproof: Int,
    work: Int,
) -> None:
    """Remember the numbers of a state, and what they say of its value."""
    lower = need if proof == 0 else np.int64(-_NO_VALUE)
    upper = need - 1 if disproof == 0 else np.int64(_NO_VALUE)
    put(memo, room, empty, mine, theirs, lower, upper, need, proof, disproof, work)


@kernel
def _remembered(
    tables: Tables, memo: Memo, empty: np.uint64, mine: np.uint64, theirs: np.uint64, need: Int
) -> tuple[Int, Int]:
    """The numbers of a state as far as they are remembered, -1 if they are not; with WAIVER, of either side's lines."""
    slot = find(memo, empty, mine, theirs)
    if slot >= 0:
        if memo.facts[slot, LOWER] >= need:
            return np.int64(0), np.int64(INFINITE)
        if memo.facts[slot, UPPER] < need:
            return np.int64(INFINITE), np.int64(0)
        if memo.facts[slot, NEED] == need:
            return memo.facts[slot, PROOF], memo.facts[slot, DISPROOF]
    if tables.rules[_WAIVER] and mine != ZERO and theirs != ZERO:
        slot = find(memo, empty, ZERO, theirs)
        if slot >= 0 and memo.facts[slot, LOWER] >= need:
            return np.int64(0), np.int64(INFINITE)
        slot = find(memo, empty, mine, ZERO)
        if slot >= 0 and memo.facts[slot, UPPER] < need:
            return np.int64(INFINITE), np.int64(0)
    return np.int64(-1), np.int64(-1)


@kernel
def _guess(tables: Tables, empty: np.uint64, mine: np.uint64, theirs: np.uint64, need: Int) -> tuple[Int, Int]:
    """The numbers of a state that nothing is known of: lines that hold no pair of neighbours are hard to hold."""
    if alternating(tables, empty) >= need:
        return np.int64(1) + np.int64(popcount(theirs & ~held(tables, empty))), np.int64(3)
    return np.int64(2), np.int64(1) + np.int64(popcount(mine & ~held(tables, empty)))


@kernel
def _answer(tables: Tables, room: Room, empty: np.uint64, mine: np.uint64, theirs: np.uint64, need: Int) -> Int:
    """What the rules say of a state without lines of one empty cell."""
    greedy = alternating(tables, empty)
    if mine | theirs == ZERO:
        return YES if greedy >= need else NO
    if tables.rules[_FORK] and shared_by_twos(tables, empty, mine)[0] != ZERO:
        return YES
    if greedy >= need:
        if tables.rules[_LOOK_AHEAD] and (theirs == ZERO or _looks_won(tables, room, empty, mine, theirs, need)):
            return YES
    elif tables.rules[_PAIRING] and pairing_bound(tables, room.stack, empty, mine, need - 1) < NO_BOUND:
        return NO
    if tables.rules[_STEALING] and theirs & ~mine == ZERO:
        least = np.int64(0)
        if popcount(empty) & ONE != ZERO:
            least = np.int64(tables.weights[_highest(empty)])
        if least >= need:
            return YES
    return OPEN


@kernel
def _looks_won(tables: Tables, room: Room, empty: np.uint64, mine: np.uint64, theirs: np.uint64, need: Int) -> bool:
    """Whether LOOK_AHEAD answers with yes."""
    count = write_moves(tables, room, _LOOKING, empty, mine, theirs, True)
    tries = 0
    for i in range(count):
        rank = room.moves[_LOOKING, i]
        rest = empty & ~(ONE << np.uint64(rank))
        limit = tables.weights[rank] - need
        if alternating(tables, rest) <= limit:
            if pairing_bound(tables, room.stack, rest, theirs & ~tables.through[rank], limit) < NO_BOUND:
                return True
            tries += 1
            if tries == _MOVES_LOOKED_AHEAD:
                break
    return False


@kernel
def _singles(tables: Tables, empty: np.uint64, lines: np.uint64) -> np.uint64:
    """The cells that complete one of these lines."""
    found = ZERO
    while lines != ZERO:
        cells = tables.lines[np.int64(lowest(lines))] & empty
        lines &= lines - ONE
        if cells & (cells - ONE) == ZERO:
            found |= cells
    return found


@kernel
def _highest(cells: np.uint64) -> Int:
    """The position of the highest bit."""
    for shift in (1, 2, 4, 8, 16, 32):
        cells |= cells >> np.uint64(shift)
    return np.int64(popcount(cells)) - 1
