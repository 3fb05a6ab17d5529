"""What several threads share: it is handed out inside a `with` alone, and to one of them at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Generic, TypeVar

from yomikiri.budget import Budget

T = TypeVar("T")
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
