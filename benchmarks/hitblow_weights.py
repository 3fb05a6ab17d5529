"""The value of knowing the weights of secrets, and the cost of wrong weights: the table of the docs.

    python benchmarks/hitblow_weights.py           the table of docs/guide/what-can-be-known.md, some minutes of CPU
    python benchmarks/hitblow_weights.py caution   predictions from past secrets, by the amount of smoothing

An opponent has a habit: a weight for each of 720 secrets. The guesses come from the default policy with no weights,
with the habit itself, or with weights learned from 10, 30 and 100 secrets of the habit. Each is played against the
habit, and against an opponent without one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from itertools import product
from math import log2
from random import Random
from statistics import fmean

from yomikiri.hitblow.model import prior as priors
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import Prior
from yomikiri.hitblow.model.rules import Rules, Turn
from yomikiri.hitblow.policies import policy_named

RULES = Rules()
CODES = tuple(RULES.secrets())
PAST = (10, 30, 100)
SEEDS = 3  # number of samples of past secrets
EVEN = dict.fromkeys(CODES, 1)


def by_symbol(weigh: Callable[[int, str], int]) -> dict[str, int]:
    """Return a habit that is independent for each position: `weigh` gives the weight of a symbol there."""
    return {code: weigh(0, code[0]) * weigh(1, code[1]) * weigh(2, code[2]) for code in CODES}


def favourites() -> dict[str, int]:
    """Return a habit that chooses one of ten codes half of the time."""
    return EVEN | dict.fromkeys(Random(1).sample(CODES, 10), 72)


HABITS: Mapping[str, dict[str, int]] = {
    "3 and 7 twice as often, 0 half as often": by_symbol(lambda _place, s: 4 if s in "37" else 1 if s == "0" else 2),
    "begins low, ends high: 1 to 3, 7 to 9, thrice as often": by_symbol(
        lambda place, s: 3 if (place, s) in {*product((0,), "123"), *product((2,), "789")} else 1
    ),
    "ten favourites, half of the time": favourites(),
    "1, 3, 7 and 9 eight times as often": by_symbol(lambda _place, s: 8 if s in "1379" else 1),
}


def guesses(prior: Mapping[str, int]) -> dict[str, int]:
    """Return the number of guesses for each secret if these weights are assumed."""
    policy, taken = policy_named("exact"), {}
    open_games = [Knowledge(RULES, prior=tuple(prior.items()))]
    while open_games:
        known = open_games.pop()
        guess = policy.choose(known).guess
        for hint in known.cells(guess):
            if hint == RULES.win:
                taken[guess] = len(known.facts) + 1
            else:
                open_games.append(known.after(Turn(guess, hint)))
    return taken


def average_guesses(taken: Mapping[str, int], habit: Mapping[str, int]) -> float:
    """Return the average number of guesses against a habit."""
    return sum(taken[code] * weight for code, weight in habit.items()) / sum(habit.values())


def past(habit: Mapping[str, int], count: int, seed: int) -> Prior:
    """Return the weights learned from `count` secrets of a habit."""
    return priors.learned(RULES, Random(seed).choices([*habit], [*habit.values()], k=count))


def table() -> None:
    """Print the average number of guesses by habit, known weights, and opponent."""
    even = guesses(EVEN)
    print(f"{'':56}{'nothing':>12}{'all':>12}" + "".join(f"{f'{count} past':>12}" for count in PAST))
    for name, habit in HABITS.items():
        known = [[even], [guesses(habit)]]
        known += [[guesses(dict(past(habit, count, seed))) for seed in range(SEEDS)] for count in PAST]
        for label, truth in ((name, habit), ("  and none in truth", EVEN)):
            taken = (fmean(average_guesses(each, truth) for each in tried) for tried in known)
            print(f"{label:56}" + "".join(f"{guesses:12.3f}" for guesses in taken), flush=True)


def compare_smoothing() -> None:
    """Print how many bits worse the learned weights predict the next secret than equal weights; negative is better."""
    for each in (1, 2, 4, 8):
        priors._CAUTION = each
        print(f"caution {each}")
        for name, habit in {**HABITS, "no habit": EVEN}.items():
            whole, lost = sum(habit.values()), []
            for count in (3, *PAST):
                tried = []
                for seed in range(20):
                    prior = past(habit, count, seed)
                    # the share of a code with equal weights
                    share = sum(weight for _code, weight in prior) / len(CODES)
                    tried.append(sum(habit[code] * log2(share / weight) for code, weight in prior) / whole)
                lost.append(fmean(tried))
            print(f"  {name:56}" + "".join(f"{bits:+8.2f}" for bits in lost), flush=True)


if __name__ == "__main__":
    compare_smoothing() if "caution" in sys.argv[1:] else table()
