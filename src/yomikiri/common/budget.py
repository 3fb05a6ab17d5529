"""Limits and progress of searches, and notices to the user interface.

A search takes a `Budget`, calls `check` at least fifty times a second (machine code reads a word instead: see
`machine.running`), and passes its progress to `report`. It returns its result when it is done. If the budget ends
first, it raises `Stopped` with `best`, the result so far: a value of the same kind, or None. Searches that share a
budget share its time limit. Searches for one request can also share the start of the clock: see `Budget.begin`.

    budget = Budget.within(2.0)
    try:
        best = search(position, budget)
    except Stopped as stopped:
        best = stopped.best
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any

from yomikiri.common.enums import shown
from yomikiri.common.errors import N_, InputError

if TYPE_CHECKING:
    from threading import Lock, RLock

_SECONDS_BETWEEN_CHECKS = 0.02  # seconds between two checks of the budget while another thread holds a lock


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a search: the bounds of its result so far, and its effort.

    - `lower`, `upper`: bounds of the result in the units of the search, or None.
    - `states`: number of positions visited. `seconds`: time so far.
    - `done` of `of` parts are finished, such as lemmas or secrets. `of` is 0 if the number of parts is unknown.
    - `asked`: number of subproblems given to workers and not solved yet.
    - `share`: estimated fraction of the work done, 0 to 1. `left`: estimated remaining time in seconds. Each is None
      if it is not known.
    """

    lower: int | Fraction | float | None = None
    upper: int | Fraction | float | None = None
    states: int = 0
    seconds: float = 0.0
    done: int = 0
    of: int = 0
    asked: int = 0
    share: float | None = None
    left: float | None = None


class Stopped(Exception):
    """The exception of a search whose budget ended before the search was done.

    `best` is the result so far, or None. `hint` may state the proven part in the current language.
    """

    hint: str | None = None

    def __init__(self, best: Any = None) -> None:
        super().__init__(best)

    @property
    def best(self) -> Any:
        """The best result found so far, or None."""
        return self.args[0]


def _never() -> bool:
    return False


def _ignore_progress(_: Progress) -> None:
    pass


@dataclass(frozen=True, slots=True, repr=False)
class Budget:
    """Limits of a search.

    The budget ends at `until` (seconds of `time.monotonic`), after `states` positions (None for no limit), or as soon
    as `cancelled` returns True. The search calls `progress` several times a second. That function must not raise. All
    budgets compare equal, so that results can be cached (`functools.lru_cache`) regardless of the budget.
    """

    until: float = field(default=inf, compare=False)
    states: int | None = field(default=None, compare=False)
    cancelled: Callable[[], bool] = field(default=_never, compare=False)
    progress: Callable[[Progress], None] = field(default=_ignore_progress, compare=False)
    begun: float | None = field(default=None, compare=False)
    """When the current request began (see `begin`), in seconds of `time.monotonic`. None if `begin` was not called."""
    counted: Callable[[], int] | None = field(default=None, compare=False)
    """A function that returns the states of the whole search, if this is the budget of a part. `states` limits that
    number.
    """

    def __repr__(self) -> str:
        """Return the budget as Python code without values equal to their defaults: `Budget()`."""
        changed = [each for each in fields(self) if getattr(self, each.name) is not each.default]
        return f"Budget({', '.join(f'{each.name}={getattr(self, each.name)!r}' for each in changed)})"

    @classmethod
    def read(cls, given: Budget, parameter: str) -> Budget:
        """Return `given` if it is a budget. Otherwise raises an `InputError` that names the argument, `parameter`."""
        if isinstance(given, cls):
            return given
        raise InputError(
            N_("{parameter}={given}: expected a Budget, such as Budget.within(2.0)"),
            parameter=parameter,
            given=shown(given),
        )

    @classmethod
    def within(
        cls,
        seconds: float | None,
        *,
        states: int | None = None,
        cancelled: Callable[[], bool] = _never,
        progress: Callable[[Progress], None] = _ignore_progress,
    ) -> Budget:
        """Return a budget that ends after this number of seconds from now; None means no limit."""
        return cls(states=states, cancelled=cancelled, progress=progress).at_most(seconds)

    def at_most(self, seconds: float | None) -> Budget:
        """Return the same budget with the additional limit of this number of seconds from now; None means no limit."""
        return self if seconds is None else replace(self, until=min(self.until, monotonic() + seconds))

    def begin(self) -> Budget:
        """Return the same budget with its clock started now, unless it was started before.

        Call this at the start of one request. All searches for that request then share the time: see `in_all`.
        """
        return self if self.begun is not None else replace(self, begun=monotonic())

    def in_all(self, seconds: float | None) -> Budget:
        """Return the same budget, ending at most this number of seconds after `begun`. None means no limit.

        If `begin` was not called, the seconds count from now.
        """
        begun = self.begin().begun
        assert begun is not None
        return self if seconds is None else replace(self, until=min(self.until, begun + seconds))

    @property
    def seconds_left(self) -> float | None:
        """The remaining time in seconds, at least 0. None means no limit."""
        return None if self.until == inf else max(0.0, self.until - monotonic())

    def half(self) -> Budget:
        """Return the same budget with half of the remaining time, so that another step can follow."""
        return self if self.until == inf else self.at_most((self.until - monotonic()) / 2)

    def part(self, whole: Callable[[], Progress]) -> Budget:
        """Return a budget for a part of a search.

        The limit on states still applies to the whole search. Progress reports contain the progress of the whole
        search, which the function `whole` returns.
        """
        counted = self.counted or (lambda: whole().states)
        return replace(self, counted=counted, progress=lambda _part: self.report(whole()))

    def left(self, states: int = 0) -> int | None:
        """Return the remaining number of states of a search that has visited `states`; None means no limit."""
        if self.states is None:
            return None
        return max(0, self.states - (self.counted() if self.counted else states))

    def spent(self, states: int = 0) -> bool:
        """Return True if a search that has visited `states` must stop."""
        return self.left(states) == 0 or self.cancelled() or (self.until < inf and monotonic() >= self.until)

    def check(self, states: int = 0) -> None:
        """Raise `Stopped` if the budget is spent for a search that has visited `states` states."""
        if self.spent(states):
            raise Stopped

    @contextmanager
    def having(self, lock: Lock | RLock, states: Callable[[], int] = int) -> Iterator[None]:
        """Hold a lock during the `with` block. Raises `Stopped` if the budget ends while waiting for the lock.

        `states` returns the number of states that the search has visited.
        """
        while not lock.acquire(timeout=_SECONDS_BETWEEN_CHECKS):
            self.check(states())
        try:
            yield
        finally:
            lock.release()

    def report(self, progress: Progress) -> None:
        """Report the progress of a search: call the function of this budget that receives progress."""
        self.progress(progress)


UNLIMITED = Budget()
"""A budget without limits or progress reports."""


listeners: list[Callable[[str, dict[str, object]], None]] = []
"""Functions called for each notice, with its English message and the data for the `{name}` fields in it."""


def notice(message: str, **data: object) -> None:
    """Send a notice to the logger `yomikiri` and to all listeners."""
    import logging

    logging.getLogger("yomikiri").info(message.format(**data))
    for listener in listeners:
        listener(message, data)
