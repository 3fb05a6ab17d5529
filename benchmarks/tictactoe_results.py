"""Winners, margins and the values of first moves on random boards of every shape up to 6x6.

    python benchmarks/tictactoe_results.py docs --minutes 5

The command writes theory/tictactoe-results.md and its pictures to the folder docs. Results are appended board by board
to the file that `--records` names, and the next run continues from there, even after an interrupt, so that several runs
make one page. A board depends only on its shape and number, so that everybody gets the same. A shape gets 20 boards,
then 100, 300 and 1,000, or five if half of them take more than a second; a board gets 60 seconds.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections import Counter, defaultdict
from collections.abc import Iterator
from math import inf
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from yomikiri.common.budget import Budget, Stopped
from yomikiri.tictactoe.board import Board
from yomikiri.tictactoe.position import Bounds, Position
from yomikiri.tictactoe.search.margins import MarginSearch

Shape = tuple[int, int, int]
Records = dict[tuple[str, Shape], list[dict[str, Any]]]

# Rows, columns, length of a line.
SHAPES: tuple[Shape, ...] = tuple(
    (rows, columns, line) for rows in range(3, 7) for columns in range(rows, 7) for line in range(3, columns + 1)
)
# OPEN: shapes that take too long without weights. EMPTY: all shapes that are solved without weights.
OPEN: tuple[Shape, ...] = ((7, 8, 5), (8, 8, 4), (8, 8, 5))
LARGER = (
    (rows, columns, line) for columns in (7, 8) for rows in range(3, columns + 1) for line in range(3, columns + 1)
)
EMPTY: tuple[Shape, ...] = (*SHAPES, *(shape for shape in LARGER if shape not in OPEN))
OPENINGS: tuple[Shape, ...] = ((3, 3, 3), (4, 4, 4), (4, 5, 4), (5, 5, 4), (5, 5, 5), (5, 6, 5))
TARGETS = (20, 100, 300, 1000)
SECONDS = 60.0
# A shape gets no more boards after the first few if half of them take longer than the first limit, and gets all of
# them early if half take less than the second.
LONG, FEW = 1.0, 5
QUICK = 0.02
WINNER, NEGATIVE, POSITIVE, MARGIN, OPENING, ZERO = "winner", "negative", "positive", "margin", "opening", "zero"
# With an even number of cells, the second player never wins outright, for any weights (docs/guide/tictactoe.md).
ODD = tuple((rows, columns, line) for rows, columns, line in SHAPES if rows * columns % 2)
WEIGHTS = {NEGATIVE: (-9, -1), POSITIVE: (1, 9)}

QUESTIONS = {WINNER: SHAPES, NEGATIVE: ODD, POSITIVE: ODD, MARGIN: SHAPES, OPENING: OPENINGS}

COLOURS = {1: "#2f6f9f", 0: "#c9c9c9", -1: "#c8553d", None: "#ffffff"}
NAMES = {1: "first", 0: "draw", -1: "second", None: "open"}

HEAD = """\
# Random boards of every shape

This page lists the winner, the margin and the value of each first move of weighted tic-tac-toe under best play, for
boards of every shape up to 6x6 with random weights: whole numbers from -9 to 9, all equally likely. The search of
[tictactoe-search.md](tictactoe-search.md) proved every result.

`python benchmarks/tictactoe_results.py docs --minutes 5` writes this page. Each run continues the last one and adds
boards, up to 1,000 of each shape, while half of a shape's boards take less than a second. A board that is not solved
within {seconds:.0f} seconds counts as open. Times are CPU seconds for a board, on one core of
{machine}.
"""


def name(shape: Shape) -> str:
    rows, columns, line = shape
    return f"{rows}x{columns}, {line} in a row"


def board(question: str, shape: Shape, number: int) -> Board:
    """Return the random board of that number, or the board without weights."""
    rows, columns, line = shape
    random = Random(f"{rows}x{columns} {line} {number}")
    low, high = (0, 0) if question == ZERO else WEIGHTS.get(question, (-9, 9))
    return Board([[random.randint(low, high) for _ in range(columns)] for _ in range(rows)], line)


def bound_to_json(bound: int | float) -> int | str:
    """Return a bound of a margin as JSON."""
    return str(bound) if bound in {inf, -inf} else int(bound)


def measure_board(question: str, shape: Shape, number: int) -> dict[str, Any]:
    """Return the results for one board and the CPU seconds."""
    given = board(question, shape, number)
    position, search = Position(given), MarginSearch(given)
    start = process_time()
    budget = Budget(cancelled=lambda: process_time() - start > SECONDS)
    found: Any = None
    try:
        if question == OPENING:
            after = [position.play(cell) for cell in position.moves]
            found = [_sign(each, search.winner(each, budget=budget)) for each in after]
        elif question == MARGIN:
            found = bound_to_json(search.margin(position, budget).lower)
        else:
            found = _sign(position, search.winner(position, budget=budget))
    except Stopped:
        pass
    return {"found": found, "seconds": round(process_time() - start, 6)}


def _sign(position: Position, bounds: Bounds) -> int:
    return int(bounds.winner(position.to_move) or 0)


def tasks(records: Records) -> Iterator[tuple[str, Shape]]:
    """Yield the next tasks, those with the fewest records first; `records` grows meanwhile."""
    for shape in EMPTY[: len(SHAPES)]:
        if not records[ZERO, shape]:
            yield ZERO, shape
    for target in TARGETS:
        for question, shapes in QUESTIONS.items():
            for shape in shapes:
                done = records[question, shape]
                # Margins take ten times as long, so all winners come before the last margins.
                early = question not in {MARGIN, OPENING} and target == TARGETS[-2] and _half(done) < QUICK
                goal = TARGETS[-1] if early else target
                while len(done) < goal and not (len(done) >= FEW and _half(done) > LONG):
                    yield question, shape
        if target == TARGETS[0]:
            for shape in EMPTY:
                if not records[ZERO, shape]:
                    yield ZERO, shape


def _half(done: list[dict[str, Any]]) -> float:
    return float(median(each["seconds"] for each in done))


def gather(path: Path, minutes: float) -> Records:
    """Read the records, and continue for some minutes of computing."""
    records: Records = defaultdict(list)
    path.parent.mkdir(parents=True, exist_ok=True)
    for line in path.read_text().splitlines() if path.exists() else []:
        record = json.loads(line)
        records[record["question"], tuple(record["shape"])].append(record)
    end = process_time() + 60 * minutes
    try:
        with path.open("a") as file:
            for question, shape in tasks(records):
                if process_time() > end:
                    break
                record = measure_board(question, shape, len(records[question, shape]))
                file.write(json.dumps({"question": question, "shape": shape} | record) + "\n")
                file.flush()
                records[question, shape].append(record)
    except KeyboardInterrupt:
        print("interrupted: the page holds what is answered")
    return records


def seconds(done: list[dict[str, Any]]) -> str:
    return f"{_half(done):.4f}" if done else ""


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else ""


def winners_table(records: Records, question: str) -> Iterator[str]:
    yield "| shape | boards | first % | draw % | second % | open | half within s |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for shape in QUESTIONS[question]:
        done = records[question, shape]
        counts = Counter(each["found"] for each in done)
        settled = len(done) - counts[None]
        shares = " | ".join(percent(counts[sign], settled) for sign in (1, 0, -1))
        yield f"| {name(shape)} | {len(done)} | {shares} | {counts[None] or ''} | {seconds(done)} |"


def margins_table(records: Records) -> Iterator[str]:
    yield "| shape | boards | a line of the first % | of the second % | else: lower quarter | middle | upper quarter |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for shape in SHAPES:
        found = [each["found"] for each in records[MARGIN, shape] if each["found"] is not None]
        margins = sorted(each for each in found if isinstance(each, int))
        quarters = [f"{margins[len(margins) * part // 4]:+}" if margins else "" for part in (1, 2, 3)]
        lines = " | ".join(percent(found.count(line), len(found)) for line in ("inf", "-inf"))
        yield f"| {name(shape)} | {len(found)} | {lines} | {' | '.join(quarters)} |"


def zero_table(records: Records) -> Iterator[str]:
    yield "| shape | all weights 0 | s |"
    yield "| --- | --- | --- |"
    for shape in EMPTY:
        for each in records[ZERO, shape]:
            result = {1: "first wins", 0: "draw", -1: "second wins", None: "open"}[each["found"]]
            yield f"| {name(shape)} | {result} | {each['seconds']:.2f} |"


def svg(width: int, height: int, parts: list[str]) -> str:
    """Return a picture with a white background and one kind of text."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            ' font-family="sans-serif" font-size="12">',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            *parts,
            "</svg>\n",
        ]
    )


def winners_picture(records: Records) -> str:
    """Return a picture with a bar per shape: wins of the first player, draws, wins of the second, and open boards."""
    parts, left, wide = [], 200, 560
    bars = [(name(shape), WINNER, shape) for shape in SHAPES]
    bars += [(f"{name(shape)}, all negative", NEGATIVE, shape) for shape in ODD]
    for place, (sign, colour) in enumerate(COLOURS.items()):
        x = left + 120.0 * place
        parts.append(f'<rect x="{x:.0f}" y="10" width="14" height="14" fill="{colour}" stroke="#777777"/>')
        parts.append(f'<text x="{x + 20:.0f}" y="22">{NAMES[sign]}</text>')
    for row, (title, question, shape) in enumerate(bars):
        y, x = 36 + 20 * row, float(left)
        done = records[question, shape]
        counts = Counter(each["found"] for each in done)
        parts.append(f'<text x="{left - 8}" y="{y + 12}" text-anchor="end">{title}</text>')
        for sign, colour in COLOURS.items():
            width = wide * counts[sign] / max(1, len(done))
            parts.append(
                f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="15" fill="{colour}" stroke="#777777"'
                f' stroke-width="0.5"><title>{title}: {NAMES[sign]} {counts[sign]} of {len(done)}</title></rect>'
            )
            x += width
    return svg(left + wide + 20, 46 + 20 * len(bars), parts)


def openings_picture(records: Records) -> str:
    """Return a picture with a board per shape, whose cells show how well the first player does after opening there."""
    parts, x, size = [], 20, 38
    for shape in OPENINGS:
        rows, columns, _line = shape
        done = [each["found"] for each in records[OPENING, shape] if each["found"] is not None]
        parts.append(f'<text x="{x}" y="20">{name(shape)}: {len(done)} boards</text>')
        for cell in range(rows * columns if done else 0):
            worth = sum(found[cell] for found in done) / len(done)
            row, column = divmod(cell, columns)
            left, top = x + size * column, 30 + size * row
            colour = COLOURS[1 if worth >= 0 else -1]
            parts.append(
                f'<rect x="{left}" y="{top}" width="{size}" height="{size}" fill="{colour}"'
                f' fill-opacity="{min(1.0, abs(worth)):.2f}" stroke="#777777"/>'
                f'<text x="{left + size / 2}" y="{top + size / 2 + 4}" text-anchor="middle">{100 * worth:+.0f}</text>'
            )
        x += max(size * columns, 170) + 24
    return svg(x, 40 + 5 * size + 10, parts)


def machine() -> str:
    """Return the description of the machine."""
    described = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    processor = next((line.partition(": ")[2] for line in described if line.startswith("model name")), "?")
    return f"{processor}, {platform.machine()}, Python {platform.python_version()}"


def page(records: Records, machine: str) -> str:
    return "\n".join(
        [
            HEAD.format(seconds=SECONDS, machine=machine),
            "## Who wins\n",
            "![Shares of first, draw and second by shape](../assets/tictactoe-results-winners.svg)\n",
            *winners_table(records, WINNER),
            "\nWith an even number of cells, the second player never wins without a tie, for any weights",
            "([tictactoe.md](../guide/tictactoe.md) has the proof). The shapes with an odd number, all weights "
            "from -9 to -1:\n",
            *winners_table(records, NEGATIVE),
            "\nAll weights from 1 to 9:\n",
            *winners_table(records, POSITIVE),
            "\n## How good each first move is\n",
            "Wins of the first player after opening in a cell, minus those of the second, in percent of boards.\n",
            "![How good each first move is, by cell](../assets/tictactoe-results-openings.svg)\n",
            "## By how much\n",
            "The first player's sum minus the second's, for games without a line.\n",
            *margins_table(records),
            "\n## Boards without weights\n",
            "The first to complete a line wins, and a full board is a draw. Up to 8x8, only these are",
            f"open: {'; '.join(map(name, OPEN))}.\n",
            *zero_table(records),
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the page and its pictures go")
    parser.add_argument("--minutes", type=float, default=5.0, help="compute for so long (default 5)")
    parser.add_argument("--records", type=Path, default=Path("build/tictactoe-results.jsonl"))
    given = parser.parse_args()
    records = gather(given.records, given.minutes)
    (given.folder / "theory/tictactoe-results.md").write_text(page(records, machine()))
    (given.folder / "assets/tictactoe-results-winners.svg").write_text(winners_picture(records))
    (given.folder / "assets/tictactoe-results-openings.svg").write_text(openings_picture(records))


if __name__ == "__main__":
    main()
