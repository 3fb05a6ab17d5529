"""Winners of 3x3 boards by sixteen signs, derived from the game tree.

Weights matter only on full boards without a line. There are sixteen such *full boards* (X: the first player's five
cells): three shapes, with eight, four and four rotations and reflections:

    X X O     X O X     X O X
    O X X     X O X     O O X
    X O O     O X O     X X O

The first player is *ahead* on a full board if its sum is larger there. The *signs* of a board of weights say on which
of the sixteen full boards the first player is ahead. The winner under best play is a monotone function of these signs:
being ahead on more full boards does not hurt the first player. Such a function is determined by its minimal true
points: the smallest sets of full boards such that being ahead on one whole set is enough to win. Here they are 26
pairs. So the first player wins if and only if it is ahead on both full boards of some pair. Equal sums count as ahead
if the first player wins ties.

A Boolean function of n signs is stored as its *truth table*, an integer of 2**n bits. A number v of n bits represents
one combination of signs: bit i of v is 1 if the first player is ahead on full board i. Bit number v of the truth table
is the value of the function for this combination.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from yomikiri.tictactoe.board import Board, cells_of, set_of
from yomikiri.tictactoe.position import Player, Position, Tie

_BLANK = Board(((0, 0, 0),) * 3)
START = Position(_BLANK)


def follows_from_signs(board: Board) -> bool:
    """Return True if a board is 3x3 and three in a row win.

    The winner of such a board needs no search. It depends only on which player has the larger sum on each of the
    sixteen ways to fill the board without a line.
    """
    return (board.rows, board.columns, board.line) == (3, 3, 3)


@cache
def full_boards() -> tuple[int, ...]:
    """Return the first player's cells on each full 3x3 board without a line, as bit masks in increasing order.

    Of the 126 ways to give five cells to the first player and four to the second, sixteen contain no line.
    """
    taken = (set_of(cells) for cells in combinations(range(9), 5))
    lineless = (first for first in taken if not _has_line(first) and not _has_line(_BLANK.full ^ first))
    return tuple(sorted(lineless))


def _has_line(cells: int) -> bool:
    return any(line & cells == line for line in _BLANK.lines)


@cache
def first_wins(position: Position = START) -> int:
    """Return a truth table of a 3x3 position: in which cases the first player wins under best play.

    If no player completes a line, the game ends on one of sixteen full boards without a line, where the player with the
    larger sum is *ahead*. A case is the set v of the full boards on which the first player is ahead, an integer of 16
    bits. The result is an integer of 65,536 bits. Bit v is 1 if the first player wins in case v.

    The result is computed from the results after each move. They are combined by OR if the first player is to move,
    because it chooses the move, and by AND if the second player is to move.
    """
    count = len(full_boards())
    if position.completed_line:
        return true(count) if position.to_move.other is Player.FIRST else 0
    if not position.empty:
        return variable(full_boards().index(position.first), count)
    chooses_or = position.to_move is Player.FIRST
    settled = true(count) if chooses_or else 0
    result = true(count) ^ settled
    for move in cells_of(position.empty):
        function = first_wins(position.play(move))
        result = result | function if chooses_or else result & function
        if result == settled:
            break
    return result


@cache
def true(count: int) -> int:
    """Return the truth table of the constant True for `count` Boolean variables: an integer of 2**count bits, all 1."""
    return (1 << (1 << count)) - 1


@cache
def variable(index: int, count: int) -> int:
    """Return the truth table of Boolean variable `index` among `count` variables, as an integer of 2**count bits.

    From bit 0 on, the table alternates between 2**index zeros and 2**index ones.
    """
    run = 1 << index
    return true(count) // ((1 << run) + 1) << run


def minimal_points(function: int, count: int) -> tuple[int, ...]:
    """Return the minimal true points of a monotone Boolean function of `count` variables, as bit masks of variables.

    `function` is its truth table. A *true point* is a set of variables: if these variables are true and all others are
    false, the function is true. A true point is *minimal* if it is no longer a true point after the removal of any
    variable. A monotone function is determined by its minimal true points.
    """
    shrinkable = 0
    for index in range(count):
        without = function & ~variable(index, count)
        shrinkable |= without << (1 << index)
    return tuple(cells_of(function & ~shrinkable))


WINNING_PAIRS = (
    (2, 4), (2, 5), (4, 5), (0, 7), (6, 7), (5, 8), (1, 9), (3, 9), (4, 10), (5, 10), (8, 10), (4, 11), (8, 11),
    (10, 11), (1, 12), (3, 12), (2, 13), (5, 13), (8, 13), (10, 13), (2, 14), (8, 14), (11, 14), (13, 14), (0, 15),
    (6, 15),
)  # fmt: skip
"""Pairs of full 3x3 boards without a line. Each board is given by its index in `full_boards()`.

The first player wins a 3x3 board under best play if and only if it has the larger sum on both full boards of some pair.
These pairs are the minimal true points of `first_wins()`. They are a constant, because deriving them from the game tree
takes as long as solving thousands of boards.
"""


@cache
def enough_full_boards(position: Position, holder: Player) -> tuple[tuple[int, ...], ...]:
    """Return sets of full 3x3 boards such that the player `holder` can make the game end on one board of the set.

    Boards are given by their indices in `full_boards()`. A full board has no empty cell and no line. The opponent's
    moves decide on which board of the set the game ends. The game may also end by a line of the holder. Each set is
    minimal: no board can be left out. If the holder can force a line, the result consists of one set, which contains no
    board.

    For the first player, the sets are the minimal true points of `first_wins(position)`. This function is true for a
    set of full boards if the first player wins when it is ahead on exactly these boards.

    For the second player, the roles are exchanged: the sets are the minimal true points of the function that is true
    for a set if the second player wins when it is ahead on exactly these boards. The first player is then ahead on
    exactly the boards outside the set. So in the truth table of `first_wins(position)`, each bit is inverted, and the
    order of the bits is reversed.
    """
    count = len(full_boards())
    function = first_wins(position)
    if holder is Player.SECOND:
        function = int(f"{function ^ true(count):0{1 << count}b}"[::-1], 2)
    return tuple(tuple(cells_of(point)) for point in minimal_points(function, count))


def winner_by_signs(weights: Sequence[int], tie: Tie = Tie.DRAW) -> Player | None:
    """Return the winner of a 3x3 board with nine integer weights.

    The winner is None for a draw, which is only possible with `Tie.DRAW`.
    """
    total = sum(weights)
    # On a full board, the first player's sum minus the second's is the total minus twice the second's sum.
    margins = [total - 2 * sum(weights[cell] for cell in cells_of(_BLANK.full ^ first)) for first in full_boards()]
    if tie is not Tie.FIRST and any(margins[a] > 0 and margins[b] > 0 for a, b in WINNING_PAIRS):
        return Player.FIRST
    if tie is not Tie.SECOND and not any(margins[a] >= 0 and margins[b] >= 0 for a, b in WINNING_PAIRS):
        return Player.SECOND
    return tie.player
