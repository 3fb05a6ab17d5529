"""What a pair of forms is worth at least and at most, by a glance; and exactly, where the mover's form is perfect.

Worths are whole numbers: of all pairs of secrets, two for each that the mover wins and one for each draw. Three kinds
of position differ in what a hit is worth and whose guesses come first:

    SUDDEN   the first hit wins: the mover's guess s comes before the other's guess u if s <= u
    OPENING  turns are completed and this guess begins one: it wins if s < u, draws if s = u
    CLOSING  turns are completed and this guess completes one: it wins if s <= u, draws if s = u + 1

Where the players seek secrets of different games, each has a table of forms, and a SUDDEN position is FIRST or SECOND
by who is to move, as OPENING and CLOSING ones are: the same numbers mean other forms then.
"""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.race.public.kernels.tables import GUESSES, PACES, Tables
from yomikiri.hitblow.search.jit import kernel
from yomikiri.numba_support.bits import Int

SUDDEN, OPENING, CLOSING, FIRST, SECOND = range(5)


@kernel
def next_kind(kind: Int) -> Int:
    """The kind of position after a guess that did not hit."""
    if kind == SUDDEN:
        return kind
    return OPENING + CLOSING - kind if kind <= CLOSING else FIRST + SECOND - kind


@kernel
def hit_worth(kind: Int, others: Int) -> Int:
    """What a hit is worth, the other side having so many candidates: an opening hit is drawn by a hit of the other."""
    return 2 * others - (1 if kind == OPENING else 0)


@kernel
def perfect_worth(their: Tables, kind: Int, n: Int, other: Int) -> Int:
    """What a perfect form of n codes is worth to the mover against any form of the other side."""
    others = np.int64(their.size[other])
    if kind == OPENING:
        missed = 2 * others - np.int64(their.alone[other])
    elif kind == CLOSING:
        missed = 2 * others - 1
    else:
        missed = 2 * others - 2
    return hit_worth(kind, others) + (n - 1) * missed


@kernel
def bounds(own: Tables, their: Tables, kind: Int, mine: Int, other: Int) -> tuple[Int, Int]:
    """(least, most) that a pair of forms, one of each side's, can be worth to the mover.

    At least what each of the fixed strategies brings if the other side has, after every number of guesses, found as
    many codes as any strategy can; at most what is left if the other side keeps to one and the mover has found as many.
    """
    n, others = np.int64(own.size[mine]), np.int64(their.size[other])
    most = perfect_worth(their, kind, n, other)
    if mine <= own.perfect:
        return most, most
    # A guess s counts one half for s <= u + first, and one for s <= u + second.
    first = -1 if kind == OPENING else 0
    second = 1 if kind == CLOSING else 0
    least = np.int64(0)
    mine_within, other_within = own.within[mine], their.within[other]
    for p in range(PACES):
        low, high = np.int64(0), np.int64(0)
        mine_at, other_at = own.pace[mine, p], their.pace[other, p]
        for k in range(1, GUESSES):
            before = np.int64(other_within[max(k - 1 - first, 0)]) + np.int64(other_within[max(k - 1 - second, 0)])
            low += mine_at[k] * (2 * others - before)
            reached = np.int64(mine_within[k + first]) + np.int64(mine_within[min(k + second, GUESSES - 1)])
            high += other_at[k] * reached
        least = max(least, low)
        most = min(most, high)
    return least, most
