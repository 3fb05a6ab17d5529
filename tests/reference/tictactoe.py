"""Reference implementation of weighted tic-tac-toe by full enumeration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


def has_run(places: set[tuple[int, int]], length: int) -> bool:
    """Return True if `length` of these (row, column) places form a line."""
    return any(
        all((row + step * down, column + step * right) in places for step in range(length))
        for row, column in places
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def plain_margin(weights: Sequence[Sequence[int]], length: int = 3) -> float:
    """Return the first player's margin under best play by full enumeration; infinite for a line."""
    places = [(row, column) for row in range(len(weights)) for column in range(len(weights[0]))]

    @cache
    def value(taken: frozenset[tuple[int, int, int]]) -> float:
        turn = len(taken) % 2
        for player in (0, 1):
            if has_run({(row, column) for row, column, who in taken if who == player}, length):
                return math.inf if player == 0 else -math.inf
        free = [place for place in places if not taken & {(*place, 0), (*place, 1)}]
        if not free:
            return sum(-weights[row][column] if who else weights[row][column] for row, column, who in taken)
        after = [value(taken | {(*place, turn)}) for place in free]
        return min(after) if turn else max(after)

    margin: float = value(frozenset())
    return margin


_ROWS = ("012", "345", "678", "036", "147", "258", "048", "246")


def plain_winners(boards: Sequence[Sequence[int]]) -> list[int]:
    """Return the sign of the winner of each 3x3 board by backward induction over all 5,478 positions.

    Each position is evaluated on all boards at once. Weights up to 10^17 have exact sums.
    """
    weights = np.asarray(boards, np.int64).reshape(-1, 9)
    values: list[NDArray[np.int8]] = []
    for node in _tree():
        if isinstance(node, int):
            values.append(np.full(len(weights), node, np.int8))
        elif isinstance(node, str):
            values.append(np.sign(weights @ [1 if mark == "X" else -1 for mark in node]).astype(np.int8))
        else:
            choose, after = node
            values.append(choose.reduce([values[index] for index in after]))
    found: list[int] = values[-1].tolist()
    return found


@cache
def _tree() -> tuple[Any, ...]:
    """Return the positions as nodes, last moves first.

    A node is the sign of the winner by a line, a full board as text, or (maximum or minimum, numbers of the next
    nodes).
    """
    layers = [{"." * 9}]
    for number in range(9):
        going = [position for position in layers[-1] if not _line_of(position)]
        layers.append({after for position in going for after in _after(position, "XO"[number % 2])})
    order = [position for layer in reversed(layers) for position in layer]
    index = {position: number for number, position in enumerate(order)}
    nodes: list[Any] = []
    for position in order:
        mark = "XO"[position.count(".") % 2 == 0]
        if line := _line_of(position):
            nodes.append(1 if line == "X" else -1)
        elif "." not in position:
            nodes.append(position)
        else:
            nodes.append(
                (np.maximum if mark == "X" else np.minimum, [index[after] for after in _after(position, mark)])
            )
    return tuple(nodes)


def _line_of(position: str) -> str:
    return next((mark for mark in "XO" for row in _ROWS if all(position[int(c)] == mark for c in row)), "")


def _after(position: str, mark: str) -> list[str]:
    return [position[:i] + mark + position[i + 1 :] for i, c in enumerate(position) if c == "."]
