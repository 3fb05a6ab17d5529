"""A strategy with all that is claimed of it: the task it solves, its cost, its proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

from yomikiri.enums import Named
from yomikiri.errors import N_, Place, StrategyFault, YomikiriError
from yomikiri.hitblow.rules import Repeats, Rules, Turn, hint
from yomikiri.hitblow.strategy.tree import Cost, Node


def unusable(place: Place, reason: YomikiriError) -> StrategyFault:
    """The fault of rules, codes, hints or turns that are none."""
    return StrategyFault(N_("at {place}: {reason}"), place=place, reason=reason)


def doubled(place: Place, key: str) -> StrategyFault:
    """The fault of a key twice in one object, or of a hint with two branches."""
    return StrategyFault(N_("at {place}: {key!r} appears twice"), place=place, key=key)


class Kind(Named):
    """What is made as small as possible first: the guesses of all secrets together, or those of the worst one."""

    EXPECTED = "expected"
    WORST = "worst"


@dataclass(frozen=True, slots=True)
class Objective:
    """What a strategy was made for.

    `kind` may be told by its word; any other raises an `InputError`. `within` is the most guesses that any secret may
    take, if there is a limit; `consistent` allows only guesses that can themselves be the secret.
    """

    kind: Kind = Kind.EXPECTED
    within: int | None = None
    consistent: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", Kind.of(self.kind))


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be solved: a game, what is known before the first guess, and the objective.

    >>> list(Task(turns=(Turn.parse("012:0H3B"),)).secrets())
    ['120', '201']
    """

    rules: Rules = Rules()
    absent: str = ""
    turns: tuple[Turn, ...] = ()
    objective: Objective = Objective()

    def secrets(self) -> Iterator[str]:
        """The codes without absent symbols that fit every turn, in order: the candidates, by the plain rules."""
        symbols = [symbol for symbol in self.rules.symbols if symbol not in self.absent]
        if self.rules.repeats is Repeats.ALL:
            codes = map("".join, product(symbols, repeat=self.rules.digits))
        else:
            codes = map("".join, permutations(symbols, self.rules.digits))
        return (code for code in codes if all(hint(turn.guess, code) == turn.hint for turn in self.turns))


class Evidence(Named):
    """How sure it is that nothing does better: proven, or only the best known."""

    OPTIMAL = "optimal"
    HEURISTIC = "heuristic"


@dataclass(frozen=True, slots=True)
class Proof:
    """What was proven: no strategy of the same objective has a lower total than `lower_bound`.

    Under `Kind.WORST` the strategies compared are those of the least maximum.
    """

    kind: Evidence
    lower_bound: int


@dataclass(frozen=True, slots=True)
class Strategy:
    """A tree that solves a task, with its cost and proof; `verify` holds these claims against the rules.

    The cost counts guesses from the start of the task: its turns are not in it.
    """

    task: Task
    tree: Node
    cost: Cost
    proof: Proof
