"""Time per 3x3 board for millions of boards: as arrays, and as text through the command.

    python benchmarks/tictactoe_batch.py
    python benchmarks/tictactoe_batch.py --beside "PROGRAM ARGUMENTS"

Times are nanoseconds per board on one thread: the median of runs that alternate with a plain copy of the same memory.
With `--beside`, another program takes its turns as well. It prints its times as `12.3 ns/board`, and the best one of
each run counts.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from yomikiri.tictactoe import batch
from yomikiri.tictactoe.position import Tie

BOARDS = 2_000_000
TEXT_BOARDS = 1_000_000
RUNS = 11


def nanoseconds(act: Callable[[], object], boards: int) -> float:
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) / boards * 1e9


def beside(command: str) -> float:
    shown = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True).stdout
    return min(float(number) for number in re.findall(r"([\d.]+) ns/board", shown))


def arrays(program: str | None) -> None:
    random = np.random.default_rng(1)
    wide = random.integers(-(10**9), 10**9, (BOARDS, 9), dtype=np.int64, endpoint=True)
    narrow = wide.astype(np.int32)
    acts: dict[str, Callable[[], float]] = {}
    for name, boards in (("int64", wide), ("int32", narrow)):
        copy = np.empty_like(boards)
        found = np.empty(len(boards), np.int8)
        acts[f"{name} plain copy"] = partial(nanoseconds, partial(np.copyto, copy, boards), BOARDS)
        acts[f"{name} winners"] = partial(nanoseconds, partial(batch.winners, boards), BOARDS)
        without = partial(batch._by_numpy, boards, Tie.DRAW, found)
        acts[f"{name} without machine code"] = partial(nanoseconds, without, BOARDS)
    if program:
        acts["program beside"] = partial(beside, program)
    times: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(RUNS):
        for name, act in acts.items():
            times[name].append(act())
    medians = {name: statistics.median(each) for name, each in times.items()}
    for name, median in medians.items():
        print(f"{name:28} {median:6.1f} ns a board   (best {min(times[name]):.1f})")
    print(f"winners / plain copy         {medians['int64 winners'] / medians['int64 plain copy']:6.2f}")
    if program:
        print(f"winners / program beside     {medians['int64 winners'] / medians['program beside']:6.2f}")


def text() -> None:
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "boards.txt"
        np.savetxt(path, random.integers(-(10**9), 10**9, (3 * TEXT_BOARDS, 3), endpoint=True), fmt="%d")
        command = [sys.executable, "-m", "yomikiri", "tictactoe", "winner", str(path)]
        seconds = []
        for _ in range(3):
            before = os.times()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            after = os.times()
            seconds.append(sum(after[2:4]) - sum(before[2:4]))
        size = path.stat().st_size / 1e6
    median = statistics.median(seconds)
    print(f"a file of a million boards   {median:6.2f} s of processor time, start-up included ({size:.1f} MB)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", metavar="PROGRAM", help="another program that prints its times as ns/board")
    arrays(parser.parse_args().beside)
    text()


if __name__ == "__main__":
    main()
