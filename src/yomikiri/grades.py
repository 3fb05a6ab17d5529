"""How good a guess or a move was beside the best one, and how hard a puzzle is: the same words in both games."""

from __future__ import annotations

from yomikiri.enums import Named
from yomikiri.errors import N_, TurnError


class Grade(Named):
    """How good a choice was.

    `BEST`: no other is better. `GOOD`, `INACCURACY`, `MISTAKE`: it gave little, something, much away. `RISKY` is for a
    guess that gave away more than a good one and yet found the secret: it paid.
    """

    BEST = "best"
    GOOD = "good"
    RISKY = "risky"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"


class Difficulty(Named):
    """How hard a puzzle is, by how much there is to read."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


def puzzle_done() -> TurnError:
    """The error for a guess or a move at a puzzle that is solved, or whose answer was told."""
    return TurnError(N_("this puzzle is done: type 'new' or 'quit'"))
