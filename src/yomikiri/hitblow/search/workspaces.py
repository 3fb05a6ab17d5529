"""Allocation of workspaces: the arrays that the kernels of the search change."""

from __future__ import annotations

from yomikiri.hitblow.search.kernels.bit_planes import Planes
from yomikiri.hitblow.search.kernels.occurring import ROWS
from yomikiri.hitblow.search.kernels.scan import COUNTER_BITS, SCORE_BITS
from yomikiri.hitblow.search.kernels.workspace import Workspace
from yomikiri.machine.arrays import allocated
from yomikiri.machine.shared_words import MOST_NODES, NO_END, POLLS
from yomikiri.machine.vectors import BITS, LANES


def new_workspace(game: Planes, capacity: int, depths: int) -> Workspace:
    """Allocate a workspace for `capacity` codes and `depths` depths of the recursion.

    It has no limits yet on three counts: of the nodes, of the polls (checks whether the search must stop), and of the
    entries written to the transposition table.
    """
    words = len(game.every)
    work = allocated(
        Workspace,
        depths=depths,
        members=capacity,
        guesses=len(game.codes),
        elements=len(game.orders),
        words=words,
        planes=(game.blocks + 1) * (game.rows + 1) * LANES,
        cells=game.blocks * ROWS,
        scores=SCORE_BITS * words,
        bounds=(COUNTER_BITS + 2) * words,
        ranked=64 * words + BITS,
    )
    work.class_of[:] = -1
    work.state[0].table_limit = NO_END
    work.shared[0, [MOST_NODES, POLLS]] = NO_END
    return work
