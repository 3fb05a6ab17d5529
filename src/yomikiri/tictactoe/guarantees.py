"""The values that explain an outcome: guarantees with their justification, and the methods of puzzles.

`explanations` and `puzzles` compute them. They have a module of their own, so that the sentences load no search.
"""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.common.enums import Named
from yomikiri.tictactoe.board import Board, set_of
from yomikiri.tictactoe.position import Outcome, Player


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of empty cells, the heavier cell of each first, and the cell left over if their number is odd."""

    pairs: tuple[tuple[int, int], ...]
    odd: int | None

    def loss(self, board: Board) -> int:
        """Return an upper bound on the other side's gain: the differences within the pairs, and the cell left over."""
        weights = board.flat
        differences = sum(weights[heavier] - weights[lighter] for heavier, lighter in self.pairs)
        return differences + (weights[self.odd] if self.odd is not None else 0)


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Threats:
    """The holder's lines with one empty cell each, with at least two such cells. The other side has no such line."""

    lines: tuple[tuple[int, ...], ...]
    cells: tuple[int, ...]
    """The empty cell of each line."""


@dataclass(frozen=True, slots=True)
class Heaviest:
    """No line is open to the other side; the empty cells from the heaviest to the lightest."""

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FullBoards:
    """The holder's cells on each full 3x3 board that can result, where the other side chooses among these boards."""

    holdings: tuple[tuple[int, ...], ...]

    def sums(self, board: Board) -> tuple[tuple[int, int], ...]:
        """Return the sums of the holder and of the other side on each of these boards."""
        owned = (board.total(set_of(cells)) for cells in self.holdings)
        return tuple((own, board.total(board.full) - own) for own in owned)


@dataclass(frozen=True, slots=True)
class Reply:
    """The holder's reply to a move of the other side, and the justification after it, which is not itself `Replies`."""

    move: int
    reply: int
    ground: Ground


@dataclass(frozen=True, slots=True)
class Replies:
    """A reply to every move of the other side, in order of cells."""

    replies: tuple[Reply, ...]


Ground = Finished | Threats | Heaviest | Pairs | FullBoards | Replies


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A result that `player` is guaranteed after `moves`.

    `ground` is the reason; it holds for every move of the other side from then on.

    `forced` is True if each move of the other side in `moves` is the only one that stops a line; otherwise the moves
    are best play. `sums` are the final sums of the player (at least) and of the other side (at most), unless the player
    completes a line first. If a line is guaranteed, there are no sums.
    """

    player: Player
    moves: tuple[int, ...]
    forced: bool
    ground: Ground
    sums: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Why:
    """The reason for a result: a guarantee of the winner, or in a draw one of each player.

    `block` is a line that the other side would complete next if the side to move did not stop it, or empty.
    """

    guarantees: tuple[Guarantee, ...]
    block: tuple[int, ...]


class Method(Named):
    """The method of the right move: it completes a line, blocks one, makes two threats, or wins by the sums."""

    COMPLETE = "complete"
    STOP = "stop"
    FORK = "fork"
    SUMS = "sums"
