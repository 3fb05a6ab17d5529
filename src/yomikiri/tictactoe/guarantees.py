"""Classes that explain a result: guarantees with their justification, and the kinds of best move in a puzzle.

A *guarantee* says that one side, its *holder*, achieves a result after some moves, however the other side plays. The
*justification* is the reason, in a form that can be checked by hand. There are six kinds of justification, which the
module `explanations` describes. The modules `explanations` and `puzzles` create objects of these classes. The classes
are in a separate module, so that `wording` can import them without loading a search.
"""

from __future__ import annotations

from dataclasses import dataclass

from yomikiri.common.enums import Named
from yomikiri.tictactoe.board import Board, set_of
from yomikiri.tictactoe.position import Outcome, Player


@dataclass(frozen=True, slots=True)
class Pairs:
    """A justification by pairs of empty cells: the holder always completes a pair that the other side has begun.

    The holder is the side that achieves the guaranteed result. If the other side takes a cell of a pair, the holder
    takes the other cell of this pair. In each pair, the heavier cell comes first. `odd` is the cell left over if the
    number of empty cells is odd, otherwise None.
    """

    pairs: tuple[tuple[int, int], ...]
    odd: int | None

    def loss(self, board: Board) -> int:
        """Return the greatest gain of the other side if the holder completes each pair that the other side begins.

        The *gain* is the sum of the weights that the other side takes from now on, minus those that the holder takes.
        The result is the sum of the weight differences within the pairs, plus the weight of the cell without a pair if
        there is one.
        """
        weights = board.flat
        differences = sum(weights[heavier] - weights[lighter] for heavier, lighter in self.pairs)
        return differences + (weights[self.odd] if self.odd is not None else 0)


@dataclass(frozen=True, slots=True)
class Finished:
    """A justification by the end of the game: the result is certain, because the game is over with this outcome."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Threats:
    """A justification by two threats: the holder has two or more lines that lack one cell each, and these cells differ.

    The holder is the side that achieves the guaranteed result. The holder completes one of these lines, because the
    other side can take only one of the cells. The other side has no line that lacks only one cell.
    """

    lines: tuple[tuple[int, ...], ...]
    cells: tuple[int, ...]
    """The missing cells of the lines, one per line."""


@dataclass(frozen=True, slots=True)
class Heaviest:
    """A justification by weights alone: the other side cannot complete a line any more.

    The holder is the side that achieves the guaranteed result. `cells` are the empty cells from the heaviest to the
    lightest. The holder always takes the first of them that is still empty.
    """

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FullBoards:
    """A justification by full 3x3 boards: the holder can reach one of them, and the other side chooses which one.

    The holder is the side that achieves the guaranteed result. A full board has no empty cell and no line. `holdings`
    are the holder's cells on each of the full boards.
    """

    holdings: tuple[tuple[int, ...], ...]

    def sums(self, board: Board) -> tuple[tuple[int, int], ...]:
        """Return the final sums on each full board in `holdings`, as pairs: the holder's sum, and the opponent's.

        A full board is an end of the game without a line. The holder is the side that achieves the guaranteed result.
        """
        owned = (board.total(set_of(cells)) for cells in self.holdings)
        return tuple((own, board.total(board.full) - own) for own in owned)


@dataclass(frozen=True, slots=True)
class Reply:
    """The holder's reply to a move of the other side, and the justification of the result after this reply.

    The *holder* is the side that achieves the guaranteed result. `move` and `reply` are indices of cells.
    `justification` has any class except `Replies`.
    """

    move: int
    reply: int
    justification: Justification


@dataclass(frozen=True, slots=True)
class Replies:
    """A justification by a list of replies: one reply to each possible move of the other side, in the order of cells.

    The replies are those of the holder, the side that achieves the guaranteed result.
    """

    replies: tuple[Reply, ...]


Justification = Finished | Threats | Heaviest | Pairs | FullBoards | Replies


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A guarantee: `player` achieves a result after `moves`, however the opponent plays from then on.

    - `justification`: the justification of the result in the position after `moves`.
    - `forced`: True if each move of the other side in `moves` is the only one that stops a line. Otherwise the moves
      are best play.
    - `sums`: the least final sum of the player, and the greatest one of the other side, unless the player completes a
      line first. None if the guaranteed result is a line.
    """

    player: Player
    moves: tuple[int, ...]
    forced: bool
    justification: Justification
    sums: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Why:
    """The explanation of a result: a guarantee for the winner, or in a draw a guarantee for each player.

    A guarantee says that a player achieves a result, however the opponent plays, and why. `block` contains the cells of
    a line that the side to move has to stop: it cannot complete a line itself, and the opponent threatens to complete
    this line. `block` is empty if there is no such line, or if no single move stops all threats of the opponent.
    """

    guarantees: tuple[Guarantee, ...]
    block: tuple[int, ...]


class Method(Named):
    """The method of the best move in a puzzle: complete a line, stop one, make two threats, or let the sums decide."""

    COMPLETE = "complete"
    STOP = "stop"
    FORK = "fork"
    SUMS = "sums"
