"""Comparison of the search with plain minimax: `python -m tests.tictactoe.search.agreement --boards 40`.

The oracle enumerates every game and shares no code with the search. On small boards it checks a plain alpha-beta (the
search with every rule disabled), which is then the reference on larger boards.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from math import inf, isinf
from random import Random

from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Position
from yomikiri.tictactoe.search.layout import Layout
from yomikiri.tictactoe.search.margins import MarginSearch
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule
from yomikiri.tictactoe.search.solver import PLAIN, machine, word_count

NO_RULE = Rule(0)
KINDS = 9


def shapes(most_cells: int) -> list[tuple[int, int, int]]:
    """Return every (rows, columns, line) up to `most_cells` cells with rows <= columns and line <= columns."""
    return [
        (rows, columns, line)
        for rows in range(1, 9)
        for columns in range(rows, 9)
        for line in range(1, columns + 1)
        if rows * columns <= most_cells
    ]


def some_weights(random: Random, cells: int, kind: int) -> list[int]:
    """Return random weights of one of nine kinds. Most kinds have ties or negative weights, so every result occurs."""
    large = 10**9
    three = [random.randint(-3, 3) for _ in range(3)]
    picks: tuple[Callable[[], int], ...] = (
        lambda: random.randint(-9, 9),
        lambda: random.randint(-large, large),
        lambda: random.randint(-large, -1),
        lambda: random.randint(1, large),
        lambda: random.choice(three),
        lambda: random.randint(-9, -1),
        lambda: random.randint(-1, 1),
        lambda: random.randint(-2, 0),
        lambda: random.randint(-100, 0) - 10**20 * (random.random() < 0.25),
    )
    return [picks[kind]() for _ in range(cells)]


def some_boards(rows: int, columns: int, line: int, count: int, seed: int) -> Iterator[Board]:
    """Yield boards that cycle through all kinds of weights."""
    random = Random(f"{rows} {columns} {line} {seed}")
    for number in range(count):
        weights = some_weights(random, rows * columns, number % KINDS)
        yield Board((weights[row * columns : (row + 1) * columns] for row in range(rows)), line)


def some_position(board: Board, random: Random) -> Position:
    """Return a random unfinished position."""
    position = Position(board)
    for _ in range(random.randint(0, board.size - 1)):
        after = position.play(random.choice(position.moves))
        position = position if after.outcome else after
    return position


def oracle(position: Position) -> int | float:
    """Return the margin of the side to move by full enumeration; infinite for a line."""
    board, weights = position.board, position.board.flat
    runs = [set(run) for run in _runs(board.rows, board.columns, board.line)]

    @cache
    def value(own: frozenset[int], other: frozenset[int]) -> int | float:
        if any(run <= other for run in runs):
            return -inf
        if len(own) + len(other) == board.size:
            return sum(weights[cell] for cell in own) - sum(weights[cell] for cell in other)
        return max(-value(other, own | {cell}) for cell in range(board.size) if cell not in own and cell not in other)

    def cells(taken: int) -> frozenset[int]:
        return frozenset(cell for cell in range(board.size) if taken >> cell & 1)

    mover = position.to_move
    return value(cells(position.taken_by(mover)), cells(position.taken_by(mover.other)))


def _runs(rows: int, columns: int, line: int) -> Iterator[list[int]]:
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                run = [(row + down * step, column + right * step) for step in range(line)]
                if all(0 <= y < rows and 0 <= x < columns for y, x in run):
                    yield [y * columns + x for y, x in run]


def margin(position: Position, rules: Rule = EVERY_RULE, *, plainly: bool = False) -> int | float:
    """Return the margin by the search; in machine code if the board fits and `plainly` is False."""
    size = None if plainly else word_count(Layout(position.board))
    code = machine(size) if size else PLAIN
    bounds = MarginSearch(position.board, rules=rules, code=code).margin(position)
    assert bounds.exact
    return bounds.lower


def main() -> None:
    """Compare boards of every shape with all rules, and with each rule disabled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=40, help="boards of every shape")
    parser.add_argument("--cells", type=int, default=12, help="the largest shapes")
    parser.add_argument("--oracle-cells", type=int, default=9, help="the largest shapes that the oracle plays out")
    asked = parser.parse_args()
    random = Random(1)
    verdicts: Counter[str] = Counter()
    for shape in shapes(asked.cells):
        for board in some_boards(*shape, asked.boards, seed=1):
            position = random.choice((Position(board), some_position(board, random)))
            plain = margin(position, NO_RULE)
            if board.size <= asked.oracle_cells:
                assert plain == oracle(position), (board, position)
            assert margin(position, plainly=True) == plain, (board, position)
            for rules in (EVERY_RULE, *(EVERY_RULE & ~rule for rule in Rule), *Rule):
                assert margin(position, rules) == plain, (board, position, rules)
            verdict = "won" if plain > 0 else "lost" if plain else "tied"
            verdicts[verdict + (" by a line" if isinf(plain) else "")] += 1
    print(
        f"{verdicts.total()} positions agree:", ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())
    )


if __name__ == "__main__":
    main()
