"""Cost of the exact search, game by game: CPU seconds on one thread, nodes, and memory.

    python benchmarks/hitblow_search.py                    3 of 6 up to 4 of 10, Mastermind, five digits up to 5 of 7
    python benchmarks/hitblow_search.py "4 of 9" "5 of 8"  these games; "4 of 7 all" and "4 of 10 guess" allow repeats
    python benchmarks/hitblow_search.py --beside PROGRAM   with another program's time in the same run, and the ratio

Each game runs in its own process, with the kernels loaded before the clock starts. The minimum of several runs counts;
they alternate with those of the other program. `proof` is the proof of the least total, `ties` the additional time for
the least maximum and the fewest secrets at it, `tree` the construction of the tree. PROGRAM is called as

    PROGRAM DIGITS SYMBOLS 99999999 0 MODE       MODE 0, 1 or 2: repeats in none, guesses, all

and prints `total=N` and `cpu=SECONDSs` in its last line.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import time
from typing import Any

from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.strategy.strategy import Task

SYMBOLS = "0123456789abcdef"
GAMES = [
    *(f"3 of {symbols}" for symbols in range(6, 11)),
    *(f"4 of {symbols}" for symbols in range(6, 11)),
    "4 of 10 guess",
    "4 of 6 all",
    "4 of 7 all",
    "5 of 6",
    "5 of 7",
]
MODES = {Repeats.NONE: 0, Repeats.GUESS: 1, Repeats.ALL: 2}
HEAD = ["game", "total", "max", "last", "nodes", "proof", "ties", "tree", "MiB"]


def rules_of(game: str) -> Rules:
    """Return the rules of a game written as `4 of 10 guess`."""
    digits, _, symbols, *repeats = game.split()
    return Rules(int(digits), SYMBOLS[: int(symbols)], Repeats(repeats[0]) if repeats else Repeats.NONE)


def solve_here(game: str) -> dict[str, Any]:
    """Solve a game in this process."""
    solution = solve(Task(rules_of(game)))
    assert solution.strategy is not None
    cost = solution.strategy.cost
    return {
        "total": cost.total_guesses,
        "max": cost.max_guesses,
        "last": cost.histogram[-1],
        "nodes": solution.nodes,
        "proof": solution.cpu_seconds,
        "ties": solution.tie_break_cpu_seconds,
        "tree": solution.tree_cpu_seconds,
        "MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def solved(game: str) -> dict[str, Any]:
    """Solve a game in a separate process."""
    done = subprocess.run([sys.executable, __file__, "--one", game], capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def beside(program: str, game: str) -> tuple[int, float]:
    """Return the total and the CPU seconds of the other program."""
    rules = rules_of(game)
    words = [program, str(rules.digits), str(len(rules.symbols)), "99999999", "0", str(MODES[rules.repeats])]
    last = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    found = re.search(r"total=(\d+).*cpu=([\d.]+)s", last)
    if found is None:
        raise SystemExit(f"{program} printed {last!r}: expected total=N and cpu=SECONDSs")
    return int(found[1]), float(found[2])


def measure(game: str, runs: int, program: str | None) -> list[str]:
    ours: list[dict[str, Any]] = []
    theirs: list[float] = []
    for _ in range(runs):
        ours.append(solved(game))
        if program:
            total, seconds = beside(program, game)
            if total != ours[-1]["total"]:
                raise SystemExit(f"{game}: {ours[-1]['total']} here, {total} there")
            theirs.append(seconds)
    best = ours[0] | {name: min(run[name] for run in ours) for name in ("proof", "ties", "tree")}
    row = [f"{best[name]:.3f}" if isinstance(best[name], float) else f"{best[name]:,}" for name in HEAD[1:]]
    if program:
        row += [f"{min(theirs):.2f}", f"{best['proof'] / max(min(theirs), 0.01):.2f}"]
    return [game, *row]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--beside", metavar="PROGRAM")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(solve_here(given.games[0])))
        return
    begun = time.process_time()
    print(f"kernels ready after {time.process_time() - begun:.1f} s of CPU time\n")
    head = HEAD + (["beside", "ratio"] if given.beside else [])
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " ---: |" * (len(head) - 1), flush=True)
    for game in given.games:
        print("| " + " | ".join(measure(game, given.runs, given.beside)) + " |", flush=True)


if __name__ == "__main__":
    main()
