"""Which of the 65,536 sign vectors of `signs` some weights really give: 17,600 of them, with a board for each.

The sixteen leads are linear in the nine weights: lead i = h_i . w, with h_i holding 1 where the first player sits and
-1 elsewhere. Their zeros are sixteen planes through the origin of a space of nine dimensions, and the sign vectors
without a tie are the regions between the planes. Two independent ways meet here:

- How many regions there are follows from deletion and restriction, in integers (`region_count`).
- A board in every region is found by the perceptron rule: while some lead has the wrong sign, add its plane's normal
  with the wanted sign. This ends if and only if the region exists, so the count above says when all are found.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import gcd

import numpy as np
from numpy.typing import NDArray

from yomikiri.tictactoe.signs import full_boards

Normal = tuple[int, ...]


def normals() -> tuple[Normal, ...]:
    """The normals h_i of the sixteen planes."""
    return tuple(tuple(1 if first >> cell & 1 else -1 for cell in range(9)) for first in full_boards())


@cache
def region_count(planes: frozenset[Normal]) -> int:
    """Into how many regions planes through the origin divide space; no two of them may be the same plane.

    Zaslavsky: a plane H, put among the others, cuts as many regions in two as the others' traces on H make there. So
    there are as many regions as without H, and as many again as on H. A trace is written by solving h . w = 0 for
    the first weight that H uses and leaving that weight out.
    """
    if not planes:
        return 1
    removed = min(planes)
    others = planes - {removed}
    pivot = next(i for i, coefficient in enumerate(removed) if coefficient)
    traces = {
        _same_plane(
            tuple(removed[pivot] * other[i] - other[pivot] * removed[i] for i in range(len(removed)) if i != pivot)
        )
        for other in others
    }
    return region_count(others) + region_count(frozenset(traces))


def _same_plane(normal: Normal) -> Normal:
    """One normal for all that stand for the same plane: no common divisor, the first coefficient positive."""
    divisor = gcd(*normal)
    first = next(coefficient for coefficient in normal if coefficient)
    return tuple(coefficient // (divisor if first > 0 else -divisor) for coefficient in normal)


@cache
def realisable_count() -> int:
    """How many sign vectors without a tie some weights give: 17,600."""
    return region_count(frozenset(map(_same_plane, normals())))


@cache
def realisable_boards() -> NDArray[np.int64]:
    """A board of small weights and odd sum for each realisable sign vector, in the order of these: shape (17600, 9).

    Read-only; found once in a process, in a few seconds.
    """
    planes = np.array(normals(), dtype=np.float64)
    # A board and its negative have opposite signs, so those with the last sign positive are enough.
    half = 1 << (len(planes) - 1)
    wanted = np.where(np.arange(half, 2 * half)[:, None] >> np.arange(len(planes)) & 1, 1.0, -1.0)
    weights = np.zeros((half, 9))
    weights[:, 4] = 1  # an odd sum, and it stays odd; so no lead is ever zero
    found = []
    count = 0
    while 2 * count < realisable_count():
        leads = weights @ planes.T * wanted
        worst = leads.argmin(axis=1)
        wrong = leads[np.arange(len(leads)), worst] < 0
        found.append(weights[~wrong])
        count += len(found[-1])
        weights, wanted, worst = weights[wrong], wanted[wrong], worst[wrong]
        weights += 2 * planes[worst] * wanted[np.arange(len(worst)), worst][:, None]
    positive = _shrunk(np.concatenate(found), planes).astype(np.int64)
    boards = np.concatenate((positive, -positive))
    boards = boards[np.argsort(sign_vectors(boards))]
    boards.flags.writeable = False
    return boards


def _shrunk(boards: NDArray[np.float64], planes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The boards with their weights nearer to zero, as far as no sign changes: one by two, or two by one each."""
    steps = [np.bincount(pair, minlength=9) for pair in combinations_with_replacement(range(9), 2)]
    shrunk = boards.copy()
    rows = np.arange(len(boards))  # those that the last round still changed
    while len(rows):
        before = shrunk[rows]
        after = before.copy()
        signs = np.sign(before @ planes.T)
        for step in steps:
            smaller = after - step * np.sign(after)
            valid = (np.abs(after) >= step).all(axis=1) & (np.sign(smaller @ planes.T) == signs).all(axis=1)
            after[valid] = smaller[valid]
        shrunk[rows] = after
        rows = rows[(after != before).any(axis=1)]
    return shrunk


def sign_vectors(boards: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sign vector of each board, shape (n, 9): bit i is 1 where the first player is ahead on full board i."""
    leads = boards @ np.array(normals(), dtype=np.int64).T
    return (leads > 0) @ (1 << np.arange(leads.shape[1]))
