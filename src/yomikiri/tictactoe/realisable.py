"""Which of the 65,536 sign vectors of `signs` some weights really give: 17,600 of them, with a board for each.

Two full boards may hold together the same cells as two others, each as often:

    X X O   X O X     X O X   X X O
    O X X + X O O  =  X X O + O O X
    X O O   O X X     O X O   X O X

Then their leads have the same sum, whatever the weights, so nobody is ahead on both boards of one side and behind on
both of the other. There are 14 such *exchanges*, and 17,600 sign vectors contradict none of them. For each of these the
perceptron rule finds weights: while some lead has the wrong sign, add that board's cells with the wanted sign. It ends
if and only if there are such weights, and it ends for all: so no other condition is missing.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from yomikiri.tictactoe.signs import full_boards


@cache
def sides() -> NDArray[np.int64]:
    """Who sits where on the full boards, 1 the first player and -1 the second: shape (16, 9), read-only.

    The first player's lead on a full board is its row times the weights.
    """
    sides = np.array([[1 if first >> cell & 1 else -1 for cell in range(9)] for first in full_boards()])
    sides.flags.writeable = False
    return sides


def exchanges() -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
    """Two pairs of full boards, given by their indices, that hold the same cells equally often: 14 times."""
    alike = defaultdict(list)
    for a, b in combinations(range(len(sides())), 2):
        alike[tuple(sides()[a] + sides()[b])].append((a, b))
    return tuple(pair for pairs in alike.values() for pair in combinations(pairs, 2))


def sign_vectors(boards: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sign vector of each board, shape (n, 9): bit i is 1 where the first player is ahead on full board i."""
    ahead = boards @ sides().T > 0
    return ahead @ (1 << np.arange(len(sides())))


def realisable_vectors() -> NDArray[np.int64]:
    """The sign vectors without a tie that contradict no exchange, in order: shape (17600,)."""
    vectors = np.arange(1 << len(sides()))
    for (a, b), (c, d) in exchanges():
        ahead = vectors >> a & vectors >> b & ~(vectors >> c | vectors >> d)
        behind = vectors >> c & vectors >> d & ~(vectors >> a | vectors >> b)
        vectors = vectors[(ahead | behind) & 1 == 0]
    return vectors


@cache
def realisable_boards() -> NDArray[np.int64]:
    """A board of small weights and odd sum for each realisable sign vector, in the order of these: shape (17600, 9).

    Read-only; found once in a process, in a second or two.
    """
    each = sides().astype(np.float64)  # small integers throughout; as floats they multiply faster
    wanted = np.where(realisable_vectors()[:, None] >> np.arange(len(each)) & 1, 1.0, -1.0)
    weights = np.zeros((len(wanted), 9))
    weights[:, 4] = 1  # an odd sum, and it stays odd; so no lead is ever zero
    rows = np.arange(len(wanted))  # those with a wrong sign
    while len(rows):
        leads = weights[rows] @ each.T * wanted[rows]
        worst = leads.argmin(axis=1)
        wrong = leads[np.arange(len(rows)), worst] < 0
        rows, worst = rows[wrong], worst[wrong]
        weights[rows] += 2 * each[worst] * wanted[rows, worst][:, None]
    boards = _shrunk(weights, each).astype(np.int64)
    boards.flags.writeable = False
    return boards


def _shrunk(boards: NDArray[np.float64], each: NDArray[np.float64]) -> NDArray[np.float64]:
    """The boards with their weights nearer to zero, as far as no sign changes: one by two, or two by one each."""
    steps = [np.bincount(pair, minlength=9) for pair in combinations_with_replacement(range(9), 2)]
    shrunk = boards.copy()
    rows = np.arange(len(boards))  # those that the last round still changed
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
