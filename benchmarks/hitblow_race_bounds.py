"""Bounds of the race in which both players see all guesses and answers, for games whose exact value takes too long.

    python benchmarks/hitblow_race_bounds.py            4 of 10, if no player, the first or the second reveals a symbol
    python benchmarks/hitblow_race_bounds.py --revealed 2   4 of 10 with two symbols
    python benchmarks/hitblow_race_bounds.py "3 of 10"  another game with its exact value; "4 of 6, repeats"

The bounds follow from the number of codes that can be found within k guesses; race-public.md has the proof. This number
is exact, or the number of all codes if the search for it visited more than MOST_SETS sets.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from functools import cache
from time import process_time

from hitblow_race import rules_of

from yomikiri.common.budget import Budget, Stopped
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.race.public.race import public_value
from yomikiri.hitblow.race.terms import Reveals, Terms
from yomikiri.hitblow.search.solve import solve
from yomikiri.hitblow.strategy.strategy import Task, cost

MOST_SETS = 2_000_000
MOST_SECRETS = 1_296  # the largest game whose exact value is computed too


@cache
def most_found_within(known: Knowledge) -> tuple[int, ...]:
    """Return the most codes that any strategy finds within 0, 1, 2, ... guesses, until it is all of them."""
    found = [0]
    while found[-1] < known.count:
        try:
            search = DepthWeightedSearch(known, (1,) * len(found), Budget(states=MOST_SETS))
            found.append(search.best().payoff)
        except Stopped:
            found.append(known.count)
    return tuple(found)


def histogram_of_least_total(known: Knowledge) -> tuple[int, ...]:
    """Return the number of codes that a strategy of least total finds at guess 1, 2, ..."""
    strategy = solve(Task(known.rules, known.absent)).strategy
    assert strategy is not None
    return strategy.cost.histogram


def ahead_most_often(known: Knowledge, opposed: tuple[int, ...]) -> tuple[int, ...]:
    """Return the number of codes that a strategy finds at guess 1, 2, ...

    The strategy finds as many pairs of secrets as possible strictly earlier than an opponent. The opponent has found
    `opposed[k]` of their codes within k guesses.
    """
    weights = tuple(opposed[-1] - found for found in opposed[1:])
    return cost(DepthWeightedSearch(known, weights).tree(), known.codes()).histogram


def bounds(terms: Terms) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound of the first player's chance of winning."""
    mine, theirs = terms.first, terms.second
    own, other = most_found_within(mine), most_found_within(theirs)
    all_cases = mine.count * theirs.count
    ahead = sum(n * (theirs.count - found_within(other, k)) for k, n in enumerate(histogram_of_least_total(mine)))
    behind = sum(n * found_within(own, k) for k, n in enumerate(ahead_most_often(theirs, own), start=1))
    return Fraction(ahead, all_cases), Fraction(behind, all_cases)


def found_within(found: tuple[int, ...], guesses: int) -> int:
    """Return the number of codes found within that many guesses."""
    return found[min(guesses, len(found) - 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="4 of 10")
    parser.add_argument("--revealed", type=int, default=1)
    asked = parser.parse_args()
    rules = rules_of(asked.game)
    for reveals in Reveals:
        terms, begun = Terms(rules, "", reveals, asked.revealed), process_time()
        lower, upper = bounds(terms)
        line = f"{reveals.value}: {float(lower):.4%} to {float(upper):.4%}, {process_time() - begun:.1f} s"
        if terms.first.count <= MOST_SECRETS:
            value = public_value(terms).lower
            assert lower <= value <= upper
            line += f"; exact {float(value):.4%}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
