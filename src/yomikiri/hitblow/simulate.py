"""A policy played against every secret of a game at once: secrets that answered alike so far share the next guess."""

from __future__ import annotations

from yomikiri.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies.base import Policy
from yomikiri.hitblow.rules import Turn
from yomikiri.hitblow.strategy.tree import Cost


def simulate(policy: Policy, start: Knowledge, budget: Budget = UNLIMITED) -> Cost:
    """Play `policy` from `start` against every candidate.

    The states of the budget are guesses chosen; it is told how many of the secrets are found, and spent it raises
    `Stopped` with the cost of those. Raises what the policy raises. A policy that guesses without learning would play
    for ever; the policies of the package always split the candidates or guess one of them.
    """
    histogram: list[int] = []
    chosen = 0

    def progress() -> Progress:
        return Progress(states=chosen, done=sum(histogram), of=start.count)

    open_games, part = [start], budget.part(progress)
    while open_games:
        known = open_games.pop()
        guess = policy.choose(known, part).guess
        if budget.spent(chosen):  # the guess may not be the policy's own
            raise Stopped(Cost(tuple(histogram)))
        chosen += 1
        depth = len(known.turns) - len(start.turns)
        for hint in known.cells(guess):
            if hint == known.rules.win:
                histogram.extend([0] * (depth + 1 - len(histogram)))
                histogram[depth] += 1
            else:
                open_games.append(known.after(Turn(guess, hint)))
        budget.report(progress())
    return Cost(tuple(histogram))
