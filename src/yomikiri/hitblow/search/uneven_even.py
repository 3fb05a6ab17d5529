"""What even play says of uneven secrets: cells that two turns leave, solved as if all their codes were alike.

Such a total is a bound under any weights (see `by_even`), close where they are nearly even. If nothing else is known,
cells that a renaming of symbols turns into each other have the same total, so the engine solves those of a few pairs
of guesses for all others.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.hitblow.codes import Codes, all_guesses, decode_all
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.rules import Hint, Repeats, Rules, Turn
from yomikiri.hitblow.search.memo import Memo, put
from yomikiri.hitblow.search.partition import count, look_up
from yomikiri.hitblow.search.position import kernel_search
from yomikiri.hitblow.search.prices import Hand, Priced, PricedWorkspace
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.machine.bits import ZERO, Int
from yomikiri.machine.kernel import entry

_PAIRS = 1 << 20  # pairs of guesses of a game that is solved so, at most,
_CLASSES = 64  # and classes of them

Totals = Annotated[NDArray[np.int64], "guesses", "slots"]  # of the cells of each guess, if all codes were alike


class EvenTotals:
    """The even totals of the cells that two guesses leave of a game of which nothing is known."""

    def __init__(self, rules: Rules, hints: tuple[Hint, ...], classes: NDArray[np.int64]) -> None:
        self._rules, self._hints = rules, hints
        self._classes = classes  # (guesses, guesses)
        self._solved: dict[Hint, Totals] = {}  # after each hint to the first guess, by class

    def after(self, first: int, hint: Hint, budget: Budget) -> Totals:
        """Those of the cells of every guess that comes after a hint to a first guess; raises `Stopped`."""
        if hint not in self._solved:
            self._solved[hint] = self._after(hint, budget)
        totals: Totals = self._solved[hint][self._classes[first]]
        return totals

    def _after(self, hint: Hint, budget: Budget) -> Totals:
        _each, pairs = np.unique(self._classes, return_index=True)
        codes = decode_all(self._rules, all_guesses(self._rules))
        turns = [(Turn(codes[pair // len(codes)], hint), codes[pair % len(codes)]) for pair in pairs.tolist()]
        rows = [[self._total(budget, turn, Turn(guess, answer)) for answer in self._hints] for turn, guess in turns]
        return np.array(rows, dtype=np.int64)

    def _total(self, budget: Budget, *turns: Turn) -> int:
        known = Knowledge(self._rules, facts=turns)
        if not known.count:
            return 0
        with kernel_search(known, budget) as search:
            return search.least()


def even_totals(known: Knowledge, hints: tuple[Hint, ...], budget: Budget = UNLIMITED) -> EvenTotals | None:
    """The even totals of a game of which only weights are known; None if more is, if symbols may occur twice, or if it
    has too many guesses. Raises `Stopped` when the time of the budget is over."""
    rules, guesses = known.rules, all_guesses(known.rules)
    plain = rules.repeats is Repeats.NONE and not (known.absent or known.facts or rules.no_leading)
    if not plain or known.count < rules.secret_count or len(guesses) ** 2 > _PAIRS:
        return None
    each, classes = np.unique(alike_pairs(guesses, budget), return_inverse=True)
    return EvenTotals(rules, hints, classes.reshape(len(guesses), -1)) if len(each) <= _CLASSES else None


def alike_pairs(guesses: Codes, budget: Budget = UNLIMITED) -> NDArray[np.int64]:
    """A number for each pair of guesses, the same for those that a renaming of symbols turns into each other: for each
    place of one and then the other, where its symbol is met first."""
    places = [*guesses.T[:, :, None], *guesses.T[:, None, :]]
    names = np.zeros((len(guesses), len(guesses)), dtype=np.int64)
    for place, symbols in enumerate(places):
        budget.check()
        met = np.full(names.shape, place, dtype=np.int64)
        for before in reversed(range(place)):
            met[np.broadcast_to(places[before] == symbols, names.shape)] = before
        names = names * len(places) + met
    return names


@entry
def seed(position: Priced, evens: Memo, work: PricedWorkspace, hand: Hand, even: Totals) -> None:
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
def least_by_even(position: Priced, work: PricedWorkspace, hand: Hand, even: Totals) -> Int:
    """A bound of what a set costs, whatever the guess: the least of what the cells of each cost by their even totals.

    As in `by_even`, cell by cell; a code beyond the third guess is counted there as if it were found at the fourth.
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
