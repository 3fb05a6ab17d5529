"""Input that nobody planned for, at every door: `scripts/fuzz` goes on as long as it is let, the tests for seconds.

A *target* draws cases from a random number generator and says what is wrong with how the program took one. What fails
is shrunk: parts are left out as long as it still fails. A case is a list of texts, so that it can be printed, shrunk
and tried again in the same way for every target.
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
"""What one case may take; none needs a tenth of it on an idle machine."""


@dataclass(frozen=True)
class Target:
    """A door: `draw` makes a case, `fault` says what is wrong with how the program took it, None if nothing is.

    `show` is the line by which a person tries the case again.
    """

    name: str
    draw: Callable[[Random], Case]
    fault: Callable[[Case], str | None]
    show: Callable[[Case], str]


@dataclass(frozen=True)
class Failure:
    """A case that failed, as small as it was found, and what was wrong."""

    target: Target
    case: Case
    fault: str

    def __str__(self) -> str:
        return f"{self.target.name}: {self.fault}\n    {self.target.show(self.case)}"


class _Slow(Exception):
    pass


def failures(targets: list[Target], seed: int, goes_on: Callable[[int], bool]) -> Iterator[Failure]:
    """What fails, shrunk; one case of each target after the other while `goes_on` says so of the number of the case."""
    number = 0
    while goes_on(number):
        target = targets[number % len(targets)]
        case = target.draw(Random(f"{target.name} {seed} {number}"))
        if fault := fault_of(target, case):
            yield smallest(target, case, fault)
        number += 1


def fault_of(target: Target, case: Case) -> str | None:
    """What is wrong with how the program takes a case: what its target says, an exception, or that it does not end."""
    try:
        with _alarm():
            return target.fault(case)
    except _Slow:
        return f"not done after {SECONDS} s"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {last.name}: {error}"


def smallest(target: Target, case: Case, fault: str) -> Failure:
    """A case with parts left out, and parts of its parts, that still fails in whatever way."""
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
