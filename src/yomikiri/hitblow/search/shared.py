"""What several threads share: it is handed out inside a `with` alone, and to one of them at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from threading import RLock
from typing import Generic, Protocol, TypeVar

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.hitblow.knowledge import Knowledge

T = TypeVar("T")
_KEPT = 4  # searches of a kind
_SECONDS_BETWEEN_LOOKS = 0.05
_free = RLock()  # one for all of them, so that many threads do not fill the memory with many searches


class Shared(Generic[T]):
    """A thing that keeps what it learns for whoever asks next, and that two threads at once would spoil.

    There is no way to it but `lent`, so whoever makes it keeps no other.
    """

    def __init__(self, thing: T) -> None:
        self._thing = thing

    @contextmanager
    def lent(self, budget: Budget) -> Iterator[T]:
        """The thing, once no other thread has one; a thread that has one may take others.

        Waiting spends the budget; raises `Stopped` when it is spent.
        """
        while not _free.acquire(timeout=_SECONDS_BETWEEN_LOOKS):
            budget.check()
        try:
            yield self._thing
        finally:
            _free.release()


class Asked(Protocol):
    """A search from one position that answers one question after another, each with a budget of its own."""

    def ask(self: T, budget: Budget) -> T:
        """The same search, for a question with this budget."""


S = TypeVar("S", bound=Asked)


def searches(make: Callable[[Knowledge, Budget], S]) -> Callable[..., AbstractContextManager[S]]:
    """What lends the search from a position, `(known, budget=UNLIMITED)`, until its `with` ends.

    The last few are kept, so that the next question finds what the last one learned. Making one and waiting for another
    thread spend the budget; raises `Stopped` when it is spent.
    """

    @lru_cache(maxsize=_KEPT)
    def kept(known: Knowledge, budget: Budget) -> Shared[S]:  # budgets are all equal
        return Shared(make(known, budget))

    @contextmanager
    def lent(known: Knowledge, budget: Budget = UNLIMITED) -> Iterator[S]:
        with kept(known, budget).lent(budget) as search:
            yield search.ask(budget)

    return lent
