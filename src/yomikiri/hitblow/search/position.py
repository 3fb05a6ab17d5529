"""Questions asked in the middle of a game: the best guess, what any guess costs, and the next best ones.

Two searches answer them alike: `KernelSearch`, and the one without a compiler in `plain`. What a search learns serves
the next question, so searches are kept, and shared by threads: one is handed out inside a `with` alone, and to one of
them at a time.
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
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.search.subproblem import IMPOSSIBLE, Subproblem
from yomikiri.hitblow.search.trees import optimal_tree
from yomikiri.hitblow.strategy.strategy import Node, cost

if TYPE_CHECKING:
    from yomikiri.hitblow.search.engine import SearchEngine

G = TypeVar("G", int, str)  # a guess, or its number

# Up to so many candidates the whole tree is made, to tell the most guesses it takes.
_GROWN = 200
HEAVIEST = 1 << 36  # what all candidates together weigh less than, where some are likelier than others
_TIES = 4  # guesses of equal total that are compared further
_KEPT = 4  # searches of a kind
# Two threads at once would spoil what a search keeps; one that has one may take others. There is one lock for all, so
# that many threads do not fill the memory with many searches.
_free = RLock()


@dataclass(frozen=True, slots=True)
class EvaluatedGuess:
    """A guess and the least total of guesses, itself included, that any play after it needs over all candidates.

    `max_guesses` is the most that any candidate then takes, where it was counted.
    """

    guess: str
    total_guesses: int
    max_guesses: int | None = None


class PositionSearch(Protocol):
    """The exact search from one position, with at least one candidate. It answers one question after another, each with
    a budget of its own; each method raises `Stopped` when that is spent."""

    _budget: Budget

    @property
    def nodes(self) -> int:
        """The states of the budget that it has looked at so far, for whatever question."""

    def ask(self, budget: Budget) -> Self:
        """The same search, for a question with this budget."""
        before = self.nodes
        self._budget = budget.part(lambda: Progress(states=self.nodes - before))
        return self

    def least(self) -> int:
        """The least total of guesses over all candidates."""

    def best_guesses(self, total: int, most: int) -> list[str]:
        """The first guesses of `total`, which is the least; the order is that of `moves`."""

    def moves(self, most: int) -> list[EvaluatedGuess]:
        """The `most` guesses of least total, best first.

        Of guesses that are mirror images of each other there is only one. Of equal totals the lower one-step bound
        comes first, then code order. Guesses are taken by their bound, so once the bound reaches the worst of the best,
        no better one is left.
        """

    def total_after(self, guess: str, below: int = IMPOSSIBLE) -> int:
        """The least total of play that begins with `guess`, if it is below `below`; else a bound that is not.

        A guess that tells nothing leaves all candidates in one cell.
        """

    def max_guesses(self, guess: str) -> int:
        """The most guesses that any candidate takes when `guess` is followed by play of least total."""


def least_of(
    bounded: Iterable[tuple[int, G]], most: int, below: int, cost: Callable[[G, int], int]
) -> list[tuple[int, G]]:
    """The `most` guesses of least cost below `below`, with that cost, of those that come by their bounds.

    `cost` works a guess out if it is below a number; else it gives a bound that is not.
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
    """The guess of least total.

    Of several, while candidates are few, one whose worst case is shortest, then one that could be right; else, and
    beyond that, the first by its bound and then in code order.
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
    """What lends the search from a position, `(known, budget=UNLIMITED)`, until its `with` ends.

    The last few are kept, so that the next question finds what the last one learned. Making one and waiting for another
    thread spend the budget; raises `Stopped` when it is spent.
    """
    kept = lru_cache(maxsize=_KEPT)(make)  # budgets are all equal

    @contextmanager
    def lent(known: Knowledge, budget: Budget = UNLIMITED) -> Iterator[S]:
        search = kept(known, budget)
        with budget.having(_free):
            yield search.ask(budget)

    return lent


@lru_cache(maxsize=1)
def _engine(start: Knowledge) -> SearchEngine:
    """One engine is kept, so that the next question of the same game finds what the last one learned."""
    from yomikiri.hitblow.search.engine import MEMORY, SearchEngine

    return SearchEngine(start.rules, start.absent, start.facts, consistent=False, memory=MEMORY)


@contextmanager
def kernel_search(known: Knowledge, budget: Budget = UNLIMITED) -> Iterator[KernelSearch]:
    """The search from a position by the engine of its game, which is this thread's until the `with` ends.

    Waiting for another thread spends the budget; raises `Stopped` when it is spent.
    """
    engine = _engine(known.start)
    with budget.having(_free):
        yield KernelSearch(engine, known, budget)


class KernelSearch(PositionSearch):
    """The search from a position by an engine of its game, which nobody else uses meanwhile: see `kernel_search`."""

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
        if sizes.max() == count:  # all in one cell: the guess tells nothing, unless it is the secret
            return count if sizes[-1] else count + self.least()
        tried = self._engine.least_of(replace(whole, upper=below), [guess], self._budget)
        if tried.left:
            raise Stopped
        return tried.cost

    def max_guesses(self, guess: str) -> int:
        """The most guesses after `guess`, by the tree that the engine grows."""
        cells = self._engine.divided(self._subproblem, guess)
        branches = ((cell.turns[-1].hint, optimal_tree(self._engine, cell, self._budget)) for cell in cells)
        return cost(Node(guess, tuple(branches)), self._known.codes()).max_guesses
