"""How long one page may take: a clock that starts with the request, and the policy that looks at it."""

from __future__ import annotations

from contextvars import ContextVar
from time import monotonic

from yomikiri.budget import Budget
from yomikiri.hitblow.policies.exact import Exact, Overtime
from yomikiri.web.limits import SECONDS

_END: ContextVar[float] = ContextVar("end", default=float("inf"))


def start() -> None:
    """Give this request its time."""
    _END.set(monotonic() + SECONDS)


def budget() -> Budget:
    """What this request has left."""
    return Budget(until=_END.get())


def look() -> None:
    """Raise `Overtime` when the time is spent."""
    if monotonic() > _END.get():
        raise Overtime


POLICY = Exact(SECONDS, waits=False, tick=look)
"""Proven play for a page: it never waits for its kernels and ends in time. One value: answers are remembered by it."""
