"""From pieces to the least cost of a whole game: large pieces are split into the cells of their guesses.

The cells of one guess are independent pieces, and what joins them is one number: what is left of the best cost known
when the lower bounds of all the others are taken off. It only falls, so a piece sent out with an old one is still
right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from yomikiri.hitblow.rules import Turn
from yomikiri.hitblow.search.engine import Engine
from yomikiri.hitblow.search.pieces import IMPOSSIBLE, Count, Piece

SPLIT = 2000  # pieces of more codes are split


class Search:
    """The least cost of a piece, with bounds that can be read while it is worked on.

    `lower` and `best` are costs, `guess` the first guess of a tree that costs `best` where it is known. `look` is
    called whenever they may have changed, several times a second, and may raise to end the work.
    """

    def __init__(self, engine: Engine, piece: Piece, look: Callable[[Search], None]) -> None:
        self.lower, self.best, self.guess = 0, piece.upper, ""
        self.piece, self._engine, self._look = piece, engine, look

    def run(self) -> int:
        """The least cost, if below the piece's upper bound; else a lower bound that is at least that."""
        return self._least(self.piece)

    def _least(self, piece: Piece) -> int:
        few = len(self._engine.codes(piece.turns)) <= SPLIT
        if few or piece.count is Count.NOTHING or (piece.limit is not None and piece.limit <= 2):
            return self._engine.run(piece, self._pause).lower
        best = piece.upper
        unit = piece.count.guess
        guesses = self._engine.guesses(piece)
        for place, (bound, guess) in enumerate(guesses):
            if bound * unit >= best:
                break
            others = guesses[place + 1][0] * unit if place + 1 < len(guesses) else IMPOSSIBLE
            cost = self._cost(piece, guess, best, others)
            if cost < best:
                best = cost
                if piece is self.piece:
                    self.best, self.guess = best, guess
        return best

    def _cost(self, piece: Piece, guess: str, best: int, others: int) -> int:
        """The cost of a piece if `guess` comes first, if below `best`; else a bound that is not.

        `others` bounds the guesses still to come. Large cells are first asked only whether they take their share of
        what is left, which shows more cheaply that there is not enough.
        """
        pieces = cells_of(self._engine, piece, guess)
        sizes = [len(self._engine.codes(cell.turns)) for cell in pieces]
        lowers = [self._engine.ideal(size) * piece.count.guess for size in sizes]
        total = len(self._engine.codes(piece.turns)) * piece.count.guess + sum(lowers)
        spare = best - total
        for sharing in (True, False) if best < IMPOSSIBLE else (False,):
            for i, cell in enumerate(pieces):
                upper = best - (total - lowers[i])
                if sharing:
                    upper = min(upper, lowers[i] + 1 + spare * sizes[i] // sum(sizes))
                lower = max(lowers[i], self._least(replace(cell, upper=upper)))
                total, lowers[i] = total + lower - lowers[i], lower
                if piece is self.piece:
                    self.lower = max(self.lower, min(total, best, others))
                    self._look(self)
                if total >= best:
                    return total
        return total

    def _pause(self) -> None:
        # A piece that is not split has its bounds in the memo alone.
        lower, best = self._engine.known(self.piece)
        self.lower, self.best = max(self.lower, lower), min(self.best, best)
        self._look(self)


def cells_of(engine: Engine, piece: Piece, guess: str) -> list[Piece]:
    """The pieces that a guess leaves, small ones first."""
    limit = None if piece.limit is None else piece.limit - 1
    cells = engine.cells(piece.turns, guess)
    cells.pop(piece.rules.win, None)
    by_size = sorted(cells, key=lambda answer: len(cells[answer]))
    return [replace(piece, turns=(*piece.turns, Turn(guess, answer)), limit=limit) for answer in by_size]
