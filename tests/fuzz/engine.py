"""Fuzzing of all interfaces: `scripts/fuzz` runs as long as requested, the tests for some seconds.

A *target* generates random cases and describes the fault of a run. Failing cases are shrunk: parts are removed while
the case still fails. A case is a list of texts, so that all targets can print, shrink and repeat cases in one way.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from types import FrameType

Case = list[str]

SECONDS = 60
"""Time limit of a case in seconds, more than ten times what any case needs on an idle machine."""


@dataclass(frozen=True)
class Target:
    """An interface: `draw` generates a case, and `fault` runs it and returns the fault or None.

    `show` returns a command line that repeats the case.
    """

    name: str
    draw: Callable[[Random], Case]
    fault: Callable[[Case], str | None]
    show: Callable[[Case], str]


@dataclass(frozen=True)
class Failure:
    """A shrunk failing case and its fault."""

    target: Target
    case: Case
    fault: str

    def __str__(self) -> str:
        return f"{self.target.name}: {self.fault}\n    {self.target.show(self.case)}"


class _Slow(Exception):
    pass


def failures(targets: list[Target], seed: int, goes_on: Callable[[int], bool]) -> Iterator[Failure]:
    """Yield shrunk failures; the targets take turns while `goes_on(number of the case)` is True."""
    number = 0
    while goes_on(number):
        target = targets[number % len(targets)]
        case = target.draw(Random(f"{target.name} {seed} {number}"))
        if fault := fault_of(target, case):
            yield smallest(target, case, fault)
        number += 1


def fault_of(target: Target, case: Case) -> str | None:
    """Return the fault of a case: a fault that its target reports, an exception, or a timeout."""
    try:
        with _alarm():
            return target.fault(case)
    except _Slow:
        return f"not done after {SECONDS} s"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {last.name}: {error}"


def smallest(target: Target, case: Case, fault: str) -> Failure:
    """Return a failure with a shrunk case, which can have another fault."""
    tries = 400
    shrunk = True
    while shrunk and tries:
        shrunk = False
        for smaller in _smaller(case):
            tries -= 1
            if not tries:
                break
            if found := fault_of(target, smaller):
                case, fault, shrunk = smaller, found, True
                break
    return Failure(target, case, fault)


def _smaller(case: Case) -> Iterator[Case]:
    for length in (len(case) // 2, 1):
        for start in range(0, len(case), length or 1):
            if length:
                yield case[:start] + case[start + length :]
    for place, text in enumerate(case):
        for length in {len(text) // 2, len(text) // 4, 1} - {0}:
            for start in range(0, len(text), length):
                yield [*case[:place], text[:start] + text[start + length :], *case[place + 1 :]]


@contextmanager
def _alarm() -> Iterator[None]:
    def ring(_number: int, _frame: FrameType | None) -> None:
        raise _Slow

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
