"""Branch and bound on an answer table in Python: the recursion of the searches that use no machine code.

The compiled searches use the function `least_cost`, too, and nothing else of this module.

Secrets are numbered in order of weight, the heaviest first. A *set* of secrets is the tuple of their indices in
ascending order, so its first member is a heaviest one. A *step* at a candidate set is a guess, or a question in the
search of `guessing.free_questions`. A *context* is everything else that decides which steps are allowed at a set, such
as the last guess in hard mode. A subclass chooses the steps that are tried at a set, and their order.
`guessing.plain_search` has the subclass for lists of codes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from itertools import starmap
from operator import itemgetter
from typing import Any, Generic, TypeAlias, TypeVar

from yomikiri.common.budget import UNLIMITED
from yomikiri.common.lazy import NDArray, np
from yomikiri.guessing.costs import IMPOSSIBLE, RISES

Secrets: TypeAlias = tuple[int, ...]
C = TypeVar("C", bound=Hashable)

_BY_SIZE = itemgetter(0, 1)
# limit on the candidate sets in the transposition table, about 300 MB; a full table is cleared
MOST_REMEMBERED = 500_000


def least_cost(whole: int, search: Callable[[int], int]) -> int:
    """Return the least cost of a candidate set of weight `whole`, by repeated searches with a rising limit.

    `search(limit)` returns the cost if it is below `limit`, and otherwise a lower bound of at least `limit`. A single
    search without a limit would follow its first guesses to the end, even if they are poor.
    """
    limit, rise = 2 * whole, max(1, whole // RISES)
    while True:
        cost = search(limit)
        if cost < limit or cost >= IMPOSSIBLE:
            return cost
        limit, rise = min(cost + rise, IMPOSSIBLE), 2 * rise


class BranchAndBound(ABC, Generic[C]):
    """A search for the least costs of candidate sets. It keeps the bounds of a set for later requests.

    - `answers`, shape (n, g): the answer index of each secret to each guess; `win` is the winning answer.
    - `own`, shape (n,): for each secret, the index of the guess that is equal to it.
    - `weights`: the weights of the secrets in descending order.

    Each set that is searched counts as one state of the budget.
    """

    def __init__(self, answers: NDArray[Any], win: int, own: NDArray[np.int64], weights: Sequence[int]) -> None:
        self._answers, self._win, self._own, self._weights = answers, win, own, weights
        self._budget = UNLIMITED
        self._states = 0
        self._columns: dict[int, Sequence[int]] = {}
        self._memo: dict[Hashable, tuple[int, int]] = {}

    @property
    def nodes(self) -> int:
        """The number of candidate sets searched so far."""
        return self._states

    @abstractmethod
    def _ordered(self, members: Secrets, context: C) -> list[tuple[int, int]]:
        """Return the steps that are allowed at a candidate set, in the order of the search.

        A *step* is a guess or, in `guessing.free_questions`, a question. The result has pairs (lower bound of the cost
        of the set with this step first, index of the step).
        """

    @abstractmethod
    def _context_after(self, context: C, guess: int, cell: Secrets) -> C:
        """Return the context after a guess, for a cell: the secrets that give one answer to this guess.

        A *context* is what decides, apart from the set of secrets, which guesses are allowed, such as the last guess in
        hard mode. The argument `context` is the context before the guess.
        """

    def _key(self, members: Secrets, context: C) -> Hashable:
        """Return the key of a candidate set in the table of bounds.

        If a set can have several contexts (see `_context_after`) that allow different guesses, a subclass must return a
        different key for each of them.
        """
        return members

    def _guesses_left(self, context: C) -> int | None:
        """Return the number of guesses that remain until the game ends; None for a game without a limit."""
        return None

    def _quick_bound(self, members: Secrets, context: C) -> int:
        """Return a lower bound of the cost of a candidate set, computed without looking at any guess."""
        return self._least(members, context)

    def _price(self, members: Secrets, step: int) -> int:
        """Return the cost of one step at a candidate set, without the costs of the cells after the step.

        A *step* is a guess or, in `guessing.free_questions`, a question. A guess costs the weight of the set: each
        secret of the set needs this guess, and pays its own weight for each guess. A free question costs 0.
        """
        return self._weight(members)

    def _total(self, members: Secrets, upper: int, context: C) -> int:
        """Return the least cost of a candidate set if it is below `upper`, otherwise a lower bound.

        The lower bound is at least `upper`.
        """
        lower, known = self._known(members, context)
        if lower == known or lower >= upper:
            return lower
        self._states += 1
        self._budget.check(self._states)
        left = self._guesses_left(context)
        most = IMPOSSIBLE if left is None else left * self._weight(members) + 1
        lower, is_cost = self._bound_by_members(members, lower, context)
        if is_cost or lower >= min(upper, most):
            lower = IMPOSSIBLE if lower >= most else lower
            return self._note(members, context, lower, lower if is_cost or lower == IMPOSSIBLE else known)
        best = target = min(upper, known, most)
        seen = set[Hashable]()
        guesses = self._ordered(members, context)
        lower = max(lower, guesses[0][0])
        for bound, guess in guesses:
            if bound >= best or lower >= best:
                break
            cells = self._cells(members, guess, context)
            # Two guesses with equal partitions have equal costs if both hit the same candidate, or if both hit none.
            if len(cells) == 1:
                continue
            price = self._price(members, guess)
            division = price, frozenset(starmap(self._key, cells.values())), cells.get(self._win)
            if division not in seen:
                seen.add(division)
                best = min(best, self._divided(cells, price, best))
        if best >= target:
            best = max(best, lower)
        if best >= most:
            best = IMPOSSIBLE
        return self._note(members, context, best, best if best < target or best in (known, IMPOSSIBLE) else known)

    def _best(self, members: Secrets, context: C) -> tuple[int, int]:
        """Return (least cost of a candidate set, a guess that attains this cost).

        If several guesses attain the cost, the result has the first of them in the order of the search. The guess is -1
        if no strategy finds every secret.
        """
        cost = least_cost(self._weight(members), lambda limit: self._total(members, limit, context))
        if cost >= IMPOSSIBLE:
            return cost, -1
        guesses = (guess for _bound, guess in self._ordered(members, context))
        return cost, next(guess for guess in guesses if self._after(members, guess, cost + 1, context) == cost)

    def _after(self, members: Secrets, guess: int, below: int, context: C) -> int:
        """Return the least cost with `guess` first: exact if it is below `below`, otherwise a lower bound.

        The lower bound is at least `below`.
        """
        return self._divided(self._cells(members, guess, context), self._price(members, guess), below)

    def _divided(self, cells: dict[int, tuple[Secrets, C]], price: int, below: int) -> int:
        """Return the price of a step plus the costs of its cells: exact if below `below`, otherwise a lower bound.

        The lower bound is at least `below`. The smallest cells are searched first. They are cheap, and each known cost
        lowers the limit for the larger cells.
        """
        open_cells, total = [], price
        for answer, cell in cells.items():
            if answer != self._win:
                lower, upper = self._known(*cell)
                total += lower
                if lower < upper:
                    open_cells.append((len(cell[0]), lower, cell))
        for _size, lower, (members, context) in sorted(open_cells, key=_BY_SIZE):
            if total >= below:
                break
            total += self._total(members, below - total + lower, context) - lower
        return min(total, IMPOSSIBLE)

    def _note(self, members: Secrets, context: C, lower: int, upper: int) -> int:
        if len(self._memo) >= MOST_REMEMBERED:
            self._memo.clear()
        self._memo[self._key(members, context)] = lower, upper
        return lower

    def _known(self, members: Secrets, context: C) -> tuple[int, int]:
        """Return (lower bound, upper bound) of the least cost of a candidate set, without a search.

        The bounds are those in the table of bounds, if it contains the set. Otherwise, they follow from the size and
        the weights of the set.
        """
        n = len(members)
        if n <= 2:
            left = self._guesses_left(context)
            least = self._least(members, context) if left is None or left >= n else IMPOSSIBLE
            return least, least
        return self._memo.get(self._key(members, context)) or (self._quick_bound(members, context), IMPOSSIBLE)

    def _least(self, members: Secrets, context: C) -> int:
        """Return a lower bound of the cost of a candidate set.

        At best, the heaviest secret takes one guess, and every other secret takes two.
        """
        return 2 * self._weight(members) - (self._weights[members[0]] if members else 0)

    def _bound_by_members(self, members: Secrets, lower: int, context: C) -> tuple[int, bool]:
        """Return (lower bound of the cost of a candidate set, True if it is the cost).

        The bound follows from a test of the members as first guesses. `lower` is a lower bound from another source. The
        cost is `_least` if a heaviest member, as the first guess, separates the set: no two members give the same
        answer to it. Otherwise, every strategy costs more, for one of three reasons:

        - Its first guess is a lighter member. The cost exceeds `_least` by at least the difference of the two weights.
        - Its first guess is not a member. The cost exceeds `_least` by at least the heaviest weight.
        - It finds a member at the third guess or later. The cost exceeds `_least` by at least the lightest weight.
        """
        least, weights = self._least(members, context), self._weights
        heaviest, lightest = weights[members[0]], weights[members[-1]]
        if lower > least or len(members) > self._win + 1:
            return max(lower, least + 1), False
        heavy = [member for member in members if weights[member] == heaviest]
        if self._separates(members, heavy):
            return least, True
        gap = heaviest if len(heavy) == len(members) else heaviest - weights[members[len(heavy)]]
        return max(lower, least + min(gap, lightest)), False

    def _separates(self, members: Secrets, named: Sequence[int]) -> bool:
        """Return True if one of the secrets `named`, as a guess, separates a candidate set.

        A guess *separates* the set if no two members give the same answer to it.
        """
        rows = np.array(members, dtype=np.intp)
        met = np.sort(self._answers[rows[:, None], self._own[list(named)]], axis=0)
        return bool((met[1:] != met[:-1]).all(axis=0).any())

    def _weight(self, members: Secrets) -> int:
        return sum(self._weights[member] for member in members)

    def _cells(self, members: Secrets, guess: int, context: C) -> dict[int, tuple[Secrets, C]]:
        """Return the cells of a guess by answer index, each as (its members, its context).

        The context of a cell decides which guesses are allowed at the cell: see `_context_after`.
        """
        column = self._column(guess)
        cells: dict[int, list[int]] = {}
        for member in members:
            cells.setdefault(column[member], []).append(member)
        return {
            answer: (each := tuple(cell), self._context_after(context, guess, each)) for answer, cell in cells.items()
        }

    def _column(self, guess: int) -> Sequence[int]:
        """Return the answer index of each secret to a guess."""
        column = self._columns.get(guess)
        if column is None:
            answers = self._answers[:, guess]
            column = self._columns[guess] = answers.tobytes() if answers.itemsize == 1 else answers.tolist()
        return column
