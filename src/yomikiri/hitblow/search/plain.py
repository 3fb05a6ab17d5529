"""Exact search without machine code: NumPy bounds all guesses at once, and Python does the rest.

The program uses this search if there is no machine code for the processor. It is also a second implementation for the
tests, because it shares only the rules with the kernels. Totals and the order of guesses are the same as with the
kernels, so both choose the same one of equally good guesses.

All arrays belong to one position of n candidates and g guesses. `answers[c, j]` is the answer of candidate c to guess
j, as an index into `Rules.hints`, where the win is the last. A set of candidates is a tuple of their row indices c, in
ascending order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.common.lazy import NDArray, np
from yomikiri.guessing.branch_and_bound import BranchAndBound, Secrets
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.codes import (
    Codes,
    all_guesses,
    decode,
    encode,
    guess_number,
    guess_numbers,
    hint_places,
    hint_table,
    numbers,
)
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.search.position import EvaluatedGuess, ExactSearch, least_of, searches
from yomikiri.hitblow.search.symmetry.equivalent import mask, start_symmetry

WEAK = 70  # The guesses of a set of at most this number of codes are sorted by the cheaper bound of `_by_bound`.
# limit on the number of candidates times the number of guesses, for a position that this search can solve in seconds
_MOST_PAIRS = 3_000_000


class PlainSearch(BranchAndBound[int], ExactSearch):
    """Search for the least totals of guesses from one position. Bounds of candidate sets are kept for later requests.

    If the budget limits the number of states, each candidate set that is searched counts as one.
    """

    def __init__(self, known: Knowledge, budget: Budget = UNLIMITED) -> None:
        rules = known.rules
        self._rules, self._hints = rules, len(rules.hints)
        self._codes = all_guesses(rules)
        answers = hint_places(rules)[hint_table(known.candidates, self._codes)]
        own = guess_numbers(rules, known.candidates)  # guess number of each candidate
        super().__init__(answers, self._hints - 1, own, [1] * len(own))
        self._budget = budget
        self._bits = np.left_shift(np.uint32(1), answers, dtype=np.uint32)
        self._ideal = _ideal_totals(len(known.candidates), self._hints - 1)
        self._turns = [encode(rules, turn.guess) for turn in known.played]
        start = start_symmetry(known.start)
        self._orders = start.orders
        # bit mask of the symbols that are distinguishable at the start
        self._distinguishable = (1 << len(rules.symbols)) - 1 & ~start.interchangeable
        # bit mask of the symbols that are distinguishable at the start, and of the symbols in the turns
        self._used = self._distinguishable | mask(int(symbol) for code in self._turns for symbol in code)
        # bit mask of the used symbols that no candidate contains, except those that the rules forbid at the first place
        self._gone = self._used & ~mask(np.flatnonzero(np.bincount(known.candidates.ravel())))
        self._gone &= ~mask(map(rules.symbols.index, rules.no_leading))
        self._whole: Secrets = tuple(range(len(known.candidates)))
        self._symbols = [mask(code) for code in self._codes.tolist()]
        self._classes: dict[int, NDArray[np.intp]] = {}

    def least(self) -> int:
        return self._total(self._whole, IMPOSSIBLE, self._used)

    def best_guesses(self, total: int, most: int) -> list[str]:
        return [move.guess for move in self._moves(most, total + 1)]

    def moves(self, most: int) -> list[EvaluatedGuess]:
        return self._moves(most, IMPOSSIBLE)

    def _moves(self, most: int, below: int) -> list[EvaluatedGuess]:
        guesses = self._by_bound(self._whole, self._distinct(self._guesses(self._used)), WEAK)
        found = least_of(guesses, most, below, lambda guess, worst: self._after(self._whole, guess, worst, self._used))
        return [EvaluatedGuess(decode(self._rules, self._codes[guess]), total) for total, guess in found]

    def max_guesses(self, guess: str) -> int:
        return self._longest(self._whole, guess_number(self._rules, guess), self._used)

    def _longest(self, members: Secrets, guess: int, used: int) -> int:
        cells = self._cells(members, guess, used)
        return 1 + max((self._most(*cell) for hint, cell in cells.items() if hint != self._win), default=0)

    def _most(self, members: Secrets, used: int) -> int:
        """Return the most guesses that a strategy of least total needs for any code of a candidate set.

        At each set, the strategy makes a guess of the least total. Of guesses with equal totals, it makes the one with
        the smallest bound, then the first in code order.
        """
        if len(members) <= 2:
            return len(members)
        total = self._total(members, IMPOSSIBLE, used)
        for _bound, guess in self._by_bound(members, self._guesses(used), WEAK):
            if self._after(members, guess, total + 1, used) == total:
                return self._longest(members, guess, used)
        raise AssertionError("some guess attains the least total")

    def total_after(self, guess: str, below: int = IMPOSSIBLE) -> int:
        return self._after(self._whole, guess_number(self._rules, guess), below, self._used)

    def _ordered(self, members: Secrets, context: int) -> list[tuple[int, int]]:
        return self._by_bound(members, self._guesses(context), 2 * (self._hints + 1))

    def _context_after(self, context: int, guess: int, cell: Secrets) -> int:
        return context | self._symbols[guess]

    def _quick_bound(self, members: Secrets, context: int) -> int:
        return int(self._ideal[len(members)])

    def _separates(self, members: Secrets, named: Sequence[int]) -> bool:
        rows = np.array(members, dtype=np.intp)
        met = np.bitwise_or.reduce(self._bits[rows[:, None], self._own[list(named)]], axis=0)
        return bool((np.bitwise_count(met) == len(members)).any())

    def _least(self, members: Secrets, context: int) -> int:
        return 2 * len(members) - 1

    def _weight(self, members: Secrets) -> int:
        return len(members)

    def _by_bound(self, members: Secrets, guesses: NDArray[np.intp], weak: int) -> list[tuple[int, int]]:
        """Return (lower bound of the total, index of the guess) pairs, by bound, then in code order.

        A guess costs 1 for each of the n members. Each of its cells, except that of the win, costs at least the least
        total for its size. A set of at most `weak` codes has small cells, and a cheaper bound is nearly as good. In a
        cell of k members, at best one is found at the next guess, and all others take two, so it costs at least 2 k -
        1. Together, a guess with p cells then costs at least 3 n - p - w, where w is 1 if the guess is a member,
        otherwise 0.
        """
        rows, n = np.array(members, dtype=np.intp), len(members)
        if n <= weak:
            met = np.bitwise_or.reduce(self._bits[rows], axis=0)[guesses]
            bounds = 3 * n - np.bitwise_count(met).astype(np.int64) - (met >> np.uint32(self._win) & np.uint32(1))
        else:
            answers = self._answers[rows][:, guesses].astype(np.intp)
            answers += self._hints * np.arange(len(guesses))
            sizes = np.bincount(answers.ravel(), minlength=self._hints * len(guesses)).reshape(-1, self._hints)
            bounds = n + self._ideal[sizes].sum(axis=1) - sizes[:, self._win]
        order = np.argsort(bounds, kind="stable")
        return list(zip(bounds[order].tolist(), guesses[order].tolist(), strict=True))

    def _guesses(self, used: int) -> NDArray[np.intp]:
        """Return the guesses in which interchangeable symbols appear in increasing order.

        `used` is a bit mask of symbols. Unused symbols are interchangeable, and so are those that no candidate has.
        Permuting them maps every set to itself. So every other guess is equivalent to one of the returned guesses.
        """
        if used not in self._classes:
            kept = np.ones(len(self._codes), dtype=bool)
            for symbol_set in (~used, self._gone):
                kept &= _in_order(self._codes, symbol_set, len(self._rules.symbols))
            self._classes[used] = np.flatnonzero(kept)
        return self._classes[used]

    def _distinct(self, guesses: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the guesses that no symmetry of the candidates maps to a lower guess.

        A symmetry consists of a permutation of places that maps the candidates at the start to themselves, and a
        permutation of interchangeable symbols. Both together map each turn to itself.
        """
        codes = self._codes[guesses]
        keys, kept = numbers(codes), np.ones(len(codes), dtype=bool)
        for order in self._orders:
            names = _names(self._turns, order, self._distinguishable)
            if names is not None:
                kept &= numbers(self._renamed(codes[:, order], names)) >= keys
        return guesses[kept]

    def _renamed(self, codes: Codes, names: dict[int, int]) -> Codes:
        """Return the codes with their symbols renamed by the map `names`.

        The map does not apply to interchangeable symbols. These are numbered in order of occurrence instead.
        """
        count = len(self._rules.symbols)
        name = np.full((len(codes), count), -1, dtype=np.int64)
        for symbol, other in names.items():
            if not self._gone >> symbol & 1:
                name[:, symbol] = other
        for symbol_set in (~self._used, self._gone):
            symbols = np.array([symbol for symbol in range(count) if symbol_set >> symbol & 1], dtype=np.int64)
            met = np.zeros(len(codes), dtype=np.int64)
            for place in range(codes.shape[1]):
                own = codes[:, place]
                fresh = np.flatnonzero(
                    (name[np.arange(len(codes)), own] < 0) & (symbol_set >> own.astype(np.int64) & 1 > 0)
                )
                name[fresh, own[fresh]] = symbols[met[fresh]] if len(symbols) else 0
                met[fresh] += 1
        return np.take_along_axis(name, codes.astype(np.int64), axis=1).astype(np.uint8)


def _names(turns: list[Codes], order: tuple[int, ...], distinguishable: int) -> dict[int, int] | None:
    """Return the map of symbols that, after the permutation `order` of places, leaves every turn unchanged.

    Returns None if there is no such map. The symbols in the bit mask `distinguishable` are not interchangeable with any
    other, so each of them must be mapped to itself.
    """
    names = {symbol: symbol for symbol in range(distinguishable.bit_length()) if distinguishable >> symbol & 1}
    for code in turns:
        for source, target in zip(code[list(order)].tolist(), code.tolist(), strict=True):
            if names.setdefault(source, target) != target:
                return None
    return names if len(set(names.values())) == len(names) else None


@lru_cache(maxsize=8)
def _ideal_totals(most: int, branches: int) -> NDArray[np.int64]:
    """Return lower bounds of the total of n codes, for n from 0 to `most`: shape (most + 1,).

    At most one code is found at guess 1, `branches` codes at guess 2, branches² at guess 3, and so on, because a guess
    has at most `branches` cells besides the win.
    """
    totals, level, left = [0], 1, 1
    for _ in range(most):
        if not left:
            level, left = level + 1, branches**level
        totals.append(totals[-1] + level)
        left -= 1
    return np.array(totals, dtype=np.int64)


def _in_order(codes: Codes, symbol_set: int, symbols: int) -> NDArray[np.bool_]:
    """Return for each code True if its symbols in the bit mask `symbol_set` first occur in increasing order.

    The lowest symbols of `symbol_set` have to be used first, without gaps.
    """
    rank = np.full(symbols, -1, dtype=np.int64)
    members = [symbol for symbol in range(symbols) if symbol_set >> symbol & 1]
    rank[members] = np.arange(len(members))
    named, kept = np.zeros(len(codes), dtype=np.int64), np.ones(len(codes), dtype=bool)
    for place in range(codes.shape[1]):
        own = rank[codes[:, place]]
        kept &= own <= named
        named += own == named
    return kept


def within_reach(known: Knowledge) -> bool:
    """Return True if a search of the position is likely to take only seconds and at most some tens of megabytes."""
    return known.count * known.rules.guess_count <= _MOST_PAIRS


plain_search = searches(PlainSearch)
"""Provides the search from a position: see `searches`."""
