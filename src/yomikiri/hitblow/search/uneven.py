"""The exact search for secrets that are not equally likely: the least weighted total from a position, and its tree.

One search of one position: what is learnt of a set serves the later ones. `uneven_bounds` has the bounds, and
`uneven_kernels` the recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from yomikiri.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.hitblow.codes import decode, encode, numbers
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.search.alike import alike_in
from yomikiri.hitblow.search.memo import GrowingMemo, Memo, new_memo, put
from yomikiri.hitblow.search.position import HEAVIEST, Move, PositionSearch, least_of
from yomikiri.hitblow.search.shared import searches
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE
from yomikiri.hitblow.search.table import Members, tabled
from yomikiri.hitblow.search.uneven_bounds import (
    EVENED,
    MASKED,
    OUT_OF_ROOM,
    SERIAL,
    SHARING,
    SPARE,
    USED,
    Uneven,
    lay,
    list_guesses,
    marked,
    new_workspace,
)
from yomikiri.hitblow.search.uneven_even import EvenTotals, Totals, even_totals, least_by_even, seed
from yomikiri.hitblow.search.uneven_kernels import open_guess, search
from yomikiri.hitblow.strategy.strategy import Node
from yomikiri.machine.running import Runner
from yomikiri.machine.shared_words import NO_END

QUICK = 24  # so few codes are solved at once where a tree need not be optimal
_DEPTHS = 128  # no strategy worth a look is so deep unless its weights are beyond all measure
_EVEN = 4  # the average weight over the least, at most, where even totals are asked for,
_TOTALS = 1 << 17  # of which so many are kept
_MEMORY = 1 << 28  # bytes of the memo, at most
# What takes no longer than so many answers of codes to guesses, some ten milliseconds, begins in the thread that asks:
# a search whose looks are each at all of its codes and guesses, and what looks at these once.
_SHORT, _ONCE = 1 << 24, 1 << 21


class UnevenSearch(PositionSearch):
    """Least weighted totals from one position, of whose candidates some are likelier than others.

    Together they weigh less than HEAVIEST. The states of the budget are sets looked into. Raises `Stopped` when its
    time is over before all tables are made; no state is looked at by then.
    """

    def __init__(self, known: Knowledge, budget: Budget = UNLIMITED) -> None:
        assert known.total < HEAVIEST
        weights = np.ones(known.count, dtype=np.int64) if known.weights is None else known.weights
        order = np.argsort(-weights, kind="stable")
        making = replace(budget, states=None)
        table, self._hints = tabled(known.rules, known.candidates[order], making)
        self._rules, self._budget = known.rules, budget
        self._position = Uneven(table, weights[order], marked(table, making))
        self._runner = Runner()
        self._work = new_workspace(self._position, min(len(order), _DEPTHS) + 2)._replace(shared=self._runner.words)
        self._memo = GrowingMemo(_MEMORY)
        self._all: Members = np.arange(len(order), dtype=np.int32)
        self._guesses, self._known = numbers(table.codes), known
        self._totals: Memo = new_memo(1)
        self._even: EvenTotals | None = None

    @property
    def nodes(self) -> int:
        """Sets looked into so far."""
        return self._runner.nodes

    def ask(self, budget: Budget) -> UnevenSearch:
        """The same search, for a question with a budget of its own."""
        before = self.nodes
        self._budget = budget.part(lambda: Progress(states=self.nodes - before))
        return self

    def least(self) -> int:
        """The least weighted total over all candidates."""
        return self._least(self._all)

    def best_guesses(self, total: int, most: int) -> list[str]:
        return [self._code(guess) for guess in islice(self._attaining(self._all, total), most)]

    def moves(self, most: int) -> list[Move]:
        """The `most` guesses of least total, images of each other among them."""
        guesses = self._by_bound(self._all, IMPOSSIBLE)
        found = least_of(guesses, most, IMPOSSIBLE, partial(self._after, self._all))
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
        for guess, code in enumerate(self._position.table.codes.tolist()):
            self._budget.check(self.nodes)
            if first.setdefault(alike.representative(code), guess) != guess:
                continue
            bound, cells = self._opened(self._all, guess, IMPOSSIBLE)
            if cells and self._even:
                self._raise(guess)
                bound = self._opened(self._all, guess, IMPOSSIBLE)[0]
            if bound < IMPOSSIBLE:
                found.append((bound, guess))
        return [(bound, self._code(guess)) for bound, guess in sorted(found)]

    def total_after(self, guess: str, below: int = IMPOSSIBLE) -> int:
        first = self._number(guess)
        if self._even and self._opened(self._all, first, below)[1]:
            self._totals, self._work.state[EVENED] = new_memo(_TOTALS), 1
            for start, n, _weight, even, _key in self._cells(first):
                seed(self._position, self._totals, self._work, start, n, even)
        return self._after(self._all, first, below)

    def _raise(self, guess: int) -> None:
        """Raise what is known of the cells of a first guess that was opened, by the even totals of what follows."""
        for start, n, weight, even, key in self._cells(guess):
            lower = least_by_even(self._position, self._work, start, n, weight, even)
            self._work.state[USED] += put(self._memo.table, key[0], key[1], n, lower, IMPOSSIBLE)

    def _cells(self, guess: int) -> Iterator[tuple[int, int, int, Totals, NDArray[np.uint64]]]:
        """Of each large cell of a first guess that was opened: start, size, weight, even totals of what follows, name.

        What was opened is read before the first is given.
        """
        assert self._even is not None
        work, slots = self._work, self._position.table.slots
        large = [r for r in range(slots - 1) if work.size[0, r] > slots]
        starts, sizes, weights = (of[0, large].tolist() for of in (work.start, work.size, work.weight))
        budget = Budget(cancelled=lambda: self._budget.spent(self.nodes))  # what even play takes is no part of it
        even = (self._even.after(guess, self._hints[r], budget) for r in large)
        return zip(starts, sizes, weights, even, work.key[0, :, large], strict=True)

    def max_guesses(self, guess: str) -> int:
        return _depth(self.tree(guess))

    def quick_tree(self) -> Node:
        """A good tree, whatever there is to spend: small sets are solved while the budget lasts, others take the guess
        of the least one-step bound."""

        def choose(members: Members) -> int:
            if len(members) <= QUICK:
                with suppress(Stopped):
                    return self._best(members)
            return self._by_bound(members, IMPOSSIBLE, UNLIMITED)[0][1]

        return self._grown(self._all, choose)

    def tree(self, first: str = "") -> Node:
        """A strategy of the least weighted total, of those that begin with `first` if it is given."""
        return self._grown(self._all, self._best, self._number(first) if first else -1)

    def _grown(self, members: Members, choose: Callable[[Members], int], guess: int = -1) -> Node:
        if guess < 0:
            guess = choose(members)
        slots = self._position.table.answers[guess, members]
        win = self._position.table.slots - 1
        branches = (
            (self._hints[slot], self._grown(members[slots == slot], choose))
            for slot in set(slots.tolist())
            if slot != win
        )
        return Node(self._code(guess), tuple(sorted(branches, key=lambda branch: branch[0])))

    def _best(self, members: Members) -> int:
        """The first guess, by bound and in code order, that attains the least total of a set."""
        if len(members) <= 2:
            return int(self._position.table.own[members[0]])
        return next(self._attaining(members, self._least(members)))

    def _attaining(self, members: Members, least: int) -> Iterator[int]:
        """The guesses that attain the least total of a set, by bound and in code order."""
        for _bound, guess in self._by_bound(members, least + 1):
            if self._after(members, guess, least + 1) == least:
                yield guess

    def _by_bound(self, members: Members, below: int, budget: Budget | None = None) -> list[tuple[int, int]]:
        """The guesses whose bounds are below `below`, by bound and then in code order."""
        n, work = self._lay(members), self._work
        ask = partial(list_guesses, self._position, work, 0, 0, n, self._weight(members), below)
        listed, _ = self._runner.run(ask, budget or self._budget, self._looks(n, once=True))
        return sorted(zip(work.bound[0, :listed].tolist(), work.guess[0, :listed].tolist(), strict=True))

    def _after(self, members: Members, guess: int, below: int) -> int:
        """The least total of a set if `guess` comes first and it is below `below`; else a bound that is not."""
        total, cells = self._opened(members, guess, below)
        n, whole, work = len(members), self._weight(members), self._work
        if total >= IMPOSSIBLE:  # it tells nothing
            return whole + self._least(members)
        order = work.order[0, :cells].tolist()
        spare, heavy = below - total, sum(work.weight[0, order].tolist())
        for sharing in (True, False) if n > work.state[SHARING] and cells > 1 and below < IMPOSSIBLE else (False,):
            for r in order:
                if total >= below:
                    return total
                lower = int(work.lower[0, r])
                room = below - (total - lower)
                if sharing:
                    room = min(room, lower + 1 + spare * int(work.weight[0, r]) // heavy)
                key, check = work.key[0, :, r]
                where, size, weight = work.start[0, r], work.size[0, r], work.weight[0, r]
                cost = max(lower, self._search(1, where, size, 2 * n, weight, room, key, check))
                total += cost - lower
                work.lower[0, r] = cost
        return total

    def _opened(self, members: Members, guess: int, below: int) -> tuple[int, int]:
        """A bound of a set if `guess` comes first, and how many cells are open; see `open_guess`."""
        n, work = self._lay(members), self._work
        if n <= work.state[MASKED]:
            lay(self._position, work, 0, 0, n)
        work.state[SERIAL] += 1
        serial = np.uint64(work.state[SERIAL])
        whole = self._weight(members)
        common = self._position, self._memo.table, self._totals, work
        ask = partial(open_guess, *common, 0, 0, n, n, whole, guess, below, serial)
        try:
            (total, cells), _ = self._runner.run(ask, self._budget, self._looks(n, once=True))
        finally:
            self._noted()
        return int(total), int(cells)

    def _least(self, members: Members) -> int:
        n = self._lay(members)
        key, check = self._position.table.keys[members].sum(axis=0, dtype=np.uint64)
        return self._search(0, 0, n, n, self._weight(members), IMPOSSIBLE, key, check)

    def _search(
        self, depth: int, start: int, n: int, top: int, weight: int, below: int, key: np.uint64, check: np.uint64
    ) -> int:
        state, looks = self._work.state, self._looks(n)
        while True:
            state[SPARE] = NO_END if (spare := self._memo.spare) is None else spare
            common = self._position, self._memo.table, self._totals, self._work
            ask = partial(search, *common, depth, start, n, top, weight, below, key, check)
            try:
                total, why = self._runner.run(ask, self._budget, looks)
            finally:
                self._noted()
            if not why:
                return int(total)
            if why == OUT_OF_ROOM:
                raise Stopped
            looks = 0

    def _looks(self, n: int, *, once: bool = False) -> int:
        """How many looks a kernel may take in the thread that asks about n codes.

        One that looks at every guess `once`, and is soon done, may take any number.
        """
        size = int(n) * len(self._guesses)
        return (NO_END - 1 if size <= _ONCE else 0) if once else _SHORT // size

    def _noted(self) -> None:
        """Let the memo grow by what it has been told."""
        self._memo.took(int(self._work.state[USED]), self._budget)
        self._work.state[USED] = 0

    def _lay(self, members: Members) -> int:
        self._work.members[: len(members)] = members
        return len(members)

    def _weight(self, members: Members) -> int:
        return int(self._position.weight[members].sum())

    def _number(self, guess: str) -> int:
        return int(np.searchsorted(self._guesses, numbers(encode(self._rules, guess)[None, :])[0]))

    def _code(self, guess: int) -> str:
        return decode(self._rules, self._position.table.codes[guess])


def _depth(tree: Node) -> int:
    return 1 + max((_depth(below) for _answer, below in tree.branches), default=0)


uneven_search = searches(UnevenSearch)
"""Lends the search from a position: see `searches`."""
