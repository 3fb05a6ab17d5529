"""Time for boards beyond 3x3: the winner, the margin, and the full analysis.

    python benchmarks/tictactoe_mnk.py
    python benchmarks/tictactoe_mnk.py --beside "PROGRAM ARGUMENTS"
    python benchmarks/tictactoe_mnk.py --medium --boards 30 --beside "PROGRAM ARGUMENTS"
    python benchmarks/tictactoe_mnk.py --frontier --seconds 60
    python benchmarks/tictactoe_mnk.py --without --boards 20 --seconds 20

Boards are of five kinds in turn: weights of -9 to 9, of -10^9 to 10^9, all negative, all positive, of three values.
Times are CPU seconds. With `--beside`, another program reads a line `rows columns K w1 w2 ...` per board and answers
with a line that contains `cpu SECONDS` for the winner and, optionally, for the margin. Its answers are compared if they
contain `winner first|second|draw` and `margin NUMBER`. `--medium` measures the winner of boards of 5x5 and 5x6, after a
new process has solved enough boards to load the machine code. `--frontier` gives larger boards a limit of seconds, and
counts the certain results. `--without` turns off the pruning rules of the search one by one, with a limit of seconds
per board.
"""

from __future__ import annotations

import argparse
import platform
import re
import resource
import shlex
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from random import Random

from yomikiri.common.budget import Budget, Stopped
from yomikiri.tictactoe.advice import analyze
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Bounds, Position
from yomikiri.tictactoe.search.layout import Layout
from yomikiri.tictactoe.search.margins import MarginSearch
from yomikiri.tictactoe.search.rules import EVERY_RULE, Rule
from yomikiri.tictactoe.search.solver import loaded_machine

Shape = tuple[int, int, int]
WINNER: tuple[Shape, ...] = ((4, 4, 4), (5, 5, 4), (5, 5, 5), (5, 6, 5), (6, 6, 5), (6, 6, 6))
MEDIUM: tuple[Shape, ...] = ((5, 5, 5), (5, 6, 5), (5, 5, 4), (5, 6, 4))
MARGIN: tuple[Shape, ...] = ((4, 4, 4), (4, 5, 4), (5, 5, 5))
FRONTIER: tuple[Shape, ...] = (
    (6, 6, 6), (6, 6, 5), (6, 7, 6), (6, 7, 5), (7, 7, 7), (7, 7, 6), (7, 7, 5), (8, 8, 8), (8, 8, 7), (8, 8, 6),
)  # fmt: skip
RULES: tuple[Shape, ...] = ((4, 4, 4), (5, 5, 4), (5, 5, 5))
NAMES = {1: "first", 0: "draw", -1: "second"}


@dataclass(frozen=True)
class Beside:
    """The answer of another program for one board: seconds and result for the winner, and for the margin."""

    seconds: list[float]
    winner: str | None
    margin: int | None


def boards(shape: Shape, count: int, seed: int) -> list[Board]:
    rows, columns, line = shape
    random = Random(seed)
    made = []
    for number in range(count):
        three = [random.randint(-3, 3) for _ in range(3)]
        low, high = ((-9, 9), (-(10**9), 10**9), (-(10**9), -1), (1, 10**9), (0, 0))[number % 5]
        weights = [random.choice(three) if low == high else random.randint(low, high) for _ in range(rows * columns)]
        made.append(Board([weights[row * columns : (row + 1) * columns] for row in range(rows)], line))
    return made


def ask_beside(command: str, asked: list[Board]) -> list[Beside]:
    given = "".join(f"{b.rows} {b.columns} {b.line} {' '.join(map(str, b.flat))}\n" for b in asked)
    shown = subprocess.run(shlex.split(command), input=given, capture_output=True, text=True, check=True).stdout
    answers = []
    for line in shown.splitlines():
        winner = re.search(r"winner (\w+)", line)
        margin = re.search(r"margin (-?\d+)", line)
        seconds = [float(number) for number in re.findall(r"cpu ([\d.]+)", line)]
        answers.append(Beside(seconds, winner and winner[1], int(margin[1]) if margin else None))
    return answers


def timed(act: Callable[[], Bounds]) -> tuple[float, Bounds]:
    start = time.process_time()
    found = act()
    return time.process_time() - start, found


def within(seconds: float, ask: Callable[..., Bounds], position: Position) -> Bounds:
    """Return the result of a search, or the partial result at the time limit."""
    try:
        return ask(position, budget=Budget.within(seconds))
    except Stopped as stopped:
        found: Bounds = stopped.best
        return found


def describe(name: str, shape: Shape, seconds: list[float], beside: list[float]) -> str:
    rows, columns, line = shape
    median = statistics.median(seconds)
    text = f"{name:8} {rows}x{columns} {line} in a row  median {median * 1e3:8.2f} ms  worst {max(seconds):6.2f} s"
    if beside:
        other = statistics.median(beside)
        text += f"  beside {other * 1e3:8.3f} ms, worst {max(beside):6.3f} s  ratio {median / other:.2f}"
        text += f", of the sums {sum(seconds) / sum(beside):.2f}"
    return text


def who_wins(shape: Shape, count: int, seed: int, program: str | None) -> None:
    asked = boards(shape, count, seed)
    others = ask_beside(program, asked) if program else []
    times, verdicts = [], Counter[str]()
    for number, board in enumerate(asked):
        position = Position(board)
        seconds, bounds = timed(lambda position=position: MarginSearch(position.board).winner(position))  # type: ignore[misc]
        winner = NAMES[bounds.winner(position.to_move) or 0]
        times.append(seconds)
        verdicts[winner] += 1
        if others and others[number].winner:
            assert others[number].winner == winner, board
    verdict = ", ".join(f"{name} {verdicts[name]}" for name in NAMES.values())
    print(describe("winner", shape, times, [other.seconds[0] for other in others]), f" ({verdict})", flush=True)


def reach_machine_code(shape: Shape, seed: int) -> None:
    """Solve boards until the machine code is loaded, and print how many that takes."""
    times = []
    for board in boards(shape, 1000, seed):
        seconds, _ = timed(lambda board=board: MarginSearch(board).winner(Position(board)))  # type: ignore[misc]
        times.append(seconds)
        if loaded_machine(Layout(board)):
            break
    print(f"machine code loaded at board {len(times)}, after {sum(times):.2f} s, {times[-1]:.2f} s of them there")


def how_much(shape: Shape, count: int, seed: int, program: str | None) -> None:
    asked = boards(shape, count, seed)
    others = ask_beside(program, asked) if program else []
    times = []
    for number, board in enumerate(asked):
        position = Position(board)
        seconds, bounds = timed(lambda position=position: MarginSearch(position.board).margin(position))  # type: ignore[misc]
        times.append(seconds)
        if others and others[number].margin is not None:
            assert others[number].margin == bounds.lower, board
    print(describe("margin", shape, times, [other.seconds[-1] for other in others]), flush=True)


def whole_analysis(shape: Shape, count: int, seed: int) -> None:
    times = []
    for board in boards(shape, count, seed):
        start = time.process_time()
        analyze(Position(board))
        times.append(time.process_time() - start)
    print(describe("analyze", shape, times, []), f" ({count} boards)", flush=True)


def frontier(shape: Shape, count: int, seed: int, allowed: float) -> None:
    """Print the winners found within the time allowed.

    After the same time again, print the width of the bounds of the margin.
    """
    settled, by_greedy, times = 0, [], []
    for board in boards(shape, count, seed):
        position = Position(board)
        search = MarginSearch(board)
        seconds, bounds = timed(lambda search=search, position=position: within(allowed, search.winner, position))  # type: ignore[misc]
        settled += bounds.decided(position.to_move)
        times.append(seconds)
        margin = within(allowed, search.margin, position)
        spread = max(board.flat) - min(board.flat)
        by_greedy.append((margin.upper - margin.lower) / spread if margin.upper - margin.lower < inf else None)
    known = [width for width in by_greedy if width is not None]
    widths = f"bounds of {len(known)} margins, median width {statistics.median(known):.3f} spreads" if known else ""
    print(describe("winner", shape, times, []), f" settled {settled} of {count}; {widths}", flush=True)


def without(shape: Shape, count: int, seed: int, allowed: float) -> None:
    """Print the states that the search for the winner visits, with all pruning rules and without each of them."""
    rows, columns, line = shape
    for rules in (EVERY_RULE, *(EVERY_RULE & ~rule for rule in Rule)):
        states, times, cut = [], [], 0
        for board in boards(shape, count, seed):
            search = MarginSearch(board, rules=rules)
            position = Position(board)
            seconds, bounds = timed(
                lambda search=search, position=position: within(allowed, search.winner, position)  # type: ignore[misc]
            )
            cut += not bounds.decided(position.to_move)
            states.append(search.states)
            times.append(seconds)
        off = "every rule" if rules == EVERY_RULE else "without " + str((EVERY_RULE & ~rules).name)
        print(
            f"{rows}x{columns} {line} in a row  {off:20}  states: median {statistics.median(states):8.0f}"
            f", sum {sum(states):9}"
            f"  median {statistics.median(times) * 1e3:8.2f} ms  cut short {cut}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--beside", metavar="PROGRAM")
    parser.add_argument("--medium", action="store_true")
    parser.add_argument("--frontier", action="store_true")
    parser.add_argument("--without", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    asked = parser.parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}, {asked.boards} boards of each shape")
    if asked.medium:
        reach_machine_code((5, 6, 5), asked.seed + 1)
        for shape in MEDIUM:
            who_wins(shape, asked.boards, asked.seed, asked.beside)
    elif asked.frontier:
        for shape in FRONTIER:
            frontier(shape, asked.boards, asked.seed, asked.seconds)
    elif asked.without:
        for shape in RULES:
            without(shape, asked.boards, asked.seed, asked.seconds)
    else:
        for shape in WINNER:
            who_wins(shape, asked.boards, asked.seed, asked.beside)
        for shape in MARGIN:
            how_much(shape, asked.boards, asked.seed, asked.beside)
        whole_analysis((5, 5, 5), max(1, asked.boards // 4), asked.seed)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"most memory {most:.2f} GiB")


if __name__ == "__main__":
    main()
