"""Generator of 3x3 boards: random boards with given properties, and a board for each realisable sign vector.

A *full board* gives five cells to the first player and four to the second, and has no line. There are sixteen. The
*sign vector* of a board says which player has the larger sum on each of them (see `signs`). It is *realisable* if some
weights have it. Of the 65,536 sign vectors, 17,600 are realisable. The others are impossible because of pairs of full
boards such as these. Count how often each cell belongs to the first player (X) on the two boards of a pair. The counts
of the left pair are the same as those of the right pair:

    X X O   X O X     X O X   X X O
    O X X + X O O  =  X X O + O O X
    X O O   O X X     O X O   X O X

The *margin* on a full board is the first player's sum minus the second's. So the margins of the left pair have the same
sum as those of the right pair, for all weights. Therefore no player can be ahead on both boards of one pair and behind
on both boards of the other. Two such pairs are an *exchange*. There are 14 exchanges, and 17,600 sign vectors
contradict none of them.

For each of these vectors, the perceptron rule finds weights. While the margin of some full board has the wrong sign,
each weight is changed by the same amount in the direction that corrects this margin: up for the cells of the player who
should be ahead, down for the cells of the other. The rule terminates if and only if such weights exist. It terminates
for all 17,600 vectors, so the exchanges are the only conditions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement

from yomikiri.common.enums import Named, flag, shown, whole
from yomikiri.common.errors import N_, BoardError, InputError
from yomikiri.common.lazy import NDArray, np
from yomikiri.tictactoe.batch import BOUND, winners
from yomikiri.tictactoe.board import Board, set_of
from yomikiri.tictactoe.signs import START, first_wins, full_boards

# _BATCH_SIZE: number of random boards that are generated at once, as one array.
# _MOST_BATCHES: number of such arrays in a row without a suitable board after which the generator raises an error.
_BATCH_SIZE = 1 << 16
_MOST_BATCHES = 32
MOST_SEED = (1 << 64) - 1  # largest seed of the random boards


@cache
def cell_owners() -> NDArray[np.int64]:
    """Return the owner of each cell on the sixteen full 3x3 boards without a line: 1 or -1, shape (16, 9), read-only.

    The product of a row and the nine weights is the first player's sum minus the second's on this full board.
    """
    owners = np.array([[1 if first >> cell & 1 else -1 for cell in range(9)] for first in full_boards()])
    owners.flags.writeable = False
    return owners


def exchanges() -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
    """Return the 14 *exchanges*. Each consists of two pairs of full 3x3 boards, given by their indices.

    A full board has no empty cell and no line. Its index is that in `signs.full_boards()`. The *margin* on it is the
    first player's sum minus the second's. For all weights, the two margins of the first pair have the same sum as those
    of the second pair. The reason is that both pairs give each cell to the first player equally often.
    """
    pairs_by_sum = defaultdict(list)
    for a, b in combinations(range(len(cell_owners())), 2):
        pairs_by_sum[tuple(cell_owners()[a] + cell_owners()[b])].append((a, b))
    return tuple(pair for pairs in pairs_by_sum.values() for pair in combinations(pairs, 2))


def sign_vectors(boards: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sign vector of each 3x3 board as an integer: bit i is 1 if the first player is ahead on full board i.

    `boards` contains the weights, shape (n, 9). The result has shape (n,). Full board i has index i in
    `signs.full_boards()`. It has no empty cell and no line. The first player is ahead if it has the larger sum.
    """
    ahead = boards @ cell_owners().T > 0
    return ahead @ (1 << np.arange(len(cell_owners())))


def realisable_vectors() -> NDArray[np.int64]:
    """Return the sign vectors of all boards without equal sums, in increasing order: shape (17600,).

    A *full board* gives five cells to the first player and four to the second, and contains no line. A *sign vector*
    has one bit for each full board: 1 if the first player has the larger sum. The result contains the vectors that obey
    the 14 rules of `exchanges`. Each rule is about two pairs of full boards: the first player is never ahead on both
    boards of one pair and behind on both boards of the other.
    """
    vectors = np.arange(1 << len(cell_owners()))
    for (a, b), (c, d) in exchanges():
        ahead = vectors >> a & vectors >> b & ~(vectors >> c | vectors >> d)
        behind = vectors >> c & vectors >> d & ~(vectors >> a | vectors >> b)
        vectors = vectors[(ahead | behind) & 1 == 0]
    return vectors


@cache
def realisable_boards() -> NDArray[np.int64]:
    """Return a 3x3 board for each realisable sign vector, as an array of weights: shape (17600, 9), read-only.

    There are sixteen full boards, without an empty cell and without a line. A *sign vector* says which player has the
    larger sum on each full board. It is *realisable* if some weights have it. Weights are small, and the sum of each
    board is odd. The first call takes a second or two. The result is cached.
    """
    # Convert to floats, because numpy multiplies matrices of floats faster than matrices of integers.
    each = cell_owners().astype(np.float64)
    wanted = np.where(realisable_vectors()[:, None] >> np.arange(len(each)) & 1, 1.0, -1.0)
    weights = np.zeros((len(wanted), 9))
    # Begin with an odd sum of weights, because all later steps keep the sum odd, and then no margin can be 0.
    weights[:, 4] = 1
    # Row indices of the boards not yet right: on some full board, the player with the larger sum is not the wanted one.
    rows = np.arange(len(wanted))
    while len(rows):
        margins = weights[rows] @ each.T * wanted[rows]
        worst = margins.argmin(axis=1)
        wrong = margins[np.arange(len(rows)), worst] < 0
        rows, worst = rows[wrong], worst[wrong]
        weights[rows] += 2 * each[worst] * wanted[rows, worst][:, None]
    boards = _shrunk(weights, each).astype(np.int64)
    boards.flags.writeable = False
    return boards


def _shrunk(boards: NDArray[np.float64], each: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the boards with weights nearer to zero, such that the same player has the larger sum on each full board.

    A full board has no empty cell and no line. `each` contains the owner of each cell on the sixteen full boards, 1 or
    -1. Each step changes one weight by two, or two weights by one.
    """
    steps = [np.bincount(pair, minlength=9) for pair in combinations_with_replacement(range(9), 2)]
    shrunk = boards.copy()
    # Row indices of the boards whose weights may become smaller still. Each step moves one or two weights towards zero.
    rows = np.arange(len(boards))
    while len(rows):
        before = shrunk[rows]
        after = before.copy()
        signs = np.sign(before @ each.T)
        for step in steps:
            smaller = after - step * np.sign(after)
            valid = (np.abs(after) >= step).all(axis=1) & (np.sign(smaller @ each.T) == signs).all(axis=1)
            after[valid] = smaller[valid]
        shrunk[rows] = after
        rows = rows[(after != before).any(axis=1)]
    return shrunk


class Opening(Named):
    """Kind of cell for the first move of a game on a 3x3 board: a corner, an edge, or the centre."""

    CORNER = "corner"
    EDGE = "edge"
    CENTRE = "centre"

    @property
    def cells(self) -> int:
        """The cells of a 3x3 board that belong to this kind (corner, edge or centre), as a bit mask of cells."""
        return {Opening.CORNER: set_of((0, 2, 6, 8)), Opening.EDGE: set_of((1, 3, 5, 7)), Opening.CENTRE: set_of((4,))}[
            self
        ]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The required properties of a random 3x3 board.

    - `low` and `high`: the range of the weights.
    - `winner`: the winner under best play: 1 for the first player, -1 for the second, 0 for a draw, None if any will
      do.
    - `opening`: where the winning first moves are: "corner", "edge" or "centre". The first player wins with some first
      move of this kind, and with no first move of another kind. None if any will do.
    - `unique`: True if exactly one first move must win for the first player.

    Raises an `InputError` for invalid properties.
    """

    low: int = -9
    high: int = 9
    winner: int | None = None
    opening: Opening | None = None
    unique: bool = False

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            object.__setattr__(self, name, whole(getattr(self, name), name, -BOUND, BOUND))
        if self.winner is not None:
            object.__setattr__(self, "winner", whole(self.winner, "winner", -1, 1))
        if self.opening is not None:
            object.__setattr__(self, "opening", Opening.read(self.opening, "opening"))
        flag(self.unique, "unique")
        if self.low > self.high:
            raise BoardError(
                N_("weights from {low} to {high}: the lower limit is greater than the upper"),
                low=self.low,
                high=self.high,
            )


def generate(wanted: Wanted, seed: int) -> Iterator[Board]:
    """Yield random 3x3 boards with the properties `wanted`, without end, and the same boards for the same seed.

    The sum of the nine weights is odd, so that there are no ties, unless a draw is requested. Raises an `InputError` at
    once if no board has winning first moves as requested (`opening` and `unique`). Raises one later if about two
    million random boards in a row do not have the properties.

    >>> str(next(generate(Wanted(winner=1), seed=1)))
    '-1,0,5/9,-9,-7/6,9,-5'
    """
    if not isinstance(wanted, Wanted):
        raise InputError(N_("wanted={given}: expected a Wanted, such as Wanted(winner=1)"), given=shown(wanted))
    seed = whole(seed, "seed", 0, MOST_SEED)
    if (wanted.opening or wanted.unique) and not _opens(winning_openings()[realisable_vectors()], wanted).any():
        raise BoardError(N_("no board can have all these properties: relax one"))
    return _generated(wanted, np.random.default_rng(seed))


def _generated(wanted: Wanted, random: np.random.Generator) -> Iterator[Board]:
    vain = 0
    while vain < _MOST_BATCHES:
        drawn = random.integers(wanted.low, wanted.high, (_BATCH_SIZE, 9), dtype=np.int64, endpoint=True)
        kept = drawn[_matches(drawn, wanted)]
        vain = 0 if len(kept) else vain + 1
        yield from map(board_of, kept)
    raise BoardError(
        N_("{count} random boards gave none with these properties: relax a property or widen the range of weights"),
        count=_MOST_BATCHES * _BATCH_SIZE,
    )


def _matches(boards: NDArray[np.int64], wanted: Wanted) -> NDArray[np.bool_]:
    """Return n truth values for n boards, shape (n, 9): True if a board has the properties `wanted`."""
    matches = np.ones(len(boards), dtype=np.bool_)
    if wanted.winner != 0:
        matches &= boards.sum(axis=1) % 2 == 1
    if wanted.winner is not None:
        matches &= winners(boards) == wanted.winner
    if wanted.opening is not None or wanted.unique:
        matches &= _opens(winning_openings()[sign_vectors(boards)], wanted)
    return matches


def _opens(openings: NDArray[np.int64], wanted: Wanted) -> NDArray[np.bool_]:
    """Return n truth values: True if the winning first moves of a board are as `wanted` requires.

    `openings` contains the set of winning first moves of each board, as a bit mask of cells: shape (n,). A board needs
    at least one winning first move. All of them must be of the kind `wanted.opening`, if that is given. There must be
    only one if `wanted.unique` is True.
    """
    opens: NDArray[np.bool_] = openings != 0
    if wanted.opening is not None:
        opens &= openings & ~wanted.opening.cells == 0
    if wanted.unique:
        opens &= openings & (openings - 1) == 0
    return opens


@cache
def winning_openings() -> NDArray[np.int64]:
    """Return a table of the winning first moves on 3x3 boards: shape (65536,).

    There are sixteen *full boards*: ways to fill the board that contain no line. The index of the table has one bit for
    each of them: 1 if the first player has the larger sum on this full board. These bits decide the game. The element
    at the index is the set of the winning first moves, as a bit mask of cells.
    """
    openings = np.zeros(1 << 16, dtype=np.int64)
    for cell in range(9):
        function = first_wins(START.play(cell)).to_bytes(1 << 13, "little")
        wins = np.unpackbits(np.frombuffer(function, dtype=np.uint8), bitorder="little")
        openings |= wins.astype(np.int64) << cell
    return openings


def board_of(weights: NDArray[np.int64]) -> Board:
    """Return the board with these nine weights: shape (9,), row by row."""
    return Board(weights.reshape(3, 3).tolist())


COMPLETE = 17_600
"""The number of boards in `complete_set`."""


def complete_set() -> Iterator[Board]:
    """Yield 17,600 boards: one for each realisable sign vector.

    A *sign vector* says which player has the larger sum on each of the sixteen full boards (boards without an empty
    cell and without a line). It is *realisable* if some weights have it. The weights are small, and their sum is odd.
    """
    return map(board_of, realisable_boards())
