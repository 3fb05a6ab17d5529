"""What may be exchanged at the start of a search without any difference: symbols, and places.

It is read off the codes that fit, with their weights, and so holds for facts of every kind: a renaming under which the
codes turn into themselves, and the guesses too, turns every strategy into one that costs as much.

    nothing known       all symbols alike, all orders of places
    absent=7            the nine others alike, and all orders
    high=LHH            0 to 4 alike, and so are 5 to 9; the last two places
    at=5@2              all but 5 alike; the first place and the last
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from yomikiri.common.lazy import np
from yomikiri.hitblow.model.codes import Codes, all_guesses, numbers
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.space import Weights


@dataclass(frozen=True, slots=True)
class StartSymmetry:
    """What may be exchanged: the symbols of `fresh` (a bit each) in any way, and places into one of the `orders`.

    `gone` are the symbols that are in no code, and may lead one; `whole` says that nothing sets any place apart, nor
    any symbol but those. Symbols may also be exchanged within each of the `classes`, of which `fresh` is the largest.
    """

    fresh: int
    gone: int
    orders: tuple[tuple[int, ...], ...]
    whole: bool
    classes: tuple[int, ...] = ()

    def representative(self, guess: Sequence[int]) -> tuple[int, ...]:
        """One of the guesses that an exchange turns this one into, the same for all of them: the first in order."""
        return min(self._renamed([guess[place] for place in order]) for order in self.orders)

    def _renamed(self, guess: Sequence[int]) -> tuple[int, ...]:
        """The guess with the symbols of each class in their order, as they occur."""
        left = {each: each for each in (*self.classes, self.gone)}
        names: dict[int, int] = {}
        for symbol in guess:
            if symbol in names:
                continue
            names[symbol] = symbol
            for each in left:
                if each >> symbol & 1:
                    names[symbol] = (left[each] & -left[each]).bit_length() - 1
                    left[each] &= left[each] - 1
        return tuple(names[symbol] for symbol in guess)


def start_symmetry(start: Knowledge) -> StartSymmetry:
    """What may be exchanged where that is known, and no turn has been made; there is a candidate."""
    rules = start.rules
    count, every = len(rules.symbols), tuple(permutations(range(rules.digits)))
    # Not `np.unique`, which loads the masked arrays of numpy.
    present = np.flatnonzero(np.bincount(start.candidates.ravel())).tolist()
    gone = (1 << count) - 1 - mask([*present, *map(rules.symbols.index, rules.no_leading)])
    if not start.facts and not start.prior and not rules.no_leading:
        return StartSymmetry(mask(present), gone, every, True, (mask(present),))
    sets = [_Codes(start.candidates, start.weights)]
    if rules.no_leading:  # else every exchange turns the guesses into themselves
        sets.append(_Codes(all_guesses(rules), None))
    classes = tuple(map(mask, _classes(sets, present, count)))
    fresh = max(classes, key=int.bit_count)
    orders = tuple(order for order in every if all(codes.stay(codes.rows[:, order]) for codes in sets))
    return StartSymmetry(fresh, gone, orders, len(orders) == len(every) and fresh == mask(present), classes)


def distinct_guesses(known: Knowledge, guesses: Iterable[str]) -> list[str]:
    """Return the guesses in order, one of those that a permutation of symbols or of places makes equivalent."""
    alike, found = start_symmetry(known), dict[tuple[int, ...], str]()
    for guess in guesses:
        found.setdefault(alike.representative([*map(known.rules.symbols.index, guess)]), guess)
    return [*found.values()]


class _Codes:
    """Codes with their weights, as a set that a renaming may turn into itself."""

    def __init__(self, rows: Codes, weights: Weights | None) -> None:
        self.rows = rows
        self._weights = np.ones(len(rows), dtype=np.int64) if weights is None else weights
        self._numbers = numbers(rows)

    def stay(self, renamed: Codes) -> bool:
        """Whether the codes, renamed, are the same set with the same weights."""
        each = numbers(renamed)
        order = np.argsort(each)
        return bool((each[order] == self._numbers).all() and (self._weights[order] == self._weights).all())

    def stay_without(self, one: int, other: int, count: int) -> bool:
        """Whether they stay what they are if two symbols are exchanged."""
        names = np.arange(count, dtype=np.uint8)
        names[[one, other]] = other, one
        return self.stay(names[self.rows])


def _classes(sets: list[_Codes], symbols: list[int], count: int) -> list[list[int]]:
    """The symbols in classes that may be exchanged among themselves.

    Two symbols are exchanged by exchanging each with a third, so one of a class speaks for all.
    """
    classes: list[list[int]] = []
    for symbol in symbols:
        for members in classes:
            if all(codes.stay_without(members[0], symbol, count) for codes in sets):
                members.append(symbol)
                break
        else:
            classes.append([symbol])
    return classes


def mask(symbols: Iterable[int]) -> int:
    """Symbols as a bit each."""
    return sum(1 << int(symbol) for symbol in set(symbols))
