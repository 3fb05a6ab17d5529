"""Strategies as trees, and their verifier, which plays them by the rules alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from yomikiri.common.errors import N_, StrategyFault
from yomikiri.guessing.game import Position


@dataclass(frozen=True, slots=True)
class DecisionNode:
    """A strategy: a guess, and the strategy after each answer but the win."""

    guess: str
    branches: tuple[tuple[str, DecisionNode], ...] = ()


def replay(strategy: DecisionNode, position: Position) -> tuple[int, ...]:
    """Play a strategy against every candidate: return the total weight found at guess 1, 2, 3, ...

    It uses no part of the search. Raises a `StrategyFault` if the strategy misses a candidate.
    """
    kind, win = position.game.answers, position.game.answers.win(position.game.places)
    found: Counter[int] = Counter()
    for secret, weight in zip(position.candidates, position.weights, strict=True):
        node, guesses = strategy, 1
        while (answer := kind.answer(node.guess, secret)) != win:
            after = dict(node.branches).get(answer)
            if after is None:
                raise StrategyFault(N_("the strategy does not find {secret}"), secret=secret)
            node, guesses = after, guesses + 1
        found[guesses] += weight
    return tuple(found[guesses] for guesses in range(1, max(found) + 1))
