"""Lines that meet: forks, and cells that lie on every line of a set."""

from __future__ import annotations

from collections.abc import Sequence

from yomikiri.tictactoe.board import cells_of

_REMEMBERED = 200_000


def fork(lines: Sequence[int], empty: int, twos: int) -> int:
    """A cell on two different pairs of empty cells, the pairs being those of the lines `twos`; 0 if there is none."""
    if not twos & (twos - 1):
        return 0
    seen, pairs = 0, set()
    for number in cells_of(twos):
        pair = lines[number] & empty
        if pair not in pairs:
            if shared := pair & seen:
                return shared & -shared
            pairs.add(pair)
            seen |= pair
    return 0


class Meetings(dict[int, int]):
    """For a set of lines: the cells that lie on all of them, every cell for none."""

    def __init__(self, lines: Sequence[int], every_cell: int) -> None:
        super().__init__()
        self._lines = lines
        self._every_cell = every_cell

    def __missing__(self, lines: int) -> int:
        cells = self._every_cell
        for number in cells_of(lines):
            cells &= self._lines[number]
        if len(self) >= _REMEMBERED:
            self.clear()
        self[lines] = cells
        return cells
