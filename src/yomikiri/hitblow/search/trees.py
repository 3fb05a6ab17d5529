"""Strategy trees of least cost, built guess by guess from known guesses and further searches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from yomikiri.common.budget import UNLIMITED, Budget
from yomikiri.hitblow.model.rules import Turn
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.strategy.strategy import Node

if TYPE_CHECKING:
    from yomikiri.hitblow.search.engine import SearchEngine

# A set of at most this number of codes is solved exactly. A larger one gets a guess that need not be the best.
QUICK = 60


def optimal_tree(
    engine: SearchEngine,
    subproblem: Subproblem,
    budget: Budget = UNLIMITED,
    known: Callable[[Subproblem], str] = lambda _: "",
) -> Node:
    """Build a tree that attains the least cost of a subproblem.

    `known` returns a guess that is proven to attain the least cost of a cell, or "". The tree has this guess, or else
    the first guess of least cost, by bound and then in code order. So the tree does not depend on the transposition
    table. Raises `Stopped` without a result.
    """

    def choose(part: Subproblem) -> str:
        codes = engine.codes(part.turns)
        if guess := known(part):
            return guess
        if len(codes) <= 2:  # Both orders of two codes have the same cost.
            return engine.code(codes[0])
        return engine.best_guess(part, engine.run(part, budget), budget)

    return _grown(engine, subproblem, choose)


def _grown(engine: SearchEngine, subproblem: Subproblem, choose: Callable[[Subproblem], str]) -> Node:
    guess = choose(subproblem)
    branches = (
        (answer, _grown(engine, subproblem.after(Turn(guess, answer)), choose))
        for answer in engine.cells(subproblem.turns, guess)
        if answer != engine.rules.win
    )
    return Node(guess, tuple(branches))
