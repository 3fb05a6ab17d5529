"""Simulation: a policy plays against every secret, and its guesses are counted."""

from __future__ import annotations

from collections.abc import Callable

from yomikiri.common.budget import UNLIMITED, Budget, Progress, Stopped
from yomikiri.guessing.guess_rules import repeated_guess
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.policies.base import Policy
from yomikiri.hitblow.policies.given import read_policy
from yomikiri.hitblow.strategy.strategy import Cost


def simulate(
    policy: Policy | Callable[[Knowledge], str] | str,
    start: Knowledge | Rules | str | None = None,
    budget: Budget = UNLIMITED,
) -> Cost:
    """Play a policy against every candidate, from `start` (default: the standard game), and return the cost.

    The policy may be given by name, or as a plain function from knowledge to a guess. `start` may be rules, the name of
    a preset, or facts as text. If some candidates are likelier than others, each candidate counts with its weight.

    `budget.states` limits the number of chosen guesses. Progress reports count the secrets found so far. If the budget
    ends, raises `Stopped` with the cost of the secrets found so far.

    Raises the errors of the policy, and an `InputError` for invalid arguments or if turns may be wrong. It also raises
    an `InputError` if the policy repeats a guess without new information, because the game might never end.

    >>> simulate(lambda known: known.codes(1)[0]).total_guesses
    3792
    """
    policy, budget = read_policy(policy, "policy"), Budget.read(budget, "budget")
    start = Knowledge() if start is None else Knowledge.read(start, "start")
    start.require_certain()
    histogram: list[int] = []
    chosen = 0

    def progress() -> Progress:
        return Progress(states=chosen, done=sum(histogram), of=start.total)

    open_games, part = [start], budget.part(progress)
    while open_games:
        known = open_games.pop()
        guess = policy.guess(known, part)
        if budget.spent(chosen):  # if the budget has ended, the guess may be a fallback
            raise Stopped(Cost(tuple(histogram)))
        only = known.count == 1 and known.codes() == [guess]
        cells = [known.rules.win] if only else [*known.cells(guess)]
        # This ensures that every game ends: a guess reduces the candidates, or is made for the first time.
        if len(cells) == 1 and not only and any(turn.guess == guess for turn in known.turns):
            raise repeated_guess(guess)
        chosen += 1
        depth = len(known.turns) - len(start.turns)
        for hint in cells:
            if hint == known.rules.win:
                histogram.extend([0] * (depth + 1 - len(histogram)))
                histogram[depth] += 1 if start.weights is None else start.weight(guess)
            else:
                open_games.append(known.after(Turn(guess, hint)))
        budget.report(progress())
    return Cost(tuple(histogram))
