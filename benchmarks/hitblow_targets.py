"""Speed of the libraries in a wheel, compared with the one built for this processor, in the exact search.

    python benchmarks/hitblow_targets.py WHEEL                      4 of 9, 4 of 10 and 5 of 7
    python benchmarks/hitblow_targets.py WHEEL "5 of 8" --runs 5

WHEEL comes from `scripts/wheels` on the sources of this checkout. Each solve runs in its own process, with the library
loaded before the clock starts. The runs of the libraries alternate, and the minimum CPU time of each counts. A ratio is
that time divided by the time of this processor's library in the same run of the program.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from yomikiri.hitblow.model.rules import Rules
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.strategy.strategy import Task
from yomikiri.machine import library

GAMES = ["4 of 9", "4 of 10", "5 of 7"]
LIB = "yomikiri/machine/lib"
NATIVE = "native"


def solve_here(game: str, path: str) -> tuple[float, int]:
    """Solve a game in this process with a library; return the CPU seconds of the search and the least total."""
    loaded = ctypes.CDLL(path)
    library.library = lambda: loaded  # type: ignore[assignment]
    digits, _, symbols = game.split()
    solution = solve(Task(Rules(int(digits), "0123456789abcdef"[: int(symbols)])))
    assert solution.strategy is not None
    return solution.cpu_seconds + solution.tie_break_cpu_seconds, solution.strategy.cost.total_guesses


def unpacked(wheel: Path, folder: Path) -> dict[str, str]:
    """Return the libraries of a wheel that this processor can run, and the library of this checkout, as paths by name.

    All must have the same sources.
    """
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder, [name for name in file.namelist() if name.startswith(LIB)])
    own, theirs = (json.loads(path.read_bytes()) for path in (library.MANIFEST, folder / LIB / "kernels.json"))
    if own["digest"] != theirs["digest"]:
        raise SystemExit(f"{wheel} is of other sources than the library here")
    here = set(library.levels(library.flags())) & theirs["libraries"].keys()
    found = {level: str(folder / LIB / f"kernels-{level}.so") for level in sorted(here)}
    return {NATIVE: str(library.FOLDER / f"kernels-{NATIVE}.so"), **found}


def measure(game: str, libraries: dict[str, str], runs: int) -> list[str]:
    """Return a row of the table."""
    times: dict[str, list[float]] = {name: [] for name in libraries}
    totals = set()
    for _ in range(runs):
        for name, path in libraries.items():
            command = [sys.executable, __file__, "--one", game, path]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds, total = json.loads(done.stdout)
            times[name].append(seconds)
            totals.add(total)
    if len(totals) > 1:
        raise SystemExit(f"{game}: the libraries find totals of {sorted(totals)}")
    least = {name: min(each) for name, each in times.items()}
    ratios = [f"{least[name] / least[NATIVE]:.2f}" for name in libraries if name != NATIVE]
    return [game, f"{totals.pop():,}", f"{least[NATIVE]:.2f}", *ratios]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        libraries = unpacked(given.wheel, Path(folder))
        print("| game | total | " + " | ".join(f"{name}, s" if name == NATIVE else name for name in libraries) + " |")
        print("| --- |" + " ---: |" * (1 + len(libraries)), flush=True)
        for game in given.games:
            print("| " + " | ".join(measure(game, libraries, given.runs)) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(solve_here(*sys.argv[2:])))
    else:
        main()
