"""Exact search in the middle of a game: the best guess, the cost of any guess, and the next best ones.

Two implementations have one interface: `KernelSearch`, and the search without machine code in `plain`. Searches are
cached, because the bounds that one request finds serve the next one. Threads share them: a search is lent inside a
`with` block, to one thread at a time.
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

G = TypeVar("G", int, str)  # a guess, or its number

# For up to this many candidates, the whole tree is built to find the worst case.
_GROWN = 200
HEAVIEST = 1 << 36  # the sum of the weights of all candidates is less than this
_TIES = 4  # guesses of equal total whose worst cases are compared
_KEPT = 4  # cached searches of each kind
# Two threads must not use one search at the same time; a thread may borrow several. There is one lock for all searches,
# so that many threads do not fill the memory.
_free = RLock()


@dataclass(frozen=True, slots=True)
class EvaluatedGuess:
    """A guess, and the least total of guesses over all candidates if it comes first, itself included.

    `max_guesses` is the greatest number of guesses for any candidate, if it was computed.
    """

    guess: str
    total_guesses: int
    max_guesses: int | None = None


class PositionSearch(Protocol):
    """Exact search from one position with at least one candidate.

    It serves one request after another, each with its own budget. Every method raises `Stopped` when that is exhausted.
    """

    _budget: Budget

    @property
    def nodes(self) -> int:
        """The states of the budget used so far, over all requests."""

    def ask(self, budget: Budget) -> Self:
        """Return this search for a request with this budget."""
        before = self.nodes
        self._budget = budget.part(lambda: Progress(states=self.nodes - before))
        return self

    def least(self) -> int:
        """Return the least total of guesses over all candidates."""

    def best_guesses(self, total: int, most: int) -> list[str]:
        """Return up to `most` first guesses of the least total, which is `total`, in the order of `moves`."""

    def moves(self, most: int) -> list[EvaluatedGuess]:
        """Return the `most` guesses of least total, best first.

        Of guesses that a symmetry maps to each other, one is returned. Guesses of equal totals are sorted by their
        one-step bounds, then in code order. Guesses are searched by their bounds, so once a bound reaches the worst
        total found, no better guess is left.
        """

    def total_after(self, guess: str, below: int = IMPOSSIBLE) -> int:
        """Return the least total with `guess` first if it is below `below`, otherwise a lower bound that is not.

        A guess may leave all candidates in one cell.
        """

    def max_guesses(self, guess: str) -> int:
        """Return the greatest number of guesses for any candidate if play of least total follows `guess`."""


def least_of(
    bounded: Iterable[tuple[int, G]], most: int, below: int, cost: Callable[[G, int], int]
) -> list[tuple[int, G]]:
    """Return the cheapest guesses, at most `most`, that cost less than `below`, as (cost, guess) pairs.

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


def best_move(search: PositionSearch, known: Knowledge) -> EvaluatedGuess:
    """Return the guess of least total.

    If there are few candidates, ties are broken by the worst case, then by whether the guess is a candidate. Otherwise,
    and beyond that, the first guess by bound and then in code order is returned.
    """
    total = search.least()
    if known.count > _GROWN:
        return EvaluatedGuess(search.best_guesses(total, 1)[0], total)
    ties = search.best_guesses(total, _TIES)
    worst = {guess: search.max_guesses(guess) for guess in ties}
    best = min(ties, key=lambda guess: (worst[guess], not known.is_candidate(guess)))
    return EvaluatedGuess(best, total, worst[best])


S = TypeVar("S", bound=PositionSearch)


def searches(make: Callable[[Knowledge, Budget], S]) -> Callable[..., AbstractContextManager[S]]:
    """Return a function `(known, budget=UNLIMITED)` that lends the search from a position as a context manager.

    The last few searches are cached, so that the next request finds their bounds. Creating a search and waiting for
    another thread use the budget. Raises `Stopped` when it is exhausted.
    """
    kept = lru_cache(maxsize=_KEPT)(make)  # all budgets compare equal

    @contextmanager
    def lent(known: Knowledge, budget: Budget = UNLIMITED) -> Iterator[S]:
        search = kept(known, budget)
        with budget.having(_free):
            yield search.ask(budget)

    return lent


@lru_cache(maxsize=1)
def _engine(start: Knowledge) -> SearchEngine:
    """Return the engine of a game. One is cached, so that the next request for the same game finds its bounds."""
    from yomikiri.hitblow.search.engine import MEMORY, SearchEngine

    return SearchEngine(start.rules, start.absent, start.facts, consistent=False, memory=MEMORY)


@contextmanager
def kernel_search(known: Knowledge, budget: Budget = UNLIMITED) -> Iterator[KernelSearch]:
    """Give one thread the search from a position, in a `with` block.

    If another thread has it, this one waits, which uses its budget. Raises `Stopped` when the budget is exhausted.
    """
    engine = _engine(known.start)
    with budget.having(_free):
        yield KernelSearch(engine, known, budget)


class KernelSearch(PositionSearch):
    """Search from a position by an engine of its game, which no other thread may use meanwhile: see `kernel_search`."""

    def __init__(self, engine: SearchEngine, known: Knowledge, budget: Budget = UNLIMITED) -> None:
        self._engine, self._known = engine, known
        self._subproblem = Subproblem(known.rules, known.start.absent, known.played, facts=known.start.facts)
        self.ask(budget)

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
        if sizes.max() == count:  # one cell: the guess gives no information, unless it is the secret
            return count if sizes[-1] else count + self.least()
        tried = self._engine.least_of(replace(whole, upper=below), [guess], self._budget)
        if tried.left:
            raise Stopped
        return tried.cost

    def max_guesses(self, guess: str) -> int:
        """Return the greatest number of guesses after `guess`, from the tree that the engine builds."""
        cells = self._engine.divided(self._subproblem, guess)
        branches = ((cell.turns[-1].hint, optimal_tree(self._engine, cell, self._budget)) for cell in cells)
        return cost(Node(guess, tuple(branches)), self._known.codes()).max_guesses
