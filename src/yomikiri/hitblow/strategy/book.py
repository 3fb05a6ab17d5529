"""The book: proven strategies of the standard games, shipped with the package.

Each volume is a strategy file as `file.py` writes it, compressed: `zcat FILE | yomikiri hitblow verify -` checks one.
The command `yomikiri hitblow book` proves them all from scratch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from yomikiri.hitblow.rules import PRESETS, Repeats, Rules
from yomikiri.hitblow.shipped import packed, read_shipped
from yomikiri.hitblow.strategy.file import read_strategy, write_strategy
from yomikiri.hitblow.strategy.strategy import Criterion, Objective, Strategy, Task


@dataclass(frozen=True, slots=True)
class Volume:
    """A task that the book holds the solution of."""

    name: str
    task: Task

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.json.gz"


_HITBLOW, _BULLS, _MASTERMIND = (PRESETS[name].rules for name in ("hitblow", "bulls", "mastermind"))

VOLUMES = (
    Volume("hitblow", Task(_HITBLOW)),
    Volume("hitblow-worst", Task(_HITBLOW, objective=Objective(Criterion.WORST))),
    Volume("hitblow-within-6", Task(_HITBLOW, objective=Objective(within=6))),
    Volume("hitblow-consistent", Task(_HITBLOW, objective=Objective(consistent=True))),
    Volume("hitblow-absent", Task(_HITBLOW, absent="9")),
    Volume("bulls", Task(_BULLS)),
    Volume("mastermind", Task(_MASTERMIND)),
    Volume("mastermind-within-5", Task(_MASTERMIND, objective=Objective(within=5))),
)


@cache
def read_volume(volume: Volume) -> Strategy:
    """The strategy of a volume; raises an `InputError`."""
    return read_strategy(read_shipped(volume.file))


def write_volume(strategy: Strategy) -> bytes:
    """The file of a volume; the same strategy always gives the same bytes."""
    return packed(write_strategy(strategy).encode())


def held(task: Task) -> Strategy | None:
    """The strategy of the book for a task without turns, with the task's own symbols; None where the book has none.

    Renaming symbols, the absent ones among themselves, changes no hint, so cost and proof stay what they are.
    """
    volume = None if task.facts or task.prior else next(volumes(task.rules, task.absent, task.objective), None)
    if volume is None:
        return None
    strategy = read_volume(volume)
    names = str.maketrans(_by_presence(volume.task), _by_presence(task))
    return replace(strategy, task=task, tree=strategy.tree.renamed(lambda code: code.translate(names)))


def _by_presence(task: Task) -> str:
    """The symbols of a task, the absent ones last."""
    return "".join(sorted(task.rules.symbols, key=lambda symbol: symbol in task.absent))


def volumes(rules: Rules, absent: str, objective: Objective) -> Iterator[Volume]:
    """The volumes of games that differ from this one in the names of symbols only."""
    if rules.no_leading:
        return iter(())
    wanted = _shape(Task(rules, absent, objective=objective))
    return (volume for volume in VOLUMES if _shape(volume.task) == wanted)


def _shape(task: Task) -> tuple[int, int, Repeats, int, Objective]:
    """A task without the names of its symbols."""
    return task.rules.digits, len(task.rules.symbols), task.rules.repeats, len(task.absent), task.objective
