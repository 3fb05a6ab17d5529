"""The exact search for secrets that are not equally likely: the least weighted total from a position, and its tree.

It is the priced search with every step 1, and what even play says of its cells: see `priced` and `uneven_even`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice

from yomikiri.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.search.memo import new_memo, put
from yomikiri.hitblow.search.position import HEAVIEST, Move, PositionSearch, least_of
from yomikiri.hitblow.search.priced import Moment, PricedSearch
from yomikiri.hitblow.search.priced_kernels import cell_of
from yomikiri.hitblow.search.prices import EVENED, MASKED, USED, Hand
from yomikiri.hitblow.search.shared import searches
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.hitblow.search.symmetry.alike import alike_in
from yomikiri.hitblow.search.table import Members
from yomikiri.hitblow.search.uneven_even import EvenTotals, Totals, even_totals, least_by_even, seed
from yomikiri.hitblow.strategy.strategy import Node

QUICK = 24  # so few codes are solved at once where a tree need not be optimal
_DEPTHS = 128  # no strategy worth a look is so deep unless its weights are beyond all measure
_EVEN = 4  # the average weight over the least, at most, where even totals are asked for,
_TOTALS = 1 << 17  # of which so many are kept


class UnevenSearch(PricedSearch, PositionSearch):
    """Least weighted totals from one position, of whose candidates some are likelier than others.

    Together they weigh less than HEAVIEST. The states of the budget are sets looked into. Raises `Stopped` when its
    time is over before all tables are made; no state is looked at by then.
    """

    def __init__(self, known: Knowledge, budget: Budget = UNLIMITED) -> None:
        assert known.total < HEAVIEST
        super().__init__(known, [1] * (min(known.count, _DEPTHS) + 2), budget, forever=True)
        self._even: EvenTotals | None = None

    def ask(self, budget: Budget) -> UnevenSearch:
        """The same search, for a question with a budget of its own."""
        before = self.nodes
        self._budget = budget.part(lambda: Progress(states=self.nodes - before))
        return self

    def least(self) -> int:
        """The least weighted total over all candidates."""
        return self._least(self._all, self._start)

    def best_guesses(self, total: int, most: int) -> list[str]:
        return [self._code(guess) for guess in islice(self._attaining(self._all, self._start, total), most)]

    def moves(self, most: int) -> list[Move]:
        """The `most` guesses of least total, images of each other among them."""
        guesses = self._by_bound(self._all, self._start, IMPOSSIBLE)
        found = least_of(guesses, most, IMPOSSIBLE, partial(self._after, self._all, self._start))
        return [Move(self._code(guess), total) for total, guess in found]

    def guesses(self) -> list[tuple[int, str]]:
        """All guesses that tell something, with lower bounds of the totals that they lead to, two guesses ahead; by
        bound and then in code order. Of those that an exchange of symbols and places turns into each other, without
        changing what is known, the first alone."""
        found, alike = [], alike_in(self._known)
        n, lightest = len(self._all), int(self._position.weight[-1])
        if n > self._work.state[MASKED] and _EVEN * n * lightest >= self._known.total:
            self._even = even_totals(self._known, self._hints, self._budget)
        first: dict[tuple[int, ...], int] = {}
        for guess, code in enumerate(self._table.codes.tolist()):
            self._budget.check(self.nodes)
            if first.setdefault(alike.representative(code), guess) != guess:
                continue
            _, bound, cells = self._opened(self._all, self._start, guess, IMPOSSIBLE)
            if cells and self._even:
                self._raise(guess)
                _, bound, _ = self._opened(self._all, self._start, guess, IMPOSSIBLE)
            if bound < IMPOSSIBLE:
                found.append((bound, guess))
        return [(bound, self._code(guess)) for bound, guess in sorted(found)]

    def total_after(self, guess: str, below: int = IMPOSSIBLE) -> int:
        first = self._number(guess)
        if self._even and self._opened(self._all, self._start, first, below)[2]:
            self._evens, self._work.state[EVENED] = new_memo(_TOTALS), 1
            for cell, even in self._large_cells(first):
                seed(self._position, self._evens, self._work, cell, even)
        return self._after(self._all, self._start, first, below)

    def _raise(self, guess: int) -> None:
        """Raise what is known of the cells of a first guess that was opened, by the even totals of what follows."""
        for cell, even in self._large_cells(guess):
            lower = least_by_even(self._position, self._work, cell, even)
            self._work.state[USED] += put(self._memo.table, cell.key, cell.check, cell.n, lower, IMPOSSIBLE)

    def _large_cells(self, guess: int) -> Iterator[tuple[Hand, Totals]]:
        """Each large cell of a first guess that was opened, and the even totals of what follows.

        What was opened is read before the first is given.
        """
        assert self._even is not None
        work, slots = self._work, self._table.slots
        large = [r for r in range(slots - 1) if work.size[0, r] > slots]
        cells = [cell_of(work, 0, r) for r in large]
        # What even play takes is no part of it.
        budget = Budget(until=self._budget.until, cancelled=lambda: self._budget.spent(self.nodes))
        even = (self._even.after(guess, self._hints[r], budget) for r in large)
        return zip(cells, even, strict=True)

    def max_guesses(self, guess: str) -> int:
        return _depth(self.tree(guess))

    def quick_tree(self) -> Node:
        """A good tree, whatever there is to spend: small sets are solved while the budget lasts, others take the guess
        of the least one-step bound."""

        def choose(members: Members, at: Moment) -> int:
            if len(members) <= QUICK:
                with suppress(Stopped):
                    return self._best(members, at)
            return self._by_bound(members, at, IMPOSSIBLE, UNLIMITED)[0][1]

        return self._grown(self._all, self._start, choose)

    def tree(self, first: str = "") -> Node:
        """A strategy of the least weighted total, of those that begin with `first` if it is given."""
        return self._grown(self._all, self._start, self._best, self._number(first) if first else -1)


def _depth(tree: Node) -> int:
    return 1 + max((_depth(below) for _answer, below in tree.branches), default=0)


uneven_search = searches(UnevenSearch)
"""Lends the search from a position: see `searches`."""
