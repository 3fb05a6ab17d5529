"""Answering in pairs: a strategy that keeps the other side from every line, and what it is worth.

The empty cells are matched in pairs, one cell left over if their number is odd, so that every line that the other side,
which is to move, can still complete holds both cells of some pair:

    A B A        X has just taken a2. Whichever cell of a pair O takes, X takes the other one with the same letter: no
    X C B        line of O's is ever complete, and of each pair X gets at least the lighter cell.
    D D C

When the other side takes the cell left over, the holder takes the heavier cell of any pair, and the lighter one is left
over from then on. So the other side never gains more than the differences within the pairs and the cell left over; the
proof stands in `search.pairing`. There any pairs that suffice will do, as long as they are found fast; these are shown
to a person, so the ones worth most are looked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from yomikiri.tictactoe.board import Board, cells_of, set_of

# How many matchings are begun. It is enough for the best one on almost every board of up to 5x5.
_STEPS = 1_000


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of empty cells, the heavier cell of each first, and the cell left over if their number is odd."""

    pairs: tuple[tuple[int, int], ...]
    odd: int | None

    def loss(self, board: Board) -> int:
        """What the other side gains at most: the differences within the pairs, and the cell left over."""
        weights = board.flat
        differences = sum(weights[heavier] - weights[lighter] for heavier, lighter in self.pairs)
        return differences + (weights[self.odd] if self.odd is not None else 0)


def best_pairs(board: Board, empty: int, lines: Sequence[int], most: int) -> Pairs | None:
    """Pairs for the cells `empty`, one within each of `lines` (sets of cells), that lose as little as possible.

    None if none that lose at most `most` are found.
    """
    cells = sorted(cells_of(empty), key=lambda cell: -board.flat[cell])
    matching = _Matching(board, most)
    matching.go_on((), cells, [line & empty for line in lines])
    return matching.best


class _Matching:
    """Branch and bound: neighbours in the order of the weights lose least, and lines without a pair are given one."""

    def __init__(self, board: Board, most: int) -> None:
        self.best: Pairs | None = None
        self._board = board
        self._most = most
        self._left = _STEPS

    def go_on(self, made: tuple[tuple[int, int], ...], free: list[int], lines: list[int]) -> None:
        """Try what can be added to the pairs `made`; `free` cells are in order, `lines` hold none of `made` yet."""
        found = Pairs((*made, *zip(free[::2], free[1::2], strict=False)), free[-1] if len(free) % 2 else None)
        loss = found.loss(self._board)
        # Nothing that `made` can be completed to loses less than its neighbours do.
        if loss > self._most or not self._left:
            return
        self._left -= 1
        neighbours = [set_of(pair) for pair in found.pairs[len(made) :]]
        open_lines = [line for line in lines if not any(pair & ~line == 0 for pair in neighbours)]
        if not open_lines:
            self.best, self._most = Pairs(tuple(sorted(found.pairs, key=min)), found.odd), loss - 1
            return
        left = set_of(free)
        shortest = min((line & left for line in open_lines), key=int.bit_count)
        rank = {cell: number for number, cell in enumerate(free)}
        # Close neighbours first: they lose least.
        pairs = combinations(sorted(cells_of(shortest), key=rank.__getitem__), 2)
        for pair in sorted(pairs, key=lambda pair: self._board.flat[pair[0]] - self._board.flat[pair[1]]):
            both = set_of(pair)
            rest = [cell for cell in free if cell not in pair]
            self.go_on((*made, pair), rest, [line for line in lines if both & ~line])
