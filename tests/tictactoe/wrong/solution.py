"""A contest solution, right unless an argument names one of the faults that people make."""

from __future__ import annotations

import sys

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
if FAULT == "one diagonal":
    LINES.pop()
if FAULT == "no lines":
    LINES.clear()


def solve(weights: list[int]) -> str:
    memo: dict[object, int] = {}

    def score(cells: list[int]) -> int:
        total = sum(weight if mark == 1 else -weight for weight, mark in zip(weights, cells, strict=True))
        if FAULT == "overflow":
            total = (total + 2**31) % 2**32 - 2**31
        return total

    def wins(cells: list[int], mark: int) -> bool:
        return any(all(cells[i] == mark for i in line) for line in LINES)

    def value(cells: list[int], mover: int) -> int:
        key = tuple(map(bool, cells)) if FAULT == "memo without owners" else tuple(cells)
        if key in memo:
            return memo[key]
        if FAULT == "ninth move" and 0 not in cells:
            result = score(cells)
        elif wins(cells, -mover):
            result = -mover
        elif 0 not in cells:
            result = score(cells)
        else:
            after = [value([*cells[:i], mover, *cells[i + 1 :]], -mover) for i in range(9) if not cells[i]]
            result = max(after) if mover == 1 else min(after)
        result = (result > 0) - (result < 0)
        memo[key] = result
        return result

    if FAULT == "greedy":
        cells = [0] * 9
        for ply in range(9):
            mover = 1 if ply % 2 == 0 else -1
            cells[max((i for i in range(9) if not cells[i]), key=lambda i: weights[i])] = mover
            if wins(cells, mover):
                return "Takahashi" if mover == 1 else "Aoki"
        return "Takahashi" if score(cells) > 0 else "Aoki"
    winner = value([0] * 9, 1)
    if FAULT == "ties":
        return "Takahashi" if winner >= 0 else "Aoki"
    return "Takahashi" if winner > 0 else "Aoki"


if __name__ == "__main__":
    print(solve([int(word) for word in sys.stdin.read().split()]))
