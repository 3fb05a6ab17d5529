"""A policy played against every secret of a game at once: secrets that answered alike so far share the next guess."""

from __future__ import annotations

from collections.abc import Callable

from yomikiri.hitblow.knowledge import Knowledge
from yomikiri.hitblow.policies.base import Policy
from yomikiri.hitblow.rules import Turn
from yomikiri.hitblow.strategy.tree import Cost


def simulate(policy: Policy, start: Knowledge, progress: Callable[[int], None] = lambda _done: None) -> Cost:
    """Play `policy` from `start` against every candidate; `progress` is told how many secrets are found so far.

    Raises what the policy raises. A policy that guesses without learning would play for ever; the policies of the
    package always split the candidates or guess one of them.
    """
    histogram: list[int] = []
    done = 0
    open_games = [start]
    while open_games:
        known = open_games.pop()
        guess = policy.choose(known).guess
        depth = len(known.turns) - len(start.turns)
        for hint in known.cells(guess):
            if hint == known.rules.win:
                histogram.extend([0] * (depth + 1 - len(histogram)))
                histogram[depth] += 1
                done += 1
            else:
                open_games.append(known.after(Turn(guess, hint)))
        progress(done)
    return Cost(tuple(histogram))
