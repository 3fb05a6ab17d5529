"""A strategy with all that is claimed of it: the game, what was known at its start, the objective, cost and proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations, product

from yomikiri.hitblow.rules import Repeats, Rules, Turn, hint
from yomikiri.hitblow.strategy.tree import Cost, Node


class Kind(StrEnum):
    """What is made as small as possible first: the guesses of all secrets together, or those of the worst one."""

    EXPECTED = "expected"
    WORST = "worst"

    def __repr__(self) -> str:
        return f"Kind.{self.name}"


@dataclass(frozen=True, slots=True)
class Objective:
    """What a strategy was made for.

    `within` is the most guesses that any secret may take, if there is a limit; `consistent` allows only guesses that
    can themselves be the secret.
    """

    kind: Kind = Kind.EXPECTED
    within: int | None = None
    consistent: bool = False


class Evidence(StrEnum):
    """How sure it is that nothing does better: proven, or only the best known."""

    OPTIMAL = "optimal"
    HEURISTIC = "heuristic"

    def __repr__(self) -> str:
        return f"Evidence.{self.name}"


@dataclass(frozen=True, slots=True)
class Proof:
    """What was proven: no strategy of the same objective has a lower total than `lower_bound`.

    Under `Kind.WORST` the strategies compared are those of the least maximum.
    """

    kind: Evidence
    lower_bound: int


@dataclass(frozen=True, slots=True)
class Strategy:
    """A tree for a game with its cost and what is claimed of it; `verify` holds the claims against the rules.

    `absent` and `turns` are what is known before the first guess of the tree; the cost counts guesses from there.
    """

    rules: Rules
    tree: Node
    cost: Cost
    objective: Objective
    proof: Proof
    absent: str = ""
    turns: tuple[Turn, ...] = ()

    def secrets(self) -> Iterator[str]:
        """The codes that the tree has to find."""
        return secrets(self.rules, self.absent, self.turns)


def secrets(rules: Rules, absent: str, turns: tuple[Turn, ...]) -> Iterator[str]:
    """The codes without absent symbols that fit every turn, in order: the candidates, counted by the plain rules."""
    symbols = [symbol for symbol in rules.symbols if symbol not in absent]
    if rules.repeats is Repeats.ALL:
        codes = map("".join, product(symbols, repeat=rules.digits))
    else:
        codes = map("".join, permutations(symbols, rules.digits))
    return (code for code in codes if all(hint(turn.guess, code) == turn.hint for turn in turns))
