"""The option `--seed`: each command with it does the same again for the same seed, 0 included."""

from __future__ import annotations

import pytest
from tests.cli.run import run
from tests.cli.test_base import command_at
from tests.cli.test_main import COMMANDS

SMALL = ("--digits", "2", "--symbols", "012345")

# Options with which the seed matters, and the input, for each command with a seed.
SEEDED: dict[tuple[str, ...], tuple[tuple[str, ...], str]] = {
    ("hitblow", "assist"): ((*SMALL, "--policy", "random"), "quit\n"),
    ("hitblow", "suggest"): ((*SMALL, "--policy", "random"), ""),
    ("hitblow", "simulate"): ((*SMALL, "--policy", "random"), ""),
    ("hitblow", "play"): ((*SMALL,), "quit\n"),
    ("hitblow", "practice"): ((), "quit\n"),
    ("hitblow", "match"): (("--opponent", "consistent"), "quit\n"),
    ("hitblow", "interact"): ((*SMALL, "--policy", "random"), "2H0B\n"),
    ("guess", "simulate"): (("--policy", "entropy", "--sample", "3"), ""),
    ("guess", "play"): ((), "quit\n"),
    ("guess", "match"): ((), "quit\n"),
    ("guess", "practice"): ((), "quit\n"),
    ("tictactoe", "play"): ((), "quit\n"),
    ("tictactoe", "practice"): ((), "quit\n"),
    ("tictactoe", "generate"): ((), ""),
}

OF_PROGRAMS = {("tictactoe", "check")}
"""Commands that need another program to run."""


def test_every_command_with_a_seed_is_listed():
    found = {path for path in COMMANDS if any("--seed" in each.opts for each in command_at(path).params)}
    assert found == SEEDED.keys() | OF_PROGRAMS


@pytest.mark.parametrize("path", SEEDED, ids=" ".join)
@pytest.mark.parametrize("seed", ["0", "7"])
def test_same_seed_gives_the_same_output(lists: tuple[str, ...], path: tuple[str, ...], seed: str):
    options, given = SEEDED[path]
    own = lists if path[0] == "guess" else ()
    first, *others = (run(*path, *own, *options, "--seed", seed, given=given) for _ in range(3))
    assert first.exit_code == 0, first.output
    assert {other.output for other in others} == {first.output}
