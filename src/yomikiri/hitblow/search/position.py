"""Exact search in the middle of a game: the best guess, the cost of any guess, and the next best guesses.

Two implementations have one interface: `KernelSearch`, and the search without machine code in `plain`. Searches are
cached, because the bounds that one request finds serve the next one. A `with` block gives a search to one thread at a
time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter
from threading import RLock
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.guessing.costs import IMPOSSIBLE
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.search.trees import optimal_tree
from yomikiri.hitblow.strategy.strategy import Node, cost

if TYPE_CHECKING:
    from yomikiri.hitblow.search.engine import SearchEngine

G = TypeVar("G", int, str)  # type of a guess: its code as text, or its number

# For at most this number of candidates, `best_move` builds the whole tree of a guess to find the most guesses that any
# candidate needs.
_GROWN = 200
HEAVIEST = 1 << 36  # The sum of the weights of all candidates must be below this number.
_TIES = 4  # `best_move` compares this many guesses of equal total by the most guesses that any candidate then needs.
_KEPT = 4  # number of searches that are cached, for each function that creates searches
# One lock for all searches, so that no two threads use the same search, and only one thread at a time needs memory for
# a search. The lock is reentrant, because a thread may borrow several searches.
_lock = RLock()


@dataclass(frozen=True, slots=True)
class EvaluatedGuess:
    """A guess with its total: the least number of guesses, summed over all candidates, if this guess comes first.

    The total includes the guess itself. `max_guesses` is the largest number of guesses for any candidate, or None if it
    was not computed.
    """

    guess: str
    total_guesses: int
    max_guesses: int | None = None


class ExactSearch(Protocol):
    """Exact search from one position with at least one candidate.

    A search answers one request after another. Each request has its own budget. Every method raises `Stopped` when the
    budget is exhausted.
    """

    _budget: Budget

    @property
    def nodes(self) -> int:
        """The number of states (candidate sets) visited so far, over all requests."""

    def with_budget(self, budget: Budget) -> Self:
        """Set the budget of the next request, and return this search."""
        before = self.nodes
        self._budget = budget.part(lambda: Progress(states=self.nodes - before))
        return self

    def least(self) -> int:
        """Return the least total of the position: the number of guesses, summed over all candidates."""

    def best_guesses(self, total: int, most: int) -> list[str]:
        """Return at most `most` first guesses that attain the least total, `total`.

        They are in the order of the result of `moves`.
        """

    def moves(self, most: int) -> list[EvaluatedGuess]:
        """Return the `most` guesses of least total, the best first.

        Of the guesses that a symmetry maps to each other, one is returned. Guesses of equal totals are sorted by their
        one-step bounds, which follow from the sizes of their cells, then in code order. The search takes guesses in the
        order of their bounds, and ends when a bound reaches the worst of the totals to return.
        """

    def total_after(self, guess: str, below: int = IMPOSSIBLE) -> int:
        """Return the least total with `guess` first if it is below `below`, otherwise a bound of at least `below`.

        A guess that leaves all candidates in one cell is accepted.
        """

    def max_guesses(self, guess: str) -> int:
        """Return the largest number of guesses that any candidate needs, if `guess` comes first.

        All later guesses attain the least total.
        """


def least_of(
    bounded: Iterable[tuple[int, G]], most: int, below: int, cost: Callable[[G, int], int]
) -> list[tuple[int, G]]:
    """Return at most `most` guesses that cost less than `below`, the cheapest first, as (cost, guess) pairs.

    `bounded` contains (lower bound, guess) pairs, sorted by bound. `cost(guess, limit)` returns the cost of a guess if
    it is below `limit`, otherwise a lower bound of at least `limit`.
    """
    found: list[tuple[int, G]] = []
    for bound, guess in bounded:
        worst = found[-1][0] if len(found) == most else below
        if bound >= worst:
            break
        total = cost(guess, worst)
        if total < worst:
            found.append((total, guess))
            found.sort(key=itemgetter(0))
            del found[most:]
    return found


def best_move(search: ExactSearch, known: Knowledge) -> EvaluatedGuess:
    """Return a guess of least total.

    For at most `_GROWN` candidates, the first `_TIES` guesses of least total are compared. The best is the one after
    which the hardest candidate is found soonest. If two are equal, a guess that is a candidate comes first, then the
    guess with the smaller one-step bound (from the sizes of its cells), then the first in code order.

    For more candidates, the guess with the smallest one-step bound is returned, then the first in code order.
    """
    total = search.least()
    if known.count > _GROWN:
        return EvaluatedGuess(search.best_guesses(total, 1)[0], total)
    ties = search.best_guesses(total, _TIES)
    worst = {guess: search.max_guesses(guess) for guess in ties}
    best = min(ties, key=lambda guess: (worst[guess], not known.is_candidate(guess)))
    return EvaluatedGuess(best, total, worst[best])


S = TypeVar("S", bound=ExactSearch)


def searches(make: Callable[[Knowledge, Budget], S]) -> Callable[..., AbstractContextManager[S]]:
    """Return a function `(known, budget=UNLIMITED)` that provides the search from a position as a context manager.

    The last few searches are cached, so that the next request finds their bounds. Creating a search takes time from the
    budget, and so does waiting for another thread. Raises `Stopped` when the budget is exhausted.
    """
    kept = lru_cache(maxsize=_KEPT)(make)  # Budgets compare equal, so one cache entry serves all of them.

    @contextmanager
    def borrowed(known: Knowledge, budget: Budget = UNLIMITED) -> Iterator[S]:
        search = kept(known, budget)
        with budget.having(_lock):
            yield search.with_budget(budget)

    return borrowed


@lru_cache(maxsize=1)
def _engine(start: Knowledge) -> SearchEngine:
    """Return the engine of a game.

    The last engine is cached, so that the next request for the game finds its bounds.
    """
    from yomikiri.hitblow.search.engine import MEMORY, SearchEngine

    return SearchEngine(start.rules, start.absent, start.facts, consistent=False, memory=MEMORY)


@contextmanager
def kernel_search(known: Knowledge, budget: Budget = UNLIMITED) -> Iterator[KernelSearch]:
    """Provide the search from a position to one thread, as a context manager.

    Waits while another thread uses a search; the wait counts as time of the budget. Raises `Stopped` when the budget is
    exhausted.
    """
    engine = _engine(known.start)
    with budget.having(_lock):
        yield KernelSearch(engine, known, budget)


class KernelSearch(ExactSearch):
    """A search from one position with machine code, by the engine of its game.

    Get it from `kernel_search`, which lets one thread use it at a time.
    """

    def __init__(self, engine: SearchEngine, known: Knowledge, budget: Budget = UNLIMITED) -> None:
        self._engine, self._known = engine, known
        self._subproblem = Subproblem(known.rules, known.start.absent, known.played, facts=known.start.facts)
        self.with_budget(budget)

    @property
    def nodes(self) -> int:
        return self._engine.nodes

    def least(self) -> int:
        return self._engine.run(self._subproblem, self._budget)

    def best_guesses(self, total: int, most: int) -> list[str]:
        return self._engine.best_guesses(self._subproblem, total, most, self._budget)

    def moves(self, most: int) -> list[EvaluatedGuess]:
        guesses = self._engine.guesses(self._subproblem, budget=self._budget)
        return [EvaluatedGuess(guess, total) for total, guess in least_of(guesses, most, IMPOSSIBLE, self.total_after)]

    def total_after(self, guess: str, below: int = IMPOSSIBLE) -> int:
        whole, count = self._subproblem, self._known.count
        sizes = self._engine.sizes(whole, guess)
        # If all candidates are in one cell, the guess is the only candidate, or it gives no information.
        if sizes.max() == count:
            return count if sizes[-1] else count + self.least()
        tried = self._engine.least_of(replace(whole, upper=below), [guess], self._budget)
        if tried.left:
            raise Stopped
        return tried.cost

    def max_guesses(self, guess: str) -> int:
        """Return the largest number of guesses for any candidate, if `guess` comes first.

        The number is counted in the tree that the engine builds.
        """
        cells = self._engine.divided(self._subproblem, guess)
        branches = ((cell.turns[-1].hint, optimal_tree(self._engine, cell, self._budget)) for cell in cells)
        return cost(Node(guess, tuple(branches)), self._known.codes()).max_guesses
