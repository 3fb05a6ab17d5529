"""Values of races with each pruning rule disabled, and by the plain recursion."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

UNPRUNED = Path(__file__).with_name("unpruned.py")


@cache
def value(*words: str) -> tuple[str, int]:
    """Return the value by `unpruned.py` and the number of sets that it needed."""
    environment = {**os.environ, "PYTHONPATH": "src"}
    done = subprocess.run(
        [sys.executable, str(UNPRUNED), *words], capture_output=True, text=True, check=True, env=environment
    )
    worth, whole, sets, _forms = done.stdout.split()
    return f"{worth}/{whole}", int(sets)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["perfect", "dominance", "bounds", "symmetry", "repetition"])
def test_value_does_not_depend_on_any_pruning_rule(rule):
    kept, sets = value("3", "5", "sudden")
    without, more = value("3", "5", "sudden", rule)
    assert without == kept == "5044/7200"
    assert more > sets or rule in ("bounds", "repetition")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("kind", "expected"),
    [("sudden", "20816/28800"), pytest.param("opening", "14366/28800", marks=pytest.mark.release)],
)
def test_value_does_not_depend_on_partial_forms(kind, expected):
    kept, sets = value("3", "6", kind)
    without, more = value("3", "6", kind, "sketches")
    assert without == kept == expected
    assert more > sets


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("3", "5", "sudden", "perfect", "dominance"), "5044/7200"),
        (("3", "5", "opening", "perfect", "dominance"), "3591/7200"),
        pytest.param(("3", "6", "sudden", "perfect", "dominance"), "20816/28800", marks=pytest.mark.release),
        pytest.param(("3", "6", "opening", "perfect", "dominance"), "14366/28800", marks=pytest.mark.release),
        pytest.param(("3", "7", "sudden", "dominance"), "61762/88200", marks=pytest.mark.release),
    ],
    ids=["3 of 5", "3 of 5, turns completed", "3 of 6", "3 of 6, turns completed", "3 of 7"],
)
def test_value_agrees_with_the_plain_recursion_over_all_pairs(words, expected):
    found, _sets = value(*words, "minimax")
    assert found == expected
