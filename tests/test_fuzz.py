"""The fuzzer itself, and a short run of every target."""

from __future__ import annotations

from random import Random

import pytest
from tests.fuzz.engine import Case, Target, failures, fault_of
from tests.fuzz.targets import TARGETS

CASES = 60
"""Number of fixed cases for each target, about ten seconds in total. `scripts/fuzz` uses new ones."""


def letters(draw: Random) -> Case:
    return ["".join(draw.choice("abcdef") for _ in range(draw.randint(0, 30))) for _ in range(draw.randint(0, 8))]


def target(fault: object) -> Target:
    return Target("planted", letters, fault, " ".join)  # type: ignore[arg-type]


def test_planted_fault_is_found_and_shrunk():
    found = [
        *failures(
            [target(lambda case: "ab" if any("ab" in text for text in case) else None)], 1, range(200).__contains__
        )
    ]
    assert found
    assert {tuple(failure.case) for failure in found} == {("ab",)}


def test_exception_is_a_fault_with_its_function():
    def broken(case: Case) -> None:
        raise ZeroDivisionError(len(case))

    assert fault_of(target(broken), ["a"]) == "ZeroDivisionError in broken: 1"


def test_timeout_is_a_fault(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tests.fuzz.engine.SECONDS", 1)

    def endless(_case: Case) -> None:
        while True:
            pass

    assert fault_of(target(endless), ["a"]) == "not done after 1 s"


@pytest.mark.parametrize("door", TARGETS, ids=lambda door: door.name)
def test_every_target_handles_random_cases(door: Target):
    found = [*failures([door], 2026, range(CASES).__contains__)]
    assert not found, "\n".join(map(str, found))
