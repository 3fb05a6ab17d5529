"""Deliberately wrong solvers of 3x3 boards: each models a common mistake in programs.

Most are a correct solver of which one part is replaced. A *model* solves many boards at once. Weights have shape
(9, n), one row per cell and one column per board. *Values* are the winners, an int8 array of shape (n,): 1 if the first
player wins, -1 if the second wins, 0 for a draw. In all functions, `first` and `second` are the cells of the two
players, as bit masks of cells.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any, TypeAlias

from yomikiri.common.lazy import NDArray, np
from yomikiri.tictactoe.board import cells_of, lines_of, set_of
from yomikiri.tictactoe.position import Tie

Weights: TypeAlias = "NDArray[np.int64]"
Values: TypeAlias = "NDArray[np.int8]"
Model: TypeAlias = Callable[[Weights, Tie | None], Values]

ROWS = tuple(set_of(cells) for cells in ((0, 1, 2), (3, 4, 5), (6, 7, 8)))
COLUMNS = tuple(set_of(cells) for cells in ((0, 3, 6), (1, 4, 7), (2, 5, 8)))
DIAGONALS = tuple(set_of(cells) for cells in ((0, 4, 8), (2, 4, 6)))
LINES = lines_of(3, 3, 3)
CORNERS, EDGES, CENTRE = set_of((0, 2, 6, 8)), set_of((1, 3, 5, 7)), set_of((4,))
_FULL = set_of(range(9))


@cache
def has_line(cells: int, lines: tuple[int, ...] = LINES) -> bool:
    """Return True if the bit mask `cells` contains all cells of at least one of the lines, which are bit masks too."""
    return any(line & cells == line for line in lines)


def line_winner(lines: tuple[int, ...] = LINES) -> Callable[[int, int], int]:
    """Return a function that, given the cells of both players, returns the winner by one of the lines `lines`.

    The winner is 1 for the first player, -1 for the second, and 0 if neither or both have a line.
    """

    def winner(first: int, second: int) -> int:
        return int(has_line(first, lines)) - int(has_line(second, lines))

    return winner


def margin(weights: Weights, first: int, second: int) -> NDArray[Any]:
    """Return the first player's sum minus the second's on each of many boards.

    `first` and `second` are the cells of the two players, as bit masks of cells.
    """
    return np.asarray(total(weights, first) - total(weights, second))


def total(weights: NDArray[Any], cells: int) -> NDArray[Any]:
    """Return the sum of the weights of some cells, on each of many boards. `cells` is a bit mask of cells.

    The sums have the same dtype as the weights.
    """
    return np.asarray(weights[list(cells_of(cells))].sum(axis=0, dtype=weights.dtype))


def choose_best(values: list[Values], player: int) -> Values:
    """Return the result of the best move of `player`, on each of many boards.

    `values` contains the results of all moves: one array for each move. `player` is 1 or -1.
    """
    return reduce(np.maximum if player > 0 else np.minimum, values)


def any_move(_weights: Weights, _first: int, _second: int, _cell: int) -> bool:
    """Return True for every move: the rule of a solver that tries all moves."""
    return True


@dataclass(frozen=True)
class GameTreeSolver:
    """A solver of 3x3 boards that tries all games. It is correct unless a part is replaced to model a common mistake.

    The parts are:

    - `line`: a function that returns the winner by a completed line: 1, -1, or 0 if there is no line.
    - `margin`: a function that returns the first player's sum minus the second's on a full board.
    - `key`: a function that returns the key of a position in the table of solved positions.
    - `choose`: a function that selects the best of the values after each move, for the side to move.
    - `line_decides`: True if a completed line wins. Otherwise a line ends the game, and the sums decide.
    - `allowed`: a function that returns True if the solver considers a move: one truth value, or one for each board.
    - `plies`: the number of moves after which a game without a line ends.
    """

    line: Callable[[int, int], int] = line_winner()
    margin: Callable[[Weights, int, int], NDArray[Any]] = margin
    key: Callable[[int, int], Hashable] = lambda first, second: (first, second)
    choose: Callable[[list[Values], int], Values] = choose_best
    line_decides: bool = True
    allowed: Callable[[Weights, int, int, int], bool | NDArray[np.bool_]] = any_move
    plies: int = 9

    def __call__(self, weights: Weights, tie: Tie | None) -> Values:
        """Return the winner of each board as this solver computes it, with its mistake if it has one.

        The winner is 1 for the first player, -1 for the second, and 0 for a draw. If `tie` is None, the second player
        wins instead of a draw.
        """
        table: dict[Hashable, Values] = {}
        equal = tie.player or 0 if tie else 0

        def value(first: int, second: int, player: int) -> Values:
            key = self.key(first, second)
            if key not in table:
                table[key] = found(first, second, player)
            return table[key]

        def found(first: int, second: int, player: int) -> Values:
            winner = self.line(first, second)
            if winner and self.line_decides:
                return np.full(weights.shape[1], winner, dtype=np.int8)
            if winner or (first | second).bit_count() == self.plies:
                signs = np.sign(self.margin(weights, first, second)).astype(np.int8)
                return np.where(signs == 0, np.int8(equal), signs)
            values = []
            for cell in cells_of(_FULL & ~(first | second)):
                allowed = self.allowed(weights, first, second, cell)
                if allowed is False:
                    continue
                taken = 1 << cell
                reached = value(first | taken, second, -1) if player > 0 else value(first, second | taken, 1)
                values.append(reached if allowed is True else np.where(allowed, reached, np.int8(-player)))
            return self.choose(values, player)

        result = value(0, 0, 1)
        return result if tie else np.where(result == 0, np.int8(-1), result)


def greedy(sees_lines: bool) -> Model:
    """Return a deliberately wrong solver: it plays a game in which both players always take the heaviest empty cell.

    With `sees_lines`, a player who can complete a line or block one does that instead.
    """

    def play(weights: Weights, tie: Tie | None) -> Values:
        return np.array([_play_greedily(column, sees_lines, tie) for column in weights.T.tolist()], dtype=np.int8)

    return play


def _play_greedily(weights: list[int], sees_lines: bool, tie: Tie | None) -> int:
    taken = [0, 0]
    for ply in range(9):
        own, other = taken[ply % 2], taken[1 - ply % 2]

        def rank(cell: int, own: int = own, other: int = other) -> tuple[bool, bool, int]:
            completes, stops = has_line(own | 1 << cell), has_line(other | 1 << cell)
            return sees_lines and completes, sees_lines and stops, weights[cell]

        taken[ply % 2] |= 1 << max(cells_of(_FULL & ~(own | other)), key=rank)
        if has_line(taken[ply % 2]):
            return 1 - 2 * (ply % 2)
    difference = sum(weights[cell] for cell in cells_of(taken[0])) - sum(weights[cell] for cell in cells_of(taken[1]))
    equal = (tie.player or 0) if tie else -1
    return (difference > 0) - (difference < 0) or equal
