"""Which options of a set need not be tried, whatever the other side holds."""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.race.public.kernels.game import Game
from yomikiri.hitblow.race.public.kernels.workspace import Workspace
from yomikiri.hitblow.search.jit import kernel
from yomikiri.numba_support.bits import Int


@kernel
def stands_smaller(room: Workspace, better: Int, worse: Int) -> bool:
    """Whether the codes of an option, ordered by the sizes of their cells, stand in no larger ones than another's.

    A hit counts as a cell of size 0. Both options divide the same set.
    """
    size = room.cell_size
    i, end = np.int64(room.option_begin[better]), np.int64(room.option_begin[better + 1])
    j = np.int64(room.option_begin[worse])
    left_i, left_j = np.int64(room.option_hit[better]), np.int64(room.option_hit[worse])
    size_i, size_j = np.int64(0), np.int64(0)
    while True:
        if left_i == 0:
            if i == end:
                return True
            left_i = size_i = np.int64(size[i])
            i += 1
        if left_j == 0:
            left_j = size_j = np.int64(size[j])
            j += 1
        if size_i > size_j:
            return False
        both = min(left_i, left_j)
        left_i -= both
        left_j -= both


@kernel
def dominates(game: Game, room: Workspace, better: Int, worse: Int) -> bool:
    """Whether an option is at least as good as another of the same set against any other side.

    It is if its cells that are not perfect are all among the other's, and its codes stand in no larger cells. Proof in
    docs/race-public.md, in short: equal cells are worth the same and cancel; of a given size no cell is better for its
    holder than a perfect one; and the worth of a code in a perfect cell falls with the size of the cell.
    """
    if not stands_smaller(room, better, worse):
        return False
    cell = room.cell
    j, end = room.option_begin[worse], room.option_begin[worse + 1]
    # Cells stand by size and then number in both.
    for i in range(room.option_begin[better], room.option_begin[better + 1]):
        if cell[i] > game.hints:
            while j < end and cell[j] != cell[i]:
                j += 1
            if j == end:
                return False
            j += 1
    return True


@kernel
def is_dominated(room: Workspace, first: Int, end: Int, option: Int) -> bool:
    """Whether one of the options from `first` to `end`, all cells of which are perfect, dominates another one.

    Only the sizes of that one's cells are asked for.
    """
    found = False
    for i in range(first, end):
        found |= stands_smaller(room, i, option)
        if found:
            break
    return found


@kernel
def keep_undominated(game: Game, room: Workspace, first: Int, end: Int) -> None:
    """Mark in `room.option_kept` the options, of those from `first` to `end`, that no other one dominates.

    Different options never dominate each other mutually, and dominance is transitive, so any order will do.
    """
    kept = room.option_kept
    for i in range(first, end):
        kept[i] = 1
    for i in range(first, end):
        for j in range(first, end):
            if i != j and kept[j] and dominates(game, room, j, i):
                kept[i] = 0
                break
