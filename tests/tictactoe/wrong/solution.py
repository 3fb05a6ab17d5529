"""A contest solution without a mistake; `mutants.py` makes mistakes in it. The second player wins equal sums."""

from __future__ import annotations

import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def solve(weights: list[int]) -> str:
    cells = [0] * 9
    memo: dict[object, int] = {}

    def has_line(player: int) -> bool:
        return any(cells[a] == cells[b] == cells[c] == player for a, b, c in LINES)

    def score() -> int:
        first = sum(weights[i] for i in range(9) if cells[i] == 1)
        second = sum(weights[i] for i in range(9) if cells[i] == -1)
        return 1 if first > second else -1

    def value(player: int, turn: int) -> int:
        key = tuple(cells)
        if key in memo:
            return memo[key]
        if has_line(-player):
            result = -player
        elif turn == 9:
            result = score()
        else:
            result = -player
            for i in range(9):
                if cells[i]:
                    continue
                cells[i] = player
                if value(-player, turn + 1) == player:
                    result = player
                cells[i] = 0
                if result == player:
                    break
        memo[key] = result
        return result

    return "Takahashi" if value(1, 0) == 1 else "Aoki"


if __name__ == "__main__":
    print(solve([int(word) for word in sys.stdin.read().split()]))
