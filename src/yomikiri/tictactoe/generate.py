"""Boards with wanted properties."""

from __future__ import annotations

from random import Random

from yomikiri.tictactoe.board import Board


def random_board(random: Random, low: int = -9, high: int = 9, rows: int = 3, columns: int = 3) -> Board:
    """A board of independent weights from `low` to `high`, both included."""
    return Board([[random.randint(low, high) for _ in range(columns)] for _ in range(rows)])
