"""The moves worth trying, by FORK and DOMINANCE, and which of them first."""

from __future__ import annotations

import numpy as np

from yomikiri.numba_support.bits import ONE, ZERO, Int, lowest, popcount
from yomikiri.tictactoe.search.proof.tables import Room, Tables, kernel
from yomikiri.tictactoe.search.rules import Rule

_FORK = list(Rule).index(Rule.FORK)
_DOMINANCE = list(Rule).index(Rule.DOMINANCE)
_TWO = np.uint64(2)
# A side that is ahead holds the other's lines and keeps its weights; one that is behind needs lines. Measured.
_AHEAD_WEIGHT, _AHEAD_LINE = 1.0, 2.0
_BEHIND_WEIGHT, _BEHIND_LINE = 0.2, 1.0


@kernel
def shared_by_twos(tables: Tables, empty: np.uint64, lines: np.uint64) -> tuple[np.uint64, np.uint64]:
    """A cell shared by two different pairs, pairs of cells that complete a line; and all such cells."""
    seen, shared = ZERO, ZERO
    while lines != ZERO:
        cells = tables.lines[np.int64(lowest(lines))] & empty
        lines &= lines - ONE
        if popcount(cells) == _TWO:
            if seen & cells != cells:
                shared |= seen & cells
            seen |= cells
    return shared & (ZERO - shared), seen


@kernel
def write_moves(
    tables: Tables, room: Room, row: int, empty: np.uint64, mine: np.uint64, theirs: np.uint64, ahead: bool
) -> Int:
    """Write the moves of a state without lines of one empty cell into a row, the most promising first; how many."""
    candidates = _candidates(tables, empty, mine, theirs)
    either = mine | theirs
    weight = _AHEAD_WEIGHT if ahead else _BEHIND_WEIGHT
    line = _AHEAD_LINE if ahead else _BEHIND_LINE
    count = 0
    while candidates != ZERO:
        rank = np.int64(lowest(candidates))
        candidates &= candidates - ONE
        here = tables.through[rank] & either
        if tables.rules[_DOMINANCE] and _dominated(tables, empty, rank, here):
            continue
        close = 0.0
        while here != ZERO:
            number = here & (ZERO - here)
            here ^= number
            empties = popcount(tables.lines[np.int64(lowest(number))] & empty)
            share = 1.0 / np.float64(ONE << empties)
            close += share
            if mine & theirs & number != ZERO:
                close += share
        score = weight * tables.lightness[rank] - line * close
        place = count
        while place > 0 and room.scores[place - 1] > score:
            room.scores[place] = room.scores[place - 1]
            room.moves[row, place] = room.moves[row, place - 1]
            place -= 1
        room.scores[place] = score
        room.moves[row, place] = rank
        count += 1
    return count


@kernel
def _candidates(tables: Tables, empty: np.uint64, mine: np.uint64, theirs: np.uint64) -> np.uint64:
    """The moves that FORK leaves."""
    if not tables.rules[_FORK]:
        return empty
    fork, _ = shared_by_twos(tables, empty, theirs)
    if fork == ZERO:
        return empty
    _, candidates = shared_by_twos(tables, empty, mine)
    lines = theirs & tables.through[np.int64(lowest(fork))]
    while lines != ZERO:
        cells = tables.lines[np.int64(lowest(lines))] & empty
        lines &= lines - ONE
        if popcount(cells) == _TWO:
            candidates |= cells
    return candidates


@kernel
def _dominated(tables: Tables, empty: np.uint64, rank: Int, here: np.uint64) -> bool:
    """Whether a heavier cell lies on all these lines, those through the cell that are open to either side."""
    heavier = empty & ((ONE << np.uint64(rank)) - ONE)
    while heavier != ZERO:
        if here & ~tables.through[np.int64(lowest(heavier))] == ZERO:
            return True
        heavier &= heavier - ONE
    return False
