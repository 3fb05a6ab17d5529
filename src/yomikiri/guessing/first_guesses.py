"""The first guesses of a game in order of their bounds, for threads that find the best one together.

To *try* a first guess is to search for its cost with a limit, which is the cost of the best guess so far. The search
returns the cost if it is below the limit, and otherwise a lower bound that refutes the guess. The threads stop when no
other guess can be better than the best one.

If several guesses have the least cost, the first of them in order is the best one, with any number of threads. To
ensure this, the limit for a guess that comes before the best one so far in order is higher by one. So the search also
finds a cost that is equal to the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TypeAlias

from yomikiri.guessing.costs import IMPOSSIBLE

CostAfter: TypeAlias = Callable[[int, int], int]
"""A search of strategies that begin with a guess, given by its number, and cost less than a limit.

It returns the least cost if that is below the limit, otherwise a lower bound that is not. It raises `Stopped` if the
budget is spent.
"""

_WAIT = 0.2  # seconds between two calls of `on_wait` while threads search


@dataclass(frozen=True, slots=True)
class GuessBounds:
    """Lower and upper bounds of the least cost of the strategies that begin with one guess.

    The bounds are equal if the cost is known.
    """

    lower: int
    upper: int = IMPOSSIBLE


class FirstGuessStore:
    """A store for proven bounds of first guesses.

    This class stores nothing; `first_guess_store` has one that uses a file.
    """

    def __init__(self) -> None:
        self.bounds: dict[str, GuessBounds] = {}

    def learn(self, guess: str, bounds: GuessBounds) -> None:
        """Add proven bounds of a guess to the store."""

    def save(self) -> None:
        """Make the added bounds permanent."""


NO_STORE = FirstGuessStore()
"""The store that keeps nothing."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A first guess to try: its index, its position in the order of trials, and the limit of its search.

    The limit is `below`: the guess is refuted if its cost is not less.
    """

    guess: int
    place: int
    below: int


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of a trial: the bounds of the cost of a guess. `is_best` is True if it is the best guess so far."""

    guess: int
    bounds: GuessBounds
    is_best: bool


class FirstGuesses:
    """The first guesses of a game, those with the smallest bounds first, and the best one found so far.

    `bounds` maps the index of each allowed guess to a lower bound, in the order of trials. `known` contains bounds
    that earlier searches have proven. Threads may share the object.
    """

    def __init__(self, bounds: Mapping[int, int], known: Mapping[int, GuessBounds]) -> None:
        self._guesses = list(bounds)
        self._lower = list(bounds.values())
        self._lock, self._next = Lock(), 0
        self._best_place, self.cost = 0, IMPOSSIBLE
        for place, guess in enumerate(self._guesses):
            if guess in known:
                self._lower[place] = max(self._lower[place], known[guess].lower)
                self._improve(place, known[guess].upper)

    @property
    def best(self) -> int:
        """The index of the best guess so far; before any cost is known, the index of the first guess in order."""
        return self._guesses[self._best_place]

    @property
    def bound(self) -> int:
        """The lower bound, proven so far, of the cost of every strategy. It rises while guesses are tried."""
        return min(self.cost, min(self._lower))

    @property
    def tried(self) -> int:
        """The number of guesses that threads have begun to try."""
        return self._next

    @property
    def is_open(self) -> bool:
        """True if a guess that no thread has begun to try may be the best one."""
        return any(self._lower[k] < self._limit(k) for k in range(self._next, len(self._guesses)))

    def __len__(self) -> int:
        return len(self._guesses)

    def take(self) -> Trial | None:
        """Return the next guess to try, or None if no other guess can be the best one."""
        with self._lock:
            while self._next < len(self._guesses):
                place = self._next
                self._next += 1
                if self._lower[place] < (below := self._limit(place)):
                    return Trial(self._guesses[place], place, below)
            return None

    def learn(self, trial: Trial, cost: int) -> Tried:
        """Record the result of a trial: the cost of its guess if it is below the limit, otherwise a lower bound."""
        is_cost = cost < trial.below
        with self._lock:
            self._lower[trial.place] = max(self._lower[trial.place], cost)
            is_best = is_cost and self._improve(trial.place, cost)
        return Tried(trial.guess, GuessBounds(cost, cost if is_cost else IMPOSSIBLE), is_best)

    def _limit(self, place: int) -> int:
        return self.cost + 1 if place < self._best_place and self.cost < IMPOSSIBLE else self.cost

    def _improve(self, place: int, cost: int) -> bool:
        if cost >= self._limit(place):
            return False
        self.cost, self._best_place = cost, place
        return True


def try_guesses(firsts: FirstGuesses, cost_after: CostAfter, most: int | None = None) -> Iterator[Tried]:
    """Try at most `most` guesses in this thread (None for no limit), and yield each result.

    The generator ends earlier if no other guess can be the best one.
    """
    tried = 0
    while (most is None or tried < most) and (trial := firsts.take()):
        yield firsts.learn(trial, cost_after(trial.guess, trial.below))
        tried += 1


def try_in_threads(
    firsts: FirstGuesses, searches: Sequence[CostAfter], stop: Callable[[], None], on_wait: Callable[[], None]
) -> Iterator[Tried]:
    """Try guesses in several threads, one for each search, and yield each result.

    It ends when no other guess can be the best one. An exception in a search is raised in the calling thread. The
    function `stop` has to make all searches raise `Stopped`. It is called when this generator ends for any reason, so
    that no thread outlives it. `on_wait` is called in the calling thread several times a second.
    """
    results: SimpleQueue[Tried | BaseException | None] = SimpleQueue()

    def work(cost_after: CostAfter) -> None:
        try:
            for tried in try_guesses(firsts, cost_after):
                results.put(tried)
            results.put(None)
        except BaseException as error:
            results.put(error)

    threads = [Thread(target=work, args=(cost_after,)) for cost_after in searches]
    for thread in threads:
        thread.start()
    try:
        running = len(threads)
        while running:
            try:
                result = results.get(timeout=_WAIT)
            except Empty:
                on_wait()
                continue
            if isinstance(result, BaseException):
                raise result
            if result is None:
                running -= 1
            else:
                yield result
    finally:
        stop()
        for thread in threads:
            thread.join()
