"""The pairing bound: the most that one side can still get, if the other only answers in pairs.

Let the empty cells be matched in pairs, one cell u left over if their number is odd, so that every line that the side
to move can still complete holds both cells of some pair. Then it gets at most

    sum over the pairs of |w(a) - w(b)|   (+ w(u))

more than the other side, and no line. Proof: the other side answers a cell of a pair by its partner. If the side to
move takes u, the other side takes the heavier cell of any pair and the lighter one becomes u; if no pair is left the
game is over. So the side to move never owns both cells of a pair that stood when it took the first of them, nor,
since the cell taken after u was the other side's, both cells of a pair that was broken up: no line of its own is ever
complete. (A line that the other side completes on the way only makes it worse.) And "margin gained from here + the
differences still to come + w(u)" never rises: an answered pair turns its difference into at most as much margin, and
taking u (+w(u)) with the answer h over l (-w(h)), l being the new u, changes it by w(u) - w(h) - |w(h) - w(l)| + w(l)
- w(u) <= 0. At the end it is the margin.

Without lines the cheapest pairs are neighbours in the order of the weights, and the bound is what two greedy players
reach, w1 - w2 + w3 - ...: the *alternating sum*. A line that holds no pair of neighbours needs a pair of its own:
`Pairings.bound` gives it one, the cheapest choice first, and goes back on a choice that leads nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from yomikiri.tictactoe.board import cells_of

# Cells are summed in blocks: a block has 2 ** 13 subsets at most, and they recur all the time.
_BLOCK_BITS = 13
_BLOCK = (1 << _BLOCK_BITS) - 1
# How many sets of cells are remembered: some 250 bytes each.
_REMEMBERED = 1_000_000


class _Block(NamedTuple):
    """What one block of cells adds to the alternating sum and to the lines held by pairs of neighbours."""

    odd: bool
    alternating: int
    held: int
    """Lines that hold two neighbours, the first cell of the block being the first of a pair."""
    held_shifted: int
    """The same, the first cell of the block being the second of a pair."""
    first: int
    last: int
    """The lines through the first and through the last cell."""


class _Blocks(dict[int, _Block]):
    """The subsets of one block of cells, each worked out when it is first asked for."""

    def __init__(self, weights: Sequence[int], through: Sequence[int]) -> None:
        super().__init__()
        self._weights = weights
        self._through = through

    def __missing__(self, cells: int) -> _Block:
        alternating, held, last, sign = 0, [0, 0], 0, 1
        first = self._through[(cells & -cells).bit_length() - 1]
        for number, rank in enumerate(cells_of(cells)):
            alternating += sign * self._weights[rank]
            sign = -sign
            held[number & 1] |= last & self._through[rank]
            last = self._through[rank]
        block = self[cells] = _Block(sign < 0, alternating, held[1], held[0], first, last)
        return block


class Neighbours(dict[int, tuple[int, int]]):
    """For a set of cells: the alternating sum, and the lines that hold two neighbours in the order of the weights."""

    def __init__(self, weights: Sequence[int], through: Sequence[int]) -> None:
        super().__init__()
        self._blocks = [
            _Blocks(weights[start : start + _BLOCK_BITS], through[start : start + _BLOCK_BITS])
            for start in range(0, len(weights), _BLOCK_BITS)
        ]

    def __missing__(self, cells: int) -> tuple[int, int]:
        alternating = held = last = 0
        odd = False
        rest = cells
        for blocks in self._blocks:
            if part := rest & _BLOCK:
                block = blocks[part]
                if odd:
                    alternating -= block.alternating
                    held |= block.held_shifted | last & block.first
                else:
                    alternating += block.alternating
                    held |= block.held
                odd ^= block.odd
                last = block.last
            rest >>= _BLOCK_BITS
        if len(self) >= _REMEMBERED:
            self.clear()
        self[cells] = alternating, held
        return alternating, held


class Pairings:
    """Pairing bounds on one board. `steps` is how many lines are given a pair of their own before it gives up."""

    def __init__(self, weights: Sequence[int], lines: Sequence[int], through: Sequence[int], steps: int) -> None:
        self.neighbours = Neighbours(weights, through)
        self._weights = weights
        self._lines = lines
        self._through = through
        self._steps = steps
        self._left = 0

    def bound(self, empty: int, lines: int, limit: int) -> int | None:
        """At most `limit`: what the side to move, with these lines, cannot get more than. None if none was found."""
        self._left = self._steps
        return self._mended(empty, 0, lines, limit)

    def _mended(self, free: int, cost: int, lines: int, limit: int) -> int | None:
        """The bound once the pairs already made cost `cost`; `free` are the other cells, `lines` hold no pair yet."""
        alternating, held = self.neighbours[free]
        if cost + alternating > limit:
            return None
        unheld = lines & ~held
        if not unheld:
            return cost + alternating
        shortest = self._shortest(unheld, free)
        if self._left == 0 or shortest & (shortest - 1) == 0:
            return None
        self._left -= 1
        weights, through, neighbours = self._weights, self._through, self.neighbours
        choices = []
        for heavier, lighter in combinations(cells_of(shortest), 2):
            rest = free & ~(1 << heavier | 1 << lighter)
            spent = cost + weights[heavier] - weights[lighter]
            if spent + neighbours[rest][0] <= limit:
                choices.append((spent + neighbours[rest][0], spent, rest, through[heavier] & through[lighter]))
        choices.sort()
        for _, spent, rest, now_held in choices:
            found = self._mended(rest, spent, lines & ~now_held, limit)
            if found is not None or self._left == 0:
                return found
        return None

    def _shortest(self, lines: int, free: int) -> int:
        """The free cells of the line that has the fewest, one or none if some line has no two."""
        fewest, best = 64, 0
        for number in cells_of(lines):
            cells = self._lines[number] & free
            count = cells.bit_count()
            if count < 2:
                return 0
            if count < fewest:
                fewest, best = count, cells
        return best
