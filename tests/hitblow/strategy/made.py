"""Strategies for tests, built by playing a policy."""

from __future__ import annotations

from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.policies.base import Policy
from yomikiri.hitblow.policies.onestep import OneStep
from yomikiri.hitblow.strategy.strategy import Evidence, Node, Proof, Strategy, Task, cost

SMALL = Knowledge(Rules(2, "0123"))
ENTROPY = OneStep("entropy")


def tree_of(policy: Policy, known: Knowledge) -> Node:
    """Return the tree of the guesses that a policy chooses."""
    guess = policy.choose(known).guess
    answers = [answer for answer in known.cells(guess) if answer != known.rules.win]
    return Node(guess, tuple((answer, tree_of(policy, known.after(Turn(guess, answer)))) for answer in answers))


def strategy_of(known: Knowledge = SMALL, policy: Policy = ENTROPY) -> Strategy:
    """Return the strategy of a policy with its cost, as a heuristic."""
    tree = tree_of(policy, known)
    counted = cost(tree, known.codes())
    proof = Proof(Evidence.HEURISTIC, known.count)
    return Strategy(Task(known.rules, known.absent, known.turns), tree, counted, proof)
