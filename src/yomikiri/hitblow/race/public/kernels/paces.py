"""How soon a form can find its secret, whatever the other side does: what the bounds of a race are made of."""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.race.public.kernels.game import Game
from yomikiri.hitblow.race.public.kernels.tables import GUESSES, HASTE, PACES, Tables
from yomikiri.hitblow.race.public.kernels.workspace import Workspace
from yomikiri.hitblow.search.jit import kernel
from yomikiri.numba_support.bits import Int


@kernel
def measure_reach(tables: Tables, form: Int) -> None:
    """Fill `within` and `alone` of a form from its options, which are all that matter."""
    n = np.int64(tables.size[form])
    within = tables.within
    best_alone: Int = 0
    for k in range(1, GUESSES):
        most: Int = 0
        for option in range(tables.first[form, 0], tables.first[form, 1]):
            found = np.int64(tables.hit[option])
            for j in range(tables.begin[option], tables.begin[option + 1]):
                found += within[tables.cell[j], k - 1]
            most = max(most, found)
        # The last counts stand for any number of guesses, so that a strategy longer than that is bounded soundly.
        within[form, k] = most if k < GUESSES - 3 else n
    for option in range(tables.first[form, 0], tables.first[form, 1]):
        cells = tables.begin[option + 1] - tables.begin[option]
        best_alone = max(best_alone, 2 * np.int64(tables.hit[option]) + np.int64(cells))
    tables.alone[form] = best_alone


@kernel
def measure_pace(tables: Tables, form: Int) -> None:
    """Fill `pace` and `worth` of a form by the best of its options, or by the lead of a sketch."""
    n = np.int64(tables.size[form])
    pace, worth = tables.pace, tables.worth
    for p in range(PACES):
        chosen = tables.first[form, 0]
        best = -np.inf
        for option in range(tables.first[form, 0], tables.first[form, 1]):
            total = 0.0
            for j in range(tables.begin[option], tables.begin[option + 1]):
                total += worth[tables.cell[j], p]
            if p:
                total = HASTE[p - 1] * (total + tables.hit[option])
            else:
                total -= n
            if total > best:
                best, chosen = total, option
        worth[form, p] = best
        count = pace[form, p]
        for k in range(GUESSES):
            count[k] = 0
        count[1] = tables.hit[chosen]
        for j in range(tables.begin[chosen], tables.begin[chosen + 1]):
            part = pace[tables.cell[j], p]
            for k in range(1, GUESSES):
                count[min(k + 1, GUESSES - 1)] += part[k]


@kernel
def survey(game: Game, room: Workspace, start: Int, n: Int) -> tuple[Int, Int, Int, Int]:
    """What the sizes of the cells of all guesses tell about the set `members[start : start + n]`.

    Returns its *lead*, the guess with which most codes are found within two guesses; how many these are; a number of
    codes that no strategy exceeds within three, since with two guesses at most as many of a cell are found as there are
    hints; and `alone` (see `tables`), exact. Of equal guesses that leads which may find more within three, then one
    that may hit.
    """
    members, sizes, last = room.members, room.sizes, game.hints - 1
    guesses = len(game.codes)
    for guess in range(guesses):
        for r in range(game.hints):
            sizes[guess, r] = 0
    for j in range(start, start + n):
        row = game.answers[members[j]]  # of a code and a guess it is the same whichever is which
        for guess in range(guesses):
            sizes[guess, row[guess]] += 1
    two: Int = 0
    three: Int = 0
    alone: Int = 0
    lead: Int = 0
    best: Int = -1
    for guess in range(guesses):
        hit = np.int64(sizes[guess, last])
        cells: Int = 0
        reach: Int = 0
        for r in range(last):
            size: Int = np.int64(sizes[guess, r])
            if size:
                cells += 1
                reach += min(size, game.hints)
        two = max(two, hit + cells)
        three = max(three, hit + reach)
        alone = max(alone, 2 * hit + cells)
        score = ((hit + cells) * (n + 1) + hit + reach) * 2 + hit
        if score > best:
            best, lead = score, guess
    return lead, two, three, alone
