"""Cost of the exact search with unequal weights: the tables of docs/theory/hitblow-search.md.

    python benchmarks/hitblow_uneven.py             positions after one answer and after two
    python benchmarks/hitblow_uneven.py start       from scratch as well, for at most 240 s for each prior
    python benchmarks/hitblow_uneven.py whole       from scratch until each proof ends: hours of CPU

CPU seconds, kernels loaded. The gap is the difference of the bounds, in guesses on average.
"""

from __future__ import annotations

import sys
from random import Random
from statistics import fmean
from time import process_time

from yomikiri.common.budget import Budget, Progress
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.prior import Prior
from yomikiri.hitblow.model.rules import Rules, Turn, hint
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.search.weighted_codes import WeightedCodesSearch
from yomikiri.hitblow.strategy.strategy import Task

RULES = Rules()
CODES = tuple(RULES.secrets())
MOMENTS = 2, 5, 10, 20, 30, 60, 120, 240  # CPU seconds
SEEDS = 3


def weights_by_position(spread: float, seed: int) -> Prior:
    """Return weights that are independent for each position: a symbol has the weight 2^(spread * normal)."""
    random = Random(seed)
    likes = [{symbol: 2 ** random.gauss(0, spread) for symbol in RULES.symbols} for _place in range(3)]
    weights = {code: likes[0][code[0]] * likes[1][code[1]] * likes[2][code[2]] for code in CODES}
    whole = sum(weights.values())
    return tuple((code, max(1, round(720_000 * weight / whole))) for code, weight in weights.items())


def nearly_even(seed: int) -> Prior:
    """Return weights from 95 to 105, independent for each code."""
    random = Random(seed)
    return tuple((code, random.randint(95, 105)) for code in CODES)


def priors(seed: int) -> dict[str, Prior]:
    """Return weights from strong preferences to nearly equal ones."""
    return {
        "strong": weights_by_position(1, seed),
        "middle": weights_by_position(0.4, seed),
        "nearly even": nearly_even(seed),
    }


def after(prior: Prior, turns: int, random: Random) -> Knowledge:
    """Return a position after random guesses, with a secret drawn by the weights."""
    [secret] = random.choices([code for code, _ in prior], [weight for _, weight in prior])
    known = Knowledge(RULES, prior=prior)
    while len(known.facts) < turns:
        guess = random.choice(CODES)
        known = known.after(Turn(guess, hint(guess, secret)))
    return known.simplified


def positions() -> None:
    """Print the seconds of positions after answers: the mean and the maximum."""
    print(f"{'prior':12}{'hints':>6}{'count':>7}{'mean':>9}{'most':>9}")
    for name in priors(0):
        for turns, count in ((1, 40), (2, 100)):
            taken, random = [], Random(turns)
            for i in range(count):
                search = WeightedCodesSearch(after(priors(i % SEEDS)[name], turns, random))
                begin = process_time()
                search.least()
                taken.append(process_time() - begin)
            print(f"{name:12}{turns:6}{count:7}{fmean(taken):9.3f}{max(taken):9.3f}", flush=True)


def start(*, whole_proof: bool) -> None:
    """Print the time of the search from scratch, and the gap at some moments.

    The search ends after the last of these moments, unless the `whole_proof` is wanted.
    """
    print(f"{'prior':12}{'average':>9}{'nodes':>10}{'CPU':>8}  " + "".join(f"{f'{at} s':>8}" for at in MOMENTS))
    for name, prior in priors(1).items():
        gaps: list[float] = []
        whole = sum(weight for _code, weight in prior)

        def told(progress: Progress, gaps: list[float] = gaps, whole: int = whole) -> None:
            while len(gaps) < len(MOMENTS) and (progress.seconds) >= MOMENTS[len(gaps)]:
                gaps.append(float((progress.upper or 0) - (progress.lower or 0)) / whole)

        def is_enough(gaps: list[float] = gaps) -> bool:
            return not whole_proof and len(gaps) == len(MOMENTS)

        found = solve(Task(RULES, prior=prior), budget=Budget(cancelled=is_enough, progress=told))
        assert found.strategy is not None
        row = "".join(f"{gap:8.3f}" for gap in gaps)
        average = found.strategy.cost.total_guesses / whole
        print(f"{name:12}{average:9.4f}{found.nodes:10}{found.cpu_seconds:8.1f}  {row}", flush=True)


if __name__ == "__main__":
    positions()
    if {"start", "whole"} & {*sys.argv[1:]}:
        print()
        start(whole_proof="whole" in sys.argv[1:])
