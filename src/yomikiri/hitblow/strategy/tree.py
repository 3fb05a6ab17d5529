"""A strategy as a tree: which code to guess, and for every hint that can come back the tree to go on with.

Two digits of three symbols (01, 02, 10, 12, 20, 21), least total:

    01 --0H1B--> 12 --0H1B--> 20        secrets 01 1 guess, 12 2 guesses, 20 3 guesses
       --0H2B--> 10
       --1H0B--> 02 --0H1B--> 21

The winning hint has no branch, since the game is over. A node without branches guesses the only code left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from yomikiri.hitblow.rules import Hint, hint


@dataclass(frozen=True, slots=True)
class Node:
    """A guess and its branches, one for each hint that can be the answer and does not end the game, in any order."""

    guess: str
    branches: tuple[tuple[Hint, Node], ...] = ()

    def after(self, answer: Hint) -> Node | None:
        """The tree to go on with after that answer; none after the winning hint and after one that cannot come."""
        for expected, node in self.branches:
            if expected == answer:
                return node
        return None

    def guesses(self, secret: str) -> Iterator[str]:
        """The codes guessed until `secret` is found; they end early where the tree has no branch for a hint."""
        node: Node | None = self
        while node is not None:
            yield node.guess
            node = node.after(hint(node.guess, secret))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a strategy costs: `histogram[i]` counts the secrets found at guess i + 1. All other figures follow."""

    histogram: tuple[int, ...]

    @property
    def secrets(self) -> int:
        """How many secrets there are."""
        return sum(self.histogram)

    @property
    def total_guesses(self) -> int:
        """Guesses summed over all secrets."""
        return sum(turn * count for turn, count in enumerate(self.histogram, start=1))

    @property
    def max_guesses(self) -> int:
        """Guesses for the secret that takes the most."""
        return len(self.histogram)

    @property
    def mean(self) -> float:
        """Guesses a secret, on average."""
        return self.total_guesses / self.secrets


def cost(tree: Node, secrets: Iterable[str]) -> Cost:
    """The cost of a tree that finds every one of `secrets`, of which there is at least one."""
    taken = [sum(1 for _ in tree.guesses(secret)) for secret in secrets]
    return Cost(tuple(taken.count(turn) for turn in range(1, max(taken) + 1)))
