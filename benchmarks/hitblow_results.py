"""The page of proven totals: solves every game on its list from nothing and writes docs/results.md.

Run with the program installed: `python benchmarks/hitblow_results.py docs/results.md`; `--seconds N` bounds each game,
and a game that is not proven in time is reported as the best found with its bound. The list takes some eight minutes.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from yomikiri.budget import Budget, Stopped
from yomikiri.hitblow.rules import Repeats, Rules
from yomikiri.hitblow.search.solve import Solution, solve
from yomikiri.hitblow.strategy.strategy import Evidence, Kind, Objective, Task

SYMBOLS = "0123456789"
OPEN = {5: (9, 10)}  # by digits: how many symbols make a game for which no proof is known
OPEN_SECONDS = 40.0
KINDS = {
    Repeats.NONE: "Different symbols in secrets and guesses",
    Repeats.GUESS: "Different symbols in secrets, any guess",
    Repeats.ALL: "Repeated symbols allowed (Mastermind)",
}

# Where a least total is known from the literature; of the others we have found no published value.
PUBLISHED = {
    (Rules(4), Objective()): "Tanaka 1996; Francis 2010",
    (Rules(4, SYMBOLS[:6], Repeats.ALL), Objective()): "Koyama and Lai 1993",
    (Rules(4, SYMBOLS[:6], Repeats.ALL), Objective(within=5)): "Koyama and Lai 1993",
    (Rules(4, SYMBOLS[:7], Repeats.ALL), Objective()): "Ville 2013",
}

COLUMNS = (
    "game", "least", "secrets", "total", "mean", "max", "found at guess 1, 2, 3, ...", "nodes", "CPU s", "published",
)  # fmt: skip

HEAD = """\
# Proven totals

Least totals of guesses over all secrets, each proven from scratch ([hitblow-search.md](hitblow-search.md)), with the
number of secrets found at guess 1, 2, 3, ... Of all strategies with the least total these have the least maximum, and
of those the fewest secrets at it. Some games are also solved for other objectives.

`python benchmarks/hitblow_results.py docs/results.md` writes this page. `yomikiri hitblow export` with the options of a
game (`--digits 3 --symbols 01234567 --repeats guess`, and so on) writes the strategy itself, and `yomikiri hitblow
verify` checks it. The first figure of CPU seconds is for the proof of the total, the second for the tie-breaks, on
one core of {machine}. The two games marked *not proven* were stopped after
{open_seconds} seconds: the page gives the best strategy found by then and the bound proven for all.

*Published* names the first publication of the total that we know of; where it is empty we have found none.
"""


@dataclass(frozen=True)
class Row:
    """A solved game."""

    task: Task
    solution: Solution

    def cells(self) -> Iterator[str]:
        """What the table shows."""
        rules, objective = self.task.rules, self.task.objective
        strategy = self.solution.strategy
        yield f"{rules.digits} of {len(rules.symbols)}"
        yield _objective(objective) + (", one symbol known absent" if self.task.absent else "")
        yield f"{sum(1 for _ in self.task.secrets()):,}"
        if strategy is None:
            yield from ("impossible", "", "", "")
        else:
            cost = strategy.cost
            proven = strategy.proof.kind is Evidence.OPTIMAL
            total = f"**{cost.total_guesses:,}**"
            yield total if proven else f"≤ {cost.total_guesses:,}, ≥ {strategy.proof.lower_bound:,} (not proven)"
            yield f"{cost.mean:.4f}"
            yield str(cost.max_guesses)
            yield " ".join(map(str, cost.histogram))
        yield f"{self.solution.nodes:,}"
        yield f"{self.solution.cpu_seconds:.2f} + {self.solution.tie_break_cpu_seconds:.2f}"
        yield PUBLISHED.get((rules, objective), "")


def _objective(objective: Objective) -> str:
    text = "total" if objective.kind is Kind.EXPECTED else "maximum, then total"
    if objective.within is not None:
        text += f", within {objective.within}"
    return text + ", consistent guesses only" if objective.consistent else text


def tasks() -> Iterator[Task]:
    """The games of the page, kind by kind."""
    most = {Repeats.NONE: {2: 10, 3: 10, 4: 10, 5: 10}, Repeats.GUESS: {2: 10, 3: 10, 4: 10}}
    for kind in Repeats:
        for digits, symbols in most.get(kind, {2: 10, 3: 10, 4: 8}).items():
            fewest = 2 if kind is Repeats.ALL else digits
            for count in range(fewest, symbols + 1):
                task = Task(Rules(digits, SYMBOLS[:count], kind))
                yield task
                yield from others(task.rules)


def seconds_for(task: Task, most: float) -> float:
    """The CPU seconds that a game gets: the open ones few, since more would not prove them."""
    return OPEN_SECONDS if len(task.rules.symbols) in OPEN.get(task.rules.digits, ()) else most


def others(rules: Rules) -> Iterator[Task]:
    """The same game under other objectives, where they have been asked about."""
    if rules == Rules(3):
        yield Task(rules, absent="9")
        yield Task(rules, objective=Objective(Kind.WORST))
        yield Task(rules, objective=Objective(within=6))
        yield Task(rules, objective=Objective(within=5))
        yield Task(rules, objective=Objective(consistent=True))
    if rules == Rules(4):
        yield Task(rules, objective=Objective(consistent=True))
    if rules == Rules(4, SYMBOLS[:6], Repeats.ALL):
        yield Task(rules, objective=Objective(within=5))


def bounded(task: Task, seconds: float) -> Solution:
    """Solve, but no longer than so many CPU seconds."""
    end = process_time() + seconds

    try:
        return solve(task, budget=Budget(cancelled=lambda: process_time() > end))
    except Stopped as stopped:
        best = stopped.best
        assert isinstance(best, Solution)
        return best


def page(rows: list[Row]) -> str:
    """The whole page."""
    processor = next((line.split(":")[1].strip() for line in _cpuinfo() if line.startswith("model name")), "?")
    parts = [
        HEAD.format(
            machine=f"{processor}, {platform.machine()}, Python {platform.python_version()}",
            open_seconds=int(OPEN_SECONDS),
        )
    ]
    for kind, title in KINDS.items():
        parts.append(f"## {title}\n")
        parts.append(f"| {' | '.join(COLUMNS)} |")
        parts.append("| --- " * len(COLUMNS) + "|")
        parts.extend(f"| {' | '.join(row.cells())} |" for row in rows if row.task.rules.repeats is kind)
        parts.append("")
    return "\n".join(parts)


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--seconds", type=float, default=1800.0)
    arguments = parser.parse_args()
    rows: list[Row] = []
    for task in tasks():
        row = Row(task, bounded(task, seconds_for(task, arguments.seconds)))
        rows.append(row)
        print(" | ".join(row.cells()), file=sys.stderr, flush=True)
        arguments.output.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
