"""Depth-first proof-number search.

A state has a *proof number* and a *disproof number*: about how many more states must be answered with yes to answer
it with yes, and about how many with no for a no. For a yes one move will do, so the proof number is the least among the
moves'; for a no all must fail. Since many moves lead to the same states, their disproof numbers are not added up: what
counts is the largest, and one for each other move that is open. The search always goes to where the numbers say that
least is missing, and stays below a state until its numbers exceed the limits within which it is the best place to be
(Nagai 2002: df-pn). All numbers are in the memo, so a search cut short goes on where it was.
"""

from __future__ import annotations

import numpy as np

from yomikiri.numba_support.bits import ONE, Int
from yomikiri.tictactoe.search.proof.memo import Memo
from yomikiri.tictactoe.search.proof.moves import write_moves
from yomikiri.tictactoe.search.proof.pairs import alternating
from yomikiri.tictactoe.search.proof.states import INFINITE, NO, OPEN, YES, glance, look, note
from yomikiri.tictactoe.search.proof.tables import LEFT, Room, Tables, kernel


@kernel
def answer(
    tables: Tables, room: Room, memo: Memo, empty: np.uint64, mine: np.uint64, theirs: np.uint64, need: Int, states: Int
) -> Int:
    """Whether the side to move can still gain `need`, after a look at about so many states: YES, NO or OPEN."""
    room.numbers[LEFT] = states
    proof, disproof, new, empty, mine, theirs, need, same = glance(tables, memo, empty, mine, theirs, need)
    found = YES if proof == 0 else NO if disproof == 0 else OPEN
    if new:
        found = look(tables, room, memo, empty, mine, theirs, need)
    if found == OPEN:
        # Typed as every other depth: two versions of the recursion that call each other crash when kept and loaded.
        top: Int = np.int64(0)
        limit = np.int64(INFINITE)
        proof, disproof = _descend(tables, room, memo, top, empty, mine, theirs, need, limit, limit)
        found = YES if proof == 0 else NO if disproof == 0 else OPEN
    return found if same else -found


@kernel
def _descend(
    tables: Tables,
    room: Room,
    memo: Memo,
    depth: int,
    empty: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    need: Int,
    proof_limit: Int,
    disproof_limit: Int,
) -> tuple[Int, Int]:
    """Search below an open state until one of its numbers reaches its limit, or it is answered: its numbers."""
    before = room.numbers[LEFT]
    ahead = alternating(tables, empty) >= need
    count = write_moves(tables, room, depth, empty, mine, theirs, ahead)
    won = False
    best: Int = np.int64(0)
    for i in range(count):
        _glance(tables, room, memo, depth, i, empty, mine, theirs, need)
        if not ahead and room.new[depth, i]:
            _look(tables, room, memo, depth, i)
        if room.proof[depth, i] == 0:
            won = True
            break
    while True:
        best, second, most, pending = np.int64(0), np.int64(INFINITE), np.int64(0), 0
        proof, disproof = np.int64(0), np.int64(INFINITE)
        if not won:
            proof = np.int64(INFINITE)
            for i in range(count):
                if room.proof[depth, i] < proof:
                    best, second, proof = i, proof, room.proof[depth, i]
                elif room.proof[depth, i] < second:
                    second = room.proof[depth, i]
                if room.disproof[depth, i] != 0:
                    most = max(most, room.disproof[depth, i])
                    pending += 1
            disproof = min(np.int64(INFINITE), most + max(0, pending - 1))
        if proof == 0:
            disproof = np.int64(INFINITE)
        if proof >= proof_limit or disproof >= disproof_limit or proof == 0 or disproof == 0 or room.numbers[LEFT] <= 0:
            work = max(np.int64(1), before - room.numbers[LEFT])
            note(memo, room, empty, mine, theirs, need, proof, disproof, work)
            return proof, disproof
        if room.new[depth, best]:
            _look(tables, room, memo, depth, best)
            continue
        # Stay there until it is a quarter worse than the second best, or its share of what this state may have.
        first_limit = min(proof_limit, second + second // 4 + 1)
        second_limit = disproof_limit if disproof_limit >= INFINITE else disproof_limit - (pending - 1)
        if room.same[depth, best]:
            child_proof, child_disproof = first_limit, second_limit
        else:
            child_proof, child_disproof = second_limit, first_limit
        found, refuted = _descend(
            tables,
            room,
            memo,
            depth + 1,
            room.empty[depth, best],
            room.mine[depth, best],
            room.theirs[depth, best],
            room.need[depth, best],
            child_proof,
            child_disproof,
        )
        if not room.same[depth, best]:
            found, refuted = refuted, found
        room.proof[depth, best] = found
        room.disproof[depth, best] = refuted


@kernel
def _glance(
    tables: Tables,
    room: Room,
    memo: Memo,
    depth: int,
    i: int,
    empty: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    need: Int,
) -> None:
    """Write the state after a move into the room, with its numbers as the side that moves has them."""
    rank = room.moves[depth, i]
    proof, disproof, new, empty, mine, theirs, need, same = glance(
        tables,
        memo,
        empty & ~(ONE << np.uint64(rank)),
        theirs & ~tables.through[rank],
        mine,
        tables.weights[rank] - need + 1,
    )
    room.empty[depth, i] = empty
    room.mine[depth, i] = mine
    room.theirs[depth, i] = theirs
    room.need[depth, i] = need
    room.same[depth, i] = not same
    room.new[depth, i] = new
    # The other side is to move, unless it was forced to.
    room.proof[depth, i] = disproof if same else proof
    room.disproof[depth, i] = proof if same else disproof


@kernel
def _look(tables: Tables, room: Room, memo: Memo, depth: int, i: int) -> None:
    """See whether the rules answer the state after a move, and write it down."""
    room.numbers[LEFT] -= 1
    room.new[depth, i] = False
    found = look(
        tables,
        room,
        memo,
        room.empty[depth, i],
        room.mine[depth, i],
        room.theirs[depth, i],
        room.need[depth, i],
    )
    if found != OPEN:
        won = (found == YES) == room.same[depth, i]
        room.proof[depth, i] = np.int64(0) if won else np.int64(INFINITE)
        room.disproof[depth, i] = np.int64(INFINITE) if won else np.int64(0)
