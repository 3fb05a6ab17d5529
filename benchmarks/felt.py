"""The waits that a person feels: start-up, proposals, one simulation, beside a bare interpreter.

Run with the program installed: `python benchmarks/felt.py`. Every time is the median of several runs of a whole process
(or of a proposal inside one process), with the bare interpreter's beside it, measured in turns in the same run.
"""

from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from yomikiri.hitblow.assistant import Assistant
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies import policy_named
from yomikiri.hitblow.policies.base import simulate
from yomikiri.hitblow.rules import hint

RUNS = 15
BARE = [sys.executable, "-c", "pass"]
ASSISTANT = [sys.executable, "-m", "yomikiri"]
WINNER = [sys.executable, "-m", "yomikiri", "tictactoe", "winner"]
BOARD = "-1 1 0\n-4 -2 -5\n-4 -1 -5\n"


def seconds(act: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def process(command: list[str], given: str = "") -> Callable[[], object]:
    """A call that runs a process to its end."""
    return lambda: subprocess.run(command, input=given, text=True, capture_output=True, check=True)


def started(command: list[str], given: str = "") -> tuple[float, float]:
    """Median seconds of the process and of the bare interpreter, in turns."""
    pairs = [(seconds(process(command, given)), seconds(process(BARE))) for _ in range(RUNS)]
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)


def proposals() -> list[float]:
    """Seconds of every later proposal over sixty games of the standard game."""
    times = []
    for secret in Knowledge().codes()[::12]:
        game = Assistant().answer(hint("012", secret))
        while not game.solved:
            begin = time.perf_counter()
            guess = game.advice.proposed.guess
            times.append(time.perf_counter() - begin)
            game = game.answer(hint(guess, secret))
    return times


def main() -> None:
    print(f"{platform.machine()}, Python {platform.python_version()}, {RUNS} runs each, medians")
    for name, command, given in (("assistant, first proposal", ASSISTANT, ""), ("winner, one board", WINNER, BOARD)):
        whole, bare = started(command, given)
        print(f"{name:28} {whole:6.3f} s   bare interpreter {bare:.3f} s   more {whole - bare:.3f} s")
    times = proposals()
    print(f"{'later proposals, 3 digits':28} {statistics.median(times) * 1e3:6.1f} ms  worst {max(times) * 1e3:.1f} ms")
    whole = seconds(lambda: simulate(policy_named("entropy"), Knowledge()))
    print(f"{'simulate, 720 secrets':28} {whole:6.2f} s")


if __name__ == "__main__":
    main()
