"""Which moves to try first.

A side that two greedy players would leave with what is asked of it is *ahead*: it needs to hold the other's lines and
keep its weights. The other side needs lines. So a move counts by its weight and by the lines through it, either side's,
each worth a half to the power of its empty cells; the factors were measured. Weights alone fail on boards that are
about lines, such as four in a row on 5x5, lines alone on those that are about weights, such as five in a row; how many
lines have no pair of neighbours tells the one kind from the other.
"""

from __future__ import annotations

from yomikiri.tictactoe.board import cells_of
from yomikiri.tictactoe.search.counts import Counts
from yomikiri.tictactoe.search.layout import Layout

_BEHIND_WEIGHT = 0.2


class Order:
    """Orders the moves of one board."""

    def __init__(self, layout: Layout) -> None:
        weights = layout.weights
        spread = weights[0] - weights[-1]
        # From 0 for the heaviest cell to 1 for the lightest; whole numbers divide exactly, however long they are.
        self._lightness = tuple((weights[0] - weight) / spread if spread else 0.0 for weight in weights)
        self._shift = shift = len(layout.lines)
        # The lines through a cell twice, as lines of the side to move and, shifted, as lines of the other side.
        self._through = tuple(lines | lines << shift for lines in layout.through)

    def moves(self, candidates: int, mine: int, theirs: int, counts: Counts, unpaired: int | None) -> list[int]:
        """The ranks of `candidates`, the most promising first.

        `unpaired` is how many lines of the other side hold no pair of neighbours, None where the side to move is not
        ahead.
        """
        weight, line = (_BEHIND_WEIGHT, 1 / 32) if unpaired is None else (1.0, (16 + 5 * unpaired) / 1024)
        first, second, third, fourth = counts
        twos = second & ~(first | third | fourth)
        threes = second & first & ~(third | fourth)
        fours = third & ~(first | second | fourth)
        more = third & (first | second) | fourth
        both = mine | theirs << self._shift
        twos, threes, fours, more = (both & (lines | lines << self._shift) for lines in (twos, threes, fours, more))
        scored = []
        for rank in cells_of(candidates):
            through = self._through[rank]
            close = (
                8 * (through & twos).bit_count()
                + 4 * (through & threes).bit_count()
                + 2 * (through & fours).bit_count()
                + (through & more).bit_count()
            )
            scored.append((weight * self._lightness[rank] - line * close, rank))
        scored.sort()
        return [rank for _, rank in scored]
