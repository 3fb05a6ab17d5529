"""Symmetries at the start of a search: interchangeable symbols, and permutations of places.

They are computed from the candidates with their weights, so they are right for facts of every kind. A permutation that
maps the candidates to themselves, and the guesses too, maps every strategy to one of the same cost.

Examples for three digits from 0 to 9. `absent=7`: the secret does not contain 7. `high=LHH`: the first digit is low (0
to 4), the others are high (5 to 9). `at=5@2`: the second digit is 5. Symbols in one pair of braces are interchangeable.

    knowledge    interchangeable symbols     permutations of places
    none         {0 to 9}                    all
    absent=7     {0 to 6, 8, 9}              all
    high=LHH     {0 to 4}, {5 to 9}          exchange of the last two places
    at=5@2       {0 to 4, 6 to 9}            exchange of the first and the last place
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
    """The symmetries of the knowledge before the first turn: permutations that do not change the problem.

    - `interchangeable`: the largest of the `classes`.
    - `absent`: a bit mask of the symbols that no candidate contains. Symbols that the rules forbid at the first place
      are left out, because exchanging them with others can map a guess to a sequence that is no code.
    - `orders`: the permutations of places.
    - `whole`: True if all places, and all symbols that some candidate contains, are interchangeable.
    - `classes`: bit masks of symbols. The symbols of one class are interchangeable.
    """

    interchangeable: int
    absent: int
    orders: tuple[tuple[int, ...], ...]
    whole: bool
    classes: tuple[int, ...] = ()

    def representative(self, guess: Sequence[int]) -> tuple[int, ...]:
        """Return the lowest guess that is equivalent to `guess`."""
        return min(self._renamed([guess[place] for place in order]) for order in self.orders)

    def _renamed(self, guess: Sequence[int]) -> tuple[int, ...]:
        """Return the guess with its symbols renamed within each class of interchangeable symbols.

        The new symbols of a class first occur in increasing order.
        """
        left = {each: each for each in (*self.classes, self.absent)}
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
    """Return the symmetries of the knowledge before the first turn. Requires at least one candidate."""
    rules = start.rules
    count, every = len(rules.symbols), tuple(permutations(range(rules.digits)))
    # Do not use `np.unique`, because it would import NumPy's masked arrays.
    present = np.flatnonzero(np.bincount(start.candidates.ravel())).tolist()
    absent = (1 << count) - 1 - mask([*present, *map(rules.symbols.index, rules.no_leading)])
    if not start.facts and not start.prior and not rules.no_leading:
        return StartSymmetry(mask(present), absent, every, True, (mask(present),))
    sets = [_Codes(start.candidates, start.weights)]
    # If every symbol may begin a code, every permutation maps the set of all guesses to itself, so the guesses need no
    # test.
    if rules.no_leading:
        sets.append(_Codes(all_guesses(rules), None))
    classes = tuple(map(mask, _classes(sets, present, count)))
    interchangeable = max(classes, key=int.bit_count)
    orders = tuple(order for order in every if all(codes.equals(codes.rows[:, order]) for codes in sets))
    return StartSymmetry(
        interchangeable, absent, orders, len(orders) == len(every) and interchangeable == mask(present), classes
    )


def distinct_guesses(known: Knowledge, guesses: Iterable[str]) -> list[str]:
    """Return the first guess of each group of equivalent guesses, in the given order.

    Two guesses are equivalent if a permutation of symbols or places that maps the candidates to themselves maps one to
    the other.
    """
    symmetry, found = start_symmetry(known), dict[tuple[int, ...], str]()
    for guess in guesses:
        found.setdefault(symmetry.representative([*map(known.rules.symbols.index, guess)]), guess)
    return [*found.values()]


class _Codes:
    """A set of codes with their weights. `equals` tests whether a permutation maps the set to itself."""

    def __init__(self, rows: Codes, weights: Weights | None) -> None:
        self.rows = rows
        self._weights = np.ones(len(rows), dtype=np.int64) if weights is None else weights
        self._numbers = numbers(rows)

    def equals(self, renamed: Codes) -> bool:
        """Return True if `renamed`, the images of the codes, is the same set of codes with the same weights."""
        each = numbers(renamed)
        order = np.argsort(each)
        return bool((each[order] == self._numbers).all() and (self._weights[order] == self._weights).all())

    def can_exchange(self, one: int, other: int, count: int) -> bool:
        """Return True if exchanging the symbols `one` and `other` maps the codes to themselves, with equal weights."""
        names = np.arange(count, dtype=np.uint8)
        names[[one, other]] = other, one
        return self.equals(names[self.rows])


def _classes(sets: list[_Codes], symbols: list[int], count: int) -> list[list[int]]:
    """Divide the symbols into classes of interchangeable symbols.

    It is enough to test each symbol with one member of each class, because interchangeability is transitive: two
    members can be exchanged with the help of a third.
    """
    classes: list[list[int]] = []
    for symbol in symbols:
        for members in classes:
            if all(codes.can_exchange(members[0], symbol, count) for codes in sets):
                members.append(symbol)
                break
        else:
            classes.append([symbol])
    return classes


def mask(symbols: Iterable[int]) -> int:
    """Return the bit mask of some symbols."""
    return sum(1 << int(symbol) for symbol in set(symbols))
