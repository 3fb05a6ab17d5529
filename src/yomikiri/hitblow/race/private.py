"""Proven bounds of the value of the private race, in which guesses may depend on the player's own secret.

In this race, both players see all guesses and answers, and each player also knows their own secret. A guess may thus
reveal something about the secret of the player who makes it.

Terms: a *node* is a decision of a player in the game tree (`private_tree`). A *strategy* of a player gives the
probability of each move, for each node of this player and each possible secret of theirs.

The solver computes a strategy for each player. Both strategies come from one linear program in sequence form (Koller,
Megiddo and von Stengel 1996):

- There is one variable for each node of the first player, each possible secret of theirs, and each move at
  the node. It is the probability that the first player's own choices lead to this move, times the relative
  weight of the secret. The *relative weight* is the weight divided by the average weight of the possible
  secrets.
- There is one variable for each node of the second player and each possible secret of theirs. It is a lower
  bound on the first player's payoff from this node on.
- The second player's strategy is the dual solution.

The linear program uses floats. So the strategies are rounded to fractions. The exact payoffs of these strategies
against the best replies are bounds of the value, whatever the accuracy of the linear program. `least` computes the
lower bound from the first player's strategy, and `most` the upper bound from the second player's strategy.
"""

from __future__ import annotations

from fractions import Fraction
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from yomikiri.common.budget import UNLIMITED, Budget, Progress
from yomikiri.hitblow.race.linear import Program, Rows, optimum
from yomikiri.hitblow.race.private_tree import Cases, PrivateMove, PrivateNode, Tree
from yomikiri.hitblow.race.terms import Terms, Value
from yomikiri.hitblow.race.unseen import rounded

# Strategy of a player: probabilities of the moves, by decision in the game tree and by secret of the player.
Strategy = dict[tuple[PrivateNode, str], NDArray[np.float64]]

# Denominators for rounding the probabilities of moves; each is tried in turn, until both bounds of the value are equal.
_PARTS = (12, 5040, 10**9)


class _Program:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.variables = 0
        # For each decision and secret of the first player, there is a group of consecutive variables of the linear
        # program, one for each possible move, in order. The number here is the index of the first variable of the
        # group. Each variable is the probability that the player's own choices lead to the move, times the relative
        # weight of the secret.
        self.plans: dict[tuple[PrivateNode, str], int] = {}
        # For each decision and secret of the second player: index of the variable of the linear program for this
        # decision and this secret. The variable is a lower bound of the first player's payoff from this decision on.
        self.values: dict[tuple[PrivateNode, str], int] = {}
        # For each decision and secret of the second player, there is a group of consecutive inequalities of the linear
        # program, one for each possible move, in order. The number here is the index of the first inequality of the
        # group.
        self.replies: dict[tuple[PrivateNode, str], int] = {}
        self.flows, self.bounds = Rows(), Rows()
        self._visit(tree.root, {})

    def _visit(self, node: PrivateNode, latest_variables: dict[str, int]) -> None:
        """Write the rows of the linear program for one decision of a player, and recursively for all later decisions.

        `latest_variables` contains, for each possible secret of the first player, the index of the variable for this
        secret and the first player's latest move before this decision. It is empty before the first move.
        """
        if node.first:
            for own in node.own:
                plan = self.plans[node, own] = self._new(len(node.moves))
                parent = [(latest_variables[own], -1.0)] if latest_variables else []
                self.flows.add([*((plan + m, 1.0) for m in range(len(node.moves))), *parent])
            for m, move in enumerate(node.moves):
                sequence = {own: self.plans[node, own] + m for own in node.own}
                for child in move.nodes:
                    self._visit(child, sequence)
            return
        for own in node.own:
            self.values[node, own] = self._new(1)
        for move in node.moves:
            for child in move.children:
                self._visit(child, {own: latest_variables[own] for own in child.own})
        for own in node.own:
            self.replies[node, own] = self.bounds.count
            for move in node.moves:
                made = self._last(move, latest_variables) if node.last else self._made_after(move, own)
                self.bounds.add([(self.values[node, own], 1.0), *((column, -value) for column, value in made)])

    def _new(self, count: int) -> int:
        self.variables += count
        return self.variables - count

    def _last(self, move: PrivateMove, latest_variables: dict[str, int]) -> list[tuple[int, float]]:
        """Return the first player's payoff after the guess `move` of the second player, the last one of the match.

        The first player has hit already. So the payoff is 1/2 if the second player's guess is right, and 1 otherwise.
        `latest_variables` contains, for each possible secret of the first player, the index of the variable for this
        secret and the first player's latest move. The result is a sum of these variables of the linear program: a list
        of (index of the variable, coefficient).
        """
        return [(column, 0.5 if own == move.guess else 1.0) for own, column in latest_variables.items()]

    def _made_after(self, move: PrivateMove, secret: str) -> list[tuple[int, float]]:
        """Return the first player's payoff after `move`, a guess of the second player, whose own secret is `secret`.

        The result is a sum of variables of the linear program: a list of (index of the variable, coefficient). The
        cases in which the guess hits add nothing to the sum, because the second player then wins.
        """
        return [entry for child in move.children for entry in self.made(child, secret)]

    def made(self, node: PrivateNode, secret: str) -> list[tuple[int, float]]:
        """Return the first player's payoff from `node` on, if the second player's secret is `secret`.

        `node` is a decision of the first player. The result is a sum of variables of the linear program: a list of
        (index of the variable, coefficient).
        """
        entries: list[tuple[int, float]] = []
        for m, move in enumerate(node.moves):
            after = move.after(secret)
            if after is None:
                entries.extend((self.plans[node, own] + m, 1.0) for own in node.own)
            else:
                entries.append((self.values[after, secret], 1.0))
        return entries


def strategies(tree: Tree, budget: Budget = UNLIMITED) -> tuple[Strategy, Strategy]:
    """Return optimal strategies of both players, with float probabilities. Raises `Stopped` without a result."""
    program = _Program(tree)
    cost = np.zeros(program.variables)
    for secret, cases in tree.sought.items():
        for column, value in program.made(tree.root, secret):
            cost[column] -= value * cases * len(tree.sought) / sum(tree.sought.values())
    start = np.zeros(program.flows.count)
    start[: len(tree.own)] = np.array([*tree.own.values()], dtype=np.float64) * len(tree.own) / sum(tree.own.values())
    free = np.ones(program.variables, dtype=bool)
    for (node, _own), plan in program.plans.items():
        free[plan : plan + len(node.moves)] = False
    found = optimum(Program(cost, free, program.bounds, program.flows, start), budget)
    return (
        {place: _chances(found.variables, at, place[0]) for place, at in program.plans.items()},
        {place: _chances(found.duals, at, place[0]) for place, at in program.replies.items()},
    )


def _chances(weights: NDArray[np.float64], at: int, node: PrivateNode) -> NDArray[np.float64]:
    """Return the probabilities of the moves at a decision of a player, from a solution of the linear program.

    The solution `weights` contains one number for each move at this decision, beginning at index `at`. The
    probabilities are proportional to these numbers. If the numbers are all (nearly) 0, the player never gets to this
    decision. Then the first move has probability 1.
    """
    here = np.maximum(weights[at : at + len(node.moves)], 0)
    if here.sum() < 1e-9:
        here = np.zeros(len(here))
        here[0] = 1
    chances: NDArray[np.float64] = here / here.sum()
    return chances


def private(terms: Terms, *, budget: Budget = UNLIMITED) -> Value:
    """Return the value of the private race, in which guesses may depend on the player's own secret.

    The two bounds of the value are equal, or differ by about 1e-8. If the budget limits the number of states, each node
    of the game tree (a decision of a player) counts as one. Raises `Stopped` without a result, and an `InputError` for
    a race that is too large.
    """
    begun = monotonic()
    tree = Tree(terms, budget)
    budget = budget.part(lambda: Progress(states=tree.histories, seconds=monotonic() - begun))
    first, second = strategies(tree, budget)
    for parts in _PARTS:
        budget.check()
        ours, theirs = _exact(first, parts), _exact(second, parts)
        lower, upper = least(tree, ours), most(tree, theirs)
        if lower == upper:
            break
    draw = drawn(tree.root, _weights(tree.own), _weights(tree.sought), ours, theirs) / _cases(tree)
    return Value(lower, upper, draw)


def _exact(strategy: Strategy, parts: int) -> Chances:
    """Return a strategy with its probabilities rounded to fractions with the denominator `parts`."""
    return {
        place: tuple(Fraction(part, parts) for part in rounded(chances, parts)) for place, chances in strategy.items()
    }


Chances = dict[tuple[PrivateNode, str], tuple[Fraction, ...]]
# For each possible secret of one player: its weight, times the probability that this player's own moves lead to some
# decision of the game tree.
Weights = dict[str, Fraction]


def least(tree: Tree, first: Chances) -> Fraction:
    """Return the chance of winning that a strategy guarantees the first player, with a draw counted one half.

    The second player chooses the best reply to this strategy.
    """
    return _bound(tree, first, tree.own, tree.sought, replies_first=False)


def most(tree: Tree, second: Chances) -> Fraction:
    """Return the first player's greatest chance of winning against a strategy of the second player.

    A draw counts one half.
    """
    return _bound(tree, second, tree.sought, tree.own, replies_first=True)


def _bound(tree: Tree, strategy: Chances, secrets: Cases, replies: Cases, *, replies_first: bool) -> Fraction:
    made = _made(tree.root, _weights(secrets), strategy, replies_first)
    return sum((value * replies[code] for code, value in made.items()), Fraction(0)) / _cases(tree)


def _cases(tree: Tree) -> int:
    """Return the total weight of all pairs of secrets.

    The weight of a pair is the product of the weights of its two secrets.
    """
    return sum(tree.own.values()) * sum(tree.sought.values())


def _weights(secrets: Cases) -> Weights:
    return {code: Fraction(cases) for code, cases in secrets.items()}


def _made(node: PrivateNode, weights: Weights, strategy: Chances, replies_first: bool) -> Weights:
    """Return the first player's payoff from `node` on, if one player follows a strategy and the other replies best.

    `node` is a decision in the game tree. Let player A follow `strategy`, and player B reply. The result contains, for
    each possible secret of B, a sum of payoffs over the possible secrets of A. `weights` contains, for each possible
    secret of A, its weight times the probability that A's own moves lead to `node`. `replies_first` is True if B is the
    first player.
    """
    replies = node.first == replies_first
    own = node.own if replies else node.sought
    if not any(weights.values()):
        return dict.fromkeys(own, Fraction(0))
    added = dict.fromkeys(own, Fraction(0))
    by_move = []
    for m, move in enumerate(node.moves):
        made = dict.fromkeys(own, Fraction(0)) if replies else added
        here = weights if replies else {code: weight * strategy[node, code][m] for code, weight in weights.items()}
        for child in move.nodes:
            left = {code: here[code] for code in child.own} if replies else here
            for code, value in _made(child, left, strategy, replies_first).items():
                made[code] += value
        # At this node the first player has hit already: a hit of the second player is a draw, and after a miss the
        # first player wins.
        if node.last:
            whole = sum(here.values(), Fraction(0))
            for code in own:
                found = here[move.guess] if replies else whole * (code == move.guess)
                made[code] += whole - found / 2
        elif node.first and move.answer is None and move.guess in (here if replies else made):
            for code in own if replies else (move.guess,):
                made[code] += here[move.guess] if replies else sum(here.values())
        by_move.append(made)
    if not replies:
        return added
    best = max if replies_first else min
    return {code: best(made[code] for made in by_move) for code in own}


def drawn(node: PrivateNode, own: Weights, secrets: Weights, first: Chances, second: Chances) -> Fraction:
    """Return the probability of a draw, multiplied by the total weight of all pairs of secrets.

    Both players follow their strategies `first` and `second` from the decision `node` on. The weight of a pair is the
    product of the weights of both secrets. `own` contains, for each possible secret of the first player, its weight
    times the probability that the first player's moves lead to `node`. `secrets` contains the same for the second
    player's secrets and moves.
    """
    total = Fraction(0)
    mine, theirs = (own, secrets) if node.first else (secrets, own)
    strategy = first if node.first else second
    for m, move in enumerate(node.moves):
        later = {code: weight * strategy[node, code][m] for code, weight in mine.items()}
        if node.last:
            total += sum(later.values()) * theirs[move.guess]
        for child in move.nodes:
            left = {code: theirs[code] for code in child.own}
            total += drawn(child, *((later, left) if node.first else (left, later)), first, second)
    return total
