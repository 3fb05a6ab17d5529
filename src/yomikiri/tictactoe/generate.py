"""3x3 boards to order: drawn by a seed, or one for every realisable sign vector."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from yomikiri.enums import Named
from yomikiri.errors import N_, BoardError
from yomikiri.tictactoe.batch import BOUND, winners
from yomikiri.tictactoe.board import Board, set_of
from yomikiri.tictactoe.realisable import realisable_boards, sign_vectors
from yomikiri.tictactoe.signs import START, first_wins

# Boards drawn at once, and how many of these in vain before giving up.
_DRAWN = 1 << 16
_PATIENCE = 32


class Opening(Named):
    """A kind of first move."""

    CORNER = "corner"
    EDGE = "edge"
    CENTRE = "centre"

    @property
    def cells(self) -> int:
        """The set of cells of that kind."""
        return {Opening.CORNER: set_of((0, 2, 6, 8)), Opening.EDGE: set_of((1, 3, 5, 7)), Opening.CENTRE: set_of((4,))}[
            self
        ]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a board must be like.

    `low` and `high` bound the weights. `winner` is the sign of who wins with best play, 0 for a draw, None for anybody.
    With `opening`, the first player wins by some first move of that kind and by no other; with `unique`, by exactly
    one first move.
    """

    low: int = -9
    high: int = 9
    winner: int | None = None
    opening: Opening | None = None
    unique: bool = False

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise BoardError(
                N_("weights from {low} to {high}: the lower limit is greater than the upper"),
                low=self.low,
                high=self.high,
            )
        if self.low < -BOUND or self.high > BOUND:
            raise BoardError(
                N_("weights from {low} to {high}: expected limits from -{bound} to {bound}"),
                low=self.low,
                high=self.high,
                bound=BOUND,
            )


def generate(wanted: Wanted, seed: int) -> Iterator[Board]:
    """Boards as wanted, without end, the same for the same seed.

    The sums are odd, as in the contest, so that nothing ties, unless a draw is wanted. Raises a `BoardError` where
    millions were drawn in vain.
    """
    random = np.random.default_rng(seed)
    vain = 0
    while vain < _PATIENCE:
        drawn = random.integers(wanted.low, wanted.high, (_DRAWN, 9), dtype=np.int64, endpoint=True)
        kept = drawn[_matches(drawn, wanted)]
        vain = 0 if len(kept) else vain + 1
        yield from map(board_of, kept)
    raise BoardError(
        N_("none of {count} random boards has these properties: relax a property or widen the range of weights"),
        count=_PATIENCE * _DRAWN,
    )


def _matches(boards: NDArray[np.int64], wanted: Wanted) -> NDArray[np.bool_]:
    """Which boards, shape (n, 9), are as wanted."""
    matches = np.ones(len(boards), dtype=np.bool_)
    if wanted.winner != 0:
        matches &= boards.sum(axis=1) % 2 == 1
    if wanted.winner is not None:
        matches &= winners(boards) == wanted.winner
    if wanted.opening is not None or wanted.unique:
        openings = winning_openings()[sign_vectors(boards)]
        matches &= openings != 0
        if wanted.opening is not None:
            matches &= openings & ~wanted.opening.cells == 0
        if wanted.unique:
            matches &= openings & (openings - 1) == 0
    return matches


@cache
def winning_openings() -> NDArray[np.int64]:
    """By sign vector, the set of first moves that win for the first player: shape (65536,)."""
    openings = np.zeros(1 << 16, dtype=np.int64)
    for cell in range(9):
        function = first_wins(START.play(cell)).to_bytes(1 << 13, "little")
        wins = np.unpackbits(np.frombuffer(function, dtype=np.uint8), bitorder="little")
        openings |= wins.astype(np.int64) << cell
    return openings


def board_of(weights: NDArray[np.int64]) -> Board:
    """The board of nine weights, shape (9,)."""
    return Board(weights.reshape(3, 3).tolist())


COMPLETE = 17_600
"""How many boards `complete_set` gives."""


def complete_set() -> Iterator[Board]:
    """A board of small weights and odd sum for each of the `COMPLETE` realisable sign vectors."""
    return map(board_of, realisable_boards())
