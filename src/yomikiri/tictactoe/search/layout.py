"""The form in which the search uses a position: cells ranked by weight, and the lines that are still open.

The *rank* of a cell is its position in the order of weights, from 0 for the heaviest cell. A line is *open* to a side
that can still complete it. Lines have indices in a fixed order. Sets of cells and of lines are bit masks. The rest of
the game depends only on three sets, `empty`, `mine` and `theirs`, whatever the moves so far were.

An example with two in a row: X took the cell of weight 5, O took the cell of weight 1, and X is to move.

    weights   5 1 3    ranks   0 4 2    empty  = {1, 2, 3, 5}, the ranks of the cells of weight 4, 3, 2 and 0
              2 4 0            3 1 5    mine   = the lines without a cell of O
                                        theirs = the lines without a cell of X
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from yomikiri.tictactoe.board import Board, cells_of, lines_of, set_of
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.search.kernels.sets import Counts, State, fewer

WORD = 64  # Number of bits of a machine word. A set of cells or lines is a bit mask with one bit per member.


class Layout:
    """A board as the search uses it: its cells are identified by rank, from 0 for the heaviest cell.

    `weights[r]` is the weight of the cell with rank r, and `cells[r]` is the index of this cell on the board.
    `ranks[c]` is the rank of the cell with index c. With `weightless`, all weights are 0.
    """

    def __init__(self, board: Board, *, weightless: bool = False) -> None:
        self.board = board
        weights = (0,) * board.size if weightless else board.flat
        lines, through, starts, ends, most_lines_first = _geometry(board.rows, board.columns, board.line)
        # Among cells of equal weight, put cells on more lines first. A move on such a cell more often makes moves on
        # later cells superfluous (rule DOMINANCE).
        self.cells = tuple(sorted(most_lines_first, key=weights.__getitem__, reverse=True))
        self.ranks = tuple(sorted(range(board.size), key=self.cells.__getitem__))
        self.weights = tuple([weights[cell] for cell in self.cells])
        bits = [1 << rank for rank in self.ranks]
        self.lines = tuple([sum(map(bits.__getitem__, cells)) for cells in lines])
        """For each line, the set of its cells, as a bit mask of ranks."""
        self.through = tuple([through[cell] for cell in self.cells])
        """For each rank, the set of lines through the cell, as a bit mask of the indices of lines."""
        self.starts = tuple([starts[cell] for cell in self.cells])
        self.ends = tuple([ends[cell] for cell in self.cells])
        """For each rank, two sets of lines (`starts` and `ends`), with which `sets.tightest` finds redundant lines."""
        self.every_line = (1 << len(self.lines)) - 1
        self.most = sum(map(abs, self.weights))
        """The sum of the absolute weights, which no difference of the players' sums exceeds."""
        self.won = 7 * self.most + 8
        """The least number of points that a completed line is worth to the search, far more than any sum of weights."""

    @property
    def lightness(self) -> list[float]:
        """The lightness of each cell by rank, linear in its weight: from 0 for the heaviest cell to 1 for the lightest.

        Python can divide integers that are too large for floats, so weights of any length are possible.
        """
        heaviest, spread = self.weights[0], self.weights[0] - self.weights[-1]
        return [(heaviest - weight) / spread if spread else 0.0 for weight in self.weights]

    def greedy(self, empty: int) -> int:
        """Return the margin of the side to move under greedy play: both sides always take the heaviest cell.

        `empty` is the set of empty cells, as a bit mask of ranks. Lines do not count.
        """
        whole = empty == self.board.full
        weights = self.weights if whole else tuple([self.weights[rank] for rank in cells_of(empty)])
        return sum(weights[::2]) - sum(weights[1::2])

    def counts(self, empty: int) -> Counts:
        """Return the number of empty cells of every line, as bit planes: plane i contains bit i of every number.

        `empty` is the set of empty cells, as a bit mask in which bit r represents the cell with rank r (0 the
        heaviest).
        """
        length, every = self.board.line, self.every_line
        counts = Counts(*(every * (length >> bit & 1) for bit in range(4)))
        for rank in cells_of(self.board.full & ~empty):
            counts = fewer(counts, self.through[rank])
        return counts

    def tightest(self, state: State) -> State:
        """Return the state (the empty cells, and the lines of each side) without redundant lines: rule REDUNDANCY.

        A line is redundant if its empty cells include all empty cells of another line of the same side. A line is only
        compared with its predecessor, if it has one: a line that shares all cells but one (see `arrays.Tables`).
        """
        if state.empty == self.board.full:
            return state
        starts = ends = 0
        for rank in cells_of(self.board.full & ~state.empty):
            starts |= self.starts[rank]
            ends |= self.ends[rank]

        def of_a_side(lines: int) -> int:
            # First remove each line that is redundant because of its predecessor. Then remove each predecessor that is
            # redundant because of a line that remains. In a single step, two lines with the same empty cells would
            # remove each other.
            lines &= ~(starts & lines << 1)
            return lines & ~((lines & ends) >> 1)

        return State(state.empty, of_a_side(state.mine), of_a_side(state.theirs))

    def by_rank(self, cells: int) -> int:
        """Convert a set of the board's cells from indices to ranks. Both sets are bit masks of cells.

        The *rank* of a cell is its position in the order of weights, from 0 for the heaviest cell.
        """
        return cells if cells == self.board.full else set_of(self.ranks[cell] for cell in cells_of(cells))

    def state(self, position: Position) -> State:
        """Return the state of `position`: its empty cells, and the lines that each side can still complete."""
        mover = position.to_move
        return State(
            self.by_rank(position.empty),
            self._open(position.taken_by(mover.other)),
            self._open(position.taken_by(mover)),
        )

    def _open(self, taken: int) -> int:
        """Return the lines that one side can still complete: those without a cell of the opponent, as a bit mask.

        `taken` is the set of the opponent's cells, as a bit mask of cells.
        """
        closed = 0
        for cell in cells_of(taken):
            closed |= self.through[self.ranks[cell]]
        return self.every_line & ~closed


@cache
def _geometry(
    rows: int, columns: int, line: int
) -> tuple[list[tuple[int, ...]], list[int], list[int], list[int], list[int]]:
    """Return five tables about the cells and lines of a board, which depend on its shape and on the length of a line.

    Line i - 1 is the *predecessor* of line i if the two lines share all cells but one: usually line i is then line
    i - 1, shifted by one cell.

    - The cells of each line, by the index of the line.
    - For each cell, the set of lines through it, as a bit mask of lines.
    - `starts`: for each cell, the set of lines that lack the cell although their predecessor contains it.
    - `ends`: for each cell, the set of lines that contain the cell although their predecessor lacks it.
    - The cells in order, those on more lines first.
    """
    lines = sorted([tuple(cells_of(each)) for each in lines_of(rows, columns, line)], key=_along)
    size = range(rows * columns)
    through = [set_of(number for number, cells in enumerate(lines) if cell in cells) for cell in size]
    starts, ends = [0 for _ in size], [0 for _ in size]
    for number, (one, other) in enumerate(pairwise(map(set, lines)), start=1):
        if len(one - other) == 1:
            starts[(one - other).pop()] |= 1 << number
            ends[(other - one).pop()] |= 1 << number
    return lines, through, starts, ends, sorted(size, key=lambda cell: -through[cell].bit_count())


def _along(cells: tuple[int, ...]) -> tuple[int, ...]:
    step = cells[1] - cells[0] if len(cells) > 1 else 1
    return step, cells[0] % step, cells[0]
