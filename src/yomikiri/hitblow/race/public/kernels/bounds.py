"""What a pair of forms is worth at least and at most, by a glance; and exactly, where the mover's form is perfect.

Worths are whole numbers: of all pairs of secrets, two for each that the mover wins and one for each draw. Three kinds
of position differ in what a hit is worth and whose guesses come first:

    SUDDEN   the first hit wins: the mover's guess s comes before the other's guess u if s <= u
    OPENING  turns are completed and this guess begins one: it wins if s < u, draws if s = u
    CLOSING  turns are completed and this guess completes one: it wins if s <= u, draws if s = u + 1
"""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.race.public.kernels.game import Game
from yomikiri.hitblow.race.public.kernels.tables import GUESSES, PACES, Tables
from yomikiri.hitblow.search.jit import kernel
from yomikiri.machine.bits import Int

SUDDEN, OPENING, CLOSING = range(3)


@kernel
def next_kind(kind: Int) -> Int:
    """The kind of position after a guess that did not hit."""
    return 3 - kind if kind else 0


@kernel
def hit_worth(kind: Int, others: Int) -> Int:
    """What a hit is worth, the other side having so many candidates: an opening hit is drawn by a hit of the other."""
    return 2 * others - (1 if kind == OPENING else 0)


@kernel
def perfect_worth(tables: Tables, kind: Int, n: Int, other: Int) -> Int:
    """What a perfect form of n codes is worth to the mover against any form."""
    others = np.int64(tables.size[other])
    if kind == SUDDEN:
        missed = 2 * others - 2
    elif kind == OPENING:
        missed = 2 * others - np.int64(tables.alone[other])
    else:
        missed = 2 * others - 1
    return hit_worth(kind, others) + (n - 1) * missed


@kernel
def bounds(game: Game, tables: Tables, kind: Int, mine: Int, other: Int) -> tuple[Int, Int]:
    """(least, most) that a pair can be worth to the mover.

    At least what each of the fixed strategies brings if the other side has, after every number of guesses, found as
    many codes as any strategy can; at most what is left if the other side keeps to one and the mover has found as many.
    """
    n, others = np.int64(tables.size[mine]), np.int64(tables.size[other])
    most = perfect_worth(tables, kind, n, other)
    if mine <= game.hints:
        return most, most
    # A guess s counts one half for s <= u + first, and one for s <= u + second.
    first = -1 if kind == OPENING else 0
    second = 1 if kind == CLOSING else 0
    least = np.int64(0)
    own, their = tables.within[mine], tables.within[other]
    for p in range(PACES):
        low, high = np.int64(0), np.int64(0)
        mine_at, other_at = tables.pace[mine, p], tables.pace[other, p]
        for k in range(1, GUESSES):
            before = np.int64(their[max(k - 1 - first, 0)]) + np.int64(their[max(k - 1 - second, 0)])
            low += mine_at[k] * (2 * others - before)
            reached = np.int64(own[k + first]) + np.int64(own[min(k + second, GUESSES - 1)])
            high += other_at[k] * reached
        least = max(least, low)
        most = min(most, high)
    return least, most
