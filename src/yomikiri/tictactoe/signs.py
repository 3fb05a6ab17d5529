"""What decides a 3x3 board: sixteen signs, read off the game tree.

The weights are consulted only where the board is full and has no line. There are sixteen such boards (X: the first
player's five cells): three shapes, with their turns and reflections eight, four and four of them:

    X X O     X O X     X O X
    O X X     X O X     O O X
    X O O     O X O     X X O

Write *ahead* for the boards on which the first player's sum is larger. Who wins with best play is a function of the
sixteen signs alone, and a monotone one: the first player does not lose by being ahead on more boards. Such a function
is the disjunction of its minimal true points: here 26 pairs. So the first player wins if and only if it is ahead on
both boards of some pair. Equal sums count as ahead if ties go to the first player.

A Boolean function of n signs is an integer of 2**n bits: bit v is its value where board i is ahead iff bit i of v is 1.
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
    """Whether the sixteen signs decide a board: 3x3 with three in a row, as in the contest."""
    return (board.rows, board.columns, board.line) == (3, 3, 3)


@cache
def full_boards() -> tuple[int, ...]:
    """The first player's cells on every full 3x3 board without a line, in the order of these sets: 16 of them."""
    taken = (set_of(cells) for cells in combinations(range(9), 5))
    lineless = (first for first in taken if not _has_line(first) and not _has_line(_BLANK.full ^ first))
    return tuple(sorted(lineless))


def _has_line(cells: int) -> bool:
    return any(line & cells == line for line in _BLANK.lines)


@cache
def first_wins(position: Position = START) -> int:
    """The winner of a 3x3 position as a Boolean function of the sixteen signs: 65,536 bits, 1 where the first wins.

    The side to move chooses, so it is the OR of what follows for the first player, the AND for the second.
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
    """The function of `count` signs that is always true."""
    return (1 << (1 << count)) - 1


@cache
def variable(index: int, count: int) -> int:
    """The function of `count` signs that is sign `index` itself: runs of 2**index zeros and ones in turns."""
    run = 1 << index
    return true(count) // ((1 << run) + 1) << run


def minimal_points(function: int, count: int) -> tuple[int, ...]:
    """The minimal true points of a monotone function: those that become false when any of their signs is taken away.

    A monotone function has no other prime implicants, so they are its minimal form, and the only one.
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
"""Pairs of full boards, by index: the first player wins iff it is ahead on both boards of some pair.

These are the minimal true points of `first_wins`, written down because to read them off the game tree takes as long as
thousands of boards.
"""


@cache
def enough_full_boards(position: Position, holder: Player) -> tuple[tuple[int, ...], ...]:
    """Minimal sets of full boards, by index, to one of which `holder` can lead `position`, or completes a line first.

    For the first player these are the minimal true points of `first_wins(position)`: it wins if ahead there, and behind
    everywhere else. The second player wins if the first is behind on these boards and ahead everywhere else; that is
    the dual function, its values turned over and their order reversed.
    """
    count = len(full_boards())
    function = first_wins(position)
    if holder is Player.SECOND:
        function = int(f"{function ^ true(count):0{1 << count}b}"[::-1], 2)
    return tuple(tuple(cells_of(point)) for point in minimal_points(function, count))


def winner_by_signs(weights: Sequence[int], tie: Tie = Tie.DRAW) -> Player | None:
    """Who wins the 3x3 board of these nine weights, any integers; None for a draw, which only `Tie.DRAW` can give."""
    total = sum(weights)
    # Twice the second player's four cells against all nine: positive where the first player is ahead.
    leads = [total - 2 * sum(weights[cell] for cell in cells_of(_BLANK.full ^ first)) for first in full_boards()]
    if tie is not Tie.FIRST and any(leads[a] > 0 and leads[b] > 0 for a, b in WINNING_PAIRS):
        return Player.FIRST
    if tie is not Tie.SECOND and not any(leads[a] >= 0 and leads[b] >= 0 for a, b in WINNING_PAIRS):
        return Player.SECOND
    return tie.player
