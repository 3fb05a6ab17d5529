"""The room that forms are worked out in: arrays with a row for each depth, so that nothing is allocated at a set."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.race.public.kernels.game import Game

DEPTHS = 40
SEEN = 1 << 11  # partitions of a set kept to recognise the same one again
NEAR = 1 << 15  # sets kept under their own codes, so that one met again needs no renaming

# Places in `state`: SERIAL counts the sets worked out; STOPPED says why the work stopped before its end;
# LISTING asks for the options of the set at depth 0; larger sets than AT_ONCE are sketched.
SERIAL, BUDGET, STOPPED, LISTING, AT_ONCE = range(5)
OUT_OF_BUDGET, OUT_OF_ROOM, OUT_OF_TABLES = 1, 2, 3


class Workspace(NamedTuple):
    """h hints, d digits, s symbols."""

    state: NDArray[np.int64]
    members: NDArray[np.int32]  # the sets along the line, one after another
    start: NDArray[np.int64]  # (DEPTHS, h): where the cells of the guess in hand begin in `members`
    size: NDArray[np.int64]  # (DEPTHS, h)
    form: NDArray[np.int32]  # (DEPTHS, h): their forms
    alike: NDArray[np.int64]  # (DEPTHS, s): the symbol before each among those that may be exchanged, or -1
    sums: NDArray[np.uint64]  # (h,): of the names of the codes in each cell
    seen: NDArray[np.uint64]  # (DEPTHS, SEEN): partitions, by hash
    near_name: NDArray[np.uint64]  # (NEAR, 2)
    near_form: NDArray[np.int32]  # (NEAR,)
    stamp: NDArray[np.int64]  # (g,): the last set that a code was looked for in
    # The options of the sets along the line, one after another, and the cells of each.
    option_guess: NDArray[np.int32]
    option_hit: NDArray[np.uint8]
    option_name: NDArray[np.uint64]  # (., 2)
    option_kept: NDArray[np.uint8]
    option_begin: NDArray[np.int32]
    cell: NDArray[np.int32]
    cell_size: NDArray[np.int32]
    later: NDArray[np.int32]  # guesses of the sets along the line that are still to be looked at
    sizes: NDArray[np.int16]  # (g, h): the sizes of the cells of every guess
    # Scratch of the names.
    counted: NDArray[np.int64]  # (d, s)
    weights: NDArray[np.uint64]  # (4, max(d, s))
    order: NDArray[np.int64]  # (d,)
    rank: NDArray[np.int64]  # (s,)


def new_room(game: Game, members: int, options: int) -> Workspace:
    """Workspace for so many members and options along a line."""
    return Workspace(
        state=np.zeros(5, dtype=np.int64),
        members=np.zeros(members, dtype=np.int32),
        start=np.zeros((DEPTHS, game.hints), dtype=np.int64),
        size=np.zeros((DEPTHS, game.hints), dtype=np.int64),
        form=np.zeros((DEPTHS, game.hints), dtype=np.int32),
        alike=np.zeros((DEPTHS, game.symbols), dtype=np.int64),
        sums=np.zeros(game.hints, dtype=np.uint64),
        seen=np.zeros((DEPTHS, SEEN), dtype=np.uint64),
        near_name=np.zeros((NEAR, 2), dtype=np.uint64),
        near_form=np.zeros(NEAR, dtype=np.int32),
        stamp=np.zeros(len(game.codes), dtype=np.int64),
        option_guess=np.zeros(options, dtype=np.int32),
        option_hit=np.zeros(options, dtype=np.uint8),
        option_name=np.zeros((options, 2), dtype=np.uint64),
        option_kept=np.zeros(options, dtype=np.uint8),
        option_begin=np.zeros(options + 1, dtype=np.int32),
        cell=np.zeros(options * 8, dtype=np.int32),
        cell_size=np.zeros(options * 8, dtype=np.int32),
        later=np.zeros(options, dtype=np.int32),
        sizes=np.zeros((len(game.codes), game.hints), dtype=np.int16),
        counted=np.zeros((game.digits, game.symbols), dtype=np.int64),
        weights=np.zeros((4, max(game.digits, game.symbols)), dtype=np.uint64),
        order=np.zeros(game.digits, dtype=np.int64),
        rank=np.zeros(game.symbols, dtype=np.int64),
    )
