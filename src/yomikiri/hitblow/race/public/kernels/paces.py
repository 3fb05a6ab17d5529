"""How soon a form can find its secret, whatever the other side does: what the bounds of a race are made of."""

from __future__ import annotations

import numpy as np

from yomikiri.hitblow.race.public.kernels.tables import GUESSES, HASTE, PACES, Tables
from yomikiri.hitblow.search.jit import kernel
from yomikiri.machine.bits import Int


@kernel
def measure(tables: Tables, form: Int) -> None:
    """Fill `within`, `pace`, `worth` and `alone` of a new form from its options."""
    n = np.int64(tables.size[form])
    within, pace, worth = tables.within, tables.pace, tables.worth
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
        count[1] = tables.hit[chosen]
        for j in range(tables.begin[chosen], tables.begin[chosen + 1]):
            part = pace[tables.cell[j], p]
            for k in range(1, GUESSES):
                count[min(k + 1, GUESSES - 1)] += part[k]
