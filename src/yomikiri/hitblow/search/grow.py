"""The strategy tree behind a cost, grown from what the engine knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from yomikiri.budget import UNLIMITED, Budget
from yomikiri.hitblow.rules import Turn
from yomikiri.hitblow.search.engine import Engine
from yomikiri.hitblow.search.subproblem import Subproblem
from yomikiri.hitblow.strategy.tree import Node

QUICK = 24  # so few codes are solved at once where a tree need not be optimal


def optimal_tree(engine: Engine, subproblem: Subproblem, budget: Budget = UNLIMITED) -> Node:
    """A tree that attains the least cost of a subproblem.

    At every node the guess is the first, by its bound and then in code order, that attains the least cost of the codes
    that are left; so the tree does not depend on the memo. Raises `Stopped` with nothing.
    """

    def choose(part: Subproblem) -> str:
        return engine.best_guess(part, engine.run(part, budget).lower, budget)

    return _grown(engine, subproblem, choose)


def quick_tree(engine: Engine, subproblem: Subproblem, first: str = "") -> Node:
    """A good tree without a search: small sets are solved, others take the guess of the least one-step bound.

    At the top it takes the guess `first` if there is one.
    """

    def choose(part: Subproblem) -> str:
        if first and part is subproblem:
            return first
        if len(engine.codes(part.turns)) <= QUICK:
            return engine.best_guess(part, engine.run(part).lower)
        return engine.first_guess(part)

    return _grown(engine, subproblem, choose)


def _grown(engine: Engine, subproblem: Subproblem, choose: Callable[[Subproblem], str]) -> Node:
    guess = choose(subproblem)
    limit = None if subproblem.limit is None else subproblem.limit - 1
    branches = (
        (
            answer,
            _grown(engine, replace(subproblem, turns=(*subproblem.turns, Turn(guess, answer)), limit=limit), choose),
        )
        for answer in engine.cells(subproblem.turns, guess)
        if answer != subproblem.rules.win
    )
    return Node(guess, tuple(branches))
