"""Bounds of a set of weighted codes, from the totals of its cells if all codes weighed the same."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from yomikiri.hitblow.search.kernels.partition import count, look_up
from yomikiri.hitblow.search.kernels.transposition_table import TranspositionTable, put
from yomikiri.hitblow.search.kernels.weighted_workspace import (
    Hand,
    WeightedPosition,
    WeightedWorkspace,
)
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import ZERO, Int
from yomikiri.machine.kernel import entry

Totals = Annotated[NDArray[np.int64], "guesses", "slots"]  # of the cells of each guess, if all codes were alike


@entry
def seed(
    position: WeightedPosition, evens: TranspositionTable, work: WeightedWorkspace, hand: Hand, even: Totals
) -> None:
    """Note the even totals of the cells of all guesses at a set in `evens`; of those of more than s codes."""
    table, members, size, key = position.table, work.members, work.size[0], work.key[0]
    for g in range(len(even)):
        row = table.answers[g]
        look_up(row, members, hand.start, hand.n, work.slots)
        count(work.slots, hand.n, table.slots, size)
        for r in range(table.slots):
            key[0, r] = key[1, r] = ZERO
        for i in range(hand.start, hand.start + hand.n):
            r, s = row[members[i]], members[i]
            key[0, r] += table.keys[s, 0]
            key[1, r] += table.keys[s, 1]
        for r in range(table.slots - 1):
            if table.slots < size[r] < hand.n:
                put(evens, key[0, r], key[1, r], size[r], even[g, r], IMPOSSIBLE)


@entry
def least_by_uniform(position: WeightedPosition, work: WeightedWorkspace, hand: Hand, even: Totals) -> Int:
    """A bound of what a set costs, whatever the guess: the least of what the cells of each cost by their even totals.

    As in `by_uniform`, cell by cell; a code beyond the third guess is counted there as if it were found at the fourth.
    """
    table, members, weight = position.table, work.members, position.weight
    size, lower, last, slots = work.size[0], work.lower[0], work.weight[0], position.table.slots
    third = slots + (slots - 1) * (slots - 1)
    least = np.int64(IMPOSSIBLE)
    for g in range(len(even)):
        row = table.answers[g]
        for r in range(slots):
            size[r] = lower[r] = 0
        for i in range(hand.start, hand.start + hand.n):
            r, each = row[members[i]], weight[members[i]]
            level = 1 if size[r] == 0 else 2 if size[r] < slots else 3 if size[r] < third else 4
            lower[r] += level * each
            size[r] += 1
            last[r] = each
        total = hand.whole
        for r in range(slots - 1):
            if size[r] == hand.n:
                total = np.int64(IMPOSSIBLE)
            elif size[r] > 0:
                levels = 2 * size[r] - 1 + max(0, size[r] - slots) + max(0, size[r] - third)
                total += lower[r] + last[r] * (even[g, r] - levels)
        least = min(least, total)
    return least
