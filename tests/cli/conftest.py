"""Fixtures of the tests of commands."""

from pathlib import Path

import pytest
from tests.cli.run import WORDS


@pytest.fixture
def lists(tmp_path: Path) -> tuple[str, ...]:
    """Options with two lists of words."""
    secrets, guesses = tmp_path / "secrets.txt", tmp_path / "guesses.txt"
    secrets.write_text(WORDS)
    guesses.write_text("NIGHT\nlumpy\n")
    return ("--secrets", str(secrets), "--guesses", str(guesses))
