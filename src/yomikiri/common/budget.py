"""What a search may spend, how far it has come, what it raises when the budget is spent; and notices while one waits.

A search takes a `Budget`, calls `check` some fifty times a second or more often (machine code reads a word instead: see
`machine.running`), and tells `report` how far it has come. It returns its answer when it is done; when the budget is
spent first, it raises `Stopped`, whose `best` is what it had by then: a value of the same kind, or None. A budget is a
value: searches that share one share its end, and those that are for one answer share its beginning as well.

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

_WAITS = 0.02  # seconds between two looks at the budget while another thread has a lock


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a search: what is certain of its answer so far, and what it took.

    The answer lies from `lower` to `upper`, in the units of the search; None where nothing is known. `states` counts
    the positions it has looked at, `seconds` what it took so far; `done` of `of` equal parts are finished, 0 of 0 where
    nobody can tell. Where the work is shared, `asked` questions are being answered, roughly the `share` of it is done
    (from 0 to 1), and it may take `left` seconds more; None where nobody can tell.
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
    """A search spent its budget before it was done; `best` is what it had by then, None if nothing, and `hint` may say
    in the language in use what is certain."""

    hint: str | None = None

    def __init__(self, best: Any = None) -> None:
        super().__init__(best)

    @property
    def best(self) -> Any:
        """The best answer found by then."""
        return self.args[0]


def _never() -> bool:
    return False


def _unheard(_: Progress) -> None:
    pass


@dataclass(frozen=True, slots=True, repr=False)
class Budget:
    """What a search may spend.

    It is spent at `until` (seconds of `time.monotonic`), after `states` positions, or as soon as `cancelled` says so.
    `progress` is told several times a second how far the search has come; it must not raise. Budgets are all equal, so
    that an answer may be remembered (`functools.lru_cache`) whatever it was allowed to take.
    """

    until: float = field(default=inf, compare=False)
    states: int | None = field(default=None, compare=False)
    cancelled: Callable[[], bool] = field(default=_never, compare=False)
    progress: Callable[[Progress], None] = field(default=_unheard, compare=False)
    begun: float | None = field(default=None, compare=False)
    """When the answer was begun that it is for (`begin`), in the seconds of `until`."""
    counted: Callable[[], int] | None = field(default=None, compare=False)
    """Of a part: how many states the whole has looked at, which is what counts."""

    def __repr__(self) -> str:
        """Return the budget as Python, without what is at its default: `Budget()`."""
        changed = [each for each in fields(self) if getattr(self, each.name) is not each.default]
        return f"Budget({', '.join(f'{each.name}={getattr(self, each.name)!r}' for each in changed)})"

    @classmethod
    def read(cls, given: Budget, parameter: str) -> Budget:
        """Return the budget that a parameter gives. Raises an `InputError`."""
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
        progress: Callable[[Progress], None] = _unheard,
    ) -> Budget:
        """Return a budget that is spent after so many seconds from now; None is no limit."""
        return cls(states=states, cancelled=cancelled, progress=progress).at_most(seconds)

    def at_most(self, seconds: float | None) -> Budget:
        """Return the same budget, spent at the latest so many seconds from now; None is no further limit."""
        return self if seconds is None else replace(self, until=min(self.until, monotonic() + seconds))

    def begin(self) -> Budget:
        """Return the same budget for one answer, which is begun now, unless it was begun before.

        Whoever is asked for a whole answer calls this, and all that is sought for it shares the time: see `in_all`.
        """
        return self if self.begun is not None else replace(self, begun=monotonic())

    def in_all(self, seconds: float | None) -> Budget:
        """Return the same budget, spent at the latest so many seconds after the answer was begun; None is no limit."""
        begun = self.begin().begun
        assert begun is not None
        return self if seconds is None else replace(self, until=min(self.until, begun + seconds))

    def half(self) -> Budget:
        """Return the same budget with half of the time that is left, so that something else may follow."""
        return self if self.until == inf else self.at_most((self.until - monotonic()) / 2)

    def part(self, whole: Callable[[], Progress]) -> Budget:
        """The same budget for parts of a search: spent and told by what `whole` says that all of it has done."""
        counted = self.counted or (lambda: whole().states)
        return replace(self, counted=counted, progress=lambda _part: self.report(whole()))

    def left(self, states: int = 0) -> int | None:
        """How many states a search that has looked at so many may still look at; None is no limit."""
        if self.states is None:
            return None
        return max(0, self.states - (self.counted() if self.counted else states))

    def spent(self, states: int = 0) -> bool:
        """Whether a search that has looked at so many states must stop."""
        return self.left(states) == 0 or self.cancelled() or (self.until < inf and monotonic() >= self.until)

    def check(self, states: int = 0) -> None:
        """Raise `Stopped` if the budget is spent."""
        if self.spent(states):
            raise Stopped

    @contextmanager
    def having(self, lock: Lock | RLock, states: Callable[[], int] = int) -> Iterator[None]:
        """Have a lock until the `with` ends. Waiting spends the budget; raises `Stopped` when it is spent."""
        while not lock.acquire(timeout=_WAITS):
            self.check(states())
        try:
            yield
        finally:
            lock.release()

    def report(self, progress: Progress) -> None:
        """Report how far the search has come, if `progress` is given."""
        self.progress(progress)


UNLIMITED = Budget()
"""A budget that is never spent, and reports to nobody."""


listeners: list[Callable[[str, dict[str, object]], None]] = []
"""Who is told of every notice: its English message, in which `{name}` stands for what the data has under that name."""


def notice(message: str, **data: object) -> None:
    """Tell the logger `yomikiri`, and all listeners."""
    import logging

    logging.getLogger("yomikiri").info(message.format(**data))
    for listener in listeners:
        listener(message, data)
