"""Matches with the suggested guesses against a consistent player: results, and the time per suggestion.

    python benchmarks/hitblow_match.py shown|proposals [--matches 20000] [--digits 3] [--symbols 0123456789]
                                                       [--no-handicap] [--first me|opponent]

`shown` compares the displayed chance of winning, at the start and before each later guess of mine, with the frequency
of wins. `proposals` measures the CPU time of each suggestion with its figures and reason. Secrets and guesses of the
opponent are random with a fixed seed.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import inf, sqrt
from statistics import mean, pstdev

from yomikiri.hitblow.match.advice import Advisor, Prospect
from yomikiri.hitblow.match.match import Match, MatchOutcome, Side
from yomikiri.hitblow.match.opponents import Consistent
from yomikiri.hitblow.match.valuation import payoffs_by_depth
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Rules, Turn, hint
from yomikiri.hitblow.policies.exact import Exact
from yomikiri.hitblow.race.finish import Pace

ADVISOR = Advisor(Consistent(), Exact(seconds=None), inf)


@cache
def pace(known: Knowledge, secret: str) -> Pace:
    """Return the distribution of the opponent's number of guesses from now until they find my secret.

    Before the opponent's first answer, it is the average over all secrets, because all are equivalent by renaming.
    """
    return ADVISOR.opponent.pace(known, secret) if known.turns or not secret else pace(known, "")


class Proposals:
    """Suggestions, computed once for each pair of board and payoffs, because they depend on these only."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Knowledge, tuple[int, ...]], Prospect] = {}

    def of(self, match: Match) -> Prospect:
        """Return the suggested guess and its chance of winning."""
        key = match.known(Side.ME), payoffs_by_depth(match, pace(match.known(Side.OPPONENT), match.secret))
        if key not in self._kept:
            self._kept[key] = ADVISOR.propose(match)
        return self._kept[key]


def random_matches(start: Match, matches: int) -> Iterator[tuple[Match, str, random.Random]]:
    """Return random matches at their start, with the secrets and the generators of the opponent's guesses."""
    mine, theirs = start.known(Side.OPPONENT).codes(), start.known(Side.ME).codes()
    for seed in range(matches):
        chance = random.Random(seed)
        yield replace(start, secret=chance.choice(mine)), chance.choice(theirs), chance


def consistent(known: Knowledge, chance: random.Random) -> str:
    """Return a random candidate. The first guess is fixed, because all are equivalent by renaming."""
    return chance.choice(known.codes()) if known.turns else known.codes(1)[0]


def compare_shown(start: Match, matches: int) -> None:
    """Compare the displayed chances before each guess of mine with the frequency of wins."""
    proposals = Proposals()
    begin = float(ADVISOR.standing(start).win)
    seen: dict[str, list[tuple[float, bool]]] = {"start": []}
    for match, found, chance in random_matches(start, matches):
        shown = {"start": begin}
        while side := match.to_move:
            known = match.known(side)
            if side is Side.OPPONENT:
                guess, sought = consistent(known, chance), match.secret
            else:
                prospect, sought = proposals.of(match), found
                guess = prospect.guess
                if match.turns:
                    shown[f"guess {1 + len(known.turns)}"] = float(prospect.win)
            match = match.play(Turn(guess, hint(guess, sought)))
        won = match.outcome == MatchOutcome(Side.ME)
        for name, chance_shown in shown.items():
            seen.setdefault(name, []).append((chance_shown, won))
    print("| | matches | shown | won | error |\n" + "| --- " * 5 + "|")
    for name, pairs in seen.items():
        expected, share = (mean(column) for column in zip(*pairs, strict=True))
        error = pstdev(won - chance_shown for chance_shown, won in pairs) / sqrt(len(pairs))
        print(f"| {name} | {len(pairs):,} | {expected:.2%} | {share:.2%} | {error:.2%} |")


def time_proposals(start: Match, matches: int) -> None:
    """Measure each suggestion in CPU milliseconds, kernels loaded."""
    ADVISOR.advise(start if start.to_move is Side.ME else start.play(first_turn(start)))
    taken = []
    for match, found, chance in random_matches(start, matches):
        while side := match.to_move:
            if side is Side.ME:
                begun = time.process_time()
                guess, sought = ADVISOR.advise(match).proposed.guess, found
                taken.append(1000 * (time.process_time() - begun))
            else:
                guess, sought = consistent(match.known(side), chance), match.secret
            match = match.play(Turn(guess, hint(guess, sought)))
    taken.sort()
    shares = ", ".join(f"{share:.0%} {taken[int(share * (len(taken) - 1))]:.1f}" for share in (0.5, 0.9, 0.99, 1))
    print(f"{len(taken)} proposals, CPU ms: {shares}")


def first_turn(match: Match) -> Turn:
    """Return a turn of the side that goes first."""
    known = match.known(match.first)
    guess = known.codes(1)[0]
    return Turn(guess, min(known.cells(guess)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("shown", "proposals"))
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--digits", type=int, default=3)
    parser.add_argument("--symbols", default="0123456789")
    parser.add_argument("--no-handicap", action="store_true")
    parser.add_argument("--first", choices=[str(side) for side in Side], action="append")
    asked = parser.parse_args()
    rules = Rules(asked.digits, asked.symbols)
    symbol = "" if asked.no_handicap else rules.symbols[-1]
    for first in map(Side, asked.first or Side):
        start = Match(rules, rules, first)
        start = replace(start, shown=symbol) if first is Side.ME else replace(start, absent=symbol)
        print(f"\n{'I' if first is Side.ME else 'they'} move first, showing {symbol or 'nothing'}\n", flush=True)
        begun = time.process_time()
        {"shown": compare_shown, "proposals": time_proposals}[asked.what](start, asked.matches)
        print(f"\n{time.process_time() - begun:.0f} seconds of CPU", flush=True)


if __name__ == "__main__":
    main()
