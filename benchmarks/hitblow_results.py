"""Solve the games of the page of totals from scratch and write docs/theory/results.md.

Run with the program installed: `python benchmarks/hitblow_results.py docs/theory/results.md`. `--seconds N` limits each
game; a game that is not proven in time is reported as the best found with its bound. Games that take longer are not
solved again: their strategies in docs/assets/results are verified. The whole list takes some minutes.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from gzip import decompress
from pathlib import Path
from time import process_time

from yomikiri.common.budget import Budget, Stopped
from yomikiri.hitblow.model.rules import Repeats, Rules
from yomikiri.hitblow.search.solution import Solution
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.strategy.file import read_strategy
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Strategy, Task
from yomikiri.hitblow.strategy.verify import verify

SYMBOLS = "0123456789"
KINDS = {
    Repeats.NONE: "Different symbols in secrets and guesses",
    Repeats.GUESS: "Different symbols in secrets, any guess",
    Repeats.ALL: "Repeated symbols allowed (Mastermind)",
}

# Sources of the least totals in the literature. We found no published value of the others.
PUBLISHED = {
    (Rules(4), Objective()): "Tanaka 1996; Francis 2010",
    (Rules(4, SYMBOLS[:6], Repeats.ALL), Objective()): "Koyama and Lai 1993",
    (Rules(4, SYMBOLS[:6], Repeats.ALL), Objective(within=5)): "Koyama and Lai 1993",
    (Rules(4, SYMBOLS[:7], Repeats.ALL), Objective()): "Ville 2013",
    (Rules(4, SYMBOLS[:8], Repeats.ALL), Objective(within=6)): "a public program, without a proof",
    (Rules(4), Objective(Criterion.LAST)): "Slovesnov (50 at guess 7)",
    (Rules(4, SYMBOLS[:6], Repeats.ALL), Objective(Criterion.LAST)): "Slovesnov (539 at guess 5)",
}

LEAST = {
    Criterion.EXPECTED: "total",
    Criterion.WORST: "maximum, then total",
    Criterion.LAST: "maximum, then fewest at it, then total",
}

CERTIFICATES = "certificates"  # the folder next to the stored strategies

COLUMNS = (
    "game", "least", "secrets", "total", "evidence", "mean", "max", "found at guess 1, 2, 3, ...", "nodes", "CPU s",
    "published",
)  # fmt: skip

HEAD = """\
# Proven totals

This page lists the least total of guesses over all secrets for many games of Hit & Blow and Mastermind, each proven
from scratch ([hitblow-search.md](hitblow-search.md)), with the number of secrets found at guess 1, 2, 3, ... Among the
strategies of least total, these have the least maximum, and then the fewest secrets at it. Some games also have other
objectives: the *maximum, then total*, and then the fewest secrets at the maximum; and the *maximum, then fewest at it,
then total*.

`python benchmarks/hitblow_results.py docs/theory/results.md` writes this page. `yomikiri hitblow export` with the
options of a game (`--digits 3 --symbols 01234567 --repeats guess`, and so on) writes the strategy itself, and
`yomikiri hitblow verify` checks it. *Within 6* is the option `--within 6`, and *consistent guesses only* the option
`--consistent`: `yomikiri hitblow solve --digits 4 --symbols 01234567 --repeats all --consistent`. The first figure of
CPU seconds is for the proof of the total, the second for the tie-breaks, on one core of {machine}.

Games with a link were not solved again for this page. The link is the strategy, which `yomikiri hitblow solve --store S
--output FILE` ([proofs.md](proofs.md)) wrote and `yomikiri hitblow verify FILE` counts. *Not proven* marks the best
known strategy with a proven bound for all strategies. For 5 of 9 and 5 of 10 the totals are proven, but not the
tie-breaks: no strategy of that total for 5 of 9 needs at most six guesses, but the least number of secrets that need
seven is unknown. The figures of games without a proof come from one command from nothing, with `--workers 2 --memory
1024 --no-ties` on two cores with other work. For Mastermind 5 of 8 they come from two, of 3,600 and 3,500 seconds; the
second started with the bounds 176,919 and 178,403:

| game | `yomikiri hitblow solve` | computing |
| --- | --- | --- |
| 6 of 7 | `--digits 6 --symbols 0123456 --seconds 2400` | 975 s, 14,377,010 nodes |
| 6 of 8 | `--digits 6 --symbols 01234567 --seconds 1200` | 644 s, 897,476 nodes |
| Mastermind 5 of 8 | `--digits 5 --symbols 01234567 --repeats all --store S` | 6,304 s, 5,406,800 nodes |

*Evidence* is the basis of a total. *Checked*: an independent program accepted a [certificate](certificates.md) that no
strategy takes less. *Proven*: one search has proven it. *Best known*: a strategy attains it, and the number after ≥ is
a lower *bound* for all strategies.

*Published* is the first publication of the total that we know of; an empty field means that we found no publication.
"""


@dataclass(frozen=True)
class Row:
    """A game that was solved, or whose strategy is stored in a file."""

    task: Task
    solution: Solution | None
    strategy: Strategy | None
    checked: bool
    """Whether there is a certificate, which the tests check."""

    def cells(self) -> Iterator[str]:
        """Return the cells of the table."""
        rules, objective = self.task.rules, self.task.objective
        strategy, game = self.strategy, f"{rules.digits} of {len(rules.symbols)}"
        yield game if self.solution else f"[{game}](../assets/results/{file_name(rules)})"
        yield _objective(objective) + (", one symbol known absent" if self.task.absent else "")
        yield f"{sum(1 for _ in self.task.secrets()):,}"
        if strategy is None:
            yield from ("impossible", "proven", "", "", "")
        else:
            cost = strategy.cost
            proven = cost.total_guesses == strategy.proof.lower_bound
            total = f"**{cost.total_guesses:,}**"
            yield total if proven else f"≤ {cost.total_guesses:,}, ≥ {strategy.proof.lower_bound:,} (not proven)"
            certificate = f"../assets/results/{CERTIFICATES}/{file_name(rules, '.cert.gz')}"
            yield f"[checked]({certificate})" if self.checked else "proven" if proven else "best known"
            yield f"{cost.mean:.4f}"
            yield str(cost.max_guesses)
            yield " ".join(map(str, cost.histogram))
        if self.solution:
            yield f"{self.solution.nodes:,}"
            yield f"{self.solution.cpu_seconds:.2f} + {self.solution.tie_break_cpu_seconds:.2f}"
        else:
            yield from ("", "")
        yield PUBLISHED.get((rules, objective), "")


def _objective(objective: Objective) -> str:
    text = LEAST[objective.kind]
    if objective.within is not None:
        text += f", within {objective.within}"
    return text + ", consistent guesses only" if objective.consistent else text


def tasks() -> Iterator[Task]:
    """Yield the games of the page, kind by kind."""
    most = {
        Repeats.NONE: {2: 10, 3: 10, 4: 10, 5: 10, 6: 8},
        Repeats.GUESS: {2: 10, 3: 10, 4: 10},
        Repeats.ALL: {2: 10, 3: 10, 4: 9, 5: 8},
    }
    for kind in Repeats:
        for digits, symbols in most[kind].items():
            fewest = 2 if kind is Repeats.ALL else digits
            for count in range(fewest, symbols + 1):
                task = Task(Rules(digits, SYMBOLS[:count], kind))
                yield task
                yield from tasks_with_other_objectives(task.rules)


def file_name(rules: Rules, ending: str = ".json.gz") -> str:
    """Return the file name of a stored strategy or certificate."""
    kind = {Repeats.NONE: "", Repeats.GUESS: "-any-guess", Repeats.ALL: "-repeats"}[rules.repeats]
    return f"{rules.digits}-of-{len(rules.symbols)}{kind}{ending}"


def stored_strategy(folder: Path, task: Task) -> Strategy | None:
    """Return the stored strategy of a game after verification; None if there is no file."""
    path = folder / file_name(task.rules)
    if task != Task(task.rules) or not path.exists():
        return None
    strategy = read_strategy(decompress(path.read_bytes()))
    verify(strategy)
    return strategy


def row_of(task: Task, folder: Path, seconds: float) -> Row:
    """Return a game with its stored strategy, or solve it."""
    certificate = folder / CERTIFICATES / file_name(task.rules, ".cert.gz")
    checked = task == Task(task.rules) and certificate.exists()
    if strategy := stored_strategy(folder, task):
        return Row(task, None, strategy, checked)
    solution = solve_within(task, seconds)
    return Row(task, solution, solution.strategy, checked)


def tasks_with_other_objectives(rules: Rules) -> Iterator[Task]:
    """Yield the tasks of a game with other objectives, if the page lists such tasks for this game."""
    if rules == Rules(3):
        yield Task(rules, absent="9")
        yield Task(rules, objective=Objective(Criterion.WORST))
        yield Task(rules, objective=Objective(within=6))
        yield Task(rules, objective=Objective(within=5))
        yield Task(rules, objective=Objective(consistent=True))
    if rules == Rules(4):
        yield Task(rules, objective=Objective(consistent=True))
    if rules == Rules(4, SYMBOLS[:6], Repeats.ALL):
        yield Task(rules, objective=Objective(within=5))
    if rules == Rules(4, SYMBOLS[:8], Repeats.ALL):
        yield Task(rules, objective=Objective(within=6))
    if rules in [Rules(4, SYMBOLS[:symbols], Repeats.ALL) for symbols in (4, 5, 6, 7, 8)]:
        yield Task(rules, objective=Objective(consistent=True))
    distinct = rules.repeats is Repeats.NONE and rules.digits <= 4
    if distinct or rules in [Rules(4, SYMBOLS[:symbols], Repeats.ALL) for symbols in (6, 7, 8)]:
        yield Task(rules, objective=Objective(Criterion.LAST))


def solve_within(task: Task, seconds: float) -> Solution:
    """Solve within a limit of CPU seconds."""
    end = process_time() + seconds

    try:
        return solve(task, budget=Budget(cancelled=lambda: process_time() > end))
    except Stopped as stopped:
        best = stopped.best
        assert isinstance(best, Solution)
        return best


def page(rows: list[Row]) -> str:
    """Return the whole page."""
    processor = next((line.split(":")[1].strip() for line in _cpuinfo() if line.startswith("model name")), "?")
    parts = [
        HEAD.format(
            machine=f"{processor}, {platform.machine()}, Python {platform.python_version()}",
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
        row = row_of(task, arguments.output.parent.parent / "assets/results", arguments.seconds)
        rows.append(row)
        print(" | ".join(row.cells()), file=sys.stderr, flush=True)
        arguments.output.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
